//! How late processes start on this machine, measured again and again.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::supervisor::{ARGUMENT, PROBE};
use crate::platform::end_with_thread;

/// A start takes a few milliseconds on an idle machine: what it takes beyond this is lag.
const USUAL: Duration = Duration::from_millis(20);

/// The pause after a start that was not late. After one that was late, the next one follows at once.
const PAUSE: Duration = Duration::from_millis(200);

/// Starts a tiny process again and again, from when it is first asked until its last clone is dropped, and measures each from fork to its first
/// byte. None of them outlives the probe; on Linux, none outlives this process either, however that ends.
#[derive(Debug, Clone)]
pub struct StartProbe(Arc<Starts>);

/// The starts of a probe, which end with it.
#[derive(Debug)]
struct Starts {
    /// The program of urtext; `None`: nothing is measured.
    program: Option<PathBuf>,
    shared: Arc<Shared>,
}

/// Data shared with the thread that measures.
#[derive(Debug, Default)]
struct Shared {
    measured: Mutex<Measured>,
    under_way: Mutex<UnderWay>,
}

#[derive(Debug, Default)]
struct Measured {
    has_begun: bool,
    /// The total time by which all starts were late that are over.
    late: Duration,
    /// Begin of the start that is under way.
    since: Option<Instant>,
}

/// The process that is measured.
#[derive(Debug, Default)]
struct UnderWay {
    child: Option<Child>,
    /// True once nothing more is to be started.
    is_over: bool,
}

impl Default for StartProbe {
    fn default() -> StartProbe {
        StartProbe::new(None)
    }
}

impl Drop for Starts {
    fn drop(&mut self) {
        let mut under_way = locked(&self.shared.under_way);
        under_way.is_over = true;
        if let Some(mut child) = under_way.child.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

impl StartProbe {
    /// A probe that starts this program, which is urtext.
    #[must_use]
    pub fn new(program: Option<PathBuf>) -> StartProbe {
        StartProbe(Arc::new(Starts {
            program,
            shared: Arc::default(),
        }))
    }

    /// Returns the total time by which starts were late so far, the one under way included.
    #[must_use]
    pub fn late(&self) -> Duration {
        let Starts { program, shared } = &*self.0;
        let mut measured = locked(&shared.measured);
        if let Some(program) = program
            && !std::mem::replace(&mut measured.has_begun, true)
        {
            let (program, shared) = (program.clone(), Arc::clone(shared));
            // Without a thread nothing is measured.
            let thread = std::thread::Builder::new().name("start probe".to_owned());
            drop(thread.spawn(move || {
                while let Some(late) = shared.measure(&program) {
                    if late.is_zero() {
                        std::thread::sleep(PAUSE);
                    }
                }
            }));
        }
        let under_way = measured.since.map_or(Duration::ZERO, lateness);
        measured.late + under_way
    }
}

impl Shared {
    /// Measures by how much one start is late; `None` once nothing more is to be started.
    fn measure(&self, program: &Path) -> Option<Duration> {
        let began = Instant::now();
        locked(&self.measured).since = Some(began);
        let late = self.start(program)?.map_or(Duration::ZERO, |mut output| {
            drop(output.read(&mut [0]));
            lateness(began)
        });
        // The lock is held until it has ended, so that the end of the probe waits for that.
        let mut under_way = locked(&self.under_way);
        if let Some(mut child) = under_way.child.take() {
            drop(child.wait());
        }
        drop(under_way);
        let mut measured = locked(&self.measured);
        measured.since = None;
        measured.late += late;
        Some(late)
    }

    /// Starts a process, and returns its output, where it can be started; `None` once nothing more is to be started.
    fn start(&self, program: &Path) -> Option<Option<ChildStdout>> {
        let mut command = Command::new(program);
        command
            .args([ARGUMENT, PROBE])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        end_with_thread(&mut command);
        let mut under_way = locked(&self.under_way);
        if under_way.is_over {
            return None;
        }
        under_way.child = command.spawn().ok();
        Some(
            under_way
                .child
                .as_mut()
                .and_then(|child| child.stdout.take()),
        )
    }
}

fn lateness(began: Instant) -> Duration {
    began.elapsed().saturating_sub(USUAL)
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
