//! Wires over pipes and connections.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

async fn pair() -> (Wire, TcpStream) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap())
        .await
        .unwrap();
    (Wire::tcp(ours), listener.accept().await.unwrap().0)
}

#[tokio::test]
async fn a_reset_is_seen_as_one_also_after_our_direction_has_ended() {
    for has_ended in [false, true] {
        let (mut wire, mut theirs) = pair().await;
        wire.writer.write_all(b"0 0").await.unwrap();
        let mut bytes = [0; 3];
        theirs.read_exact(&mut bytes).await.unwrap();
        if has_ended {
            wire.writer.shutdown().await.unwrap();
            assert_eq!(theirs.read(&mut bytes).await.unwrap(), 0);
        }
        wire.reset();
        let seen = match has_ended {
            false => theirs.read(&mut bytes).await.map(|_| ()),
            // The end was read before: the reset shows where something is written.
            true => {
                async {
                    loop {
                        theirs.write_all(b"x").await?;
                        tokio::task::yield_now().await;
                    }
                }
                .await
            }
        };
        let kind = seen.unwrap_err().kind();
        let kinds = [io::ErrorKind::ConnectionReset, io::ErrorKind::BrokenPipe];
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}

#[tokio::test]
async fn a_reset_that_is_read_at_once_is_told() {
    let (wire, theirs) = pair().await;
    assert!(wire.reader.read_at_once(&mut [0; 8]).is_none());
    theirs.set_zero_linger().unwrap();
    drop(theirs);
    let told = loop {
        match wire.reader.read_at_once(&mut [0; 8]) {
            Some(told) => break told,
            None => tokio::task::yield_now().await,
        }
    };
    assert_eq!(told.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn dropping_a_wire_ends_it_in_good_order() {
    let (wire, mut theirs) = pair().await;
    drop(wire);
    assert_eq!(theirs.read(&mut [0; 8]).await.unwrap(), 0);
}

#[tokio::test]
async fn shutting_a_pipe_down_closes_it() {
    let (ours, theirs) = tokio::net::unix::pipe::pipe().unwrap();
    let mut wire = Wire::pipes(tokio::net::unix::pipe::pipe().unwrap().1, ours);
    wire.writer.write_all(b"3\n").await.unwrap();
    wire.writer.shutdown().await.unwrap();
    let mut theirs = theirs;
    let mut bytes = Vec::new();
    theirs.read_to_end(&mut bytes).await.unwrap();
    assert_eq!(bytes, b"3\n");
    assert!(matches!(wire.writer, WireWriter::Closed));
}

#[tokio::test]
async fn a_pipe_that_nobody_can_read_any_more_shows_before_anything_is_written() {
    let (ours, theirs) = tokio::net::unix::pipe::pipe().unwrap();
    let mut wire = Wire::pipes(tokio::net::unix::pipe::pipe().unwrap().1, ours);
    wire.writer.write_all(b"unread\n").await.unwrap();
    assert!(!wire.reader_closed());
    drop(theirs);
    assert!(wire.reader_closed());
    wire.writer.shutdown().await.unwrap();
    assert!(!wire.reader_closed(), "it is we who have left");
}

#[tokio::test]
async fn what_is_read_at_once_is_what_has_come_and_never_the_end() {
    let (mut theirs, ours) = tokio::net::unix::pipe::pipe().unwrap();
    let (connected, mut far) = pair().await;
    let mut bytes = [0; 8];
    let mut piped = Wire::pipes(ours, tokio::net::unix::pipe::pipe().unwrap().0);
    let at_once = |wire: &Wire| wire.reader.read_at_once(&mut [0; 8]).map(Result::unwrap);
    assert_eq!(at_once(&piped), None);
    theirs.write_all(b"3\n").await.unwrap();
    assert_eq!(at_once(&piped), Some(2));
    drop(theirs);
    assert_eq!(at_once(&piped), None);
    assert_eq!(piped.reader.read(&mut bytes).await.unwrap(), 0);
    far.write_all(b"0 0\n").await.unwrap();
    let WireReader::Tcp(half) = &connected.reader else {
        panic!("{connected:?}")
    };
    half.readable().await.unwrap();
    assert_eq!(at_once(&connected), Some(4));
    assert!(Wire::closed().reader.read_at_once(&mut bytes).is_none());
}
