//! Many games at once, and subjects that send without end: nothing is lost, and neither files nor memory run out.

mod flood;
mod open_files;
mod referees;
mod repeats;
mod run;
mod waiting;
