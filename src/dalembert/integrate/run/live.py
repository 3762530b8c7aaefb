"""A run in Python's hands: its memory laid out for some equations and a method, its slices, its records, its state in a
file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.convention import FURTHER_INPUTS, INPUTS, OUTPUTS
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.provider import Pattern, Provider
from dalembert.errors import EquationsError, SimulationError
from dalembert.integrate.events import search
from dalembert.integrate.events.event import EventFunctions
from dalembert.integrate.events.watching import WatchFunctions, watch_functions
from dalembert.integrate.frame import advance as frame
from dalembert.integrate.frame import aiming, contract_formalism, explicit_formalism, watch
from dalembert.integrate.frame.memory import MONITOR, OUTPUT_SLOTS
from dalembert.integrate.frame.pacing import BINS_PER_OCTAVE, OCTAVES, clock_addresses
from dalembert.integrate.implicit.drift import drifting
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.methods.method import Method
from dalembert.linalg.factors.dense_lu import lapack, pivots_fit
from dalembert.linalg.plan import DENSE, Entries, Plan, Structure
from dalembert.linalg.saddle import MODES, analyse_saddle, choose_mode, saddle_addresses
from dalembert.native.kernel import Kernel
from dalembert.native.slots import (
    COMPLEXES,
    INTEGER,
    INTEGERS,
    REAL,
    REALS,
    MemoryMap,
    address_of,
    bounds,
    lay_out,
    name_of_place,
    places_of,
)

Floats = NDArray[np.float64]

_EVENT_RECORDS = 256
_LARGEST_SLICE = 512
#: Reals of a memory that another run may have afterwards.
_LARGEST_KEPT = 200_000
#: From this part of the drift on, rounding of velocities beside it would show.
_HIDES = 100.0
#: Slots that are empty whenever a run rests: what stood there was taken away.
_BUFFERS = ("records", "event_records", "points")
#: Programs of explicit methods that need no linear algebra.
_ON_ATOMS = {"explicit", "rate"}
#: Options that are arrays.
ARRAYS = ("atol", "scale", "drift")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a user may say about a run, whatever its method."""

    rtol: float
    atol: Floats  # one entry per component of y = (q, v, u)
    scale: Floats | float = 1.0  # sizes of the mechanism that these are compared with
    time_scale: float = 1.0  # time in which velocities of these sizes pass through them
    drift: Floats | float = 1.0  # metric of the drift of coordinates in implicit methods
    first_step: float | None = None
    min_step: float = 0.0
    max_step: float = np.inf
    dense: bool = True
    formalism: str = "auto"  # "auto", "explicit" (on atoms) or "contract" (factorised)
    solver: str = "auto"  # of the factorised formalism: "auto" or one of dalembert.linalg.saddle.MODES
    checks: int = 4  # check points for events in each step
    monitor: bool = False  # whether records tell how each step came about
    realtime: float = 0.0  # seconds of the motion in a second of the clock, 0 if nobody waits
    ends: bool = True  # whether ends of steps are points of output

    def stored(self) -> dict[str, Any]:
        """As plain data, for a checkpoint; tolerances and sizes are arrays of their own there."""
        plain = {key: value for key, value in vars(self).items() if key not in (*ARRAYS, "one_atol")}
        return plain | {"max_step": None if np.isinf(self.max_step) else self.max_step}

    @cached_property
    def one_atol(self) -> float | None:
        """The absolute tolerance of all components, where it is the same."""
        return float(self.atol[0]) if self.atol.size and (self.atol == self.atol[0]).all() else None

    def velocity_sizes(self, equations: Equations) -> Floats:
        """Sizes of velocities."""
        s = equations.sizes
        return np.broadcast_to(self.scale, (s.q + s.v + s.u,))[s.q : s.q + s.v]


@dataclass(frozen=True)
class RunLayout:
    """What runs of some equations with a method and options have in common: the map of their memory with what it begins
    with, vectors that never change, plans by their slots, which hold machine code that addresses lead to, and sizes of
    workspaces of the method."""

    memory: MemoryMap
    vectors: Mapping[str, Floats]
    plans: Mapping[str, Plan]
    works: Mapping[str, Callable[[Any], int]]
    #: parts of the real numbers that a run goes on from: all but the buffers
    resting: tuple[slice, ...]


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
        exchanges: bool = False,
        pattern: Pattern | None = None,
    ) -> None:
        #: of the Jacobian, where it was estimated
        self.pattern = pattern
        self.equations, self.method, self.options, self.events = equations, method, options, functions
        s = equations.sizes
        self.n_y, self.n_z = s.q + s.v + s.u, s.v + s.lam
        self.n_events = 0 if functions is None else len(functions)
        self.watch = self._watched(parameters)
        why_not = equations.lacks("explicit") or method.lacks("explicit")
        if options.formalism == "explicit" and why_not:
            raise SimulationError(f"formalism='explicit' is not possible for '{equations.name}': {why_not}")
        wanted = method.formalism if options.formalism == "auto" else options.formalism
        fused = not why_not and wanted == "explicit"
        self.slice = max(1, min(400_000 // (self.n_y * 16), _LARGEST_SLICE))
        dense = 1 + method.coefficients * self.n_y + method.algebraic_coefficients * self.n_z
        monitored = MONITOR.end + len(method.memory.own_counters()) if options.monitor else 0
        self.record_width = 1 + self.n_y + self.n_z + (dense if options.dense else 0) + monitored
        self.event_width = 2 + self.n_y + self.n_z
        self.exchanges = exchanges
        formalism: tuple[str, ...] = ("explicit", "rate") if fused else ("contract",)
        if method.formalism == "own":
            formalism = ()
        names = dict.fromkeys([*formalism, *(("contract",) if exchanges else ()), *method.programs_of(equations)])
        self.providers: dict[str, Provider] = {name: equations.program(name) for name in names}
        key = (
            "layout of a run", method.uncontrolled, options.dense, fused, options.solver, options.checks,
            self.n_events, len(breaks), points, options.monitor, exchanges, options.realtime > 0.0,
            None if self.watch is None else self.watch.structure, options.ends,
        )  # fmt: skip
        # Patterns that grow come but once.
        layout = (
            equations.kept(key, lambda: self._laid_out(len(breaks), points))
            if pattern is None
            else self._laid_out(len(breaks), points)
        )
        self.run: Any = layout.memory.allocate()
        self._works = {name: provider.workspace() for name, provider in self._entries().items()}
        self._works |= {name: np.zeros(size(self.run)) for name, size in layout.works.items()}
        self._layout, self.breaks = layout, breaks
        self._places: tuple[int, int, int] | None = None
        self._beginning: list[NDArray[Any]] = []
        #: operations of what is counted in such runs, once somebody has asked
        self.work_counted: Any = None
        self._begin(parameters)

    def _watched(self, parameters: Floats) -> WatchFunctions | None:
        """Borders that steps look for.  Steps of one size are what they are: nobody makes them again for the sake of a
        border that they have passed."""
        method = self.method
        return None if method.steps_alike else watch_functions(self.equations, parameters, method.least_borders)

    # ------------------------------------------------------------------------------------------------------- layout

    def _laid_out(self, n_breaks: int, points: int) -> RunLayout:
        """Sizes and places for these equations, this method and these options."""
        equations, method, options, n_events = self.equations, self.method, self.options, self.n_events
        s, n_y, n_z = equations.sizes, self.n_y, self.n_z
        for name in ("begin", "attempt", "accepted", "confirm", "interpolate"):
            if (made := getattr(method, name)) is not None:
                self._check_kind(name, made)
        own = method.values(s)
        if unknown := [name for name in own if name not in method.memory.slots]:
            raise SimulationError(f"method '{method.name}': its memory has no slot '{unknown[0]}'")
        values: dict[str, int] = {
            "n_q": s.q, "n_v": s.v, "n_u": s.u, "n_lam": s.lam, "n_g": s.g, "n_p": s.p, "n_y": n_y, "n_z": n_z,
            "unit_T": equations.unit_T, "normalizes": equations.normalizes, "C_is_G": equations.C_is_G,
            "iterates_normal": equations.iterates_normal,
            "n_coef": method.coefficients, "n_coef_z": method.algebraic_coefficients, "slice": self.slice,
            "capacity": self.slice, "keep_dense": options.dense, "n_breaks": n_breaks, "restart": 1,
            "n_events": n_events, "n_checks": options.checks, "stopped_by": -1,
            "event_capacity": max(_EVENT_RECORDS, 2 * search.most_events(n_events, options.checks)) if n_events else 1,
            "monitored": options.monitor, "order_used": method.order, "starts_small": method.starts_small,
            "dense_slopes": method.dense_slopes,
            "bare_ends": not (options.ends or options.monitor or n_events or self.exchanges),
            "projects": method.projects, "iterates": method.implicit, "exchanges": self.exchanges,
            # Where something is sampled, runs come back at breaks too.
            "impulsive": bool(set(equations.names["lam"]) & equations.impulsive) or bool(equations.samplers),
            "n_watched": 0 if self.watch is None else len(self.watch.kinds),
            "watch_between": self.watch is not None and self.watch.between,
            "n_step_times": BINS_PER_OCTAVE * OCTAVES if options.realtime > 0.0 else 0,
            "looks_along": self.watch is not None and (self.watch.between or any(method.unseen)),
        }  # fmt: skip
        sizes = {
            "records": self.record_width * self.slice, "points": points * (1 + n_y + n_z),
            "tableau": method.table().size,
            **({"row_vectors": s.lam * s.v, "row_remains": s.lam, "row_best": s.lam} if self.exchanges else {}),
        }  # fmt: skip
        contents: dict[str, Any] = {}
        if options.monitor:
            slots = method.memory.slots
            contents["told_counters"] = [slots[name].place for name in method.memory.own_counters()]
        if self.watch is not None:
            contents |= {"watch_kind": self.watch.kinds, "watch_first": self.watch.first}
            sizes["watch_borders"] = self.watch.borders.size
        plans: dict[str, Plan] = {}
        if "contract" in self.providers:
            plans = self._lay_out_saddle(values, sizes, contents)
        values["fixed_pivots"] = self._fixed_pivots(plans)
        for name, provider in self.providers.items():
            for output, size in zip(OUTPUTS[name], provider.out_sizes, strict=True):
                slot = _slot_of(name, output)
                sizes[slot] = max(sizes.get(slot, 0), size)
        vectors = {"tableau": method.table()}
        providers = dict(self.providers)
        if self.pattern is not None:
            for name in providers.keys() & {"contract", "implicit"}:
                given = providers[name]
                providers[name] = replace(given, patterns={**given.patterns, "estimated": self.pattern})
        more = method.lay_out(equations, providers, options.solver)
        values |= more.values
        contents |= more.contents
        sizes |= more.sizes
        vectors |= more.vectors
        plans |= more.plans
        contents |= {name: plan.ints for name, plan in more.plans.items()}
        if method.newton is not None:
            values["newton_limit"] = method.newton.limit or 7
        memory = lay_out(method.memory, {**values, **own}, contents, sizes)
        first: Any = memory.allocate()
        pointers = self._address(first, plans)
        for name, made in more.kernels.items():
            setattr(first, name, made.address)
        for name, listed in more.addresses.items():
            getattr(first, name)[:] = listed
        if method.newton is not None:
            first.convergence = 1.0
        settings = {
            "h_smallest": np.inf, "direction": 1.0, "t_from": -np.inf, "t_limit": np.inf, "condition": 1.0,
            "margin": 1.0, "margin_old": 1.0, "least_tried": np.inf,
        }  # fmt: skip
        for name, value in settings.items():
            setattr(first, name, value)
        return RunLayout(memory.beginning_with(first, pointers), vectors, plans, more.works, _resting(first))

    def _lay_out_saddle(
        self, values: dict[str, int], sizes: dict[str, int], contents: dict[str, Any]
    ) -> dict[str, Plan]:
        """Plans of the matrix of constrained motion, and of that with C for positions where it is another one."""
        s, patterns = self.equations.sizes, self.providers["contract"].patterns
        M, G, F, C, T = (patterns[key] for key in ("M", "G", "F", "C", "T"))
        values["friction"] = int(len(F.rows) > 0)
        chains = self.equations.auxiliary_chains
        structures = {"": Structure(s.v, s.lam, M, G, F, chains)}
        if not self.equations.C_is_G:
            structures["_C"] = Structure(s.v, s.g, M, C, Entries(*np.zeros((2, 0), dtype=np.int64)), chains)
        plans = {}
        for which, structure in structures.items():
            plan = self.equations.kept(("saddle plan", self.options.solver, which), partial(self._analysed, structure))
            sizes[f"saddle_values{which}"], contents[f"saddle_plan{which}"] = plan.value_size, plan.ints
            plans[f"saddle_plan{which}"] = plan
        for name, pattern in (("T", T), ("G", G), ("F", F)):
            contents[f"{name}_rows"], contents[f"{name}_columns"] = pattern.rows, pattern.columns
        return plans

    def _fixed_pivots(self, plans: Mapping[str, Plan]) -> bool:
        """Whether pivots do not depend on values, in steps of explicit methods that tolerances decide about; on atoms
        only where programs are machine code, which may be called once more.  Implicit methods iterate on residuals."""
        if self.method.steps_alike or self.method.implicit or not self.equations.sizes.lam:
            return False
        if "explicit" in self.providers:
            return type(self.providers["rate"]) is Provider
        return "saddle_plan" in plans and not MODES[plans["saddle_plan"].mode].exchanges

    def _analysed(self, structure: Structure) -> Plan:
        return analyse_saddle(choose_mode(self.options.solver, structure, self.equations.name), *structure)

    def _entries(self) -> dict[str, Provider]:
        """Everything that is called through an entry with a workspace, by the name of its slots."""
        more = {} if self.events is None else {"event": self.events.provider}
        if self.watch is not None:
            more["watch"] = self.watch.provider
        return {**self.providers, **more}

    def _address(self, run: Any, plans: Mapping[str, Plan]) -> dict[int, str]:
        """Fill the table of a run with what all of its kind have in common: kernels and programs. Gives the places that
        point to vectors, inputs and outputs of the programs."""
        method = self.method
        for name in ("begin", "attempt", "accepted", "confirm", "interpolate"):
            made = getattr(method, name)
            setattr(run, f"{name}_kernel", 0 if made is None else made.address)
        formalism = explicit_formalism if "explicit" in self.providers else contract_formalism
        run.rate_kernel, run.project_kernel = formalism.rate.address, formalism.project.address
        if method.implicit or set(self.providers) - _ON_ATOMS:
            # Asking for these imports scipy.linalg, a fifth of a first run; on atoms nothing is left to factorise.
            for name in ("dgetrf", "dgetrs", "zgetrf", "zgetrs"):
                setattr(run, name, lapack(name))
        if self.options.realtime > 0.0:
            for name, place in clock_addresses().items():
                setattr(run, name, place)
        if plans:
            run.saddle[:] = saddle_addresses(*(plan.ints for plan in plans.values()))
        if self.events is not None:
            run.start_signs_kernel, run.find_events_kernel = search.start_signs.address, search.find_events.address
        if self.watch is not None:
            run.look_kernel, run.watch_entry = watch.look.address, self.watch.provider.address
            if self.method.aims:
                run.aim_kernel, run.approach_kernel = aiming.aim.address, aiming.approach.address
        blocks = {"inputs": list(INPUTS), "event_outputs": ["phi"], "watch_outputs": ["watched"]}
        for name, provider in self.providers.items():
            setattr(run, f"{name}_entry", provider.address)
            blocks[f"{name}_outputs"] = [_slot_of(name, output) for output in OUTPUTS[name]]
            if name in FURTHER_INPUTS:
                blocks[f"{name}_inputs"] = [*INPUTS, FURTHER_INPUTS[name]]
        return {run.slots[block].place + k: slot for block, slots in blocks.items() for k, slot in enumerate(slots)}

    def _check_kind(self, name: str, made: Kernel) -> None:
        """A kernel of the method must know its memory."""
        if not issubclass(self.method.memory, made.kind):
            raise SimulationError(
                f"method '{self.method.name}': its {name} works on {made.kind.__name__}, its memory is "
                f"{self.method.memory.__name__}; set memory = {made.kind.__name__}, or take another kernel"
            )

    def _begin(self, parameters: Floats) -> None:
        """What is this run's own: parameters, tolerances, events, workspaces."""
        run, method = self.run, self.method
        for name, work in self._works.items():
            setattr(run, f"{name}_work", address_of(work))
        self._check_kind("controller", method.control)
        run.control_kernel = method.control.address
        if self.events is not None:
            run.event_entry = self.events.provider.address
            run.directions[:], run.stops[:] = self.events.directions, self.events.stops
            run.countdown[:], run.threshold[:] = self.events.countdown, self.events.thresholds
        run.h_next = method.settings.get("h_next", 0.0)
        run.p[:] = parameters
        self._set_constants()

    def _set_constants(self) -> None:
        """Real numbers that follow from the equations, the method and the options, and stay as they are."""
        run, options, method = self.run, self.options, self.method
        for name, values in self._layout.vectors.items():
            getattr(run, name)[:] = values
        run.breaks[:], run.atol[:], run.scale[:] = self.breaks, options.atol, options.scale
        run.judged[:] = 1.0
        run.judged[run.n_q + np.array(self.equations.auxiliary_velocities, dtype=int)] = 0.0
        run.rtol, run.h_max, run.h_min = options.rtol, options.max_step, options.min_step
        run.pace = 0.0 if run.points.size else options.realtime
        run.time_scale, (run.unseen_first, run.unseen_last) = options.time_scale, method.unseen
        if self.watch is not None:
            run.watch_borders[:], run.watch_period[:] = self.watch.borders, self.watch.periods
            run.watch_scale[:] = self.watch.scales
        for name, value in method.settings.items():
            if name != "h_next":
                setattr(run, name, value)
        if method.steps_alike:
            run.h_fixed = method.fixed_size or options.first_step or 0.0
        if isinstance(run, ImplicitMemory):
            self._set_drift()
        if method.newton is not None:
            run.newton_tol = method.newton.tolerance_for(options.rtol, method.iterated, run.h_fixed > 0.0)
            run.keep_rate = method.keep_rate

    def _set_drift(self) -> None:
        """Coordinates drift in the metric of the options, in residuals and in their derivatives by q and μ."""
        run, s = self.run, self.equations.sizes
        run.drift[:] = self.options.drift
        run.drift_apart = int(np.max(run.drift, initial=0.0) > _HIDES)
        T = self.equations.program("contract").patterns["T"]
        run.drift_velocity[T.rows] = T.columns
        here = drifting(s, run.K_rows, run.K_columns)
        run.K_sign[here] *= run.drift[run.K_rows[here]]

    # ------------------------------------------------------------------------------------------------------ running

    def start(self, t: float, y: Floats, t_end: float) -> None:
        """Set the point from which the next slice starts anew."""
        run = self.run
        run.t_now, run.t_end = t, t_end
        run.direction = direction = 1.0 if t_end >= t else -1.0
        run.t_from, run.t_limit = -direction * np.inf, direction * np.inf
        run.y0[:] = y
        run.restart = 1
        if self.options.first_step is not None:
            run.h_next = self.options.first_step

    def guess(self, lam: Floats) -> None:
        """Multipliers that forces which depend on them are first evaluated with."""
        self.run.lam[:] = self.run.z0[self.run.n_v :] = lam

    def find_multipliers(self, t: float, y: Floats) -> None:
        """Such multipliers at a point; laws may have no value without reactions."""
        s = self.equations.sizes
        q, v, u = np.split(y, [s.q, s.q + s.v])
        try:
            point = Evaluation(self.equations, t, q, v, u, np.array(self.run.p))
        except EquationsError:  # the run will say what is wrong
            return
        self.guess(point.lam)

    def advance(self) -> int:
        """One slice; why it ended."""
        return self.call(frame.advance)

    def call(self, made: Kernel) -> int:
        """Let a kernel work on the memory, which is looked at once for all."""
        if self._places is None:
            found = made(self.run)
            self._places = address_of(self.run.table), address_of(self.run.ints), address_of(self.run.reals)
            return found
        return made._start(*self._places)

    def take_records(self) -> Floats:
        """The steps recorded since the last call, one row each."""
        run, width = self.run, self.record_width
        count, run.recorded = run.recorded, 0
        return run.records[: count * width].reshape(count, width).copy()

    def take_events(self) -> Floats:
        """The events recorded since the last call: rows of (number, t, y, z)."""
        count, self.run.events_recorded = self.run.events_recorded, 0
        return np.array(self.run.event_records[: count * self.event_width].reshape(count, self.event_width))

    def raise_pending(self) -> None:
        """Raise what a Python function raised inside a slice."""
        for provider in self._entries().values():
            provider.raise_pending()

    # --------------------------------------------------------------------------------------------------------- state

    @property
    def solver(self) -> str:
        """The mode that accelerations are solved in; nothing on atoms."""
        plan = self._layout.plans.get("saddle_plan")
        return "" if plan is None or "explicit" in self.providers else plan.mode

    @property
    def reusable(self) -> bool:
        """Whether all that a run leaves behind stands in its memory, so that another one may begin in the same; not a
        large one, which is made sooner than cleared."""
        small = self.run.reals.size <= _LARGEST_KEPT
        return small and not self._layout.works and self.pattern is None and self.events is None

    @property
    def forgets(self) -> bool:
        """Whether programs are machine code that finds whatever it needs in the memory."""
        return all(type(provider) is Provider for provider in self._entries().values())

    def snapshot(self) -> list[NDArray[Any]]:
        """The memory as it is, without its buffers."""
        return [np.array(self.run.ints), *(np.array(self.run.reals[part]) for part in self._layout.resting)]

    def set_back(self, snapshot: list[NDArray[Any]]) -> None:
        """The memory as it was, in this run or another one of the same layout."""
        self.run.ints[:] = snapshot[0]
        reals = self.run.reals
        for part, values in zip(self._layout.resting, snapshot[1:], strict=True):
            reals[part] = values

    def remember_beginning(self) -> None:
        """For a run that shall be like this one in all."""
        self._beginning = self.snapshot()

    def _renew_works(self) -> None:
        """Fresh workspaces for programs that remember in them what they have written: it is not there any more."""
        for name, provider in self._entries().items():
            if type(provider) is not Provider:
                work = self._works[name] = provider.workspace()
                setattr(self.run, f"{name}_work", address_of(work))

    def begin_again(self) -> None:
        """As it was at its beginning."""
        self._renew_works()
        self.set_back(self._beginning)

    def begin_anew(self, options: Options, parameters: Floats, breaks: tuple[float, ...]) -> bool:
        """For another run of the same equations and method, with options that leave the layout as it is; False where
        breaks or borders ask for another one."""
        watch, before = self._watched(parameters), self.watch
        alike = watch is before is None or (watch and before and watch.structure == before.structure)
        if not alike or len(breaks) != len(self.breaks):
            return False
        self.options, self.breaks, self.watch = options, breaks, watch
        memory, run = self._layout.memory, self.run
        self._renew_works()
        run.ints[:] = memory.ints
        for part in self._layout.resting:
            run.reals[part] = 0.0
        run.reals[: memory.scalars.size] = memory.scalars
        self._begin(parameters)
        return True

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that the run goes on from; plain arrays."""
        reals = [self.run.reals[part] for part in self._layout.resting]
        return {"ints": np.array(self.run.ints), "reals": np.concatenate(reals)}

    def restore(self, state: Mapping[str, NDArray[Any]], span: tuple[float, float]) -> None:
        """Go on from a stored state of a run with the same equations, method and options.

        Whatever these decide stays as it was laid out here, sizes, places and plans above all: of the stored numbers
        only those are taken that change during a run, each within its bounds.
        """
        given, own, resting = {}, self.state(), self._layout.resting
        for name, array in own.items():
            given[name] = np.asarray(state[name])
            if given[name].shape != array.shape or given[name].dtype != array.dtype:
                raise SimulationError(
                    f"the stored state does not belong to '{self.equations.name}' with method '{self.method.name}' and "
                    f"these options: its {name} have the shape {given[name].shape}, here it is {array.shape}"
                )
        self.run.ints[:] = self._checked_ints(np.array(given["ints"]))
        sizes = [part.stop - part.start for part in resting]
        for part, values in zip(resting, np.split(given["reals"], np.cumsum(sizes)[:-1]), strict=True):
            self.run.reals[part] = values
        self._set_constants()
        self.run.pace_begun = 0  # the clock has gone on meanwhile
        self._check_instants(span)

    def take_over(self, other: LiveRun) -> None:
        """Go on where another run stands, from which this one differs by the pattern of its Jacobian alone."""
        for name, slot in self.run.slots.items():
            if slot.kind in (REAL, INTEGER):
                if slot.kind == REAL or slot.within is not None:
                    setattr(self.run, name, getattr(other.run, name))
            elif slot.kind in (REALS, INTEGERS, COMPLEXES):
                own, given = getattr(self.run, name), getattr(other.run, name)
                changes = slot.kind != INTEGERS or slot.within is not None or name in self._layout.plans
                if changes and own.size == given.size:
                    own[:] = given
        self._set_constants()

    def work(self, name: str) -> Floats:
        """A workspace of the method, outside of the memory."""
        return self._works[name]

    def _checked_ints(self, ints: NDArray[np.int64]) -> NDArray[np.int64]:
        """Stored whole numbers, as far as the run may take them."""
        run = self.run
        least, largest = bounds(run)
        for name, plan in self._layout.plans.items():
            at, own = places_of(run, name), np.array(ints[places_of(run, name)])
            ints[at] = run.ints[at]
            for start, size, low, high in plan.history:
                part = slice(at.start + start, at.start + start + size)
                ints[part], least[part], largest[part] = own[start : start + size], low, high
        for name in ("real_pivots", "complex_pivots") if isinstance(run, ImplicitMemory) else ():
            at = places_of(run, name)
            if not (ints[places_of(run, "have_factors")].all() and run.newton_solver == DENSE):
                ints[at] = run.ints[at]  # there are no factors that they belong to
            elif not all(pivots_fit(part, run.n_x) for part in ints[at].reshape(-1, run.n_x)):
                raise SimulationError(f"the stored state cannot be resumed: its {name} are no pivots")
            least[at] = largest[at] = ints[at]
        wrong = np.flatnonzero((ints < least) | (ints > largest))
        if wrong.size:
            k = wrong[0]
            allowed = f"{least[k]}" if least[k] == largest[k] else f"between {least[k]} and {largest[k]}"
            outside = not self.method.memory.__module__.startswith("dalembert.")
            remedy = " (a slot of your own that changes needs bounds: see integer(…, within))" if outside else ""
            raise SimulationError(
                f"the stored state cannot be resumed: its slot '{name_of_place(run, k)}' has {ints[k]}, which must be "
                f"{allowed} here{remedy}"
            )
        return ints

    def _check_instants(self, span: tuple[float, float]) -> None:
        """Where a restored run stands, within the span and before its next stop."""
        run = self.run
        run.t_end, run.direction = span[1], 1.0 if span[1] >= span[0] else -1.0
        within = min(span) <= run.t_now <= max(span)
        if not (within and np.isfinite(run.y0).all() and np.isfinite(run.p).all()):
            raise SimulationError(
                f"the stored state cannot be resumed: it stands at t = {run.t_now:g}, the span is ({span[0]:g}, "
                f"{span[1]:g}), or its numbers are not finite"
            )
        ahead = [t for t in (*run.breaks[run.next_break : run.next_break + 1], run.t_end) if t == run.t_stop]
        if not run.restart and not (ahead and run.direction * (run.t_stop - run.t_now) > 0.0):
            raise SimulationError(f"the stored state cannot be resumed: it cannot go on to t = {run.t_stop:g}")


def _resting(run: Any) -> tuple[slice, ...]:
    """Parts of the real numbers of a run between its buffers."""
    buffers = sorted((places_of(run, name) for name in _BUFFERS), key=lambda part: part.start)
    ends = [0, *(end for part in buffers if part.stop > part.start for end in (part.start, part.stop))]
    ends.append(run.reals.size)
    return tuple(slice(*pair) for pair in zip(ends[::2], ends[1::2], strict=True))


def _slot_of(program: str, output: str) -> str:
    """The slot that an output of a program is written to."""
    return OUTPUT_SLOTS.get((program, output), output)
