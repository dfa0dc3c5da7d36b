//! `urtext convert`: writes finished games in another notation.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::server_matches::ServerMatches;
use super::{Status, game_files, output, replay};
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};
use crate::pack::{self, GamePart, GameToWrite, NotatedTurn, Notation};
use crate::protocol::{Dialect, Duty, Facts, GameEvent, Line, Party, Slot};
use crate::report;
use crate::rules::{Game, PerSeat, Seat, Setup};
use crate::transcript::{
    Direction, Entry, LaneLabel, LaneTranscript, Transcript, golden, write_whole,
};
use crate::verify::{self, GameVerdict, Records};

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
    Records(&'static dyn Notation),
    State,
    Golden,
    Spectator,
}

impl Target {
    /// The notations of the packs, then the others.
    fn possible() -> impl TypedValueParser<Value = Target> {
        let of_notation = |notation: &'static dyn Notation| {
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
        let values = pack::notations().map(of_notation).chain(others);
        PossibleValuesParser::new(values).map(|name| match name.as_str() {
            "state" => Target::State,
            "golden" => Target::Golden,
            "spectator" => Target::Spectator,
            name => {
                let mut notations = pack::notations();
                let notation = notations.find(|notation| notation.name() == name);
                Target::Records(notation.expect("the parser knows the name"))
            }
        })
    }
}

/// A game that has been read.
struct Told {
    dialect: &'static dyn Dialect,
    names: PerSeat<Option<Vec<u8>>>,
    setup: Option<Setup>,
    history: Vec<GameEvent>,
    /// The turns as records or streams tell them.
    turns: Vec<NotatedTurn>,
    /// Error in the game; the history ends before the error.
    wrong: Option<String>,
    /// Facts that move records leave open.
    open: Option<String>,
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
        let server_matches = match ServerMatches::fetch(&self.files) {
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
        let written = match self.to {
            Target::Records(notation) if told.wrong.is_none() => self.records(notation, &told),
            Target::State => self.state(&told),
            Target::Golden if told.wrong.is_none() => told.golden().map(String::into_bytes),
            Target::Spectator if told.wrong.is_none() => told.spectator(),
            _ => Ok(Vec::new()),
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
            anstream::eprintln!("{wrong}\n");
            status = status.worse(Status::Deviates);
        }
        status
    }

    /// Checks that the notation to write is one of this game.
    fn fits(&self, game: &dyn Game) -> Result<(), Stop> {
        let is_of_game = |notation: &&dyn Notation| notation.game().name() == game.name();
        let other = match self.to {
            Target::Records(notation) => Some(notation),
            Target::State => pack::notations()
                .find(is_of_game)
                .or(pack::notations().next()),
            Target::Golden | Target::Spectator => None,
        };
        if let Some(notation) = other.filter(|notation| !is_of_game(notation)) {
            let title = format!(
                "{} is a notation of the {}",
                notation.name(),
                notation.game().title()
            );
            let fault = Diagnostic::error("convert/other-game", title);
            return Err(Stop::Faults(
                fault
                    .note(format!("this is a game of {}", game.title()))
                    .into(),
            ));
        }
        Ok(())
    }

    fn read(&self, server_matches: &ServerMatches) -> Result<Told, Stop> {
        let dialect = game_files::dialect(self.dialect.as_deref()).map_err(Stop::Usage)?;
        let files = game_files::without_second_halves(&self.files);
        if let ([file], None) = (files.as_slice(), self.game_number)
            && let Some(records) = game_files::records(file, self.dialect.as_deref())
        {
            return told_by_records(records.judge()?);
        }
        let game = match (files.as_slice(), self.game_number) {
            ([file], number) => replay::one_game(file, number, dialect, server_matches)?.0,
            (_, number) => game_files::joined(&files, number, dialect, server_matches)?.0,
        };
        let judged = verify::judge(&game);
        let wrong = match &judged.verdict {
            GameVerdict::Legal(_) => None,
            GameVerdict::Wrong(complaint) => {
                Some(report::draw_in_file(complaint).draw(Paint::Coloured))
            }
            GameVerdict::Unruled => {
                let title = "these are lines without rules, so that there is no game to convert";
                return Err(Stop::Faults(
                    Diagnostic::error("convert/no-rules", title).into(),
                ));
            }
            GameVerdict::Untold(lane) => {
                return Err(Stop::Faults(
                    verify::half_a_lane(&game.lanes[*lane].name).into(),
                ));
            }
        };
        let verify::Judged {
            dialect,
            names,
            setup,
            history,
            ..
        } = judged;
        self.fits(dialect.game())?;
        let turns = NotatedTurn::of_history(&history);
        Ok(Told {
            dialect,
            names,
            setup,
            history,
            turns,
            wrong,
            open: None,
        })
    }

    fn records(&self, notation: &dyn Notation, told: &Told) -> Result<Vec<u8>, Diagnostic> {
        let written = notation.write(GameToWrite {
            turns: &told.turns,
            names: &told.names,
            lost: told.lost(),
            with_rolls: !self.without_rolls,
        })?;
        if told.turns.is_empty() {
            let fault =
                Diagnostic::error("convert/no-turn", "the game stops before its first move");
            return Err(fault.note("a list of move records tells nothing but moves"));
        }
        if let Some(by) = told.lost()
            && !notation.keeps().contains(&GamePart::Loss)
        {
            let title = format!("that the {} player lost is not written", told.seat(by));
            let remark = Diagnostic::remark("convert/loss", title);
            output::say(
                &remark
                    .note(format!(
                        "{} has no record of a loss before the end",
                        notation.name()
                    ))
                    .into(),
            );
        }
        Ok(written.into_bytes())
    }

    fn state(&self, told: &Told) -> Result<Vec<u8>, Diagnostic> {
        let lost = told.lost();
        let last = told.turns.len() + usize::from(lost.is_some());
        let at = match (self.at, &told.wrong) {
            (Some(at), _) => at,
            (None, None) => last,
            (None, Some(_)) => return Ok(Vec::new()),
        };
        if at > last {
            let error = crate::replay::NoSuchTurn { asked: at, last };
            return Err(Diagnostic::error("replay/no-such-turn", error.to_string()));
        }
        let turns = &told.turns[..at.min(told.turns.len())];
        let lost = lost.filter(|_| at == last);
        let state = told
            .notation()
            .and_then(Notation::states)
            .map(|states| states.write(turns, lost));
        Ok(state.unwrap_or_default().into_bytes())
    }

    fn write(&self, bytes: &[u8]) -> Status {
        let ends = bytes.ends_with(b"\n");
        let bytes: Vec<u8> = bytes
            .iter()
            .copied()
            .chain((!ends).then_some(b'\n'))
            .collect();
        let Some(path) = &self.output else {
            let mut output = std::io::stdout().lock();
            // That nobody reads it any more is no error.
            drop(output.write_all(&bytes).and_then(|()| output.flush()));
            return Status::Conforms;
        };
        match write_whole(path, &bytes) {
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

impl From<Diagnostics> for Stop {
    fn from(faults: Diagnostics) -> Stop {
        Stop::Faults(faults)
    }
}

impl Told {
    fn seat(&self, seat: Seat) -> &'static str {
        self.dialect.game().seat_name(seat)
    }

    /// The player who lost before the end by the rules.
    fn lost(&self) -> Option<Seat> {
        match self.history.last() {
            Some(GameEvent::Lost { by, .. }) => Some(*by),
            _ => None,
        }
    }

    /// The notation of records of the game.
    fn notation(&self) -> Option<&'static dyn Notation> {
        let name = self.dialect.game().name();
        pack::find(name)?.notations.first().copied()
    }

    /// Facts that streams need in addition to the moves.
    ///
    /// # Errors
    /// Names the missing facts.
    fn facts(&self) -> Result<Facts, Diagnostic> {
        let untold: Vec<_> = self
            .turns
            .iter()
            .enumerate()
            .filter(|(_, turn)| turn.rolled.is_none())
            .collect();
        if let Some((first, _)) = untold.first() {
            let title = match untold.len() {
                1 => "streams show every roll, and 1 turn here has none".to_owned(),
                count => format!("streams show every roll, and {count} turns here have none"),
            };
            let fault = Diagnostic::error("convert/no-rolls", title)
                .note(format!("the first is turn {}", first + 1));
            let help = self.notation().and_then(Notation::roll_help);
            let fault = help.into_iter().fold(fault, Diagnostic::help);
            let unrecorded = self.open.is_some();
            let note = "which turns were skipped is not told either";
            return Err(if unrecorded { fault.note(note) } else { fault });
        }
        for greeting in self.dialect.greeting(false) {
            let Slot::Name(seat) = greeting.slot else {
                continue;
            };
            let Some(name) = &self.names[seat] else {
                let title = format!(
                    "streams begin with both names, and the {} player's is not known",
                    self.seat(seat)
                );
                return Err(Diagnostic::error("convert/no-name", title));
            };
            if name.contains(&b'\n') {
                let title = format!(
                    "the {} player's name holds a line break, and a stream has it on one line",
                    self.seat(seat)
                );
                return Err(Diagnostic::error("convert/name", title));
            }
        }
        let made_up = self
            .notation()
            .and_then(|notation| notation.made_up_rolls(&self.turns));
        if let Some(title) = made_up {
            output::say(&Diagnostic::remark("convert/made-up-rolls", title).into());
        }
        Ok(Facts {
            names: self.names.clone(),
            setup: self.setup,
            ..Facts::default()
        })
    }

    /// Returns the lines that a party received, and those that a player sent.
    fn lane(&self, party: Party, facts: &Facts) -> Vec<Entry> {
        let entry = |direction, text| Entry {
            direction,
            line: Line::new(text),
        };
        let greeting = self.dialect.greeting(party == Party::Spectator).iter();
        let lines = greeting
            .filter_map(|greeting| self.dialect.write_greeting(greeting.slot, party, facts));
        let mut entries: Vec<_> = lines.map(|line| entry(Direction::Received, line)).collect();
        let mut told = Vec::new();
        for happening in &self.history {
            if let GameEvent::Moved { by, mv, .. } = *happening
                && party == Party::Player(by)
            {
                entries.push(entry(Direction::Sent, self.dialect.write_move(mv)));
            }
            self.dialect.tell(happening, party, &mut told);
            let due = told.drain(..).filter(|told| told.duty == Duty::Must);
            entries.extend(due.map(|told| entry(Direction::Received, told.line)));
        }
        entries
    }

    fn has_spectators(&self) -> bool {
        !self.dialect.greeting(true).is_empty()
    }

    fn golden(&self) -> Result<String, Diagnostic> {
        let facts = self.facts()?;
        if let Some(GameEvent::Lost { by, .. }) = self.history.last() {
            let title = format!(
                "what the {} player sent last is not written, only that it lost",
                self.seat(*by)
            );
            output::say(&Diagnostic::remark("convert/last-line", title).into());
        }
        let lane = |label, party| LaneTranscript {
            label,
            entries: self.lane(party, &facts),
        };
        let mut lanes: Vec<_> = Seat::BOTH
            .map(|seat| lane(LaneLabel::Player(seat), Party::Player(seat)))
            .into_iter()
            .collect();
        if self.has_spectators() {
            lanes.push(lane(LaneLabel::Spectator(1), Party::Spectator));
        }
        Ok(golden::write(&Transcript {
            dialect: self.dialect.name().to_owned(),
            lanes,
        }))
    }

    fn spectator(&self) -> Result<Vec<u8>, Diagnostic> {
        if !self.has_spectators() {
            let title = format!("the dialect {} has no spectators", self.dialect.name());
            return Err(Diagnostic::error("convert/no-spectators", title));
        }
        let facts = self.facts()?;
        let lines = self.lane(Party::Spectator, &facts);
        Ok(lines
            .into_iter()
            .flat_map(|entry| entry.line.text.into_iter().chain([b'\n']))
            .collect())
    }
}

/// The game that move records tell.
fn told_by_records(judged: Records) -> Result<Told, Stop> {
    output::say(&judged.warnings);
    let wrong = judged
        .complaints
        .first()
        .map(|complaint| report::draw_in_file(complaint).draw(Paint::Coloured));
    let open = judged
        .open
        .first()
        .map(|open| report::draw_in_file(open).draw(Paint::Coloured));
    let turns = judged.turns.clone();
    let told = judged.judged();
    let (dialect, names, setup, history) = (told.dialect, told.names, told.setup, told.history);
    Ok(Told {
        dialect,
        names,
        setup,
        history,
        turns,
        wrong,
        open,
    })
}
