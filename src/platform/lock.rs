//! Folders that one program writes to at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

/// A folder that is locked until this is dropped or the program ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    /// `None` where the file system has no locks.
    folder: Option<File>,
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A child that is being started holds the folder open as well, until it runs its own program.
        if let Some(folder) = &self.folder {
            drop(folder.unlock());
        }
    }
}

/// Locks a folder. One that cannot be opened or locked at all is not locked.
///
/// Returns `None` if another program has locked it.
#[must_use]
pub fn lock_folder(folder: &Path) -> Option<FolderLock> {
    let folder = File::open(folder).ok();
    match folder.as_ref().map(File::try_lock) {
        Some(Err(TryLockError::WouldBlock)) => None,
        Some(Ok(())) => Some(FolderLock { folder }),
        Some(Err(TryLockError::Error(_))) | None => Some(FolderLock { folder: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_until_the_lock_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let lock = lock_folder(folder.path()).unwrap();
        assert!(lock_folder(folder.path()).is_none());
        drop(lock);
        assert!(lock_folder(folder.path()).is_some());
        assert!(lock_folder(&folder.path().join("missing")).is_some());
    }
}
