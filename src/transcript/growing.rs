//! Files that are read while somebody else writes them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Interval between looks at a file.
pub const LOOK: Duration = Duration::from_millis(100);

/// Pause after a pass, as a multiple of its duration: reading takes a tenth of the time at most.
const REST: u32 = 10;

/// A file that is read as a whole again and again, whenever it has changed.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    /// The length at the last look.
    length: u64,
    next: Instant,
}

impl GrowingFile {
    /// A file that has not been read yet; it need not exist.
    #[must_use]
    pub fn new(path: PathBuf) -> GrowingFile {
        GrowingFile {
            path,
            length: 0,
            next: Instant::now(),
        }
    }

    /// Reads the file if it has changed since the last time. A change that comes during the pause after a pass is seen after the pause.
    pub fn read<T>(&mut self, read: impl FnOnce(&Path) -> T) -> Option<T> {
        let length = std::fs::metadata(&self.path).ok()?.len();
        if length == self.length || Instant::now() < self.next {
            return None;
        }
        self.length = length;
        let began = Instant::now();
        let result = read(&self.path);
        self.next = Instant::now() + began.elapsed() * REST;
        Some(result)
    }
}
