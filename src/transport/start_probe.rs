//! How late processes start on this machine, measured again and again.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::supervisor::{ARGUMENT, PROBE};
use crate::platform::end_with_thread;

/// A start takes a few milliseconds on an idle machine: what it takes beyond this is lag.
const USUAL: Duration = Duration::from_millis(20);

/// The pause after a start that was not late. After one that was late, the next one follows at once.
const PAUSE: Duration = Duration::from_millis(200);

/// Starts a tiny process again and again, from when it is first asked until it is dropped, and measures each from fork to its first byte. On
/// Linux, none of them outlives this process.
#[derive(Debug, Clone, Default)]
pub struct StartProbe {
    /// The program of urtext; `None`: nothing is measured.
    program: Option<PathBuf>,
    measured: Arc<Mutex<Measured>>,
}

#[derive(Debug, Default)]
struct Measured {
    has_begun: bool,
    /// The total time by which all starts were late that are over.
    late: Duration,
    /// Begin of the start that is under way.
    since: Option<Instant>,
}

impl StartProbe {
    /// A probe that starts this program, which is urtext.
    #[must_use]
    pub fn new(program: Option<PathBuf>) -> StartProbe {
        StartProbe {
            program,
            measured: Arc::default(),
        }
    }

    /// Returns the total time by which starts were late so far, the one under way included.
    #[must_use]
    pub fn late(&self) -> Duration {
        let mut measured = locked(&self.measured);
        if let Some(program) = &self.program
            && !std::mem::replace(&mut measured.has_begun, true)
        {
            let (program, shared) = (program.clone(), Arc::downgrade(&self.measured));
            // Without a thread nothing is measured.
            let thread = std::thread::Builder::new().name("start probe".to_owned());
            drop(thread.spawn(move || {
                while let Some(measured) = shared.upgrade() {
                    let is_late = measure(&program, &measured);
                    drop(measured);
                    if !is_late {
                        std::thread::sleep(PAUSE);
                    }
                }
            }));
        }
        let under_way = measured.since.map_or(Duration::ZERO, lateness);
        measured.late + under_way
    }
}

/// Measures one start. Returns true if it was late.
fn measure(program: &Path, measured: &Mutex<Measured>) -> bool {
    let began = Instant::now();
    locked(measured).since = Some(began);
    let mut command = Command::new(program);
    command
        .args([ARGUMENT, PROBE])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    end_with_thread(&mut command);
    let child = command.spawn();
    let late = child.map_or(Duration::ZERO, |mut child| {
        if let Some(output) = &mut child.stdout {
            drop(output.read(&mut [0]));
        }
        let late = lateness(began);
        drop(child.wait());
        late
    });
    let mut measured = locked(measured);
    measured.since = None;
    measured.late += late;
    !late.is_zero()
}

fn lateness(began: Instant) -> Duration {
    began.elapsed().saturating_sub(USUAL)
}

fn locked(measured: &Mutex<Measured>) -> MutexGuard<'_, Measured> {
    measured.lock().unwrap_or_else(PoisonError::into_inner)
}
