// Shared by the kernels on Young diagrams: their arguments, a diagram as coins, and its hooks by divisibility.

struct Params {
    p: u32,
    prime: u32,       // whether p is a prime
    nmax: u32,
    n: u32,           // the level, in msg
    first: u32,       // the first node or rank
    count: u32,       // how many
    each: u32,        // how many a thread
    fold: u32,        // workgroups in a row of the dispatch
    counts_at: u32,   // where each table lies in `young`
    below_at: u32,
    digit_at: u32,
    legendre_at: u32,
    residue_at: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> young: array<u32>;

// The diagram: a coin for each row, and for each power of p the number of hooks that it divides.
var<private> coins: vec4<u32>;
var<private> rows: u32;
var<private> cells: u32;
var<private> hooks: array<u32, 6>;

// Partitions counted with what is left and the least part, see src/index/partitions.rs.
fn partitions(left: u32, least: u32) -> u32 {
    return young[p.counts_at + left * (p.nmax + 2u) + least];
}

// Hooks that a coin above all others makes, or made, by power.
fn hooks_of(coin: u32, power: u32) -> u32 {
    let at = p.below_at + coin * 24u + power * 4u;
    let ends = countOneBits(~coins & vec4(young[at], young[at + 1u], young[at + 2u], young[at + 3u]));
    return ends.x + ends.y + ends.z + ends.w;
}

// Adds a row at least as long as all others.
fn add_row(part: u32) {
    let coin = part + rows;
    for (var i = 0u; i < 6u; i++) {
        hooks[i] += hooks_of(coin, i);
    }
    coins[coin / 32u] |= 1u << (coin % 32u);
    rows++;
    cells += part;
}

// The longest row; 1 for the empty diagram.
fn longest_row() -> u32 {
    for (var word = 4u; word > 0u; word--) {
        if (coins[word - 1u] != 0u) {
            return 32u * (word - 1u) + firstLeadingBit(coins[word - 1u]) - (rows - 1u);
        }
    }
    return 1u;
}

// Takes the longest row away and returns it.
fn take_row() -> u32 {
    let part = longest_row();
    rows--;
    cells -= part;
    let coin = part + rows;
    coins[coin / 32u] ^= 1u << (coin % 32u);
    for (var i = 0u; i < 6u; i++) {
        hooks[i] -= hooks_of(coin, i);
    }
    return part;
}

fn residue(count: u32) -> u32 {
    return young[p.residue_at + count];
}

// Whether b_p is the number of cells.
fn is_full() -> bool {
    for (var i = 0u; i < 6u; i++) {
        if (residue(hooks[i]) != young[p.digit_at + 6u * cells + i]) {
            return false;
        }
    }
    return true;
}
