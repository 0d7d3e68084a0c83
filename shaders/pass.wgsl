// Solve the cells of one level of a box of Nim with passes: mex over the rows of the lines through each cell and the value one pass down.
//
// One thread takes a line of the last axis and its cell in this level, if it has one. A row is a bitset of the values seen
// on a line, behind one word that counts how many of its words, from the first, are known to be full. Cells of a level
// share no line, so no atomics are needed. Twin of src/kernels/pass.rs.
// Added in front: the constant AXES, and value_load, value_store, row_load, row_store over the pieces of values and rows.

struct Params {
    level: u32,       // sum of the piles
    layer: u32,       // passes left
    first: u32,       // the dispatch's first line of the last axis
    count: u32,       // its number of lines
    fold: u32,        // workgroups in a row of the dispatch
    row_words: u32,   // words of a row, the count in front included
    row_piece: u32,   // rows in a piece
    value_piece: u32, // cells in a piece
    over: u32,        // the cell where no pass is allowed
}

struct Axis {
    side: u32,
    stride: u32,
    span: u32,
    first_row: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> axes: array<Axis, AXES>;
// [0]: the first cell whose row was full; [1]: the first whose value one pass down was not solved; or the greatest u32.
// [2]: cells solved.
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>, 3>;

// The top bit of a stored value tells the layer's parity, so that a cell that was left out is seen.
const VALUE: u32 = 0x7fffffffu;
const NONE: u32 = 0xffffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let number = (workgroup.y * p.fold + workgroup.x) * WORKGROUP + me;
    if (number >= p.count) {
        return;
    }
    let line = p.first + number;
    var sum = 0u;
    var rest = line;
    for (var i = AXES - 1u; i > 0u; i--) {
        let side = axes[i - 1u].side;
        sum += rest % side;
        rest /= side;
    }
    let side = axes[AXES - 1u].side;
    if (sum > p.level || p.level - sum >= side) {
        return;
    }
    let cell = line * side + p.level - sum;

    // The piece and the word in it at which each row begins.
    var rows: array<vec2<u32>, AXES>;
    var w = 0u;
    for (var i = 0u; i < AXES; i++) {
        let axis = axes[i];
        let row = axis.first_row + cell / axis.span * axis.stride + cell % axis.stride;
        rows[i] = vec2(row / p.row_piece, row % p.row_piece * p.row_words);
        w = max(w, row_load(rows[i].x, rows[i].y));
    }
    var below = NONE;
    if (p.layer > 0u) {
        let stored = value_load(cell / p.value_piece, cell % p.value_piece);
        if (stored == NONE || (stored >> 31u) != ((p.layer - 1u) & 1u)) {
            atomicMin(&status[1], cell);
        }
        if (cell != p.over) {
            below = stored & VALUE;
        }
    }

    var seen = NONE;
    for (; w + 1u < p.row_words; w++) {
        seen = select(0u, 1u << (below % 32u), below / 32u == w);
        for (var i = 0u; i < AXES; i++) {
            seen |= row_load(rows[i].x, rows[i].y + 1u + w);
        }
        if (seen != NONE) {
            break;
        }
    }
    if (seen == NONE) {
        atomicMin(&status[0], cell);
        return;
    }
    let value = 32u * w + firstTrailingBit(~seen);
    value_store(cell / p.value_piece, cell % p.value_piece, value | ((p.layer & 1u) << 31u));
    for (var i = 0u; i < AXES; i++) {
        let at = rows[i];
        let word = row_load(at.x, at.y + 1u + w) | (~seen & (seen + 1u));
        row_store(at.x, at.y + 1u + w, word);
        if (word == NONE && row_load(at.x, at.y) == w) {
            var full = w + 1u;
            while (full + 1u < p.row_words && row_load(at.x, at.y + 1u + full) == NONE) {
                full++;
            }
            row_store(at.x, at.y, full);
        }
    }
    atomicAdd(&status[2], 1u);
}
