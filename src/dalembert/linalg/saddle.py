"""The matrix of constrained motion, with F = ∂f/∂λ where friction depends on reactions (mexx, section 3)

    [ M   Gᵀ − F ] [ a ]   [ r ]
    [ G     0    ] [ λ ] = [ s ]

behind one interface.  A :class:`~dalembert.linalg.plan.Plan` is made once from the patterns of M, G and F
(:func:`analyse_saddle`); kernels then say :func:`saddle_factor` and :func:`saddle_solve`, whatever the mode.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import instance
from dalembert.errors import SimulationError, suggestion
from dalembert.linalg.factors.blocks import LARGEST
from dalembert.linalg.factors.dense_lu import lapack
from dalembert.linalg.modes.cholesky_qr import analyse_cholesky_qr, cholesky_qr_factor, cholesky_qr_solve
from dalembert.linalg.modes.composite import (
    COMPOSITE,
    analyse_composite,
    composite_factor,
    composite_multiplications,
    composite_solve,
    has_code,
)
from dalembert.linalg.modes.composite_dense import (
    analyse_composite_dense,
    composite_dense_factor,
    composite_dense_solve,
)
from dalembert.linalg.modes.fixed_order import analyse_fixed_order, fixed_order_factor, fixed_order_solve
from dalembert.linalg.modes.full import (
    analyse_dense,
    analyse_symmetric,
    dense_factor,
    dense_solve,
    symmetric_factor,
    symmetric_solve,
)  # fmt: skip
from dalembert.linalg.modes.gradients import analyse_gradients, gradients_factor, gradients_solve, lacks_gradients
from dalembert.linalg.modes.minimal import analyse_minimal, minimal_factor, minimal_solve
from dalembert.linalg.modes.range_space import analyse_range, range_space_factor, range_space_solve
from dalembert.linalg.modes.recursive import (
    RECURSIVE,
    analyse_recursive,
    front_multiplications,
    is_full,
    lacks_fronts,
    recursive_factor,
    recursive_solve,
)
from dalembert.linalg.modes.skyline import analyse_skyline, skyline_factor, skyline_solve
from dalembert.linalg.plan import (
    ADDRESS,
    FRONT_ENTRY,
    HEAD,
    LAPACK,
    MODE_NUMBER,
    N_ADDRESSES,
    SOLVER_ENTRY,
    EntryPlaces,
    Plan,
    Structure,
    mode_number,
    own_part,
    solver_entry,
)
from dalembert.linalg.plan_code import code_address
from dalembert.linalg.solver import Solver, call_factor, call_solve
from dalembert.native.kernel import Ints, Reals, compiled


@compiled
def saddle_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """Factorise; 0, or 1 + the number of a pivot that is zero, not finite or too small.

    Without friction ``F`` is empty, whatever the plan knows of its pattern.
    """
    entry = solver_entry(addresses, plan[HEAD.MODE])
    return call_factor(entry[SOLVER_ENTRY.FACTOR], values, plan, addresses, M, G, F)


@compiled
def saddle_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """Replace (r, s) by (a, λ), with the factors of :func:`saddle_factor`; 0, or not if the solution is not good."""
    entry = solver_entry(addresses, plan[HEAD.MODE])
    return call_solve(entry[SOLVER_ENTRY.SOLVE], values, plan, addresses, M, G, F, right)


@compiled
def smallest_pivot(values: Reals) -> float:
    """What is left of a pivot where least is, relative to what it was made of; 1 where a mode does not tell."""
    return values[values.size - 1]


class Mode(NamedTuple):
    """A pair of solvers, the analysis that makes their plans, and what they can serve.

    ``singular_mass``: coordinates without mass, if constraints hold them; ``friction``: F ≠ 0; ``redundant``: rows of G
    that depend on others, if they do not contradict them; ``largest_block``: of a block-diagonal M, where that is
    needed; ``lacks``: further needs, as a reason why they are not met; ``needs``: these in words; ``exchanges``: pivots
    are chosen by the values of the matrix.
    """

    factor: Solver
    solve: Solver
    analyse: Callable[[Structure], Plan]
    singular_mass: bool = False
    friction: bool = False
    redundant: bool = False
    largest_block: int = 0
    lacks: Callable[[Structure], str] = lambda structure: ""
    needs: str = ""
    exchanges: bool = False


def _with_gradients(structure: Structure) -> Plan:
    """Conjugate gradients, preconditioned by a decomposition of S = G M⁻¹ Gᵀ, or of all where M is singular."""
    return analyse_gradients(structure, MODES["sparse" if structure.massless else "range"].analyse(structure))


#: The capability table: the one place that says what a mode serves.
MODES: dict[str, Mode] = {
    "dense": Mode(dense_factor, dense_solve, analyse_dense, singular_mass=True, friction=True, exchanges=True),
    "symmetric": Mode(symmetric_factor, symmetric_solve, analyse_symmetric, singular_mass=True, exchanges=True),
    "cholesky-qr": Mode(cholesky_qr_factor, cholesky_qr_solve, analyse_cholesky_qr, redundant=True),
    "minimal": Mode(
        minimal_factor,
        minimal_solve,
        analyse_minimal,
        singular_mass=True,
        friction=True,
        redundant=True,
        exchanges=True,
    ),
    "sparse": Mode(
        fixed_order_factor,
        fixed_order_solve,
        analyse_fixed_order,
        singular_mass=True,
        friction=True,
        exchanges=True,
    ),
    "recursive": Mode(
        recursive_factor,
        recursive_solve,
        analyse_recursive,
        singular_mass=True,
        friction=True,
        lacks=lacks_fronts,
        needs="few unknowns per step of the elimination",
    ),
    "range": Mode(range_space_factor, range_space_solve, analyse_range, largest_block=LARGEST),
    "skyline": Mode(skyline_factor, skyline_solve, analyse_skyline, largest_block=LARGEST),
    "composite": Mode(
        composite_factor, composite_solve, analyse_composite, lacks=lambda structure: structure.holds_nothing
    ),
    "composite-dense": Mode(composite_dense_factor, composite_dense_solve, analyse_composite_dense),
    "conjugate-gradients": Mode(
        gradients_factor,
        gradients_solve,
        _with_gradients,
        singular_mass=True,
        lacks=lacks_gradients,
        needs=f"blocks of M up to {LARGEST}, or massless joint coordinates; constraints",
    ),
}


def add_mode(name: str, mode: Mode) -> None:
    """Make a mode from outside known, as ``solver=name`` of :func:`dalembert.simulate`; in every process that uses it.

    ``mode.analyse`` makes its plans by :func:`~dalembert.linalg.plan.plan_of` under the same name.  A name stays with
    its mode: plans that were made for it are kept with equations and in stored runs.
    """
    if not isinstance(name, str) or not name or name != name.strip().lower() or name == "auto" or name in MODES:
        raise SimulationError(
            f"a mode of linear algebra cannot be called '{name}': names are written in small letters, and these are "
            f"taken: {', '.join(('auto', *MODES))}"
        )
    MODES[name] = instance(mode, Mode, f"mode '{name}'", SimulationError)


# Where one mode becomes faster than another, as measured by benchmarks/linalg.py and benchmarks/thesis_linalg.py.
#: From this many unknowns on code is made for the structure.
CODED_FROM = 24
#: Up to this many multiplications of those of fronts code along a tree is faster: it is called once for all bodies.
COMPOSITE_SHARE = 1.2
#: Up to this share of entries that are not zero the matrix is treated as a sparse one.
SPARSE_SHARE = 0.4
#: From this many unknowns on the symmetry of a full matrix is worth its pivots.
SYMMETRIC_FROM = 60


def capability_table() -> str:
    """What each mode serves, as it stands in the documentation."""
    lines = ["| mode | singular M | F ≠ 0 | redundant G | needs |", "|---|---|---|---|---|"]
    for name, mode in MODES.items():
        served = ("yes" if able else "no" for able in (mode.singular_mass, mode.friction, mode.redundant))
        blocks = f"M block-diagonal, blocks up to {mode.largest_block}; constraints" if mode.largest_block else ""
        lines.append(f"| `{name}` | {' | '.join(served)} | {mode.needs or blocks} |")
    return "\n".join(lines)


def why_not(mode: str, structure: Structure) -> str:
    """Why a mode cannot serve matrices of this structure; nothing if it can."""
    made = MODES[mode]
    if not made.friction and len(structure.F.rows):
        return "friction depends on reactions (F ≠ 0)"
    if not made.singular_mass and (massless := structure.massless):
        return f"M is singular: velocity {massless[0]} has no mass"
    if made.largest_block:
        if not structure.n_lam:
            return "there are no constraints"
        size = max((len(block) for block in structure.blocks()), default=0)
        if size > made.largest_block:
            wanted = "diagonal" if made.largest_block == 1 else f"block-diagonal with blocks up to {made.largest_block}"
            return f"M is not {wanted}"
    return made.lacks(structure)


def _fastest(structure: Structure) -> str:
    n = structure.n_v + structure.n_lam
    by_bodies = not why_not("range", structure)
    if n >= CODED_FROM:
        by_fronts = not why_not("recursive", structure) and not is_full(structure)
        along_tree = not why_not("composite", structure) and has_code(structure)
        # Bodies in absolute coordinates share the code of their fronts, which is compiled once for all of them.
        if along_tree and by_fronts:
            cheap = composite_multiplications(structure) <= COMPOSITE_SHARE * front_multiplications(structure)
            along_tree = cheap and not by_bodies
        if along_tree or by_fronts:
            return "composite" if along_tree else "recursive"
    if by_bodies:
        return "range"
    if len(structure.M.rows) + 2 * len(structure.G.rows) + len(structure.F.rows) <= SPARSE_SHARE * n * n:
        return "sparse"
    return "dense" if n < SYMMETRIC_FROM or len(structure.F.rows) else "symmetric"


def choose_mode(asked: str, structure: Structure, name: str) -> str:
    """The mode that is asked for, or the fastest for the structure; ``name`` is that of the equations."""
    if asked == "auto":
        return _fastest(structure)
    if asked not in MODES:
        raise SimulationError(f"there is no solver='{asked}': {suggestion(asked, ['auto', *MODES])}")
    if reason := why_not(asked, structure):
        others = ", ".join(mode for mode in MODES if not why_not(mode, structure))
        raise SimulationError(f"solver='{asked}' cannot serve '{name}': {reason}; these can: {others}")
    return asked


def analyse_saddle(
    mode: str,
    n_v: int,
    n_lam: int,
    M: EntryPlaces,
    G: EntryPlaces,
    F: EntryPlaces,
    chains: tuple[tuple[tuple[int, int], ...], ...] = (),
) -> Plan:
    """All that depends on the structure only."""
    return MODES[mode].analyse(Structure(n_v, n_lam, M, G, F, chains))


def _key_of_code(plan: NDArray[np.int64]) -> int:
    """Key of the machine code that a plan was made with, or 0."""
    place = {MODE_NUMBER.RECURSIVE: RECURSIVE.KEY, MODE_NUMBER.COMPOSITE: COMPOSITE.KEY}.get(int(plan[HEAD.MODE]))
    return 0 if place is None else int(own_part(plan)[place])


def saddle_addresses(*plans: NDArray[np.int64]) -> NDArray[np.int64]:
    """What kernels reach through addresses when they use these plans; good for this process."""
    table = np.zeros(N_ADDRESSES, dtype=np.int64)
    table[ADDRESS.DGETRF : ADDRESS.SOLVERS] = [lapack(name) for name in LAPACK]
    used = {int(number) for plan in plans for number in plan[[HEAD.MODE, HEAD.INNER]]}
    solvers = table[ADDRESS.SOLVERS : ADDRESS.FRONTS].reshape(-1, SOLVER_ENTRY.end)
    for entry, name in zip(solvers, (name for name in MODES if mode_number(name) in used), strict=False):
        entry[SOLVER_ENTRY.MODE] = mode_number(name)
        entry[SOLVER_ENTRY.FACTOR], entry[SOLVER_ENTRY.SOLVE] = MODES[name].factor.address, MODES[name].solve.address
    coded = table[ADDRESS.FRONTS : ADDRESS.end].reshape(-1, FRONT_ENTRY.end)
    for entry, key in zip(coded, filter(None, map(_key_of_code, plans)), strict=False):
        entry[FRONT_ENTRY.KEY], entry[FRONT_ENTRY.FUNCTIONS] = key, code_address(key)
    return table


class Saddle:
    """A plan in Python's hands: its values and its solvers."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.values, self.ints = plan, np.zeros(plan.value_size), np.array(plan.ints)
        self.addresses = saddle_addresses(plan.ints)
        self._matrix: tuple[NDArray[np.float64], ...] = ()

    def factor(self, M: NDArray[np.float64], G: NDArray[np.float64], F: NDArray[np.float64] | None = None) -> int:
        """Status for the entries of M, G and F in their patterns; without ``F`` there is no friction."""
        self._matrix = tuple(np.array(part, dtype=np.float64) for part in (M, G, () if F is None else F))
        for part, allowed in zip(self._matrix, self.ints[HEAD.N_M : HEAD.N_F + 1], strict=True):
            if part.size != allowed and not (part is self._matrix[2] and not part.size):
                raise ValueError(f"the pattern has {allowed} entries, {part.size} values are given")
        return MODES[self.plan.mode].factor(self.values, self.ints, self.addresses, *self._matrix)

    def solve(self, right: NDArray[np.float64]) -> tuple[int, NDArray[np.float64]]:
        """Status and solution."""
        x = np.array(right, dtype=np.float64)
        n = self.ints[HEAD.N_V] + self.ints[HEAD.N_LAM]
        if x.size != n:
            raise ValueError(f"the matrix has {n} rows, the right side {x.size}")
        return MODES[self.plan.mode].solve(self.values, self.ints, self.addresses, *self._matrix, x), x
