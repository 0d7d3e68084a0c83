//! Runs killed at any moment, resumed with other threads or another backend, end as if nothing had happened.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// What is run, and which part of its document tells the result.
struct Case {
    arguments: &'static [&'static str],
    result: fn(&Value) -> Value,
}

const CASES: [Case; 5] = [
    Case { arguments: &["brute", "23"], result: |told| told["digest"].clone() },
    Case { arguments: &["full", "56", "-p", "3"], result: |told| told["terms"].clone() },
    Case { arguments: &["msg", "3", "46"], result: |told| told["rows"].clone() },
    Case { arguments: &["sat", "3", "7", "3", "21"], result: |told| told["digest"].clone() },
    Case { arguments: &["pass", "2", "700", "--passes", "3"], result: |told| told["layers"].clone() },
];

fn command(case: &Case, folder: &Path, threads: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_welter"));
    command.args(case.arguments).args(["--backend", "cpu", "--threads", threads, "--format", "json", "--checkpoint"]);
    command.arg(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn finish(mut command: Command) -> Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn uninterrupted(case: &Case) -> Value {
    let folder = tempfile::tempdir().unwrap();
    (case.result)(&finish(command(case, folder.path(), "2")))
}

/// The files of a checkpoint.
fn parts(folder: &Path, ending: &str) -> Vec<std::path::PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut parts: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    parts.sort();
    parts
}

#[test]
fn killed_and_resumed_runs_end_the_same() {
    for case in &CASES {
        let expected = uninterrupted(case);
        let folder = tempfile::tempdir().unwrap();
        for (round, wait) in [3u64, 30, 70, 110, 170, 230].into_iter().enumerate() {
            let mut child = command(case, folder.path(), ["1", "2", "3"][round % 3]).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(wait));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let told = finish(command(case, folder.path(), "3"));
        assert_eq!((case.result)(&told), expected, "{:?}", case.arguments);
        assert!(parts(folder.path(), "bad").is_empty(), "a kill left a damaged file");
        // And once more, all from the checkpoint.
        let told = finish(command(case, folder.path(), "1"));
        assert_eq!((case.result)(&told), expected, "{:?}", case.arguments);
        assert!(told["resumed"]["parts"].as_u64().unwrap() > 0);
    }
}

#[test]
fn a_flipped_byte_sets_the_file_aside_and_the_run_ends_right() {
    for case in &CASES {
        let folder = tempfile::tempdir().unwrap();
        let expected = (case.result)(&finish(command(case, folder.path(), "2")));
        let part = parts(folder.path(), "part").pop().expect("a part was saved");
        let sound = std::fs::read(&part).unwrap();
        for at in [0, sound.len() / 3, sound.len() - 1] {
            let mut damaged = sound.clone();
            damaged[at] ^= 4;
            std::fs::write(&part, &damaged).unwrap();
            let told = finish(command(case, folder.path(), "1"));
            assert_eq!((case.result)(&told), expected, "{:?}", case.arguments);
            assert_eq!(told["resumed"]["set_aside"].as_array().unwrap().len(), 1);
        }
        let kept: Vec<Vec<u8>> = parts(folder.path(), "bad").iter().map(|path| std::fs::read(path).unwrap()).collect();
        assert_eq!(kept.len(), 3, "damaged files are kept");
    }
}

#[test]
fn a_checkpoint_of_another_request_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let small = Case { arguments: &["brute", "10"], result: |told| told["digest"].clone() };
    finish(command(&small, folder.path(), "1"));
    for other in [&["brute", "11"][..], &["msg", "3", "10"], &["full", "10"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_welter"));
        let output = command.args(other).arg("--checkpoint").arg(folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("another request") && text.lines().count() == 1, "{text}");
    }
}

/// Cells of a saturation go from one backend to another in the middle of a table.
#[test]
fn saturations_resume_on_another_backend() {
    use welter::backend::{Backend, cpu::Cpu};
    use welter::plan::options::Cell;
    use welter::sat::{Request, prepare};
    let request = Request { cell: Cell { p: 3, m: 4, k: 3, window: 13 }, table: None, words: 1, bug: None };
    let run = |backend: &dyn Backend, folder: Option<&Path>| {
        let checkpoint = folder.map(|folder| request.checkpoint(folder).unwrap());
        prepare(&request, backend).unwrap().keep_in(checkpoint).run(&mut |_| {}).unwrap()
    };
    for (name, backend) in crate::support::backends("saturations_resume_on_another_backend") {
        let expected = run(&*backend, None);
        for (other_name, other) in crate::support::backends("saturations_resume_on_another_backend") {
            let folder = tempfile::tempdir().unwrap();
            run(&*backend, Some(folder.path()));
            let again = run(&*other, Some(folder.path()));
            assert_eq!((again.digest, again.resumed.parts), (expected.digest, 1), "{name}, then {other_name}");
            assert_eq!(again.check, expected.check);
        }
    }
    let cpu = Cpu::new(Some(1)).unwrap();
    assert_eq!(run(&cpu, None).check.differ, 0);
}

/// A layer from a checkpoint is the one that the next is solved over, on every backend.
#[test]
fn layers_of_nim_resume_on_another_backend() {
    use welter::backend::Backend;
    use welter::pass::{Request, prepare};
    for (piles, size) in [(1, 30), (2, 20), (3, 8)] {
        let request = Request { piles, size, passes: 3, ..Default::default() };
        let run = |backend: &dyn Backend, folder: &Path| {
            let checkpoint = Some(request.checkpoint(folder).unwrap());
            let outcome = prepare(&request, backend).unwrap().keep_in(checkpoint).run(&mut |_| {}).unwrap();
            assert!(outcome.agreed());
            let digests: Vec<_> = outcome.layers.iter().map(|layer| layer.digest).collect();
            (digests, outcome.resumed.parts)
        };
        for (name, backend) in crate::support::backends("layers_of_nim_resume_on_another_backend") {
            for left in 0..3 {
                let folder = tempfile::tempdir().unwrap();
                let cpu = welter::backend::cpu::Cpu::new(Some(1)).unwrap();
                let (expected, _) = run(&cpu, folder.path());
                for layer in left + 1..=3 {
                    std::fs::remove_file(folder.path().join(format!("layer-{layer:03}.part"))).unwrap();
                }
                assert_eq!(run(&*backend, folder.path()), (expected, left + 1), "{name}, {piles} piles, {left}");
            }
        }
    }
}

/// A table exported by a resumed run is the table, whatever came from the checkpoint, and whichever backend goes on.
#[test]
fn tables_and_backends_resume() {
    let folder = tempfile::tempdir().unwrap();
    let (checkpoint, table) = (folder.path().join("checkpoint"), folder.path().join("table.npy"));
    let run = |backend: &str, checkpoint: Option<&Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_welter"));
        command.args(["brute", "16", "--quiet", "--format", "json", "--backend", backend, "--table"]).arg(&table);
        if let Some(folder) = checkpoint {
            command.arg("--checkpoint").arg(folder);
        }
        let told = finish(command);
        (told["digest"].clone(), std::fs::read(&table).unwrap())
    };
    let expected = run("cpu", None);
    assert_eq!(run("cpu", Some(&checkpoint)), expected);
    // Lose every second number of coins, and solve it again elsewhere.
    for part in parts(&checkpoint, "part").iter().step_by(2) {
        std::fs::remove_file(part).unwrap();
    }
    let backend = if crate::support::has_gpu("tables_and_backends_resume") { "gpu" } else { "cpu" };
    assert_eq!(run(backend, Some(&checkpoint)), expected);
}

#[cfg(unix)]
#[test]
fn signals_save_and_exit_with_3() {
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let long = Case { arguments: &["brute", "31"], result: |told| told["digest"].clone() };
        let child = command(&long, folder.path(), "2").spawn().unwrap();
        // Something must have been finished before it is stopped.
        for _ in 0..600 {
            std::thread::sleep(Duration::from_millis(100));
            if !parts(folder.path(), "part").is_empty() {
                break;
            }
        }
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap().success()
        );
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("saved in") && text.contains("goes on from there"), "{text}");
        assert!(!parts(folder.path(), "part").is_empty(), "nothing was saved");
    }
}
