"""Parts of a model that are alike, computed in lockstep: four atoms by one instruction.

Vehicles repeat themselves: wheelsets with their contacts, suspensions, tyres.  Whoever builds a program may name
symbols that play the same role in four such parts (:attr:`Program.alike`).  From them follows which atom of the second
part corresponds to an atom of the first: the same operation on arguments that correspond.  Atoms of four parts are a
*team*; each of them computes what it would compute alone.

Positions before and behind a centre differ by a sign, which the graph has moved wherever it liked, and sums whose terms
were written in another order are other atoms.  Therefore signs are left aside when atoms are compared, and sums are
compared as a whole; in the other parts they are then added in the order of the first one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import TEAM, Program, evaluation_order
from dalembert.symbolic.graph import Node

#: Programs with fewer teams are not worth it.
FEWEST_TEAMS = 100
_SUMS = (op.ADD, op.SUB)
_EITHER_ORDER = (op.MUL, op.MIN, op.MAX)
#: A row and the sign that it is taken with.
Signed = tuple[int, int]


@dataclass(frozen=True)
class Team:
    """Atoms of four parts that correspond, and the signs with which their values do."""

    rows: tuple[int, ...]
    signs: tuple[int, ...]


def lockstep(program: Program) -> tuple[Program, list[Team]]:
    """A settled program whose sums are added in the same order in all parts, and its teams, first parts first."""
    if not program.alike:
        return program, []
    match = _Match(program)
    match.run()
    teams = match.teams()
    if len(teams) < FEWEST_TEAMS:
        return program, []
    return replace(program, nodes=tuple(match.nodes)), teams


class _TeamSigns:
    """Signs of values in a part relative to those of the first, as far as they are known: affine in unknown ones."""

    def __init__(self) -> None:
        self.bound: dict[int, Signed] = {}
        self.known: dict[int, Signed] = {}
        self.made = 0

    def of(self, row: int) -> Signed:
        """Number of the unknown sign, 0 if there is none, and a sign."""
        unknown, sign = self.known.get(row, (0, 1))
        while unknown in self.bound:
            unknown, more = self.bound[unknown]
            sign *= more
        return unknown, sign

    def free(self, row: int) -> None:
        """Nothing is known of this one."""
        self.made += 1
        self.known[row] = (self.made, 1)

    def agree(self, one: Signed, other: Signed, product: int) -> bool:
        """Whether the product of two signs can be this; makes it so."""
        if one[0] == other[0]:
            return one[1] * other[1] == product
        low, high = sorted((one, other))
        self.bound[high[0]] = (low[0], low[1] * high[1] * product)
        return True


class _Match:
    """Finds for atoms of the first part those of the others."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.nodes: list[Node] = list(program.nodes)
        self.order = evaluation_order(program)
        self.numbers: dict[float, int] = {}
        for row, node in enumerate(self.nodes):
            if node[0] == op.CONSTANT:
                self.numbers.setdefault(abs(node[1]), row)
        self._find_sums()
        self.arguments: dict[int, list[Signed]] = {}
        #: by what atoms are made of, and, of those with a number in them, by the rest
        self.places: dict[tuple, list[int]] = defaultdict(list)
        self.users: dict[int, list[int]] = defaultdict(list)
        self.scaled: dict[tuple, list[int]] = defaultdict(list)
        for row in self.order:
            if self.nodes[row][0] == op.NEG or row in self.inner:
                continue
            self.arguments[row] = self._terms(row)[0] if row in self.sums else [
                self._bare(a) for a in op.atom_arguments(self.nodes[row])
            ]  # fmt: skip
            rows = [a for a, _ in self.arguments[row]]
            for a in rows:
                self.users[a].append(row)
            self.places[self._key(row, rows)].append(row)
            if (key := self._key_without_numbers(row, rows)) is not None:
                self.scaled[key].append(row)
        self.images: list[dict[int, int]] = [{} for _ in range(TEAM - 1)]
        self.signs = [_TeamSigns() for _ in range(TEAM - 1)]
        self._seed()

    def _seed(self) -> None:
        rows = {node[1:]: row for row, node in enumerate(self.nodes) if node[0] == op.SYMBOL}
        named = {place for places in self.program.alike for place in places}
        for image in self.images:
            image.update({row: row for row in self.numbers.values()})
            image.update({row: row for place, row in rows.items() if place not in named})
        for first, *others in self.program.alike:
            for image, other in zip(self.images, others, strict=True):
                if first in rows and other in rows:
                    image[rows[first]] = rows[other]

    def _find_sums(self) -> None:
        """Sums, and those that are parts of others and of nothing else."""
        uses: dict[int, int] = defaultdict(int)
        summing: dict[int, bool] = {}
        for node in self.nodes:
            for a in op.atom_arguments(node):
                uses[a] += 1
                summing[a] = node[0] in _SUMS
        for output in self.program.outputs:
            for row in output.entries:
                uses[row] += 2
        self.sums = {row for row in self.order if self.nodes[row][0] in _SUMS}
        self.inner = {row for row in self.sums if uses[row] == 1 and summing[row]}

    def _bare(self, row: int) -> Signed:
        """The row below negations, or of a positive number, and the sign."""
        sign = 1
        while self.nodes[row][0] == op.NEG:
            row, sign = self.nodes[row][1], -sign
        if self.nodes[row][0] == op.CONSTANT:
            value = self.nodes[row][1]
            return self.numbers[abs(value)], -sign if value < 0.0 else sign
        return row, sign

    def _terms(self, row: int) -> tuple[list[Signed], list[int]]:
        """Terms of a sum with their signs, and the rows of sums in it, itself first."""
        found: list[Signed] = []
        inner: list[int] = []
        stack = [(row, 1)]
        while stack:
            at, sign = stack.pop()
            if at == row or at in self.inner:
                inner.append(at)
                code, a, b = self.nodes[at]
                stack.append((b, sign if code == op.ADD else -sign))
                stack.append((a, sign))
            else:
                bare, more = self._bare(at)
                found.append((bare, sign * more))
        return found, inner

    def _is_number(self, row: int) -> bool:
        return self.nodes[row][0] == op.CONSTANT

    def _key(self, row: int, arguments: list[int]) -> tuple:
        """What an atom is made of, signs aside."""
        code = self.nodes[row][0]
        if row in self.sums:
            return (op.ADD, *sorted(arguments))
        if code in _EITHER_ORDER:
            return (code, *sorted(arguments))
        return (code, *arguments, *self.nodes[row][1 + len(arguments) :])

    def _key_without_numbers(self, row: int, arguments: list[int]) -> tuple | None:
        code = self.nodes[row][0]
        if code not in (op.MUL, op.DIV, *_SUMS):
            return None
        kept = [a for a in arguments if not self._is_number(a)]
        return (op.ADD if row in self.sums else code, *sorted(kept)) if len(kept) < len(arguments) else None

    # ------------------------------------------------------------------- matching

    def run(self) -> None:
        """All atoms, arguments first."""
        taken: list[set[int]] = [set() for _ in self.images]
        for row in self.order:
            if row not in self.arguments:
                continue
            for image, signs, used in zip(self.images, self.signs, taken, strict=True):
                if any(a not in image for a, _ in self.arguments[row]):
                    continue
                rows = [image[a] for a, _ in self.arguments[row]]
                found = self.places.get(self._key(row, rows))
                if not found and (key := self._key_without_numbers(row, rows)) is not None:
                    found = [other for other in self.scaled.get(key, ()) if other not in used]
                if found and self._pair(row, found, image, signs):
                    used.add(image[row])

    def _pair(self, row: int, found: list[int], image: dict[int, int], signs: _TeamSigns) -> bool:
        """Choose among those that are made of the same, by signs."""
        if row in self.sums:
            return self._pair_sums(row, found, image, signs)
        other = row if row in found else found[0]
        image[row] = other
        mine, theirs = self.arguments[row], self.arguments[other]
        code = self.nodes[row][0]
        if code in (op.MUL, op.DIV):
            if any(self._is_number(a) for a, _ in mine):
                signs.free(row)  # also of one that two parts have in common: one adds it, the other subtracts it
                return True
            (u, s), (w, t) = (signs.of(a) for a, _ in mine)
            if u and w:  # of two unknown signs one is taken as it is
                if u != w:
                    signs.bound[w] = (0, 1)
                    (u, s), (w, t) = (signs.of(a) for a, _ in mine)
                else:
                    u = w = 0
            for _, sign in (*mine, *theirs):
                t *= sign
            signs.known[row] = (u or w, s * t)
        elif code in op.ODD:
            signs.known[row] = signs.of(mine[0][0])
        elif [s for _, s in mine] != [s for _, s in theirs]:
            signs.free(row)
        return True

    def _pair_sums(self, row: int, found: list[int], image: dict[int, int], signs: _TeamSigns) -> bool:
        mine = self.arguments[row]
        if len({a for a, _ in mine}) < len(mine):
            return False
        ranked = []
        alike = self.places[self._key(row, [a for a, _ in mine])]
        for other in found:
            theirs = dict(self.arguments[other])
            if len(theirs) < len(mine):
                continue
            needed = [sign * theirs.get(image[a], sign) for a, sign in mine]
            misfits = 0
            first = signs.of(mine[0][0])
            for (a, _), need in zip(mine, needed, strict=True):
                unknown, sign = signs.of(a)
                if unknown == first[0]:
                    misfits += sign * first[1] != need * needed[0]
            # Of a + b and a − b, as left and right wheels have them, the one that comes first corresponds to the first.
            rank = abs(alike.index(row) - found.index(other))
            ranked.append((-self._used_alike(row, other, image) if len(found) > 1 else 0, misfits, rank, other, needed))
        if not ranked:
            return False
        *_, other, needed = min(ranked)
        if not self._associate(row, other, image):
            return False
        first = signs.of(mine[0][0])
        for (a, _), need in zip(mine, needed, strict=True):
            signs.agree(signs.of(a), first, need * needed[0])
        unknown, sign = signs.of(mine[0][0])
        signs.known[row] = (unknown, sign * needed[0])
        image[row] = other
        return True

    def _used_alike(self, row: int, other: int, image: dict[int, int]) -> int:
        """How many users of an atom there are of another one too, as far as their other arguments are known."""
        count = 0
        for user in self.users[row]:
            arguments = [other if a == row else image.get(a) for a, _ in self.arguments[user]]
            if None not in arguments and self._key(user, arguments) in self.places:  # type: ignore[arg-type]
                count += 1
        return count

    def _associate(self, row: int, other: int, image: dict[int, int]) -> bool:
        """Add the terms of another part's sum in the order of the first one."""
        if row == other:
            return True
        _, inner = self._terms(row)
        theirs, rows = self._terms(other)
        if len(inner) != len(rows):
            return False
        place, numbers = dict(theirs), [term for term in theirs if self._is_number(term[0])]
        made: dict[int, Signed] = {}
        nodes: list[tuple[int, Node]] = []

        def term(at: int) -> Signed:
            if at in made:
                return made[at]
            bare, _ = self._bare(at)
            if self._is_number(bare) and bare not in place:
                return numbers[0]
            return image[bare], place[image[bare]]

        for mine_at, at in zip(reversed(inner), reversed(rows), strict=True):  # innermost first
            _, a, b = self.nodes[mine_at]
            (x, s), (y, t) = term(a), term(b)
            made[mine_at] = (at, -1 if s < 0 and t < 0 else 1)
            nodes.append((at, (op.ADD, x, y) if s == t else (op.SUB, x, y) if s > 0 else (op.SUB, y, x)))
        if made[row][1] < 0:
            return False
        for at, node in nodes:
            self.nodes[at] = node
        for mine_at, at in zip(inner[1:], rows[1:], strict=True):
            image[mine_at] = at
        return True

    def teams(self) -> list[Team]:
        """Atoms of four parts that are different, each in one team."""
        found: list[Team] = []
        used: set[int] = set()
        for row in self.order:
            if self.nodes[row][0] != op.NEG and all(row in image for image in self.images):
                rows = (row, *(image[row] for image in self.images))
                if len({*rows} - used) == TEAM:
                    found.append(Team(rows, (1, *(signs.of(row)[1] for signs in self.signs))))
                    used.update(rows)
        return found
