//! A deadline that can move while it is waited for.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::{Instant, timeout_at};

/// A deadline that can move to later while it is waited for. Its clones move together.
#[derive(Debug, Clone)]
pub struct Deadline(Arc<Mutex<Instant>>);

impl From<Instant> for Deadline {
    fn from(at: Instant) -> Deadline {
        Deadline(Arc::new(Mutex::new(at)))
    }
}

impl Deadline {
    /// Returns the time at which it stands now.
    #[must_use]
    pub fn at(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true once it is over.
    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.at()
    }

    /// Moves it to this time, unless it is later already.
    pub fn extend(&self, to: Instant) {
        let mut at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *at = to.max(*at);
    }

    /// Waits for something until the deadline; `None` once that is over.
    pub async fn limit<T>(&self, doing: impl Future<Output = T>) -> Option<T> {
        let mut doing = pin!(doing);
        loop {
            let at = self.at();
            match timeout_at(at, doing.as_mut()).await {
                Ok(done) => return Some(done),
                Err(_) if self.at() > at => {}
                Err(_) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_deadline_that_moves_is_waited_for_again() {
        let deadline = Deadline::from(Instant::now());
        let moved = deadline.clone();
        let doing = async {
            moved.extend(Instant::now() + Duration::from_secs(60));
            tokio::task::yield_now().await;
            1
        };
        assert_eq!(deadline.limit(doing).await, Some(1));
        let over = Deadline::from(Instant::now());
        assert_eq!(over.limit(std::future::pending::<()>()).await, None);
    }
}
