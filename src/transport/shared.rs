//! Several lanes over one input and one output, as records with a head.

#![doc = include_str!("shared.md")]

use tokio::io::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, duplex,
    split,
};
use tokio::sync::mpsc;

use super::Wire;

/// Maximum number of bytes buffered for one direction of one lane.
const HELD: usize = 64 * 1024;

/// Maximum number of records that wait to be written; further records block their lanes.
const WAITING: usize = 64;

/// The lanes that share one input and one output.
#[derive(Debug)]
pub struct Shared {
    lanes: Vec<Lane>,
    records: mpsc::Sender<Vec<u8>>,
}

#[derive(Debug)]
struct Lane {
    name: String,
    /// Our end, until the lane is opened, and the direction of the other end that carries what we send.
    ends: Option<(DuplexStream, ReadHalf<DuplexStream>)>,
}

impl Shared {
    /// Divides what comes from a subject among lanes of these names. Lines that are no records are given to `others`, without
    /// their line feed and in pieces where they are long.
    pub fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        names: impl IntoIterator<Item = String>,
        others: impl FnMut(&[u8]) + Send + 'static,
    ) -> Shared {
        let (mut lanes, mut targets) = (Vec::new(), Vec::new());
        for name in names {
            let (ours, theirs) = duplex(HELD);
            let (sent, received) = split(theirs);
            targets.push(Target {
                head: format!("{name}<").into_bytes(),
                stream: Some(received),
            });
            lanes.push(Lane {
                name,
                ends: Some((ours, sent)),
            });
        }
        let (records, waiting) = mpsc::channel(WAITING);
        tokio::spawn(write(writer, waiting));
        tokio::spawn(divide(reader, targets, others));
        Shared { lanes, records }
    }

    /// Opens a lane; `None` where there is none of that number, or it was opened before.
    pub async fn open(&mut self, lane: usize) -> Option<Wire> {
        let Lane { name, ends } = self.lanes.get_mut(lane)?;
        let (ours, sent) = ends.take()?;
        // A subject that reads nothing any more shows that on its own direction.
        drop(
            self.records
                .send(format!("{name}>open\n").into_bytes())
                .await,
        );
        tokio::spawn(gather(name.clone(), sent, self.records.clone()));
        let (reader, writer) = split(ours);
        Some(Wire::new(reader, writer))
    }
}

async fn write(mut writer: impl AsyncWrite + Unpin, mut records: mpsc::Receiver<Vec<u8>>) {
    while let Some(record) = records.recv().await {
        if writer.write_all(&record).await.is_err() {
            // Nobody reads: what is sent from now on goes nowhere, as on any closed pipe.
            records.close();
        }
    }
    drop(writer.shutdown().await);
}

/// Makes records of what is sent on one lane.
async fn gather(name: String, mut sent: ReadHalf<DuplexStream>, records: mpsc::Sender<Vec<u8>>) {
    let mut buffer = vec![0; 4096];
    while let Ok(count @ 1..) = sent.read(&mut buffer).await {
        for piece in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            let (kind, text) = match piece.strip_suffix(b"\n") {
                Some(line) => ("", line),
                None => ("part", piece),
            };
            let record = [name.as_bytes(), b">", kind.as_bytes(), b" ", text, b"\n"].concat();
            if records.send(record).await.is_err() {
                return;
            }
        }
    }
    drop(records.send(format!("{name}>end\n").into_bytes()).await);
}

/// Destination of the records of one lane.
struct Target {
    head: Vec<u8>,
    /// `None` once the subject has ended it.
    stream: Option<WriteHalf<DuplexStream>>,
}

/// Position of the next byte in a record.
enum Place {
    /// In its head, of which this is known.
    Head(Vec<u8>),
    /// In the text for this lane; whether its line feed belongs to it.
    Text(usize, bool),
    /// In a line that is no record.
    Other,
}

async fn divide(
    mut reader: impl AsyncRead + Unpin,
    mut targets: Vec<Target>,
    mut others: impl FnMut(&[u8]),
) {
    let longest = targets
        .iter()
        .map(|target| target.head.len())
        .max()
        .unwrap_or(0)
        + b"part ".len();
    let mut place = Place::Head(Vec::new());
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = reader.read(&mut buffer).await {
        let mut rest = &buffer[..count];
        while !rest.is_empty() {
            place = match place {
                Place::Head(mut head) => {
                    let (&byte, after) = rest.split_first().expect("there is something left");
                    rest = after;
                    head.push(byte);
                    read_head(head, longest, &mut targets, &mut others).await
                }
                Place::Text(lane, is_line) => {
                    let end = rest.iter().position(|&byte| byte == b'\n');
                    let length = end.map_or(rest.len(), |end| if is_line { end + 1 } else { end });
                    deliver(&mut targets[lane], &rest[..length]).await;
                    rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
                    if end.is_some() {
                        Place::Head(Vec::new())
                    } else {
                        Place::Text(lane, is_line)
                    }
                }
                Place::Other => {
                    let end = rest.iter().position(|&byte| byte == b'\n');
                    others(&rest[..end.unwrap_or(rest.len())]);
                    rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
                    if end.is_some() {
                        Place::Head(Vec::new())
                    } else {
                        Place::Other
                    }
                }
            };
        }
    }
    if let Place::Head(head) = place
        && !head.is_empty()
    {
        others(&head);
    }
    for stream in targets
        .iter_mut()
        .filter_map(|target| target.stream.as_mut())
    {
        drop(stream.shutdown().await);
    }
}

/// Interprets a head whose last byte has just been read, and returns the position of the next byte.
async fn read_head(
    head: Vec<u8>,
    longest: usize,
    targets: &mut [Target],
    others: &mut impl FnMut(&[u8]),
) -> Place {
    let found = targets.iter().enumerate().find_map(|(lane, target)| {
        head.strip_prefix(target.head.as_slice())
            .map(|kind| (lane, kind))
    });
    match found {
        Some((lane, b" ")) => return Place::Text(lane, true),
        Some((lane, b"part ")) => return Place::Text(lane, false),
        Some((lane, b"\n")) => {
            deliver(&mut targets[lane], b"\n").await;
            return Place::Head(Vec::new());
        }
        Some((lane, b"end\n")) => {
            if let Some(mut stream) = targets[lane].stream.take() {
                drop(stream.shutdown().await);
            }
            return Place::Head(Vec::new());
        }
        _ => {}
    }
    if let Some(line) = head.strip_suffix(b"\n") {
        others(line);
        return Place::Head(Vec::new());
    }
    if head.len() >= longest {
        others(&head);
        return Place::Other;
    }
    Place::Head(head)
}

async fn deliver(target: &mut Target, bytes: &[u8]) {
    if let Some(stream) = &mut target.stream
        && stream.write_all(bytes).await.is_err()
    {
        // The participant has gone; what it would have received is lost, as on a closed connection.
        target.stream = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Two lanes with a subject at the other end, and what it says beside them.
    fn shared() -> (Shared, DuplexStream, Arc<Mutex<Vec<String>>>) {
        let (ours, theirs) = duplex(1 << 20);
        let (reader, writer) = split(ours);
        let others = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&others);
        let names = ["first".to_owned(), "spectator1".to_owned()];
        let shared = Shared::new(reader, writer, names, move |line| {
            heard
                .lock()
                .unwrap()
                .push(String::from_utf8_lossy(line).into_owned());
        });
        (shared, theirs, others)
    }

    async fn all(mut wire: Wire) -> Vec<u8> {
        let mut bytes = Vec::new();
        wire.reader.read_to_end(&mut bytes).await.unwrap();
        bytes
    }

    #[tokio::test]
    async fn divides_records_among_lanes_byte_for_byte() {
        let text = b"hello there, harness\nfirst< 0 0\r\nspectator1< \xff\0\nfirst<\nfirst<part 1\nfirst<  2\nfirst>3\n\
            firsts< no\nspectator1<end\nspectator1< late\nfirst< half";
        for size in [1, 7, 1024] {
            let (mut shared, mut subject, others) = shared();
            let (first, spectator) = (shared.open(0).await.unwrap(), shared.open(1).await.unwrap());
            for chunk in text.chunks(size) {
                subject.write_all(chunk).await.unwrap();
                tokio::task::yield_now().await;
            }
            subject.shutdown().await.unwrap();
            assert_eq!(all(first).await, b"0 0\r\n\n1 2\nhalf");
            assert_eq!(all(spectator).await, b"\xff\0\n");
            assert_eq!(
                others.lock().unwrap().concat(),
                "hello there, harnessfirst>3firsts< no"
            );
            assert!(shared.open(0).await.is_none() && shared.open(2).await.is_none());
        }
    }

    #[tokio::test]
    async fn makes_records_of_what_is_sent_in_order() {
        let (mut shared, mut subject, _) = shared();
        let mut first = shared.open(0).await.unwrap();
        let mut heard = vec![0; b"first>open\n".len()];
        subject.read_exact(&mut heard).await.unwrap();
        assert_eq!(heard, b"first>open\n");
        for (sent, record) in [
            (b"3\n" as &[u8], b"first> 3\n" as &[u8]),
            (b"0 0", b"first>part 0 0\n"),
            (b"\r\n\n", b"first> \r\nfirst> \n"),
        ] {
            first.writer.write_all(sent).await.unwrap();
            let mut heard = vec![0; record.len()];
            subject.read_exact(&mut heard).await.unwrap();
            assert_eq!(heard, record);
        }
        first.writer.shutdown().await.unwrap();
        drop(shared);
        let mut heard = Vec::new();
        subject.read_to_end(&mut heard).await.unwrap();
        assert_eq!(
            heard, b"first>end\n",
            "and the end of the input follows when nobody can send any more"
        );
    }
}
