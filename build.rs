//! Tells the crate which commit it is built from, for run records: `unknown` where that cannot be told.

use std::path::Path;
use std::process::Command;

/// What the binary is made of; changes elsewhere do not make it differ from its commit.
const SOURCES: [&str; 5] = ["src", "shaders", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    println!("cargo:rustc-env=WELTER_COMMIT={}", commit().unwrap_or_else(|| "unknown".into()));
}

/// The commit's hash, with `-modified` behind it if the sources are not those of the commit.
fn commit() -> Option<String> {
    // A package unpacked inside somebody else's repository is not of that repository's commit.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let same = Path::new(&top).canonicalize().ok()? == Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().ok()?;
    if !same {
        return None;
    }
    // Every commit, checkout and reset adds a line here.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    let status = [&["status", "--porcelain", "--"], &SOURCES[..]].concat();
    let modified = !git(&status)?.is_empty();
    Some(if modified { commit + "-modified" } else { commit })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}
