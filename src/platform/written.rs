//! Files of names that urtext chooses itself, below a folder. No link is followed: its target may belong to something else.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{OFlag, open, openat};
use nix::sys::stat::{Mode, mkdirat};
use nix::unistd::{UnlinkatFlags, unlinkat};

/// The folder of a file; that of a bare name is `.`.
#[must_use]
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the names for a file that replaces no other: `game.jsonl`, `game-2.jsonl`, `game-3.jsonl`, …
pub fn numbered(path: &Path) -> impl Iterator<Item = PathBuf> {
    (1..).map(|number: u32| {
        if number == 1 {
            return path.to_owned();
        }
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{number}"));
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        path.with_file_name(name)
    })
}

/// Begins a new file below a folder, with the folders on the way. A file or link of that name is replaced.
///
/// # Errors
/// Fails if the file cannot be created, or a part of the path is a link or is no folder.
pub fn create_below(folder: &Path, name: &Path) -> io::Result<File> {
    match std::fs::create_dir_all(folder) {
        // A file stands there: opening it as a folder says so.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let (parent, name) = parent_below(folder, name, Missing::Make)?;
    match unlinkat(&parent, name, UnlinkatFlags::NoRemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => {}
        Err(error) => return Err(error.into()),
    }
    let flags =
        OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    Ok(openat(&parent, name, flags, Mode::from_bits_truncate(0o666))?.into())
}

/// Removes a file below a folder.
///
/// # Errors
/// Fails if the file cannot be removed, or a part of the path is a link.
pub fn remove_below(folder: &Path, name: &Path) -> io::Result<()> {
    let (parent, name) = parent_below(folder, name, Missing::Refuse)?;
    Ok(unlinkat(&parent, name, UnlinkatFlags::NoRemoveDir)?)
}

/// Opens a file below a folder to write at its end.
///
/// # Errors
/// Fails if the file does not exist, or the file or a part of the path is a link.
pub fn append_below(folder: &Path, name: &Path) -> io::Result<File> {
    let (parent, name) = parent_below(folder, name, Missing::Refuse)?;
    let flags = OFlag::O_WRONLY | OFlag::O_APPEND | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    Ok(openat(&parent, name, flags, Mode::empty())?.into())
}

/// Reaction to a missing folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Make,
    Refuse,
}

/// The folder that holds a file, and the file's own name.
fn parent_below<'n>(
    folder: &Path,
    name: &'n Path,
    missing: Missing,
) -> io::Result<(OwnedFd, &'n OsStr)> {
    let mut parts = Vec::new();
    for part in name.components() {
        let Component::Normal(part) = part else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the name leads out of the folder",
            ));
        };
        parts.push(part);
    }
    let Some(file) = parts.pop() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let is_folder = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let mut parent = open(folder, is_folder, Mode::empty())?;
    for part in parts {
        if missing == Missing::Make {
            match mkdirat(&parent, part, Mode::from_bits_truncate(0o777)) {
                Ok(()) | Err(Errno::EEXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        parent = match openat(&parent, part, is_folder | OFlag::O_NOFOLLOW, Mode::empty()) {
            Ok(next) => next,
            // A link is told as one or the other.
            Err(Errno::ELOOP | Errno::ENOTDIR) => {
                let part = part.display();
                let text = format!(
                    "`{part}` is a link or no folder, and links below this folder are not followed"
                );
                return Err(io::Error::new(io::ErrorKind::NotADirectory, text));
            }
            Err(error) => return Err(error.into()),
        };
    }
    Ok((parent, file))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_is_replaced_and_what_it_names_is_kept() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let victim = outside.path().join("victim");
        fs::write(&victim, "mine").unwrap();
        symlink(&victim, inside.path().join("a.txt")).unwrap();
        create_below(inside.path(), Path::new("a.txt"))
            .unwrap()
            .write_all(b"game")
            .unwrap();
        let file = inside.path().join("a.txt");
        assert!(file.symlink_metadata().unwrap().is_file());
        assert_eq!(fs::read(file).unwrap(), b"game");
        assert_eq!(fs::read(&victim).unwrap(), b"mine");
    }

    #[test]
    fn a_link_on_the_way_is_refused() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        symlink(outside.path(), inside.path().join("games")).unwrap();
        fs::write(outside.path().join("a.txt"), "mine").unwrap();
        for name in ["games/a.txt", "games/new/a.txt"] {
            let refused = create_below(inside.path(), Path::new(name))
                .unwrap_err()
                .to_string();
            assert!(
                refused.starts_with("`games` is a link or no folder"),
                "{refused}"
            );
            assert!(append_below(inside.path(), Path::new(name)).is_err());
        }
        assert_eq!(fs::read(outside.path().join("a.txt")).unwrap(), b"mine");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
        for name in ["../a.txt", "/a.txt", ""] {
            assert!(
                create_below(inside.path(), Path::new(name)).is_err(),
                "{name}"
            );
        }
    }

    #[test]
    fn folders_are_made_and_a_file_is_written_anew_and_at_its_end() {
        let inside = tempfile::tempdir().unwrap();
        let (folder, name) = (inside.path().join("new"), Path::new("x/y/a.txt"));
        create_below(&folder, name)
            .unwrap()
            .write_all(b"a long first text")
            .unwrap();
        create_below(&folder, name)
            .unwrap()
            .write_all(b"one")
            .unwrap();
        append_below(&folder, name)
            .unwrap()
            .write_all(b" two")
            .unwrap();
        assert_eq!(fs::read(folder.join(name)).unwrap(), b"one two");
        symlink(folder.join(name), folder.join("link")).unwrap();
        assert!(append_below(&folder, Path::new("link")).is_err());
        assert!(append_below(&folder, Path::new("x/other")).is_err());
    }
}
