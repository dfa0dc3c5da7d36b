//! `urtext completions` and `urtext man`: what a shell and `man` know of the commands.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;

use super::Status;
use super::output::{broken, print};
use super::program;
use crate::explore::unwritable;
use crate::platform::write_output;

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
    /// The folder, made where it is not there
    folder: PathBuf,
}

impl ManArgs {
    /// Writes a page for the program and for each command.
    pub(super) fn run(&self, program: clap::Command) -> Status {
        let mut program = program.name(program::name());
        program.build();
        let source = program.render_version();
        if let Err(error) = std::fs::create_dir_all(&self.folder) {
            return broken(&unwritable(&self.folder, &error));
        }
        match self.write(&program, source.trim()) {
            Ok(()) => Status::Conforms,
            Err((path, error)) => broken(&unwritable(&path, &error)),
        }
    }

    /// Writes the pages of a command and of those below it. `source`: the program and its version.
    fn write(
        &self,
        command: &clap::Command,
        source: &str,
    ) -> Result<(), (PathBuf, std::io::Error)> {
        for command in command.get_subcommands() {
            self.write(command, source)?;
        }
        let man = Man::new(command.clone()).source(source);
        let mut page = Vec::new();
        man.render(&mut page).expect("a vector takes all");
        let path = self.folder.join(Path::new(&man.get_filename()));
        write_output(&path, &page).map_err(|error| (path, error))
    }
}
