//! What can go wrong, each with one line that names the argument, the limit and the remedy.

/// Every failure that is not a finding. The command line prints it on one line and exits with 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An argument is outside what the command accepts.
    #[error("{0}")]
    Usage(String),

    /// The request needs more memory than there is; nothing was started.
    #[error(
        "window {window} needs {} for its {what} and {} is available on {device}; {}",
        bytes(*needed),
        bytes(u128::from(*available)),
        match largest {
            Some(n) => format!("the largest window that fits is {n}"),
            None => "no window fits".to_string(),
        }
    )]
    TooLarge {
        /// The window asked for.
        window: u32,
        /// What takes the memory.
        what: &'static str,
        /// Where it was to be held.
        device: String,
        /// Bytes needed.
        needed: u128,
        /// Bytes available.
        available: u64,
        /// The largest window that fits under the same options.
        largest: Option<u32>,
    },

    /// A request for a box of piles needs more memory than there is; nothing was started.
    #[error(
        "{request} needs {} for its {what} and {} is available on {device}; {remedy}",
        bytes(*needed),
        bytes(u128::from(*available))
    )]
    Memory {
        /// What was asked for.
        request: String,
        /// What takes the memory.
        what: &'static str,
        /// Where it was to be held.
        device: String,
        /// Bytes needed; the greatest number if there are more.
        needed: u128,
        /// Bytes available.
        available: u64,
        /// What to do about it.
        remedy: String,
    },

    /// Every value that a row can hold was seen from a position: never truncated, always reported.
    #[error(
        "every value below {values}, all that its rows hold, is seen from the piles ({piles}) with {passes} passes left, \
         so its value cannot be told; this contradicts a proven bound: please report it"
    )]
    RowFull {
        /// The piles, with commas.
        piles: String,
        /// The passes left.
        passes: u32,
        /// How many values a row holds.
        values: u64,
    },

    /// A set of seen values filled its word, so a mex could not be told: never wrapped, always reported.
    #[error(
        "the set of values seen from {position} fills its {bits}-bit word, so its value cannot be told; use --word-bits 64"
    )]
    Overflow {
        /// The position whose options take every value that the word can hold.
        position: crate::Position,
        /// The width of the word.
        bits: u32,
    },

    /// No adapter, or the wrong name or number of one.
    #[error("{0}")]
    Device(String),

    /// The GPU or its driver failed: device lost, out of memory, validation, or an impossible read-back.
    #[error("{device}: {what}: {reason}; run again with --backend cpu")]
    Gpu {
        /// The adapter's name.
        device: String,
        /// What was being done.
        what: String,
        /// What the driver or the check of the read-back said.
        reason: String,
    },

    /// A run with a checkpoint was asked to stop, and has saved what it finished.
    #[error("stopped; {done} is saved in {folder}; the same command goes on from there")]
    Interrupted {
        /// What was finished.
        done: String,
        /// The checkpoint's folder.
        folder: String,
    },

    /// A file could not be read, or is not what it should be.
    #[error("cannot take {path}: {reason}; {remedy}")]
    Read {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
        /// What to do about it.
        remedy: String,
    },

    /// A file could not be written.
    #[error("cannot write {path}: {source}; {remedy}")]
    Write {
        /// The file.
        path: String,
        /// The system's reason.
        source: std::io::Error,
        /// What to do about it.
        remedy: &'static str,
    },
}

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Bytes for people: three significant digits in binary units.
pub fn bytes(n: u128) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match (unit, value) {
        (0, _) => format!("{n} B"),
        (_, v) if v < 10.0 => format!("{v:.2} {}", UNITS[unit]),
        (_, v) if v < 100.0 => format!("{v:.1} {}", UNITS[unit]),
        (_, v) => format!("{v:.0} {}", UNITS[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn bytes_read_well() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.50 KiB");
        assert_eq!(bytes(64 << 20), "64.0 MiB");
        assert_eq!(bytes(600 << 30), "600 GiB");
    }
}
