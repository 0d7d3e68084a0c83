//! The oracle: Sprague-Grundy values straight from the definition.
//!
//! It looks at the options one by one and takes the mex of a set. It knows no levels, no rows, no masks and no
//! formula, and it shares nothing with the kernels but the plain idea of a position.

use std::collections::{HashMap, HashSet};

use crate::games::Ruleset;

/// Values of one game, remembered once computed.
pub struct Oracle<R: Ruleset> {
    rules: R,
    known: HashMap<R::Position, u32>,
}

impl<R: Ruleset> Oracle<R> {
    /// An oracle that knows nothing yet.
    pub fn new(rules: R) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// `g(X) = mex { g(Y) : Y an option of X }`.
    pub fn value(&mut self, position: &R::Position) -> u32 {
        if let Some(&value) = self.known.get(position) {
            return value;
        }
        let mut seen = HashSet::new();
        for option in self.rules.options(position) {
            seen.insert(self.value(&option));
        }
        let value = (0..).find(|v| !seen.contains(v)).expect("mex of a finite set");
        self.known.insert(position.clone(), value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::welter::Welter;

    #[test]
    fn known_answers() {
        let mut oracle = Oracle::new(Welter);
        assert_eq!(oracle.value(&vec![]), 0);
        assert_eq!(oracle.value(&vec![1, 2]), 2);
        assert_eq!(oracle.value(&vec![1, 4, 5, 9, 11]), 14);
        assert_eq!(oracle.value(&vec![32]), 32);
    }
}
