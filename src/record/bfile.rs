//! OEIS b-files: lines `n a(n)`, with comments after `#`.

use std::io::Write;
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;

use super::table::write_error;
use crate::error::{Error, Result};

/// A b-file about to be written; opened before the work begins, so that a bad path is refused at once.
pub struct BFile {
    path: PathBuf,
    file: AtomicWriteFile,
}

impl BFile {
    /// Opens a hidden file beside `path`.
    ///
    /// # Errors
    /// [`Error::Write`] if the folder is missing or may not be written to.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = write_error(path, "name a file in a folder that exists and may be written to");
        Ok(Self { path: path.into(), file: crate::record::open_atomic(path).map_err(failed)? })
    }

    /// Writes the terms and puts the file in place.
    ///
    /// # Errors
    /// [`Error::Write`]; the name then holds what it held before.
    pub fn write(mut self, terms: &[(u64, u64)]) -> Result<()> {
        let failed = write_error(&self.path, "free some space, or name a file elsewhere");
        let text: String = terms.iter().map(|(n, term)| format!("{n} {term}\n")).collect();
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.commit()).map_err(failed)
    }
}

/// Reads a b-file.
///
/// # Errors
/// [`Error::Usage`] naming the line that is no `n a(n)`, or the file that cannot be read.
pub fn read(path: &Path) -> Result<Vec<(u64, u64)>> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::Usage(format!("cannot read {name}: {e}; name a b-file of lines `n a(n)`")))?;
    let mut terms = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let content = line.split('#').next().unwrap_or_default();
        let fields: Vec<&str> = content.split_whitespace().collect();
        match fields.as_slice() {
            [] => {}
            [n, term] => match (n.parse(), term.parse()) {
                (Ok(n), Ok(term)) => terms.push((n, term)),
                _ => return Err(malformed(&name.to_string(), number, line)),
            },
            _ => return Err(malformed(&name.to_string(), number, line)),
        }
    }
    Ok(terms)
}

fn malformed(name: &str, number: u32, line: &str) -> Error {
    let shown: String = line.chars().take(40).collect();
    Error::Usage(format!("{name}, line {number}: {shown:?} is no `n a(n)` of two whole numbers; mend or remove it"))
}
