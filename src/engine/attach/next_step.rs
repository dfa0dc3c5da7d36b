use super::Breakdown;
use crate::transport::coco::Failure;

impl Breakdown {
    /// Output of the subject that explains the breakdown; standard error is shown with every breakdown anyway.
    pub(in crate::engine) fn printed(&self) -> Option<String> {
        let (Breakdown::NeverReady { printed, .. } | Breakdown::EndedUnready { printed, .. }) = self else {
            return None;
        };
        Some(match printed.as_str() {
            "" => "the subject printed nothing on standard output".to_owned(),
            printed => format!("the subject printed on standard output:\n{printed}"),
        })
    }

    /// What the user can do about it.
    pub(in crate::engine) fn next_step(&self) -> &'static str {
        match self {
            Breakdown::Start(_) => {
                "check that the program exists and can be executed; a path is taken from the folder you are in"
            }
            Breakdown::StartTimeout(_) => "--start-budget gives it more time",
            Breakdown::NeverReady { .. } => {
                "write `ready` as the subject prints it, with {any} for what differs; --start-budget gives it more time"
            }
            Breakdown::Connect(_) | Breakdown::Accept(_) | Breakdown::Pipe(_) | Breakdown::Seat(_) => {
                "check the address, and that it is the one the subject uses; --start-budget gives it more time"
            }
            Breakdown::Match(Failure::Connect(_) | Failure::Silent { .. }) => {
                "check that a server of matches listens there; --start-budget gives it more time"
            }
            Breakdown::Match(failure) => failure.next_step(),
            Breakdown::Ended { .. } | Breakdown::EndedUnready { .. } => {
                "start it by hand with the same arguments, and see what it says"
            }
            Breakdown::NotReady(_) | Breakdown::NotAnAddress(_) | Breakdown::NoAddress(_) => {
                "have it listen where {port} and {spectator_port} in its command say, or print a line \
                 `listening players=HOST:PORT spectators=HOST:PORT` first"
            }
            Breakdown::Port(_) => {
                "end some of what listens on this machine, or play fewer games at once with --jobs"
            }
            Breakdown::RollFile(_) | Breakdown::Folder(_) | Breakdown::Socket(_) => {
                "check the space and the permissions of the folder for temporary files (TMPDIR)"
            }
            Breakdown::Interrupted => "run it again",
            Breakdown::NoProgram => "start urtext by its whole path",
            Breakdown::NoDoor(_) => "say how its spectators are reached",
            Breakdown::Unheard(_) | Breakdown::NoReply(_) | Breakdown::OtherReply { .. } => {
                "compare what is said and expected on connecting with what the subject's own clients do"
            }
        }
    }
}
