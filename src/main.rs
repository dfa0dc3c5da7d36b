//! The `urtext` program: [`urtext::main`] with the shipped packs.

fn main() -> std::process::ExitCode {
    urtext::main(urtext::games::PACKS)
}
