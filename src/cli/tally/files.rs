//! The files of an archive, counted one by one, and written down for a later verification that goes on.

use super::super::Status;
use super::super::output::broken;
use super::Tally;
use crate::diagnostic::visible;
use crate::report::{VerdictCounts, VerifiedFile, VerifiedWriter};

impl Tally {
    /// Writes each file down once its games are counted.
    pub(in crate::cli) fn write_down(&mut self, writer: VerifiedWriter) {
        self.written = Some(writer);
    }

    /// Takes a status, for all games and for those of this file.
    pub(super) fn be(&mut self, status: Status) {
        self.status = self.status.worse(status);
        self.file_status = self.file_status.worse(status);
    }

    /// Counts a file of this size as done. `verified` is the file as it was before it was read.
    pub(in crate::cli) fn done(&mut self, size: u64, verified: Option<VerifiedFile>) {
        self.size_done += size;
        let status = std::mem::replace(&mut self.file_status, Status::Conforms);
        let before = std::mem::replace(&mut self.before, self.counts.clone());
        let (Some(writer), Some(verified)) = (&mut self.written, verified) else {
            return;
        };
        let counts = VerdictCounts {
            status: status.code(),
            ..self.counts.without(&before)
        };
        if let Err(error) = writer.add(&VerifiedFile { counts, ..verified }) {
            let status = broken(&format!(
                "the list of verified files cannot be written: {error}"
            ));
            self.written = None;
            self.be(status);
        }
    }

    /// Counts a file as it was judged before.
    pub(in crate::cli) fn known(&mut self, file: &VerifiedFile) {
        let counts = &file.counts;
        self.size_done += file.size;
        self.counts.add(counts);
        self.before = self.counts.clone();
        self.status = self.status.worse(Status::of_code(counts.status));
        let faults = counts.complaints + counts.unreadable;
        let name = visible::plain(&file.file).to_string();
        if let Some(cases) = &mut self.cases {
            cases.add_counts(&name, counts);
        }
        if faults > 0 {
            let text = match faults {
                1 => format!("fail {name}: 1 complaint, shown when the file was verified"),
                _ => format!("fail {name}: {faults} complaints, shown when the file was verified"),
            };
            self.tell(true, text);
        }
    }

    /// Returns the number of bytes of the files that are done.
    pub(in crate::cli) fn size_done(&self) -> u64 {
        self.size_done
    }
}
