//! The verifier's moves of Nim with passes: every pile, every smaller number in it; or a pass, if one is left and some pile
//! is not empty. Twin of `shaders/verify_pass.wgsl`.

use super::verify::Moves;

/// Nim with passes; cells are `(passes left, piles...)` in C order.
#[derive(Clone, Debug)]
pub struct Pass {
    /// One more than the most passes left.
    pub layers: u64,
    /// One more than the greatest of each pile.
    pub sides: Vec<u64>,
    /// How far apart the cells are of piles that differ by one.
    pub strides: Vec<u64>,
    /// Cells with as many passes left.
    pub layer: u64,
}

impl Pass {
    /// The game with the shape of its table, all sides positive and with a product that fits.
    pub fn new(layers: u64, sides: &[u64]) -> Self {
        let mut layer = 1;
        let mut strides: Vec<u64> = sides
            .iter()
            .rev()
            .map(|side| {
                let stride = layer;
                layer *= side;
                stride
            })
            .collect();
        strides.reverse();
        Self { layers, sides: sides.to_vec(), strides, layer }
    }

    /// The piles of a cell, and the passes left.
    pub fn piles(&self, cell: u64) -> (Vec<u64>, u64) {
        let piles = self.sides.iter().zip(&self.strides).map(|(side, stride)| cell / stride % side).collect();
        (piles, cell / self.layer)
    }
}

impl Moves for Pass {
    const WORDS: usize = 16;

    fn cells(&self) -> u64 {
        self.layers * self.layer
    }

    #[inline(always)]
    fn options(&self, cell: u64, visit: &mut impl FnMut(u64)) {
        for (side, stride) in self.sides.iter().zip(&self.strides) {
            let pile = cell / stride % side;
            (1..=pile).for_each(|taken| visit(cell - taken * stride));
        }
        let some_pile = !cell.is_multiple_of(self.layer);
        if cell >= self.layer && some_pile {
            visit(cell - self.layer);
        }
    }

    fn key(&self, cell: u64) -> u64 {
        let (piles, passes) = self.piles(cell);
        passes + piles.iter().sum::<u64>()
    }

    fn work(&self) -> u64 {
        (self.sides.iter().sum::<u64>() / 2).max(1)
    }
}
