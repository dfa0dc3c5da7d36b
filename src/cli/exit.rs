//! Exit statuses, shared by all commands.

use std::process::{ExitCode, Termination};

use crate::report::Standing;

/// Meaning of an exit status. If several apply, [`Status::worse`] picks one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Everything conforms.
    Conforms = 0,
    /// Something does not conform.
    Deviates = 1,
    /// Wrong usage, or a fault in a scenario or the configuration; nothing was run.
    Usage = 2,
    /// The run broke: a subject that cannot be started, a full disk.
    Broken = 3,
    /// Nothing failed, but something stayed inconclusive or unsupported that the user did not excuse.
    Open = 4,
    /// Interrupted.
    Interrupted = 130,
}

impl Status {
    /// The number that the process exits with.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The status of that number; a number that no run exits with is a broken run.
    pub(in crate::cli) fn of_code(code: u8) -> Status {
        let all = [
            Status::Conforms,
            Status::Deviates,
            Status::Usage,
            Status::Open,
            Status::Interrupted,
        ];
        let same = all.into_iter().find(|status| status.code() == code);
        same.unwrap_or(Status::Broken)
    }

    /// The one to exit with where both apply: 130, then 2, 1, 3, 4.
    #[must_use]
    pub fn worse(self, other: Status) -> Status {
        let rank = |status| match status {
            Status::Conforms => 0,
            Status::Open => 1,
            Status::Broken => 2,
            Status::Deviates => 3,
            Status::Usage => 4,
            Status::Interrupted => 5,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

impl From<Standing> for Status {
    fn from(standing: Standing) -> Status {
        match standing {
            Standing::Conforms => Status::Conforms,
            Standing::Deviates => Status::Deviates,
            Standing::Broken => Status::Broken,
            Standing::Open => Status::Open,
        }
    }
}

impl Termination for Status {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Status::{Broken, Conforms, Deviates, Interrupted, Open, Usage};

    #[test]
    fn the_worse_of_two_is_130_then_2_1_3_4() {
        let order = [Conforms, Open, Broken, Deviates, Usage, Interrupted];
        for (place, &better) in order.iter().enumerate() {
            for &worse in &order[place..] {
                assert_eq!((better.worse(worse), worse.worse(better)), (worse, worse));
            }
        }
    }
}
