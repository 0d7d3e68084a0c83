//! Lists of P-positions, and text files that appear whole or not at all.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;

use super::BoxTable;
use crate::error::Result;
use crate::index::boxes;
use crate::kernels::layer::{Cell, with_values};
use crate::record::table::write_error;

/// A text file about to be written: nothing appears under its name before it is whole.
pub struct TextFile {
    path: PathBuf,
    file: AtomicWriteFile,
}

impl TextFile {
    /// Opens a hidden file beside `path`.
    ///
    /// # Errors
    /// [`crate::Error::Write`] if the folder is missing or may not be written to.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = write_error(path, "name a file in a folder that exists and may be written to");
        let file = crate::record::open_atomic(path).map_err(failed)?;
        Ok(Self { path: path.into(), file })
    }

    /// Writes the file and puts it in place.
    ///
    /// # Errors
    /// [`crate::Error::Write`]; the name then holds what it held before.
    pub fn write(mut self, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
        let failed = write_error(&self.path, "free some space, or name a file elsewhere");
        let written = {
            let mut out = BufWriter::with_capacity(1 << 20, &mut self.file);
            content(&mut out).and_then(|()| out.flush())
        };
        written.and_then(|()| self.file.commit()).map_err(failed)
    }
}

/// One line a P-position: passes left, then the piles; by passes left, then lexicographically.
pub fn p_positions(table: &BoxTable, out: &mut dyn Write) -> std::io::Result<()> {
    write!(out, "passes_left")?;
    for i in 1..=table.sides.len() {
        write!(out, ",x{i}")?;
    }
    writeln!(out)?;
    for (passes_left, values) in table.layers.iter().enumerate() {
        with_values!(values, v => for (cell, _) in (0..).zip(v).filter(|(_, value)| value.get() == 0) {
            write!(out, "{passes_left}")?;
            for pile in boxes::piles(&table.sides, cell) {
                write!(out, ",{pile}")?;
            }
            writeln!(out)?;
        });
    }
    Ok(())
}
