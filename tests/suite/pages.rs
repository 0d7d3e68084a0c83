//! Completions and manual pages say what the commands are.

use crate::support::welter;

fn print(arguments: &[&str]) -> String {
    let output = welter().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = print(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<String> = names.map(|line| line.split_whitespace().next().unwrap().to_string()).collect();
    assert!(names.len() >= 10 && names.contains(&"brute".to_string()), "{names:?}");
    names.into_iter().filter(|name| name != "help").collect()
}

#[test]
fn completions_of_every_shell_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = print(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: no {command}");
        }
        assert!(
            script.contains("checkpoint") && script.contains("oracle"),
            "{shell}: options or their values are missing"
        );
    }
}

#[test]
fn the_bash_completions_are_bash_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("welter.bash"), print(&["completions", "bash"])).unwrap();
    let completed = r#"source welter.bash; COMP_WORDS=(welter bru); COMP_CWORD=1; _welter welter bru welter; echo "${COMPREPLY[@]}""#;
    let output = match std::process::Command::new("bash").args(["-c", completed]).current_dir(&folder).output() {
        Ok(output) => output,
        Err(error) => {
            return crate::support::skip_aloud("the_bash_completions_are_bash_and_complete", &error.to_string());
        }
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "brute", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_command_has_a_manual_page() {
    let program = print(&["man"]);
    assert!(program.contains(".TH welter 1"), "{program}");
    for command in commands() {
        assert!(
            program.contains(&format!("welter\\-{}(1)", command.replace('-', "\\-"))),
            "{command} is not in {program}"
        );
        let page = print(&["man", &command]);
        assert!(page.contains(&format!(".TH welter-{command} 1")), "{page}");
        assert!(page.contains(".SH OPTIONS") && !page.contains("plant"), "{page}");
    }
    let brute = print(&["man", "brute"]);
    for word in ["checkpoint", "word\\-bits", "Exit codes"] {
        assert!(brute.contains(word), "{word} is not in {brute}");
    }
}

#[test]
fn unknown_shells_and_commands_are_refused() {
    for (arguments, words) in [(["completions", "csh"], ["csh", "bash"]), (["man", "gold"], ["\"gold\"", "brute"])] {
        let output = welter().args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
        assert!(output.stdout.is_empty() && words.iter().all(|word| text.contains(word)), "{text}");
    }
}
