"""Chunks with teams in C: loops over the four parts of a model that are alike.

A loop holds the formulas of one part, with all that differs between parts in arrays, so its code is a quarter of what
it would be: a step of a locomotive waits for code more than for arithmetic.  It takes as many parts at a time as the
processor has numbers in a vector, four, two, or one; what a vector is stands in one place of the header.  Each way does
the same operations, so results are the same in every digit.  What is needed outside of its loop stands in arrays.
With loops of at most 60 statements, left to the vectoriser of gcc -O2, a step took a quarter longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.lockstep import Team
from dalembert.symbolic.compiler.program import TEAM
from dalembert.symbolic.compiler.schedule import Chunk, Schedule
from dalembert.symbolic.emit.c_text import number
from dalembert.symbolic.emit.team_plan import GATHER, SPREAD, TURN, Instruction, planned

_SIGNS = {op.ADD: "+", op.SUB: "-", op.MUL: "*", op.DIV: "/"}
_FUNCTIONS = {op.SQRT: "sqrt", op.ABS: "abs"}
_VECTORS = """\
/*
 * Numbers of parts of the model that are alike, PREFIX_WIDE of four at a time: vectors of GCC and Clang where the
 * processor has them, else, or with PREFIX_PORTABLE defined, plain C99.  Results are the same.
 */
#if defined(__GNUC__) && defined(__AVX__) && !defined(PREFIX_PORTABLE)
#define PREFIX_WIDE 4
#define PREFIX_EACH(function, a) {function(a[0]), function(a[1]), function(a[2]), function(a[3])}
#elif defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__)) && !defined(PREFIX_PORTABLE)
#define PREFIX_WIDE 2
#define PREFIX_EACH(function, a) {function(a[0]), function(a[1])}
#else
#define PREFIX_WIDE 1
#endif

#if PREFIX_WIDE > 1
typedef double NAME __attribute__((vector_size(8*PREFIX_WIDE)));
/* where numbers stand one behind the other */
typedef double NAME_place __attribute__((vector_size(8*PREFIX_WIDE), aligned(8), may_alias));
static inline NAME NAME_from(const double *x) { return *(const NAME_place *)x; }
static inline void NAME_to(double *x, NAME a) { *(NAME_place *)x = a; }
static inline NAME NAME_all(double x) { return x - (NAME){0.0}; }
static inline NAME NAME_abs(NAME a) { return (NAME)PREFIX_EACH(fabs, a); }
static inline NAME NAME_sqrt(NAME a) { return (NAME)PREFIX_EACH(sqrt, a); }
#else
typedef double NAME;
static inline NAME NAME_from(const double *x) { return *x; }
static inline void NAME_to(double *x, NAME a) { *x = a; }
static inline NAME NAME_all(double x) { return x; }
static inline NAME NAME_abs(NAME a) { return fabs(a); }
static inline NAME NAME_sqrt(NAME a) { return sqrt(a); }
#endif"""


def vectors(prefix: str) -> str:
    """What the header says about vectors."""
    return _VECTORS.replace("PREFIX", prefix.upper()).replace("NAME", f"{prefix}_team")


def has_teams(chunk: Chunk) -> bool:
    """Whether a chunk is printed here."""
    return any(not isinstance(unit, int) for unit in chunk.units)


class TeamStatements:
    """Statements of one chunk; as those of other chunks, they tell what they touch."""

    def __init__(self, schedule: Schedule, chunk: Chunk, input_names: Sequence[str], prefix: str) -> None:
        self.nodes, self.slots = schedule.program.nodes, schedule.slots
        self.input_names, self.prefix, self.team = input_names, prefix, f"{prefix}_team"
        self.plan = planned(schedule, _by_turns(schedule, chunk.units))
        self.inputs: set[int] = set()
        self.outputs: set[int] = set()
        self.touches_work = False
        self.names = 0
        self.lines: list[str] = []
        self.known: set[int] = set()
        self.declared: set[str] = set()
        self.loop_of: dict[int, int] = {}
        self.constants = {value: values for values, value in self.plan.constants.items()}
        self.made = {one.result: one for one in self.plan.instructions}

    def statements(self) -> list[str]:
        """All of them."""
        items = self._items()
        for at, item in enumerate(items):
            if isinstance(item, list):
                self.loop_of.update((one.result, at) for one in item)
        users: dict[int, set[int]] = defaultdict(set)
        for one in self.plan.instructions:
            for a in one.arguments:
                users[a].add(self.loop_of.get(one.result, -1))
        self.leaving = {value for value, at in self.loop_of.items() if users[value] - {at}}
        for item in items:
            if isinstance(item, list):
                self._loop(item)
            elif item.code == GATHER:
                self.names += TEAM
                self.lines.append(
                    f"const double v{item.result}[{TEAM}] = {{{', '.join(self._single(row) for row in item.more)}}};"
                )
            else:
                self._statement(item)
        return ["int k;", *self.lines]

    def _items(self) -> list[list[Instruction] | Instruction]:
        """Loops and what stands between them; what a loop puts together of single numbers stands before it."""
        items: list[list[Instruction] | Instruction] = []
        loop: list[Instruction] = []
        for one in self.plan.instructions:
            if one.result < len(self.nodes):
                items.append(one)
                loop = []
            elif one.code == GATHER:
                items.insert(len(items) - 1 if loop else len(items), one)
            elif one.code != SPREAD:
                loop.append(one)
                if len(loop) == 1:
                    items.append(loop)
        return items

    def _statement(self, one: Instruction) -> None:
        arguments = [self._single(a) for a in one.arguments]
        self.names += 1
        self.known.add(one.result)
        self.lines.append(f"const double a{one.result} = {_formula(one.code, arguments)};")
        if one.slot >= 0:
            self.touches_work = True
            self.lines.append(f"work[{one.slot}] = a{one.result};")

    def _single(self, row: int) -> str:
        node = self.nodes[row]
        if node[0] == op.CONSTANT:
            return number(node[1])
        if node[0] == op.SYMBOL:
            self.inputs.add(node[1])
            return f"{self.input_names[node[1]]}[{node[2]}]"
        if row in self.known:
            return f"a{row}"
        self.touches_work = True
        return f"work[{self.slots[row]}]"

    def _loop(self, instructions: list[Instruction]) -> None:
        loop = self.loop_of[instructions[0].result]
        body: list[str] = []
        before: dict[str, str] = {}

        def read(value: int) -> str:
            if value in self.constants:
                return self._numbers(f"c{value}", self.constants[value], before)
            if value in self.plan.stored:
                self.touches_work = True
                return f"{self.team}_from(w + {self.plan.stored[value]})"
            one = self.made[value]
            if one.code == SPREAD:
                return f"{self.team}_all({self._single(one.more[0])})"
            if one.code != GATHER and self.loop_of[value] == loop:
                return f"{'w' if value in self.leaving and one.slot < 0 else 'v'}{value}"
            if one.slot >= 0:
                self.touches_work = True
                return f"{self.team}_from(w + {one.slot})"
            return f"{self.team}_from(v{value} + k)"

        for one in instructions:
            arguments = [read(a) for a in one.arguments]
            if one.code == TURN:
                name = "s" + "".join("np"[sign > 0] for sign in one.more)
                arguments.append(self._numbers(name, tuple(map(float, one.more)), before))
            code = op.MUL if one.code == TURN else one.code
            if code in _SIGNS or code == op.NEG:
                text = _formula(code, arguments)
            else:
                text = f"{self.team}_{_FUNCTIONS[code]}({arguments[0]})"
            self.names += TEAM
            if one.slot >= 0:
                self.touches_work = True
                body.append(f"const {self.team} v{one.result} = {text};")
                body.append(f"{self.team}_to(w + {one.slot}, v{one.result});")
            elif one.result in self.leaving:
                # inside of its own loop it is read under a name, too
                self.names += TEAM
                self.lines.append(f"double v{one.result}[{TEAM}];")
                body.append(f"const {self.team} w{one.result} = {text};")
                body.append(f"{self.team}_to(v{one.result} + k, w{one.result});")
            else:
                body.append(f"const {self.team} v{one.result} = {text};")
        self.lines += before.values()
        self.lines.append(f"for (k = 0; k < {TEAM}; k += {self.prefix.upper()}_WIDE) {{")
        if any("(w + " in line for line in body):
            self.lines.append("    double *const w = work + k;")
        for line in body:
            self.lines.append(f"    {line}")
        self.lines.append("}")

    def _numbers(self, name: str, values: tuple[float, ...], before: dict[str, str]) -> str:
        if len(set(values)) == 1:
            return f"{self.team}_all({number(values[0])})"
        if name not in self.declared:
            self.declared.add(name)
            before[name] = f"static const double {name}[{TEAM}] = {{{', '.join(map(number, values))}}};"
        return f"{self.team}_from({name} + k)"


def _formula(code: int, arguments: list[str]) -> str:
    if code in _SIGNS:
        return f" {_SIGNS[code]} ".join(arguments)
    if code == op.NEG:
        return f"-{arguments[0]}"
    return op.OPERATIONS[code].c.format(*arguments)


def _by_turns(schedule: Schedule, units: Sequence[Team | int]) -> list[Team | int]:
    """Units with as few changes between teams and single rows as there can be: long loops."""
    nodes = schedule.program.nodes
    turn: dict[int, int] = {}
    turns: list[int] = []
    for unit in units:
        single = isinstance(unit, int)
        rows = (unit,) if isinstance(unit, int) else unit.rows
        latest = max((turn[a] for row in rows for a in op.atom_arguments(nodes[row]) if a in turn), default=0)
        latest += (latest % 2 == 0) != single
        turn.update(dict.fromkeys(rows, latest))
        turns.append(latest)
    return [units[k] for k in sorted(range(len(units)), key=turns.__getitem__)]
