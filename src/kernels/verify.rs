//! Look whether a table certifies itself at each position of a stretch: no option has its value, and each smaller value is
//! attained by some option.
//!
//! Positions are numbered as the table has them. Options are enumerated one by one, straight from the rules, and only
//! looked up: no levels, no rows, no formula. Twin of `shaders/verify.wgsl`; a game's moves are in `verify_brute.rs`,
//! `verify_sat.rs` and `verify_pass.rs`, with shaders of the same names.

use std::cmp::Ordering;

use super::cells::Cell;
pub use super::verify_brute::Brute;
pub use super::verify_pass::Pass;
pub use super::verify_sat::Sat;
use crate::Position;

/// A game as the verifier sees it.
pub trait Moves: Sync {
    /// Values are told apart in spans of 64 times so many; a position whose value lies beyond takes another look.
    const WORDS: usize;

    /// How many positions there are.
    fn cells(&self) -> u64;

    /// Visits the cell of every option, some of them perhaps more than once.
    fn options(&self, cell: u64, visit: &mut impl FnMut(u64));

    /// A number that every move makes smaller.
    fn key(&self, cell: u64) -> u64;

    /// About how many options a position has, at least 1.
    fn work(&self) -> u64;
}

/// What was found in a stretch of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Positions where the table is as it should be.
    pub verified: u64,
    /// Positions where it is not.
    pub violations: u64,
    /// The first cell of those.
    pub least: Option<u64>,
    /// The least key of those.
    pub key: Option<u64>,
}

impl Found {
    /// Takes in what was found in another stretch.
    pub fn add(&mut self, other: &Self) {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        self.verified += other.verified;
        self.violations += other.violations;
        self.least = least(self.least, other.least);
        self.key = least(self.key, other.key);
    }
}

/// Looks at the cells `first..first + count`.
pub fn verify<const WORDS: usize>(
    moves: &impl Moves,
    table: &[impl Cell],
    first: u64,
    count: u64,
    mut violation: impl FnMut(u64),
) -> Found {
    let mut found = Found::default();
    for cell in first..first + count {
        if holds::<WORDS>(moves, table, cell) {
            found.verified += 1;
        } else {
            violation(cell);
            found.add(&Found { violations: 1, least: Some(cell), key: Some(moves.key(cell)), verified: 0 });
        }
    }
    found
}

#[inline(always)]
fn holds<const WORDS: usize>(moves: &impl Moves, table: &[impl Cell], cell: u64) -> bool {
    let span = 64 * WORDS as u64;
    let value = table[cell as usize].get();
    let mut base = 0;
    loop {
        let (mut seen, mut same) = ([0u64; WORDS], false);
        moves.options(cell, &mut |option| {
            let other = table[option as usize].get();
            same |= other == value;
            // Values below the base wrap to ones beyond the span.
            let at = other.wrapping_sub(base);
            if at < span {
                seen[(at / 64) as usize] |= 1 << (at % 64);
            }
        });
        let wanted = value - base;
        let attained = (0..).zip(seen).all(|(word, seen): (u64, u64)| {
            let below = wanted.saturating_sub(64 * word);
            let all = if below >= 64 { u64::MAX } else { (1 << below) - 1 };
            seen & all == all
        });
        if same || !attained {
            return false;
        }
        if wanted <= span {
            return true;
        }
        base += span;
    }
}

/// The game of a table.
#[derive(Clone, Debug)]
pub enum Rules {
    /// Welter's game.
    Brute(Brute),
    /// A p-saturation of it.
    Sat(Sat),
    /// Nim with passes.
    Pass(Pass),
}

/// Runs an expression on the game, whichever it is.
macro_rules! with_moves {
    ($rules:expr, $moves:ident => $body:expr) => {
        match $rules {
            Rules::Brute($moves) => $body,
            Rules::Sat($moves) => $body,
            Rules::Pass($moves) => $body,
        }
    };
}

/// What is wrong with the value of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The cell.
    pub cell: u64,
    /// What the table says.
    pub value: u64,
    /// The least value that no option has.
    pub mex: u64,
    /// An option of the same value, if there is one.
    pub same: Option<u64>,
}

impl Rules {
    /// How many positions there are.
    pub fn cells(&self) -> u64 {
        with_moves!(self, moves => moves.cells())
    }

    /// About how many options a position has, at least 1.
    pub fn work(&self) -> u64 {
        with_moves!(self, moves => moves.work())
    }

    /// [`verify`] for this game.
    pub fn verify(&self, table: &[impl Cell], first: u64, count: u64, violation: impl FnMut(u64)) -> Found {
        match self {
            Self::Brute(moves) => verify::<{ Brute::WORDS }>(moves, table, first, count, violation),
            Self::Sat(moves) => verify::<{ Sat::WORDS }>(moves, table, first, count, violation),
            Self::Pass(moves) => verify::<{ Pass::WORDS }>(moves, table, first, count, violation),
        }
    }

    /// A number that every move makes smaller: the sum of coins, or of piles and passes left.
    pub fn key(&self, cell: u64) -> u64 {
        with_moves!(self, moves => moves.key(cell))
    }

    /// The order of reports: the least key first, then the coins as [`Position::report_order`] has them, or the cells.
    pub fn report_order(&self, a: u64, b: u64) -> Ordering {
        match (self.position(a), self.position(b)) {
            (Some(a), Some(b)) => a.report_order(b),
            _ => self.key(a).cmp(&self.key(b)).then(a.cmp(&b)),
        }
    }

    /// The coins of a cell, in games with coins.
    pub fn position(&self, cell: u64) -> Option<Position> {
        match self {
            Self::Brute(_) => Some(Position(cell)),
            Self::Sat(sat) => Some(Position(sat.coins(cell))),
            Self::Pass(_) => None,
        }
    }

    /// Looks closely at one cell.
    pub fn fault(&self, table: &[impl Cell], cell: u64) -> Fault {
        let value = table[cell as usize].get();
        let mut seen = std::collections::BTreeSet::new();
        let mut same = None;
        with_moves!(self, moves => moves.options(cell, &mut |option| {
            let other = table[option as usize].get();
            seen.insert(other);
            if other == value {
                same.get_or_insert(option);
            }
        }));
        let mex = (0..).zip(&seen).take_while(|(i, value)| i == *value).count() as u64;
        Fault { cell, value, mex, same }
    }
}
