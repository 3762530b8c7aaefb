"""What a locomotive and a wheelset must do whatever method moves them: stand still, roll in Klingel's wave, hunt above
a critical speed, mirror each other, and spend on creep and dampers what the motors give.

Also forms of the same equations beside each other: surface parameters embedded and augmented, (37) of the railway paper
solved in three ways.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter
from dalembert.equations.contract.implicit_explicit import imex
from dalembert.integrate.methods.fixed_step import FixedStepMethod
from dalembert.integrate.methods.registry import METHODS
from dalembert.model.rails.wheel_rail import WheelRail
from dalembert.problems.mechanisms import wheelsets
from dalembert.problems.mechanisms.locomotive import locomotive
from dalembert.symbolic import array, compile, directional_derivative, jacobian, substitute, time_derivative

STEP = 1e-3
#: random consistent states at which forms are compared
STATES = 100
#: s, m/s or rad/s: of the motion that these are taken from; how far their velocities are from those there, at most
SAMPLED, SPED = 1.0, 0.05
#: methods that are tried on the locomotive, all with error control, and for how many seconds
CONTROLLED = [name for name, method in METHODS.items() if not isinstance(method, FixedStepMethod)]
METHODS_SPAN = 0.1
#: s: span of the balance of energy on S2
BALANCED = 20.0


def tables(report: Reporter, quick: bool = False) -> None:
    """All of them."""
    example = locomotive("S0", irregular=False)
    states = 5 if quick else STATES
    _forms(report, "wheelset", wheelsets.wheelset(10.0, law="polach"), states)
    _forms(report, "locomotive", example, states)
    _step_forms(report, locomotive("S0"), states)
    _rest(report)
    _klingel(report)
    _mirrored(report)
    _critical(report)
    if not quick:
        _energy(report)


def methods(report: Reporter, quick: bool = False) -> None:
    """The locomotive on worn wheels, with error control, in both forms, beside Radau's method at a tight tolerance."""
    example = locomotive("S0")
    forms = {kind: example.model.equations(auxiliary=kind) for kind in ("embedded", "augmented")}
    starts = {kind: example.assemble(equations) for kind, equations in forms.items()}
    own = forms["embedded"].names["q"]

    def ends(kind: str, method: str, rtol: float) -> tuple[Any, Any]:
        equations = forms[kind]
        span = (0.0, METHODS_SPAN)
        run = da.simulate(equations, span, starts[kind], method=method, rtol=rtol, dense_output=True)
        if not run.success:
            return run, None
        between = run.sol(0.37 * METHODS_SPAN)
        places = [equations.index("q", name) for name in own]
        return run, np.array([run.q[places, -1], between.q[places]])

    _, exact = ends("embedded", "radau", 1e-9)
    for method in ["radau"] if quick else CONTROLLED:
        for kind in forms:
            run, found = ends(kind, method, 1e-6)
            case = f"S0, {method}, {kind}, {METHODS_SPAN:g} s at 1e-6"
            report.add(case=case, quantity="reached", unit="s", ours=run.t[-1], limit=METHODS_SPAN, bound="at least")
            report.add(case=case, quantity="steps", unit="1", ours=run.statistics.steps)
            for k, where in enumerate(("the end", "0.37 of it")):
                quantity, unit = f"error of q at {where}", "m or rad"
                if found is None:
                    report.failed(case=case, quantity=quantity)
                    continue
                off = float(np.abs(found[k] - exact[k]).max())
                report.add(case=case, quantity=quantity, unit=unit, ours=off, limit=1e-4)


# ---------------------------------------------------------------------------------------------- forms of the equations


def random_states(equations: Any, start: da.State, count: int) -> list[da.State]:
    """Consistent states: places of a motion, with velocities that differ from those there."""
    run = da.simulate(equations, (0.0, SAMPLED), start, method=da.Imex(step=STEP), dense_output=False)
    rng = np.random.default_rng(0)
    places = rng.integers(0, len(run.t), count)
    moved = SPED * rng.uniform(-1, 1, (count, len(start.v)))
    return [equations.assemble(run.q[:, k], run.v[:, k] + by) for k, by in zip(places, moved, strict=True)]


def _forms(report: Reporter, name: str, example: Any, count: int) -> None:
    """(14) and (15) of the railway paper, and both forms of γⁿ."""
    model = example.model
    embedded, augmented = model.equations(), model.equations(auxiliary="augmented")
    own = [augmented.index("v", one) for one in embedded.names["v"]]
    others = [k for k in range(augmented.sizes.v) if k not in own]
    n, second = embedded.sizes.lam, _second_road(embedded)
    worst: dict[str, float] = {}
    for state in random_states(embedded, example.assemble(embedded), count):
        v = np.zeros(augmented.sizes.v)
        v[own], v[others] = state.v, (embedded.evaluate("T", q=state.q) @ state.v)[-len(others) :]
        a, lam = augmented.forward_dynamics(state.q, v)
        at = second(embedded.parameter_vector(), [0.0], state.q, state.v, state.u, state.lam)
        found = {
            "accelerations": np.abs(a[own] - state.a).max() / np.abs(state.a).max(),
            "N": np.abs(lam[:n] / state.lam - 1.0).max(),
            "multipliers of s beside N": np.abs(lam[n:]).max() / np.abs(lam[:n]).max(),
            "derivative of the gap by s": np.abs(at["by_s"]).max(),
            "both forms of gamma": (np.abs(at["twice"] - at["once"]) / (1.0 + np.abs(at["once"]))).max(),
        }
        worst = {key: max(worst.get(key, 0.0), float(value)) for key, value in found.items()}
    for quantity, value in worst.items():
        bar = 1e-9 if quantity in ("accelerations", "N", "multipliers of s beside N") else 1e-10
        report.add(case=f"embedded and augmented, {name}", quantity=quantity, unit="1", ours=value, limit=bar)


def _second_road(equations: Any) -> Any:
    """φⁿ differentiated by s, and twice by time with accelerations of zero; and n·v differentiated once."""
    scene, x = equations.scene, equations.innermost.expressions
    still = dict.fromkeys(scene.inputs["a"], 0.0)
    by_s, twice = [], []
    for element in equations.layout.with_auxiliary:
        site = scene.site(element)
        (row,) = element.constraints(site)
        by_s += list(jacobian(array([row.value]), array(site.s)).flat)
        twice.append(time_derivative(time_derivative(row.value)))
    outputs = {"by_s": array(by_s), "twice": array(substitute(array(twice), still)), "once": array(-x.gamma)}
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam")}
    return compile(outputs, inputs, name="second road")


def _step_forms(report: Reporter, example: Any, count: int) -> None:
    """(37): on atoms beside a dense solution with pivots; partitions kept and chosen in every step."""
    equations = example.model.equations()
    start = example.assemble(equations)
    x = equations.innermost.expressions
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam")} | {"step": x.step}
    outputs = {"K": array(x.M + x.step[0] * x.viscosity), "G": x.G, "f": x.f, "gamma": x.gamma}
    parts, solved = compile(outputs, inputs, name="parts of a step"), _solved(x, inputs)
    worst = dict.fromkeys(("atoms", "kept", "every step"), 0.0)
    n, m = equations.sizes.v, equations.sizes.lam
    kept = None
    for state in random_states(equations, start, count):
        point = (equations.parameter_vector(), [0.0], state.q, state.v, state.u, state.lam, [STEP])
        at = parts(*point)
        matrix = np.block([[at["K"], at["G"].T], [at["G"], np.zeros((m, m))]])
        expected = np.linalg.solve(matrix, np.concatenate([at["f"], at["gamma"]]))
        found, chosen = solved(*point), _dependent(at["G"])
        kept = chosen if kept is None else kept
        others = {
            "atoms": np.concatenate([found["a"], found["lam"]]), "kept": _condensed(at, kept),
            "every step": _condensed(at, chosen),
        }  # fmt: skip
        for name, ours in others.items():
            for part in (slice(0, n), slice(n, None)):
                off = np.abs(ours[part] - expected[part]).max() / np.abs(expected[part]).max()
                worst[name] = max(worst[name], float(off))
    case = "step (37), locomotive, beside a dense solution"
    report.add(case=case, quantity="eliminated on atoms", unit="1", ours=worst["atoms"], limit=1e-9)
    for name in ("kept", "every step"):
        report.add(case=case, quantity=f"condensed, partition: {name}", unit="1", ours=worst[name], limit=1e-9)


def _dependent(G: Any) -> Any:
    """Columns of dependent velocities, by full pivoting."""
    rest, columns = G.copy(), []
    for _ in range(len(G)):
        i, j = np.unravel_index(np.abs(rest).argmax(), rest.shape)
        columns.append(int(j))
        row = rest[i].copy()
        rest -= np.outer(rest[:, j] / row[j], row)
        rest[i] = 0.0
    return np.array(sorted(columns))


def _condensed(at: Any, d: Any) -> Any:
    """a and λ of (37) by independent accelerations: with A = −φ_d⁻¹φ_i, b = φ_d⁻¹γ,
    (K_ii + K_id A + Aᵀ K_di + Aᵀ K_dd A) a_i = f_i + Aᵀ f_d − (K_id + Aᵀ K_dd) b."""
    K, G, f, gamma = at["K"], at["G"], at["f"], at["gamma"]
    i = np.setdiff1d(np.arange(len(f)), d)
    A, b = -np.linalg.solve(G[:, d], G[:, i]), np.linalg.solve(G[:, d], gamma)
    left = K[np.ix_(i, i)] + K[np.ix_(i, d)] @ A + A.T @ K[np.ix_(d, i)] + A.T @ K[np.ix_(d, d)] @ A
    right = f[i] + A.T @ f[d] - (K[np.ix_(i, d)] + A.T @ K[np.ix_(d, d)]) @ b
    a = np.zeros(len(f))
    a[i] = np.linalg.solve(left, right)
    a[d] = A @ a[i] + b
    return np.concatenate([a, np.linalg.solve(G[:, d].T, f[d] - K[d] @ a)])


def _solved(x: Any, inputs: Any) -> Any:
    """The program of the step itself."""
    outputs = imex(x)
    return compile({"a": outputs["a"], "lam": outputs["lam"]}, inputs, name="a step")


# ------------------------------------------------------------------------------------------------------------- rest


def _rest(report: Reporter) -> None:
    """The locomotive at rest, in equilibrium."""
    example = locomotive("S0", irregular=False, lateral=0.0, speed=0.0, torque=0.0)
    equations = example.model.equations()
    found = equations.equilibrium(example.assemble(equations).q, held=["vehicle.x"])
    run = da.simulate(equations, (0, 1), found, method=da.Imex(step=STEP), dense_output=False)
    n = equations.sizes.v
    off = float(np.abs(run.q[:n] - run.q[:n, :1]).max())
    report.add(case="equilibrium", quantity="drift in 1 s at rest", unit="m or rad", ours=off, limit=1e-9)


# ---------------------------------------------------------------------------------------------------------- hunting


def _klingel(report: Reporter) -> None:
    """The wave of a free wheelset at low speed."""
    example = wheelsets.wheelset(2.0, springs=0.0, lateral=0.002)
    equations = example.model.equations()
    start = example.assemble(equations)
    u = 0.5 * (start.q[equations.index("q", "axle right.u")] - start.q[equations.index("q", "axle left.u")])
    theirs = wheelsets.klingel(wheelsets.RADIUS, 0.75 - u, wheelsets.CONICITY)
    run = da.simulate(equations, (0, 16), start, method="bdf", rtol=1e-6, atol=1e-8)
    x, y = run.q[equations.index("q", "axle guide.x")], run.q[equations.index("q", "axle guide.y")]
    k = np.flatnonzero(y[1:] * y[:-1] < 0)
    crossed = x[k] - y[k] * (x[k + 1] - x[k]) / (y[k + 1] - y[k])
    ours = float(crossed[2] - crossed[0])
    case = "wave of a coned wheelset at 2 m/s"
    report.add(case=case, quantity="length", unit="m", ours=ours, baseline="Klingel", theirs=theirs)
    off = abs(ours / theirs - 1.0)
    report.add(case=case, quantity="length, off by", unit="%", ours=100.0 * off, limit=2.0)


def _mirrored(report: Reporter) -> None:
    """A wheelset that runs backwards moves as the mirror image of one that runs forwards."""
    runs = []
    for sign in (1.0, -1.0):
        equations = wheelsets.wheelset(sign * 15.0, law="polach").model.equations()
        start = equations.assemble({"axle guide.y": 2e-3, "axle guide.yaw": sign * 1e-3, "axle guide.y.rate": 0.02})
        run = da.simulate(equations, (0, 2), start, method=da.Imex(step=STEP), dense_output=False)
        at = {name: run.q[k] for k, name in enumerate(equations.names["q"])}
        runs.append(np.array([at["axle guide.y"], sign * at["axle guide.yaw"], at["axle guide.roll"]]))
    off = np.abs(runs[0] - runs[1]).max() / np.abs(runs[0]).max()
    report.add(case="wheelset at ±15 m/s, 2 s", quantity="mirrored", unit="1", ours=float(off), limit=1e-9)


def _critical(report: Reporter) -> None:
    """The speed at which hunting begins: eigenvalues, simulated with error control, and imex for Δ → 0."""
    for profiles, low, high in (("cone", 40.0, 100.0), ("s1002", 30.0, 80.0)):
        example = wheelsets.wheelset(30.0, profiles, lateral=0.0, distance=900.0)
        equations = example.model.equations()
        standing = example.assemble(equations)
        linear = wheelsets.critical_speed(equations, standing, low, high)
        case = f"critical speed, {profiles}"
        report.add(case=case, quantity="linearised", unit="m/s", ours=linear)
        speeds = linear * np.array([0.98, 1.02])

        def simulated(method: Any, **options: Any) -> float:
            rates = [_growth(equations, standing, V, method, **options) for V in speeds]
            return float(speeds[0] - rates[0] * (speeds[1] - speeds[0]) / (rates[1] - rates[0]))

        by_error = simulated("bdf", rtol=1e-8, atol=1e-12)
        coarse, fine = (simulated(da.Imex(step=step, update="symplectic")) for step in (5e-4, 2.5e-4))
        values = {
            "simulated, bdf": by_error, "simulated, imex 0.5 ms": coarse, "simulated, imex 0.25 ms": fine,
            "simulated, imex for steps to 0": 2.0 * fine - coarse,
        }  # fmt: skip
        for name, value in values.items():
            report.add(case=case, quantity=name, unit="m/s", ours=value)
            if name.endswith(("bdf", "to 0")):
                off = 100.0 * abs(value / linear - 1.0)
                report.add(case=case, quantity=f"{name}, off by", unit="%", ours=off, limit=2.0)


def _growth(equations: Any, standing: da.State, speed: float, method: Any, **options: Any) -> float:
    """The rate at which a small displacement grows, 1/s, of maxima between 1 and 3 s and after 6 s."""
    y = equations.index("q", "axle guide.y")
    q, v = wheelsets.running(equations, standing, speed)
    start = equations.assemble(q + 1e-5 * np.eye(len(q))[y], v)
    run = da.simulate(equations, (0, 8), start, method=method, dense_output=True, **options)
    t = np.linspace(0, 8, 3201)
    moved = np.abs(run.sol(t).q[y])
    return float(np.log(moved[t > 6].max() / moved[(t > 1) & (t < 3)].max())) / 5.0


# ----------------------------------------------------------------------------------------------------------- energy


def _energy(report: Reporter) -> None:
    """Work of the motors beside the change of energy and what creep, dampers and gears take, on S2."""
    example = locomotive("S2", unilateral=False, ranged=False)
    equations = example.model.equations()
    start = example.assemble(equations)
    powers = _powers(equations)
    shares = {}
    for step in (2e-3, 1e-3, 5e-4):
        run = da.simulate(equations, (0, BALANCED), start, method=da.Imex(step=step), dense_output=False)
        values = [
            powers(equations.parameter_vector(), [t], q, v, u, lam)
            for t, q, v, u, lam in zip(run.t, run.q.T, run.v.T, run.u.T, run.lam.T, strict=True)
        ]
        work = {
            key: float(np.trapezoid([float(one[key]) for one in values], run.t)) for key in values[0] if key != "energy"
        }
        gained = float(values[-1]["energy"] - values[0]["energy"])
        left = work["motors"] + work["creep"] + work["dampers"] - gained
        spent = work["motors"]
        shares[step] = abs(left) / spent
        case = f"energy, S2, imex, {1e3 * step:g} ms, {BALANCED:g} s"
        for key, value in (*work.items(), ("change of energy", gained), ("left over", left)):
            report.add(case=case, quantity=key, unit="kJ", ours=1e-3 * value)
        bar = {"limit": 1.0} if step == STEP else {}
        report.add(case=case, quantity="left over / work of the motors", unit="%", ours=100.0 * shares[step], **bar)
    for step in (1e-3, 5e-4):
        report.add(
            case="energy, S2, imex", quantity=f"left over at {1e3 * step:g} ms / at twice the step", unit="1",
            ours=shares[step] / shares[2.0 * step],
        )  # fmt: skip


def _powers(equations: Any) -> Any:
    """Energy of bodies and springs, and the powers of all else, by what it is."""
    scene, x = equations.scene, equations.innermost.expressions
    v = x.inputs["v"]
    totals = {"motors": 0.0, "creep": 0.0, "dampers": 0.0}
    for element in equations.layout.elements:
        site = scene.site(element)
        if not (pairs := element.powers(site)):
            continue
        power = (scene.generalised(pairs) * v).sum()
        stored = element.potential(site)
        if not (isinstance(stored, (int, float)) and stored == 0):
            power = power + directional_derivative(stored, x.inputs["q"], x.q_rate)
        kind = "creep" if isinstance(element, WheelRail) else "motors" if element.name.endswith(" drive") else "dampers"
        totals[kind] = totals[kind] + power
    outputs = {"energy": scene.kinetic_energy() + scene.potential_energy(), **totals}
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam")}
    return compile(outputs, inputs, name="powers")
