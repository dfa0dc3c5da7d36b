//! Lanes over named pipes.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::stat::Mode;
use tokio::net::unix::pipe::{OpenOptions, Receiver, Sender};
use tokio::time::{Instant, sleep};

use super::{Deadline, Wire};

/// Opens the pipes that another program has made: one to read, then one to write. Each opening waits for the other end.
///
/// # Errors
/// Fails if one of them cannot be opened.
pub fn open_pipes(input: &Path, output: &Path) -> io::Result<(File, File)> {
    let input = File::open(input)?;
    Ok((input, File::options().write(true).open(output)?))
}

/// One lane's named pipes, named as the subject sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipeNames {
    /// The one that the subject reads; `None` for a spectator, whom nobody reads.
    pub input: Option<PathBuf>,
    /// The one that the subject writes.
    pub output: PathBuf,
}

/// One lane's named pipes, which exist from now on. The subject can open them in any order: our end of what it writes is open already,
/// and our end of what it reads is opened as soon as the subject has opened its own.
#[derive(Debug)]
pub struct NamedPipes {
    reader: Receiver,
    input: Option<PathBuf>,
}

/// Errors with named pipes.
#[derive(Debug, thiserror::Error)]
pub enum PipeError {
    /// They cannot be made or opened.
    #[error("the named pipe {path} cannot be used: {reason}")]
    Unusable {
        /// Path of the pipe.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// The subject has not opened the one that it reads.
    // Its folder is another one in every game.
    #[error("nobody opened the named pipe {} for reading", .0.file_name().unwrap_or_default().display())]
    Unopened(PathBuf),
}

impl NamedPipes {
    /// Makes the pipes, which only the user can open.
    ///
    /// # Errors
    /// Fails if the pipes cannot be created.
    pub fn make(names: &PipeNames) -> Result<NamedPipes, PipeError> {
        for path in names.input.iter().chain([&names.output]) {
            nix::unistd::mkfifo(path, Mode::S_IRUSR | Mode::S_IWUSR)
                .map_err(|errno| unusable(path, errno.into()))?;
        }
        // Opened for reading without waiting for a writer: whoever writes never has to wait for us.
        let reader = OpenOptions::new().open_receiver(&names.output);
        let reader = reader.map_err(|reason| unusable(&names.output, reason))?;
        Ok(NamedPipes {
            reader,
            input: names.input.clone(),
        })
    }

    /// Waits until the subject reads, and gives the lane.
    ///
    /// # Errors
    /// Fails if the subject does not open the pipes before the deadline.
    pub async fn open(self, deadline: impl Into<Deadline>) -> Result<Wire, PipeError> {
        match self.input {
            Some(path) => Ok(Wire::pipes(
                self.reader,
                writer(&path, &deadline.into()).await?,
            )),
            None => Ok(Wire::new(self.reader, tokio::io::sink())),
        }
    }
}

/// Opens for writing as soon as there is a reader. The platform tells nobody when that is, so it is tried again and again.
async fn writer(path: &Path, deadline: &Deadline) -> Result<Sender, PipeError> {
    let mut pause = Duration::from_micros(200);
    loop {
        match OpenOptions::new().open_sender(path) {
            Ok(sender) => return Ok(sender),
            Err(error) if error.raw_os_error() == Some(Errno::ENXIO as i32) => {}
            Err(reason) => return Err(unusable(path, reason)),
        }
        if Instant::now() + pause >= deadline.at() {
            return Err(PipeError::Unopened(path.to_owned()));
        }
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn unusable(path: &Path, reason: io::Error) -> PipeError {
    PipeError::Unusable {
        path: path.to_owned(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Write};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    fn names(folder: &Path) -> PipeNames {
        PipeNames {
            input: Some(folder.join("in")),
            output: folder.join("out"),
        }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(30)
    }

    #[tokio::test]
    async fn a_subject_opens_its_pipes_in_any_order() {
        for reads_first in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let names = names(folder.path());
            let pipes = NamedPipes::make(&names).unwrap();
            let subject = std::thread::spawn(move || {
                let open_input = || File::open(names.input.as_ref().unwrap()).unwrap();
                let open_output = || File::options().write(true).open(&names.output).unwrap();
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
            wire.writer.write_all(b"heard\n").await.unwrap();
            wire.writer.shutdown().await.unwrap();
            let mut said = String::new();
            wire.reader.read_to_string(&mut said).await.unwrap();
            assert_eq!(
                (said.as_str(), subject.join().unwrap().as_str()),
                ("said\n", "heard\n")
            );
        }
    }

    #[tokio::test]
    async fn an_end_that_nobody_has_opened_yet_is_no_end_of_the_stream() {
        let folder = tempfile::tempdir().unwrap();
        let names = PipeNames {
            input: None,
            output: folder.path().join("out"),
        };
        let mut wire = NamedPipes::make(&names)
            .unwrap()
            .open(soon())
            .await
            .unwrap();
        let mut byte = [0];
        let early = std::future::poll_fn(|context| {
            let mut buffer = tokio::io::ReadBuf::new(&mut byte);
            let polled = std::pin::Pin::new(&mut wire.reader);
            std::task::Poll::Ready(
                tokio::io::AsyncRead::poll_read(polled, context, &mut buffer).is_ready(),
            )
        });
        assert!(!early.await);
        drop(File::options().write(true).open(&names.output).unwrap());
        assert_eq!(wire.reader.read(&mut byte).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn says_which_pipe_nobody_opened() {
        let folder = tempfile::tempdir().unwrap();
        let names = names(folder.path());
        let error = NamedPipes::make(&names)
            .unwrap()
            .open(Instant::now())
            .await
            .unwrap_err();
        assert!(matches!(error, PipeError::Unopened(path) if path == names.input.unwrap()));
    }
}
