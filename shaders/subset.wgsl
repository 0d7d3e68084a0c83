// Shared by the kernels of the saturations: arguments, cells, ranks and single moves of positions with a fixed number of coins.
//
// Twin of src/kernels/subset.rs, which says what a cell holds. Added in front: WORKGROUP, COINS, WORDS, PIECES and the pieces of
// the cells with cells_load and cells_store.

struct Params {
    window: u32,      // squares
    coins: u32,
    steps: u32,       // the most coins that move at once
    modulus: u32,     // p of the moves
    formula: u32,     // p of the formula
    exponents: u32,   // powers of p that count
    stride: u32,      // words of a cell
    sets: u32,        // sets of a cell
    levels: u32,
    counts_at: u32,   // where the counts of levels lie in `tables`, after the binomials
    piece_cells: u32, // cells in one binding
    level: u32,       // of the part
    first: u32,       // the part's first position in the level, or the first rank
    count: u32,       // the dispatch's number of threads at work
    fold: u32,        // workgroups in a row of the dispatch
    slot: u32,        // the part's number in the batch
}

const POISON = 0xffffffffu;

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
// [0]: cells read before they were solved; [1]: sets or values too wide; [2]: positions solved; [4 + part]: differences.
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;

// The position at hand: its coins, and sums over the coins below number l of what each adds to a rank at its own place,
// and one place up.
var<private> mask: vec2<u32>;
var<private> coin: array<u32, COINS>;
var<private> own: array<u32, COINS + 1>;
var<private> up: array<u32, COINS + 1>;

// The number of this thread within the dispatch, which is folded into rows.
fn thread_number(workgroup: vec3<u32>, me: u32) -> u32 {
    return (workgroup.y * p.fold + workgroup.x) * WORKGROUP + me;
}

fn binomial(a: u32, j: u32) -> u32 {
    return tables[a * (p.coins + 2u) + j];
}

fn cell_word(rank: u32, word: u32) -> u32 {
    // No division where there is nothing to divide.
    if (PIECES == 1u) {
        return cells_load(0u, rank * p.stride + word);
    }
    return cells_load(rank / p.piece_cells, (rank % p.piece_cells) * p.stride + word);
}

fn set_cell_word(rank: u32, word: u32, value: u32) {
    if (PIECES == 1u) {
        cells_store(0u, rank * p.stride + word, value);
        return;
    }
    cells_store(rank / p.piece_cells, (rank % p.piece_cells) * p.stride + word, value);
}

// Masks with j coins on [0, n) of level s.
fn positions_of(j: u32, n: u32, s: u32) -> u32 {
    return tables[p.counts_at + (j * (p.window + 1u) + n) * p.levels + s];
}

// Takes the position number `index` of the part's level in hand; twin of Sums::unrank.
fn take(index: u32) {
    var left = index;
    var j = p.coins;
    var n = p.window;
    var s = p.level;
    mask = vec2(0u);
    while (j > 0u) {
        var without = 0u;
        if (n > j) {
            without = positions_of(j, n - 1u, s);
        }
        n -= 1u;
        if (left >= without) {
            left -= without;
            if (n < 32u) {
                mask.x |= 1u << n;
            } else {
                mask.y |= 1u << (n - 32u);
            }
            coin[j - 1u] = n;
            s -= n + 1u - j;
            j -= 1u;
        }
    }
    own[0] = 0u;
    up[0] = 0u;
    for (var l = 0u; l < p.coins; l++) {
        own[l + 1u] = own[l] + binomial(coin[l], l + 1u);
        up[l + 1u] = up[l] + binomial(coin[l], l + 2u);
    }
}

fn rank_in_hand() -> u32 {
    return own[p.coins];
}

fn is_empty_square(b: u32) -> bool {
    let word = select(mask.x, mask.y, b >= 32u);
    return ((word >> (b % 32u)) & 1u) == 0u;
}

// The rank after coin number i goes down to the empty square b: the coins between move up one place.
fn rank_after(i: u32, b: u32) -> u32 {
    var l = 0u;
    if (b < 32u) {
        l = countOneBits(mask.x & ((1u << b) - 1u));
    } else {
        l = countOneBits(mask.x) + countOneBits(mask.y & ((1u << (b - 32u)) - 1u));
    }
    return own[l] + binomial(b, l + 1u) + (up[i] - up[l]) + (own[p.coins] - own[i + 1u]);
}

// A set of values below 32 WORDS.
var<private> values_seen: array<u32, WORDS>;

fn insert(value: u32) {
    if (value == POISON) {
        atomicAdd(&status[0], 1u);
    } else if (value >= 32u * WORDS) {
        atomicAdd(&status[1], 1u);
    } else {
        values_seen[value / 32u] |= 1u << (value % 32u);
    }
}

// Adds one of the sets of a cell.
fn unite(rank: u32, number: u32) {
    for (var w = 0u; w < WORDS; w++) {
        values_seen[w] |= cell_word(rank, 1u + number * WORDS + w);
    }
}
