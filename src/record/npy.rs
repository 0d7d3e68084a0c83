//! Reading a NumPy file of values: the header first, so that what does not fit is refused before anything is read.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};

use crate::error::{Error, Result};
use crate::kernels::cells::Cells;

/// A NumPy file whose header has been read and found sound.
#[derive(Debug)]
pub struct NpyTable {
    path: PathBuf,
    file: BufReader<File>,
    /// Its shape.
    pub shape: Vec<u64>,
    /// Values in all.
    pub cells: u64,
    /// Bytes of one value: 1, 2 or 4.
    pub width: u32,
}

/// A header longer than this is none of a table of numbers.
const HEADER: u64 = 1024;

impl NpyTable {
    /// Opens a file and reads its header. `widths` lists the bytes that one value may have.
    ///
    /// # Errors
    /// [`Error::Read`] for anything that is not an array of unsigned numbers of these widths in C order, whole and with
    /// nothing after it.
    pub fn open(path: &Path, widths: &[u32]) -> Result<Self> {
        let refuse = |reason: String, remedy: String| Error::Read { path: path.display().to_string(), reason, remedy };
        let system = |e: std::io::Error| refuse(e.to_string(), "name a file that may be read".into());
        // Asked before it is opened: opening a pipe would wait for its other end.
        let about = std::fs::metadata(path).map_err(system)?;
        if !about.is_file() {
            return Err(refuse("it is not a plain file".into(), "name a file that --table has written".into()));
        }
        let file = File::open(path).map_err(system)?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let no_header = |what: String| {
            refuse(
                format!("it has no NumPy header ({what})"),
                "name a file that --table or numpy.save has written".into(),
            )
        };
        let mut start = Vec::new();
        file.by_ref().take(HEADER).read_to_end(&mut start).map_err(system)?;
        if nesting(&start) > 3 {
            return Err(no_header("its brackets are nested too deep".into()));
        }
        // A header that claims to be longer is cut off here, and then does not parse.
        let mut start = std::io::Cursor::new(start);
        let header = NpyHeader::from_reader(&mut start).map_err(|e| no_header(e.to_string()))?;
        let at = start.position();
        file.seek(SeekFrom::Start(at)).map_err(system)?;

        let types = widths.iter().map(|w| type_name(*w)).collect::<Vec<_>>().join(" or ");
        let width = unsigned_width(&header.dtype()).filter(|width| widths.contains(width)).ok_or_else(|| {
            refuse(
                format!("its dtype is {}, where this game's tables have {types}", header.dtype().descr()),
                format!("save it again as table.astype('{}'), or name the right --game", type_name(widths[0])),
            )
        })?;
        let shape = header.shape().to_vec();
        if header.order() == Order::Fortran && shape.len() > 1 {
            return Err(refuse(
                "its values are in Fortran order".into(),
                "save it again as numpy.ascontiguousarray(table)".into(),
            ));
        }
        let found = about.len().saturating_sub(at);
        let cells = shape.iter().try_fold(1u64, |cells, side| cells.checked_mul(*side));
        let needed = cells.and_then(|cells| cells.checked_mul(width.into()));
        match (cells, needed) {
            (Some(cells), Some(needed)) if needed == found => Ok(Self { path: path.into(), file, shape, cells, width }),
            (_, Some(needed)) if needed < found => Err(refuse(
                format!("{} bytes follow its {needed} bytes of values", found - needed),
                "export it again, for the file is not what was written".into(),
            )),
            _ => Err(refuse(
                format!(
                    "it is cut short: its shape {} needs {} bytes of values and {found} are there",
                    tuple(&shape),
                    needed.map_or("more than 2^64".into(), |needed| needed.to_string()),
                ),
                "export or copy it again".into(),
            )),
        }
    }

    /// Bytes that the values take.
    pub fn bytes(&self) -> u64 {
        self.cells * u64::from(self.width)
    }

    /// The error that this file is refused with.
    pub fn refuse(&self, reason: impl Into<String>, remedy: impl Into<String>) -> Error {
        Error::Read { path: self.path.display().to_string(), reason: reason.into(), remedy: remedy.into() }
    }

    /// Reads the values.
    ///
    /// # Errors
    /// [`Error::Read`] if the system fails to.
    pub fn read(mut self) -> Result<Cells> {
        let cells = self.cells as usize;
        let read = match self.width {
            1 => {
                let mut values = vec![0; cells];
                self.file.read_exact(&mut values).map(|()| Cells::U8(values))
            }
            2 => words(&mut self.file, cells, u16::from_le_bytes).map(Cells::U16),
            _ => words(&mut self.file, cells, u32::from_le_bytes).map(Cells::U32),
        };
        read.map_err(|e| self.refuse(e.to_string(), "export or copy it again"))
    }
}

fn words<T, const N: usize>(file: &mut impl Read, cells: usize, word: fn([u8; N]) -> T) -> std::io::Result<Vec<T>> {
    let mut values = Vec::with_capacity(cells);
    let mut buffer = vec![0u8; (1 << 20).min(cells * N)];
    while values.len() < cells {
        let bytes = &mut buffer[..(1 << 20).min((cells - values.len()) * N)];
        file.read_exact(bytes)?;
        values.extend(bytes.as_chunks::<N>().0.iter().map(|bytes| word(*bytes)));
    }
    Ok(values)
}

/// How deep the brackets of a header are nested; those of a table are two. Its parser takes time exponential in it.
fn nesting(start: &[u8]) -> i32 {
    // The length of the text has two bytes in version 1 of the format, four in later ones.
    let (text, length) = match start {
        [_, _, _, _, _, _, 1, _, a, b, text @ ..] => (text, u16::from_le_bytes([*a, *b]).into()),
        [_, _, _, _, _, _, _, _, a, b, c, d, text @ ..] => (text, u32::from_le_bytes([*a, *b, *c, *d])),
        _ => return 0,
    };
    let text = &text[..text.len().min(length as usize)];
    let step = |depth: &mut i32, byte: &u8| {
        *depth += match byte {
            b'(' | b'[' | b'{' => 1,
            b')' | b']' | b'}' => -1,
            _ => 0,
        };
        Some(*depth)
    };
    text.iter().scan(0, step).max().unwrap_or(0)
}

/// Bytes of an unsigned number in little-endian order.
fn unsigned_width(dtype: &DType) -> Option<u32> {
    let DType::Plain(plain) = dtype else {
        return None;
    };
    let width = u32::try_from(plain.size_field()).ok().filter(|width| [1, 2, 4].contains(width))?;
    let order = width == 1 || plain.endianness() == Endianness::Little;
    (plain.type_char() == TypeChar::Uint && order).then_some(width)
}

fn type_name(width: u32) -> &'static str {
    match width {
        1 => "|u1",
        2 => "<u2",
        _ => "<u4",
    }
}

/// A shape as NumPy writes it.
pub fn tuple(shape: &[u64]) -> String {
    let sides: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("({}{})", sides.join(", "), if sides.len() == 1 { "," } else { "" })
}
