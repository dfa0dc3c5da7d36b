//! `urtext bisect`: two bots on the same rolls, up to their first different answer.

use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;

use super::interrupt::Interrupt;
use super::output::{broken, print, say, usage};
use super::replay_live::Asked;
use super::run::progress::progress_bar;
use super::seed::random_seed;
use super::server_matches::{ServerMatches, USUAL_SILENCE};
use super::subject::{SubjectArgs, Tested};
use super::{Status, repeat};
use crate::config::{Subject, SubjectBudgets};
use crate::diagnostic::{Diagnostic, Diagnostics, counted, visible};
use crate::engine::{Clock, Network, Options};
use crate::explore::{BotAnswer, Compared, Divergence, Trials, compare, free_the_bot, random_game};
use crate::finding::{Finding, Verdict};
use crate::rules::Seat;
use crate::scenario::{Scenario, Side};

/// Arguments of `urtext bisect`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct BisectArgs {
    /// A finished game whose rolls and opponent's moves are used, up to the first turn that does not fit the bots' answers
    ///
    /// It is any file that `urtext run` plays again. After its last turn that fits, rolls and opponent are random.
    #[arg(value_name = "GAME", conflicts_with = "games")]
    game: Option<PathBuf>,

    /// The two bots, by their names in urtext.yaml
    #[arg(long, value_name = "NAME", required = true)]
    subject: Vec<String>,

    /// The file with the subjects [default: urtext.yaml in this folder, or in the nearest one above]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The number of random games; the bots play first and second in turns
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Decides the rolls and the opponent's moves [default: another one each time]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// The seat of the bots in GAME [default: that of the player who has recorded it, else the first]
    #[arg(long, value_name = "SEAT", requires = "game")]
    seat: Option<String>,

    /// Number of the game in a file with several, from 1
    #[arg(long, value_name = "NUMBER", requires = "game", value_parser = clap::value_parser!(u64).range(1..))]
    game_number: Option<u64>,

    /// Plays built-in bots in memory, on a clock that jumps to the next event
    #[arg(long)]
    simulated: bool,
}

const HELP: &str = "\
Both bots receive the same lines up to their first different answer: the same rolls, and the same moves of the opponent. A bot whose \
moves are random needs {seed} in its command: a bot that does not play the same game twice is reported.

Exit status: 0 all answers are equal; 1 a bot answered differently; 2 a fault in what you wrote; 3 a bot could not be played with; 4 a \
bot answers differently when the same game is played again, or a game reached no verdict; 130 interrupted.

Examples:
  urtext bisect --subject old --subject new
  urtext bisect --subject old --subject new game.jsonl --seat second";

/// Both bots, and everything else that is needed to play.
struct Bisection<'b> {
    args: &'b BisectArgs,
    bots: [Subject; 2],
    seed: u64,
    /// The finished game, with the bots' moves left to them.
    replayed: Option<Scenario>,
}

impl BisectArgs {
    /// Plays, and shows the first difference.
    pub(super) fn run(self) -> Status {
        let Ok([old, new]) = <&[String; 2]>::try_from(self.subject.as_slice()) else {
            return usage("two bots are compared: write --subject OLD --subject NEW");
        };
        let mut faults = Diagnostics::new();
        let bots = [old, new].map(|name| self.bot(name, &mut faults));
        let [Some(old), Some(new)] = bots else {
            say(&faults);
            return Status::Usage;
        };
        if old.protocol.name() != new.protocol.name() {
            let title = format!("{} and {} play different games", old.label(), new.label());
            say(&Diagnostic::error("bisect/game", title).into());
            return Status::Usage;
        }
        let replayed = match self.replayed(&old) {
            Ok(replayed) => replayed,
            Err(status) => return status,
        };
        let seed = self.seed.unwrap_or_else(|| random_seed() % 1_000_000);
        let bisection = Bisection {
            args: &self,
            bots: [old, new],
            seed,
            replayed,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        match runtime.and_then(|runtime| runtime.block_on(bisection.play())) {
            Ok(status) => status,
            Err(error) => broken(&format!("the run cannot begin: {error}")),
        }
    }

    /// The bot of that name.
    fn bot(&self, name: &str, faults: &mut Diagnostics) -> Option<Subject> {
        let named = SubjectArgs::of_name(name, self.config.as_deref()).tested(faults)?;
        let named = if self.simulated {
            named.simulated(faults)?
        } else {
            named
        };
        match named {
            Tested::Named(subject)
                if subject.side == Side::Bot && subject.protocol.game().is_some() =>
            {
                Some(*subject)
            }
            Tested::Named(_) | Tested::BuiltIn | Tested::OfFile(..) => {
                let title = format!(
                    "{} is no bot of urtext.yaml that plays a game with rules",
                    visible::quoted(name)
                );
                faults.push(
                    Diagnostic::error("bisect/subject", title).help(
                        "write it there with `as: bot`; its command can be `urtext bot GAME`",
                    ),
                );
                None
            }
        }
    }

    /// The finished game that is played again, if one is named.
    ///
    /// # Errors
    /// The status to exit with, after saying what is wrong.
    fn replayed(&self, bot: &Subject) -> Result<Option<Scenario>, Status> {
        let Some(path) = &self.game else {
            return Ok(None);
        };
        let asked = Asked {
            side: Side::Bot,
            seat: self.seat.as_deref(),
            from: None,
            protocol: Some(bot.protocol),
            number: self.game_number,
        };
        let matches = ServerMatches::fetch(std::slice::from_ref(path), USUAL_SILENCE)?;
        let scenario = asked.scenario(path, &matches);
        let mut scenario = scenario.map_err(|faults| {
            say(&faults);
            Status::Usage
        })?;
        free_the_bot(&mut scenario);
        Ok(Some(scenario))
    }
}

impl Bisection<'_> {
    async fn play(&self) -> io::Result<Status> {
        let interrupt = Interrupt::listen()?;
        let games = if self.replayed.is_some() {
            1
        } else {
            self.args.games
        };
        let bar = progress_bar(games as usize);
        let clock = if self.args.simulated {
            Clock::Virtual(Network::Ideal)
        } else {
            Clock::Real
        };
        let trials = [0, 1].map(|bot| {
            let subject = self.bots[bot].clone();
            let options = Options::new(SubjectBudgets::default(), self.bots.iter());
            let options = Options { clock, ..options };
            Trials::new(options, None, subject, interrupt.told(), Rc::new(|_| {}))
        });
        let (mut status, mut turns) = (Status::Conforms, 0);
        for number in 1..=games {
            let compared = compare(
                [&trials[0], &trials[1]],
                self.scenario(number),
                self.seed.wrapping_add(number),
            )
            .await?;
            if interrupt.has_come() {
                bar.finish_and_clear();
                return Ok(Status::Interrupted);
            }
            bar.inc(1);
            match compared {
                Compared::Equal {
                    turns: more,
                    failure,
                } => {
                    turns += more;
                    if let Some(title) = failure {
                        let title = visible::plain(&title);
                        bar.suspend(|| {
                            print(&format!(
                                "{}both bots fail alike: {title}",
                                self.in_game(number)
                            ))
                        });
                    }
                }
                Compared::Different(different) => {
                    bar.finish_and_clear();
                    print(&self.described(&different, number));
                    let is_unsteady = different.is_unsteady.contains(&true);
                    return Ok(if is_unsteady {
                        Status::Open
                    } else {
                        Status::Deviates
                    });
                }
                Compared::NotPlayed(bot, finding) => {
                    let (line, found) = self.not_played(bot, &finding, number);
                    bar.suspend(|| anstream::eprintln!("{line}"));
                    status = status.worse(found);
                    if found == Status::Broken {
                        bar.finish_and_clear();
                        return Ok(status);
                    }
                }
            }
        }
        bar.finish_and_clear();
        if status == Status::Conforms {
            print(&format!(
                "equal: {}, {}",
                counted(games as usize, "game"),
                counted(turns, "turn")
            ));
        }
        print(&self.again(games));
        Ok(status)
    }

    fn scenario(&self, number: u64) -> Scenario {
        self.replayed.clone().unwrap_or_else(|| {
            let dialect = self.bots[0].protocol.dialect().expect("the game has rules");
            random_game(dialect, Seat::BOTH[(number as usize - 1) % 2], number)
        })
    }

    /// `game 3: `, where several games are played.
    fn in_game(&self, number: u64) -> String {
        match self.replayed {
            Some(_) => String::new(),
            None => format!("game {number}: "),
        }
    }

    fn not_played(&self, bot: usize, finding: &Finding, number: u64) -> (String, Status) {
        let (game, name) = (self.in_game(number), &self.args.subject[bot]);
        let title = visible::plain(&finding.title);
        let (verdict, status) = match finding.verdict {
            Verdict::Error => ("could not be played with", Status::Broken),
            _ => ("reached no verdict", Status::Open),
        };
        let line = format!("{game}{} {verdict}: {title}", visible::plain(name));
        (line, status)
    }

    fn described(&self, different: &Divergence, number: u64) -> String {
        let rules = self.bots[0].protocol.game().expect("the game has rules");
        let names = [0, 1].map(|bot| visible::plain(&self.args.subject[bot]).to_string());
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let turn = different.turn;
        let equal = match turn - 1 {
            0 => String::new(),
            1 => "; turn 1 is equal".to_owned(),
            last => format!("; turns 1 to {last} are equal"),
        };
        let mut text = format!("{}different in turn {turn}{equal}\n", self.in_game(number));
        for (name, answer) in names.iter().zip(&different.answers) {
            let answer = match answer {
                BotAnswer::Move(line, effect) => format!("{line}: {effect}; legal"),
                BotAnswer::Wrong(None, title) => format!("wrong: {}", visible::plain(title)),
                BotAnswer::Wrong(Some(line), title) => {
                    let line = visible::quoted(line).at_most(60);
                    format!("{line}: not legal: {}", visible::plain(title))
                }
                BotAnswer::Nothing => "nothing wrong".to_owned(),
            };
            text.push_str(&format!("  {name:width$}  {answer}\n"));
        }
        let rolled = different
            .roll
            .map(|roll| format!(" rolled {}", rules.format_roll(roll)))
            .unwrap_or_default();
        let seat = rules.seat_name(different.seat);
        let board = different.board.trim_end();
        text.push_str(&format!("\nturn {turn}, {seat}{rolled}:\n{board}\n\n"));
        let unsteady = names
            .iter()
            .zip(different.is_unsteady)
            .filter(|(_, is)| *is);
        for (name, _) in unsteady {
            text.push_str(&format!(
                "{name} answers differently when the same game is played again, so the difference says nothing. Give it {{seed}}.\n"
            ));
        }
        text + &self.again(number)
    }

    /// The command that plays the same games.
    fn again(&self, games: u64) -> String {
        let seed = format!("--seed {}", self.seed);
        let games = self.args.game.is_none().then(|| format!("--games {games}"));
        let words = [seed, games.unwrap_or_default()];
        format!(
            "repeat: {}",
            repeat::command("bisect", &words, &["seed", "games"])
        )
    }
}
