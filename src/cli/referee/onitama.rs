//! `urtext referee onitama`: the options of its deal, and the judge over TCP.

use std::time::Duration;

use clap::Args;

use super::{Command, Trouble, command, faults, tell_departure, timeout, until_told_to_end};
use crate::cli::Status;
use crate::cli::output::print_line;
use crate::cli::seed::random_seed;
use crate::diagnostic::visible;
use crate::games::onitama::{Card, Deal, Onitama, SIDES, cards_from_list};
use crate::peers::onitama::{Dealer, End, Referee};
use crate::peers::{Lobby, Players};
use crate::protocol::Cause;
use crate::rules::{Game, PerSeat, Seat};

/// The environment variable that forces the deal where no option does.
const DEAL_VARIABLE: &str = "URTEXT_DEAL";

#[derive(Debug, Args)]
pub(super) struct OnitamaArgs {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port for the players; 0 for any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// A bot to start, with its arguments; given twice, for Top and Bottom
    ///
    /// The command is split at blanks; quotes and backslashes work as in a shell, but no shell is involved. Each bot talks over its
    /// standard input and output, and runs in a process group of its own, which is gone when the game is over.
    #[arg(long, value_name = "COMMAND", value_parser = command, conflicts_with = "port")]
    bot: Vec<Command>,
    /// The five cards of every game: Top's two, Bottom's two, the middle one, such as Cobra,Eel,Crab,Rabbit,Tiger
    ///
    /// Without this and without --starter they are taken, with who starts, from the environment variable URTEXT_DEAL, such as
    /// `Cobra,Eel,Crab,Rabbit,Tiger Top`.
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    deal: Option<Cards>,
    /// Who starts every game: top or bottom
    #[arg(long, value_name = "SIDE", value_parser = side)]
    starter: Option<Seat>,
    /// Decides what is dealt and who starts where that is not forced [default: another one each time, shown on standard error]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How long a player may take for a move
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = timeout, allow_negative_numbers = true)]
    timeout: Duration,
    /// How many games to conduct, one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    /// There is nothing to watch: the judge shows a game to nobody but its players
    #[arg(long, value_name = "HOST:PORT", hide = true)]
    spectate: Option<String>,
    /// Something to do wrong, to show that a test notices
    #[arg(long, value_name = "NAME", value_parser = faults(&Onitama))]
    fault: Option<String>,
}

type Cards = [Card; 5];

fn cards(text: &str) -> Result<Cards, String> {
    cards_from_list(text).ok_or_else(|| {
        let names: Vec<_> = Card::ALL.into_iter().map(Card::name).collect();
        format!(
            "expected five different ones of {}, with commas between",
            names.join(", ")
        )
    })
}

fn side(text: &str) -> Result<Seat, String> {
    let is_meant = |seat: &Seat| SIDES[seat.index()].eq_ignore_ascii_case(text);
    Seat::BOTH
        .into_iter()
        .find(is_meant)
        .ok_or_else(|| "expected top or bottom".to_owned())
}

impl OnitamaArgs {
    pub(super) fn run(self) -> Result<Status, Trouble> {
        if self.spectate.is_some() {
            return Err(Trouble::Usage(
                "a judge of Onitama shows a game to nobody but its two players, so that there is nothing to watch; \
                 `urtext record --game onitama --judge --listen HOST:PORT --connect HOST:PORT` judges it from between them"
                    .into(),
            ));
        }
        if !matches!(self.bot.len(), 0 | 2) {
            return Err(Trouble::Usage(
                "--bot has to be given twice, for Top and Bottom".into(),
            ));
        }
        let forced = self.forced()?;
        let seed = self.seed.unwrap_or_else(|| {
            let seed = random_seed();
            anstream::eprintln!("seed {seed}");
            seed
        });
        let mut referee = Referee::new(self.timeout, Dealer::new(forced.0, forced.1, seed));
        if let Some(fault) = &self.fault {
            referee = referee
                .with_fault(fault)
                .expect("the parser admits only faults that there are");
        }
        until_told_to_end(self.serve(referee))
    }

    async fn serve(&self, mut referee: Referee) -> Result<Status, Trouble> {
        let players = match self.bot.as_slice() {
            [top, bottom] => Players::Start(PerSeat([top.clone(), bottom.clone()])),
            _ => Players::Connect(self.port),
        };
        let lobby = Lobby::open(&self.host, players, None, referee.closing()).await?;
        let addresses = lobby.addresses();
        if !addresses.is_empty() {
            print_line(&format!("listening {addresses}"));
        }
        for game in 1..=self.games {
            let participants = lobby.gather(0).await?;
            let (end, bots) = referee.conduct(participants).await;
            for (side, bot) in SIDES.into_iter().zip(bots) {
                tell_departure(side, &bot);
            }
            if end == End::Died {
                return Ok(Status::Broken);
            }
            anstream::eprintln!("game {game}: {}", self.told(end));
        }
        Ok(Status::Conforms)
    }

    fn told(&self, end: End) -> String {
        let (winner, why) = match end {
            End::Won(winner) => (
                winner,
                "the Master was captured, or has reached the temple".to_owned(),
            ),
            End::Lost(loser, cause) => {
                let did = match cause {
                    Cause::Invalid(requirement) => format!("sent an invalid line ({requirement})"),
                    Cause::Timeout => format!("sent no move for {} s", self.timeout.as_secs_f64()),
                    Cause::HangUp | Cause::Unseen => "hung up".to_owned(),
                };
                (loser.other(), format!("{} {did}", SIDES[loser.index()]))
            }
            End::Died => unreachable!("who died tells nothing"),
        };
        format!("{} wins: {why}", SIDES[winner.index()])
    }

    /// Returns the forced deal and starter: from the options, else from the environment.
    fn forced(&self) -> Result<(Option<Cards>, Option<Seat>), Trouble> {
        let variable = std::env::var_os(DEAL_VARIABLE).filter(|value| !value.is_empty());
        match (self.deal, self.starter, variable) {
            (None, None, Some(value)) => {
                let text = value.to_string_lossy();
                let setup = Onitama.parse_setup(&text).ok_or_else(|| {
                    let shown = visible::quoted(text.as_ref()).at_most(80);
                    Trouble::Usage(format!(
                        "{DEAL_VARIABLE} is {shown}: expected five different cards and who starts, such as `Cobra,Eel,Crab,Rabbit,Tiger Top`"
                    ))
                })?;
                let deal = Deal::of(setup);
                Ok((Some(deal.cards), Some(deal.starter)))
            }
            (deal, starter, _) => Ok((deal, starter)),
        }
    }
}
