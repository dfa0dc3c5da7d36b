//! Kinds, permissions and names of files.

use std::fs::{File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use nix::libc::{O_NOCTTY, O_NONBLOCK};
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
