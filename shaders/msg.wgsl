// One level of Young's lattice: for each partition of n, the sizes of the full diagrams inside it, from the level below.
//
// A thread takes one partition. Twin of src/kernels/msg.rs. Added in front: young.wgsl.

@group(0) @binding(2) var<storage, read> below: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> sizes: array<vec4<u32>>;
// Partitions, full, exceptions, sum of msg, greatest msg, msg = b_p.
@group(0) @binding(4) var<storage, read_write> tally: array<atomic<u32>, 6>;

var<private> parts: array<u32, 127>;
var<private> left: array<u32, 127>;

var<workgroup> counts: array<atomic<u32>, 6>;

fn unrank(n: u32, wanted: u32) {
    var rank = wanted;
    var remains = n;
    var least = 1u;
    while (remains > 0u) {
        var part = least;
        loop {
            let with_part = partitions(remains - part, part);
            if (rank < with_part) {
                break;
            }
            rank -= with_part;
            part++;
            if (2u * part > remains) {
                part = remains;
            }
        }
        parts[rows] = part;
        left[rows] = remains;
        add_row(part);
        remains -= part;
        least = part;
    }
}

fn part_before(i: u32) -> u32 {
    if (i == 0u) {
        return 1u;
    }
    return parts[i - 1u];
}

// What a part adds to the rank.
fn term(i: u32, less: u32, before: u32, part: u32) -> u32 {
    return partitions(left[i] - less, before) - partitions(left[i] - less, part);
}

fn b_p() -> u32 {
    var value = residue(cells);
    var power = 1u;
    for (var i = 0u; i < 6u; i++) {
        power *= p.p;
        if (power > cells) {
            break;
        }
        value += residue(hooks[i]) * power;
    }
    return value;
}

fn one_partition(rank: u32) {
    unrank(p.n, rank);
    var later = 0u;
    for (var i = 1u; i < rows; i++) {
        later += term(i, 0u, parts[i - 1u], parts[i]);
    }
    var earlier = 0u;
    var inside = vec4(0u);
    for (var i = 0u; i < rows; i++) {
        let part = parts[i];
        let before = part_before(i);
        if (part > before || i == 0u) {
            var lowered = later; // the part is gone
            if (part > 1u) {
                var next = 0u;
                if (i + 1u < rows) {
                    next = later - term(i + 1u, 0u, part, parts[i + 1u]) + term(i + 1u, 0u, part - 1u, parts[i + 1u]);
                }
                lowered = earlier + term(i, 1u, before, part - 1u) + next;
            }
            inside |= below[lowered];
        }
        if (i + 1u < rows) {
            earlier += term(i, 1u, before, part);
            later -= term(i + 1u, 0u, part, parts[i + 1u]);
        }
    }

    let full = is_full();
    if (full) {
        inside[p.n / 32u] |= 1u << (p.n % 32u);
        atomicAdd(&counts[1], 1u);
    }
    sizes[rank] = inside;
    var msg = 0u;
    for (var word = 4u; word > 0u; word--) {
        if (inside[word - 1u] != 0u) {
            msg = 32u * (word - 1u) + firstLeadingBit(inside[word - 1u]);
            break;
        }
    }
    let b = b_p();
    var exception = b > p.n;
    if (!exception) {
        exception = ((inside[b / 32u] >> (b % 32u)) & 1u) == 0u;
    }
    atomicAdd(&counts[0], 1u);
    if (exception) {
        atomicAdd(&counts[2], 1u);
    }
    atomicAdd(&counts[3], msg);
    atomicMax(&counts[4], msg);
    if (msg == b) {
        atomicAdd(&counts[5], 1u);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    if (me < 6u) {
        atomicStore(&counts[me], 0u);
    }
    workgroupBarrier();
    let thread = (workgroup.y * p.fold + workgroup.x) * WORKGROUP + me;
    if (thread < p.count) {
        one_partition(p.first + thread);
    }
    workgroupBarrier();
    if (me < 6u) {
        if (me == 4u) {
            atomicMax(&tally[me], atomicLoad(&counts[me]));
        } else {
            atomicAdd(&tally[me], atomicLoad(&counts[me]));
        }
    }
}
