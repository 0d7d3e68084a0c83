// Look whether a table certifies itself: no option has a position's value, and each smaller value is attained by some option.
//
// One position a thread. Twin of src/kernels/verify.rs. Added in front: constants, the pieces of the table with
// table_word, and a game's moves: begin, next_option, ended and key_of.

struct Params {
    first: u32,
    count: u32,
    fold: u32,
    window: u32,
    coins: u32,
    moves: u32,
    ord_at: u32,
    piles: u32,
    layer: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> rules: array<u32>;
// Verified, violations, the least cell and the least key of those.
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>, 4>;

var<workgroup> counted: array<atomic<u32>, 2>;
var<private> seen: array<u32, WORDS>;

fn value_at(cell: u32) -> u32 {
    if (WIDTH == 4u) {
        return table_word(cell);
    }
    let each = 4u / WIDTH;
    let bits = 8u * WIDTH;
    return extractBits(table_word(cell / each), bits * (cell % each), bits);
}

const VERIFIED = 0u;
const VIOLATED = 1u;
// A driver that ends long loops early, as lavapipe does after 65,535 rounds in all, must not decide anything.
const UNFINISHED = 2u;

fn verdict(cell: u32) -> u32 {
    let value = value_at(cell);
    var base = 0u;
    loop {
        for (var w = 0u; w < WORDS; w++) {
            seen[w] = 0u;
        }
        begin(cell);
        while (next_option()) {
            let other = value_at(option);
            if (other == value) {
                return VIOLATED;
            }
            // Values below the base wrap to ones beyond the span.
            let at = other - base;
            if (at < 32u * WORDS) {
                seen[at / 32u] |= 1u << (at % 32u);
            }
        }
        if (!ended()) {
            return UNFINISHED;
        }
        let wanted = value - base;
        var word = 0u;
        while (word < WORDS) {
            var all = 0xffffffffu;
            if (wanted < 32u * (word + 1u)) {
                all = select((1u << (wanted % 32u)) - 1u, 0u, wanted < 32u * word);
            }
            if ((seen[word] & all) != all) {
                return VIOLATED;
            }
            word++;
        }
        if (word < WORDS) {
            return UNFINISHED;
        }
        if (wanted <= 32u * WORDS) {
            return VERIFIED;
        }
        base += 32u * WORDS;
    }
    return UNFINISHED;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    if (me < 2u) {
        atomicStore(&counted[me], 0u);
    }
    workgroupBarrier();

    let number = (workgroup.y * p.fold + workgroup.x) * WORKGROUP + me;
    if (number < p.count) {
        let cell = p.first + number;
        let told = verdict(cell);
        if (told != UNFINISHED) {
            atomicAdd(&counted[told], 1u);
        }
        if (told == VIOLATED) {
            atomicMin(&status[2], cell);
            atomicMin(&status[3], key_of(cell));
        }
    }
    workgroupBarrier();

    if (me < 2u) {
        let count = atomicLoad(&counted[me]);
        if (count > 0u) {
            atomicAdd(&status[me], count);
        }
    }
}
