//! The tests that play, judge or convert games with the built binary, and those of whole parts of the library. They are one program,
//! because each program is linked anew, and only the tests of one program run side by side.

mod harness;

mod attach;
mod bad_input;
mod bot;
mod browser;
mod cases;
mod check;
mod coco;
mod completions;
mod explain;
mod explore;
mod faulty;
mod guide;
mod lines;
mod many;
mod outputs;
mod own_game;
mod page;
mod pages;
mod picture;
mod readings;
mod real_peers;
mod record;
mod referee;
mod replay;
mod report;
mod requirements;
mod run;
mod sample;
mod scenario;
mod schema;
mod verify;
