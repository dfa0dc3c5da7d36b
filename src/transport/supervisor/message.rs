//! Orders to a supervisor and its reports: one line of JSON each, over a pair of local sockets, with descriptors.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::Interest;
use tokio::net::UnixStream;

use crate::config::Limits;

/// An order to a supervisor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Order {
    /// Start a subject. Its ends of its streams come with the order.
    Start(Box<Spawn>),
    /// Kill everything that the subject has started, and the subject.
    Kill,
}

/// A program to start, with its environment and limits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawn {
    /// The words of the command; there is no shell.
    pub words: Vec<String>,
    /// Environment variables on top of urtext's own; `None` removes a variable.
    pub environment: Vec<(String, Option<String>)>,
    /// The working folder; `None`: urtext's own.
    pub folder: Option<OsString>,
    /// The limits of each process of the subject, which the supervisor sets.
    pub limits: ProcessLimits,
    /// A folder that the supervisor removes should urtext be killed.
    pub remove: Option<OsString>,
}

impl Spawn {
    /// The command in a process group of its own, with these ends of its streams: its input, where it has one, its output and its
    /// standard error. Nobody but the subject has them once the command is started and dropped.
    pub(crate) fn command(&self, mut ends: Vec<OwnedFd>) -> io::Result<Command> {
        let (program, arguments) = self
            .words
            .split_first()
            .ok_or(io::ErrorKind::InvalidInput)?;
        let mut next = || ends.pop().map_or_else(Stdio::null, Stdio::from);
        let mut command = Command::new(program);
        command.args(arguments).process_group(0);
        command.stderr(next()).stdout(next()).stdin(next());
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }
}

/// Limits as the system takes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Bytes of address space.
    pub(super) memory: Option<u64>,
    /// Seconds of processor time.
    pub(super) cpu: Option<u64>,
    /// Open files.
    pub(super) open_files: Option<u64>,
}

impl From<Limits> for ProcessLimits {
    fn from(limits: Limits) -> ProcessLimits {
        ProcessLimits {
            memory: limits.memory.map(|bytes| bytes.0),
            cpu: limits.cpu.map(|time| time.as_secs()),
            open_files: limits.open_files.map(|files| files.0),
        }
    }
}

/// A report of a supervisor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Report {
    /// The supervisor has begun, as this process: whatever is below belongs to the subject.
    Ready(i32),
    /// The subject runs, as this process.
    Started(i32),
    /// The subject cannot be started, with the system's error number.
    Failed(i32),
    /// The subject has ended, with the status as the system writes it.
    Ended(i32),
    /// No process of the subject is left. The supervisor is free for another game.
    Clear,
}

/// The most descriptors that come with a message.
const DESCRIPTORS: usize = 3;

/// One end of a pair of sockets. The descriptors of a message are there when the message is.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: UnixStream,
    heard: Vec<u8>,
    descriptors: Vec<OwnedFd>,
}

impl Socket {
    /// Takes over one end.
    pub(super) fn new(stream: StdUnixStream) -> io::Result<Socket> {
        stream.set_nonblocking(true)?;
        let stream = UnixStream::from_std(stream)?;
        Ok(Socket {
            stream,
            heard: Vec::new(),
            descriptors: Vec::new(),
        })
    }

    /// Sends a message, with descriptors.
    pub(super) async fn send(
        &self,
        message: &impl Serialize,
        mut descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut rest = &line[..];
        while !rest.is_empty() {
            let sending = || {
                let mut space =
                    [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
                let mut control = SendAncillaryBuffer::new(&mut space);
                if !descriptors.is_empty() {
                    control.push(SendAncillaryMessage::ScmRights(descriptors));
                }
                let bytes = [IoSlice::new(rest)];
                Ok(sendmsg(
                    &self.stream,
                    &bytes,
                    &mut control,
                    SendFlags::empty(),
                )?)
            };
            let sent = self.stream.async_io(Interest::WRITABLE, sending).await?;
            rest = &rest[sent..];
            descriptors = &[];
        }
        Ok(())
    }

    /// Returns the next message; `None` where the other end is gone. Loses nothing where it is cancelled.
    pub(super) async fn next<M: DeserializeOwned>(&mut self) -> Option<M> {
        loop {
            if let Some(end) = self.heard.iter().position(|&byte| byte == b'\n') {
                let message = serde_json::from_slice(&self.heard[..end]).ok();
                self.heard.drain(..=end);
                return message;
            }
            let Socket {
                stream,
                heard,
                descriptors,
            } = self;
            let receiving = || receive(&*stream, heard, descriptors);
            if stream.async_io(Interest::READABLE, receiving).await.ok()? == 0 {
                return None;
            }
        }
    }

    /// Takes the descriptors that have come.
    pub(super) fn descriptors(&mut self) -> Vec<OwnedFd> {
        std::mem::take(&mut self.descriptors)
    }

    /// Sends the end of our direction, and waits for that of the other.
    pub(super) async fn finish(&mut self) {
        // A socket that is gone already has no end to wait for.
        if rustix::net::shutdown(&self.stream, rustix::net::Shutdown::Write).is_ok() {
            while self.next::<serde::de::IgnoredAny>().await.is_some() {}
        }
    }
}

/// Takes what has come, and returns how many bytes it was.
fn receive(
    socket: impl AsFd,
    heard: &mut Vec<u8>,
    descriptors: &mut Vec<OwnedFd>,
) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut buffer = [0; 4096];
    let received = recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut buffer)],
        &mut control,
        RecvFlags::empty(),
    )?;
    for message in control.drain() {
        let RecvAncillaryMessage::ScmRights(come) = message else {
            continue;
        };
        for descriptor in come {
            // Nothing else is started meanwhile: whoever receives descriptors has one thread.
            fcntl_setfd(&descriptor, FdFlags::CLOEXEC)?;
            descriptors.push(descriptor);
        }
    }
    heard.extend_from_slice(&buffer[..received.bytes]);
    Ok(received.bytes)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// Two ends of one connection.
    fn pair() -> (Socket, Socket) {
        let (ours, theirs) = StdUnixStream::pair().unwrap();
        (Socket::new(ours).unwrap(), Socket::new(theirs).unwrap())
    }

    #[tokio::test]
    async fn messages_are_read_as_they_were_sent_with_their_descriptors() {
        let (near, mut far) = pair();
        let spawn = Spawn {
            words: vec!["ref".into(), String::new(), "a\nb".into()],
            environment: vec![("X".into(), Some("1".repeat(10_000))), ("Y".into(), None)],
            folder: Some("/tmp/a b".into()),
            ..Spawn::default()
        };
        let order = Order::Start(Box::new(spawn));
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let descriptors = [
            reader.try_clone().unwrap().into(),
            writer.try_clone().unwrap().into(),
        ];
        let descriptors = descriptors.each_ref().map(OwnedFd::as_fd);
        let sending = async {
            near.send(&order, &descriptors).await.unwrap();
            near.send(&Order::Kill, &[]).await.unwrap();
        };
        let receiving = async {
            assert_eq!(far.next::<Order>().await.as_ref(), Some(&order));
            assert_eq!(far.next::<Order>().await, Some(Order::Kill));
        };
        tokio::join!(sending, receiving);
        let come: [OwnedFd; 2] = far.descriptors().try_into().unwrap();
        let [come_in, come_out] = come;
        assert!(far.descriptors().is_empty());
        std::io::PipeWriter::from(come_out).write_all(b"x").unwrap();
        writer.write_all(b"y").unwrap();
        let mut bytes = [0; 2];
        reader.read_exact(&mut bytes[..1]).unwrap();
        std::io::PipeReader::from(come_in)
            .read_exact(&mut bytes[1..])
            .unwrap();
        assert_eq!(&bytes, b"xy");
    }

    #[tokio::test]
    async fn the_end_of_the_other_side_shows() {
        let (mut near, mut far) = pair();
        far.send(&Report::Clear, &[]).await.unwrap();
        let leaving = async {
            assert_eq!(far.next::<Order>().await, None);
            drop(far);
        };
        tokio::join!(near.finish(), leaving);
    }
}
