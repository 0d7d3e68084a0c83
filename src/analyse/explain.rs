//! The computation of a value written out, and what a move does to the diagram.

use super::Analysis;
use crate::theory::mating::{Mates, Mating};
use crate::theory::moves::Move;
use crate::theory::{hooks, n_of};

/// Coins up to which every difference and every pair of mates is written out.
pub const COINS: usize = 32;
/// Rows and columns up to which the diagram and its hooks are written out.
pub const SIDE: usize = 40;
/// Moves of which the hook is shown.
pub const MOVES: usize = 8;

/// The diagram with its hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Rows, longest first.
    pub rows: Vec<u64>,
    /// Columns, longest first: the rows of the conjugate.
    pub columns: Vec<u64>,
    /// Hook lengths, row by row.
    pub hooks: Vec<Vec<u64>>,
    /// The coin of each row.
    pub coins: Vec<u64>,
    /// The empty square of each column.
    pub empties: Vec<u64>,
}

/// The hook that a move removes: of the cell in `row` and `column`, counted from 0, with `arm` cells to its right and
/// `leg` cells below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The move.
    pub go: Move,
    /// Row of its cell.
    pub row: usize,
    /// Column of its cell.
    pub column: usize,
    /// Cells to the right.
    pub arm: usize,
    /// Cells below.
    pub leg: usize,
}

/// The steps; `None` where there are too many to read.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The XOR of all coins.
    pub xor_of_coins: u64,
    /// `N` of the differences of each coin and the coins below it, coins ascending.
    pub differences: Option<Vec<Vec<u64>>>,
    /// The XOR of them all.
    pub xor_of_n: Option<u64>,
    /// The mates, best first, and the coin left over.
    pub mates: Option<(Vec<Mates>, Option<u64>)>,
    /// The diagram.
    pub diagram: Option<Diagram>,
    /// The hooks that the first moves to the wished value remove, else the winning moves; none without a diagram.
    pub removals: Vec<Removal>,
}

impl Explanation {
    /// Explains an analysis.
    pub fn of(found: &Analysis) -> Self {
        let coins = &found.coins;
        let few = coins.len() <= COINS;
        let differences: Option<Vec<Vec<u64>>> = few.then(|| {
            let row = |(i, x): (usize, &u64)| coins[..i].iter().map(|y| n_of(x - y)).collect();
            coins.iter().enumerate().map(row).collect()
        });
        let diagram = diagram(found);
        let moves = found.to.as_ref().map_or(&found.winning_moves, |(_, moves)| moves);
        let removals = match &diagram {
            None => Vec::new(),
            Some(diagram) => moves.iter().take(MOVES).map(|go| removal(*go, diagram)).collect(),
        };
        Self {
            xor_of_coins: coins.iter().fold(0, |v, x| v ^ x),
            xor_of_n: differences.as_ref().map(|rows| rows.iter().flatten().fold(0, |v, n| v ^ n)),
            differences,
            mates: few.then(|| Mating::new(coins).expect("the coins of an analysis").mates()),
            diagram,
            removals,
        }
    }
}

fn diagram(found: &Analysis) -> Option<Diagram> {
    let rows = found.partition.clone().filter(|rows| rows.len() <= SIDE)?;
    if rows.first().is_some_and(|row| *row > SIDE as u64) {
        return None;
    }
    // Coins that cannot move have no row.
    let coins = found.coins.iter().rev().take(rows.len()).copied().collect();
    let empties = hooks::empties(&found.coins);
    Some(Diagram { columns: hooks::conjugate(&rows), hooks: hooks::table(&rows), rows, coins, empties })
}

fn removal(go: Move, diagram: &Diagram) -> Removal {
    let Move { from, to } = go;
    let between = |squares: &[u64]| squares.iter().filter(|x| to < **x && **x < from).count();
    Removal {
        go,
        row: diagram.coins.iter().filter(|x| **x > from).count(),
        column: diagram.empties.iter().filter(|x| **x < to).count(),
        arm: between(&diagram.empties),
        leg: between(&diagram.coins),
    }
}
