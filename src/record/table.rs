//! A table of values indexed by mask, and its export as a NumPy file.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use atomic_write_file::AtomicWriteFile;
use npyz::WriterBuilder;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::index::low::LowTables;
use crate::index::tiles::Batch;

/// Values of every mask of a window, one byte each: a word of at most 64 values holds none above 63.
pub struct ValueTable {
    values: Vec<AtomicU8>,
}

impl ValueTable {
    /// A table for `2^window` masks.
    pub fn new(window: u32) -> Self {
        Self { values: (0..1usize << window).into_par_iter().map(|_| AtomicU8::new(u8::MAX)).collect() }
    }

    /// A table of these values, which must be below 256.
    pub fn from_values(values: &[u64]) -> Self {
        let byte = |value: &u64| AtomicU8::new(u8::try_from(*value).expect("a value below 256"));
        Self { values: values.iter().map(byte).collect() }
    }

    /// Takes in the values of a solved batch.
    pub fn store(&self, low: &LowTables, batch: &Batch, lanes: usize, values: &[u8]) {
        batch.tiles.par_iter().with_min_len(64).filter(|tile| tile.live == 1).for_each(|tile| {
            let j = tile.coins - tile.high.count_ones();
            let class = low.class[j as usize] as usize;
            for rank in 0..low.class_size(j) {
                let mask = (tile.high as usize) << low.low | low.masks[class + rank] as usize;
                self.values[mask].store(values[tile.values as usize + rank * lanes], Relaxed);
            }
        });
    }

    /// The values of the masks with this many coins, in the order of masks.
    pub fn with_coins(&self, window: u32, coins: u32) -> Vec<u8> {
        masks_with(window, coins).map(|mask| self.get(mask)).collect()
    }

    /// Takes in what [`Self::with_coins`] gave; whether it was as much as there are such masks.
    pub fn store_with_coins(&self, window: u32, coins: u32, values: &[u8]) -> bool {
        let mut left = values.iter();
        for mask in masks_with(window, coins) {
            let Some(value) = left.next() else {
                return false;
            };
            self.values[mask].store(*value, Relaxed);
        }
        left.next().is_none()
    }

    /// The value of a mask.
    pub fn get(&self, mask: usize) -> u8 {
        self.values[mask].load(Relaxed)
    }

    /// The values in the order of masks.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u8> + '_ {
        self.values.iter().map(|value| value.load(Relaxed))
    }
}

/// The masks of a window with this many coins, ascending.
fn masks_with(window: u32, coins: u32) -> impl Iterator<Item = usize> {
    let first = (coins <= window).then_some((1usize << coins) - 1);
    std::iter::successors(first, move |mask| {
        // The next number with as many bits: the lowest run of ones moves its top bit up and the rest to the bottom.
        let lowest = mask & mask.wrapping_neg();
        let carried = mask + lowest;
        (lowest != 0).then(|| carried | ((mask ^ carried) / lowest) >> 2)
    })
    .take_while(move |mask| mask >> window == 0)
}

impl std::fmt::Debug for ValueTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ValueTable of {} values", self.values.len())
    }
}

/// A NumPy file about to be written: nothing appears under its name before [`NpyFile::write`] has finished.
///
/// It is opened before the work begins, so that a path which cannot be written is refused at once.
pub struct NpyFile {
    path: PathBuf,
    file: AtomicWriteFile,
}

impl NpyFile {
    /// Opens a hidden file beside `path`.
    ///
    /// # Errors
    /// [`Error::Write`] if the folder is missing or may not be written to.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = write_error(path, "name a file in a folder that exists and may be written to");
        let file = crate::record::open_atomic(path).map_err(failed)?;
        Ok(Self { path: path.into(), file })
    }

    /// Writes values as a one-dimensional array of their type, streamed, then puts the file in place.
    ///
    /// # Errors
    /// [`Error::Write`]; the name then holds what it held before.
    pub fn write<T: npyz::AutoSerialize>(self, values: impl ExactSizeIterator<Item = T>) -> Result<()> {
        let shape = [values.len() as u64];
        self.write_array(&shape, values)
    }

    /// Writes values as an array of this shape in C order, streamed, then puts the file in place.
    ///
    /// # Errors
    /// [`Error::Write`]; the name then holds what it held before.
    pub fn write_array<T: npyz::AutoSerialize>(mut self, shape: &[u64], values: impl Iterator<Item = T>) -> Result<()> {
        let failed = write_error(&self.path, "free some space, or name a file elsewhere");
        let stream = |file: &mut AtomicWriteFile| -> std::io::Result<()> {
            let mut buffer = BufWriter::with_capacity(1 << 20, file);
            let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut buffer).begin_nd()?;
            writer.extend(values)?;
            writer.finish()?;
            buffer.flush()
        };
        stream(&mut self.file).and_then(|()| self.file.commit()).map_err(failed)
    }
}

pub(crate) fn write_error(path: &Path, remedy: &'static str) -> impl Fn(std::io::Error) -> Error + use<> {
    let path = path.display().to_string();
    move |source| Error::Write { path: path.clone(), source, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_by_coins() {
        for window in 0..=10u32 {
            for coins in 0..=window + 1 {
                let expected: Vec<usize> = (0..1 << window).filter(|m: &usize| m.count_ones() == coins).collect();
                assert_eq!(masks_with(window, coins).collect::<Vec<_>>(), expected);
            }
        }
    }
}
