"""Valid calls of simulations, methods and controllers, modes of linear algebra, solutions and reports."""

from __future__ import annotations

from typing import Any

import numpy as np
from fuzz.example_world import Call, World, add, call

import dalembert as da
from dalembert import integrate, linalg, solution

# ------------------------------------------------------------------------------------------------------------ integrate


def _simulate(w: World, k: int) -> Call:
    _, eqs, start = w.case(k)
    if k % 2:
        return call(da.simulate, eqs, (0.0, 0.02), start, method="dopri5", rtol=1e-4, atol=1e-6, t_eval=[0.0, 0.01],
                    events=[da.Event(lambda t, q: q[0] - 100.0)], max_steps=5, dense_output=True)  # fmt: skip
    return call(da.simulate, eqs, (0.0, 0.02), (start.q, start.v), outputs={"x": lambda q: q[0]}, first_step=1e-3,
                max_step=0.01, min_step=0.0, constraints=list(eqs.names["lam"][:1]), max_steps=5, event_checks=3,
                parameters={}, formalism="contract", solver="auto", redundant="accept",
                progress=lambda t, statistics: None, monitor=lambda record: None)  # fmt: skip


add("simulate", _simulate, _simulate, _simulate)
add("resume", lambda w, k: call(
    da.resume, w.run, w.equations["relative"], events=[lambda t, q: q[0] - 10.0], max_steps=2,
    outputs={"x": lambda q: q[0]}, progress=lambda t, statistics: None, journal=w.folder / "resumed.nc",
    force=False))  # fmt: skip


def _moved(w: World, **options: Any) -> Any:
    return da.simulate(w.equations["traced"], (0.0, 0.05), w.starts["traced"], max_steps=4, **options)


add("Event", lambda w, k: Call(
    da.Event, (lambda t, q: q[1] + 1e-3,), {"direction": 0, "terminal": False, "threshold": 0.0, "name": "low",
                                             "action": lambda t, q, v: da.Change(v=v)},
    lambda event: _moved(w, events=[event])))  # fmt: skip
add("Event.of", lambda w, k: call(da.Event.of, lambda t, q: q[1], 0))
add("Change", lambda w, k: Call(
    da.Change, (), {"q": [1.0, 0.0], "v": [0.0, 0.0], "parameters": {"m": 2.0}, "constraints": [0], "terminate": False},
    lambda change: _moved(w, events=[da.Event(lambda t, q: q[1] + 1e-3, action=lambda: change)])))  # fmt: skip
_NEWMARK = {"beta": 0.25, "gamma": 0.5, "rho": 0.9, "alpha": None, "estimate": "euler", "iteration": None}
_CHART = {"chart": "tangent", "jacobian": "auto", "errors": "all", "partition_limit": 1.25, "controller": None}
_METHODS: dict[str, dict[str, Any]] = {
    "Adams": {"max_order": 8, "stabilisation": None, "controller": None},
    "Bdf": {"max_order": 4, "min_order": None, "starter": True, "jacobian": "auto", "keep": 0.5, "grow": 1.5,
            "rows": "residual", "constraints": "ggl", "velocities": True,
            "iteration": integrate.Newton(limit=8), "controller": None},
    "ChartBdf": {"max_order": 4, "min_order": None, "keep": 0.2, "grow": 1.5, "chart": "partition", "errors": "all",
                 "partition_limit": 1.25, "jacobian": "exact", "threads": 1, "keeps": True,
                 "iteration": integrate.Newton(limit=4), "controller": None},
    "ChartRungeKutta": {"formula": "dopri5", "recovered": 1e-3, "chart": "tangent", "errors": "all",
                        "partition_limit": 1.25, "controller": None},
    "Dop853": {"controller": integrate.Elementary(), "stabilisation": integrate.Baumgarte(5.0)},
    "Dopri5": {"controller": integrate.ProportionalIntegral()},
    "ExplicitEuler": {"step": 1e-3},
    "Imex": {"step": 1e-3, "update": "symplectic", "tolerance": 1e-7, "iterations": 5, "partition": "every step"},
    "LinearlyImplicitEuler": {"step": 1e-3},
    "LinearlyImplicitTrapezoidal": {"controller": integrate.FixedStep(size=1e-3)},
    "HalfExplicit": {"controller": integrate.Elementary()},
    "Mexx": {"max_order": 8, "max_dense_order": 4, "discretization": "auto"},
    "Sdirk": {"formula": "4/15", "filtered": True, "iteration": integrate.Newton(limit=8), **_CHART},
    "Rosenbrock": {"formula": "thesis", "filtered": False, **_CHART},
    "Newmark": {**_NEWMARK, **_CHART},
    "Descriptor": {"formula": "4/16", "iteration": integrate.Newton(limit=8), **_CHART},
    "Radau": {"stages": 3, "jacobian": "auto", "iteration": integrate.Newton(limit=8), "controller": None},
}  # fmt: skip
for _name, _options in _METHODS.items():
    add(_name, (lambda kind, options: lambda w, k: Call(
        kind, (), dict(options), lambda it: _moved(w, method=it)))(getattr(integrate, _name), _options))  # fmt: skip
add("Baumgarte", lambda w, k: Call(
    integrate.Baumgarte, (5.0, 7.0), {}, lambda it: _moved(w, method=da.Dopri5(stabilisation=it))))  # fmt: skip
add("Jacobian", lambda w, k: Call(
    da.Jacobian, ("differences", "estimated"), {"update": "extended", "known_columns": True, "excitations": None},
    lambda it: _moved(w, method=da.Radau(jacobian=it))))  # fmt: skip
add("Newton", lambda w, k: Call(integrate.Newton, (7, 1e-3), {}, lambda it: _moved(w, method=da.Radau(iteration=it))))


def _controlled(kind: type) -> Any:
    return da.Radau if kind is da.Gustafsson else da.Dopri5


_CONTROLLERS = {"Elementary": {}, "Gustafsson": {}, "ProportionalIntegral": {"beta": 0.04}, "FixedStep": {"size": 1e-3}}
for _name, _more in _CONTROLLERS.items():
    _sizes = {} if _name == "FixedStep" else {"safety": 0.9, "shrink": 0.2, "grow": 5.0}
    add(_name, (lambda kind, options: lambda w, k: Call(
        kind, (), dict(options), lambda it: _moved(w, method=_controlled(kind)(controller=it))))(
            getattr(integrate, _name), {**_sizes, **_more}))  # fmt: skip
add("draw", lambda w, k: call(da.draw, w.run, w.equations["relative"], 10))
add("methods", lambda w, k: call(da.methods))
add("Method.stored", lambda w, k: call(da.Radau().stored))
add("Method.restored", lambda w, k: Call(da.Method.restored, (da.Mexx(max_order=8).stored(),), {}, repr))

# --------------------------------------------------------------------------------------------------------------- linalg


def _mode(w: World, k: int) -> Call:
    from dalembert.linalg.saddle import MODES

    MODES.pop("own mode", None)
    return Call(linalg.add_mode, ("own mode", MODES["dense"]), {}, lambda result: _moved(w, solver="own mode"))


add("linalg.add_mode", _mode)

# -------------------------------------------------------------------------------------------------- solution and report


def _looked_at(run: Any) -> Any:
    return repr(run), run.t_events, run.nfev


_ROW = np.ones((1, 3))
add("Solution", lambda w, k: Call(
    solution.Solution, (np.arange(3.0), _ROW, _ROW, _ROW, np.ones((0, 3)), np.ones((0, 3))),
    {"names": {"q": ("x",)}, "units": {"x": "m"}, "message": "done", "title": "one"}, _looked_at))  # fmt: skip
add("Solution.__getitem__", lambda w, k: call(w.run.__getitem__, "pin.angle"))
add("Solution.state", lambda w, k: call(w.run.state, -1), lambda w, k: call(w.run.state, t=1e-4))
add("Solution.to_pandas", lambda w, k: call(w.run.to_pandas, "pin.angle"))
add("Solution.to_xarray", lambda w, k: call(w.run.to_xarray, "pin.angle"))
add("Solution.to_csv", lambda w, k: call(w.run.to_csv, w.folder / "run.csv", "pin.angle"))
add("MotionPoint.__getitem__", lambda w, k: call(w.run.sol(1e-4).__getitem__, "pin.angle"))
add("Solution.curves", lambda w, k: call(w.run.curves, "pin.angle", "slide.displacement"))
add("Solution.save", lambda w, k: call(w.run.save, w.folder / f"saved{k % 5}"))
add("load", lambda w, k: call(da.load, w.stored))
add("Journal", lambda w, k: Call(
    da.Journal, (w.folder / "run.nc",), {"about": {"model": "x"}, "sync": 5.0, "replace": True},
    lambda journal: _moved(w, journal=journal)))  # fmt: skip
add("Journal.complete", lambda w, k: call(da.Journal(w.folder / "run.nc").complete, w.run))
add("report", lambda w, k: call(da.report, w.run, w.folder / "page.html"))
add("export_c", lambda w, k: call(
    da.export_c, w.without_stops, da.Dopri5(controller=da.FixedStep(size=1e-3)), w.folder / "c", name="sim",
    start=w.without_stops.assemble({"pin.angle": 0.3}), t=0.0, parameters={"k": 2.0}, inputs=["k"],
    outputs=["pin.angle"], units={"pin.angle": "rad"}))  # fmt: skip
add("Mechanism.with_inputs_as_parameters", lambda w, k: call(
    w.equations["relative"].with_inputs_as_parameters, [], 0.0))  # fmt: skip
add("DenseOutput", lambda w, k: Call(
    solution.DenseOutput, ([0.0, 1.0, 2.0], np.ones((2, 3, 2)), {"n_q": 1, "n_v": 1, "n_u": 0, "n_lam": 0}),
    {"algebraic": np.ones((2, 3, 1))}, lambda dense: dense(0.5)))  # fmt: skip
add("DenseOutput.__call__", lambda w, k: call(w.dense, [0.1, 1.5]), lambda w, k: call(w.run.sol, 1e-4))
add("DenseOutput.locate", lambda w, k: call(w.dense.locate, np.array([0.1, 1.5])))
add("DenseOutput.with_algebraic", lambda w, k: call(w.run.sol.with_algebraic))
add("Curves", lambda w, k: Call(solution.Curves, (w.dense, ["x", "v"], [0, 1]), {}, lambda curves: curves(0.5)))
add("Curves.__call__", lambda w, k: call(w.curves, [1e-4, 2e-4]))
add("Sketch", lambda w, k: call(solution.Sketch, [0.0, 1.0], {"rod": np.ones((2, 3, 2))}))
add("Checkpoint", lambda w, k: call(solution.Checkpoint, {"x": np.ones(2)}, {"a": 1}))
add("EventRecord", lambda w, k: call(solution.EventRecord, 0, "hit", 1.0, *[np.ones(1)] * 5))
add("MotionPoint", lambda w, k: call(solution.MotionPoint, 1.0, *[np.ones(1)] * 5))
add("Statistics", lambda w, k: Call(solution.Statistics, (1, 2), {"extra": {"a": 1}}, lambda it: it.as_dict()))
add("Statistics.as_dict", lambda w, k: call(solution.Statistics().as_dict))
