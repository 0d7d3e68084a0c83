//! Solve a group of tiles: mex over the rows of the lines through each position, then add each value to those rows.
//!
//! A *line* is a position without one of its coins `a`; its *row* is the set of values seen so far on it, as a bitset.
//! Positions come in an order in which every option comes first, so a row then holds just the values of the options
//! that move `a`, and `g(X) = mex of the union of the rows through X`. Twin of `shaders/rows.wgsl`.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use super::LANES;
use crate::index::low::LowTables;
use crate::index::tiles::Tile;

/// A set of values as the bits of a word.
pub trait Word:
    Copy
    + Default
    + Send
    + Sync
    + PartialEq
    + BitOr<Output = Self>
    + BitAnd<Output = Self>
    + Not<Output = Self>
    + BitOrAssign
{
    /// How many values it can hold.
    const BITS: u32;
    /// The least value outside the set, as a set of one; empty when the word is full.
    fn least_outside(self) -> Self;
    /// The value in a set of one.
    fn value(self) -> u8;
    /// The set of all values from `limit` up.
    fn from_limit(limit: u32) -> Self;
}

macro_rules! word {
    ($int:ty) => {
        impl Word for $int {
            const BITS: u32 = <$int>::BITS;
            #[inline(always)]
            fn least_outside(self) -> Self {
                !self & self.wrapping_add(1)
            }
            #[inline(always)]
            fn value(self) -> u8 {
                self.wrapping_sub(1).count_ones() as u8
            }
            #[inline(always)]
            fn from_limit(limit: u32) -> Self {
                (!0 as $int).checked_shl(limit).unwrap_or(0)
            }
        }
    };
}
word!(u32);
word!(u64);

/// The rows of a band, shared by the threads that solve one level.
///
/// Tiles of one level and one number of coins touch disjoint rows: if tiles `H` and `H'` both touched the rows of the high coins
/// `H \ a = H' \ a'`, equal levels would give `a = a'`; and no tile's own rows are another's `H' \ a'`, which has a lower level.
pub struct Rows<W> {
    words: *mut W,
    len: usize,
}

// SAFETY: access is by `get` and `get_mut` alone, whose callers keep to disjoint rows.
unsafe impl<W: Send> Send for Rows<W> {}
unsafe impl<W: Send> Sync for Rows<W> {}

impl<W> Rows<W> {
    /// Shares `words`, which must not be used otherwise while the result lives.
    pub fn new(words: &mut [W]) -> Self {
        Self { words: words.as_mut_ptr(), len: words.len() }
    }

    /// # Safety
    /// No other thread may write to these rows meanwhile.
    #[inline(always)]
    unsafe fn get(&self, at: u64, len: usize) -> &[W] {
        let at = at as usize;
        assert!(at + len <= self.len, "plan: rows out of bounds");
        // SAFETY: in bounds; the caller keeps writers away.
        unsafe { std::slice::from_raw_parts(self.words.add(at), len) }
    }

    /// # Safety
    /// No other thread may touch these rows meanwhile.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    unsafe fn get_mut(&self, at: u64, len: usize) -> &mut [W] {
        let at = at as usize;
        assert!(at + len <= self.len, "plan: rows out of bounds");
        // SAFETY: in bounds; the caller keeps others away.
        unsafe { std::slice::from_raw_parts_mut(self.words.add(at), len) }
    }
}

/// Working memory of one thread.
pub struct Scratch<W> {
    lane: Vec<W>,
    seen: Vec<[W; LANES]>,
    lines: Vec<[W; LANES]>,
}

impl<W: Word> Scratch<W> {
    /// Enough for any group of these tables.
    pub fn new(low: &LowTables) -> Self {
        let most = (0..=low.low).map(|j| low.class_size(j)).max().unwrap_or(1);
        Self {
            lane: vec![W::default(); most],
            seen: vec![[W::default(); LANES]; most],
            lines: vec![[W::default(); LANES]; most],
        }
    }
}

/// What a kernel needs to know of the window and the band.
pub struct Params<'a> {
    /// The low squares.
    pub low: &'a LowTables,
    /// Number of high squares.
    pub high: u32,
    /// Where the band's rows lie, see [`crate::index::tiles::Places`].
    pub places: &'a [u64],
    /// The band's least number of coins.
    pub coins: u32,
    /// Values from here up do not fit the word: at most its width, less only in tests.
    pub limit: u32,
}

/// A position whose row was full: its rank and lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full {
    /// The rank in the class.
    pub rank: usize,
    /// The lane.
    pub lane: usize,
}

macro_rules! compiled {
    ($name:ident, $int:ty) => {
        /// [`solve`] for one word, compiled for the machine at hand.
        ///
        /// # Safety
        /// As for [`solve`].
        #[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
        pub unsafe fn $name(
            p: &Params<'_>,
            tiles: &[Tile],
            values: &mut [u8],
            rows: &Rows<$int>,
            scratch: &mut Scratch<$int>,
        ) -> Result<(), Full> {
            // SAFETY: as promised by the caller.
            unsafe { solve(p, tiles, values, rows, scratch) }
        }
    };
}
compiled!(solve_u32, u32);
compiled!(solve_u64, u64);

/// Solves one group: writes the values and brings the rows up to date. Fails when a set of seen values is full.
///
/// # Safety
/// No other thread may touch the rows of these tiles' lines meanwhile: call it for groups of one level at a time.
#[inline(always)]
pub unsafe fn solve<W: Word>(
    p: &Params<'_>,
    tiles: &[Tile],
    values: &mut [u8],
    rows: &Rows<W>,
    scratch: &mut Scratch<W>,
) -> Result<(), Full> {
    let tiles: &[Tile; LANES] = tiles.try_into().expect("plan: a group of LANES tiles");
    let j = tiles[0].coins - tiles[0].high.count_ones();
    let size = p.low.class_size(j);
    let line_size = if j > 0 { p.low.class_size(j - 1) } else { 0 };
    let place = |tile: &Tile, high: u32| p.places[((tile.coins - p.coins) << p.high | high) as usize];
    let lane_words = &mut scratch.lane[..size];
    let seen = &mut scratch.seen[..size];
    let lines = &mut scratch.lines[..line_size];

    // Moves of the high coins: the rows of H without a, streamed.
    for (lane, tile) in tiles.iter().enumerate() {
        lane_words.fill(W::from_limit(p.limit));
        for a in super::bits(tile.high) {
            // SAFETY: tiles of a level touch disjoint rows (see `Rows`).
            let row = unsafe { rows.get(place(tile, tile.high ^ 1 << a), size) };
            for (word, seen) in lane_words.iter_mut().zip(row) {
                *word |= *seen;
            }
        }
        for (seen, word) in seen.iter_mut().zip(&*lane_words) {
            seen[lane] = *word;
        }
    }

    // Moves of the low coins, in an order in which every option comes first; each set of seen values becomes its mex.
    lines.fill([W::default(); LANES]);
    let line_list = &p.low.lines[p.low.lines_of[j as usize] as usize..p.low.lines_of[j as usize + 1] as usize];
    let mut full = [false; LANES];
    for (rank, at) in seen.iter_mut().enumerate() {
        let through = &line_list[rank * j as usize..(rank + 1) * j as usize];
        let mut seen = *at;
        for &line in through {
            let row = lines[line as usize];
            for lane in 0..LANES {
                seen[lane] |= row[lane];
            }
        }
        let mex = seen.map(W::least_outside);
        for lane in 0..LANES {
            full[lane] |= mex[lane] == W::default();
        }
        *at = mex;
        for &line in through {
            let row = &mut lines[line as usize];
            for lane in 0..LANES {
                row[lane] |= mex[lane];
            }
        }
    }
    let full = full.contains(&true);
    if full {
        let at = seen.as_flattened().iter().position(|word| *word == W::default()).expect("a full word");
        return Err(Full { rank: at / LANES, lane: at % LANES });
    }

    for (value, word) in values[..size * LANES].iter_mut().zip(seen.as_flattened()) {
        *value = word.value();
    }
    for (lane, tile) in tiles.iter().enumerate().filter(|(_, tile)| tile.live == 1) {
        for (word, seen) in lane_words.iter_mut().zip(&*seen) {
            *word = seen[lane];
        }
        for a in super::bits(tile.high) {
            // SAFETY: as above; the shared borrow of the first loop has ended.
            let row = unsafe { rows.get_mut(place(tile, tile.high ^ 1 << a), size) };
            for (row, word) in row.iter_mut().zip(&*lane_words) {
                *row |= *word;
            }
        }
        // The tile's own lines: their rows begin with what its low coins just put there.
        // SAFETY: as above.
        let own = unsafe { rows.get_mut(place(tile, tile.high), line_size) };
        for (own, line) in own.iter_mut().zip(&*lines) {
            *own = line[lane];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn words_tell_the_mex_or_that_they_are_full() {
        assert_eq!(0b1011u32.least_outside().value(), 2);
        assert_eq!(0u64.least_outside().value(), 0);
        assert_eq!((u64::MAX >> 1).least_outside().value(), 63);
        assert_eq!(u32::MAX.least_outside(), 0);
        assert_eq!((0b11 | u32::from_limit(2)).least_outside(), 0);
        assert_eq!(u32::from_limit(32), 0);
    }
}
