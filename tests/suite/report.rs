//! `welter report`: the README's tables are what the records say, and an edited figure is noticed.

use std::path::Path;

use serde_json::Value;

use crate::support::welter;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The README and the records in a folder of their own.
fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(Path::new(ROOT).join("README.md"), folder.path().join("README.md")).unwrap();
    std::fs::create_dir(folder.path().join("runs")).unwrap();
    for file in std::fs::read_dir(Path::new(ROOT).join("runs")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join("runs").join(file.file_name())).unwrap();
    }
    folder
}

/// Runs the command; its exit code, standard output and standard error.
fn report(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = welter().arg("report").args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn readme(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("README.md")).unwrap()
}

/// A record of the copy whose name begins so.
fn record(folder: &Path, prefix: &str) -> std::path::PathBuf {
    let files = std::fs::read_dir(folder.join("runs")).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<_> =
        files.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(prefix)).collect();
    found.sort();
    found.first().unwrap_or_else(|| panic!("no record {prefix}")).clone()
}

#[test]
fn the_readme_is_what_the_records_say() {
    let (code, told, why) = report(Path::new(ROOT), &["--check"]);
    assert_eq!(code, 0, "{why}");
    assert!(told.contains("README.md: up to date"), "{told}");
}

/// Any digit of any table, altered, makes the check fail and name the table; the report then mends it.
#[test]
fn an_edited_figure_is_noticed_and_mended() {
    let folder = copy();
    let right = readme(folder.path());
    let mut tables = 0;
    for (start, _) in right.match_indices("<!-- report:").filter(|(i, _)| right[i - 1..].starts_with('\n')) {
        let name = right[start + "<!-- report:".len()..].split(' ').next().unwrap();
        let end = start + right[start..].find("<!-- report:end -->").unwrap();
        let digits: Vec<usize> = (start..end).filter(|i| right.as_bytes()[*i].is_ascii_digit()).collect();
        for at in [digits.first(), digits.get(digits.len() / 2), digits.last()].into_iter().flatten() {
            let mut edited = right.clone().into_bytes();
            edited[*at] = if edited[*at] == b'9' { b'8' } else { edited[*at] + 1 };
            std::fs::write(folder.path().join("README.md"), &edited).unwrap();
            let (code, told, why) = report(folder.path(), &["--check"]);
            assert_eq!((code, told.as_str(), why.lines().count()), (1, "", 1), "{name}: {why}");
            assert!(why.contains(&format!("table {name}")) && why.contains("`welter report`"), "{why}");
            assert_eq!(readme(folder.path()).as_bytes(), edited, "a check writes nothing");
            let (code, told, why) = report(folder.path(), &[]);
            assert_eq!((code, why.as_str()), (0, ""), "{told}");
            assert!(told.contains("README.md: written"), "{told}");
            assert_eq!(readme(folder.path()), right);
        }
        tables += usize::from(name != "end");
    }
    assert!(tables >= 4, "{tables} tables");
}

#[test]
fn the_table_grows_with_the_records() {
    let folder = copy();
    let made = welter()
        .args(["brute", "8", "--backend", "cpu", "--quiet", "--record", "runs"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(made.status.success());
    let (code, _, why) = report(folder.path(), &["--check"]);
    assert!(code == 1 && why.contains("table windows"), "{why}");
    assert!(!readme(folder.path()).contains("| 8 | 256 |"));
    assert_eq!(report(folder.path(), &[]).0, 0);
    assert!(readme(folder.path()).contains("| 8 | 256 | 40 | 0 | `"), "{}", readme(folder.path()));
    assert_eq!(report(folder.path(), &["--check"]).0, 0);
}

#[test]
fn what_cannot_be_reported_is_refused_in_one_line() {
    let refused = |spoil: &dyn Fn(&Path), arguments: &[&str], words: &[&str]| {
        let folder = copy();
        spoil(folder.path());
        let before = readme(folder.path());
        let (code, told, why) = report(folder.path(), arguments);
        assert_eq!((code, told.as_str(), why.lines().count()), (2, "", 1), "{why}");
        assert!(words.iter().all(|word| why.contains(word)), "{words:?}: {why}");
        assert_eq!(readme(folder.path()), before);
    };
    let alter = |folder: &Path, prefix: &str, field: &str, value: Value, to: &str| {
        let path = record(folder, prefix);
        let mut document: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        document[field] = value;
        std::fs::write(folder.join("runs").join(to), document.to_string()).unwrap();
    };
    refused(
        &|folder| alter(folder, "brute-20", "digest", "0123456789abcdef".into(), "wrong.json"),
        &[],
        &["brute-20", "wrong.json", "contradict", "0123456789abcdef"],
    );
    refused(
        &|folder| alter(folder, "brute-20", "digest", Value::Null, "wrong.json"),
        &["--check"],
        &["wrong.json is no record", "--record"],
    );
    refused(
        &|folder| std::fs::write(folder.join("runs/half.json"), "{\"command\": \"bru").unwrap(),
        &[],
        &["half.json is no record", "take it away"],
    );
    refused(&|folder| std::fs::write(folder.join("runs/other.json"), "{}").unwrap(), &[], &["other.json", "`command`"]);
    refused(
        &|folder| std::fs::write(folder.join("README.md"), "no table\n").unwrap(),
        &[],
        &["README.md", "no marker", "report:windows"],
    );
    refused(
        &|folder| std::fs::write(folder.join("README.md"), "<!-- report:gold -->\n").unwrap(),
        &[],
        &["line 1", "gold", "windows"],
    );
    refused(&|_| {}, &["--runs", "nowhere"], &["--runs nowhere", "name the folder"]);
    refused(&|_| {}, &["--readme", "NO.md"], &["--readme NO.md", "name the file"]);
}
