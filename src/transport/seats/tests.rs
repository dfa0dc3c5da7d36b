use tokio::net::unix::pipe;

use super::*;

/// A relay in a thread, and our ends of its standard streams.
fn start(
    seats: &Seats,
    token: &str,
    name: &str,
) -> (
    pipe::Sender,
    pipe::Receiver,
    std::thread::JoinHandle<Result<(), String>>,
) {
    let (theirs_in, ours_in) = nix::unistd::pipe().unwrap();
    let (ours_out, theirs_out) = nix::unistd::pipe().unwrap();
    let (path, token, name) = (seats.path().to_owned(), token.to_owned(), name.to_owned());
    let relaying = std::thread::spawn(move || {
        relay(&path, &token, &name, theirs_in, theirs_out).map_err(|error| error.to_string())
    });
    (
        pipe::Sender::from_owned_fd(ours_in).unwrap(),
        pipe::Receiver::from_owned_fd(ours_out).unwrap(),
        relaying,
    )
}

fn seats(folder: &tempfile::TempDir) -> Seats {
    Seats::open(
        &folder.path().join("seats"),
        ["first".to_owned(), "second".to_owned()],
    )
    .unwrap()
}

fn soon() -> Deadline {
    (tokio::time::Instant::now() + Duration::from_secs(30)).into()
}

/// Waits for a thread without holding up the tasks that it may wait for.
async fn joined<T: Send + 'static>(thread: std::thread::JoinHandle<T>) -> T {
    tokio::task::spawn_blocking(move || thread.join().unwrap())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_hang_up_ends_the_relay_and_both_its_streams() {
    let folder = tempfile::tempdir().unwrap();
    let mut seats = seats(&folder);
    let token = seats.token().to_owned();
    let (input, mut output, relaying) = start(&seats, &token, "first");
    drop(seats.lane("first", soon()).await.unwrap());
    assert_eq!(output.read(&mut [0]).await.unwrap(), 0);
    assert_eq!(
        joined(relaying).await,
        Ok(()),
        "although its input is open still"
    );
    drop(input);
}

#[tokio::test]
async fn a_program_that_closes_its_streams_is_seen_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut seats = seats(&folder);
    let token = seats.token().to_owned();
    let (input, output, _relaying) = start(&seats, &token, "first");
    let mut wire = seats.lane("first", soon()).await.unwrap();
    drop((input, output));
    assert_eq!(wire.reader.read(&mut [0]).await.unwrap(), 0);
    while wire.writer.write_all(b"0\n").await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_does_not_know_the_token_or_comes_twice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut seats = seats(&folder);
    let token = seats.token().to_owned();
    let refused = |token: &str, name: &str| joined(start(&seats, token, name).2);
    assert!(
        refused("0000", "first")
            .await
            .unwrap_err()
            .contains("the token is not that of a running session")
    );
    assert!(
        refused(&token, "third")
            .await
            .unwrap_err()
            .contains("no such seat")
    );
    let _first = start(&seats, &token, "first");
    let _lane = seats.lane("first", soon()).await.unwrap();
    assert!(
        joined(start(&seats, &token, "first").2)
            .await
            .unwrap_err()
            .contains("already")
    );
}
