//! Findings about the first wrong line of a finished game, and their wording.

use super::ending::player;
use crate::diagnostic::visible;
use crate::finding::{FileLine, Finding, LaneText, LaneView, Remark, Verdict};
use crate::judge::deviation_kind;
use crate::protocol::{
    Cause, Deviation, Dialect, DueLine, Expected, GameEvent, Line, LineEnding, Model, OwedLine,
    Party, RefereeLine,
};
use crate::rules::{PerSeat, Phase, Roll, Seat, Table};
use crate::transcript::{LaneTranscript, compare};

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
    lanes: &[LaneTranscript],
    model: &Model,
    told_by: &[Place],
    place: Place,
    deviation: &Deviation,
) -> Finding {
    let scene = Scene::of(model, deviation);
    let game = scene.dialect.game();
    let party = model.party(place.lane);
    let lane = match party {
        Some(Party::Player(seat)) => game.seat_name(seat),
        Some(Party::Spectator) => "the spectator",
        None => "the lane",
    };
    let mut kind = deviation_kind(deviation, lane.to_owned());
    let mut requirement = deviation.requirement;
    let expected = expected(&scene, &deviation.expected);
    let is_unexpected = deviation.expected == Expected::NothingYet;
    let mut remarks = Vec::new();
    let mut remark = |word, text: Option<String>| {
        let word = Some(word);
        remarks.extend(text.map(|text| Remark { word, text }));
    };
    if let Some(table) = scene.table.as_deref().filter(|_| is_unexpected) {
        let is_whole = matches!(deviation.received, Some((_, LineEnding::Newline)));
        match deviation.heard {
            Some(RefereeLine::Move(mv)) => {
                if let Err(refusal) = table.check(mv) {
                    let mv = game.format_move(mv);
                    requirement = refusal.requirement;
                    kind = format!("move {mv} is not legal: {}", refusal.reason).into();
                }
            }
            Some(RefereeLine::Other) if is_whole && table.phase() == Phase::Move => {
                requirement = scene.relay_requirement(party).unwrap_or(requirement);
            }
            _ => {}
        }
    }
    let mut received = LaneText::Nothing;
    if let Some((text, ending)) = &deviation.received {
        received = LaneText::Words(shown(text, *ending));
        if let Expected::Line(due) = &deviation.expected
            && text.len() > 1
            && due.len() > 1
        {
            let (text, ending) = (text.clone(), *ending);
            let marked = compare::inline(&Line::new(due.clone()), &Line { text, ending });
            remark("difference", Some(marked.to_string()));
        }
    }
    if let (Expected::Line(_), Some(DueLine::Event(number, ..))) =
        (&deviation.expected, deviation.due)
    {
        let other = told_by.get(number).filter(|told| told.lane != place.lane);
        let place = other.map(|told| format!("{}:{}", lanes[told.lane].file, told.number));
        remark("told by", place);
    }
    remark("where", scene.turn());
    let board = scene.table.as_deref().filter(|_| scene.turn.is_some());
    let finding = Finding {
        requirement: Some(requirement),
        board: board.map(|table| (Finding::BEFORE_LINE.to_owned(), table.draw())),
        notes: hint(scene.dialect, deviation)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        remarks,
        ..Finding::new(Verdict::Fail, kind)
    };
    let file = &lanes[place.lane].file;
    at_line(finding, file, place.number, expected, received)
}

/// A finding about a line of a file: what was expected and received there.
pub(crate) fn at_line(
    finding: Finding,
    file: &str,
    line: usize,
    expected: String,
    received: LaneText,
) -> Finding {
    Finding {
        lanes: vec![LaneView {
            lane: file.to_owned(),
            line_number: line as u64,
            expected: LaneText::Words(expected),
            received,
            agrees: false,
        }],
        in_file: Some(FileLine {
            file: file.to_owned(),
            line,
        }),
        ..finding
    }
}

/// The game at the moment of the wrong line, which may lie behind what other lanes have told already.
struct Scene<'a> {
    dialect: &'static dyn Dialect,
    names: &'a PerSeat<Option<Vec<u8>>>,
    /// The position before the line; `None` while the handshake has not told how the game starts.
    table: Option<Box<dyn Table>>,
    /// The turn that was begun last, its number from 1, whose it is, and its roll.
    turn: Option<(usize, Seat, Roll)>,
}

impl<'a> Scene<'a> {
    fn of(model: &'a Model, deviation: &Deviation) -> Scene<'a> {
        let dialect = model.dialect();
        let mut scene = Scene {
            dialect,
            names: &model.facts().names,
            table: model.first_table(),
            turn: None,
        };
        let before = match deviation.due {
            Some(DueLine::Handshake) => {
                scene.table = None;
                return scene;
            }
            Some(DueLine::Event(number, ..)) => number,
            Some(DueLine::NextRoll { .. }) | None => model.history().len(),
        };
        model.history()[..before]
            .iter()
            .for_each(|event| scene.pass(event));
        scene
    }

    fn pass(&mut self, event: &GameEvent) {
        let Some(table) = self.table.as_deref_mut() else {
            return;
        };
        if let GameEvent::Rolled { by, roll, .. } = *event {
            let number = self.turn.map_or(1, |(number, ..)| number + 1);
            self.turn = Some((number, by, roll));
        }
        event.play_on(table);
    }

    fn player(&self, seat: Seat) -> String {
        player(self.dialect.game(), self.names, seat)
    }

    fn turn(&self) -> Option<String> {
        let (number, seat, roll) = self.turn?;
        let roll = self.dialect.game().format_roll(roll);
        Some(format!(
            "turn {number}, {}, rolled {roll}",
            self.player(seat)
        ))
    }

    /// The first line by which a party is told of an event, with its requirement.
    fn told(&self, event: &GameEvent, to: Party) -> Option<OwedLine> {
        let mut told = Vec::new();
        self.dialect.tell(event, to, &mut told);
        told.into_iter().next()
    }

    /// Id of the requirement by which this party is told of a move.
    fn relay_requirement(&self, to: Option<Party>) -> Option<&'static str> {
        let table = self.table.as_deref()?;
        let (mv, by) = (*table.legal_moves().first()?, table.to_move());
        let result = None;
        let told = self.told(&GameEvent::Moved { by, mv, result }, to?);
        told.map(|told| told.requirement)
    }

    /// Lists the valid lines at a player's turn: the legal moves, or the loss.
    fn legal_answer(&self) -> String {
        let Some(table) = self.table.as_deref() else {
            return "a move".to_owned();
        };
        let (game, by) = (self.dialect.game(), table.to_move());
        let moves = table.legal_moves().into_iter();
        let moves: Vec<_> = moves.map(|mv| game.format_move(mv)).collect();
        let cause = Cause::Unseen;
        let loss = self.told(&GameEvent::Lost { by, cause }, Party::Spectator);
        let loss = loss.map(|told| format!(", or `{}`", visible::plain(&told.line)));
        let (who, loss) = (self.player(by), loss.unwrap_or_default());
        format!("a legal move of {who}: {}{loss}", moves.join(", "))
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

fn hint(dialect: &dyn Dialect, deviation: &Deviation) -> Option<&'static str> {
    let (text, _) = deviation.received.as_ref()?;
    let line = text.strip_suffix(b"\r")?;
    let would_fit = matches!(&deviation.expected, Expected::Line(due) if due == line);
    (would_fit || dialect.hear(line) != RefereeLine::Other)
        .then_some("the line ends with CR LF; if the file was converted, restore its LF line ends")
}
