//! Kinds, permissions and names of files, how many may be open, and folders that one program writes to at a time.

use std::fs::{File, FileType, Metadata, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use nix::libc::{O_NOCTTY, O_NONBLOCK};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::{AccessFlags, access};

/// Opens a file for reading without waiting for anybody, whatever it is.
///
/// # Errors
/// Fails if the file cannot be opened.
pub fn open_at_once(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .custom_flags(O_NONBLOCK | O_NOCTTY)
        .open(path)
}

/// What a file is that is neither a regular one nor a folder, in words.
#[must_use]
pub fn special_kind(kind: FileType) -> &'static str {
    match () {
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

/// Two files with the same numbers are the same file.
#[must_use]
pub fn file_identity(data: &Metadata) -> (u64, u64) {
    (data.dev(), data.ino())
}

/// Returns the error that the system would report on starting this file, if any.
#[must_use]
pub fn not_executable(path: &Path) -> Option<io::Error> {
    match access(path, AccessFlags::X_OK) {
        Ok(()) if path.is_dir() => Some(nix::Error::EACCES.into()),
        Ok(()) => None,
        Err(error) => Some(error.into()),
    }
}

/// The error of a file that does not exist.
#[must_use]
pub fn no_such_file() -> io::Error {
    nix::Error::ENOENT.into()
}

/// The permissions of a folder that is nobody else's.
#[must_use]
pub fn only_owner() -> Permissions {
    Permissions::from_mode(0o700)
}

/// The limit of open files before it was raised.
static BEFORE: OnceLock<u64> = OnceLock::new();

/// Sees to it that this process may have so many files open, as far as it is allowed to, and returns how many it may have.
///
/// # Errors
/// Fails if the limit is not known or cannot be raised.
pub fn make_room_for_files(files: u64) -> io::Result<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let wanted = files.min(hard);
    if soft >= wanted {
        return Ok(soft);
    }
    BEFORE.get_or_init(|| soft);
    setrlimit(Resource::RLIMIT_NOFILE, wanted, hard)?;
    Ok(wanted)
}

/// The limit of open files as it was before it was raised; `None` where it was not. Programs that wait by `select` break where descriptors get
/// larger than they were made for, so that subjects are given this one.
#[must_use]
pub fn open_files_before() -> Option<u64> {
    BEFORE.get().copied()
}

/// Gives this process and what it starts this limit of open files, and leaves how far it may raise it again.
///
/// # Errors
/// Fails if the system refuses.
pub fn restore_open_files(soft: u64) -> io::Result<()> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    Ok(setrlimit(Resource::RLIMIT_NOFILE, soft.min(hard), hard)?)
}

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

/// Returns the path from the root of the repository; outside one, the path as it is.
#[must_use]
pub fn in_repository(file: &Path) -> PathBuf {
    let Ok(whole) = file.canonicalize() else {
        return file
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
    };
    // A worktree and a submodule have a file of that name.
    let root = whole
        .ancestors()
        .find(|folder| folder.join(".git").exists());
    root.and_then(|root| whole.strip_prefix(root).ok())
        .map_or_else(|| file.to_owned(), Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_as_much_room_as_is_allowed_and_takes_none_away() {
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        assert_eq!(make_room_for_files(u64::MAX).unwrap(), hard);
        assert_eq!(make_room_for_files(1).unwrap(), hard);
        assert_eq!(getrlimit(Resource::RLIMIT_NOFILE).unwrap(), (hard, hard));
        assert!(open_files_before().is_none_or(|before| before < hard));
    }

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
