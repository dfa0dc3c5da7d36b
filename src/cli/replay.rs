//! `urtext replay`: the options, and the choice between the terminal and the printed forms.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{print, say};
use super::server_matches::ServerMatches;
use super::{Status, game_files};
use crate::diagnostic::{self, Diagnostic, Diagnostics, Paint, visible};
use crate::protocol::Dialect;
use crate::replay::Replay;
use crate::report;
use crate::report::{Standing, draw_finding};
use crate::transcript::{self, LoggedGame, Opened, Played, bare};
use crate::tui;
use crate::verify::{self, Ending, GameVerdict, Records};

/// Arguments of `urtext replay`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, or a stream as one participant received it (`>` before \
    what it sent). Several files are lanes of one game, or of a match. On a terminal the game is stepped through by keys; elsewhere it is \
    printed. A JSON list of move records of hc-ur is known by its first bytes. coco://HOST:PORT/ID is a match that a Code \
    Colosseum server has stored, as spectators received it.\n\n\
    Exit status: 0 the game is legal as far as it goes, 1 a line of it is wrong and it is shown up to there, 2 it cannot be \
    read, or there is no such turn or game, 3 the server of a match cannot be reached, 4 the game stops before its first turn, or move \
    records leave open whether a turn was skipped."
)]
pub(super) struct ReplayArgs {
    /// A file with a finished game, coco://HOST:PORT/ID, or the files of its lanes; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the whole game, turn by turn with the board after each
    #[arg(long)]
    print: bool,
    /// Print the position after this turn only; 0 is before the first
    #[arg(long, value_name = "TURN", conflicts_with = "print")]
    at: Option<usize>,
    /// Which game of a file with several, from 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    game_number: Option<u64>,
    /// The dialect of streams, or their game, where their content does not tell; `hc-ur` for move records
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
}

impl ReplayArgs {
    /// Shows the game.
    pub(super) fn run(self) -> Status {
        let dialect = match game_files::dialect(self.dialect.as_deref()) {
            Ok(dialect) => dialect,
            Err(status) => return status,
        };
        let server_matches = match ServerMatches::fetch(&self.files) {
            Ok(server_matches) => server_matches,
            Err(status) => return status,
        };
        let files = game_files::without_second_halves(&self.files);
        if let ([file], None) = (files.as_slice(), self.game_number)
            && let Some(records) = game_files::records(file, self.dialect.as_deref())
        {
            return match records.judge() {
                Ok(judged) => self.show_records(&judged),
                Err(faults) => {
                    say(&faults);
                    Status::Usage
                }
            };
        }
        let game = match (files.as_slice(), self.game_number) {
            ([file], number) => one_game(file, number, dialect, &server_matches),
            (_, number) => game_files::joined(&files, number, dialect, &server_matches),
        };
        match game {
            Ok((game, is_one_of_several)) => {
                let number = is_one_of_several.then(|| self.game_number.unwrap_or(1));
                self.show(&game, number).worse(server_matches.status())
            }
            Err(faults) => {
                say(&faults);
                Status::Usage
            }
        }
    }

    fn show_records(&self, judged: &Records) -> Status {
        say(&judged.warnings);
        let complaints = judged.complaints.iter().map(report::draw_in_file);
        let open = judged.open.iter().map(report::draw_in_file);
        let trouble: Vec<_> = complaints
            .chain(open)
            .map(|drawing| drawing.draw(Paint::Coloured))
            .collect();
        let status = match (judged.complaints.is_empty(), judged.open.is_empty()) {
            (false, _) => Status::Deviates,
            (true, false) => Status::Open,
            (true, true) => Status::Conforms,
        };
        let trouble = (!trouble.is_empty()).then(|| trouble.join("\n\n"));
        self.present(Replay::of_records(judged), status, trouble)
    }

    /// Shows the game of a recorded scenario, and what its judge found.
    fn show_played(&self, game: &LoggedGame, played: &Played) -> Status {
        let rejudged = verify::rejudge(played);
        let outcome = &rejudged.outcome;
        let status = Status::from(Standing::of(outcome.verdict));
        let findings = outcome.findings.iter().enumerate();
        let drawn = findings
            .map(|(number, finding)| draw_finding(outcome, finding, number == 0, Paint::Coloured));
        let drawn: Vec<_> = drawn.collect();
        let trouble = (!drawn.is_empty()).then(|| drawn.join("\n\n"));
        if matches!(rejudged.judged.verdict, GameVerdict::Unruled) {
            let dialect = rejudged.judged.dialect;
            print(&format!(
                "{}: {}",
                outcome.verdict.word(),
                visible::plain(&outcome.name)
            ));
            anstream::eprintln!(
                "urtext replay: no board is shown: {}",
                verify::unruled(dialect)
            );
            trouble
                .iter()
                .for_each(|trouble| anstream::eprintln!("\n{trouble}"));
            return status.worse(Status::Open);
        }
        self.present(
            Replay::of_played(rejudged).with_lanes(game),
            status,
            trouble,
        )
    }

    /// Shows a game; `number`: which it is where the file holds several.
    fn show(&self, game: &LoggedGame, number: Option<u64>) -> Status {
        if let Some(played) = &game.played {
            return self.show_played(game, played);
        }
        let mut replay = Replay::new(verify::judge(game)).with_lanes(game);
        if let Some(number) = number {
            replay = replay.of_several(number);
        }
        let mut status = Status::Conforms;
        let mut trouble = None;
        match replay.verdict() {
            GameVerdict::Legal(Ending::Unstarted) => {
                let name = game.lanes.first().map_or("", |lane| lane.name.as_str());
                let title = "the game stops before its first turn, and there is nothing to show";
                say(&Diagnostic::remark("replay/no-turn", title)
                    .in_file(name)
                    .into());
                return Status::Open;
            }
            GameVerdict::Legal(_) => {}
            GameVerdict::Wrong(complaint) => {
                status = Status::Deviates;
                trouble = Some(report::draw_in_file(complaint).draw(Paint::Coloured));
            }
            GameVerdict::Unruled => {
                anstream::eprintln!("urtext replay: {}", verify::unruled(game.dialect));
                return Status::Open;
            }
            GameVerdict::Untold(lane) => {
                let fault = verify::half_a_lane(&game.lanes[*lane].name);
                status = Status::Usage;
                trouble = Some(fault.draw(Paint::Coloured));
            }
        }
        self.present(replay, status, trouble)
    }

    /// Shows a replay, and then what is wrong with the game.
    fn present(&self, replay: Replay, status: Status, trouble: Option<String>) -> Status {
        if let Some(turn) = self.at {
            match replay.print_at(turn) {
                Ok(text) => print(text.trim_end()),
                Err(error) => {
                    if let Some(trouble) = trouble {
                        anstream::eprintln!("{trouble}\n");
                    }
                    say(&Diagnostic::error("replay/no-such-turn", error.to_string()).into());
                    return Status::Usage;
                }
            }
        } else if self.print || !std::io::stdout().is_terminal() {
            print(replay.print().trim_end());
        } else if let Err(error) = tui::run(replay) {
            anstream::eprintln!(
                "urtext replay: the terminal cannot be used: {error}; `--print` prints the game"
            );
            return Status::Broken;
        }
        // After the game, so that it stands where the eye is.
        if let Some(trouble) = trouble {
            anstream::eprintln!("\n{trouble}");
        }
        status
    }
}

/// The game of that number of a file, and whether it has others; the first where no number is given, with a remark if it has others.
pub(super) fn one_game(
    file: &Path,
    number: Option<u64>,
    dialect: Option<&'static dyn Dialect>,
    server_matches: &ServerMatches,
) -> Result<(LoggedGame, bool), Diagnostics> {
    let name = file.to_string_lossy();
    let wanted = number.unwrap_or(1);
    let (mut games, marks_sent) = match server_matches.open(file, dialect)? {
        Opened::Game { game, warnings } if wanted == 1 => {
            say(&warnings);
            return Ok((game, false));
        }
        Opened::Game { .. } => return Err(game_files::no_such_game(&name, wanted, 1)),
        Opened::Streams { games, marks_sent } => (games, marks_sent),
    };
    let unreadable = |error| Diagnostics::from(diagnostic::unreadable(&name, &error));
    let dialect = games.dialect();
    let mut count = 0;
    while let Some(game) = games.next_game().map_err(unreadable)? {
        count += 1;
        if count < wanted {
            continue;
        }
        if game.is_too_large {
            return Err(transcript::too_large(&name, game.first_line).into());
        }
        let game = LoggedGame::new(dialect, vec![bare::lane(&name, game, dialect, marks_sent)]);
        let is_one_of_several = count > 1 || games.next_game().map_err(unreadable)?.is_some();
        if number.is_none() && is_one_of_several {
            say(&game_files::several_games(&name));
        }
        return Ok((game, is_one_of_several));
    }
    Err(game_files::no_such_game(&name, wanted, count))
}
