"""The loop over elements: gathers the local vectors of all instances of a type, calls its compiled function for all of
them at once, and brings what comes out into the global quantities.

The entry has the calling convention of compiled functions (dalembert.equations.contract.convention).  Its workspace
starts with the words of ``loop_word``; then come the state of each output, and the buffers of the types.  The
description that the first word points to is an array of integers that
:mod:`~dalembert.equations.builders.element_layout` makes:

    the words of ``description_word``,
    for each output those of ``output_word``,
    for each type those of ``type_word``, then for each input those of ``input_word``, for each output those of
    ``target_word``.

Constants of the elements stand in the base of an output, which is written once; later only what elements compute is
touched.  Instances are done a few groups at a time, so that all their numbers stay in the nearest cache.
"""

from __future__ import annotations

from dalembert.equations.contract.convention import STAGE
from dalembert.native.kernel import Ints, Reals, call_entry, call_lanes, compiled, entry, ints_at, reals_at, view
from dalembert.native.legend import Legend

#: Groups of instances that are done together.
TILE = 16
loop_word = Legend(
    "words of the workspace of elements, before the states of the outputs",
    DESCRIPTION="the description",
    LENGTH="its length",
)
description_word = Legend(
    "first words of the description of elements",
    N_OUTPUTS="number of outputs",
    N_TYPES="number of types",
)
output_word = Legend(
    "words of the description of an output of elements",
    SIZE="number of its entries",
    STAGE="number of the last input that it depends on",
    START="what it is before elements add to it: FROM_BASE, or the number of an input",
    BASE="what constants make of it",
    RESET="places that are added to, and start from the base each time",
    N_RESET="number of these places",
)
type_word = Legend(
    "words of the description of a type of elements",
    FUNCTION="its compiled function",
    LANES="instances in a group; 1 if its function takes one at a time",
    GROUPS="number of groups of instances",
    REST="number of instances in the last group",
    TABLES="place in the workspace of its two tables: inputs, outputs",
    WORK="workspace of its function",
)
input_word = Legend(
    "words of an input of a type of elements",
    WIDTH="number of its local entries; 0 if it is not read",
    PLACES="their places among all, instance by instance",
)
target_word = Legend(
    "words of an output of a type of elements",
    WIDTH="number of its local entries",
    PLACES="their places in the whole, instance by instance",
    OWN="whether nothing else stands at these places; otherwise values are added",
)
#: Where the words of the inputs and of the outputs start in the description of a type.
INPUTS_AT = type_word.end
TARGETS_AT = INPUTS_AT + input_word.end * STAGE.end
#: What an output starts from that is no input: its base. (Parameters, number 0 of the inputs, are nobody's start.)
FROM_BASE = 0
OUTPUT_STATE = Legend(
    "states of an output of elements",
    UNWRITTEN="nothing is there",
    STALE="values of another point",
    VALID="values of this point",
)


@compiled
def _gather_inputs(about: Ints, inputs: Ints, tables: Ints, first: int, count: int) -> None:
    """Local inputs of some groups."""
    lanes = about[type_word.LANES]
    for k in range(STAGE.end):
        at = INPUTS_AT + input_word.end * k
        width, list_at = about[at + input_word.WIDTH], about[at + input_word.PLACES]
        if width:
            size = width * lanes
            index = ints_at(list_at + 8 * size * first, size * count)
            # Indices are valid for the whole of an input; its length does not matter here.
            source, target = reals_at(inputs[k], 1), reals_at(tables[k], size * count)
            for i in range(index.size):
                target[i] = source[index[i]]


@compiled
def _scatter(about: Ints, o: int, source_at: int, target_at: int, first: int, count: int) -> None:
    """Values of output o of some groups, each to its place."""
    at, lanes = TARGETS_AT + target_word.end * o, about[type_word.LANES]
    size, own = about[at + target_word.WIDTH] * lanes, about[at + target_word.OWN]
    source, target = reals_at(source_at, size * count), reals_at(target_at, 1)
    index = ints_at(about[at + target_word.PLACES] + 8 * size * first, size * count)
    # The last group is filled up with copies, which count for nothing.
    whole = first + count < about[type_word.GROUPS] or about[type_word.REST] == lanes
    full = index.size if whole else index.size - size
    if own:
        for i in range(full):
            target[index[i]] = source[i]
    else:
        for i in range(full):
            target[index[i]] += source[i]
    for start in range(full, index.size, lanes):
        for i in range(start, start + about[type_word.REST]):
            if own:
                target[index[i]] = source[i]
            else:
                target[index[i]] += source[i]


@compiled
def _start(about: Ints, state: int, inputs: Ints, out: Reals) -> None:
    """What an output is before the elements add to it."""
    if about[output_word.START] != FROM_BASE:
        source = reals_at(inputs[about[output_word.START]], out.size)
        for k in range(out.size):
            out[k] = source[k]
        return
    base = reals_at(about[output_word.BASE], out.size)
    if state == OUTPUT_STATE.UNWRITTEN:
        for k in range(out.size):
            out[k] = base[k]
    else:
        reset = ints_at(about[output_word.RESET], about[output_word.N_RESET])
        for k in range(reset.size):
            out[reset[k]] = base[reset[k]]


@entry
def evaluate(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Global outputs that are requested and not valid any more."""
    about = ints_at(work[loop_word.DESCRIPTION], work[loop_word.LENGTH])
    n_outputs, n_types = about[description_word.N_OUTPUTS], about[description_word.N_TYPES]
    states = view(work, loop_word.end, n_outputs)
    needed = 0
    for o in range(n_outputs):
        output = view(about, description_word.end + o * output_word.end, output_word.end)
        if changed <= output[output_word.STAGE] and states[o] == OUTPUT_STATE.VALID:
            states[o] = OUTPUT_STATE.STALE
        if (request >> o) & 1 and states[o] != OUTPUT_STATE.VALID:
            needed |= 1 << o
            _start(output, states[o], inputs, reals_at(outputs[o], output[output_word.SIZE]))
            states[o] = OUTPUT_STATE.VALID
    if needed == 0:
        return 0
    base = description_word.end + n_outputs * output_word.end
    words = TARGETS_AT + target_word.end * n_outputs
    for kind in range(n_types):
        about_kind = view(about, base + kind * words, words)
        own = 0
        for o in range(n_outputs):
            if (needed >> o) & 1 and about_kind[TARGETS_AT + target_word.end * o + target_word.WIDTH] > 0:
                own |= 1 << o
        if own == 0:
            continue
        at, groups = about_kind[type_word.TABLES], about_kind[type_word.GROUPS]
        local_inputs, local_outputs = view(work, at, STAGE.end), view(work, at + STAGE.end, n_outputs)
        plain = about_kind[type_word.LANES] == 1
        tile = 1 if plain else TILE
        for first in range(0, groups, tile):
            count = min(tile, groups - first)
            _gather_inputs(about_kind, inputs, local_inputs, first, count)
            function, own_work = about_kind[type_word.FUNCTION], about_kind[type_word.WORK]
            if plain:
                status = call_entry(function, own, 0, local_inputs, local_outputs, own_work)
                if status != 0:
                    return status
            else:
                call_lanes(function, count, own, 0, local_inputs, local_outputs, own_work)
            for o in range(n_outputs):
                if (own >> o) & 1:
                    _scatter(about_kind, o, local_outputs[o], outputs[o], first, count)
    return 0
