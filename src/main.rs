//! The `urtext` program: a few lines that lead to [`urtext::cli`].

fn main() -> std::process::ExitCode {
    urtext::cli::main()
}
