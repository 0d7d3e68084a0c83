//! Run records: one JSON document a run, in a folder of the user's choice, put in place at once or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;
use serde_json::{Value, json};

use super::table::write_error;
use crate::error::Result;

/// A folder that records go to.
#[derive(Clone, Debug)]
pub struct RecordDir {
    folder: PathBuf,
    started: chrono::DateTime<chrono::Utc>,
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
        Ok(Self { folder: folder.into(), started: chrono::Utc::now() })
    }

    /// Writes `results` with the command line, version and times of the run, as `NAME-TIME.json`; returns its path.
    ///
    /// # Errors
    /// [`crate::Error::Write`]; no half-written record is left.
    pub fn write(&self, name: &str, mut results: Value) -> Result<PathBuf> {
        let ended = chrono::Utc::now();
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        results["run"] = json!({
            "arguments": arguments,
            "started": self.started.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            "ended": ended.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        });
        let time = self.started.format("%Y%m%dT%H%M%S%3fZ");
        let path = self.folder.join(format!("{name}-{time}.json"));
        let failed = write_error(&path, "free some space, or name another folder");
        let mut file = AtomicWriteFile::open(&path).map_err(&failed)?;
        let text = serde_json::to_string_pretty(&results).expect("JSON values are serialisable") + "\n";
        file.write_all(text.as_bytes()).and_then(|()| file.commit()).map_err(&failed)?;
        Ok(path)
    }
}
