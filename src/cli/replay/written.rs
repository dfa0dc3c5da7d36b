//! The files that a game can be written to.

use std::path::{Path, PathBuf};

use anstream::adapter::strip_str;
use clap::Args;

use crate::replay::Replay;
use crate::report::{draw_animated_board, draw_asciicast, draw_board, draw_page};

/// The options of these files; one of them at a time.
#[derive(Debug, Args)]
#[group(id = "written", multiple = false, conflicts_with_all = ["print", "moves", "lanes", "times", "json"])]
pub(super) struct WrittenForms {
    /// Writes the game as one HTML page, opened at the turn of --at, or after the last turn
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Writes the position after the turn of --at, or after the last turn, as an SVG picture
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Writes the game as an SVG picture that plays by itself; a pause lasts 2 s at most
    #[arg(long, value_name = "OUT", conflicts_with = "at")]
    svg_animated: Option<PathBuf>,
    /// Writes the game as an asciicast (version 2); a pause lasts 2 s at most
    #[arg(long, value_name = "OUT", conflicts_with = "at")]
    asciicast: Option<PathBuf>,
}

impl WrittenForms {
    /// The file that is asked for.
    pub(super) fn path(&self) -> Option<&Path> {
        let files = [&self.html, &self.svg, &self.svg_animated, &self.asciicast];
        files.into_iter().find_map(Option::as_deref)
    }

    /// The content of the file.
    pub(super) fn draw(&self, replay: &Replay, turn: usize, trouble: Option<&str>) -> String {
        if self.html.is_some() {
            return draw_html(replay, turn, trouble);
        }
        if self.svg_animated.is_some() {
            return draw_animated_board(replay);
        }
        match self.asciicast {
            Some(_) => draw_asciicast(replay),
            None => draw_board(replay, turn),
        }
    }
}

/// The page of a game.
pub(super) fn draw_html(replay: &Replay, turn: usize, trouble: Option<&str>) -> String {
    let plain = trouble.map(|trouble| strip_str(trouble).to_string());
    draw_page(replay, turn, plain.as_deref())
}
