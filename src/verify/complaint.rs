//! Complaints about finished games, and their wording.

use super::ending::player;
use crate::diagnostic::{Drawing, Emphasis, Text, Tone, visible};
use crate::pack;
use crate::protocol::{
    Cause, Deviation, Dialect, Duty, Expected, GameEvent, LineEnding, Model, Party, RefereeLine,
};
use crate::requirement::Level;
use crate::rules::{Move, PerSeat, Phase, Seat, Setup, Table};
use crate::transcript::{LoggedLane, compare};

/// The most bytes of a line that are shown.
const SHOWN: usize = 120;

/// The first wrong line of a game, and why it is wrong. Every text in it is fit to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The file.
    pub file: String,
    /// The line of the file, from 1; for a missing line, the one where it would stand.
    pub line: usize,
    /// Id of the requirement that is broken.
    pub requirement: &'static str,
    /// The error in one line.
    pub title: String,
    /// The expected line.
    pub expected: String,
    /// The received line; `None` if nothing was received.
    pub received: Option<String>,
    /// The turn in which it stands, from 1, in words: `turn 12, Alice (first), rolled 0 1 1 0`.
    pub turn: Option<String>,
    /// The board before it.
    pub board: Option<String>,
    /// Contradicting line of another lane, with its place.
    pub other: Option<String>,
    /// Both lines in one, with what differs marked, where that helps.
    pub marked: Option<String>,
    /// Possible problem with the file, rather than with the game.
    pub hint: Option<&'static str>,
}

/// A line of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) lane: usize,
    /// The line of its file.
    pub(super) number: usize,
}

impl Complaint {
    pub(super) fn new(
        lanes: &[LoggedLane],
        model: &Model,
        told_by: &[Place],
        place: Place,
        deviation: &Deviation,
    ) -> Complaint {
        let scene = Scene::of(model, deviation);
        let mut title = title(lanes, &scene, place, deviation);
        let mut requirement = deviation.requirement;
        let mut expected = expected(&scene, &deviation.expected);
        if let (Some(RefereeLine::Move(mv)), Some(table), Expected::NothingYet) =
            (deviation.heard, scene.table.as_deref(), &deviation.expected)
            && let Err(refusal) = table.check(mv)
        {
            requirement = refusal.requirement;
            title = format!(
                "move {} is not legal: {}",
                scene.dialect.game().format_move(mv),
                refusal.reason
            );
            expected = scene.legal_answer();
        }
        let is_move_due = scene
            .table
            .as_deref()
            .is_some_and(|table| table.phase() == Phase::Move);
        let is_whole = matches!(deviation.received, Some((_, LineEnding::Newline)));
        if is_whole
            && deviation.heard == Some(RefereeLine::Other)
            && is_move_due
            && deviation.expected == Expected::NothingYet
        {
            requirement = scene
                .relay_requirement(model.party(place.lane))
                .unwrap_or(requirement);
        }
        let other = scene
            .happening
            .and_then(|index| told_by.get(index))
            .filter(|told| told.lane != place.lane);
        let other = other.filter(|_| matches!(deviation.expected, Expected::Line(_)));
        let received = deviation
            .received
            .as_ref()
            .map(|(text, ending)| shown(text, *ending));
        let marked = match (&deviation.expected, &deviation.received) {
            (Expected::Line(due), Some((text, ending))) if text.len() > 1 && due.len() > 1 => {
                let line = crate::protocol::Line {
                    text: text.clone(),
                    ending: *ending,
                };
                Some(compare::inline(&crate::protocol::Line::new(due.clone()), &line).to_string())
            }
            _ => None,
        };
        Complaint {
            file: lanes[place.lane].name.clone(),
            line: place.number,
            requirement,
            title,
            expected,
            received,
            turn: scene.turn(),
            board: scene
                .table
                .as_deref()
                .filter(|_| scene.turn.is_some())
                .map(Table::draw),
            hint: hint(scene.dialect, deviation),
            other: other.map(|told| format!("{}:{}", lanes[told.lane].name, told.number)),
            marked,
        }
    }

    /// It as findings and diagnostics are drawn.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let entry = pack::requirement(self.requirement);
        let level = entry.map_or(String::new(), |entry| format!(" ({})", entry.level));
        let mut drawing = Drawing::new("fail", Tone::Bad, format!("{}{level}", self.title))
            .code(self.requirement)
            .file(format!("{}:{}", self.file, self.line))
            .footer(
                "expected",
                Text::new().then(Emphasis::Expected, self.expected.as_str()),
            );
        drawing = match &self.received {
            Some(received) => drawing.footer(
                "received",
                Text::new().then(Emphasis::Received, received.as_str()),
            ),
            None => drawing.footer("received", "nothing"),
        };
        for (word, text) in [
            ("difference", &self.marked),
            ("told by", &self.other),
            ("where", &self.turn),
        ] {
            if let Some(text) = text {
                drawing = drawing.footer(word, text.as_str());
            }
        }
        if let Some(entry) = entry {
            let said = match entry.level {
                Level::Unspecified => &entry.summary,
                _ => &entry.says,
            };
            drawing = drawing.footer("specification", format!("\"{said}\""));
            if let Some(inference) = &entry.inference {
                drawing = drawing.footer("hence", inference.as_str());
            }
        }
        if let Some(hint) = self.hint {
            drawing = drawing.footer("help", hint);
        }
        match &self.board {
            Some(board) => {
                drawing.footer("board", format!("before this line\n{}", board.trim_end()))
            }
            None => drawing,
        }
    }
}

/// The game at the moment of the wrong line, which may lie behind what other lanes have told already.
struct Scene<'a> {
    dialect: &'static dyn Dialect,
    names: &'a PerSeat<Option<Vec<u8>>>,
    /// The position before the line; `None` while the handshake has not told how the game starts.
    table: Option<Box<dyn Table>>,
    /// The turn that was begun last, its number from 1, whose it is, and its roll.
    turn: Option<(usize, Seat, Option<crate::rules::Roll>)>,
    /// Index of the event that the line would have reported, if it is a known one.
    happening: Option<usize>,
}

impl<'a> Scene<'a> {
    fn of(model: &'a Model, deviation: &Deviation) -> Scene<'a> {
        let dialect = model.dialect();
        let setup = model.facts().setup;
        let mut scene = Scene {
            dialect,
            names: &model.facts().names,
            table: setup.map(|setup: Setup| dialect.game().table(setup)),
            turn: None,
            happening: None,
        };
        let Some(party) = model.party(deviation.lane) else {
            scene.table = None;
            return scene;
        };
        let greeting = dialect.greeting(party == Party::Spectator).len() as u64;
        if deviation.line_number <= greeting {
            scene.table = None;
            return scene;
        }
        let mut left = deviation.line_number - greeting;
        let mut told = Vec::new();
        for (index, happening) in model.history().iter().enumerate() {
            dialect.tell(happening, party, &mut told);
            let count = told
                .drain(..)
                .filter(|told| told.duty == Duty::Must)
                .count() as u64;
            if count >= left {
                scene.happening = Some(index);
                return scene;
            }
            left -= count;
            scene.pass(happening);
        }
        scene
    }

    fn pass(&mut self, happening: &GameEvent) {
        let Some(table) = self.table.as_deref_mut() else {
            return;
        };
        match *happening {
            GameEvent::Rolled { by, roll, .. } => {
                let number = self.turn.map_or(1, |(number, ..)| number + 1);
                self.turn = Some((number, by, Some(roll)));
                table.take_roll(roll);
            }
            GameEvent::Moved { mv, .. } => table.play(mv).expect("the model has played it"),
            GameEvent::Lost { .. } => {}
        }
    }

    fn player(&self, seat: Seat) -> String {
        player(self.dialect.game(), self.names, seat)
    }

    fn turn(&self) -> Option<String> {
        let (number, seat, roll) = self.turn?;
        let who = self.player(seat);
        Some(match roll {
            Some(roll) => format!(
                "turn {number}, {who}, rolled {}",
                self.dialect.game().format_roll(roll)
            ),
            None => format!("turn {number}, {who}"),
        })
    }

    /// Id of the requirement by which this party is told of a move.
    fn relay_requirement(&self, to: Option<Party>) -> Option<&'static str> {
        let table = self.table.as_deref()?;
        let mv = *table.legal_moves().first()?;
        let mut told = Vec::new();
        self.dialect.tell(
            &GameEvent::Moved {
                by: table.to_move(),
                mv,
                result: None,
            },
            to?,
            &mut told,
        );
        told.first().map(|told| told.requirement)
    }

    /// Lists the valid lines at a player's turn: the legal moves, or the loss.
    fn legal_answer(&self) -> String {
        let Some(table) = self.table.as_deref() else {
            return "a move".to_owned();
        };
        let game = self.dialect.game();
        let moves: Vec<_> = table
            .legal_moves()
            .into_iter()
            .map(|mv: Move| game.format_move(mv))
            .collect();
        let loss = GameEvent::Lost {
            by: table.to_move(),
            cause: Cause::Unseen,
        };
        let mut told = Vec::new();
        self.dialect.tell(&loss, Party::Spectator, &mut told);
        let loss = told
            .first()
            .map(|told| format!(", or `{}`", visible::plain(&told.line)));
        let who = self.player(table.to_move());
        format!(
            "a legal move of {who}: {}{}",
            moves.join(", "),
            loss.unwrap_or_default()
        )
    }
}

fn shown(text: &[u8], ending: LineEnding) -> String {
    let text = visible::plain(text).at_most(SHOWN);
    match ending {
        LineEnding::Newline => format!("`{text}`"),
        LineEnding::Missing => format!("`{text}` without a newline"),
        LineEnding::TooLong => format!("`{text}`, cut off: the line is too long"),
    }
}

fn expected(scene: &Scene<'_>, expected: &Expected) -> String {
    match expected {
        Expected::Line(line) => format!("`{}`", visible::plain(line).at_most(SHOWN)),
        Expected::Kind(kind) => kind.clone(),
        Expected::NothingYet => scene.legal_answer(),
        Expected::NothingMore => "nothing: the game is over".to_owned(),
    }
}

fn title(lanes: &[LoggedLane], scene: &Scene<'_>, place: Place, deviation: &Deviation) -> String {
    let Some((_, ending)) = &deviation.received else {
        return match &deviation.expected {
            Expected::Line(_) => "the lane ends although a line was still due".to_owned(),
            _ => "the lane ends too early".to_owned(),
        };
    };
    match ending {
        LineEnding::Missing => return "the line has no newline".to_owned(),
        LineEnding::TooLong => return "the line is too long to be one of this game".to_owned(),
        LineEnding::Newline => {}
    }
    let is_own = |table: &dyn Table| {
        scene.happening.is_none() && lanes[place.lane].tells_sent && table.phase() == Phase::Move
    };
    match (&deviation.expected, deviation.heard) {
        (Expected::NothingMore, _) => "a line after the end of the game".to_owned(),
        (Expected::Line(_), _) if scene.table.is_none() => {
            "the handshake tells something else".to_owned()
        }
        (Expected::Line(_), _) if lanes.len() > 1 => "the lanes tell different games".to_owned(),
        (Expected::Line(_), _) => "the line is not the one that was due".to_owned(),
        (Expected::NothingYet, Some(RefereeLine::Roll(_))) => {
            "a roll came while a move was due".to_owned()
        }
        (Expected::NothingYet, _) if scene.table.as_deref().is_some_and(is_own) => {
            "the game goes on without the move that was due".to_owned()
        }
        (Expected::NothingYet, _) => "this is no move".to_owned(),
        (Expected::Kind(_), Some(RefereeLine::Move(_))) if scene.table.is_some() => {
            "a move came while a roll was due".to_owned()
        }
        (Expected::Kind(_), Some(RefereeLine::Loss)) if scene.table.is_some() => {
            "a loss was told although no move was due".to_owned()
        }
        (Expected::Kind(_), _)
            if scene
                .table
                .as_deref()
                .is_some_and(|table| table.phase() == Phase::Roll) =>
        {
            "this is no roll".to_owned()
        }
        (Expected::Kind(_), _) => "the line is not of the kind that was due".to_owned(),
    }
}

fn hint(dialect: &dyn Dialect, deviation: &Deviation) -> Option<&'static str> {
    let (text, _) = deviation.received.as_ref()?;
    let line = text.strip_suffix(b"\r")?;
    let would_fit = matches!(&deviation.expected, Expected::Line(due) if due == line);
    (would_fit || dialect.hear(line) != RefereeLine::Other)
        .then_some("the line ends with CR LF; if the file was converted, restore its LF line ends")
}
