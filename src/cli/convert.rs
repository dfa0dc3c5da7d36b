//! `urtext convert`: writes finished games in another notation.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::server_matches::{ServerMatches, USUAL_SILENCE};
use super::{Status, game_files, output, replay};
use crate::archive::{FinishedGame, WrittenGame};
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};
use crate::pack::{self, Notation, NotationWriter};
use crate::platform::write_output;
use crate::report;

/// Arguments of `urtext convert`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is whatever `urtext verify` takes. Streams show every roll, so move records without rolls cannot \
    become any; each notation of records is one of a single game.\n\n\
    Exit status: 0 written, 1 the game is not legal and nothing is written (but for a state before the wrong place), 2 it cannot \
    be read, or not be told in that notation, 3 it cannot be written."
)]
pub(super) struct ConvertArgs {
    /// A file with a finished game, or the files of its lanes; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_parser = Target::possible())]
    to: Target,
    /// The turn after which the state is written, 0 is before the first [default: the last]
    #[arg(long, value_name = "TURN")]
    at: Option<usize>,
    /// Leave rolls and skipped turns out of move records, as hc-ur has them
    #[arg(long)]
    without_rolls: bool,
    /// Where to write it [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Which game of a file with several, from 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    game_number: Option<u64>,
    /// The dialect of streams, or their game, where their content does not tell; or a notation, such as `hc-ur`
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
}

/// Form to write a game in.
#[derive(Debug, Clone, Copy)]
enum Target {
    Records(&'static dyn NotationWriter),
    State,
    Golden,
    Spectator,
}

impl Target {
    /// The notations of the packs, then the others.
    fn possible() -> impl TypedValueParser<Value = Target> {
        let of_notation = |notation: &'static dyn NotationWriter| {
            let help = format!(
                "{}{}",
                notation.title()[..1].to_uppercase(),
                &notation.title()[1..]
            );
            PossibleValue::new(notation.name()).help(help)
        };
        let others = [
            (
                "state",
                "The state of the game, as its notation of records writes it",
            ),
            (
                "golden",
                "A golden transcript with the lanes of both players and a spectator",
            ),
            ("spectator", "The stream of a spectator"),
        ];
        let others = others.map(|(name, help)| PossibleValue::new(name).help(help));
        let written = pack::notations().filter_map(Notation::writer);
        let values = written.map(of_notation).chain(others);
        PossibleValuesParser::new(values).map(|name| match name.as_str() {
            "state" => Target::State,
            "golden" => Target::Golden,
            "spectator" => Target::Spectator,
            name => {
                let mut notations = pack::notations().filter_map(Notation::writer);
                let notation = notations.find(|notation| notation.name() == name);
                Target::Records(notation.expect("the parser knows the name"))
            }
        })
    }
}

impl ConvertArgs {
    /// Converts the game.
    pub(super) fn run(self) -> Status {
        if self.at.is_some() && !matches!(self.to, Target::State) {
            return super::output::usage("`--at` goes with `--to state`");
        }
        if self.without_rolls && !matches!(self.to, Target::Records(_)) {
            return super::output::usage("`--without-rolls` goes with move records");
        }
        let server_matches = match ServerMatches::fetch(&self.files, USUAL_SILENCE) {
            Ok(server_matches) => server_matches,
            Err(status) => return status,
        };
        let told = match self.read(&server_matches) {
            Ok(told) => told,
            Err(Stop::Usage(status)) => return status,
            Err(Stop::Faults(faults)) => {
                output::say(&faults);
                return Status::Usage;
            }
        };
        let whole = |written: Result<WrittenGame, Diagnostic>| {
            let WrittenGame { text, remarks } = written?;
            output::say(&remarks);
            Ok(text)
        };
        let written = match self.to {
            Target::State => told.state(self.at),
            _ if told.wrong.is_some() => Ok(Vec::new()),
            Target::Records(notation) => whole(told.notated(notation, !self.without_rolls)),
            Target::Golden => whole(told.golden()),
            Target::Spectator => whole(told.spectator()),
        };
        let mut status = server_matches.status();
        match written {
            Ok(bytes) if bytes.is_empty() => {}
            Ok(bytes) => status = status.worse(self.write(&bytes)),
            Err(fault) => {
                output::say(&fault.into());
                status = Status::Usage;
            }
        }
        if let Some(wrong) = &told.wrong {
            let drawn = report::draw_in_file(wrong).draw(Paint::Coloured);
            anstream::eprintln!("{drawn}\n");
            status = status.worse(Status::Deviates);
        }
        status
    }

    fn read(&self, server_matches: &ServerMatches) -> Result<FinishedGame, Stop> {
        let protocol = game_files::protocol(self.dialect.as_deref()).map_err(Stop::Usage)?;
        let files = game_files::without_second_halves(&self.files);
        if let ([file], None) = (files.as_slice(), self.game_number)
            && let Some(records) = game_files::records(file, self.dialect.as_deref())
        {
            let records = records.judge()?;
            output::say(&records.warnings);
            return Ok(FinishedGame::of_records(records));
        }
        let game = match (files.as_slice(), self.game_number) {
            ([file], number) => replay::one_game(file, number, protocol, server_matches)?.0,
            (_, number) => game_files::joined(&files, number, protocol, server_matches)?.0,
        };
        Ok(FinishedGame::of_lanes(&game)?)
    }

    fn write(&self, bytes: &[u8]) -> Status {
        let ends = bytes.ends_with(b"\n");
        let bytes: Vec<u8> = bytes
            .iter()
            .copied()
            .chain((!ends).then_some(b'\n'))
            .collect();
        let Some(path) = &self.output else {
            output::print_bytes(&bytes);
            return Status::Conforms;
        };
        match write_output(path, &bytes) {
            Ok(()) => Status::Conforms,
            Err(error) => {
                let title = format!("the file cannot be written: {error}");
                let fault =
                    Diagnostic::error("convert/write", title).in_file(path.to_string_lossy());
                output::say(&fault.into());
                Status::Broken
            }
        }
    }
}

/// Reason why there is nothing to convert.
enum Stop {
    Usage(Status),
    Faults(Diagnostics),
}

impl From<Diagnostic> for Stop {
    fn from(fault: Diagnostic) -> Stop {
        Stop::Faults(fault.into())
    }
}

impl From<Diagnostics> for Stop {
    fn from(faults: Diagnostics) -> Stop {
        Stop::Faults(faults)
    }
}
