//! Messages with descriptors between urtext and its supervisors: one line of JSON each, over a pair of local sockets.

use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, sendmsg,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::Interest;
use tokio::net::UnixStream;

/// The most descriptors that come with a message.
const DESCRIPTORS: usize = 3;

/// One end of a pair of sockets. The descriptors of a message are there when the message is.
#[derive(Debug)]
pub(in crate::transport) struct Socket {
    stream: UnixStream,
    heard: Vec<u8>,
    descriptors: VecDeque<OwnedFd>,
}

impl Socket {
    /// Takes over one end.
    pub(super) fn new(stream: StdUnixStream) -> io::Result<Socket> {
        stream.set_nonblocking(true)?;
        let stream = UnixStream::from_std(stream)?;
        Ok(Socket {
            stream,
            heard: Vec::new(),
            descriptors: VecDeque::new(),
        })
    }

    /// Sends messages in one go, with descriptors that belong to the first.
    pub(in crate::transport) async fn send<M: Serialize>(
        &self,
        messages: &[M],
        mut descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let lines = lines(messages)?;
        let mut rest = &lines[..];
        while !rest.is_empty() {
            let sending = || send_some(&self.stream, rest, descriptors);
            let sent = self.stream.async_io(Interest::WRITABLE, sending).await?;
            rest = &rest[sent..];
            descriptors = &[];
        }
        Ok(())
    }

    /// Returns the next message; `None` where the other end is gone. Loses nothing where it is cancelled.
    pub(in crate::transport) async fn next<M: DeserializeOwned>(&mut self) -> Option<M> {
        loop {
            if let Some(message) = self.next_heard() {
                return Some(message);
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

    /// Returns the next message where it has come already.
    pub(in crate::transport) fn next_heard<M: DeserializeOwned>(&mut self) -> Option<M> {
        let end = self.heard.iter().position(|&byte| byte == b'\n')?;
        let message = serde_json::from_slice(&self.heard[..end]).ok();
        self.heard.drain(..=end);
        message
    }

    /// Returns the next descriptor that has come.
    pub(super) fn next_descriptor(&mut self) -> Option<OwnedFd> {
        self.descriptors.pop_front()
    }

    /// Returns true if the other end is open and nothing is unread.
    pub(super) fn is_open(&self) -> bool {
        is_open(&self.stream)
    }

    /// Sends the end of our direction, and waits for that of the other.
    pub(in crate::transport) async fn finish(mut self) {
        // A socket that is gone already has no end to wait for.
        if rustix::net::shutdown(&self.stream, rustix::net::Shutdown::Write).is_ok() {
            while self.next::<serde::de::IgnoredAny>().await.is_some() {}
        }
    }
}

/// Returns true if the other end of a socket is open and nothing is unread.
pub(super) fn is_open(socket: impl AsFd) -> bool {
    let peeked = recv(
        socket,
        &mut [0; 1][..],
        RecvFlags::PEEK | RecvFlags::DONTWAIT,
    );
    peeked.err() == Some(rustix::io::Errno::AGAIN)
}

/// Sends a message on a socket that blocks.
pub(super) fn send_blocking(
    socket: &StdUnixStream,
    message: &impl Serialize,
    mut descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let line = lines(std::slice::from_ref(message))?;
    let mut rest = &line[..];
    while !rest.is_empty() {
        rest = &rest[send_some(socket, rest, descriptors)?..];
        descriptors = &[];
    }
    Ok(())
}

fn lines<M: Serialize>(messages: &[M]) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for message in messages {
        serde_json::to_writer(&mut lines, message)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn send_some(socket: impl AsFd, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(sendmsg(
        socket,
        &[IoSlice::new(bytes)],
        &mut control,
        SendFlags::empty(),
    )?)
}

/// Takes what has come, and returns how many bytes it was.
fn receive(
    socket: impl AsFd,
    heard: &mut Vec<u8>,
    descriptors: &mut VecDeque<OwnedFd>,
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
            descriptors.push_back(descriptor);
        }
    }
    heard.extend_from_slice(&buffer[..received.bytes]);
    Ok(received.bytes)
}

#[cfg(test)]
impl Socket {
    /// Two ends of one connection.
    pub(in crate::transport) fn pair() -> (Socket, Socket) {
        let (ours, theirs) = StdUnixStream::pair().unwrap();
        (Socket::new(ours).unwrap(), Socket::new(theirs).unwrap())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::super::message::{Order, ProcessLimits, Report, Start};
    use super::*;

    #[tokio::test]
    async fn messages_are_read_as_they_were_sent_with_their_descriptors() {
        let (near, mut far) = Socket::pair();
        let start = Start {
            words: vec!["ref".into(), String::new(), "a\nb".into()],
            environment: vec![("X".into(), Some("1".repeat(10_000))), ("Y".into(), None)],
            folder: Some("/tmp/a b".into()),
            has_input: true,
            limits: ProcessLimits {
                memory: Some(1 << 30),
                ..ProcessLimits::default()
            },
            remove: None,
        };
        let orders = [Order::Start(Box::new(start)), Order::Ask, Order::Kill];
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let descriptors = [
            reader.try_clone().unwrap().into(),
            writer.try_clone().unwrap().into(),
        ];
        let descriptors = descriptors.each_ref().map(OwnedFd::as_fd);
        let sending = near.send(&orders, &descriptors);
        let receiving = async {
            for order in &orders {
                assert_eq!(far.next::<Order>().await.as_ref(), Some(order));
            }
        };
        let (sent, ()) = tokio::join!(sending, receiving);
        sent.unwrap();
        let [come_in, come_out] = [
            far.next_descriptor().unwrap(),
            far.next_descriptor().unwrap(),
        ];
        assert!(far.next_descriptor().is_none());
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
        let (near, mut far) = Socket::pair();
        assert!(near.is_open());
        far.send(&[Report::Clear], &[]).await.unwrap();
        assert!(!near.is_open(), "what it says is waited for by nobody");
        let finishing = near.finish();
        let leaving = async {
            assert_eq!(far.next::<Order>().await, None);
            drop(far);
        };
        tokio::join!(finishing, leaving);
    }
}
