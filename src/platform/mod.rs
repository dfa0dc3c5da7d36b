//! What is asked of the operating system outside connections and processes: files that are no plain files, links, permissions, signals,
//! processors. No other room but [`transport`](crate::transport) names a system's own calls, so that another system is added here and there.

mod affinity;
mod files;
mod signals;
mod written;

pub use affinity::{Processor, processors};
pub use files::{
    file_identity, is_executable, no_such_file, not_executable, only_owner, open_at_once,
    readable_by_all, special_kind, text_of_system, writable_by_all,
};
pub use signals::{
    EndSignal, EndSignals, HangUp, deliver, exit_signal, ignore_size_limit, suspend, wait_for_any,
};
pub use written::{append_below, create_below, folder_of, remove_below, write_whole};
