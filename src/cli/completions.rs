//! `urtext completions` and `urtext man`: what a shell and `man` know of the commands.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;
use clap_mangen::generate_to;

use super::Status;
use super::output::{broken, print};
use super::program;
use crate::explore::unwritable;

/// Arguments of `urtext completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  urtext completions bash > ~/.local/share/bash-completion/completions/urtext
  urtext completions zsh > ~/.zfunc/_urtext          # a folder of $fpath
  urtext completions fish > ~/.config/fish/completions/urtext.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script for a program.
    pub(super) fn run(&self, mut program: clap::Command) -> Status {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, program::name(), &mut script);
        print(String::from_utf8_lossy(&script).trim_end());
        Status::Conforms
    }
}

/// Arguments of `urtext man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  urtext man ~/.local/share/man/man1 && man urtext-run")]
pub(super) struct ManArgs {
    /// The folder; it is created if it does not exist
    folder: PathBuf,
}

impl ManArgs {
    /// Writes a page for the program and for each command.
    pub(super) fn run(&self, program: clap::Command) -> Status {
        let made = std::fs::create_dir_all(&self.folder);
        let program = program.name(program::name());
        match made.and_then(|()| generate_to(program, &self.folder)) {
            Ok(()) => Status::Conforms,
            Err(error) => broken(&unwritable(&self.folder, &error)),
        }
    }
}
