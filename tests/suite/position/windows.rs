//! Every position of a window: value and set of winning moves as read off the brute-force table.

use rayon::prelude::*;
use welter::Position;
use welter::backend::cpu::Cpu;
use welter::brute;
use welter::theory::mating::Mating;
use welter::theory::moves::Move;

/// The table of a window, by mex, as the engine exports it.
fn table(window: u32) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.npy");
    let request = brute::Request { window, table: Some(path.clone()), solve_only: true, ..Default::default() };
    brute::run(&request, &Cpu::new(None).unwrap(), &mut |_| ()).unwrap();
    let bytes = std::fs::read(path).unwrap();
    bytes[bytes.len() - (1 << window)..].to_vec()
}

/// Every single move from a mask to a mask of value `wished`, read off the table.
fn read_off(table: &[u8], mask: u64, wished: u8) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Position(mask).coins() {
        for to in (0..from).filter(|to| mask >> to & 1 == 0) {
            if table[(mask ^ 1 << from ^ 1 << to) as usize] == wished {
                moves.push(Move { from, to });
            }
        }
    }
    moves
}

fn agrees(window: u32, wished: std::ops::RangeInclusive<u8>) {
    let table = table(window);
    (0..1u64 << window).into_par_iter().for_each(|mask| {
        let mating = Mating::new(&Position(mask).coins()).unwrap();
        assert_eq!(mating.value(), u64::from(table[mask as usize]), "{}", Position(mask));
        for wished in wished.clone() {
            let moves = mating.moves_to(wished.into());
            assert_eq!(moves, read_off(&table, mask, wished), "{} to {wished}", Position(mask));
        }
    });
}

#[test]
fn window_20_winning_moves() {
    agrees(20, 0..=0);
}

#[test]
fn window_13_moves_to_every_value() {
    agrees(13, 0..=17);
}
