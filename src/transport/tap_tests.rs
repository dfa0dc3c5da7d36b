use std::net::TcpListener;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

use super::*;

/// Events in order.
type OwedLine = Mutex<Vec<(Direction, Result<Vec<u8>, Close>)>>;

fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (near, listener.accept().unwrap().0)
}

/// A participant and a referee, what passes between them, and when it is over.
fn between() -> (TcpStream, TcpStream, std::sync::Arc<OwedLine>, Receiver<()>) {
    let ((participant, near), (far, referee)) = (connection(), connection());
    let told = std::sync::Arc::new(OwedLine::default());
    let (done, is_done) = channel();
    let kept = std::sync::Arc::clone(&told);
    std::thread::spawn(move || {
        pass_connection(&near, &far, |direction, passing| {
            let mut kept = kept.lock().unwrap();
            match passing {
                Passing::Closed(close) => kept.push((direction, Err(close))),
                Passing::Bytes(bytes) => match kept.last_mut() {
                    Some((last, Ok(before))) if *last == direction => before.extend(bytes),
                    _ => kept.push((direction, Ok(bytes.to_vec()))),
                },
            }
        });
        drop((near, far));
        done.send(()).unwrap();
    });
    (participant, referee, told, is_done)
}

fn received(mut stream: &TcpStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}

#[test]
fn half_a_line_goes_on_at_once_and_is_told_before_it_does() {
    let (mut participant, mut referee, told, _) = between();
    referee.write_all(b"0 0").unwrap();
    // It has no newline, and is there all the same.
    assert_eq!(received(&participant, 3), b"0 0");
    assert_eq!(
        *told.lock().unwrap(),
        [(Direction::Received, Ok(b"0 0".to_vec()))]
    );
    participant.write_all(b"\xff\0").unwrap();
    assert_eq!(received(&referee, 2), b"\xff\0");
    assert_eq!(
        told.lock().unwrap()[1],
        (Direction::Sent, Ok(b"\xff\0".to_vec()))
    );
}

#[test]
fn the_end_of_one_direction_leaves_the_other_open() {
    let (mut participant, mut referee, told, is_done) = between();
    participant.write_all(b"3\n").unwrap();
    participant.shutdown(Shutdown::Write).unwrap();
    let mut rest = Vec::new();
    referee.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"3\n");
    referee.write_all(b"RETIRE\n").unwrap();
    assert_eq!(received(&participant, 7), b"RETIRE\n");
    drop(referee);
    assert_eq!(participant.read(&mut [0]).unwrap(), 0);
    is_done.recv().unwrap();
    let told = told.lock().unwrap();
    let ends = told.iter().filter(|(_, what)| what.is_err()).cloned();
    let end = |direction| (direction, Err(Close::End));
    assert!(ends.eq([end(Direction::Sent), end(Direction::Received)]));
}

#[test]
fn a_reset_goes_on_as_a_reset_to_either_side() {
    for is_by_referee in [true, false] {
        let (participant, referee, told, is_done) = between();
        let (mut heard, resets, direction) = match is_by_referee {
            true => (participant, referee, Direction::Received),
            false => (referee, participant, Direction::Sent),
        };
        (&resets).write_all(b"0\n").unwrap();
        assert_eq!(received(&heard, 2), b"0\n");
        refuse(resets);
        let error = heard.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{direction:?}");
        is_done.recv().unwrap();
        assert_eq!(
            told.lock().unwrap().last(),
            Some(&(direction, Err(Close::Reset)))
        );
    }
}

#[test]
fn who_sends_to_somebody_who_is_gone_is_told() {
    let (participant, mut referee, _, is_done) = between();
    drop(participant);
    let lost = loop {
        if let Err(error) = referee.write_all(b"0 0 1 1\n") {
            break error;
        }
    };
    let kinds = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
    assert!(kinds.contains(&lost.kind()), "{lost}");
    is_done.recv().unwrap();
}

#[test]
fn more_than_all_buffers_hold_passes_in_both_directions_unchanged() {
    const BYTES: usize = 12 << 20;
    let (participant, referee, _, is_done) = between();
    let pattern = |seed: usize| {
        (0..BYTES)
            .map(|at| ((at * 31 + seed) >> 3) as u8)
            .collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        for (seed, near, far) in [(1, &participant, &referee), (2, &referee, &participant)] {
            scope.spawn(move || {
                let mut near = near;
                near.write_all(&pattern(seed)).unwrap();
                near.shutdown(Shutdown::Write).unwrap();
            });
            scope.spawn(move || {
                let mut bytes = Vec::new();
                let mut far = far;
                far.read_to_end(&mut bytes).unwrap();
                assert!(bytes == pattern(seed), "{} bytes came", bytes.len());
            });
        }
    });
    is_done.recv().unwrap();
}

#[test]
fn a_pipe_that_nobody_reads_any_more_is_closed_before_anything_is_written() {
    let (from, ours) = nix::unistd::pipe().unwrap();
    let (theirs, to) = nix::unistd::pipe().unwrap();
    let (done, is_done) = channel();
    std::thread::spawn(move || {
        pass_pipe(from, to, None, |passing| {
            done.send(passing == Passing::Closed(Close::Reset)).unwrap()
        })
    });
    let mut ours = File::from(ours);
    ours.write_all(b"0\n").unwrap();
    assert_eq!(is_done.recv(), Ok(false));
    let mut theirs = File::from(theirs);
    let mut line = [0; 2];
    theirs.read_exact(&mut line).unwrap();
    assert_eq!(&line, b"0\n");
    drop(theirs);
    assert_eq!(is_done.recv(), Ok(true));
    assert_eq!(is_done.recv().ok(), None, "the thread has ended");
    assert_eq!(
        ours.write(b"1\n").unwrap_err().kind(),
        ErrorKind::BrokenPipe
    );
}

#[test]
fn a_pipe_that_is_to_be_left_is_left_once_all_has_been_passed_on() {
    const BYTES: usize = 4000;
    let (from, mut ours) = std::io::pipe().unwrap();
    let (mut theirs, to) = std::io::pipe().unwrap();
    let (leave, stay) = std::io::pipe().unwrap();
    ours.write_all(&[b'x'; BYTES]).unwrap();
    drop(stay);
    pass_pipe(from.into(), to.into(), Some(&leave.into()), |_| ());
    let mut all = Vec::new();
    theirs.read_to_end(&mut all).unwrap();
    assert_eq!(all.len(), BYTES);
    // Whoever could still write has not closed it.
    assert_eq!(ours.write(b"x").unwrap_err().kind(), ErrorKind::BrokenPipe);
}
