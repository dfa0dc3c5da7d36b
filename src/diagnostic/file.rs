//! Opening files: what is read as a file is a regular file, and is opened without waiting for anybody.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::visible::plain;
use super::{Diagnostic, Source, Span};
use crate::platform::{open_at_once, special_kind};

/// Error for a path that is not a regular file, such as a named pipe.
#[derive(Debug, thiserror::Error)]
#[error("this is {0}, and a file is due here")]
struct NoFile(&'static str);

/// Opens a regular file for reading. A descriptor that this program was started with (`/dev/stdin`, `/dev/fd/63`) is what its user
/// has connected to it and is opened whatever it is, as standard input is.
///
/// # Errors
/// Fails if the file cannot be opened, or if the path is a folder, a named pipe, a socket or a device. These are not
/// opened: opening a named pipe can block, and opening a device can have effects. [`unreadable`] describes the error.
pub fn open(path: &Path) -> io::Result<File> {
    if is_descriptor(path) {
        return File::open(path);
    }
    assert_regular(&path.metadata()?)?;
    // It may be another one by now.
    let file = open_at_once(path)?;
    assert_regular(&file.metadata()?)?;
    Ok(file)
}

fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd", "/dev/stdin"]
        .iter()
        .any(|known| path.starts_with(known))
}

fn assert_regular(data: &Metadata) -> io::Result<()> {
    let kind = data.file_type();
    let what = match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        () => special_kind(kind),
    };
    Err(io::Error::new(ErrorKind::InvalidInput, NoFile(what)))
}

/// Returns true if a file holds exactly these bytes. No more than that is read.
#[must_use]
pub fn holds(path: &Path, bytes: &[u8]) -> bool {
    let mut known = Vec::new();
    let read =
        open(path).and_then(|file| file.take(bytes.len() as u64 + 1).read_to_end(&mut known));
    read.is_ok() && known == bytes
}

impl Source {
    /// Reads a file of at most `limit` bytes, and never more than one byte beyond that.
    ///
    /// # Errors
    /// A diagnostic that names the file, and nothing else to point at: those of [`unreadable`], or it is larger than `limit`
    /// (`file/too-large`).
    pub fn read(path: &Path, limit: u64) -> Result<Source, Diagnostic> {
        let name = path.to_string_lossy();
        let file = open(path).map_err(|error| unreadable(&name, &error))?;
        Ok(Source::read_from(&name, file, limit)?.of_file())
    }

    /// Reads at most `limit` bytes, and never more than one byte beyond that.
    ///
    /// # Errors
    /// Those of [`Source::read`].
    pub fn read_from(name: &str, input: impl Read, limit: u64) -> Result<Source, Diagnostic> {
        let mut bytes = Vec::new();
        let read = input.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(name, &error))?;
        if bytes.len() as u64 > limit {
            let title = format!("the file is larger than {limit} bytes, the most that is read");
            let fault = Diagnostic::error("file/too-large", title).in_file(name);
            return Err(fault.help("split it into several files"));
        }
        Ok(Source::from_bytes(name, bytes))
    }

    /// The whole as text, a byte-order mark included.
    ///
    /// # Errors
    /// `file/not-utf8` at the first byte that is no part of a UTF-8 character.
    pub fn utf8(&self) -> Result<&str, Diagnostic> {
        if let Some(text) = self.text() {
            return Ok(text);
        }
        let bytes = self.bytes();
        str::from_utf8(bytes).map_err(|error| {
            let start = error.valid_up_to();
            let span = Span::new(
                start,
                start + error.error_len().unwrap_or(bytes.len() - start),
            );
            let label = format!("{} begins no UTF-8 character", plain(self.slice(span)));
            Diagnostic::error("file/not-utf8", "the file is not UTF-8 text")
                .at(self, span, label)
                .help("save the file as UTF-8")
        })
    }
}

/// The fault of a file that cannot be opened or read: it does not exist (`file/missing`), is a folder (`file/folder`) or something else that
/// is no file (`file/special`), or cannot be read (`file/unreadable`).
#[must_use]
pub fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    let fault = |code, title: &str| Diagnostic::error(code, title).in_file(name);
    match error.kind() {
        ErrorKind::NotFound => fault("file/missing", "there is no such file")
            .help("check the spelling; a path is taken from the folder you are in"),
        ErrorKind::IsADirectory => fault("file/folder", "this is a folder, and a file is due here"),
        _ if error.get_ref().is_some_and(|inner| inner.is::<NoFile>()) => {
            fault("file/special", &error.to_string())
                .help("write what it holds into a file, and name that")
        }
        _ => fault(
            "file/unreadable",
            &format!("the file cannot be read: {error}"),
        ),
    }
}

/// Describes a line that is not JSON, with the position of the error in bytes, from 1.
#[must_use]
pub fn json_fault(error: &serde_json::Error) -> (String, usize) {
    let text = error.to_string();
    // Each line is read by itself, so the library's own line number would mislead.
    let what = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(what, _)| what);
    (what.to_owned(), error.column().max(1))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use std::{fs, thread};

    use nix::sys::stat::Mode;
    use nix::unistd::{mkfifo, pipe};

    use super::*;

    fn said(path: &Path) -> String {
        unreadable("x", &open(path).unwrap_err()).to_string()
    }

    #[test]
    fn opens_regular_files_and_says_what_anything_else_is_without_waiting_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        for name in ["file", "link"] {
            let mut text = String::new();
            open(&at(name)).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "text");
        }
        // Nobody writes into it: who opened it as a file would wait for ever.
        mkfifo(&at("fifo"), Mode::S_IRWXU).unwrap();
        std::os::unix::fs::symlink(at("fifo"), at("link-to-fifo")).unwrap();
        let _door = UnixListener::bind(at("socket")).unwrap();
        let due = |code: &str, what: &str| {
            format!("error[file/{code}]: this is {what}, and a file is due here")
        };
        let missing = "error[file/missing]: there is no such file".to_owned();
        for (path, what) in [
            (at("fifo"), due("special", "a named pipe")),
            (at("link-to-fifo"), due("special", "a named pipe")),
            (at("socket"), due("special", "a socket")),
            (PathBuf::from("/dev/zero"), due("special", "a device")),
            (folder.path().to_owned(), due("folder", "a folder")),
            (at("none"), missing),
        ] {
            assert!(said(&path).ends_with(&what), "{path:?}: {}", said(&path));
        }
    }

    #[test]
    fn a_descriptor_of_this_program_is_read_as_standard_input_is() {
        let (ours, theirs) = pipe().unwrap();
        let writing = thread::spawn(move || File::from(theirs).write_all(b"piped").unwrap());
        let mut text = String::new();
        let path = PathBuf::from(format!("/dev/fd/{}", ours.as_raw_fd()));
        open(&path).unwrap().read_to_string(&mut text).unwrap();
        writing.join().unwrap();
        assert_eq!(text, "piped");
    }

    #[test]
    fn a_file_holds_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "text").unwrap();
        assert!(holds(&path, b"text"));
        assert!(
            !holds(&path, b"tex") && !holds(&path, b"text and more") && !holds(folder.path(), b"")
        );
    }
}
