//! Cheap subjects, played by this very program: blocking, honest, and doing no more than the protocol needs, so that what is
//! measured is the engine.

use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};
use std::net::{TcpListener, TcpStream};

use urtext::games::royalur::RoyalUr;
use urtext::rules::Game;
use urtext::rules::{Move, Phase, Roll, RollSource, Seat, Setup, Table};

use crate::dialogue;

/// The word that makes this program a subject; its name follows, and a number where it takes one.
pub(crate) const ROLE: &str = "--play";

/// Plays a subject and never returns.
pub(crate) fn play(name: &str, number: u64) -> ! {
    let played = match name {
        "echo" => answer(stdin().lock(), stdout().lock()),
        "echo-server" => serve(1, |_, players| {
            players[0].set_nodelay(true)?;
            answer(&players[0], &players[0])
        }),
        "long-game" => referee(|_| {
            Box::new(Dialogue {
                turns: number as usize,
                rolled: 0,
            })
        }),
        "bot" => bot(),
        "referee" => referee(|game| Box::new(RollSource::new([], number + game))),
        _ => panic!("there is no subject `{name}`"),
    };
    // Whoever hangs up has seen enough.
    drop(played);
    std::process::exit(0)
}

/// Answers every line at once.
fn answer(mut input: impl Read, mut output: impl Write) -> std::io::Result<()> {
    let mut buffer = [0; 4096];
    let answer = format!("{}\n", dialogue::LINES[1]);
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        for _ in buffer[..count].iter().filter(|&&byte| byte == b'\n') {
            output.write_all(answer.as_bytes())?;
        }
        output.flush()?;
    }
}

/// A bot that moves the lowest token that can move.
fn bot() -> std::io::Result<()> {
    let mut output = stdout().lock();
    let mut lines = stdin().lock().lines();
    let (_, _, index) = (lines.next(), lines.next(), lines.next());
    let own = if index.transpose()?.as_deref() == Some("0") {
        Seat::First
    } else {
        Seat::Second
    };
    let mut table = RoyalUr.table(Setup::default());
    for line in lines {
        let line = line?;
        match table.phase() {
            Phase::Roll => drop(table.take_roll(RoyalUr.parse_roll(&line).expect("a roll"))),
            Phase::Move => table
                .play(RoyalUr.parse_move(&line).expect("a move"))
                .expect("a legal move"),
            Phase::Over(_) => break,
        }
        if table.phase() == Phase::Move && table.to_move() == own {
            let mv = lowest(table.as_ref());
            writeln!(output, "{}", mv.0)?;
            table.play(mv).expect("it is legal");
        }
        if matches!(table.phase(), Phase::Over(_)) {
            break;
        }
    }
    Ok(())
}

/// The legal move of the lowest token.
pub(crate) fn lowest(table: &dyn Table) -> Move {
    table
        .legal_moves()
        .into_iter()
        .min()
        .expect("a move is possible")
}

/// Where a referee of this program has its rolls from.
pub(crate) trait Rolls {
    /// The roll of the next turn; `None`: nothing more is rolled, until the players hang up.
    fn next(&mut self) -> Option<Roll>;
}

impl Rolls for RollSource {
    fn next(&mut self) -> Option<Roll> {
        Some(RollSource::next(self, |random| RoyalUr.draw_roll(random)))
    }
}

/// The rolls of the long dialogue.
struct Dialogue {
    turns: usize,
    rolled: usize,
}

impl Rolls for Dialogue {
    fn next(&mut self) -> Option<Roll> {
        // One more than there are turns: it ends the last turn for all to see.
        let roll = (self.rolled <= self.turns).then(|| dialogue::roll(self.rolled));
        self.rolled += 1;
        roll
    }
}

/// A referee for one game after the other, counted from 0.
fn referee(rolls: impl Fn(u64) -> Box<dyn Rolls>) -> std::io::Result<()> {
    serve(2, |game, players| conduct(players, rolls(game).as_mut()))
}

/// Plays with whoever comes: a game begins when so many have connected.
fn serve(
    players: usize,
    play: impl Fn(u64, &[TcpStream]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    for game in 0.. {
        let connected: Result<Vec<_>, _> = (0..players).map(|_| Ok(listener.accept()?.0)).collect();
        // A game that the players leave is over, and the next one begins.
        drop(connected.and_then(|players| play(game, &players)));
    }
    Ok(())
}

fn conduct(players: &[TcpStream], rolls: &mut dyn Rolls) -> std::io::Result<()> {
    let mut input: Vec<_> = players.iter().map(BufReader::new).collect();
    let mut out = [Vec::new(), Vec::new()];
    let mut table = RoyalUr.table(Setup::default());
    for (index, (player, out)) in players.iter().zip(&mut out).enumerate() {
        player.set_nodelay(true)?;
        write!(out, "PlayerA\nPlayerB\n{index}\n")?;
    }
    let mut line = String::new();
    loop {
        while table.phase() == Phase::Roll {
            let Some(roll) = rolls.next() else { break };
            let coins = RoyalUr.format_roll(roll);
            for out in &mut out {
                writeln!(out, "{coins}")?;
            }
            table.take_roll(roll);
        }
        for (mut player, out) in players.iter().zip(&mut out) {
            if !out.is_empty() {
                player.write_all(out)?;
                out.clear();
            }
        }
        if table.phase() != Phase::Move {
            // Closing with something left unread would destroy what is on its way.
            players
                .iter()
                .try_for_each(|player| player.shutdown(std::net::Shutdown::Write))?;
            for input in &mut input {
                std::io::copy(input, &mut std::io::sink())?;
            }
            return Ok(());
        }
        let mover = table.to_move();
        line.clear();
        if input[mover.index()].read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mv = RoyalUr.parse_move(line.trim_end()).expect("a move");
        table.play(mv).expect("a legal move");
        out[mover.other().index()].extend_from_slice(line.as_bytes());
    }
}
