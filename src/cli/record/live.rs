//! Verdicts on a recording during the game, in a thread of their own.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;

use super::super::Status;
use super::remark::{say, say_raw};
use crate::archive::explained_alone;
use crate::diagnostic::{self, Diagnostic, Paint, unreadable, visible};
use crate::finding::Finding;
use crate::protocol::GameEvent;
use crate::report;
use crate::transcript::recording::Reader;
use crate::transcript::{GrowingFile, LINES_LIMIT, LOOK, LoggedGame, TEXT_LIMIT};
use crate::verify::{self, GameVerdict, Judged};

/// The most notes that are told one by one.
const MOST_NOTES: usize = 20;

/// Limits on the judged part of a game: lines, and bytes in these lines.
type Limits = (usize, usize);

/// A recording that is judged while it grows. All of it is judged each time, in a thread of its own that passes nothing on, so that no
/// line waits for it.
#[derive(Debug)]
pub(super) struct Live {
    path: PathBuf,
    limits: Limits,
    end: Sender<()>,
    watching: JoinHandle<Option<usize>>,
}

impl Live {
    /// Watches a recording.
    pub(super) fn watch(path: PathBuf) -> Live {
        Live::within((LINES_LIMIT, TEXT_LIMIT), path)
    }

    fn within(limits: Limits, path: PathBuf) -> Live {
        let (end, ended) = channel();
        let watched = path.clone();
        let watching = std::thread::spawn(move || watch(&watched, limits, &ended));
        Live {
            path,
            limits,
            end,
            watching,
        }
    }

    /// Judges no more, where the recording is not whole; what has been told so far.
    pub(super) fn give_up(self) -> Status {
        self.stop().map_or(Status::Conforms, |_| Status::Deviates)
    }

    /// The line of the file that was told to be wrong.
    fn stop(self) -> Option<usize> {
        // A thread that has seen something wrong has ended already.
        let _ = self.end.send(());
        self.watching.join().unwrap_or_default()
    }

    /// Judges the whole, once nothing is added to it any more; of a game that is too large, its beginning.
    pub(super) fn finish(self) -> Status {
        let (path, limits) = (self.path.clone(), self.limits);
        let name = path.to_string_lossy().into_owned();
        let file = visible::plain(&name).to_string();
        let told = self.stop();
        let (game, is_whole) = match read(&path, limits) {
            Ok(read) => read,
            Err(fault) => {
                say(&format!("{file} cannot be judged: {fault}"));
                return Status::Broken;
            }
        };
        let judged = if is_whole {
            verify::judge(&game)
        } else {
            verify::judge_so_far(&game)
        };
        let Some(judged) = judged else {
            say(&format!("unsupported {file}: {}", verify::UNRULED));
            return Status::Open;
        };
        let notes = judged.notes.clone();
        let (status, text) = verdict_of(judged, &game, is_whole, &file, told);
        say(&text);
        tell_notes(&notes, say);
        status
    }
}

/// The status and the line about a game that was judged. `told`: the line of the file that was told to be wrong.
fn verdict_of(
    judged: Judged,
    game: &LoggedGame,
    is_whole: bool,
    file: &str,
    told: Option<usize>,
) -> (Status, String) {
    let cause = explained_alone(game, &judged).filter(|finding| finding.variants.len() == 1);
    let Judged {
        dialect,
        names,
        history,
        verdict,
        left_off,
        ..
    } = judged;
    match verdict {
        GameVerdict::Legal(_) if !is_whole => {
            let lines: usize = game.lanes.iter().map(|lane| lane.lines.len()).sum();
            let text = format!(
                "inconclusive {file}: its first {lines} lines are as they have to be, and no more of a game are judged"
            );
            (Status::Open, text)
        }
        GameVerdict::Legal(ending) if left_off.is_some() => {
            let (turns, ending) = (
                GameEvent::turns(&history),
                ending.describe(dialect.game(), &names),
            );
            let text = format!(
                "fail {file}: {}; {turns} turns: {ending}",
                left_off.unwrap_or_default()
            );
            (Status::Deviates, text)
        }
        GameVerdict::Legal(ending) => {
            let (status, word) = if history.is_empty() {
                (Status::Open, "inconclusive")
            } else {
                (Status::Conforms, "pass")
            };
            let turns = GameEvent::turns(&history);
            let ending = ending.describe(dialect.game(), &names);
            (status, format!("{word} {file}: {turns} turns: {ending}"))
        }
        GameVerdict::Wrong(complaint) => {
            if told != line_of(&complaint) {
                tell(&complaint);
            }
            // What was told before the end did not have the whole game to rest on.
            let cause = cause.map(|finding| format!(": {}", finding.title));
            (
                Status::Deviates,
                format!("fail {file}{}", cause.unwrap_or_default()),
            )
        }
        GameVerdict::Untold(_) => (
            Status::Open,
            format!("inconclusive {file}: its lanes do not tell the game"),
        ),
    }
}

/// Tells of the first wrong line as soon as it is seen; its line of the file.
fn watch(path: &Path, limits: Limits, ended: &Receiver<()>) -> Option<usize> {
    let mut file = GrowingFile::new(path.to_owned());
    while matches!(ended.recv_timeout(LOOK), Err(RecvTimeoutError::Timeout)) {
        // What cannot be read now is said when the game is over.
        let judged = file.read(|path| {
            let (game, is_whole) = read(path, limits).ok()?;
            Some((verify::judge_so_far(&game)?.verdict, is_whole))
        });
        match judged {
            Some(Some((GameVerdict::Wrong(complaint), _))) => {
                tell(&complaint);
                return line_of(&complaint);
            }
            // What comes now is not judged any more.
            Some(None | Some((_, false))) => return None,
            Some(Some(_)) | None => {}
        }
    }
    None
}

/// Reads as much of the game as is judged; returns true with the game if that is all of it.
fn read(path: &Path, (lines, bytes): Limits) -> Result<(LoggedGame, bool), Diagnostic> {
    let name = path.to_string_lossy();
    let file = diagnostic::open(path).map_err(|error| unreadable(&name, &error))?;
    let mut reader = Reader::new(&name, BufReader::new(file))?;
    LoggedGame::from_start(&name, &mut reader, lines, bytes)
}

/// The first notes, and how many there are beside them: a participant can bring one about with every line.
fn tell_notes(notes: &[String], say: impl Fn(&str)) {
    notes
        .iter()
        .take(MOST_NOTES)
        .for_each(|note| say(&format!("note: {}", visible::plain(note))));
    if let more @ 1.. = notes.len().saturating_sub(MOST_NOTES) {
        say(&format!("note: and {more} more like these"));
    }
}

fn line_of(finding: &Finding) -> Option<usize> {
    finding.in_file.as_ref().map(|place| place.line)
}

fn tell(complaint: &Finding) {
    say_raw(&format!(
        "{}\n",
        report::draw_in_file(complaint).draw(Paint::Coloured)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::PassiveRecorder;
    use crate::games::royalur::CodeColosseum;
    use crate::pack::Protocol;
    use crate::protocol::LaneKind;
    use crate::transcript::Direction;

    /// A game as a spectator sees it, whose first turn is a skipped one.
    const LEGAL: &str = "Ann\nBob\n0 0 0 0\n0 1 1 0\n0\n0 0 0 1\n0\n";

    /// What a spectator receives of a game in which a token leaves the track by more than the exact number.
    const OVERSHOT: &str = "0101 2 0001 0 0100 2 0100 0 1100 5 1011 5 0011 2 1100 5 1010 5 0001 0 0100 1 1101 5 0010 0 1010 4 0111 1 0010 \
        2 1001 4 1101 6 1100 5 0111 4 1001 4 0001 0 0111 1 1010 6 1001 1 0100 1 1011 2 0001 1 1001 1 0111 1 1000 4 \
        1000 3 0101 0 1110 6 0011 1 0110 1 0010 1 1001 2 0010 0 1000 2 0100 0 1000 0 0000 0000 1110 2 0111 0 1110 6 \
        1000 0 0011 6 0011 3 1011 0 0111 1 0100 6 1111 3 0000 0101 1 0110 4 1010 0 0100 3 1000 3 1001 4 1011 2 0111 4 \
        0100 5 1010 3 0110 2 0010 1 0001 3 0001 1 0001 2 1000 0 1101 2 0111 0 0001 3 0101 6 1010 0 1001";

    /// The verdict on a recording of this, of which so many lines or bytes are judged, and whether it was told before the end.
    fn judged(limits: Limits, text: &str) -> (Status, Option<usize>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        let recorder = PassiveRecorder::create(
            &path,
            Protocol::Game(&CodeColosseum),
            &[LaneKind::Spectator],
        )
        .unwrap();
        let lane = recorder.open(LaneKind::Spectator);
        recorder.bytes(lane, Direction::Received, text.as_bytes());
        let told = Live::within(limits, path.clone());
        let (end, ended) = channel();
        // It is looked at once, and then no more: the end does not come.
        let seen = if limits.0 < text.lines().count() {
            watch(&path, limits, &ended)
        } else {
            None
        };
        drop(end);
        (told.finish(), seen)
    }

    #[test]
    fn the_beginning_of_a_game_that_is_too_large_is_judged() {
        let everything = (LEGAL.lines().count(), LEGAL.len());
        assert_eq!(judged(everything, LEGAL).0, Status::Conforms);
        assert_eq!(
            judged((6, 1000), LEGAL),
            (Status::Open, None),
            "by its lines"
        );
        assert_eq!(judged((1000, 10), LEGAL).0, Status::Open, "by its bytes");
        let wrong = LEGAL.replace("0 1 1 0\n0\n", "0 1 1 0\n9\n");
        assert_eq!(
            judged((6, 1000), &wrong),
            (Status::Deviates, Some(7)),
            "line 5, below two of the file's own"
        );
        assert_eq!(
            judged((4, 1000), &wrong),
            (Status::Open, None),
            "it comes after what is judged"
        );
    }

    #[test]
    fn the_verdict_at_the_end_names_the_only_cause() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        let kind = LaneKind::Spectator;
        let recorder = PassiveRecorder::create(&path, Protocol::Game(&CodeColosseum), &[kind]);
        let recorder = recorder.unwrap();
        let spaced = |word: &str| match word.len() {
            4 => format!(
                "{} {} {} {}\n",
                &word[..1],
                &word[1..2],
                &word[2..3],
                &word[3..]
            ),
            _ => format!("{word}\n"),
        };
        let game: String = OVERSHOT.split_whitespace().map(spaced).collect();
        let text = format!("Ann\nBob\n{game}");
        recorder.bytes(recorder.open(kind), Direction::Received, text.as_bytes());
        let (game, is_whole) = read(&path, (LINES_LIMIT, TEXT_LIMIT)).unwrap();
        let judged = verify::judge(&game).unwrap();
        let (status, text) = verdict_of(judged, &game, is_whole, "game.jsonl", None);
        assert_eq!(status, Status::Deviates);
        assert_eq!(
            text,
            "fail game.jsonl: the referee behaves as if a token could leave the track by more than the exact number"
        );
    }

    #[test]
    fn a_host_of_notes_is_counted() {
        let said = |count: usize| {
            let said = std::cell::RefCell::new(Vec::new());
            let notes: Vec<_> = (1..=count)
                .map(|number| format!("line {number}: ignored"))
                .collect();
            tell_notes(&notes, |text| said.borrow_mut().push(text.to_owned()));
            said.into_inner()
        };
        assert_eq!(said(20).len(), 20);
        assert_eq!(said(1)[0], "note: line 1: ignored");
        assert_eq!(
            said(1000)[19..],
            ["note: line 20: ignored", "note: and 980 more like these"]
        );
    }
}
