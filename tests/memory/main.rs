//! The memory that urtext takes, in a process of its own: it is that of all that the process has ever started.

mod flood;
mod pings;
mod repeats;
