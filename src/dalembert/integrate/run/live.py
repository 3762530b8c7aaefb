"""A run in Python's hands: its memory laid out for some equations and a method, its slices, its records, its state in a
file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError
from dalembert.integrate.events import search as events
from dalembert.integrate.events.event import EventFunctions
from dalembert.integrate.frame import advance as frame
from dalembert.integrate.frame import contract_formalism as factored
from dalembert.integrate.frame import explicit_formalism as on_atoms
from dalembert.integrate.frame import memory as m
from dalembert.integrate.methods import radau_tables
from dalembert.integrate.methods.registry import Method
from dalembert.linalg.factors.dense_lu import lapack
from dalembert.linalg.plan import Entries, Structure
from dalembert.linalg.saddle import analyse_saddle, choose_mode, saddle_addresses

Floats = NDArray[np.float64]

_EVENT_RECORDS = 256
_LARGEST_SLICE = 512
_POINTS = 128
_EPS = float(np.finfo(float).eps)


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
    solver: str = "auto"  # of the factorised formalism: "auto" or one of dalembert.linalg.saddle.MODES
    checks: int = 4  # check points for events in each step
    max_order: int = 0  # of methods that choose their order; 0 for what the method can do
    min_order: int = 0  # the same as max_order: all steps have this order
    dense_order: int = 0  # limit of the order of their dense output
    discretization: str = "auto"  # of friction that depends on reactions: "auto", "modified" or "standard"
    monitor: bool = False  # whether records tell how each step came about


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
        method = method if method.adapt is None else method.adapt(options)
        self.equations, self.method, self.options, self.events = equations, method, options, functions
        s = equations.sizes
        n_y, n_events = s.q + s.v + s.u, 0 if functions is None else len(functions)
        self.n_y, self.n_z = n_y, s.v + s.lam
        why_not = equations.lacks("explicit")
        if options.formalism == "explicit" and why_not:
            raise SimulationError(f"formalism='explicit' is not possible for '{equations.name}': {why_not}")
        wanted = method.formalism if options.formalism == "auto" else options.formalism
        fused = not why_not and wanted == "explicit"
        self.slice = max(1, min(400_000 // (n_y * 16), _LARGEST_SLICE))
        dense = 1 + method.coefficients * n_y + method.algebraic_coefficients * self.n_z
        monitored = m.MONITORED if options.monitor else 0
        self.record_width = 1 + n_y + self.n_z + (dense if options.dense else 0) + monitored
        self.event_width = 2 + n_y + self.n_z
        table = np.zeros(0) if method.table is None else method.table()
        names = dict.fromkeys([*(("explicit", "rate") if fused else ("contract",)), *method.programs])
        self.providers: dict[str, Provider] = {name: equations.program(name) for name in names}
        key = (
            method.name, options.dense, fused, options.solver, options.checks, n_events, len(breaks), points,
            method.order, method.coefficients, *method.ints.values(), options.monitor,
        )  # fmt: skip
        layouts: dict[Any, m.Layout] = equations.__dict__.setdefault("_layouts", {})
        if key not in layouts:
            layouts[key] = self._layout(n_events, len(breaks), points, table.size)
        self.run, addresses = m.allocate(layouts[key])
        self._fields: dict[int, Floats] = {}
        self._works: list[Floats] = []
        self._address(addresses)
        self[m.P][:], self[m.TABLEAU][:], self[m.BREAKS][:] = parameters, table, breaks
        self[m.ATOL_Y][:] = options.atol
        scalars = self[m.SCALARS]
        for place, value in (
            (m.RTOL, options.rtol), (m.H_MAX, options.max_step), (m.H_MIN, options.min_step),
            (m.ERROR_EXPONENT, method.exponent), (m.BETA, method.beta), (m.SAFETY, method.safety),
            (m.SHRINK, method.shrink), (m.GROW, method.grow), (m.SMALLEST_H, np.inf), (m.DIRECTION, 1.0),
            (m.T_FROM, -np.inf), (m.T_LIMIT, np.inf), (m.RATE, 1.0), (m.CONDITION, 1.0), (m.OLD_CONDITION, 1.0),
            (m.NEWTON_TOL, max(10 * _EPS / options.rtol, min(0.03, options.rtol**0.5))),
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
            m.EVENT_CAPACITY: max(_EVENT_RECORDS, 2 * n_events * options.checks) if n_events else 1,
            m.N_COEF_Z: method.algebraic_coefficients, m.OWN_CONTROL: method.own_control, m.MONITOR: options.monitor,
            m.ORDER_USED: method.order, **method.ints,
        }  # fmt: skip
        sizes = {
            m.P: s.p, m.T: 1, m.Q: s.q, m.V: s.v, m.U: s.u, m.LAM: s.lam, m.A: s.v, m.MU: s.g,
            m.RATES: n_y, m.Y0: n_y, m.Z0: n_z, m.RATE0: n_y, m.Y1: n_y, m.Z1: n_z, m.RATE1: n_y, m.ATOL_Y: n_y,
            m.WEIGHT: n_y, m.ERROR_VECTOR: n_y, m.COEF: method.coefficients * n_y, m.METHOD: method.work(s),
            m.COEF_Z: method.algebraic_coefficients * n_z, m.TABLEAU: n_table,
            m.BREAKS: n_breaks, m.RECORDS: self.record_width * self.slice, m.PHI0: n_events, m.PHI1: n_events,
            m.PHI: n_events, m.THRESHOLD: 3 * n_events, m.EVENT_RECORDS: self.event_width * ints[m.EVENT_CAPACITY],
            m.EVENT_Y: n_y, m.EVENT_Z: n_z, m.X_DQ: s.q, m.RIGHT: 2 * n_z, m.POINTS: points * (1 + n_y + n_z),
        }  # fmt: skip
        fields: dict[int, Any] = {
            m.I_DIRECTIONS: [0] * n_events,
            m.I_STOPS: [0] * n_events,
            m.I_SIGNS: [0] * 3 * n_events,
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
        """Plans of the matrix of constrained motion, and of that with C for positions where it is another one."""
        s, patterns = self.equations.sizes, self.providers["contract"].patterns
        M, G, F, C, T = (patterns[key] for key in ("M", "G", "F", "C", "T"))
        ints[m.FRICTION] = int(len(F.rows) > 0)
        plans = {(m.KKT, m.I_SADDLE): Structure(s.v, s.lam, M, G, F)}
        if not self.equations.C_is_G:
            plans[m.KKT_C, m.I_SADDLE_C] = Structure(s.v, s.g, M, C, Entries(*np.zeros((2, 0), dtype=np.int64)))
        for (values, whole), structure in plans.items():
            plan = analyse_saddle(choose_mode(self.options.solver, structure, self.equations.name), *structure)
            sizes[values], fields[whole] = plan.value_size, plan.ints
        for (rows_at, columns_at), pattern in (
            ((m.I_ROWS_T, m.I_COLS_T), T), ((m.I_ROWS_M, m.I_COLS_M), M), ((m.I_ROWS_G, m.I_COLS_G), G),
            ((m.I_ROWS_C, m.I_COLS_C), C), ((m.I_ROWS_F, m.I_COLS_F), F),
        ):  # fmt: skip
            fields[rows_at], fields[columns_at] = pattern.rows, pattern.columns

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
        if "contract" in self.providers:
            plans = [plan for plan in map(self.int_field, (m.I_SADDLE, m.I_SADDLE_C)) if plan.size]
            table[m.SADDLE : m.TABLE_SIZE] = saddle_addresses(*plans)
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
        found = self._fields.get(k)
        if found is None:
            found = self._fields[k] = m.field(self.run, k)
        return found

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
        scalars[m.T_FROM], scalars[m.T_LIMIT] = -scalars[m.DIRECTION] * np.inf, scalars[m.DIRECTION] * np.inf
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
