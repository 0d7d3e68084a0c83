//! The `welter` command: parse, run, exit code.

fn main() -> std::process::ExitCode {
    welter::cli::main()
}
