//! Matches on a Code Colosseum server: an independent one in Python, with everything that such a server can do wrong, and the real
//! one where the environment names it.

mod client;
mod lanes;
mod real;
mod server;
mod watched;
