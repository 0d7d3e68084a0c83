//! Arrays of words split over several bindings: WGSL cannot index bindings, so a switch does.

use std::fmt::Write;

/// `NAME_load(piece, i)` and `NAME_store(piece, i, word)` over `count` bindings of 32-bit words from `first` on.
pub fn words(name: &str, first: u32, count: u32) -> String {
    let (mut bindings, mut loads, mut stores) = (String::new(), String::new(), String::new());
    for piece in 0..count {
        let binding = first + piece;
        writeln!(bindings, "@group(0) @binding({binding}) var<storage, read_write> {name}{piece}: array<u32>;")
            .expect("writing to a string");
        let case = if piece + 1 == count { "default".to_string() } else { format!("case {piece}u") };
        writeln!(loads, "        {case}: {{ return {name}{piece}[i]; }}").expect("writing to a string");
        writeln!(stores, "        {case}: {{ {name}{piece}[i] = word; }}").expect("writing to a string");
    }
    if count == 1 {
        return format!(
            "{bindings}fn {name}_load(piece: u32, i: u32) -> u32 {{ return {name}0[i]; }}\n\
             fn {name}_store(piece: u32, i: u32, word: u32) {{ {name}0[i] = word; }}\n"
        );
    }
    format!(
        "{bindings}fn {name}_load(piece: u32, i: u32) -> u32 {{\n    switch piece {{\n{loads}    }}\n}}\n\
         fn {name}_store(piece: u32, i: u32, word: u32) {{\n    switch piece {{\n{stores}    }}\n}}\n"
    )
}
