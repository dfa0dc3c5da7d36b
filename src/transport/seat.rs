//! Seats of a referee that starts its players itself: it starts `urtext seat`, which relays its standard streams through a
//! socket to the session that waits there. The bytes of both directions go through as they are.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tokio::net::UnixListener;

use super::{Breakdown, Deadline, Wire};

/// A seat whose relay is waited for.
#[derive(Debug)]
pub struct Seat {
    name: String,
    path: PathBuf,
    listener: UnixListener,
}

impl Seat {
    /// Waits for the relay of this name from now on, at a socket in this folder, which only the user can open.
    ///
    /// # Errors
    /// Fails if the socket cannot be created, for example because its path is too long.
    pub fn open(folder: &Path, name: &str) -> io::Result<Seat> {
        let path = socket(folder, name);
        let listener = UnixListener::bind(&path)?;
        Ok(Seat {
            name: name.to_owned(),
            path,
            listener,
        })
    }

    /// Waits for the relay; whoever comes later finds nobody.
    ///
    /// # Errors
    /// Fails if the relay does not connect before the deadline.
    pub async fn accept(self, deadline: Deadline) -> Result<Wire, Breakdown> {
        match deadline.limit(self.listener.accept()).await {
            Some(Ok((stream, _))) => Ok(Wire::new(stream)),
            _ => {
                let name = &self.name;
                let title = format!("the referee did not start the command of the seat `{name}`");
                let check = "have it start the command of each seat, such as {seat_first}";
                Err(Breakdown::too_late(title, check))
            }
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // A file that is gone already is what is wanted.
        drop(std::fs::remove_file(&self.path));
    }
}

fn socket(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.seat"))
}

/// Relays between a program's standard streams, its input and its output, and the session that waits for this seat, until the session has
/// closed the lane. Each direction ends where its source ends; nothing is lost on the way.
///
/// # Errors
/// Fails if no session waits for this seat.
pub fn relay(folder: &Path, name: &str, input: OwnedFd, output: OwnedFd) -> io::Result<()> {
    let stream = UnixStream::connect(socket(folder, name))?;
    let ours = stream.try_clone()?;
    // This thread lasts as long as the program that plays the seat: it ends with the process, whatever it still waits for.
    std::thread::spawn(move || {
        drop(copy(&mut File::from(input), &mut &ours));
        drop(ours.shutdown(Shutdown::Write));
    });
    let mut output = File::from(output);
    if copy(&mut &stream, &mut output).is_err() {
        // Nobody reads what the session writes, and it sees that.
        drop(stream.shutdown(Shutdown::Read));
    }
    drop(output);
    // Both directions of the connection have ended: the session has closed the lane, or both sides are done.
    let mut descriptors = [PollFd::new(stream.as_fd(), PollFlags::empty())];
    while poll(&mut descriptors, PollTimeout::NONE) == Err(nix::errno::Errno::EINTR) {}
    Ok(())
}

/// Copies to the end of the source, by `read` and `write`: with the types known, it would be `splice`, which locks a pipe while it waits for
/// a socket, so that whoever reads or closes the other end of the pipe waits as well.
fn copy(source: &mut dyn Read, target: &mut dyn Write) -> io::Result<u64> {
    io::copy(source, target)
}

/// Takes standard input and output out of this process: they end where what is returned is dropped.
///
/// # Errors
/// Fails if the system refuses.
pub fn take_streams() -> io::Result<(OwnedFd, OwnedFd)> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    nix::unistd::dup2_stdin(&nothing)?;
    nix::unistd::dup2_stdout(&nothing)?;
    Ok((input, output))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::unix::pipe;
    use tokio::time::Instant;

    use super::*;

    /// A relay in a thread, and our ends of its standard streams.
    fn start(
        folder: &tempfile::TempDir,
        name: &str,
    ) -> (
        pipe::Sender,
        pipe::Receiver,
        std::thread::JoinHandle<io::Result<()>>,
    ) {
        let (theirs_in, ours_in) = nix::unistd::pipe().unwrap();
        let (ours_out, theirs_out) = nix::unistd::pipe().unwrap();
        let (path, name) = (folder.path().to_owned(), name.to_owned());
        let relaying = std::thread::spawn(move || relay(&path, &name, theirs_in, theirs_out));
        (
            pipe::Sender::from_owned_fd(ours_in).unwrap(),
            pipe::Receiver::from_owned_fd(ours_out).unwrap(),
            relaying,
        )
    }

    fn seats() -> (tempfile::TempDir, [Seat; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let seats = ["first", "second"].map(|name| Seat::open(folder.path(), name).unwrap());
        (folder, seats)
    }

    fn soon() -> Deadline {
        (Instant::now() + Duration::from_secs(30)).into()
    }

    /// Waits for a thread without holding up the tasks that it may wait for.
    async fn joined<T: Send + 'static>(thread: std::thread::JoinHandle<T>) -> T {
        tokio::task::spawn_blocking(move || thread.join().unwrap())
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn seats_are_told_apart_whoever_comes_first() {
        let (folder, [first, second]) = seats();
        let (mut second_in, mut second_out, relaying) = start(&folder, "second");
        let mut wire = second.accept(soon()).await.unwrap();
        second_in.write_all(b"0 0 1 1\nhalf").await.unwrap();
        let mut bytes = [0; 12];
        wire.read_exact(&mut bytes).await.unwrap();
        assert_eq!(&bytes, b"0 0 1 1\nhalf");
        wire.write_all(b"3\n").await.unwrap();
        wire.shutdown().await.unwrap();
        let mut said = Vec::new();
        second_out.read_to_end(&mut said).await.unwrap();
        assert_eq!(said, b"3\n");
        // Our direction has ended, and theirs goes on.
        second_in.write_all(b"RETIRE\n").await.unwrap();
        drop(second_in);
        let mut rest = Vec::new();
        wire.read_to_end(&mut rest).await.unwrap();
        assert_eq!(rest, b"RETIRE\n");
        joined(relaying).await.unwrap();
        let nobody = first.accept(Instant::now().into()).await;
        let title = nobody.unwrap_err().title;
        assert!(title.contains("the seat `first`"), "{title}");
    }

    #[tokio::test]
    async fn a_hang_up_ends_the_relay_and_both_its_streams() {
        let (folder, [first, _second]) = seats();
        let (input, mut output, relaying) = start(&folder, "first");
        drop(first.accept(soon()).await.unwrap());
        assert_eq!(output.read(&mut [0]).await.unwrap(), 0);
        // Although its input is open still.
        joined(relaying).await.unwrap();
        drop(input);
    }

    #[tokio::test]
    async fn a_program_that_closes_its_streams_is_seen_to() {
        let (folder, [first, _second]) = seats();
        let (input, output, _relaying) = start(&folder, "first");
        let mut wire = first.accept(soon()).await.unwrap();
        drop((input, output));
        assert_eq!(wire.read(&mut [0]).await.unwrap(), 0);
        while wire.write_all(b"0\n").await.is_ok() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn nobody_waits_in_a_seat_that_is_taken_or_not_there_or_given_up() {
        let (folder, [first, second]) = seats();
        let _playing = start(&folder, "first");
        let _lane = first.accept(soon()).await.unwrap();
        drop(second);
        for name in ["first", "second", "third"] {
            let error = joined(start(&folder, name).2).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound, "{name}: {error}");
        }
    }
}
