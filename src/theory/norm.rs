//! The Welter norm and even alteration (J. H. Conway, On Numbers and Games, 1976, ch. 13), straight from the
//! definition, for any integers. [`super::moves`] does the same for many coins at once.
//!
//! Integers are those of [`super::animating`]: `i128`, modulo `2^128`.

use super::animating::{NormalForm, mate};

/// `[a1|...|an]`: the XOR of all `ai` and of `M(ai, aj)` over `i < j`; 0 for no arguments. O(n^2).
///
/// For distinct `ai >= 0` it is the Sprague-Grundy value of Welter's game.
pub fn norm(arguments: &[i128]) -> i128 {
    let mut value = 0;
    for (i, &x) in arguments.iter().enumerate() {
        value ^= x;
        for &y in &arguments[..i] {
            value ^= mate(x, y);
        }
    }
    value
}

/// `a -> [a|R]`, which is animating: `a XOR M(a, r1) XOR ... XOR M(a, rk) XOR [R]`.
pub fn in_one_argument(rest: &[i128]) -> NormalForm {
    NormalForm::new(rest.to_vec(), norm(rest))
}

/// Even alteration: the unique `a1', ..., an'` with `[a1'|a2|...] = [a1|a2'|...] = ... = altered`.
///
/// If `altered != [a1|...|an]`, replacing any even number of the symbols `a1, ..., an, [a1|...|an]` by their altered
/// ones keeps the equation true. O(n^2) and a factor of 128.
pub fn alter(arguments: &[i128], altered: i128) -> Vec<i128> {
    let without = |i: usize| [&arguments[..i], &arguments[i + 1..]].concat();
    (0..arguments.len()).map(|i| in_one_argument(&without(i)).solve(altered)).collect()
}
