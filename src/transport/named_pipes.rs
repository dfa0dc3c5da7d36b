//! Lanes over named pipes.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::stat::Mode;
use tokio::io::{join, sink};
use tokio::net::unix::pipe::{OpenOptions, Receiver, Sender};
use tokio::time::{Instant, sleep};

use super::{Breakdown, Deadline, Wire};

/// Opens the pipes that another program has made: one to read, then one to write. Each opening waits for the other end.
///
/// # Errors
/// Fails if one of them cannot be opened.
pub fn open_pipes(input: &Path, output: &Path) -> io::Result<(File, File)> {
    let input = File::open(input)?;
    Ok((input, File::options().write(true).open(output)?))
}

/// One lane's named pipes, which exist from now on. The subject can open them in any order: our end of what it writes is open already,
/// and our end of what it reads is opened as soon as the subject has opened its own.
#[derive(Debug)]
pub struct NamedPipes {
    reader: Receiver,
    input: Option<PathBuf>,
}

impl NamedPipes {
    /// Makes the pipes, which only the user can open. `input`: the one that the subject reads; none for a spectator, whom nobody reads.
    /// `output`: the one that it writes.
    ///
    /// # Errors
    /// Fails if the pipes cannot be created.
    pub fn make(input: Option<PathBuf>, output: &Path) -> Result<NamedPipes, Breakdown> {
        for path in input.as_deref().into_iter().chain([output]) {
            nix::unistd::mkfifo(path, Mode::S_IRUSR | Mode::S_IWUSR)
                .map_err(|errno| unusable(path, errno.into()))?;
        }
        // Opened for reading without waiting for a writer: whoever writes never has to wait for us.
        let reader = OpenOptions::new().open_receiver(output);
        let reader = reader.map_err(|reason| unusable(output, reason))?;
        Ok(NamedPipes { reader, input })
    }

    /// Waits until the subject reads, and gives the lane.
    ///
    /// # Errors
    /// Fails if the subject does not open the pipes before the deadline.
    pub async fn open(self, deadline: impl Into<Deadline>) -> Result<Wire, Breakdown> {
        Ok(match self.input {
            Some(path) => Wire::Pipes(self.reader, Some(writer(&path, &deadline.into()).await?)),
            // What is sent to a spectator goes nowhere, and is no error.
            None => Wire::new(join(self.reader, sink())),
        })
    }
}

/// Opens for writing as soon as there is a reader. The platform tells nobody when that is, so it is tried again and again.
async fn writer(path: &Path, deadline: &Deadline) -> Result<Sender, Breakdown> {
    let mut pause = Duration::from_micros(200);
    loop {
        match OpenOptions::new().open_sender(path) {
            Ok(sender) => return Ok(sender),
            Err(error) if error.raw_os_error() == Some(Errno::ENXIO as i32) => {}
            Err(reason) => return Err(unusable(path, reason)),
        }
        if Instant::now() + pause >= deadline.at() {
            // Its folder is another one in every game.
            let name = path.file_name().unwrap_or_default().display();
            let title = format!("nobody opened the named pipe {name} for reading");
            return Err(unopened(title));
        }
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn unusable(path: &Path, reason: io::Error) -> Breakdown {
    let path = path.display();
    unopened(format!("the named pipe {path} cannot be used: {reason}"))
}

fn unopened(title: String) -> Breakdown {
    let check = "have it open the named pipes of its command: urtext waits for a reader of each one that it writes";
    Breakdown::too_late(title, check)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Write};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// The pipe that the subject reads, and the one that it writes.
    fn names(folder: &Path) -> [PathBuf; 2] {
        ["in", "out"].map(|name| folder.join(name))
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(30)
    }

    #[tokio::test]
    async fn a_subject_opens_its_pipes_in_any_order() {
        for reads_first in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let [input_name, output_name] = names(folder.path());
            let pipes = NamedPipes::make(Some(input_name.clone()), &output_name).unwrap();
            let subject = std::thread::spawn(move || {
                let open_input = || File::open(&input_name).unwrap();
                let open_output = || File::options().write(true).open(&output_name).unwrap();
                let (mut input, mut output);
                if reads_first {
                    (input, output) = (open_input(), open_output());
                } else {
                    output = open_output();
                    input = open_input();
                }
                output.write_all(b"said\n").unwrap();
                let mut heard = String::new();
                input.read_to_string(&mut heard).unwrap();
                heard
            });
            let mut wire = pipes.open(soon()).await.unwrap();
            wire.write_all(b"heard\n").await.unwrap();
            wire.shutdown().await.unwrap();
            let mut said = String::new();
            wire.read_to_string(&mut said).await.unwrap();
            assert_eq!(
                (said.as_str(), subject.join().unwrap().as_str()),
                ("said\n", "heard\n")
            );
        }
    }

    #[tokio::test]
    async fn an_end_that_nobody_has_opened_yet_is_no_end_of_the_stream() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        let mut wire = NamedPipes::make(None, &output)
            .unwrap()
            .open(soon())
            .await
            .unwrap();
        let mut byte = [0];
        let early = std::future::poll_fn(|context| {
            let mut buffer = tokio::io::ReadBuf::new(&mut byte);
            let polled = std::pin::Pin::new(&mut wire);
            std::task::Poll::Ready(
                tokio::io::AsyncRead::poll_read(polled, context, &mut buffer).is_ready(),
            )
        });
        assert!(!early.await);
        drop(File::options().write(true).open(&output).unwrap());
        assert_eq!(wire.read(&mut byte).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn says_which_pipe_nobody_opened() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = names(folder.path());
        let error = NamedPipes::make(Some(input), &output)
            .unwrap()
            .open(Instant::now())
            .await
            .unwrap_err();
        let title = "nobody opened the named pipe in for reading (the start budget is over)";
        assert_eq!(error.title, title);
    }
}
