//! Files that the user names for output.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read};
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::libc::O_NOCTTY;
use nix::unistd::{AccessFlags, access};

use super::folder_of;

/// Most links that are followed from a name.
const MOST_LINKS: usize = 40;

/// The folder in which every file is a descriptor of this program.
const DESCRIPTORS: &str = "/dev/fd";

const STANDARD_OUTPUT: RawFd = 1;

/// Destination of an output.
#[derive(Debug)]
enum Target {
    /// A regular file, with its data, or a missing file.
    File(PathBuf, Option<Metadata>),
    /// A device or a named pipe.
    Special(PathBuf),
    /// A descriptor that this program was started with.
    Descriptor(RawFd),
}

impl Target {
    /// Follows the links of a name, and makes the missing folders on the way.
    fn of(path: &Path) -> io::Result<Target> {
        if path == Path::new("-") {
            return Ok(Target::Descriptor(STANDARD_OUTPUT));
        }
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(ErrorKind::IsADirectory.into());
        }
        let descriptors = Path::new(DESCRIPTORS).canonicalize().ok();
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let name = path.file_name().ok_or(ErrorKind::IsADirectory)?;
            let folder = folder_of(&path);
            if !folder.exists() {
                fs::create_dir_all(folder)?;
            }
            let folder = folder.canonicalize()?;
            let number = name.to_str().and_then(|name| name.parse().ok());
            if let Some(number) = number.filter(|_| descriptors.as_ref() == Some(&folder)) {
                return Ok(Target::Descriptor(number));
            }
            let file = folder.join(name);
            match file.symlink_metadata() {
                Ok(data) if data.is_symlink() => path = folder.join(fs::read_link(&file)?),
                Ok(data) if data.is_file() => return Ok(Target::File(file, Some(data))),
                Ok(data) if data.is_dir() => return Err(ErrorKind::IsADirectory.into()),
                Ok(_) => return Ok(Target::Special(file)),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(Target::File(file, None));
                }
                Err(error) => return Err(error),
            }
        }
        Err(Errno::ELOOP.into())
    }

    /// Opens the output, unless it is a file.
    fn open(&self) -> io::Result<Option<File>> {
        match self {
            Target::File(..) => Ok(None),
            Target::Special(path) => {
                let mut options = OpenOptions::new();
                options.write(true).custom_flags(O_NOCTTY);
                options.open(path).map(Some)
            }
            Target::Descriptor(number) => inherited(*number).map(Some),
        }
    }
}

/// Writes an output of this name. Links are followed.
///
/// A file appears complete or not at all, and keeps the owner and the permissions of the file that it replaces. A device or a named
/// pipe is opened and written. `-` is standard output; `/dev/stdout` and `/dev/fd/N` are the descriptors that this program was started with. A closed pipe
/// is no error.
///
/// # Errors
/// Fails if the output cannot be written; a regular file then stays unchanged.
pub fn write_output(path: &Path, bytes: &[u8]) -> io::Result<()> {
    copy_output(path, &mut &*bytes)
}

/// Writes all that is read from `bytes` as [`write_output`] does.
///
/// # Errors
/// As those of [`write_output`], and those of reading.
pub fn copy_output(path: &Path, bytes: &mut dyn Read) -> io::Result<()> {
    let target = Target::of(path)?;
    if let Some(mut open) = target.open()? {
        return match io::copy(bytes, &mut open) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        };
    }
    let Target::File(path, known) = target else {
        return Ok(());
    };
    let mut file = tempfile::Builder::new()
        .prefix(".urtext-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder_of(&path))?;
    // An error of the file alone does not name its passing path.
    io::copy(bytes, file.as_file_mut())?;
    if let Some(known) = known {
        // Only root may give a file to somebody else. To all others it belongs after a rename, as any new file does.
        drop(fchown(file.as_file(), Some(known.uid()), Some(known.gid())));
        let permissions = Permissions::from_mode(known.mode() & 0o777);
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}

/// Checks that an output of this name can be written, and makes no more than its folder.
///
/// # Errors
/// Fails if [`write_output`] would fail, as far as this can be known before.
pub fn probe_output(path: &Path) -> io::Result<()> {
    match Target::of(path)? {
        Target::File(path, _) => tempfile::tempfile_in(folder_of(&path)).map(drop),
        Target::Special(path) => Ok(access(&path, AccessFlags::W_OK)?),
        Target::Descriptor(number) => inherited(number).map(drop),
    }
}

/// Checks that files can be made in a folder, or in the one in which it will be made, and leaves nothing there.
///
/// # Errors
/// Fails if no file can be made.
pub fn probe_folder(folder: &Path) -> io::Result<()> {
    let folder = std::path::absolute(folder)?;
    let is_there = |folder: &&Path| folder.symlink_metadata().is_ok();
    let nearest = folder.ancestors().find(is_there).unwrap_or(&folder);
    tempfile::tempfile_in(nearest).map(drop)
}

/// Opens the output of a name for which [`is_special_output`] is true; `None` for others.
///
/// # Errors
/// Fails if the output cannot be opened.
pub fn open_special_output(path: &Path) -> io::Result<Option<File>> {
    Target::of(path)?.open()
}

/// Returns true if the name is one of a device, a named pipe or a descriptor.
#[must_use]
pub fn is_special_output(path: &Path) -> bool {
    matches!(
        Target::of(path),
        Ok(Target::Special(_) | Target::Descriptor(_))
    )
}

/// Returns true if the name is one of standard output, such as `/dev/stdout`.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    matches!(Target::of(path), Ok(Target::Descriptor(STANDARD_OUTPUT)))
}

/// A descriptor that this program was started with, if it can be written.
#[allow(unsafe_code)]
fn inherited(number: RawFd) -> io::Result<File> {
    let bad = || io::Error::from(Errno::EBADF);
    if number < 0 {
        return Err(bad());
    }
    // SAFETY: the number comes from the user, as in a shell, so there is no owner to borrow from. The system refuses a number that is not
    // open. Nothing closes a descriptor that this program was started with; those that it opened itself are closed by `exec` and refused here.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    let flags = FdFlag::from_bits_retain(fcntl(borrowed, FcntlArg::F_GETFD)?);
    let mode = OFlag::from_bits_retain(fcntl(borrowed, FcntlArg::F_GETFL)?) & OFlag::O_ACCMODE;
    if flags.contains(FdFlag::FD_CLOEXEC) || mode == OFlag::O_RDONLY {
        return Err(bad());
    }
    Ok(borrowed.try_clone_to_owned()?.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, symlink};

    use nix::sys::stat::{Mode, SFlag, makedev, mknod};
    use nix::unistd::mkfifo;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.json");
        write_output(&file, b"one").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        write_output(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_is_followed_also_to_a_file_that_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let (link, file) = (folder.path().join("link"), folder.path().join("file"));
        symlink("file", &link).unwrap();
        for text in [b"new", b"old"] {
            probe_output(&link).unwrap();
            write_output(&link, text).unwrap();
            assert!(link.symlink_metadata().unwrap().is_symlink());
            assert_eq!(fs::read(&file).unwrap(), text);
        }
        symlink("around", folder.path().join("around")).unwrap();
        assert!(write_output(&folder.path().join("around"), b"x").is_err());
    }

    #[test]
    fn a_device_and_a_pipe_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, device) = (folder.path().join("pipe"), folder.path().join("null"));
        mkfifo(&pipe, Mode::from_bits_truncate(0o600)).unwrap();
        probe_output(&pipe).unwrap();
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
        };
        write_output(&pipe, b"game").unwrap();
        assert_eq!(reader.join().unwrap(), "game");
        assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo());
        let mode = Mode::from_bits_truncate(0o666);
        if let Err(error) = mknod(&device, SFlag::S_IFCHR, mode, makedev(1, 3)) {
            eprintln!("skipped: no device can be made here: {error}");
            return;
        }
        // Where a folder takes no devices, this one can be made and not opened.
        if let Err(error) = File::open(&device) {
            eprintln!("skipped: no device can be opened here: {error}");
            return;
        }
        symlink("null", folder.path().join("link")).unwrap();
        for name in ["null", "link"] {
            let path = folder.path().join(name);
            probe_output(&path).unwrap();
            write_output(&path, b"game").unwrap();
        }
        let kind = device.symlink_metadata().unwrap().file_type();
        assert!(kind.is_char_device(), "{kind:?}");
    }

    #[test]
    fn a_probe_writes_no_file_and_refuses_what_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        probe_output(&file).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(&file, "mine").unwrap();
        probe_output(&file).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"mine");
        for name in ["", "file/inside", "file/"] {
            let path = folder.path().join(name);
            assert!(probe_output(&path).is_err(), "{path:?}");
            assert!(write_output(&path, b"x").is_err(), "{path:?}");
        }
    }

    #[test]
    fn a_descriptor_of_our_own_is_no_output() {
        let mut own = tempfile::tempfile().unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&own);
        for name in [format!("/dev/fd/{number}"), "/proc/self/fd/-1".to_owned()] {
            let path = Path::new(&name);
            assert!(probe_output(path).is_err(), "{name}");
            assert!(write_output(path, b"x").is_err(), "{name}");
        }
        let mut text = String::new();
        own.read_to_string(&mut text).unwrap();
        assert_eq!(text, "");
    }

    #[test]
    fn standard_output_has_several_names() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("/dev/stdout", &link).unwrap();
        for path in [
            Path::new("-"),
            Path::new("/dev/stdout"),
            Path::new("/dev/fd/1"),
            &link,
        ] {
            assert!(is_standard_output(path), "{path:?}");
        }
        assert!(!is_standard_output(Path::new("/dev/stderr")));
    }
}
