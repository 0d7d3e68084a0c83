//! The flow for one position of Welter's game, of any size: coins in, everything known about it out. No table, no search.
//!
//! The value comes from [`Mating`]; the other formulas are evaluated beside it wherever the [`Limits`] let them,
//! and must agree. [`batch`] does the same for a stream of positions, [`explain`] writes the computation out.

pub mod batch;
mod document;
pub mod explain;
mod limits;
mod parse;

use num_bigint::BigUint;

pub use limits::Limits;
pub use parse::{BadPosition, coins};

use crate::theory::mating::Mating;
use crate::theory::moves::Move;
use crate::theory::{degree, digits, hooks, msg, welter};

/// What is asked for about each position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request {
    /// A value to which moves are wanted, besides 0.
    pub to: Option<u64>,
    /// Another base than 2, above 1: for `b_p`, fullness and `msg_p`.
    pub p: Option<u64>,
    /// Up to what size the costly parts are computed.
    pub limits: Limits,
}

/// The value by each formula; `None` where the position is beyond the [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulas {
    /// Mating, in O(m log m).
    pub mating: u64,
    /// Welter's formula, over all pairs of coins.
    pub pairs: Option<u64>,
    /// Irie's digit form, from the counts of hooks by powers of 2.
    pub digit: Option<u128>,
    /// Sato's formula, over all hooks.
    pub hook: Option<u64>,
}

impl Formulas {
    /// Whether all that were evaluated agree.
    pub fn agree(&self) -> bool {
        let others = [self.pairs.map(u128::from), self.digit, self.hook.map(u128::from)];
        others.into_iter().flatten().all(|value| value == u128::from(self.mating))
    }
}

/// What base p adds, for a request that names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    /// p.
    pub p: u64,
    /// `b_p`; `None` beyond the [`Limits`].
    pub b: Option<u128>,
    /// `msg_p`; `None` beyond the [`Limits`].
    pub msg: Option<u64>,
}

/// Everything known about a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The coins, ascending.
    pub coins: Vec<u64>,
    /// The Sprague-Grundy value.
    pub value: u64,
    /// The value by each formula.
    pub formulas: Formulas,
    /// The rows of the Young diagram, longest first.
    pub partition: Option<Vec<u64>>,
    /// Its number of cells, which is the number of all moves.
    pub cells: u128,
    /// The number of hooks whose length 1, 2, 4, ... divides.
    pub hooks_divisible: Option<Vec<u128>>,
    /// The degree of the diagram's representation.
    pub degree: Option<BigUint>,
    /// Whether the diagram is full for the base asked for, else for 2: `b_p` is the number of cells.
    pub full: Option<bool>,
    /// Every move to a position of value 0.
    pub winning_moves: Vec<Move>,
    /// The value wished for, and every move to a position of that value.
    pub to: Option<(u64, Vec<Move>)>,
    /// The base asked for.
    pub base: Option<Base>,
}

impl Analysis {
    /// Analyses the position with these coins, in any order.
    ///
    /// ```
    /// use welter::analyse::{Analysis, Request};
    /// let found = Analysis::of(&[11, 9, 5, 4, 1], &Request::default())?;
    /// assert_eq!((found.value, found.partition), (14, Some(vec![7, 6, 3, 3, 1])));
    /// # Ok::<(), welter::analyse::BadPosition>(())
    /// ```
    ///
    /// # Errors
    /// [`BadPosition`] for a repeated coin, a coin above 2^63 - 1, or 2^31 coins and more.
    pub fn of(coins: &[u64], request: &Request) -> Result<Self, BadPosition> {
        let limits = &request.limits;
        let mating = Mating::new(coins)?;
        let mut coins = coins.to_vec();
        coins.sort_unstable();
        let few = |limit: usize| coins.len() <= limit;
        let m = coins.len() as u128;
        let cells = coins.iter().map(|x| u128::from(*x)).sum::<u128>() - m * m.saturating_sub(1) / 2;

        let counts = few(limits.counted_coins).then(|| digits::hooks_divisible(2, &coins));
        let hooks = (cells <= u128::from(limits.hook_cells)).then(|| hooks::hooks(&coins));
        let partition = few(limits.listed_coins).then(|| hooks::partition(&coins));
        let formulas = Formulas {
            mating: mating.value(),
            pairs: few(limits.paired_coins).then(|| welter::value(&coins)),
            digit: counts.as_ref().map(|counts| digits::b(2, counts)),
            hook: hooks.as_ref().map(|hooks| hooks::value_of(hooks)),
        };
        let base = request.p.map(|p| Base {
            p,
            b: few(limits.counted_coins).then(|| digits::b(p, &digits::hooks_divisible(p, &coins))),
            msg: partition
                .as_ref()
                .and_then(|rows| msg::largest_full(p, rows, limits.sub_diagram_rows))
                .map(|rows| rows.iter().sum()),
        });
        let full = base.map_or(formulas.digit, |base| base.b).map(|b| b == cells);
        let listed = limits.listed_counts || hooks.is_some();
        Ok(Self {
            value: mating.value(),
            formulas,
            partition,
            cells,
            hooks_divisible: counts.filter(|_| listed),
            degree: hooks.filter(|hooks| hooks.len() as u64 <= limits.degree_cells).map(|hooks| degree::degree(&hooks)),
            full,
            winning_moves: mating.moves_to(0),
            to: request.to.map(|value| (value, mating.moves_to(value))),
            base,
            coins,
        })
    }
}
