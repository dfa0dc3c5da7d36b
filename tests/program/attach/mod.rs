//! All the ways of attaching: the same scenarios, played by subjects that are reached in every way there is, give the same transcripts.
//!
//! The subjects are those of an `urtext.yaml`, as a user writes it.

mod docs;
mod init;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(target_os = "linux")]
mod life;
#[cfg(target_os = "linux")]
mod limits;
mod same;
#[cfg(target_os = "linux")]
mod supervision;
