//! Reading records back: each as the few fields that tables are made from.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::read as read_text;
use crate::error::{Error, Result};

/// A record and its file.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its file, for messages.
    pub path: String,
    /// The whole document.
    pub document: Value,
}

/// All records of a folder, in the order of their files' names.
///
/// # Errors
/// [`Error::Usage`] naming the folder or file that is not readable, or is no record.
pub fn read(folder: &Path) -> Result<Vec<Record>> {
    let refuse = |error: std::io::Error| {
        Error::Usage(format!("--runs {}: cannot be read: {error}; name the folder of records", folder.display()))
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        // Hidden files are records about to be written.
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !hidden && path.extension().is_some_and(|ending| ending == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let record = |path: &std::path::PathBuf| {
        let text = read_text(path, "--runs", "make it readable")?;
        let path = path.display().to_string();
        let document: Value = serde_json::from_str(&text).map_err(|error| {
            Error::Usage(format!("{path} is no record: {error}; make it again with --record, or take it away"))
        })?;
        let record = Record { path, document };
        if record.document["command"].is_string() && record.document["run"].is_object() {
            Ok(record)
        } else {
            Err(record.broken("it has no `command` or no `run`"))
        }
    };
    paths.iter().map(record).collect()
}

impl Record {
    /// The command that made it.
    pub fn command(&self) -> &str {
        self.document["command"].as_str().unwrap_or_default()
    }

    /// Its fields as a struct.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the file and the field.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        T::deserialize(&self.document).map_err(|error| self.broken(&error.to_string()))
    }

    fn broken(&self, why: &str) -> Error {
        Error::Usage(format!("{} is no record: {why}; make it again with --record, or take it away", self.path))
    }
}

/// An integer that is a string above 2^53.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Integer(pub u128);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let told = match &value {
            Value::String(digits) => digits.parse().ok(),
            other => other.as_u64().map(u128::from),
        };
        told.map(Integer).ok_or_else(|| serde::de::Error::custom(format!("{value} is no whole number from 0 up")))
    }
}

/// What computed.
#[derive(Clone, Debug, Deserialize)]
pub struct Machine {
    kind: String,
    device: String,
    #[serde(default)]
    software: bool,
}

impl Machine {
    /// `CPU`, `GPU (its name)`, `software adapter`: never a GPU where there is none.
    pub fn name(&self) -> String {
        match (self.kind.as_str(), self.software) {
            ("gpu", true) => "software adapter".into(),
            ("gpu", false) => format!("GPU ({})", self.device),
            ("cpu", _) => "CPU".into(),
            (other, _) => other.into(),
        }
    }
}
