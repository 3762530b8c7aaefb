"""The loop over elements: gathers the local vectors of all instances of a type, calls its compiled function for all of
them, and adds what comes out to the global quantities.

The entry has the calling convention of compiled functions (dalembert.equations.provider).  The first words of its
workspace are the address and the length of a description, an array of integers that
:mod:`~dalembert.equations.elements` makes:

    number of outputs, number of types, number of global velocities,
    for each output: its size, its stage, and whether it starts from something other than zero,
    for each type: TYPE_WORDS words, see below.

After these two words the workspace holds one flag per output (whether it is valid), for each type the first input that
is new since its buffers were filled, then the buffers of the types.
"""

from __future__ import annotations

from dalembert.native.kernel import Ints, Reals, call_map, compiled, entry, ints_at, reals_at, view

#: Words of the description of a type: address of its map, number of instances, place of its buffers in the workspace,
#: place of its four tables (inputs, strides, outputs, strides), place of its function's own workspace; then for each of
#: eight inputs the width and the address of its index list; then for each output the width, the address of its index
#: list.
MAP, COUNT, TABLES, WORK, INPUT = range(5)
#: What an output starts from: zeros; the velocities (q̇); ones at the places of a list (a constant part of a matrix).
FROM_ZERO, FROM_V, WITH_ONES = range(3)
HEADER = 3
OUTPUT_WORDS = 5  # size, stage, what it starts from, address and length of the list of ones


@compiled
def _gather(source: Reals, index: Ints, target: Reals) -> None:
    for k in range(index.size):
        target[k] = source[index[k]]


@compiled
def _scatter(source: Reals, index: Ints, target: Reals) -> None:
    for k in range(index.size):
        target[index[k]] += source[k]


@entry
def evaluate(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Global outputs that are requested and not valid any more."""
    about = ints_at(work[0], work[1])
    n_outputs, n_types, n_v = about[0], about[1], about[2]
    valid, newest = view(work, 2, n_outputs), view(work, 2 + n_outputs, n_types)
    for kind in range(n_types):
        newest[kind] = min(newest[kind], changed)
    needed = 0
    for o in range(n_outputs):
        at = HEADER + o * OUTPUT_WORDS
        if changed <= about[at + 1]:
            valid[o] = 0
        if (request >> o) & 1 and not valid[o]:
            needed |= 1 << o
            valid[o] = 1
            out = reals_at(outputs[o], about[at])
            for k in range(out.size):
                out[k] = 0.0
            if about[at + 2] == FROM_V:
                v = reals_at(inputs[3], n_v)
                for k in range(out.size):
                    out[k] = v[k]
            elif about[at + 2] == WITH_ONES:
                ones = ints_at(about[at + 3], about[at + 4])
                for k in range(ones.size):
                    out[ones[k]] += 1.0
    if needed == 0:
        return 0
    base = HEADER + n_outputs * OUTPUT_WORDS
    words = INPUT + 16 + 2 * n_outputs
    for kind in range(n_types):
        at = base + kind * words
        count = about[at + COUNT]
        tables = view(work, about[at + TABLES], 4)
        own = 0
        for o in range(n_outputs):
            if (needed >> o) & 1 and about[at + INPUT + 16 + 2 * o] > 0:
                own |= 1 << o
        if own == 0:
            continue
        buffers = ints_at(tables[0], 8)
        for k in range(8):
            width, list_at = about[at + INPUT + 2 * k], about[at + INPUT + 2 * k + 1]
            if width and k >= newest[kind]:  # the others are in their places already
                index = ints_at(list_at, width * count)
                # Indices are valid for the whole of an input; its length does not matter here.
                _gather(reals_at(inputs[k], 1), index, reals_at(buffers[k], width * count))
        newest[kind] = 8
        call_map(about[at + MAP], count, own, tables, about[at + WORK])
        results = ints_at(tables[2], n_outputs)
        for o in range(n_outputs):
            width, list_at = about[at + INPUT + 16 + 2 * o], about[at + INPUT + 17 + 2 * o]
            if (own >> o) & 1:
                _scatter(reals_at(results[o], width * count), ints_at(list_at, width * count), reals_at(outputs[o], 1))
    return 0
