//! Folders that one program writes to at a time.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::SystemTime;

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

/// The program that has locked a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockHolder {
    /// Its process id.
    pub pid: i32,
    /// The time at which it was started, to a second.
    pub since: SystemTime,
}

/// Locks a folder. One that cannot be opened or locked at all is not locked.
///
/// # Errors
/// Another program has locked it; `None` where the system does not show which one.
pub fn lock_folder(folder: &Path) -> Result<FolderLock, Option<LockHolder>> {
    let Ok(folder) = File::open(folder) else {
        return Ok(FolderLock { folder: None });
    };
    match folder.try_lock() {
        Err(TryLockError::WouldBlock) => Err(holder(&folder)),
        Err(TryLockError::Error(_)) => Ok(FolderLock { folder: None }),
        Ok(()) => Ok(FolderLock {
            folder: Some(folder),
        }),
    }
}

#[cfg(target_os = "linux")]
fn holder(folder: &File) -> Option<LockHolder> {
    use std::os::unix::fs::MetadataExt;
    use std::time::Duration;

    let inode = folder.metadata().ok()?.ino();
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    // `1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE 0 EOF`; the device is another one on some file systems.
    let pid = locks.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, _, pid, file, ..] = fields[..] else {
            return None;
        };
        let is_same = file.rsplit(':').next()?.parse() == Ok(inode);
        is_same.then(|| pid.parse::<i32>().ok())?
    })?;
    let process = procfs::process::Process::new(pid).ok()?;
    let ticks = process.stat().ok()?.starttime;
    let after_boot = Duration::from_secs(ticks / procfs::ticks_per_second());
    let booted = Duration::from_secs(procfs::boot_time_secs().ok()?);
    Some(LockHolder {
        pid,
        since: SystemTime::UNIX_EPOCH + booted + after_boot,
    })
}

#[cfg(not(target_os = "linux"))]
fn holder(_: &File) -> Option<LockHolder> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_until_the_lock_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let lock = lock_folder(folder.path()).unwrap();
        let holder = lock_folder(folder.path()).unwrap_err();
        if cfg!(target_os = "linux") {
            let holder = holder.expect("the system shows it");
            assert_eq!(holder.pid, std::process::id().cast_signed());
            assert!(holder.since <= SystemTime::now(), "{holder:?}");
        }
        drop(lock);
        assert!(lock_folder(folder.path()).is_ok());
        assert!(lock_folder(&folder.path().join("missing")).is_ok());
    }
}
