"""The loop over elements: gathers the local vectors of all instances of a type, calls its compiled function for all of
them at once, and brings what comes out into the global quantities.

The entry has the calling convention of compiled functions (dalembert.equations.contract.provider).  The first words of
its workspace are the address and the length of a description, an array of integers that
:mod:`~dalembert.equations.builders.element_layout` makes:

    number of outputs, number of types,
    for each output: OUTPUT_WORDS words,
    for each type: INPUT words, then two for each of eight inputs, then three for each output.

After these two words the workspace holds the state of each output, then the buffers of the types.  Constants of the
elements stand in the base of an output, which is written once; later only what elements compute is touched.  Instances
are done a few groups at a time, so that all their numbers stay in the nearest cache.
"""

from __future__ import annotations

from dalembert.native.kernel import Ints, Reals, call_lanes, compiled, entry, ints_at, reals_at, view
from dalembert.symbolic.emit.lane_code import LANES

#: Groups of instances that are done together.
TILE = 16
HEADER = 2
#: Words of the description of an output.
SIZE, STAGE, START, BASE, RESET, N_RESET = range(6)
OUTPUT_WORDS = 6
#: What an output starts from: its base, or an input, by its number: q (normalised coordinates), v (q̇ = v).
FROM_BASE, FROM_Q, FROM_V = 0, 2, 3
#: Words of the description of a type: address of its function, groups of instances, instances in the last group, place
#: of its two tables (inputs, outputs), address of its function's own workspace; then for each input the width and the
#: address of its index list; then for each output the width, the address of its index list, and whether its targets are
#: its own (others add to them otherwise).
FUNCTION, GROUPS, REST, TABLES, WORK, INPUT = range(6)
#: States of an output.
UNWRITTEN, STALE, VALID = range(3)


@compiled
def _gather_inputs(about: Ints, inputs: Ints, tables: Ints, first: int, count: int) -> None:
    """Local inputs of some groups."""
    for k in range(8):
        width, list_at = about[INPUT + 2 * k], about[INPUT + 2 * k + 1]
        if width:
            size = width * LANES
            index = ints_at(list_at + 8 * size * first, size * count)
            # Indices are valid for the whole of an input; its length does not matter here.
            source, target = reals_at(inputs[k], 1), reals_at(tables[k], size * count)
            for i in range(index.size):
                target[i] = source[index[i]]


@compiled
def _scatter(about: Ints, o: int, source_at: int, target_at: int, first: int, count: int) -> None:
    """Values of output o of some groups, each to its place."""
    at = INPUT + 16 + 3 * o
    size = about[at] * LANES
    source, target = reals_at(source_at, size * count), reals_at(target_at, 1)
    index = ints_at(about[at + 1] + 8 * size * first, size * count)
    # The last group is filled up with copies, which count for nothing.
    whole = first + count < about[GROUPS] or about[REST] == LANES
    full = index.size if whole else index.size - size
    if about[at + 2]:
        for i in range(full):
            target[index[i]] = source[i]
    else:
        for i in range(full):
            target[index[i]] += source[i]
    for start in range(full, index.size, LANES):
        for i in range(start, start + about[REST]):
            if about[at + 2]:
                target[index[i]] = source[i]
            else:
                target[index[i]] += source[i]


@compiled
def _start(about: Ints, state: int, inputs: Ints, out: Reals) -> None:
    """What an output is before the elements add to it."""
    if about[START] != FROM_BASE:
        source = reals_at(inputs[about[START]], out.size)
        for k in range(out.size):
            out[k] = source[k]
        return
    base = reals_at(about[BASE], out.size)
    if state == UNWRITTEN:
        for k in range(out.size):
            out[k] = base[k]
    else:
        reset = ints_at(about[RESET], about[N_RESET])
        for k in range(reset.size):
            out[reset[k]] = base[reset[k]]


@entry
def evaluate(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Global outputs that are requested and not valid any more."""
    about = ints_at(work[0], work[1])
    n_outputs, n_types = about[0], about[1]
    states = view(work, 2, n_outputs)
    needed = 0
    for o in range(n_outputs):
        output = view(about, HEADER + o * OUTPUT_WORDS, OUTPUT_WORDS)
        if changed <= output[STAGE] and states[o] == VALID:
            states[o] = STALE
        if (request >> o) & 1 and states[o] != VALID:
            needed |= 1 << o
            _start(output, states[o], inputs, reals_at(outputs[o], output[SIZE]))
            states[o] = VALID
    if needed == 0:
        return 0
    base = HEADER + n_outputs * OUTPUT_WORDS
    words = INPUT + 16 + 3 * n_outputs
    for kind in range(n_types):
        about_kind = view(about, base + kind * words, words)
        own = 0
        for o in range(n_outputs):
            if (needed >> o) & 1 and about_kind[INPUT + 16 + 3 * o] > 0:
                own |= 1 << o
        if own == 0:
            continue
        tables = view(work, about_kind[TABLES], 8 + n_outputs)
        groups = about_kind[GROUPS]
        for first in range(0, groups, TILE):
            count = min(TILE, groups - first)
            _gather_inputs(about_kind, inputs, tables, first, count)
            call_lanes(about_kind[FUNCTION], count, own, 0, tables[:8], tables[8:], about_kind[WORK])
            for o in range(n_outputs):
                if (own >> o) & 1:
                    _scatter(about_kind, o, tables[8 + o], outputs[o], first, count)
    return 0
