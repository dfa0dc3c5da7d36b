//! The names of settings on the command line.

use crate::diagnostic::Setting;

/// Returns the option that sets it.
pub(super) fn option(setting: Setting) -> &'static str {
    match setting {
        Setting::AnswerBudget => "--answer-budget",
        Setting::Bless => "--bless",
        Setting::Bot => "--bot",
        Setting::Config => "--config",
        Setting::Dialect => "--dialect",
        Setting::FailFast => "--fail-fast",
        Setting::For => "--for",
        Setting::FreeGames => "--free-games",
        Setting::GameBudget => "--game-budget",
        Setting::GameNumber => "--game-number",
        Setting::HandshakeBudget => "--handshake-budget",
        Setting::Host => "--host",
        Setting::Jobs => "--jobs",
        Setting::LateSpectator => "--late-spectator",
        Setting::NoGate => "--no-gate",
        Setting::Parameter => "--set",
        Setting::Port => "--port",
        Setting::Record => "--record",
        Setting::RollsEnv => "--rolls-env",
        Setting::SpectatorPort => "--spectator-port",
        Setting::StartBudget => "--start-budget",
        Setting::State => "--state",
        Setting::Subject => "--subject",
        Setting::Timeout => "--timeout",
    }
}
