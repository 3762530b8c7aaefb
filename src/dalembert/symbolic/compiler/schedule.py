"""Order and place of every atom of a program: blocks, chunks, workspace slots.

Stages.  In a staged program each input is a stage: parameters first, then time, positions, velocities …  An atom
belongs to the latest stage it depends on, so a new velocity leaves the atoms of the positions valid.  Within a stage,
atoms are grouped by the set of outputs that need them; such a *block* is computed at most once per change, whichever
outputs are asked for and in whatever order (the two improvements that the railway paper leaves open at its end:
constant atoms, and atoms common to several functions).  A program that is not staged is one block.

Chunks.  A block is printed as several functions of limited length, because compilers need more than linear time for a
long function; values that cross a border go through the workspace.  Angles come first: the sines and cosines of one
dependency level are computed together by a vector kernel, with no call in the middle of arithmetic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.lockstep import Team
from dalembert.symbolic.compiler.program import WIDTH, Program, evaluation_order

#: Atoms per printed function.
CHUNK = 1500
#: Atoms per function of plain arithmetic, if there is a printer for such that takes linear time.
PLAIN_CHUNK = 20000
#: Plain arithmetic between other operations is left with those if it is shorter than this.
SHORT_RUN = 30


@dataclass
class Chunk:
    """Straight-line piece of code: ``rows`` without sines, the sine kernel on ``angles``, ``stores`` to outputs."""

    rows: list[int] = field(default_factory=list)
    #: angle rows whose sines and cosines this chunk computes, and the first slot of their area
    angles: list[int] = field(default_factory=list)
    area: int = 0
    #: (output number, position, row)
    stores: list[tuple[int, int, int]] = field(default_factory=list)
    #: where some of the rows are computed in lockstep: teams and single rows, in order
    units: list[Team | int] = field(default_factory=list)


@dataclass
class Block:
    """Chunks that are computed together: ``stage`` and the set of outputs that need them."""

    stage: int
    users: int
    chunks: list[Chunk]


@dataclass
class Schedule:
    """A settled program with everything that a printer needs to know."""

    program: Program
    blocks: list[Block]
    #: per output the chunks that copy results (staged programs only)
    copies: list[list[Chunk]]
    slots: dict[int, int]
    work_size: int
    #: the team of each row that has one
    together: Mapping[int, Team] = field(default_factory=dict)

    @property
    def chunks(self) -> list[Chunk]:
        """All chunks, in order of evaluation."""
        computing = [chunk for block in self.blocks for chunk in block.chunks]
        return computing + [chunk for parts in self.copies for chunk in parts]


def schedule(
    program: Program,
    plain: frozenset[int] = frozenset(),
    limit: int = CHUNK,
    teams: Sequence[Team] = (),
    longest: int = PLAIN_CHUNK,
) -> Schedule:
    """Schedule a settled program in chunks of at most ``limit`` atoms.

    Atoms whose operation is in ``plain`` get longer chunks of their own, for a printer that is made for straight
    arithmetic.  Those of a team, in staged programs, are computed together, if they are plain, in chunks of at most
    ``longest`` units.
    """
    order = evaluation_order(program)
    if program.staged:
        stages, users = _stages(program, order), _users(program, order)
        groups: dict[tuple[int, int], list[int]] = defaultdict(list)
        for row in order:
            groups[stages[row], users[row]].append(row)
        # What more outputs need comes first: arguments are needed by at least the outputs that need the result.
        keys = sorted(groups, key=lambda k: (k[0], -k[1].bit_count(), k[1]))
        if teams:
            parts = _team_blocks(program, groups, teams, plain, (limit, longest))
        else:
            parts = {key: _chunks(program, groups[key], plain, limit) for key in keys}
        blocks = [Block(stage, mask, parts[stage, mask]) for stage, mask in keys]
    else:
        blocks = [Block(0, -1, _chunks(program, order, plain, limit))]

    copies: list[list[Chunk]] = []
    targets = [(number, i, row) for number, o in enumerate(program.outputs) for i, row in enumerate(o.entries)]
    if program.staged:
        for number in range(len(program.outputs)):
            stores = [t for t in targets if t[0] == number]
            copies.append([Chunk(stores=stores[i : i + limit]) for i in range(0, len(stores), limit)])
    else:
        home = {row: chunk for block in blocks for chunk in block.chunks for row in chunk.rows}
        for target in targets:
            # Numbers and inputs have no home: they are copied at the end.
            home.get(target[2], blocks[-1].chunks[-1]).stores.append(target)

    together = {row: team for team in teams for row in team.rows}
    slots, size = _slots(program, blocks, copies, together)
    return Schedule(program, blocks, copies, slots, size, together)


def _stages(program: Program, order: list[int]) -> dict[int, int]:
    nodes = program.nodes
    stage = {row: node[1] for row, node in enumerate(nodes) if node[0] == op.SYMBOL}
    for row in order:
        stage[row] = max((stage.get(a, 0) for a in op.atom_arguments(nodes[row])), default=0)
    return stage


def _users(program: Program, order: list[int]) -> dict[int, int]:
    nodes = program.nodes
    users: dict[int, int] = defaultdict(int)
    for number, output in enumerate(program.outputs):
        for row in output.entries:
            users[row] |= 1 << number
    for row in reversed(order):
        for a in op.atom_arguments(nodes[row]):
            users[a] |= users[row]
    return users


def _chunks(program: Program, rows: list[int], plain: frozenset[int], limit: int) -> list[Chunk]:
    """Cut the rows of a block, which are in order of evaluation, into chunks, angles first."""
    nodes = program.nodes
    inside = set(rows)
    # Level: how many sines inside this block lie below an atom.
    level: dict[int, int] = {}
    waves: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        below = 0
        for a in op.atom_arguments(nodes[row]):
            if a in inside:
                below = max(below, level[a] + (nodes[a][0] in (op.SIN, op.COS)))
        level[row] = below
        if nodes[row][0] in (op.SIN, op.COS):
            waves[below].append(row)

    chunks: list[Chunk] = []
    done: set[int] = set()
    for wave in sorted(waves):
        angles = list(dict.fromkeys(nodes[row][1] for row in waves[wave]))
        needed = _below(program, angles, inside, done)
        chunks.extend(_cut(program, [row for row in rows if row in needed] if needed else [], plain, limit))
        done |= needed
        # Long plain arithmetic stays alone: with angles, LLVM gets it as one function (16000 atoms: 15 s for 1 s).
        last = chunks[-1].rows if chunks else []
        if not chunks or chunks[-1].angles or (len(last) >= SHORT_RUN and all(nodes[row][0] in plain for row in last)):
            chunks.append(Chunk())
        chunks[-1].angles = angles
        chunks[-1].rows += waves[wave]
        done.update(waves[wave])
    chunks.extend(_cut(program, [row for row in rows if row not in done], plain, limit))
    return chunks or [Chunk()]


def _below(program: Program, targets: list[int], inside: set[int], done: set[int]) -> set[int]:
    found: set[int] = set()
    stack = [row for row in targets if row in inside and row not in done]
    while stack:
        row = stack.pop()
        if row in found:
            continue
        found.add(row)
        stack.extend(a for a in op.atom_arguments(program.nodes[row]) if a in inside and a not in done)
    return found


def _cut(program: Program, rows: list[int], plain: frozenset[int], limit: int) -> list[Chunk]:
    """Chunks of limited length; plain arithmetic by itself, where it is long enough."""
    runs: list[tuple[bool, list[int]]] = []
    for row in rows:
        kind = program.nodes[row][0] in plain
        if not runs or runs[-1][0] != kind:
            runs.append((kind, []))
        runs[-1][1].append(row)
    merged: list[tuple[bool, list[int]]] = []
    for kind, run in runs:
        kind = kind and (len(run) >= SHORT_RUN or len(runs) == 1)
        if merged and merged[-1][0] == kind:
            merged[-1][1].extend(run)
        else:
            merged.append((kind, run))
    chunks: list[Chunk] = []
    for kind, run in merged:
        parts = -(-len(run) // (PLAIN_CHUNK if kind else limit))
        size = -(-len(run) // parts)
        chunks.extend(Chunk(run[i : i + size]) for i in range(0, len(run), size))
    return chunks


def _team_blocks(
    program: Program,
    groups: dict[tuple[int, int], list[int]],
    teams: Sequence[Team],
    plain: frozenset[int],
    limits: tuple[int, int],
) -> dict[tuple[int, int], list[Chunk]]:
    """Chunks of all blocks, with teams as units."""
    block = {row: key for key, rows in groups.items() for row in rows}
    listed: dict[tuple[int, int], list[Team]] = defaultdict(list)
    for team in teams:
        key = block[team.rows[0]]
        if all(block[row] == key and program.nodes[row][0] in plain for row in team.rows):
            listed[key].append(team)
    return {key: _team_chunks(program, rows, listed[key], plain, limits) for key, rows in groups.items()}


def _team_chunks(
    program: Program, rows: list[int], teams: list[Team], plain: frozenset[int], limits: tuple[int, int]
) -> list[Chunk]:
    """Plain arithmetic and all else by turns, each as far as it gets."""
    nodes = program.nodes
    limit, longest = limits
    while True:
        unit_of: dict[int, Team | int] = {row: team for team in teams for row in team.rows}
        units: dict[int, Team | int] = {}  # by their first rows, in order of evaluation
        for row in rows:
            unit = unit_of.setdefault(row, row)
            units[unit if isinstance(unit, int) else unit.rows[0]] = unit
        place = {row: position for position, row in enumerate(rows)}
        first = {row: unit if isinstance(unit, int) else unit.rows[0] for row, unit in unit_of.items()}
        waiting: dict[int, int] = {}
        users: dict[int, list[int]] = defaultdict(list)
        for key, unit in units.items():
            members = (unit,) if isinstance(unit, int) else unit.rows
            needed = {first[a] for row in members for a in op.atom_arguments(nodes[row]) if a in first}
            waiting[key] = len(needed)
            for other in needed:
                users[other].append(key)
        ready: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])

        def offer(
            key: int, ready: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ready, place: dict[int, int] = place
        ) -> None:
            heappush(ready[nodes[key][0] in plain], (place[key], key))

        for key, count in waiting.items():
            if not count:
                offer(key)
        chunks: list[Chunk] = []
        done = 0

        def finish(key: int, waiting: dict[int, int] = waiting, users: dict[int, list[int]] = users) -> None:
            for user in users[key]:
                waiting[user] -= 1
                if not waiting[user]:
                    offer(user)

        while ready[0] or ready[1]:
            while ready[1]:
                if not chunks or not chunks[-1].units or len(chunks[-1].units) >= longest:
                    chunks.append(Chunk())
                key = heappop(ready[1])[1]
                unit = units[key]
                chunks[-1].units.append(unit)
                chunks[-1].rows += (unit,) if isinstance(unit, int) else unit.rows
                finish(key)
                done += 1
            if ready[0]:
                chunks.append(Chunk())
            sines: list[int] = []
            while ready[0]:
                key = heappop(ready[0])[1]
                done += 1
                if nodes[key][0] in (op.SIN, op.COS):
                    sines.append(key)
                    continue
                if len(chunks[-1].rows) >= limit:
                    chunks.append(Chunk())
                chunks[-1].rows.append(key)
                finish(key)
            if sines:  # their values are there behind the chunk
                chunks[-1].angles = list(dict.fromkeys(nodes[row][1] for row in sines))
                chunks[-1].rows += sines
                for key in sines:
                    finish(key)
        if done == len(units):
            return chunks or [Chunk()]
        # Teams that wait for each other are given up.
        teams = [team for team in teams if not waiting[team.rows[0]]]


def _slots(
    program: Program, blocks: list[Block], copies: list[list[Chunk]], together: Mapping[int, Team]
) -> tuple[dict[int, int], int]:
    """Give a workspace slot to each value that leaves its chunk, and an area to each group of angles.

    Of a team all have one, side by side, if one has, and those have that others are put together from.
    """
    nodes = program.nodes
    size = len(blocks) if program.staged else 0
    slots: dict[int, int] = {}
    sines: dict[int, int] = {}
    cosines: dict[int, int] = {}
    for block in blocks:
        for chunk in block.chunks:
            chunk.area = size
            for i, angle in enumerate(chunk.angles):
                sines[angle] = size + 2 * WIDTH * (i // WIDTH) + i % WIDTH
                cosines[angle] = sines[angle] + WIDTH
            for row in chunk.rows:
                if nodes[row][0] == op.SIN:
                    slots[row] = sines[nodes[row][1]]
                elif nodes[row][0] == op.COS:
                    slots[row] = cosines[nodes[row][1]]
            size += 2 * WIDTH * -(-len(chunk.angles) // WIDTH)
    home = {row: chunk for block in blocks for chunk in block.chunks for row in chunk.rows}
    everything = [chunk for block in blocks for chunk in block.chunks] + [chunk for parts in copies for chunk in parts]
    computed = {unit.rows[0] for block in blocks for c in block.chunks for unit in c.units if not isinstance(unit, int)}

    def place(row: int) -> None:
        nonlocal size
        if row not in home or row in slots:
            return
        team = together.get(row)
        if team is None or any(other in slots for other in team.rows):
            slots[row] = size
            size += 1
            return
        for other in team.rows:
            slots[other] = size
            size += 1

    for chunk in everything:
        if chunk.units:
            for unit in chunk.units:
                for row in _outside_operands(program, unit, together, computed):
                    place(row)
            wanted = [
                a for row in chunk.rows for a in op.atom_arguments(nodes[row]) if a in home and home[a] is not chunk
            ]
        else:
            wanted = [a for row in chunk.rows for a in op.atom_arguments(nodes[row])]
            wanted += [row for _, _, row in chunk.stores]
        for row in wanted:
            if row in home and home[row] is not chunk:
                place(row)
    return slots, size


def aligned_operands(program: Program, team: Team, together: Mapping[int, Team]) -> list[list[int]]:
    """Operands of the atoms of a team, those that correspond beside each other; signs aside."""
    nodes = program.nodes
    code, *first = nodes[team.rows[0]]
    operands = [[a] for a in first]
    for row in team.rows[1:]:
        others = list(nodes[row][1:])
        if len(others) == 2 and code in (op.ADD, op.SUB, op.MUL):
            same = [_alike(x, y, together) for x, y in zip(first, others, strict=True)]
            crossed = [_alike(x, y, together) for x, y in zip(first, reversed(others), strict=True)]
            if sum(crossed) > sum(same):
                others.reverse()
        for operand, other in zip(operands, others, strict=True):
            operand.append(other)
    return operands


def _alike(a: int, b: int, together: Mapping[int, Team]) -> int:
    """How sure it is that two rows correspond."""
    if a in together or b in together:
        return 2 if a in together and together[a] is together.get(b) else 0
    return 1 if a == b else 0


def _outside_operands(
    program: Program, unit: Team | int, together: Mapping[int, Team], computed: set[int]
) -> list[int]:
    """Rows that a unit reads one by one, from memory: operands of teams that are no team in its order, and members of
    teams that a single row needs; ``computed`` are the first rows of teams that are units."""
    nodes = program.nodes
    if isinstance(unit, int):
        return [a for a in op.atom_arguments(nodes[unit]) if a in together and together[a].rows[0] in computed]
    found: list[int] = []
    for operand in aligned_operands(program, unit, together):
        team = together.get(operand[0])
        if team is None or team.rows != tuple(operand) or team.rows[0] not in computed:
            found += operand
    return found
