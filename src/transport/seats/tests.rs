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

/// The folder of some seats, the seats and their token.
fn seats() -> (tempfile::TempDir, Seats, String) {
    let folder = tempfile::tempdir().unwrap();
    let names = ["first", "second"].map(str::to_owned);
    let seats = Seats::open(&folder.path().join("seats"), names).unwrap();
    let token = seats.token().to_owned();
    (folder, seats, token)
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
async fn seats_are_told_apart_whoever_comes_first() {
    let (_folder, mut seats, token) = seats();
    let (mut second_in, mut second_out, second) = start(&seats, &token, "second");
    let mut wire = seats.lane("second", soon()).await.unwrap();
    second_in.write_all(b"0 0 1 1\nhalf").await.unwrap();
    let mut bytes = [0; 12];
    wire.reader.read_exact(&mut bytes).await.unwrap();
    assert_eq!(&bytes, b"0 0 1 1\nhalf");
    wire.writer.write_all(b"3\n").await.unwrap();
    wire.writer.shutdown().await.unwrap();
    let mut said = Vec::new();
    second_out.read_to_end(&mut said).await.unwrap();
    assert_eq!(said, b"3\n");
    // Our direction has ended, and theirs goes on.
    second_in.write_all(b"RETIRE\n").await.unwrap();
    drop(second_in);
    let mut rest = Vec::new();
    wire.reader.read_to_end(&mut rest).await.unwrap();
    assert_eq!(rest, b"RETIRE\n");
    assert_eq!(joined(second).await, Ok(()));
    let nobody = seats
        .lane("first", tokio::time::Instant::now().into())
        .await;
    assert_eq!(nobody.unwrap_err(), EmptySeat("first".to_owned()));
}

#[tokio::test]
async fn a_hang_up_ends_the_relay_and_both_its_streams() {
    let (_folder, mut seats, token) = seats();
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
    let (_folder, mut seats, token) = seats();
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
    let (_folder, mut seats, token) = seats();
    let unknown = "the token is not that of a running session";
    for (token, name, why) in [
        ("0000", "first", unknown),
        (&token, "third", "no such seat"),
    ] {
        let refused = joined(start(&seats, token, name).2).await.unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
    let _first = start(&seats, &token, "first");
    let _lane = seats.lane("first", soon()).await.unwrap();
    let refused = joined(start(&seats, &token, "first").2).await.unwrap_err();
    assert!(refused.contains("already"), "{refused}");
}

#[tokio::test]
async fn the_socket_is_gone_with_the_session() {
    let (_folder, seats, token) = seats();
    let path = seats.path().to_owned();
    assert!(path.exists());
    drop(seats);
    assert!(!path.exists());
    let (input, output) = nix::unistd::pipe().unwrap();
    let error = relay(&path, &token, "first", input, output).unwrap_err();
    assert!(matches!(error, RelayError::NoSession(_)), "{error}");
}
