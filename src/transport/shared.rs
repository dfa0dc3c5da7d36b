//! Several lanes over one input and one output, as records with a head.

#![doc = include_str!("shared.md")]

use std::sync::Arc;

use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream,
    ReadHalf, WriteHalf, duplex, split,
};
use tokio::sync::Mutex;

use super::Wire;

/// Maximum number of bytes buffered for one direction of one lane.
const HELD: usize = 64 * 1024;

/// The longest piece of a record that is read at once, in bytes.
const PIECE: u64 = 16 * 1024;

/// The subject's input; `None` once nobody reads it.
type Input = Arc<Mutex<Option<Box<dyn AsyncWrite + Send + Unpin>>>>;

/// A lane that shares the input and the output of a subject with others.
pub struct SharedLane {
    name: String,
    ours: DuplexStream,
    /// The direction of the other end that carries what we send.
    sent: ReadHalf<DuplexStream>,
    input: Input,
}

impl SharedLane {
    /// Divides what comes from a subject among lanes of these names. Lines that are no records are given to `others`, without
    /// their line feed and in pieces where they are long.
    pub fn all(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        names: impl IntoIterator<Item = String>,
        others: impl FnMut(&[u8]) + Send + 'static,
    ) -> Vec<SharedLane> {
        let input: Input = Arc::new(Mutex::new(Some(Box::new(writer))));
        let (mut lanes, mut targets) = (Vec::new(), Vec::new());
        for name in names {
            let (ours, theirs) = duplex(HELD);
            let (sent, received) = split(theirs);
            targets.push(Target {
                head: format!("{name}<").into_bytes(),
                stream: Some(received),
            });
            let input = Arc::clone(&input);
            lanes.push(SharedLane {
                name,
                ours,
                sent,
                input,
            });
        }
        tokio::spawn(divide(reader, targets, others));
        lanes
    }

    /// Opens the lane.
    pub async fn open(self) -> Wire {
        write(&self.input, format!("{}>open\n", self.name).as_bytes()).await;
        tokio::spawn(gather(self.name, self.sent, self.input));
        Wire::new(self.ours)
    }
}

/// Writes a record. A subject that reads nothing any more shows that on its own direction: what is sent goes nowhere, as on any closed pipe.
async fn write(input: &Input, record: &[u8]) {
    let mut input = input.lock().await;
    if let Some(stream) = &mut *input
        && stream.write_all(record).await.is_err()
    {
        *input = None;
    }
}

/// Makes records of what is sent on one lane.
async fn gather(name: String, mut sent: ReadHalf<DuplexStream>, input: Input) {
    let mut buffer = vec![0; 4096];
    while let Ok(count @ 1..) = sent.read(&mut buffer).await {
        for piece in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            let (kind, text) = match piece.strip_suffix(b"\n") {
                Some(line) => ("", line),
                None => ("part", piece),
            };
            let record = [name.as_bytes(), b">", kind.as_bytes(), b" ", text, b"\n"].concat();
            write(&input, &record).await;
        }
    }
    write(&input, format!("{name}>end\n").as_bytes()).await;
}

/// Destination of the records of one lane.
struct Target {
    head: Vec<u8>,
    /// `None` once the subject has ended it.
    stream: Option<WriteHalf<DuplexStream>>,
}

/// The destination of a piece of a record.
#[derive(Clone, Copy)]
enum To {
    /// This lane; whether the line feed at the end of the record belongs to its text.
    Lane(usize, bool),
    /// This lane ends.
    End(usize),
    /// It is a piece of a line that is no record.
    Others,
}

async fn divide(
    reader: impl AsyncRead + Unpin,
    mut targets: Vec<Target>,
    mut others: impl FnMut(&[u8]),
) {
    let mut reader = BufReader::new(reader);
    let (mut piece, mut unfinished) = (Vec::new(), None);
    while let Ok(1..) = (&mut reader)
        .take(PIECE)
        .read_until(b'\n', &mut piece)
        .await
    {
        let line = piece.strip_suffix(b"\n");
        let (to, from) = unfinished.map_or_else(|| destination(&piece, &targets), |to| (to, 0));
        unfinished = line.is_none().then_some(to);
        match to {
            To::Lane(lane, is_line) => {
                let text = line.filter(|_| !is_line).unwrap_or(&piece);
                targets[lane].deliver(&text[from..]).await;
            }
            To::End(lane) => targets[lane].end().await,
            To::Others => others(line.unwrap_or(&piece)),
        }
        piece.clear();
    }
    for target in &mut targets {
        target.end().await;
    }
}

/// Reads the head of a record: the destination, and where the text begins.
fn destination(piece: &[u8], targets: &[Target]) -> (To, usize) {
    let heads = targets.iter().enumerate();
    let found = heads.filter_map(|(lane, Target { head, .. })| {
        Some((lane, head.len(), piece.strip_prefix(&head[..])?))
    });
    let read = |(lane, head, rest): (usize, usize, &[u8])| match rest {
        b"\n" => Some((To::Lane(lane, true), head)),
        b"end\n" => Some((To::End(lane), 0)),
        [b' ', ..] => Some((To::Lane(lane, true), head + 1)),
        [b'p', b'a', b'r', b't', b' ', ..] => Some((To::Lane(lane, false), head + b"part ".len())),
        _ => None,
    };
    found.filter_map(read).next().unwrap_or((To::Others, 0))
}

impl Target {
    async fn deliver(&mut self, bytes: &[u8]) {
        if let Some(stream) = &mut self.stream
            && stream.write_all(bytes).await.is_err()
        {
            // The participant has gone; what it would have received is lost, as on a closed connection.
            self.stream = None;
        }
    }

    async fn end(&mut self) {
        if let Some(mut stream) = self.stream.take() {
            drop(stream.shutdown().await);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::io::{Join, join};

    use super::*;

    /// The subject's ends of its output and its input.
    type Subject = Join<DuplexStream, DuplexStream>;

    /// What a subject says beside its lanes.
    type Others = Arc<Mutex<Vec<String>>>;

    /// Two lanes with a subject at the other end, and what it says beside them.
    fn shared() -> ([SharedLane; 2], Subject, Others) {
        let [(reader, output), (writer, input)] = [(); 2].map(|()| duplex(1 << 20));
        let theirs = join(input, output);
        let others = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&others);
        let names = ["first".to_owned(), "spectator1".to_owned()];
        let lanes = SharedLane::all(reader, writer, names, move |line| {
            heard
                .lock()
                .unwrap()
                .push(String::from_utf8_lossy(line).into_owned());
        });
        let Ok(lanes) = lanes.try_into() else {
            panic!("two lanes")
        };
        (lanes, theirs, others)
    }

    async fn all(mut wire: Wire) -> Vec<u8> {
        let mut bytes = Vec::new();
        wire.read_to_end(&mut bytes).await.unwrap();
        bytes
    }

    #[tokio::test]
    async fn divides_records_among_lanes_byte_for_byte() {
        let text = b"hello there, harness\nfirst< 0 0\r\nspectator1< \xff\0\nfirst<\nfirst<part 1\nfirst<  2\nfirst>3\n\
            firsts< no\nspectator1<end\nspectator1< late\nfirst< half";
        for size in [1, 7, 1024] {
            let ([first, spectator], mut subject, others) = shared();
            let (first, spectator) = (first.open().await, spectator.open().await);
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
        }
    }

    #[tokio::test]
    async fn makes_records_of_what_is_sent_in_order() {
        let ([first, spectator], mut subject, _) = shared();
        let mut first = first.open().await;
        let mut heard = vec![0; b"first>open\n".len()];
        subject.read_exact(&mut heard).await.unwrap();
        assert_eq!(heard, b"first>open\n");
        for (sent, record) in [
            (b"3\n" as &[u8], b"first> 3\n" as &[u8]),
            (b"0 0", b"first>part 0 0\n"),
            (b"\r\n\n", b"first> \r\nfirst> \n"),
        ] {
            first.write_all(sent).await.unwrap();
            let mut heard = vec![0; record.len()];
            subject.read_exact(&mut heard).await.unwrap();
            assert_eq!(heard, record);
        }
        first.shutdown().await.unwrap();
        drop(spectator);
        let mut heard = Vec::new();
        subject.read_to_end(&mut heard).await.unwrap();
        assert_eq!(
            heard, b"first>end\n",
            "and the end of the input follows when nobody can send any more"
        );
    }
}
