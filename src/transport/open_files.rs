//! The limit of open files: raised for urtext where many games need it, and given back by the supervisor to what it starts.

use std::io;
use std::sync::OnceLock;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// The limit before it was raised.
static BEFORE: OnceLock<u64> = OnceLock::new();

/// Sees to it that this process may have so many files open, as far as it is allowed to, and returns how many it may have.
///
/// # Errors
/// Fails if the limit is not known or cannot be raised.
pub fn make_room(files: u64) -> io::Result<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let wanted = files.min(hard);
    if soft >= wanted {
        return Ok(soft);
    }
    BEFORE.get_or_init(|| soft);
    setrlimit(Resource::RLIMIT_NOFILE, wanted, hard)?;
    Ok(wanted)
}

/// The limit as it was before it was raised; `None` where it was not. Programs that wait by `select` break where descriptors get
/// larger than they were made for, so that subjects are given this one.
#[must_use]
pub fn before() -> Option<u64> {
    BEFORE.get().copied()
}

/// Gives a process and what it starts this limit, and leaves how far it may raise it again.
pub(super) fn restore(soft: u64) -> nix::Result<()> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_as_much_room_as_is_allowed_and_takes_none_away() {
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        assert_eq!(make_room(u64::MAX).unwrap(), hard);
        assert_eq!(make_room(1).unwrap(), hard);
        assert_eq!(getrlimit(Resource::RLIMIT_NOFILE).unwrap(), (hard, hard));
        assert!(before().is_none_or(|before| before < hard));
    }
}
