//! Closed forms for one position, of any size: no tables, no search, no I/O.
//!
//! Each file states the theorem and its source first. These are the formulas that the tables are checked against;
//! the kernels in [`crate::kernels`] evaluate the same formulas a tile at a time, and tests hold the two together.
//!
//! | file | what it answers |
//! |---|---|
//! | [`welter`], [`hooks`], [`digits`] | the value, three ways, as the theorems state it |
//! | [`mating`], [`moves`] | the value and all moves to a wished value, for millions of coins |
//! | [`animating`], [`norm`] | Conway's theory behind them, on all integers |
//! | [`degree`], [`msg`] | the diagram's representation, and the full diagrams inside it |

pub mod animating;
pub mod degree;
pub mod digits;
pub mod hooks;
pub mod mating;
pub mod moves;
pub mod msg;
pub mod norm;
pub mod saturation;
pub mod welter;

/// `N(d) = d XOR (d - 1) = 2^(ord_2 d + 1) - 1`, for `d > 0`.
pub fn n_of(d: u64) -> u64 {
    d ^ (d - 1)
}

/// `ord_p(d)`: the exponent of the largest power of `p` that divides `d`, for `d > 0` and any `p > 1`.
pub fn ord(p: u64, mut d: u64) -> u32 {
    let mut e = 0;
    while d.is_multiple_of(p) {
        d /= p;
        e += 1;
    }
    e
}
