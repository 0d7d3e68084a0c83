//! The verifier's moves of Welter's game: every coin, every empty square below it. Twin of `shaders/verify_brute.wgsl`.

use super::verify::Moves;

/// Welter's game on a window; a cell is a mask.
#[derive(Clone, Copy, Debug)]
pub struct Brute {
    /// Number of squares, below 64.
    pub window: u32,
}

impl Moves for Brute {
    const WORDS: usize = 1;

    fn cells(&self) -> u64 {
        1 << self.window
    }

    #[inline(always)]
    fn options(&self, cell: u64, visit: &mut impl FnMut(u64)) {
        let mut coins = cell;
        while coins != 0 {
            let coin = coins & coins.wrapping_neg();
            coins ^= coin;
            let rest = cell ^ coin;
            let mut empty = !cell & (coin - 1);
            while empty != 0 {
                let square = empty & empty.wrapping_neg();
                empty ^= square;
                visit(rest | square);
            }
        }
    }

    fn key(&self, cell: u64) -> u64 {
        super::bits_sum(cell)
    }

    fn work(&self) -> u64 {
        // Of all pairs of squares, a quarter have a coin above and none below.
        (u64::from(self.window) * u64::from(self.window.saturating_sub(1)) / 8).max(1)
    }
}
