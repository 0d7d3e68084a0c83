//! The command line: documents, files, refusals, exit codes.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{has_gpu, welter};

fn json(arguments: &[&str]) -> Value {
    let output = welter().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

#[test]
fn brute_json_is_one_document_with_every_field() {
    let told = json(&["brute", "12", "--format", "json", "--backend", "cpu"]);
    assert_eq!(told["command"], "brute");
    assert_eq!(told["window"], 12);
    assert_eq!(told["positions"], 4096);
    assert_eq!(told["backend"]["kind"], "cpu");
    assert!(told["backend"]["device"].is_string());
    assert_eq!(told["p_positions"].as_array().unwrap().len(), 13);
    assert_eq!(told["max_value"], 15);
    let counts: u64 = told["value_counts"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(counts, 4096);
    for formula in ["welter", "hook", "digit"] {
        assert_eq!(told["checks"][formula]["checked"], 4096);
        assert_eq!(told["checks"][formula]["differ"], 0);
        assert!(told["checks"][formula]["first"].is_null());
    }
    assert_eq!(told["mirror"]["checked"], 4096);
    assert_eq!(told["mirror"]["differ"], 0);
    assert_eq!(told["digest"].as_str().unwrap().len(), 16);
    for time in ["solve", "check", "total"] {
        assert!(told["seconds"][time].is_f64());
    }
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_text_summary_reads_well() {
    let output = welter().args(["brute", "20", "--backend", "cpu"]).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for line in ["P-positions in all: 35,200", "mirror symmetry of 1,048,576 positions checked", " none"] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 120), "{text}");
}

#[test]
fn tables_are_numpy_files_and_equal_on_every_backend() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    let mut backends = vec![vec!["cpu", "--threads", "1"], vec!["cpu", "--threads", "2"], vec!["oracle"]];
    if has_gpu("tables_are_numpy_files_and_equal_on_every_backend") {
        backends.push(vec!["gpu"]);
    }
    for window in ["0", "1", "5", "14"] {
        for (i, backend) in backends.iter().enumerate() {
            let path = folder.path().join(format!("{window}-{i}.npy"));
            let mut arguments =
                vec!["brute", window, "--format", "json", "--table", path.to_str().unwrap(), "--backend"];
            arguments.extend(backend);
            let digest = json(&arguments)["digest"].clone();
            files.push((window, std::fs::read(&path).unwrap(), digest));
        }
    }
    for (window, bytes, digest) in &files {
        let (_, first, first_digest) = files.iter().find(|(w, ..)| w == window).unwrap();
        assert!(bytes == first && digest == first_digest, "window {window}");
        let npy = npyz::NpyFile::new(&bytes[..]).unwrap();
        let size = 1u64 << window.parse::<u32>().unwrap();
        assert_eq!(npy.shape(), [size]);
        let values: Vec<u8> = npy.into_vec().unwrap();
        for (mask, value) in (0u64..).zip(values) {
            assert_eq!(u64::from(value), ::welter::theory::welter::value(&::welter::Position(mask).coins()));
        }
    }
}

#[test]
fn records_are_written_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("new/records");
    json(&["brute", "10", "--format", "json", "--record", records.to_str().unwrap()]);
    let files: Vec<_> = std::fs::read_dir(&records).unwrap().map(|f| f.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let record: Value = serde_json::from_slice(&std::fs::read(&files[0]).unwrap()).unwrap();
    assert_eq!(record["window"], 10);
    assert_eq!(record["run"]["arguments"][0], "brute");
    let run = &record["run"];
    assert!(run["started"].is_string() && run["ended"].is_string());
    let commit = run["commit"].as_str().unwrap().trim_end_matches("-modified");
    assert!(commit == "unknown" || commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{commit}");
    assert!(run["cores"].as_u64().unwrap() > 0);
    assert!(run["available_memory_bytes"].as_u64().unwrap() > 1 << 20);
    #[cfg(unix)]
    assert!((1 << 20..1 << 36).contains(&run["peak_memory_bytes"].as_u64().unwrap()));
    assert_eq!(run["errors_recovered"], serde_json::json!([]));
}

/// A damaged checkpoint file is an error that the run recovers from, and its record says so.
#[test]
fn records_list_the_errors_that_were_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["brute", "9", "--backend", "cpu", "--format", "json", "--checkpoint", "kept", "--record", "records"];
    let run = || assert!(welter().args(arguments).current_dir(&folder).output().unwrap().status.success());
    run();
    let part = folder.path().join("kept/coins-04.part");
    let mut bytes = std::fs::read(&part).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&part, bytes).unwrap();
    run();
    let mut lists = Vec::new();
    for file in std::fs::read_dir(folder.path().join("records")).unwrap() {
        let record: Value = serde_json::from_slice(&std::fs::read(file.unwrap().path()).unwrap()).unwrap();
        lists.push(record["run"]["errors_recovered"].as_array().unwrap().clone());
    }
    lists.sort_by_key(Vec::len);
    assert_eq!(lists.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
    assert!(lists[1][0].as_str().unwrap().contains("coins-04.part.bad"), "{lists:?}");
}

#[test]
fn a_planted_bug_exits_with_1_and_names_the_position() {
    for kernel in ["rows", "welter", "hook", "digit"] {
        let output = welter().args(["brute", "12", "--backend", "cpu", "--plant-bug", kernel]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{kernel}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("}: value "), "{kernel}: no position is named in\n{text}");
        let output = welter()
            .args(["brute", "12", "--backend", "cpu", "--plant-bug", kernel, "--format", "json"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{kernel}");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let named = if kernel == "rows" { "welter" } else { kernel };
        assert!(told["checks"][named]["differ"].as_u64().unwrap() > 0);
        assert!(told["checks"][named]["first"]["coins"].is_array());
    }
}

#[test]
fn bad_input_gets_one_line_and_exit_code_2() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["brute", "40", "--backend", "cpu"], &["window 40", "available", "the largest window that fits is"]),
        (&["brute", "65", "--backend", "cpu"], &["N = 65", "64", "the largest window that fits"]),
        (&["brute", "-3"], &["-3", "N", "from 0 up"]),
        (&["brute", "x"], &["'x'", "N", "such as 20"]),
        (&["brute", "1.5"], &["'1.5'", "N"]),
        (&["brute", "99999999999999999999"], &["N"]),
        (&["brute"], &["<N>"]),
        (&[], &["welter --help"]),
        (&["brut", "3"], &["brut"]),
        (&["brute", "8", "--table", "/nonexistent/dir/t.npy"], &["/nonexistent/dir/t.npy", "folder that exists"]),
        (&["brute", "8", "--table", "/"], &["cannot write /"]),
        (&["brute", "8", "--record", "/dev/null/x"], &["/dev/null/x"]),
        (&["brute", "8", "--threads", "0"], &["--threads", "1 to 1024"]),
        (&["brute", "8", "--threads", "-2"], &["--threads", "1 to 1024"]),
        (&["brute", "8", "--backend", "abacus"], &["abacus", "cpu"]),
        (&["brute", "8", "--format", "xml"], &["xml", "json"]),
        (&["brute", "8", "--word-bits", "33"], &["--word-bits 33", "32 nor 64"]),
        (&["brute", "8", "--low-squares", "13"], &["--low-squares 13", "12"]),
        (&["brute", "8", "--backend", "cpu", "--device", "0"], &["--device", "--backend cpu"]),
        (&["brute", "23", "--backend", "oracle"], &["N = 23", "22"]),
        (&["brute", "8", "--dry-run", "--backend", "oracle"], &["--dry-run"]),
        (&["bench", "--window", "31"], &["--window 31", "30"]),
        (&["bench", "--rounds", "0"], &["--rounds 0"]),
    ];
    for (arguments, words) in cases {
        let began = Instant::now();
        let output = welter().args(*arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        assert!(words.iter().all(|word| text.contains(word)), "{arguments:?}: {text}");
        assert!(began.elapsed() < Duration::from_secs(5), "{arguments:?} took {:?}", began.elapsed());
    }
}

/// Where no driver is found, `--backend gpu` is refused and `auto` takes the CPU and says why.
#[test]
fn without_an_adapter() {
    let mut gpu = welter();
    gpu.env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent");
    let output = gpu.args(["brute", "8", "--backend", "gpu"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("--backend cpu"), "{text}");

    let mut auto = welter();
    auto.env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent");
    let output = auto.args(["brute", "8"]).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("backend: CPU, as "));
}

#[test]
fn quiet_is_quiet() {
    let output = welter().args(["brute", "8", "--quiet"]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn a_dry_run_plans_and_solves_nothing() {
    let told =
        json(&["brute", "33", "--backend", "cpu", "--word-bits", "64", "--dry-run", "--format", "json", "--quiet"]);
    assert_eq!(told["plan"]["word_bits"], 64);
    // C(33, 16) rows of 8 bytes
    assert_eq!(told["plan"]["memory"]["rows"], 1_166_803_110u64 * 8);
}

#[test]
fn devices_lists_the_cpu_at_least() {
    let told = json(&["devices", "--format", "json"]);
    let devices = told["devices"].as_array().unwrap();
    assert!(devices.iter().any(|d| d["kind"] == "cpu"));
    assert!(devices.iter().all(|d| d["largest_window"].as_u64().is_some_and(|n| n >= 20)));
}

#[test]
fn lost_output_is_an_error_and_never_a_panic() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        crate::support::skip_aloud("lost_output_is_an_error_and_never_a_panic", "there is no /dev/full");
        return;
    }
    for format in ["text", "json"] {
        let output = Command::new(env!("CARGO_BIN_EXE_welter"))
            .args(["brute", "8", "--quiet", "--format", format])
            .stdout(File::options().write(true).open(full).unwrap())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("standard output") && !text.contains("panick"), "{text}");
    }

    // A reader that has gone before anything is written.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_welter"))
        .args(["brute", "8", "--quiet"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panick"));
}

/// A run killed at any moment leaves the table whole or not at all, and an earlier table as it was.
#[test]
fn a_killed_run_leaves_no_half_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.npy");
    for (round, wait) in [5u64, 40, 80, 160, 320].into_iter().enumerate() {
        let earlier = format!("an earlier table, {round}");
        std::fs::write(&path, &earlier).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_welter"))
            .args(["brute", "22", "--quiet", "--backend", "cpu", "--table"])
            .arg(&path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = std::fs::read(&path).unwrap();
        let whole = now.len() > 1 << 22 && npyz::NpyFile::new(&now[..]).is_ok();
        assert!(whole || now == earlier.as_bytes(), "after {wait} ms: {} bytes", now.len());
    }
}

/// Devices, pipes and folders are no places for a file; a link is followed.
#[cfg(unix)]
#[test]
fn only_plain_files_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, target, link) =
        (folder.path().join("pipe"), folder.path().join("target.npy"), folder.path().join("link"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&pipe, folder.path()] {
        let output = welter().args(["brute", "5", "--quiet", "--table"]).arg(path).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
        assert!(output.stdout.is_empty());
    }
    use std::os::unix::fs::FileTypeExt;
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());

    std::fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert!(welter().args(["brute", "5", "--quiet", "--table"]).arg(&link).output().unwrap().status.success());
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::read(&target).unwrap().starts_with(b"\x93NUMPY"));
}

/// Where standard error is full or closed, remarks are lost and results are not.
#[test]
fn lost_remarks_lose_no_results() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        crate::support::skip_aloud("lost_remarks_lose_no_results", "there is no /dev/full");
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_welter"))
        .args(["brute", "8", "--backend", "cpu"])
        .stderr(File::options().write(true).open(full).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("P-positions in all: 40"));
}

/// Runs that record at the same moment keep a record each.
#[test]
fn records_of_the_same_moment_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_welter"));
        command.args(["brute", "3", "--backend", "cpu", "--quiet", "--record"]).arg(folder.path());
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    let running: Vec<_> = (0..8).map(|_| run()).collect();
    assert!(running.into_iter().all(|mut child| child.wait().unwrap().success()));
    let records: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(records.len(), 8, "{records:?}");
    assert!(records.iter().all(|path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).is_ok()));
}
