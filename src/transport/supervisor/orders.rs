use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::config::Limits;

/// What a supervisor is told on its command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::transport) struct Orders {
    /// The descriptor of its end of the socket.
    pub(in crate::transport) channel: i32,
    /// What the subject may use up.
    pub(in crate::transport) limits: Limits,
    /// How many files may be open where `limits` does not say: as many as before urtext raised its own limit. `None`: it did not.
    pub(in crate::transport) files_before: Option<u64>,
    /// What is to be removed when urtext is gone.
    pub(in crate::transport) remove: Option<PathBuf>,
    /// The subject's command.
    pub(in crate::transport) words: Vec<OsString>,
}

impl Orders {
    /// The arguments that say so.
    pub(in crate::transport) fn to_arguments(&self) -> Vec<OsString> {
        let number =
            |number: Option<u64>| OsString::from(number.map_or("-".to_owned(), |number| number.to_string()));
        let mut arguments = vec![
            self.channel.to_string().into(),
            number(self.limits.memory),
            number(self.limits.cpu.map(|time| time.as_secs())),
            number(self.limits.open_files),
            number(self.files_before),
            self.remove.clone().unwrap_or_default().into_os_string(),
        ];
        arguments.extend(self.words.iter().cloned());
        arguments
    }

    /// Reads them again; `None` where somebody else wrote them.
    pub(super) fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Orders> {
        let channel = arguments.next()?.to_str()?.parse().ok()?;
        let mut number = || match arguments.next()?.to_str()? {
            "-" => Some(None),
            digits => digits.parse::<u64>().ok().map(Some),
        };
        let (memory, cpu, open_files, files_before) = (number()?, number()?, number()?, number()?);
        let limits = Limits { memory, cpu: cpu.map(Duration::from_secs), open_files };
        let remove = Some(arguments.next()?).filter(|path| !path.is_empty()).map(PathBuf::from);
        let words: Vec<_> = arguments.collect();
        (!words.is_empty()).then_some(Orders { channel, limits, files_before, remove, words })
    }
}

/// What a supervisor tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::transport) enum Report {
    /// The subject runs, as this process.
    Started(i32),
    /// It cannot be started: the system's error number.
    Failed(i32),
    /// It has exited.
    Exited(i32),
    /// It was killed by a signal.
    Signalled(i32),
}

impl Report {
    /// The line that says so.
    pub(super) fn to_line(self) -> String {
        let (word, number) = match self {
            Report::Started(number) => ("started", number),
            Report::Failed(number) => ("failed", number),
            Report::Exited(number) => ("exited", number),
            Report::Signalled(number) => ("signalled", number),
        };
        format!("{word} {number}\n")
    }

    /// Reads the line again.
    pub(in crate::transport) fn from_line(line: &str) -> Option<Report> {
        let (word, number) = line.trim_end().split_once(' ')?;
        let number = number.parse().ok()?;
        Some(match word {
            "started" => Report::Started(number),
            "failed" => Report::Failed(number),
            "exited" => Report::Exited(number),
            "signalled" => Report::Signalled(number),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_reports_are_read_as_they_were_written() {
        let orders = Orders {
            channel: 7,
            limits: Limits { memory: Some(1 << 30), cpu: None, open_files: Some(64) },
            files_before: Some(1024),
            remove: Some("/tmp/a b".into()),
            words: vec!["ref".into(), "".into(), "--x".into()],
        };
        assert_eq!(Orders::from_arguments(orders.to_arguments().into_iter()), Some(orders.clone()));
        let bare = Orders { limits: Limits::default(), files_before: None, remove: None, ..orders };
        assert_eq!(Orders::from_arguments(bare.to_arguments().into_iter()), Some(bare));
        assert_eq!(Orders::from_arguments(["x".into()].into_iter()), None);
        for report in [Report::Started(12), Report::Failed(2), Report::Exited(-1), Report::Signalled(9)] {
            assert_eq!(Report::from_line(&report.to_line()), Some(report));
        }
    }
}
