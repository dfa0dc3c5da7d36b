//! How late this process is woken, as the machine is loaded now.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// How long each nap is, and how many are taken.
const NAP: Duration = Duration::from_millis(2);
const NAPS: usize = 5;

/// By how much the latest of a few short naps ended too late.
pub(super) async fn measured() -> Duration {
    let mut most = Duration::ZERO;
    for _ in 0..NAPS {
        let due = Instant::now() + NAP;
        sleep_until(due).await;
        most = most.max(due.elapsed());
    }
    most
}
