//! Puts the WGSL of a kernel together: constants, shared pieces, the pieces of the rows, the kernel.

use std::fmt::Write;

use crate::kernels::verify::{Brute, Moves, Pass, Rules, Sat};

const TILE: &str = include_str!("../../../shaders/tile.wgsl");
const ROW32: &str = include_str!("../../../shaders/row32.wgsl");
const ROW64: &str = include_str!("../../../shaders/row64.wgsl");
const ROWS: &str = include_str!("../../../shaders/rows.wgsl");
const POISON: &str = include_str!("../../../shaders/poison.wgsl");
const COMPARE: &str = include_str!("../../../shaders/compare.wgsl");
const SUBSET_XOR: &str = include_str!("../../../shaders/subset_xor.wgsl");
const WELTER: &str = include_str!("../../../shaders/welter.wgsl");
const HOOK: &str = include_str!("../../../shaders/hook.wgsl");
const DIGIT: &str = include_str!("../../../shaders/digit.wgsl");
const YOUNG: &str = include_str!("../../../shaders/young.wgsl");
const FULL: &str = include_str!("../../../shaders/full.wgsl");
const MSG: &str = include_str!("../../../shaders/msg.wgsl");
const VERIFY: &str = include_str!("../../../shaders/verify.wgsl");
const VERIFY_BRUTE: &str = include_str!("../../../shaders/verify_brute.wgsl");
const VERIFY_SAT: &str = include_str!("../../../shaders/verify_sat.wgsl");
const VERIFY_PASS: &str = include_str!("../../../shaders/verify_pass.wgsl");
const TALLY: &str = include_str!("../../../shaders/tally.wgsl");
const SUBSET: &str = include_str!("../../../shaders/subset.wgsl");
const MEX: &str = include_str!("../../../shaders/mex.wgsl");
const WALKS: &str = include_str!("../../../shaders/walks.wgsl");
const BASE_P: &str = include_str!("../../../shaders/base_p.wgsl");
const VALUES: &str = include_str!("../../../shaders/values.wgsl");

/// The binding of the rows' first piece in the solving kernel.
pub const FIRST_PIECE: u32 = 6;

/// The solving kernel for rows in `pieces` bindings of 32- or 64-bit words, classes of up to `class` masks.
pub fn rows(workgroup_size: u32, word_bits: u32, class: usize, pieces: u32) -> String {
    let row = if word_bits == 32 { ROW32 } else { ROW64 };
    let constants = format!("const CLASS = {class};\n");
    join(workgroup_size, &[&constants, TILE, row, &pieces_of("row", "Row", FIRST_PIECE, pieces), ROWS])
}

/// `NAME_load` and `NAME_store` over one binding a piece, from binding `first` on; WGSL cannot index bindings, so a
/// switch does.
fn pieces_of(name: &str, word: &str, first: u32, pieces: u32) -> String {
    let (mut bindings, mut loads, mut stores) = (String::new(), String::new(), String::new());
    for piece in 0..pieces {
        let binding = first + piece;
        writeln!(bindings, "@group(0) @binding({binding}) var<storage, read_write> {name}{piece}: array<{word}>;")
            .expect("writing to a string");
        let case = if piece + 1 == pieces { "default".to_string() } else { format!("case {piece}u") };
        writeln!(loads, "        {case}: {{ return {name}{piece}[i]; }}").expect("writing to a string");
        writeln!(stores, "        {case}: {{ {name}{piece}[i] = x; }}").expect("writing to a string");
    }
    if pieces == 1 {
        return bindings
            + &format!(
                "fn {name}_load(piece: u32, i: u32) -> {word} {{ return {name}0[i]; }}\n\
                 fn {name}_store(piece: u32, i: u32, x: {word}) {{ {name}0[i] = x; }}\n"
            );
    }
    format!(
        "{bindings}\nfn {name}_load(piece: u32, i: u32) -> {word} {{\n    switch piece {{\n{loads}    }}\n}}\n\
         fn {name}_store(piece: u32, i: u32, x: {word}) {{\n    switch piece {{\n{stores}    }}\n}}\n"
    )
}

/// The kernels of the option games, in the order in which they run, for cells in `pieces` bindings.
pub fn options(workgroup_size: u32, coins: u32, words: u32, pieces: u32) -> [(&'static str, String); 4] {
    // No array may be empty.
    let constants = format!("const COINS = {}u;\nconst WORDS = {words}u;\nconst PIECES = {pieces}u;\n", coins.max(1));
    let cells = pieces_of("cells", "u32", 3, pieces);
    let kernel = |parts: &[&str]| join(workgroup_size, &[&[&constants, &cells, SUBSET], parts].concat());
    let packed = format!("@group(0) @binding({}) var<storage, read_write> packed: array<u32>;\n", 3 + pieces);
    [
        ("mex", kernel(&[MEX])),
        ("walks", kernel(&[WALKS])),
        ("base_p", kernel(&[BASE_P])),
        ("values", kernel(&[&packed, VALUES])),
    ]
}

/// Fills a piece of the rows.
pub fn poison(workgroup_size: u32) -> String {
    join(workgroup_size, &[POISON])
}

/// The checking kernels, in the order in which they run: the formulas in the order of
/// [`crate::kernels::FORMULAS`], then the tally.
pub fn checks(workgroup_size: u32) -> [(&'static str, String); 4] {
    [
        ("welter", join(workgroup_size, &[TILE, COMPARE, SUBSET_XOR, WELTER])),
        ("hook", join(workgroup_size, &[TILE, COMPARE, SUBSET_XOR, HOOK])),
        ("digit", join(workgroup_size, &[TILE, COMPARE, DIGIT])),
        ("tally", join(workgroup_size, &[TILE, COMPARE, TALLY])),
    ]
}

/// The kernel that walks through partitions.
pub fn full(workgroup_size: u32) -> String {
    join(workgroup_size, &[YOUNG, FULL])
}

/// The kernel of one level of Young's lattice.
pub fn msg(workgroup_size: u32) -> String {
    join(workgroup_size, &[YOUNG, MSG])
}

/// The binding of the table's first piece in the verifying kernel.
pub const FIRST_TABLE: u32 = 3;

/// The kernel that looks whether a table certifies itself. Its cells are `width` bytes each, in `pieces` bindings of
/// `2^shift` words; `moves` coins of a saturation move at once.
pub fn verify(workgroup_size: u32, rules: &Rules, width: u32, pieces: u32, shift: u32) -> String {
    let (game, words, moves) = match rules {
        Rules::Brute(_) => (VERIFY_BRUTE, 2 * Brute::WORDS, 1),
        Rules::Sat(sat) => (VERIFY_SAT, 2 * Sat::WORDS, sat.moves.max(1)),
        Rules::Pass(_) => (VERIFY_PASS, 2 * Pass::WORDS, 1),
    };
    let constants = format!("const WORDS = {words}u;\nconst WIDTH = {width}u;\nconst MOVES = {moves}u;\n");
    join(workgroup_size, &[&constants, &pieces_of_table(pieces, shift), game, VERIFY])
}

/// `table_word` over one binding a piece.
fn pieces_of_table(pieces: u32, shift: u32) -> String {
    let (mut bindings, mut loads) = (String::new(), String::new());
    for piece in 0..pieces {
        let binding = FIRST_TABLE + piece;
        writeln!(bindings, "@group(0) @binding({binding}) var<storage, read> table{piece}: array<u32>;")
            .expect("writing to a string");
        let case = if piece + 1 == pieces { "default".to_string() } else { format!("case {piece}u") };
        writeln!(loads, "        {case}: {{ return table{piece}[i & {}u]; }}", (1u64 << shift) - 1)
            .expect("writing to a string");
    }
    format!("{bindings}\nfn table_word(i: u32) -> u32 {{\n    switch i >> {shift}u {{\n{loads}    }}\n}}\n")
}

fn join(workgroup_size: u32, parts: &[&str]) -> String {
    format!("const WORKGROUP = {workgroup_size}u;\n{}", parts.join("\n"))
}
