//! `urtext completions`: what a shell knows of the commands.

use clap::Args;
use clap_complete::Shell;

use super::Status;
use super::output::print;
use super::program;

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
    pub(super) fn run(&self, mut program: clap::Command) -> Result<Status, Status> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, program::name(), &mut script);
        print(String::from_utf8_lossy(&script).trim_end());
        Ok(Status::Conforms)
    }
}
