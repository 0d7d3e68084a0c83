// Fill a piece of the rows with full sets, so that reading a row before its tile was solved is an error, never a value.

struct Params {
    words: u32,
    stride: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> rows: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) thread: vec3<u32>) {
    for (var i = thread.x; i < p.words; i += p.stride) {
        rows[i] = 0xffffffffu;
    }
}
