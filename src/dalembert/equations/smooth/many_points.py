"""The contract at many points of a motion at once, slow rows apart from fast ones.

Fast coordinates may be many: of matrices only rows and columns of slow velocities and of multipliers are made, and what
locks fast coordinates is taken from the balance M a − f + Gᵀλ itself.  Where equations are expressions, the balance is
compiled with fast coordinates at zero, where most of it vanishes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.expressions import Expressions
from dalembert.equations.contract.provider import Floats
from dalembert.equations.smooth.factored import times
from dalembert.errors import EquationsError
from dalembert.symbolic import (
    AtomArray,
    CompiledFunction,
    SparseMatrix,
    array,
    compile,
    derivative,
    directional_derivative,
    substitute,
)

#: Numbers that the matrices of points which are done together may have.
_AT_ONCE = 4_000_000
_MATRICES = ("T", "M", "G", "F", "C")
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Division:
    """Numbers of slow and of fast velocities, and of fast coordinates."""

    slow: Ints
    fast: Ints
    fast_q: Ints


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a motion, one row for each."""

    t: Floats
    q: Floats
    v: Floats
    u: Floats

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, rows: slice) -> Points:
        return Points(self.t[rows], self.q[rows], self.v[rows], self.u[rows])


class Contract:
    """What the equations say at points: balance of slow and of fast rows, constraints, and exact rates of both.

    ``still`` says that fast coordinates, velocities and accelerations are zero.
    """

    def __init__(self, equations: Equations, p: Floats, division: Division, expressions: bool = True) -> None:
        self.equations, self.p, self.division = equations, p, division
        self._provider = equations.program("contract")
        self.reactive = len(self._provider.patterns["F"].rows) > 0
        x = equations.innermost.expressions
        known = expressions and x is not None and len(x.inputs["lam"]) == equations.sizes.lam
        self._atoms = x if known else None
        self._nothing: tuple[Floats, Floats] = np.zeros((0, equations.sizes.v)), np.zeros((0, equations.sizes.lam))

    def _still(self, n: int) -> tuple[Floats, Floats]:
        """No accelerations and multipliers at n points: made once, as large arrays are slow to make."""
        if len(self._nothing[0]) < n:
            self._nothing = np.zeros((n, self.equations.sizes.v)), np.zeros((n, self.equations.sizes.lam))
        return self._nothing[0][:n], self._nothing[1][:n]

    @property
    def exact(self) -> bool:
        """Whether exact rates are known."""
        return self._atoms is not None

    def parts(self, at: Points) -> Iterator[Points]:
        """The points in portions whose matrices fit into memory."""
        s = self.equations.sizes
        width = len(self.division.slow) + s.lam if self.exact else s.v + s.lam
        size = max(1, _AT_ONCE // max(1, width**2, 10 * s.v))
        for first in range(0, len(at), size):
            yield at[first : first + size]

    # -------------------------------------------------------------------------------------------------- quantities

    def slow_balance(self, at: Points, a: Floats, lam: Floats, still: bool) -> dict[str, Floats]:
        """Slow rows of M a − f + Gᵀλ ("residual"), G a − γ ("rows"), d, and "matrix": derivatives by a_S and λ."""
        s, slow = self.equations.sizes, self.division.slow
        n, n_s = len(at), len(slow)
        if self._atoms is not None:
            found = self._program("slow", still).map(**self._inputs(at, a, lam))
        else:
            all_rows, found = self._balanced(at, a, lam)
            across = np.swapaxes(found["G"], 1, 2) - found["F"]
            found = {
                "residual": all_rows[:, slow], "rows": times(found["G"], a) - found["gamma"], "d": found["d"],
                "M": found["M"][:, slow[:, None], slow], "across": across[:, slow], "G": found["G"][:, :, slow],
            }  # fmt: skip
        matrix = np.zeros((n, n_s + s.lam, n_s + s.lam))
        for name, rows, columns in (("M", 0, 0), ("across", 0, n_s), ("G", n_s, 0)):
            self._put(matrix, name, found[name], rows, columns, still)
        return {"residual": found["residual"], "rows": found["rows"], "d": found["d"], "matrix": matrix}

    def fast_balance(self, at: Points, a: Floats, lam: Floats, still: bool) -> Floats:
        """Fast rows of M a − f + Gᵀλ."""
        if not len(self.division.fast):
            return np.zeros((len(at), 0))
        if self._atoms is not None:
            return self._checked("f", at, self._program("fast", still).map(**self._inputs(at, a, lam))["residual"])
        return self._balanced(at, a, lam)[0][:, self.division.fast]

    def slow_rates(self, at: Points, a: Floats, lam: Floats) -> Floats:
        """Rates of slow rows of the balance and of G a − γ along the motion, a and λ held, fast coordinates still."""
        found = self._program("slow rates", True).map(**self._inputs(at, a, lam))
        return np.concatenate([found["residual"], found["rows"]], axis=1)

    def fast_rates(self, at: Points, a: Floats, lam: Floats, jerk: Floats, lam_rate: Floats) -> Floats:
        """Rates of fast rows of the balance along the motion, with those of a and λ, fast coordinates still."""
        given = self._inputs(at, a, lam) | {"jerk": jerk, "lam_rate": lam_rate}
        return self._program("fast rates", True).map(**given)["residual"]

    def constraints(self, at: Points, still: bool = False) -> dict[str, Floats]:
        """g, "gv" = G v + gI, and slow columns of C and G."""
        slow, n, s = self.division.slow, len(at), self.equations.sizes
        if self._atoms is None:
            found = self.at(at)
            rows = times(found["G"], at.v) + found["gI"]
            return {"g": found["g"], "gv": rows, "C": found["C"][:, :, slow], "G": found["G"][:, :, slow]}
        values = self._program("constraints", still).map(**self._inputs(at, *self._still(n)))
        found = {"g": self._checked("g", at, values["g"]), "gv": self._checked("G", at, values["gv"])}
        for name, size in (("C", s.g), ("G", s.lam)):
            found[name] = np.zeros((n, size, len(slow)))
            self._put(found[name], name, values[name], 0, 0, still, "constraints")
        return found

    def positions(self, at: Points) -> Floats:
        """g alone."""
        if self._atoms is None:
            return self.at(at)["g"]
        return self._checked(
            "g", at, self._program("positions", False).map(**self._inputs(at, *self._still(len(at))))["g"]
        )

    def inertia(self, at: Points) -> Floats:
        """Slow entries of the diagonal of M, fast coordinates still."""
        if self._atoms is None:
            return self.at(at)["M"][:, self.division.slow, self.division.slow]
        return self._program("inertia", True).map(**self._inputs(at, *self._still(len(at))))["M"]

    def q_rate(self, at: Points) -> Floats:
        """T v."""
        return at.v if self.equations.unit_T else times(self.at(at)["T"], at.v)

    @property
    def slow_coordinates(self) -> Ints:
        """Numbers of the coordinates that are not fast."""
        return np.setdiff1d(np.arange(self.equations.sizes.q), self.division.fast_q)

    def slow_step(self, at: Points, move: Floats) -> Floats:
        """What small motions of slow velocities change of slow coordinates."""
        if self.equations.unit_T:
            return move
        return times(self.at(at)["T"][:, self.slow_coordinates][:, :, self.division.slow], move)

    def normalised(self, at: Points) -> Floats:
        """q with its invariants restored."""
        if not self.equations.normalizes:
            return at.q
        rows = [{"p": self.p, "t": at.t[k : k + 1], "q": at.q[k]} for k in range(len(at))]
        return np.stack([self._provider(["qn"], row)["qn"] for row in rows])

    # -------------------------------------------------------------------------------------------------- expressions

    def _inputs(self, at: Points, a: Floats, lam: Floats) -> dict[str, Floats]:
        return {"p": self.p, "t": at.t[:, None], "q": at.q, "v": at.v, "u": at.u, "lam": lam, "a": a}

    def _program(self, name: str, still: bool) -> Any:
        key = ("balance of slow and fast rows", name, still, self.division.fast_q.tobytes())
        return self.equations.kept(key, lambda: self._rows(still).compiled(name))

    def _rows(self, still: bool) -> _Rows:
        x = self._atoms
        assert x is not None
        key = ("rows of slow and fast velocities", still, self.division.fast_q.tobytes())
        found: _Rows = self.equations.kept(key, lambda: _Rows(x, self.division, still))
        return found

    def _put(
        self, into: Floats, name: str, values: Floats, row: int, column: int, still: bool, program: str = "slow"
    ) -> None:
        """Entries of a matrix, which programs give by their places, into a block of another."""
        if self._atoms is None:
            into[:, row : row + values.shape[1], column : column + values.shape[2]] = values
            return
        pattern = self._rows(still).outputs(program)[name]
        into[:, row + np.array(pattern.rows, dtype=int), column + np.array(pattern.columns, dtype=int)] = values

    def _checked(self, name: str, at: Points, values: Floats) -> Floats:
        if not np.isfinite(values).all():
            k = int(np.argmin(np.isfinite(values.reshape(len(at), -1)).all(axis=1)))
            raise EquationsError(
                f"'{self.equations.name}': {name} is not finite at t = {at.t[k]:.6g}; look at the function {name}"
            )
        return values

    # ------------------------------------------------------------------------------------------ without expressions

    def _balanced(self, at: Points, a: Floats, lam: Floats) -> tuple[Floats, dict[str, Floats]]:
        found = self.at(at, lam)
        reactions = times(np.swapaxes(found["G"], 1, 2), lam)
        return times(found["M"], a) - found["f"] + reactions, found

    def at(self, at: Points, lam: Floats | None = None) -> dict[str, Floats]:
        """T, M, f, G, gI, g, gamma, d, F and C by name, the first axis for the points; matrices full."""
        s, n = self.equations.sizes, len(at)
        lam = np.zeros((n, s.lam)) if lam is None else lam
        names = [name for name in OUTPUTS["contract"] if name not in ("w", "qn")]
        inputs = {"p": self.p, "t": at.t[:, None], "q": at.q, "v": at.v, "u": at.u, "lam": lam}
        owner = self._provider.owner
        if isinstance(owner, CompiledFunction):
            rest = {"a": np.zeros((n, s.v)), "mu": np.zeros((n, s.g))}
            found = owner.map(**{key: {**inputs, **rest}[key] for key in INPUTS})
        else:
            rows = [
                self._provider(names, {key: value if key == "p" else value[k] for key, value in inputs.items()})
                for k in range(n)
            ]
            found = {name: np.stack([row[name] for row in rows]) for name in names}
        result = {name: found[name] for name in names if name not in _MATRICES}
        for name in _MATRICES:
            pattern = self._provider.patterns[name]
            result[name] = np.zeros((n, *pattern.shape))
            result[name][:, pattern.rows, pattern.columns] = found[name]
        return {
            name: values if name in ("F", "C") else self._checked(name, at, values) for name, values in result.items()
        }


class _Rows:
    """Slow and fast rows of the balance on atoms, with fast coordinates at zero (``still``) or moving."""

    def __init__(self, x: Expressions, division: Division, still: bool) -> None:
        self.x, self.division = x, division
        self.zero: dict[Any, float] = {}
        if still:
            self.zero = {x.inputs["q"][i]: 0.0 for i in division.fast_q.tolist()}
            self.zero |= {x.inputs[key][i]: 0.0 for key in ("v", "a") for i in division.fast.tolist()}
        self._known: dict[str, Mapping[str, Any]] = {}

    def put(self, values: Any) -> AtomArray:
        """The expressions at rest of fast coordinates, where these are still."""
        values = array(values)
        return array(substitute(values, self.zero)) if self.zero and values.size else values

    def matrix(self, entries: AtomArray) -> SparseMatrix:
        return SparseMatrix.from_dense(self.put(entries))

    @cached_property
    def _change(self) -> tuple[AtomArray, AtomArray]:
        """Symbols of the rates of a and λ."""
        graph, sizes = self.x.graph, {"jerk": len(self.x.inputs["a"]), "lam_rate": len(self.x.inputs["lam"])}
        found = []
        for key, size in sizes.items():
            names = [f"{key}[{k}]" for k in range(size)]
            found.append(array([graph[name] if name in graph else graph.variable(name) for name in names]))
        return found[0], found[1]

    def outputs(self, name: str) -> Mapping[str, Any]:
        """Rows and matrices of one program."""
        if name not in self._known:
            self._known[name] = getattr(self, f"_{name.replace(' ', '_')}")()
        return self._known[name]

    def compiled(self, name: str) -> Any:
        inputs = {key: self.x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam", "a")}
        if name == "fast rates":
            inputs |= dict(zip(("jerk", "lam_rate"), self._change, strict=True))
        return compile(dict(self.outputs(name)), inputs, name=f"{name} of smooth motion")

    def _slow(self) -> dict[str, Any]:
        x, slow = self.x, self.division.slow.tolist()
        across = array(x.G.T - x.F)[slow] if len(x.inputs["lam"]) else x.G.T[slow]
        return {
            "residual": self.put([x.residual[i] for i in slow]), "rows": self.put(x.acceleration_constraints),
            "d": self.put(x.d_or_none), "M": self.matrix(array(x.M[np.ix_(slow, slow)])),
            "across": self.matrix(array(across)), "G": self.matrix(array(x.G[:, slow])),
        }  # fmt: skip

    def _fast(self) -> dict[str, Any]:
        return {"residual": self.put([self.x.residual[i] for i in self.division.fast.tolist()])}

    def _constraints(self) -> dict[str, Any]:
        x, slow = self.x, self.division.slow.tolist()
        return {
            "g": self.put(x.g), "gv": self.put(x.velocity_constraints),
            "C": self.matrix(array(x.C[:, slow])), "G": self.matrix(array(x.G[:, slow])),
        }  # fmt: skip

    def _positions(self) -> dict[str, Any]:
        return {"g": self.put(self.x.g)}

    def _inertia(self) -> dict[str, Any]:
        return {"M": self.put([self.x.M[i, i] for i in self.division.slow.tolist()])}

    def _slow_rates(self) -> dict[str, Any]:
        balance = self.outputs("slow")
        return {"residual": self._along(balance["residual"]), "rows": self._along(balance["rows"])}

    def _fast_rates(self) -> dict[str, Any]:
        x, rows = self.x, self.outputs("fast")["residual"]
        moving = array([*x.inputs["a"], *x.inputs["lam"]])
        change = directional_derivative(rows, moving, array([*self._change[0], *self._change[1]]))
        return {"residual": self.put(self._along(rows) + change)}

    def _along(self, rows: AtomArray) -> AtomArray:
        """Rates along the motion, with a and λ held; fast coordinates do not move, so that only slow ones count."""
        x = self.x
        if not len(rows):
            return rows
        motion_of = array([*x.inputs["q"], *x.inputs["v"], *x.inputs["u"]])
        direction = array([*x.q_rate, *x.inputs["a"], *x.d_or_none])
        found = directional_derivative(rows, motion_of, direction) + derivative(rows, x.inputs["t"][0])
        return self.put(found)
