//! The built-in referee beside a real one: it conducts nothing, understands every line, and says where it would not have written it.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep_until};

use crate::cli::output::print;
use crate::cli::{Status, spectator};
use crate::diagnostic::{Drawing, Paint, Tone, visible};
use crate::event::Frames;
use crate::pack::Protocol;
use crate::protocol::{Dialect, LaneKind};
use crate::replay::{PrintedParts, Replay};
use crate::report;
use crate::transcript::bare::{self, BareGame};
use crate::transcript::{self, LoggedGame};
use crate::transport::WireReader;
use crate::transport::coco::Notices;
use crate::verify::{self, Ending, GameVerdict};

/// Longest time that a lane may stay open after the end of its game.
const LINGER: Duration = Duration::from_secs(5);

/// Pause before the next pass, as a multiple of the last pass's duration.
const REST: u32 = 10;

/// Lines that a spectator has received so far, and the number of them already reported.
struct Watched<'a> {
    dialect: &'static dyn Dialect,
    address: &'a str,
    text: Vec<u8>,
    /// Number of frames already printed.
    printed: usize,
}

/// Watches the game there to its end, or to the first line that is wrong.
pub(super) async fn watch(dialect: &'static dyn Dialect, address: &str) -> Status {
    let notices = Notices::default();
    let mut wire = match spectator::enter("referee", address, &notices).await {
        Ok(wire) => wire,
        Err(status) => return status,
    };
    say(&format!("watching {}", visible::plain(address)));
    let mut watched = Watched {
        dialect,
        address,
        text: Vec::new(),
        printed: 0,
    };
    let broke_off = match watched.receive(&mut wire.reader).await {
        Ok(broke_off) => broke_off,
        Err(status) => return status,
    };
    let verdict = match watched.text.is_empty() {
        true => Some(GameVerdict::Legal(Ending::Unstarted)),
        false => watched.tell_to_the_end(),
    };
    Frames::oddities(&notices.frames())
        .iter()
        .for_each(|oddity| say(oddity));
    match verdict {
        Some(GameVerdict::Legal(ending)) if ending.is_complete() && broke_off.is_none() => {
            Status::Conforms
        }
        Some(GameVerdict::Legal(ending)) => {
            let is_server = !notices.take().is_empty();
            broke_off.iter().for_each(|reason| say(reason));
            match ending {
                _ if is_server => Status::Broken,
                Ending::Over(_) | Ending::Lost { .. } => Status::Conforms,
                Ending::Unstarted => {
                    say("inconclusive: the lane ended before the first turn");
                    Status::Open
                }
                Ending::Incomplete(_) => {
                    let title = "the lane ended before the game did";
                    tell(&Drawing::new("fail", Tone::Bad, title).file(address))
                }
            }
        }
        Some(GameVerdict::Wrong(complaint)) => tell(&report::draw_in_file(&complaint)),
        Some(GameVerdict::Untold(_)) | None => {
            say("inconclusive: the lane does not tell the game");
            Status::Open
        }
    }
}

impl Watched<'_> {
    /// Prints the turns as they come, until the lane closes; returns the reason why it broke off.
    ///
    /// # Errors
    /// The status to exit with at once: a line is wrong, or the game is too large.
    async fn receive(&mut self, reader: &mut WireReader) -> Result<Option<String>, Status> {
        let mut buffer = vec![0; 64 * 1024];
        let (mut is_behind, mut next, mut end) = (false, Instant::now(), None);
        loop {
            tokio::select! {
                biased;
                read = reader.read(&mut buffer) => match read {
                    Ok(0) => return Ok(None),
                    Ok(count) => {
                        self.text.extend_from_slice(&buffer[..count]);
                        is_behind = true;
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Ok(Some(error.to_string())),
                },
                () = sleep_until(next), if is_behind => {}
                () = sleep_until(end.unwrap_or(next)), if end.is_some() => {
                    let seconds = LINGER.as_secs();
                    say(&format!("the lane is still open {seconds} s after the end of the game"));
                    return Ok(None);
                }
            }
            if self.text.len() > bare::GAME_LIMIT {
                let fault = transcript::too_large(self.address, 1);
                anstream::eprintln!("{}", fault.draw(Paint::Coloured));
                return Err(Status::Broken);
            }
            if is_behind && Instant::now() >= next {
                let began = Instant::now();
                match self.tell_so_far() {
                    Some(GameVerdict::Wrong(complaint)) => {
                        return Err(tell(&report::draw_in_file(&complaint)));
                    }
                    Some(GameVerdict::Legal(ending)) if ending.is_complete() => {
                        end = end.or(Some(began + LINGER));
                    }
                    _ => {}
                }
                (is_behind, next) = (false, Instant::now() + began.elapsed() * REST);
            }
        }
    }

    /// Prints the turns that are over and have not been printed yet.
    fn tell_so_far(&mut self) -> Option<GameVerdict> {
        let whole = self
            .text
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let replay = Replay::new(verify::judge_so_far(&self.game(whole))?);
        let is_wrong = matches!(replay.verdict(), GameVerdict::Wrong(_));
        self.print(&replay, is_wrong);
        Some(replay.verdict().clone())
    }

    /// Prints the rest, and how the game ended.
    fn tell_to_the_end(&mut self) -> Option<GameVerdict> {
        let judged = verify::judge(&self.game(self.text.len()))?;
        judged
            .notes
            .iter()
            .for_each(|note| say(&format!("note: {}", visible::plain(note))));
        let replay = Replay::new(judged);
        self.print(&replay, true);
        Some(replay.verdict().clone())
    }

    fn print(&mut self, replay: &Replay, is_over: bool) {
        if replay.last() > 0 || is_over {
            let text = replay.print_from(&mut self.printed, PrintedParts::default(), is_over);
            if !text.is_empty() {
                print(text.trim_end_matches('\n'));
            }
        }
    }

    /// The first bytes of what was received, as a spectator's lane.
    fn game(&self, length: usize) -> LoggedGame {
        let game = BareGame {
            first_line: 1,
            text: &self.text[..length],
            is_too_large: false,
        };
        let mut lane = bare::lane(self.address, game, self.dialect, false);
        // Whatever it looks like, it is known whose lane it is, and that it was not cut off in the writing.
        (lane.kind, lane.seat, lane.is_capture) = (LaneKind::Spectator, None, false);
        LoggedGame::new(Protocol::Game(self.dialect), vec![lane])
    }
}

fn tell(finding: &Drawing) -> Status {
    anstream::eprintln!("\n{}", finding.draw(Paint::Coloured));
    Status::Deviates
}

/// Says something beside the game.
fn say(text: &str) {
    anstream::eprintln!("urtext referee: {text}");
}
