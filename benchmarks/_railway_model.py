"""The locomotive FEVE 3000 as a model: sizes, operations beside Table 2 of the railway paper, both forms of its
contacts, equilibrium; and wheelsets that hunt."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from _common import Reporter
from dalembert.problems.mechanisms import wheelsets
from dalembert.problems.mechanisms.locomotive import locomotive
from dalembert.symbolic import array, compile, jacobian

#: operations of Table 2 of the paper; functions of which ours, with cant and orthonormal axes, may be dearer
PAPER = {
    "M": 10910, "f": 19015, "phi_n": 1709, "phi_d": 2150, "phi_n_q": 4116, "phi_d_q": 6574, "phi_d_s": 8437,
    "gamma": 25870,
}  # fmt: skip
DEARER = ("phi_n", "phi_d")
WEIGHT = 34250.68 * 9.8


def tables(report: Reporter) -> None:
    """All of them."""
    began = time.perf_counter()
    example = locomotive("S0", irregular=False, lateral=0.0, speed=0.0, torque=0.0)
    equations = example.model.equations()
    start = example.assemble(equations)
    case = "locomotive"
    report.add(case=case, quantity="build, compile, assemble", unit="s", ours=time.perf_counter() - began, limit=10.0)
    _operations(report, equations)
    _equilibrium(report, equations, start)
    _forms(report)
    _critical(report)


def _operations(report: Reporter, equations: Any) -> None:
    """Operations of the functions of one step, each by itself."""
    x = equations.innermost.expressions
    q, n = x.inputs["q"], len(x.inputs["v"])
    functions = {
        "M": x.M, "f": x.f, "phi_n": x.g, "phi_d": [one for block in x.auxiliary for one in block.equations],
        "phi_n_q": x.G, "phi_d_q": [jacobian(block.equations, q[:n]) for block in x.auxiliary],
        "phi_d_s": [block.matrix(q) for block in x.auxiliary], "gamma": x.gamma,
    }  # fmt: skip
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam")}
    for name, value in functions.items():
        count = compile({name: array(value)}, inputs, name="counted").statistics.operations
        limit = {} if name in DEARER else {"limit": PAPER[name]}
        report.add(case="Table 2", quantity=name, unit="operations", ours=count, paper=PAPER[name], **limit)


def _equilibrium(report: Reporter, equations: Any, start: Any) -> None:
    found = equations.equilibrium(start.q, held=["vehicle.x"])
    loads = [float(equations.evaluate_quantity(one.wheel_force, found)) for one in equations.layout.with_auxiliary]
    off = abs(sum(loads) / WEIGHT - 1.0)
    report.add(case="equilibrium", quantity="sum of Q beside the weight", unit="1", ours=off, limit=1e-9)
    for element, N in zip(equations.layout.with_auxiliary, found.lam, strict=True):
        report.add(case="equilibrium", quantity=f"N of {element.name}", unit="kN", ours=1e-3 * float(N))


def _forms(report: Reporter) -> None:
    """Accelerations and loads of the embedded and the augmented form at random consistent states of a wheelset."""
    model = wheelsets.wheelset(10.0, law="polach").model
    embedded, augmented = model.equations(), model.equations(auxiliary="augmented")
    own = [augmented.index("v", name) for name in embedded.names["v"]]
    others = [k for k in range(augmented.sizes.v) if k not in own]
    rng, worst = np.random.default_rng(0), np.zeros(3)
    for _ in range(100):
        y, yaw = 3e-3 * rng.uniform(-1, 1, 2)
        state = embedded.assemble({"axle guide.y": y, "axle guide.yaw": yaw})
        v = np.zeros(augmented.sizes.v)
        v[own], v[others] = state.v, (embedded.evaluate("T", q=state.q) @ state.v)[-8:]
        a, lam = augmented.forward_dynamics(state.q, v)
        found = (
            np.abs(a[own] - state.a).max() / np.abs(state.a).max(), np.abs(lam[:2] / state.lam - 1.0).max(),
            np.abs(lam[2:]).max() / np.abs(lam[:2]).max(),
        )  # fmt: skip
        worst = np.maximum(worst, found)
    for quantity, value in zip(("accelerations", "N", "multipliers of s beside N"), worst, strict=True):
        report.add(case="embedded and augmented", quantity=quantity, unit="1", ours=float(value), limit=1e-9)


def _critical(report: Reporter) -> None:
    for profiles, low, high in (("cone", 40.0, 100.0), ("s1002", 30.0, 80.0)):
        example = wheelsets.wheelset(30.0, profiles, lateral=0.0)
        equations = example.model.equations()
        speed = wheelsets.critical_speed(equations, example.assemble(equations), low, high)
        report.add(case="critical speed, linear", quantity=profiles, unit="m/s", ours=speed)
