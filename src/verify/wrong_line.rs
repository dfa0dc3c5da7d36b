//! Findings about the first wrong line of a finished game, and their wording.

use super::ending::player;
use crate::diagnostic::visible;
use crate::finding::{FileLine, Finding, LaneText, LaneView, Remark, Verdict};
use crate::protocol::{
    Cause, Deviation, Dialect, Duty, Expected, GameEvent, LineEnding, Model, Party, RefereeLine,
};
use crate::rules::{Move, PerSeat, Phase, Seat, Table};
use crate::transcript::{LoggedLane, compare};

/// The most bytes of a line that are shown.
const SHOWN: usize = 120;

/// A line of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) lane: usize,
    /// The line of its file.
    pub(super) number: usize,
}

/// The finding about the first wrong line of a game. Every text in it is fit to show.
pub(super) fn finding(
    lanes: &[LoggedLane],
    model: &Model,
    told_by: &[Place],
    place: Place,
    deviation: &Deviation,
) -> Finding {
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
    let other = other.map(|told| format!("{}:{}", lanes[told.lane].name, told.number));
    let board = scene.table.as_deref().filter(|_| scene.turn.is_some());
    Finding {
        requirement: Some(requirement),
        lanes: vec![LaneView {
            lane: lanes[place.lane].name.clone(),
            line_number: place.number as u64,
            expected: LaneText::Words(expected),
            received: received.map_or(LaneText::Nothing, LaneText::Words),
            agrees: false,
        }],
        in_file: Some(FileLine {
            file: lanes[place.lane].name.clone(),
            line: place.number,
        }),
        remarks: remarks([
            ("difference", marked),
            ("told by", other),
            ("where", scene.turn()),
        ]),
        board: board.map(|table| (Finding::BEFORE_LINE.to_owned(), table.draw())),
        notes: hint(scene.dialect, deviation)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        ..Finding::new(Verdict::Fail, title)
    }
}

/// Remarks with a word before each, as far as there are any.
pub(crate) fn remarks<const N: usize>(remarks: [(&'static str, Option<String>); N]) -> Vec<Remark> {
    let with_word = |(word, text): (&'static str, Option<String>)| {
        let word = Some(word);
        text.map(|text| Remark { word, text })
    };
    remarks.into_iter().filter_map(with_word).collect()
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
        let mut scene = Scene {
            dialect,
            names: &model.facts().names,
            table: model.first_table(),
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
