// Solve a tile: mex over the rows of the lines through each position, then add each value to those rows.
//
// One tile a workgroup. Rows of high coins are streamed by neighbouring threads at neighbouring words; rows of low
// coins stay in workgroup memory. Twin of src/kernels/rows.rs. Added in front: tile.wgsl, row32.wgsl or row64.wgsl,
// and the pieces of the rows with row_load and row_store.

@group(0) @binding(3) var<storage, read_write> values: array<u32>;
@group(0) @binding(4) var<storage, read> places: array<vec2<u32>>;
// [0]: the first full word, as tile * 4096 + rank, or the greatest u32; [1]: tiles solved.
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>, 2>;

var<workgroup> seen: array<Row, CLASS>;
var<workgroup> lines: array<Row, CLASS>;

// The piece and the word in it at which the rows of the lines with these high coins begin.
fn place(tile: Tile, high: u32) -> vec2<u32> {
    return places[((tile.coins - p.coins) << p.high) | high];
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let number = tile_number(workgroup);
    if (number >= p.count) {
        return;
    }
    let tile = tiles[p.first + number];
    let j = class_of(tile);
    let size = class_size(j);
    var line_size = 0u;
    if (j > 0u) {
        line_size = class_size(j - 1u);
    }

    // Moves of the high coins: the rows of H without a, streamed.
    for (var r = me; r < size; r += WORKGROUP) {
        seen[r] = row_limit();
    }
    for (var left = tile.high; left != 0u; left &= left - 1u) {
        let at = place(tile, tile.high ^ (left & (~left + 1u)));
        for (var r = me; r < size; r += WORKGROUP) {
            seen[r] |= row_load(at.x, at.y + r);
        }
    }
    for (var r = me; r < line_size; r += WORKGROUP) {
        lines[r] = Row();
    }
    workgroupBarrier();

    // Moves of the low coins, step by step: positions of one step share no line, so no atomics are needed.
    let first_step = low[p.step_of_at + j];
    let last_step = low[p.step_of_at + j + 1u] - 1u;
    let through_all = p.line_at + low[p.line_of_at + j];
    for (var s = first_step; s < last_step; s++) {
        let end = low[p.step_at + s + 1u];
        for (var r = low[p.step_at + s] + me; r < end; r += WORKGROUP) {
            let through = through_all + r * j;
            var values_seen = seen[r];
            for (var i = 0u; i < j; i++) {
                values_seen |= lines[low[through + i]];
            }
            let mex = least_outside(values_seen);
            if (is_empty(mex)) {
                atomicMin(&status[0], (p.first + number) * 4096u + r);
            }
            seen[r] = mex;
            for (var i = 0u; i < j; i++) {
                lines[low[through + i]] |= mex;
            }
        }
        workgroupBarrier();
    }

    // Four values a word.
    for (var w = me; w * 4u < size; w += WORKGROUP) {
        var packed = 0u;
        for (var i = 0u; i < min(4u, size - w * 4u); i++) {
            packed |= value_of(seen[w * 4u + i]) << (8u * i);
        }
        values[tile.values / 4u + w] = packed;
    }
    for (var left = tile.high; left != 0u; left &= left - 1u) {
        let at = place(tile, tile.high ^ (left & (~left + 1u)));
        for (var r = me; r < size; r += WORKGROUP) {
            row_store(at.x, at.y + r, row_load(at.x, at.y + r) | seen[r]);
        }
    }
    // The tile's own lines: their rows begin with what its low coins just put there.
    let own = place(tile, tile.high);
    for (var r = me; r < line_size; r += WORKGROUP) {
        row_store(own.x, own.y + r, lines[r]);
    }
    if (me == 0u) {
        atomicAdd(&status[1], 1u);
    }
}
