//! Speed, measured: the loop of the definition and the kernels in turn, round after round in one run.

use std::time::Instant;

use super::Request;
use crate::backend::Backend;
use crate::bench::Lane;
use crate::error::Result;

/// The loop everybody writes first for two piles, compiled, on one thread: every option of every position is looked up,
/// and seen values are marked in an array. Returns the P-positions of each layer. Knows nothing of the engine.
pub fn definition_loop(size: usize, passes: u32) -> Vec<u64> {
    let side = size + 1;
    let mut counts = Vec::new();
    let mut below: Vec<u16> = Vec::new();
    // seen[v] is the number of the last position that has an option of value v.
    let mut seen = vec![0u32; 2 * side + 2];
    let mut number = 0;
    for layer in 0..=passes {
        let mut values = vec![0u16; side * side];
        for x in 0..side {
            for y in 0..side {
                number += 1;
                for option in 0..x {
                    seen[usize::from(values[option * side + y])] = number;
                }
                for option in 0..y {
                    seen[usize::from(values[x * side + option])] = number;
                }
                if layer > 0 && x + y > 0 {
                    seen[usize::from(below[x * side + y])] = number;
                }
                values[x * side + y] = (0..).find(|v| seen[usize::from(*v)] != number).expect("a mex");
            }
        }
        counts.push(values.iter().filter(|value| **value == 0).count() as u64);
        below = values;
    }
    counts
}

/// Races the definition's loop and the backends over two piles, `rounds` times; the loop is the first lane.
///
/// # Errors
/// As [`super::run`].
pub fn race(
    size: u64,
    passes: u32,
    rounds: u32,
    backends: &[(String, Box<dyn Backend>)],
    remark: &mut dyn FnMut(String),
) -> Result<Vec<Lane>> {
    let request = Request { piles: 2, size, passes, solve_only: true, ..Default::default() };
    for (_, backend) in backends {
        super::plan(&request, &**backend)?;
    }
    let lane = |name: &str| Lane { name: name.into(), solve: Vec::new(), check: Vec::new() };
    let mut lanes = vec![lane("definition, 1 thread")];
    lanes.extend(backends.iter().map(|(name, _)| lane(name)));
    for round in 1..=rounds {
        remark(format!("round {round} of {rounds}"));
        let began = Instant::now();
        let p_positions = std::hint::black_box(definition_loop(size as usize, passes));
        lanes[0].solve.push(began.elapsed().as_secs_f64());
        lanes[0].check.push(0.0);
        for (lane, (_, backend)) in lanes[1..].iter_mut().zip(backends) {
            let outcome = super::run(&request, &**backend, &mut |_| {})?;
            for (passes_left, expected) in (0..).zip(&p_positions) {
                let values = &outcome.table.layers[passes_left];
                let zeros = (0..values.len() as u64).filter(|cell| values.get(*cell) == 0).count() as u64;
                assert_eq!(zeros, *expected, "{} disagrees", lane.name);
            }
            lane.solve.push(outcome.seconds.solve);
            lane.check.push(0.0);
        }
    }
    Ok(lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_is_right() {
        assert_eq!(definition_loop(7, 1), [8, 7]); // (0,0), (1,2), (2,1), ..., (5,6), (6,5); 7 has no partner
        assert_eq!(definition_loop(0, 1), [1, 1]);
    }
}
