use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::super::Status;
use super::super::tally::turns;
use super::{say, say_raw};
use crate::diagnostic::{Paint, visible};
use crate::transcript::{self, FiledGame, LINES_LIMIT, Opened};
use crate::verify::{self, Complaint, Judged, Verdict};

/// How often it is looked whether there is more to judge.
const LOOK: Duration = Duration::from_millis(100);

/// How many times as long as it has last taken to judge all that there was nothing is judged again.
const REST: u32 = 10;

/// A recording that is judged while it grows. All of it is judged each time, in a thread of its own that passes nothing on, so that no
/// line waits for it.
#[derive(Debug)]
pub(super) struct Live {
    path: PathBuf,
    end: Sender<()>,
    watching: JoinHandle<Option<usize>>,
}

impl Live {
    /// Watches a recording.
    pub(super) fn watch(path: PathBuf) -> Live {
        let (end, ended) = channel();
        let watched = path.clone();
        let watching = std::thread::spawn(move || watch(&watched, &ended));
        Live { path, end, watching }
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

    /// Judges the whole of so many lines, once nothing is added to it any more.
    pub(super) fn finish(self, lines: u64) -> Status {
        let path = self.path.clone();
        let name = path.to_string_lossy().into_owned();
        let file = visible::plain(&name).to_string();
        let told = self.stop();
        if lines > LINES_LIMIT as u64 {
            let (status, text) = match told {
                Some(_) => (Status::Deviates, format!("fail {file}")),
                None => (
                    Status::Open,
                    format!(
                        "inconclusive {file}: no game of more than {LINES_LIMIT} lines is judged, and this has {lines}"
                    ),
                ),
            };
            say(&text);
            return status;
        }
        let game = match read(&path) {
            Ok(game) => game,
            Err(text) => {
                say(&format!("{file} cannot be judged: {text}"));
                return Status::Broken;
            }
        };
        let Judged { dialect, names, history, verdict, notes, .. } = verify::judge(&game);
        let (status, text) = match verdict {
            Verdict::Legal(ending) => {
                let status = if history.is_empty() { Status::Open } else { Status::Conforms };
                let word = if history.is_empty() { "inconclusive" } else { "pass" };
                let turns = turns(&history);
                let ending = ending.describe(dialect.game(), &names);
                (status, format!("{word} {file}: {turns} turns: {ending}"))
            }
            Verdict::Wrong(complaint) => {
                if told != Some(complaint.line) {
                    tell(&complaint);
                }
                (Status::Deviates, format!("fail {file}"))
            }
            Verdict::Untold(_) => {
                (Status::Open, format!("inconclusive {file}: its lanes do not tell the game"))
            }
            Verdict::Unruled => (Status::Open, format!("unsupported {file}: {}", verify::unruled(dialect))),
        };
        say(&text);
        notes.iter().for_each(|note| say(&format!("note: {}", visible::plain(note))));
        status
    }
}

/// Tells of the first wrong line as soon as it is seen; its line of the file.
fn watch(path: &Path, ended: &Receiver<()>) -> Option<usize> {
    let (mut length, mut next) = (0, Instant::now());
    while matches!(ended.recv_timeout(LOOK), Err(RecvTimeoutError::Timeout)) {
        let now = std::fs::metadata(path).map_or(length, |data| data.len());
        if now == length || Instant::now() < next {
            continue;
        }
        length = now;
        let began = Instant::now();
        // What cannot be read now is said when the game is over.
        let game = read(path).ok()?;
        if let Verdict::Wrong(complaint) = verify::judge_so_far(&game).verdict {
            tell(&complaint);
            return Some(complaint.line);
        }
        next = Instant::now() + began.elapsed() * REST;
    }
    None
}

fn read(path: &Path) -> Result<FiledGame, String> {
    match transcript::open(path, None) {
        Ok(Opened::Game { game, .. }) => Ok(game),
        Ok(Opened::Streams { .. }) => Err("it is no recording any more".to_owned()),
        Err(faults) => Err(faults.draw(Paint::Plain)),
    }
}

fn tell(complaint: &Complaint) {
    say_raw(&format!("{}\n", complaint.drawing().draw(Paint::Coloured)));
}
