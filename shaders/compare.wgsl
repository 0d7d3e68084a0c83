// Shared by the formulas' kernels: reading values, and one formula's verdict on a tile.

@group(0) @binding(3) var<storage, read> values: array<u32>;
// Sixteen words a tile: differ and first by formula, digest sums, mirrored digest sums, see src/kernels/mod.rs.
@group(0) @binding(4) var<storage, read_write> verdicts: array<u32>;

var<workgroup> differ: atomic<u32>;
var<workgroup> first: atomic<u32>;

fn value_at(tile: Tile, rank: u32) -> u32 {
    return (values[(tile.values + rank) / 4u] >> (8u * (rank % 4u))) & 255u;
}

// Before the first barrier of a kernel.
fn compare_begin(me: u32) {
    if (me == 0u) {
        atomicStore(&differ, 0u);
        atomicStore(&first, 0xffffffffu);
    }
}

// `at` is the position's place in the tables of low masks.
fn compare(tile: Tile, at: u32, value: u32, said: u32) {
    if (said != value) {
        var report = low[p.report_at + at];
        if (report < 2u && tile.high == 0u) {
            report ^= 1u; // with no coin above, {} comes before {0}
        }
        atomicAdd(&differ, 1u);
        atomicMin(&first, (report << 16u) | (value << 8u) | said);
    }
}

// After the last barrier of a kernel.
fn compare_end(me: u32, number: u32, formula: u32) {
    if (me == 0u) {
        let verdict = (p.first + number) * 16u;
        verdicts[verdict + formula] = atomicLoad(&differ);
        verdicts[verdict + 3u + formula] = atomicLoad(&first);
    }
}
