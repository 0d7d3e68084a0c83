//! Run records: one JSON document a run, in a folder of the user's choice, put in place at once or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use atomic_write_file::AtomicWriteFile;
use serde_json::{Value, json};

use super::integer;
use super::table::write_error;
use crate::backend::{available_memory, cpu};
use crate::error::Result;

/// The commit that this was built from, `-modified` behind it if the sources were not that commit's; `unknown` without git.
pub const COMMIT: &str = env!("WELTER_COMMIT");

/// Errors met and recovered since the last record.
static RECOVERED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes an error that the run met and recovered from, in one line; the next record of this process lists it.
pub fn recovered(what: impl Into<String>) {
    RECOVERED.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(what.into());
}

/// A folder that records go to.
#[derive(Clone, Debug)]
pub struct RecordDir {
    folder: PathBuf,
    started: chrono::DateTime<chrono::Utc>,
    /// Bytes that the process could still take when the run began.
    available: u64,
}

impl RecordDir {
    /// Makes the folder if it is missing, and notes when the run began.
    ///
    /// # Errors
    /// [`crate::Error::Write`] if it cannot be made or written to.
    pub fn create(folder: &Path) -> Result<Self> {
        let failed = write_error(folder, "name a folder that may be written to");
        std::fs::create_dir_all(folder).map_err(&failed)?;
        // A file that is opened and dropped: whether the folder can be written to is known before the work begins.
        AtomicWriteFile::open(folder.join("record.json")).map_err(&failed)?;
        Ok(Self { folder: folder.into(), started: chrono::Utc::now(), available: available_memory() })
    }

    /// Writes `results` with the command line, commit, machine, times and peak memory of the run, as `NAME-TIME-PROCESS.json`; returns its path.
    ///
    /// # Errors
    /// [`crate::Error::Write`]; no half-written record is left.
    pub fn write(&self, name: &str, mut results: Value) -> Result<PathBuf> {
        let ended = chrono::Utc::now();
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        results["run"] = json!({
            "arguments": arguments,
            "commit": COMMIT,
            "started": self.started.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            "ended": ended.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            "processor": cpu::name(),
            "cores": std::thread::available_parallelism().ok(),
            "available_memory_bytes": integer(self.available),
            "peak_memory_bytes": peak_memory().map(integer),
            "errors_recovered": std::mem::take(
                &mut *RECOVERED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
            ),
        });
        let time = self.started.format("%Y%m%dT%H%M%S%3fZ");
        // Runs that begin in the same millisecond differ by their process.
        let path = self.folder.join(format!("{name}-{time}-{}.json", std::process::id()));
        let failed = write_error(&path, "free some space, or name another folder");
        let mut file = AtomicWriteFile::open(&path).map_err(&failed)?;
        let text = serde_json::to_string_pretty(&results).expect("JSON values are serialisable") + "\n";
        file.write_all(text.as_bytes()).and_then(|()| file.commit()).map_err(&failed)?;
        Ok(path)
    }
}

/// The most memory that this process has held so far, where the system tells; memory of a real GPU is not in it.
#[cfg(unix)]
fn peak_memory() -> Option<u64> {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF).ok()?;
    // Apple's systems count bytes, the others kibibytes.
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    u64::try_from(usage.max_rss()).ok()?.checked_mul(unit)
}

/// Windows does not tell through the libraries at hand.
#[cfg(not(unix))]
fn peak_memory() -> Option<u64> {
    None
}
