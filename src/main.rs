//! The `urtext` program: a few lines that lead to [`urtext::cli`].

fn main() -> urtext::cli::Status {
    urtext::cli::main()
}
