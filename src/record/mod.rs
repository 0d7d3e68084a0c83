//! What a run leaves behind: digests, exported tables, run records. It knows results, never how they were computed.

use std::path::Path;

use atomic_write_file::AtomicWriteFile;

pub mod bfile;
pub mod box_digest;
pub mod checkpoint;
pub mod digest;
pub mod heatmap;
pub mod npy;
pub mod run;
pub mod table;

/// Opens a file that appears under its name whole or not at all, and only when it is committed.
///
/// A link is followed, so that its target is replaced and not the link. What is no plain file (a folder, a device, a pipe)
/// is refused: putting a file in its place would destroy it.
///
/// # Errors
/// The system's, or that the name is taken by something else.
pub(crate) fn open_atomic(path: &Path) -> std::io::Result<AtomicWriteFile> {
    use std::io::{Error, ErrorKind};
    let target = match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => std::fs::canonicalize(path)?,
        _ => path.to_path_buf(),
    };
    match std::fs::metadata(&target) {
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Err(Error::other("it is no plain file")),
        Ok(_) => AtomicWriteFile::open(target),
        Err(error) if error.kind() == ErrorKind::NotFound => AtomicWriteFile::open(target),
        Err(error) => Err(error),
    }
}

/// An integer as JSON: a number, or a string above 2^53, where readers that use doubles would round it.
pub fn integer(n: u64) -> serde_json::Value {
    if n > 1 << 53 { n.to_string().into() } else { n.into() }
}

/// [`integer`] as a field of a serialised struct.
pub fn serialize_integer<S: serde::Serializer>(n: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *n > 1 << 53 { serializer.collect_str(n) } else { serializer.serialize_u64(*n) }
}
