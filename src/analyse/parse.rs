//! Positions as people write them: `1 4 5 9 11`, `1,4,5,9,11` or `{1,4,5,9,11}`.

use crate::theory::mating::{LAST_SQUARE, MOST_COINS, NotAPosition};

/// Why a text or a list of coins is no position; names the coin, the limit and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPosition {
    /// Not a whole number.
    #[error(
        "coin '{0}' is not a whole number; write coins as squares 0 to {LAST_SQUARE}, with blanks or commas between"
    )]
    NotANumber(String),
    /// Below square 0.
    #[error("coin {0} is negative; name squares from 0 to {LAST_SQUARE}")]
    Negative(String),
    /// Beyond the last square.
    #[error("coin {0} is too large; name squares from 0 to {LAST_SQUARE} (2^63 - 1)")]
    TooLarge(String),
    /// Two coins on one square.
    #[error("coin {0} is named twice; a square holds one coin at most, so name it once")]
    Repeated(u64),
    /// More coins than can be numbered.
    #[error("{0} coins are too many; at most {MOST_COINS} are taken")]
    TooMany(usize),
}

impl From<NotAPosition> for BadPosition {
    fn from(why: NotAPosition) -> Self {
        match why {
            NotAPosition::Repeated(coin) => Self::Repeated(coin),
            NotAPosition::TooLarge(coin) => Self::TooLarge(coin.to_string()),
            NotAPosition::TooMany(coins) => Self::TooMany(coins),
        }
    }
}

/// The coins in a text: whole numbers with blanks or commas between, in braces or without; none at all are the empty
/// position. Whether a coin is repeated is not looked at yet.
///
/// # Errors
/// [`BadPosition`] naming the first coin that is no square.
pub fn coins(text: &[u8]) -> Result<Vec<u64>, BadPosition> {
    let text = text.trim_ascii();
    let text = text.strip_prefix(b"{").and_then(|text| text.strip_suffix(b"}")).unwrap_or(text);
    let words = text.split(|c| c.is_ascii_whitespace() || *c == b',').filter(|word| !word.is_empty());
    words.map(coin).collect()
}

fn coin(word: &[u8]) -> Result<u64, BadPosition> {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(BadPosition::NotANumber(shown(word)));
    }
    // None beyond 64 bits.
    let value = digits.iter().try_fold(0u64, |n, c| n.checked_mul(10)?.checked_add(u64::from(c - b'0')));
    match value {
        Some(0) => Ok(0),
        _ if digits.len() < word.len() => Err(BadPosition::Negative(shown(word))),
        Some(coin) if coin <= LAST_SQUARE => Ok(coin),
        _ => Err(BadPosition::TooLarge(shown(word))),
    }
}

/// A word fit for one line of a message.
fn shown(word: &[u8]) -> String {
    const MOST: usize = 40;
    let text = String::from_utf8_lossy(word);
    let mut start: String = text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > MOST {
        start += "...";
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_people_write_them() {
        for text in ["1 4 11", "1,4,11", " {1, 4,11}\r", "1,\t4 , 0011", "{1,4,11}"] {
            assert_eq!(coins(text.as_bytes()), Ok(vec![1, 4, 11]), "{text}");
        }
        assert_eq!(coins(b""), Ok(vec![]));
        assert_eq!(coins(b" { } "), Ok(vec![]));
        assert_eq!(coins(b"9223372036854775807"), Ok(vec![LAST_SQUARE]));
        assert_eq!(coins(b"-0"), Ok(vec![0]));
    }

    #[test]
    fn bad_coins_are_named() {
        let bad = |text: &str| coins(text.as_bytes()).unwrap_err();
        assert_eq!(bad("1 -3"), BadPosition::Negative("-3".into()));
        assert_eq!(bad("-99999999999999999999999"), BadPosition::Negative("-99999999999999999999999".into()));
        assert_eq!(bad("9223372036854775808"), BadPosition::TooLarge("9223372036854775808".into()));
        assert_eq!(bad("18446744073709551617"), BadPosition::TooLarge("18446744073709551617".into()));
        for word in ["x", "1.5", "+3", "0x10", "-", "1e3", "{1", "٣"] {
            assert_eq!(bad(&format!("7 {word}")), BadPosition::NotANumber(word.into()));
        }
        assert_eq!(bad(&"a".repeat(1000)), BadPosition::NotANumber("a".repeat(40) + "..."));
        assert_eq!(coins(b"1 \xff\x1b"), Err(BadPosition::NotANumber("\u{fffd}\u{fffd}".into())));
    }
}
