//! Many games at once: nothing is lost, and files do not run out.

mod open_files;
mod referees;
mod run;
mod waiting;
