//! Every option of a position, once each, straight from the residue-class form of the rule; for checks without a table.
//!
//! Options are pairs `(S, T)`: coins that leave, empty squares that are entered. For each `e`, `S` is taken class by class
//! modulo `q = p^e`, and its `i`-th least coin of a class gets a square of the same class below it and above the square
//! of the one before; that the total is no multiple of `p^(e+1)` is seen at the end. A pair has one `e`, one order and
//! one assignment, so it is met once. Along the way the hooks that each `p^L` divides are kept, so that `b_p` of the
//! option costs next to nothing.

use crate::index::colex::Colex;

/// Powers of `p` below 64 that a window may have: for `p = 2`, `2^0` to `2^5`.
const MOST_POWERS: usize = 6;
/// The most hooks of a position, and the most that all its distances can add up to: `m (n - m)` for `n <= 64`.
const MOST_CELLS: u32 = 1024;

/// What the walk over options needs of the rule; every division is in a table.
#[derive(Clone, Debug)]
pub struct Rule {
    steps: u32,
    powers: Vec<Power>,
    /// Whether the total distance, divided by `p^e`, is no multiple of `p`.
    counts: Vec<bool>,
}

/// One power `q = p^L` below the window.
#[derive(Clone, Debug)]
struct Power {
    q: u32,
    /// By square: its class modulo `q`, the squares of its class, and how often `q` goes into it.
    class: [u8; 64],
    squares: [u64; 64],
    quotient: [u32; 64],
    /// By number of hooks that `q` divides: what the digit adds to `b_p`.
    digit: Vec<u16>,
}

/// `sum over coins of floor(x / p^L)`, less the pairs of coins congruent modulo `p^L`: the hooks that `p^L` divides.
/// Wrapping: between coins a count may pass below zero; with all coins on the board it is a count again.
type Hooks = [u32; MOST_POWERS];

/// Coins by power and class.
type Counts = [[u8; 64]; MOST_POWERS];

impl Rule {
    /// The rule of `W_{p, steps + 1}` in a window, for `p` up to 1,025 (see [`crate::plan::options::OptionPlan::modulus`]).
    pub fn new(p: u32, steps: u32, window: u32) -> Self {
        let power = |q: u32| {
            let class: [u8; 64] = std::array::from_fn(|a| (a as u32 % q) as u8);
            Power {
                q,
                squares: std::array::from_fn(|a| (0..64).filter(|b| class[*b] == class[a]).map(|b| 1u64 << b).sum()),
                class,
                quotient: std::array::from_fn(|a| a as u32 / q),
                digit: (0..=MOST_CELLS).map(|hooks| (hooks % p * q) as u16).collect(),
            }
        };
        let powers = (0..).map(|e| p.pow(e)).take_while(|q| *q < window.max(2)).map(power).collect();
        Self { steps, powers, counts: (0..=MOST_CELLS).map(|total| !total.is_multiple_of(p)).collect() }
    }

    /// `b_p` of a mask.
    pub fn formula(&self, mask: u64) -> u32 {
        self.digits(&self.hooks(mask).0)
    }

    /// The hooks and counts of a mask.
    fn hooks(&self, mask: u64) -> (Hooks, Counts) {
        let (mut hooks, mut counts) = ([0; MOST_POWERS], [[0; 64]; MOST_POWERS]);
        let mut left = mask;
        while left != 0 {
            let a = left.trailing_zeros() as usize;
            hooks = self.with(&hooks, &counts, a);
            self.put(&mut counts, a, 1);
            left &= left - 1;
        }
        (hooks, counts)
    }

    /// The hooks once a coin is put on `a` beside those counted.
    #[inline(always)]
    fn with(&self, hooks: &Hooks, counts: &Counts, a: usize) -> Hooks {
        let mut hooks = *hooks;
        for ((power, counts), hooks) in self.powers.iter().zip(counts).zip(&mut hooks) {
            let beside = counts[(power.class[a] & 63) as usize];
            *hooks = hooks.wrapping_add(power.quotient[a]).wrapping_sub(beside.into());
        }
        hooks
    }

    /// Counts a coin on `a` in, or out again with `by` = -1.
    #[inline(always)]
    fn put(&self, counts: &mut Counts, a: usize, by: i8) {
        for (power, counts) in self.powers.iter().zip(counts) {
            let count = &mut counts[(power.class[a] & 63) as usize];
            *count = count.wrapping_add_signed(by);
        }
    }

    #[inline(always)]
    fn digits(&self, hooks: &Hooks) -> u32 {
        self.powers.iter().zip(hooks).map(|(power, hooks)| u32::from(power.digit[*hooks as usize])).sum()
    }

    /// Calls `visit` with the mask and `b_p` of each option of `mask`, each once.
    pub fn options(&self, mask: u64, visit: &mut impl FnMut(u64, u32)) {
        for (e, power) in self.powers.iter().enumerate() {
            let mut coins: Vec<u32> = (0..64).filter(|a| mask >> a & 1 == 1).collect();
            coins.sort_by_key(|a| (a % power.q, *a));
            let counts = [[0; 64]; MOST_POWERS];
            let mut walk = Walk { rule: self, e, from: mask, coins: &coins, leaves: [0; 64], counts, visit };
            walk.choose(0, 0);
        }
    }
}

/// One position and one `e` at a time.
struct Walk<'a, V> {
    rule: &'a Rule,
    e: usize,
    from: u64,
    /// By class, then ascending.
    coins: &'a [u32],
    leaves: [u32; 64],
    /// Of the coins that stay and those already put down.
    counts: Counts,
    visit: &'a mut V,
}

impl<V: FnMut(u64, u32)> Walk<'_, V> {
    /// Chooses which coins leave, in order; `chosen` of them so far, from those before number `next`.
    fn choose(&mut self, next: usize, chosen: usize) {
        if chosen > 0 {
            let stay = self.leaves[..chosen].iter().fold(self.from, |mask, a| mask & !(1 << a));
            let (hooks, counts) = self.rule.hooks(stay);
            self.counts = counts;
            self.place(0, chosen, stay, &hooks, 0);
        }
        if chosen < self.rule.steps as usize {
            for i in next..self.coins.len() {
                self.leaves[chosen] = self.coins[i];
                self.choose(i + 1, chosen + 1);
            }
        }
    }

    /// Gives coin number `i` of those that leave every square it may enter.
    fn place(&mut self, i: usize, chosen: usize, mask: u64, hooks: &Hooks, total: u32) {
        let (rule, a) = (self.rule, self.leaves[i]);
        let power = &rule.powers[self.e];
        // In one class, in ascending order.
        let class = power.squares[a as usize];
        let above = if i > 0 && (class >> self.leaves[i - 1]) & 1 == 1 {
            // The square that the coin before entered is the topmost of its class that was not there at first.
            let entered = mask & !self.from & class;
            u64::MAX << (63 - entered.leading_zeros())
        } else {
            u64::MAX
        };
        let mut squares = class & ((1 << a) - 1) & !self.from & !mask & above;
        while squares != 0 {
            let b = squares.trailing_zeros();
            squares &= squares - 1;
            let total = total + power.quotient[(a - b) as usize];
            if i + 1 < chosen {
                let hooks = rule.with(hooks, &self.counts, b as usize);
                rule.put(&mut self.counts, b as usize, 1);
                self.place(i + 1, chosen, mask | 1 << b, &hooks, total);
                rule.put(&mut self.counts, b as usize, -1);
            } else if rule.counts[total as usize] {
                let hooks = rule.with(hooks, &self.counts, b as usize);
                (self.visit)(mask | 1 << b, rule.digits(&hooks));
            }
        }
    }
}

/// What the formula alone says of some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certified {
    /// Positions looked at.
    pub positions: u64,
    /// Their options.
    pub options: u64,
    /// Positions with an option of the same `b_p`.
    pub repeated: u64,
    /// Positions with a smaller value that no option has as its `b_p`.
    pub missing: u64,
}

/// Looks at `count` positions from rank `first` on; calls `failed` with each mask that is repeated or missing a value.
pub fn certify(rule: &Rule, colex: &Colex, first: u64, count: u64, failed: &mut impl FnMut(u64)) -> Certified {
    let mut told = Certified { positions: count, ..Certified::default() };
    let mut seen = vec![0u64; 1];
    let mut mask = if count > 0 { colex.unrank(first) } else { 0 };
    for _ in 0..count {
        let own = rule.formula(mask);
        seen.clear();
        seen.resize(own as usize / 64 + 1, 0);
        let mut options = 0;
        rule.options(mask, &mut |_, value| {
            options += 1;
            if let Some(word) = seen.get_mut(value as usize / 64) {
                *word |= 1 << (value % 64);
            }
        });
        let has = |value: u32| seen[value as usize / 64] >> (value % 64) & 1 == 1;
        let (repeated, missing) = (has(own), !(0..own).all(has));
        told.options += options;
        told.repeated += u64::from(repeated);
        told.missing += u64::from(missing);
        if repeated || missing {
            failed(mask);
        }
        mask = crate::index::colex::next(mask);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::theory::{digits, saturation};

    #[test]
    fn each_option_is_met_once_with_its_formula() {
        for (p, m, k, n) in [(2, 4, 3, 9), (3, 4, 4, 10), (4, 3, 4, 11), (6, 4, 5, 9), (9, 3, 3, 10)] {
            let rule = Rule::new(p, k - 1, n);
            let masks: Vec<u64> = (0..1u64 << n).filter(|mask| mask.count_ones() == m).collect();
            for &x in &masks {
                let mut met = Vec::new();
                rule.options(x, &mut |y, value| {
                    assert_eq!(u64::from(value), digits::value(p.into(), &Position(y).coins()));
                    met.push(y);
                });
                met.sort_unstable();
                let legal = |y: &u64| saturation::legal(p.into(), k, Position(x), Position(*y));
                let expected: Vec<u64> = masks.iter().copied().filter(legal).collect();
                assert_eq!(met, expected, "p {p}, k {k}, from {}", Position(x));
            }
        }
    }
}
