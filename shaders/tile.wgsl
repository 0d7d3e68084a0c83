// Shared by every kernel: its arguments, and what a workgroup knows of its tile.

struct Params {
    low: u32,         // low squares
    high: u32,        // high squares
    window: u32,      // squares
    coins: u32,       // the band's least number of coins
    first: u32,       // the dispatch's first tile
    count: u32,       // its number of tiles
    fold: u32,        // workgroups in a row of the dispatch
    limit0: u32,      // values that do not fit the word, low half
    limit1: u32,      // high half
    class_at: u32,    // where each table lies in `low`
    mask_at: u32,
    step_at: u32,
    step_of_at: u32,
    line_at: u32,
    line_of_at: u32,
    welter_at: u32,
    hook_at: u32,
    report_at: u32,
    stride_at: u32,
    strides: u32,     // number of strides
    weight_at: u32,
    mirror_at: u32,
}

struct Tile {
    high: u32,        // coins on the high squares
    coins: u32,       // coins of its positions
    values: u32,      // where its values lie, in bytes; a multiple of 4
    live: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> low: array<u32>;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;

// The number of this workgroup's tile within the dispatch, which is folded into rows.
fn tile_number(workgroup: vec3<u32>) -> u32 {
    return workgroup.y * p.fold + workgroup.x;
}

// The class of a tile's low masks: how many coins they have.
fn class_of(tile: Tile) -> u32 {
    return tile.coins - countOneBits(tile.high);
}

fn class_size(j: u32) -> u32 {
    return low[p.class_at + j + 1u] - low[p.class_at + j];
}
