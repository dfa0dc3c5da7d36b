//! The status of a command, and what each result contributes to it.

use std::process::{ExitCode, Termination};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::Severity;
use crate::finding::Verdict;

/// Exit status of a command. If several apply, the largest one counts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything conforms, or its verdict is allowed.
    #[default]
    Conforms,
    /// Nothing failed, but something stayed inconclusive or unsupported that the user did not excuse.
    Open,
    /// The run broke: a subject that cannot be started, a full disk.
    Broken,
    /// Something does not conform.
    Deviates,
    /// Wrong usage, or a fault in a scenario or the configuration; nothing was run. No result of a scenario.
    #[schemars(skip)]
    Usage,
    /// Interrupted. No result of a scenario.
    #[schemars(skip)]
    Interrupted,
}

impl Status {
    /// The contribution of a verdict that is not allowed.
    #[must_use]
    pub fn of(verdict: Verdict) -> Status {
        match verdict {
            Verdict::Pass | Verdict::Lenient => Status::Conforms,
            Verdict::Fail => Status::Deviates,
            Verdict::Error => Status::Broken,
            Verdict::Flaky | Verdict::Inconclusive | Verdict::Unsupported | Verdict::Skipped => {
                Status::Open
            }
        }
    }

    /// How serious a report shows it to be.
    pub(super) fn severity(self) -> Severity {
        match self {
            Status::Conforms => Severity::Note,
            Status::Open => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The number that the process exits with.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Status::Conforms => 0,
            Status::Deviates => 1,
            Status::Usage => 2,
            Status::Broken => 3,
            Status::Open => 4,
            Status::Interrupted => 130,
        }
    }

    /// The status of that number; a number that no command exits with is a broken run.
    #[must_use]
    pub fn of_code(code: u8) -> Status {
        let all = [
            Status::Conforms,
            Status::Deviates,
            Status::Usage,
            Status::Open,
            Status::Interrupted,
        ];
        let found = all.into_iter().find(|status| status.code() == code);
        found.unwrap_or(Status::Broken)
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
    use super::*;

    #[test]
    fn the_worse_of_two_is_130_then_2_1_3_4() {
        let order = [Conforms, Open, Broken, Deviates, Usage, Interrupted];
        for (place, &better) in order.iter().enumerate() {
            for &worse in &order[place..] {
                assert_eq!((better.max(worse), worse.max(better)), (worse, worse));
            }
        }
        assert_eq!(order.map(Status::code), [0, 4, 3, 1, 2, 130]);
        assert_eq!(order.map(|status| Status::of_code(status.code())), order);
        assert_eq!(Status::of_code(7), Broken);
    }
}
