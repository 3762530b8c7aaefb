"""A run in Python's hands: its memory laid out for some equations and a method, its slices, its records, its state in a
file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.provider import Pattern, Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate import events, factored, frame, on_atoms, radau_tables
from dalembert.integrate import memory as m
from dalembert.integrate.event import EventFunctions
from dalembert.integrate.methods import Method
from dalembert.linalg.dense import lapack
from dalembert.linalg.order import saddle_order, symmetric_neighbours
from dalembert.linalg.range_space import analyse_range_space, range_value_size
from dalembert.linalg.sparse import analyse, value_size

Floats = NDArray[np.float64]

#: From this many unknowns on, the matrix of constrained motion is factorised as a sparse one.
SPARSE_FROM = 60
_EVENT_RECORDS = 256
_LARGEST_SLICE = 512
_POINTS = 128


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a user may say about a run."""

    rtol: float
    atol: Floats  # one entry per component of y = (q, v, u)
    first_step: float | None = None
    min_step: float = 0.0
    max_step: float = np.inf
    dense: bool = True
    formalism: str = "auto"  # "auto", "explicit" (on atoms) or "contract" (factorised)
    solver: str = "auto"  # of the factorised formalism: "auto", "range", "sparse" or "dense"
    checks: int = 4  # check points for events in each step


class LiveRun:
    """Memory of a run, with the providers that its addresses belong to."""

    def __init__(
        self,
        equations: Equations,
        method: Method,
        options: Options,
        parameters: Floats,
        functions: EventFunctions | None = None,
        breaks: tuple[float, ...] = (),
        points: int = 0,
    ) -> None:
        self.equations, self.method, self.options, self.events = equations, method, options, functions
        s = equations.sizes
        n_y, n_events = s.q + s.v + s.u, 0 if functions is None else len(functions)
        self.n_y, self.n_z = n_y, s.v + s.lam
        why_not = equations.lacks("explicit")
        if options.formalism == "explicit" and why_not:
            raise SimulationError(f"formalism='explicit' is not possible for '{equations.name}': {why_not}")
        fused = not why_not and options.formalism != "contract"
        self.slice = int(np.clip(400_000 // (n_y * 16), 1, _LARGEST_SLICE))
        self.record_width = 1 + n_y + self.n_z + (1 + method.coefficients * n_y if options.dense else 0)
        self.event_width = 2 + n_y + self.n_z
        table = np.zeros(0) if method.table is None else method.table()
        names = (["explicit", "rate"] if fused else ["contract"]) + (["implicit"] if method.implicit else [])
        self.providers: dict[str, Provider] = {name: equations.program(name) for name in names}
        key = (method.name, options.dense, fused, options.solver, options.checks, n_events, len(breaks), points)
        layouts: dict[Any, m.Layout] = equations.__dict__.setdefault("_layouts", {})
        if key not in layouts:
            layouts[key] = self._layout(n_events, len(breaks), points, table.size)
        self.run, addresses = m.allocate(layouts[key])
        self._works: list[Floats] = []
        self._address(addresses)
        self[m.P][:], self[m.TABLEAU][:], self[m.BREAKS][:] = parameters, table, breaks
        self[m.ATOL_Y][:] = options.atol
        scalars = self[m.SCALARS]
        for place, value in (
            (m.RTOL, options.rtol), (m.H_MAX, options.max_step), (m.H_MIN, options.min_step),
            (m.ERROR_EXPONENT, method.exponent), (m.BETA, method.beta), (m.SAFETY, method.safety),
            (m.SHRINK, method.shrink), (m.GROW, method.grow), (m.SMALLEST_H, np.inf), (m.DIRECTION, 1.0),
            (m.T_LIMIT, np.inf), (m.RATE, 1.0), (m.CONDITION, 1.0), (m.OLD_CONDITION, 1.0),
            (m.NEWTON_TOL, max(10 * np.finfo(float).eps / options.rtol, min(0.03, options.rtol**0.5))),
        ):  # fmt: skip
            scalars[place] = value
        if functions is not None:
            self.int_field(m.I_DIRECTIONS)[:] = functions.directions
            self.int_field(m.I_STOPS)[:] = functions.stops
            self[m.THRESHOLD][:n_events] = functions.thresholds

    # ------------------------------------------------------------------------------------------------------- layout

    def _layout(self, n_events: int, n_breaks: int, points: int, n_table: int) -> m.Layout:
        """Sizes and places for these equations, this method and these options."""
        equations, method, options = self.equations, self.method, self.options
        s, n_y, n_z = equations.sizes, self.n_y, self.n_z
        ints: dict[int, int] = {
            m.N_Q: s.q, m.N_V: s.v, m.N_U: s.u, m.N_LAM: s.lam, m.N_G: s.g, m.N_P: s.p, m.N_Y: n_y,
            m.UNIT_T: equations.unit_T, m.NORMAL: equations.normalizes, m.C_IS_G: equations.C_is_G,
            m.N_KKT: s.v + s.lam, m.N_COEF: method.coefficients, m.IMPLICIT: method.implicit, m.SLICE: self.slice,
            m.CAPACITY: self.slice, m.KEEP_DENSE: options.dense, m.N_BREAKS: n_breaks, m.RESTART: 1,
            m.N_EVENTS: n_events, m.N_CHECKS: options.checks, m.STOPPED_BY: -1, m.JACOBIAN_AGE: -1,
            m.EVENT_CAPACITY: max(_EVENT_RECORDS, 2 * n_events * options.checks) if n_events else 1, **method.ints,
        }  # fmt: skip
        sizes = {
            m.P: s.p, m.T: 1, m.Q: s.q, m.V: s.v, m.U: s.u, m.LAM: s.lam, m.A: s.v, m.MU: s.g,
            m.RATES: n_y, m.Y0: n_y, m.Z0: n_z, m.RATE0: n_y, m.Y1: n_y, m.Z1: n_z, m.RATE1: n_y, m.ATOL_Y: n_y,
            m.WEIGHT: n_y, m.ERROR_VECTOR: n_y, m.COEF: method.coefficients * n_y, m.METHOD: method.work(s),
            m.TABLEAU: n_table,
            m.BREAKS: n_breaks, m.RECORDS: self.record_width * self.slice, m.PHI0: n_events, m.PHI1: n_events,
            m.PHI: n_events, m.THRESHOLD: 2 * n_events, m.EVENT_RECORDS: self.event_width * ints[m.EVENT_CAPACITY],
            m.EVENT_Y: n_y, m.EVENT_Z: n_z, m.X_DQ: s.q, m.RIGHT: 2 * n_z, m.POINTS: points * (1 + n_y + n_z),
        }  # fmt: skip
        fields: dict[int, Any] = {
            m.I_DIRECTIONS: [0] * n_events,
            m.I_STOPS: [0] * n_events,
            m.I_SIGNS: [0] * 2 * n_events,
        }
        if "contract" in self.providers:
            self._lay_out_kkt(ints, sizes, fields)
        if method.implicit:
            self._lay_out_newton(ints, sizes, fields)
        for name, first in (("explicit", m.X_QDOT), ("contract", m.C_T), ("implicit", m.I_QDOT)):
            if name in self.providers:
                for k, size in enumerate(self.providers[name].out_sizes):
                    sizes[first + k] = max(sizes.get(first + k, 0), size)
        return m.lay_out(ints, sizes, fields)

    def _lay_out_kkt(self, ints: dict[int, int], sizes: dict[int, int], fields: dict[int, Any]) -> None:
        """Places of the entries of M, G, F and C in the matrix of constrained motion."""
        s, patterns = self.equations.sizes, self.providers["contract"].patterns
        n_v = s.v
        M, G, F, C, T = (patterns[key] for key in ("M", "G", "F", "C", "T"))
        ints[m.FRICTION] = int(len(F.rows) > 0)
        solver = self._choose_solver(M, bool(len(F.rows)))
        if solver == factored.RANGE:
            plan = analyse_range_space(n_v, s.lam, G.rows, G.columns)
            sizes[m.KKT], fields[m.I_SPARSE_KKT] = range_value_size(plan), plan
        else:
            self._lay_out_matrix(solver, (M, G, F), ints, sizes, fields)
        ints[m.SOLVER] = solver
        if not self.equations.C_is_G:  # then the matrix is dense
            n = n_v + s.lam
            fields |= {m.I_MAP_C: (n_v + C.rows) * n + C.columns, m.I_MAP_CT: C.columns * n + n_v + C.rows}
        for (rows_at, columns_at), pattern in (
            ((m.I_ROWS_T, m.I_COLS_T), T), ((m.I_ROWS_M, m.I_COLS_M), M), ((m.I_ROWS_G, m.I_COLS_G), G),
            ((m.I_ROWS_C, m.I_COLS_C), C), ((m.I_ROWS_F, m.I_COLS_F), F),
        ):  # fmt: skip
            fields[rows_at], fields[columns_at] = pattern.rows, pattern.columns

    def _choose_solver(self, M: Pattern, friction: bool) -> int:
        """The fastest solver for the structure, or the one that is asked for."""
        s, asked = self.equations.sizes, self.options.solver
        possible = {"dense": factored.DENSE}
        if self.equations.C_is_G:
            possible["sparse"] = factored.SPARSE
            if not friction and s.lam and len(M.rows) == s.v and np.array_equal(M.rows, M.columns):
                possible["range"] = factored.RANGE
        if asked == "auto":
            large = s.v + s.lam >= SPARSE_FROM
            asked = "range" if "range" in possible else "sparse" if large and "sparse" in possible else "dense"
        if asked not in possible:
            known = ("range", "sparse", "dense")
            reason = "its matrices do not have the structure" if asked in known else suggestion(asked, ["auto", *known])
            raise SimulationError(f"solver='{asked}' is not possible for '{self.equations.name}': {reason}")
        return possible[asked]

    def _lay_out_matrix(
        self, solver: int, patterns: tuple[Pattern, Pattern, Pattern], ints: dict[int, int], sizes: dict[int, int],
        fields: dict[int, Any],
    ) -> None:  # fmt: skip
        """Places of the entries of M, G and F in a dense or sparse matrix of constrained motion."""
        s = self.equations.sizes
        n, n_v = s.v + s.lam, s.v
        M, G, F = patterns
        where: Any
        if solver == factored.SPARSE:
            rows = np.concatenate([M.rows, n_v + G.rows, G.columns, F.rows])
            columns = np.concatenate([M.columns, G.columns, n_v + G.rows, n_v + F.columns])
            neighbours, diagonal = symmetric_neighbours(n, rows.tolist(), columns.tolist())
            held: dict[int, set[int]] = {n_v + k: set() for k in range(s.lam)}
            for k, j in zip(G.rows.tolist(), G.columns.tolist(), strict=True):
                held[n_v + k].add(j)
            row_order, column_order = saddle_order(neighbours, diagonal, held)
            plan, places = analyse(n, rows, columns, row_order, column_order)
            where = lambda i, j: [places[a, b] for a, b in zip(i.tolist(), j.tolist(), strict=True)]  # noqa: E731
            sizes[m.KKT], fields[m.I_SPARSE_KKT] = value_size(plan), plan
        else:
            where = lambda i, j: i * n + j  # noqa: E731
            sizes[m.KKT], fields[m.I_PIVOTS_KKT] = n * n, np.zeros(n)
        fields |= {
            m.I_MAP_M: where(M.rows, M.columns),
            m.I_MAP_G: where(n_v + G.rows, G.columns),
            m.I_MAP_GT: where(G.columns, n_v + G.rows),
            m.I_MAP_F: where(F.rows, n_v + F.columns),
        }

    def _lay_out_newton(self, ints: dict[int, int], sizes: dict[int, int], fields: dict[int, Any]) -> None:
        radau_tables.lay_out(
            self.equations,
            self.providers["implicit"].patterns["jacobian"],
            ints[m.STAGES],
            self.options.solver,
            ints,
            sizes,
            fields,
        )

    def _address(self, addresses: Sequence[int]) -> None:
        """Fill the table: kernels, providers with their workspaces, inputs and outputs."""
        table = self.run.table
        table[m.ATTEMPT], table[m.INTERPOLATE] = self.method.attempt.address, self.method.interpolate.address
        formalism = on_atoms if "explicit" in self.providers else factored
        table[m.RATE_KERNEL], table[m.PROJECT_KERNEL] = formalism.rate.address, formalism.project.address
        for place, name in ((m.DGETRF, "dgetrf"), (m.DGETRS, "dgetrs"), (m.ZGETRF, "zgetrf"), (m.ZGETRS, "zgetrs")):
            table[place] = lapack(name)
        table[m.IN : m.IN + 8] = [addresses[k] for k in (m.P, m.T, m.Q, m.V, m.U, m.LAM, m.A, m.MU)]
        for name, entry, work, out, first, count in (
            ("rate", m.RATE_ENTRY, m.RATE_WORK, m.RATE_OUT, m.X_QDOT, 4),
            ("explicit", m.EXPLICIT, m.EXPLICIT_WORK, m.EXPLICIT_OUT, m.X_QDOT, 9),
            ("contract", m.CONTRACT, m.CONTRACT_WORK, m.CONTRACT_OUT, m.C_T, 12),
            ("implicit", m.IMPLICIT_ENTRY, m.IMPLICIT_WORK, m.IMPLICIT_OUT, m.I_QDOT, 6),
        ):
            if name in self.providers:
                provider = self.providers[name]
                table[entry], table[work] = provider.address, self._work(provider)
                table[out : out + count] = [addresses[first + k] for k in range(count)]
        if self.events is not None:
            table[m.START_SIGNS], table[m.FIND_EVENTS] = events.start_signs.address, events.find_events.address
            table[m.EVENT], table[m.EVENT_WORK] = self.events.provider.address, self._work(self.events.provider)
            table[m.EVENT_OUT] = addresses[m.PHI]

    def _work(self, provider: Provider) -> int:
        self._works.append(provider.workspace())
        return int(self._works[-1].ctypes.data)

    # ------------------------------------------------------------------------------------------------------- access

    def __getitem__(self, k: int) -> Floats:
        """A field of the memory."""
        return m.field(self.run, k)

    def int_field(self, k: int) -> NDArray[np.int64]:
        return m.int_field(self.run, k)

    @property
    def scalars(self) -> Floats:
        return self[m.SCALARS]

    @property
    def ints(self) -> NDArray[np.int64]:
        return self.run.ints

    # ------------------------------------------------------------------------------------------------------ running

    def start(self, t: float, y: Floats, t_end: float) -> None:
        """Set the point from which the next slice starts anew."""
        scalars = self.scalars
        scalars[m.T_NOW], scalars[m.T_END] = t, t_end
        scalars[m.DIRECTION] = 1.0 if t_end >= t else -1.0
        scalars[m.T_LIMIT] = scalars[m.DIRECTION] * np.inf
        self[m.Y0][:] = y
        self.ints[m.RESTART] = 1
        if self.options.first_step is not None:
            scalars[m.H] = self.options.first_step

    def advance(self) -> int:
        """One slice; why it ended."""
        return frame.advance(self.run)

    def take_records(self) -> Floats:
        """The steps recorded since the last call, one row each."""
        count = int(self.ints[m.RECORDED])
        self.ints[m.RECORDED] = 0
        return np.array(self[m.RECORDS][: count * self.record_width].reshape(count, self.record_width))

    def take_events(self) -> Floats:
        """The events recorded since the last call: rows of (number, t, y, z)."""
        count = int(self.ints[m.EVENTS_RECORDED])
        self.ints[m.EVENTS_RECORDED] = 0
        return np.array(self[m.EVENT_RECORDS][: count * self.event_width].reshape(count, self.event_width))

    def raise_pending(self) -> None:
        """Raise what a Python function raised inside a slice."""
        for provider in [*self.providers.values(), *([] if self.events is None else [self.events.provider])]:
            provider.raise_pending()

    # --------------------------------------------------------------------------------------------------------- state

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that the run goes on from; plain arrays."""
        return {"ints": np.array(self.run.ints), "reals": np.array(self.run.reals)}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a stored state of a run with the same equations, method and options."""
        for name, array in (("ints", self.run.ints), ("reals", self.run.reals)):
            given = np.asarray(state[name])
            if given.shape != array.shape or given.dtype != array.dtype:
                raise SimulationError(
                    f"the stored state does not belong to '{self.equations.name}' with method '{self.method.name}' and "
                    f"these options: its {name} have the shape {given.shape}, here it is {array.shape}"
                )
            array[:] = given

    def fingerprint(self) -> str:
        """Of sizes and layout, to recognise states that belong here."""
        digest = hashlib.sha256()
        digest.update(repr((self.equations.name, self.equations.sizes, self.method.name, len(self.run.ints))).encode())
        return digest.hexdigest()[:16]


class Completer:
    """Projects points onto the constraints and completes them by a and λ; used for dense output."""

    def __init__(self, equations: Equations, method: Method, options: Options, parameters: Floats) -> None:
        self.rows, self.parameters = equations.rows, np.array(parameters)
        self._parts = equations, method, options, self.parameters

    @cached_property
    def _live(self) -> LiveRun:
        return LiveRun(*self._parts, points=_POINTS)

    def __call__(self, t: Floats, q: Floats, v: Floats, u: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        live = self._live
        s, n_y = live.equations.sizes, live.n_y
        width = 1 + n_y + live.n_z
        result = np.zeros((t.size, width))
        result[:, 0], result[:, 1 : 1 + n_y] = t, np.concatenate([q, v, u]).T
        buffer = live[m.POINTS].reshape(_POINTS, width)
        for first in range(0, t.size, _POINTS):
            part = result[first : first + _POINTS]
            buffer[: len(part)] = part
            live.ints[m.N_POINTS] = len(part)
            failed = frame.complete_points(live.run)
            if failed:
                live.raise_pending()
                raise SimulationError(
                    f"'{live.equations.name}': the state at t = {t[first + failed - 1]:.9g} cannot be projected onto "
                    "the "
                    "constraints"
                )
            part[:] = buffer[: len(part)]
        columns = result.T
        q_end, v_end, u_end = 1 + s.q, 1 + s.q + s.v, 1 + n_y
        return columns[1:q_end], columns[q_end:v_end], columns[u_end : u_end + s.v], columns[u_end + s.v :]
