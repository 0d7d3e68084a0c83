//! Checkpoints: what a run has finished, in files that are each whole or not there, and each carry their own digest.
//!
//! A file is a line with the BLAKE3 digest of all that follows, a line of JSON with the request it belongs to, a line with the
//! part's name, then the part.
//! It is written under another name, synced, and renamed. A file that does not match its digest is set aside as `NAME.bad`,
//! never deleted, and treated as missing. Files of another request are refused.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use atomic_write_file::AtomicWriteFile;
use serde_json::Value;

use super::table::write_error;
use crate::error::{Error, Result};

/// A folder of one request's finished parts.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    request: Value,
    set_aside: Vec<PathBuf>,
}

/// What came from a checkpoint, for outcomes.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Resumed {
    /// Finished parts that were taken from it.
    pub parts: usize,
    /// Damaged files that were set aside.
    pub set_aside: Vec<PathBuf>,
}

impl Resumed {
    /// That many parts from this checkpoint, if there is one.
    pub fn from_checkpoint(parts: usize, checkpoint: Option<&Checkpoint>) -> Self {
        Self { parts, set_aside: checkpoint.map_or(Vec::new(), |checkpoint| checkpoint.damaged().to_vec()) }
    }
}

/// Between two saves of one part that grows: long enough that saving costs little, short enough to lose little.
pub const BETWEEN_SAVES: Duration = Duration::from_secs(5);

/// What a file turned out to hold.
enum Found {
    Sound(Value, Vec<u8>),
    Damaged,
}

impl Checkpoint {
    /// Opens or makes the folder. `request` must say all that determines the results, and nothing that does not (threads,
    /// backend).
    ///
    /// # Errors
    /// [`Error::Write`] if the folder cannot be made or written to; [`Error::Usage`] if it holds files of another request.
    pub fn open(folder: &Path, request: Value) -> Result<Self> {
        let failed = write_error(folder, "name a folder that may be written to");
        std::fs::create_dir_all(folder).map_err(&failed)?;
        AtomicWriteFile::open(folder.join("checkpoint")).map_err(&failed)?;
        let mut checkpoint = Self { folder: folder.into(), request, set_aside: Vec::new() };
        for entry in std::fs::read_dir(folder).map_err(&failed)? {
            let path = entry.map_err(&failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') && name.contains(".part.") {
                // What a killed run was writing; nobody can tell its name from outside, so nobody misses it.
                let _ = std::fs::remove_file(&path);
                continue;
            }
            if path.extension().is_some_and(|ending| ending == "part") {
                match read(&path).map_err(write_error(&path, "make it readable, or name another folder"))? {
                    Found::Damaged => checkpoint.set_aside(&path)?,
                    Found::Sound(request, _) if request != checkpoint.request => {
                        return Err(Error::Usage(format!(
                            "--checkpoint {}: it belongs to another request, {request}, not {}; name another folder",
                            folder.display(),
                            checkpoint.request,
                        )));
                    }
                    Found::Sound(..) => {}
                }
            }
        }
        Ok(checkpoint)
    }

    /// The part saved under a name, if it is there and sound.
    ///
    /// # Errors
    /// [`Error::Write`] if a damaged file cannot be set aside.
    pub fn load(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path(name);
        match read(&path) {
            Ok(Found::Sound(_, bytes)) => Ok(Some(bytes)),
            Ok(Found::Damaged) => self.set_aside(&path).map(|()| None),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(write_error(&path, "make it readable, or name another folder")(error)),
        }
    }

    /// Saves a part: written new, synced and renamed.
    ///
    /// # Errors
    /// [`Error::Write`]; what was saved under the name before is then still there.
    pub fn save(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(name);
        let failed = write_error(&path, "free some space and start again: what was saved before is kept");
        let mut content = self.request.to_string().into_bytes();
        content.extend_from_slice(format!("\n{name}\n").as_bytes());
        content.extend_from_slice(bytes);
        let mut file = AtomicWriteFile::open(&path).map_err(&failed)?;
        writeln!(file, "{}", blake3::hash(&content).to_hex())
            .and_then(|()| file.write_all(&content))
            .and_then(|()| file.commit())
            .map_err(&failed)
    }

    /// The error of a run that was asked to stop and has saved `done`.
    pub fn interrupted(&self, done: &str) -> Error {
        Error::Interrupted { done: done.into(), folder: self.folder.display().to_string() }
    }

    /// How many parts are there.
    pub fn parts(&self) -> usize {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "part")).count()
    }

    /// Damaged files that were set aside.
    pub fn damaged(&self) -> &[PathBuf] {
        &self.set_aside
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.part"))
    }

    fn set_aside(&mut self, path: &Path) -> Result<()> {
        let name = |i: u32| {
            let ending = if i == 0 { "bad".to_string() } else { format!("{i}.bad") };
            PathBuf::from(format!("{}.{ending}", path.display()))
        };
        let free = (0..).map(name).find(|name| !name.exists()).expect("a free name");
        std::fs::rename(path, &free).map_err(write_error(&free, "name a folder that may be written to"))?;
        self.set_aside.push(free);
        Ok(())
    }
}

fn read(path: &Path) -> std::io::Result<Found> {
    let bytes = std::fs::read(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(sound(&bytes, &name).map_or(Found::Damaged, |(request, part)| Found::Sound(request, part.to_vec())))
}

/// The request and the part of a file that matches its digest and its name.
fn sound<'b>(bytes: &'b [u8], expected: &str) -> Option<(Value, &'b [u8])> {
    let line_end = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b'\n');
    let (digest, content) = bytes.split_at(line_end(bytes)?);
    let content = &content[1..];
    if blake3::hash(content).to_hex().as_bytes() != digest {
        return None;
    }
    let (request, rest) = content.split_at(line_end(content)?);
    let (name, part) = rest[1..].split_at(line_end(&rest[1..])?);
    (name == expected.as_bytes()).then_some(())?;
    Some((serde_json::from_slice(request).ok()?, &part[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_come_back_and_any_flipped_bit_sets_them_aside() {
        let folder = tempfile::tempdir().unwrap();
        let request = json!({"command": "test", "n": 3});
        let checkpoint = Checkpoint::open(folder.path(), request.clone()).unwrap();
        checkpoint.save("one", b"finished\nwork").unwrap();
        let path = folder.path().join("one.part");
        let sound = std::fs::read(&path).unwrap();
        for byte in 0..sound.len() {
            let mut damaged = sound.clone();
            damaged[byte] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            let mut checkpoint = Checkpoint::open(folder.path(), request.clone()).unwrap();
            assert_eq!(checkpoint.load("one").unwrap(), None, "byte {byte}");
            assert_eq!(checkpoint.damaged().len(), 1);
            assert_eq!(std::fs::read(&checkpoint.damaged()[0]).unwrap(), damaged);
            assert!(!path.exists());
        }
        std::fs::write(&path, &sound).unwrap();
        let mut checkpoint = Checkpoint::open(folder.path(), request).unwrap();
        assert_eq!(checkpoint.load("one").unwrap().as_deref(), Some(&b"finished\nwork"[..]));
        assert_eq!(checkpoint.load("two").unwrap(), None);
        std::fs::copy(&path, folder.path().join("two.part")).unwrap();
        assert_eq!(checkpoint.load("two").unwrap(), None, "a part under another's name");
        assert!(Checkpoint::open(folder.path(), json!({"n": 4})).is_err());
    }
}
