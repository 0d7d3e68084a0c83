//! The README's commands are run, and must print what the README shows.
//!
//! In every `console` block, a line `$ welter ...` or `$ cargo run --release -- ...` is a command and what follows, up
//! to the next one, is its output. Times, rates and the machine's name may differ; nothing else may.

use crate::support::welter;

/// Drops what may differ from machine to machine.
fn steady(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !line.starts_with("time ") && !line.is_empty())
        .map(|line| line.split(" on the ").next().unwrap_or_default().trim_end().to_string())
        .collect()
}

#[test]
fn commands_print_what_the_readme_shows() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    // Sections that have not found their place in the README yet.
    for file in std::fs::read_dir(root.join("docs")).unwrap().map(|file| file.unwrap()) {
        if file.file_name().to_string_lossy().starts_with("README-") {
            readme += &std::fs::read_to_string(file.path()).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let mut run = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for command in block.split("$ ").skip(1) {
            let (command, expected) = command.split_once('\n').unwrap();
            let arguments = command.strip_prefix("welter ").or(command.strip_prefix("cargo run --release -- "));
            let arguments = arguments.unwrap_or_else(|| panic!("not a welter command: {command}"));
            let output = welter().args(arguments.split_whitespace()).current_dir(&folder).output().unwrap();
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            let shown = String::from_utf8(output.stdout).unwrap();
            assert_eq!(steady(&shown), steady(expected), "{command}");
            run += 1;
        }
    }
    assert!(run >= 2, "the README shows only {run} commands");
}
