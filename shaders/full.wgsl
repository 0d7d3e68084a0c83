// Walk through a stretch of all partitions and count the full ones, by digits and by degree.
//
// A thread takes `each` nodes of the tree of partitions in preorder. Twin of src/kernels/full.rs.
// Added in front: young.wgsl.

// For each n: partitions, full, by degree, disagreements.
@group(0) @binding(2) var<storage, read_write> tally: array<atomic<u32>>;

var<workgroup> counts: array<atomic<u32>, 512>;

// Goes to the first node of this thread.
fn go_to(node: u32) {
    var number = node;
    var left = p.nmax;
    var least = 1u;
    while (number > 0u) {
        number--;
        var part = least;
        loop {
            let subtree = partitions(left - part, part);
            if (number < subtree) {
                break;
            }
            number -= subtree;
            part++;
        }
        add_row(part);
        left -= part;
        least = part;
    }
}

fn go_to_next() {
    var part = longest_row();
    while (cells + part > p.nmax) {
        part = take_row() + 1u;
    }
    add_row(part);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    for (var i = me; i < 512u; i += WORKGROUP) {
        atomicStore(&counts[i], 0u);
    }
    workgroupBarrier();

    let thread = (workgroup.y * p.fold + workgroup.x) * WORKGROUP + me;
    let start = thread * p.each;
    if (start < p.count) {
        let end = min(start + p.each, p.count);
        go_to(p.first + start);
        for (var i = start; i < end; i++) {
            if (i > start) {
                go_to_next();
            }
            let full = is_full();
            atomicAdd(&counts[4u * cells], 1u);
            if (full) {
                atomicAdd(&counts[4u * cells + 1u], 1u);
            }
            if (p.prime == 1u) {
                let ord = hooks[0] + hooks[1] + hooks[2] + hooks[3] + hooks[4] + hooks[5];
                let by_degree = ord == young[p.legendre_at + cells];
                if (by_degree) {
                    atomicAdd(&counts[4u * cells + 2u], 1u);
                }
                if (by_degree != full) {
                    atomicAdd(&counts[4u * cells + 3u], 1u);
                }
            }
        }
    }
    workgroupBarrier();

    for (var i = me; i < 4u * (p.nmax + 1u); i += WORKGROUP) {
        let count = atomicLoad(&counts[i]);
        if (count > 0u) {
            atomicAdd(&tally[i], count);
        }
    }
}
