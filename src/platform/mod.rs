//! What is asked of the operating system outside connections and processes: files that are no plain files, links, permissions, signals,
//! processors. No other room but [`transport`](crate::transport) names a system's own calls, so that another system is added here and there.

mod affinity;
mod files;
mod output;
mod signals;
mod written;

pub use affinity::{Processor, processors};
pub use files::{
    FolderLock, file_identity, in_repository, lock_folder, make_room_for_files, no_such_file,
    not_executable, only_owner, open_at_once, open_files_before, restore_open_files, special_kind,
};
pub use output::{
    copy_output, is_special_output, is_standard_output, open_special_output, probe_folder,
    probe_output, write_output,
};
pub use signals::{
    EndSignal, EndSignals, HangUp, deliver, exit_signal, survive_size_limit, suspend,
};
pub use written::{append_below, create_below, folder_of, numbered, remove_below};
