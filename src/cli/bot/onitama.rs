//! `urtext bot onitama`: the built-in bot, connected to a judge over TCP.

use std::io;
use std::net::TcpStream;

use clap::Args;

use super::{Manner, faults};
use crate::cli::Status;
use crate::peers::onitama::{Bot, BotFault};

#[derive(Debug, Args)]
pub(super) struct OnitamaArgs {
    /// Where the judge is
    #[arg(
        value_name = "HOST",
        required_unless_present = "stdio",
        requires = "port"
    )]
    host: Option<String>,
    /// Its port for players
    #[arg(value_name = "PORT")]
    port: Option<u16>,
    /// Talks over standard input and output instead
    #[arg(long, conflicts_with = "host")]
    stdio: bool,
    #[command(flatten)]
    manner: Manner,
    /// Something to do wrong, to show that a test notices
    #[arg(long, value_name = "NAME", value_parser = faults(BotFault::ROWS))]
    fault: Option<String>,
}

impl OnitamaArgs {
    pub(super) fn run(self) -> Status {
        let mut bot = Bot::new(
            self.manner.policy.into(),
            self.manner.seed(),
            self.manner.delay,
        );
        if let Some(fault) = &self.fault {
            bot = bot
                .with_fault(fault)
                .expect("the parser admits only faults that there are");
        }
        let played = match (self.host, self.port) {
            (Some(host), Some(port)) => match connect(&host, port) {
                Ok((input, output)) => bot.play(input, output),
                Err(error) => {
                    anstream::eprintln!(
                        "urtext bot: cannot connect to {host}:{port}: {error}; is the judge running?"
                    );
                    return Status::Broken;
                }
            },
            _ => bot.play(io::stdin().lock(), io::stdout().lock()),
        };
        super::ended(played)
    }
}

/// Both directions of a connection.
fn connect(host: &str, port: u16) -> io::Result<(TcpStream, TcpStream)> {
    let stream = TcpStream::connect((host, port))?;
    // Without it a short line waits for the acknowledgement of the one before; where it is refused, games are only slower.
    drop(stream.set_nodelay(true));
    Ok((stream.try_clone()?, stream))
}
