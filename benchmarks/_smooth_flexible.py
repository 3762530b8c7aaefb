"""Flexible bodies in models: the published crank, beams, rotating and spun-up cantilevers, invariance."""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da
from _common import Reporter
from dalembert.elastic import STEEL, Beam, Flexibility, Material, Reference, Section, beam_elements
from dalembert.problems import mechanisms

EXACT = {"method": "dop853", "rtol": 1e-13, "atol": 1e-16}
#: ends of runs at t = 0.1 s as they are printed, φ2, x3, q1 to q4: the published one of the Test Set for IVP Solvers
#: (smooth, linear; to the digits in which it was recomputed), and others of the same crank
PRINTED = {
    ("rigid", "linear"): "-0.33117900604 0.16973225167 -1.4172368e-4 2.16252968e-5 -7.9347120e-6 -1.31681873e-5",
    ("smooth", "linear"): "-0.3311734988256 0.1697373328428 1.893192899614e-4 2.375751249879e-5 -5.323896770570e-6 "
    "-8.363313279112e-6",
    ("smooth", "nonlinear"): "-0.33117388 0.16973697 -1.180767e-4 2.365146e-5 -5.475026e-6 -8.702537e-6",
    ("rigid", "nonlinear"): "-0.33118405198 0.16972759642 1.01988277e-4 1.50538698e-5 -1.13160771e-5 -1.75704644e-5",
}
#: hub radius 0, η: flap, lag
ROTATING = {0.0: (3.5160, 3.5160), 1.0: (3.6816, 3.5432), 2.0: (4.1373, None), 4.0: (5.5850, 3.8977)}


def _modes(run: Any) -> np.ndarray:
    return np.array([run[f"rod.q{k}"] for k in range(1, 5)])


def crank(report: Reporter) -> None:
    """A10: the crank from bodies and joints beside that written by hand, over 0.1 s."""
    t = np.linspace(0.0, 0.1, 201)
    problem = da.problems.slider_crank(start="rigid")
    hand = da.simulate(problem.equations, (0, 0.1), problem.start, t_eval=t, **EXACT)
    size = np.abs(hand.q[3:]).max(axis=1)
    for coordinates, builder in (
        ("relative", "symbolic"), ("relative", "recursion"), ("absolute", "symbolic"), ("absolute", "elements")
    ):  # fmt: skip
        example = mechanisms.flexible_slider_crank()
        equations = example.model.equations(coordinates, builder=builder)
        run = da.simulate(equations, (0, 0.1), example.assemble(equations), t_eval=t, **EXACT)
        case = f"A10 crank as a model, {coordinates}, {builder}"
        far = np.abs(_modes(run) - hand.q[3:]).max(axis=1) / size
        report.add(case=case, quantity="q from that by hand, relative to the largest", unit="1", ours=far.max(),
                   limit=1e-10)  # fmt: skip
        moment = np.abs(run["motor.force"] + hand.lam[2]).max() / np.abs(hand.lam[2]).max()
        report.add(case=case, quantity="moment of the drive, relative", unit="1", ours=moment, limit=1e-10)


def published(report: Reporter) -> None:
    """A20: the ends of the published and the recomputed runs, smooth and rigid, linear and nonlinear."""
    for (start, stiffness), wanted in PRINTED.items():
        problem = da.problems.slider_crank(start=start, stiffness=stiffness)
        example = mechanisms.flexible_slider_crank(nonlinear=stiffness == "nonlinear")
        equations = example.model.equations()
        run = da.simulate(equations, (0, 0.1), _start_of(equations, problem), t_eval=[0.0, 0.1], **EXACT)
        found = [run["rod angle"][-1], run["place.x"][-1], *_modes(run)[:, -1]]
        off = [abs(ours - float(one)) / last_digit(one) for ours, one in zip(found, wanted.split(), strict=True)]
        case = f"A20 crank, {start} start, {stiffness}"
        report.add(case=case, quantity="at 0.1 s, units of the last printed digit", unit="1", ours=max(off), limit=1.0)
        if start == "smooth":
            # The printed smooth start is off its constraints by 2e-10, which the printed runs have kept and this one
            # has not; so this one is held against equations written by hand, from the start that fits.
            far = np.abs(np.array(found[2:]) - np.array([float(one) for one in wanted.split()[2:]])).max()
            report.add(case=case, quantity="q at 0.1 s from the printed, largest", unit="m", ours=far)
            hand = da.simulate(
                problem.equations, (0, 0.1), problem.equations.assemble(*problem.start), t_eval=[0.0, 0.1], **EXACT
            )
            far = np.abs(_modes(run)[:, -1] - hand.q[3:, -1]).max() / np.abs(hand.q[3:, -1]).max()
            report.add(case=case, quantity="q at 0.1 s from that by hand, relative to the largest", unit="1", ours=far,
                       limit=1e-10)  # fmt: skip
    example = mechanisms.flexible_slider_crank(damping=True)
    problem = da.problems.slider_crank(start="rigid", damping=True)
    equations = example.model.equations()
    run = da.simulate(equations, (0, 0.1), example.assemble(equations), t_eval=[0.0, 0.1], **EXACT)
    hand = da.simulate(problem.equations, (0, 0.1), problem.start, t_eval=[0.0, 0.1], **EXACT)
    far = np.abs(_modes(run)[:, -1] - hand.q[3:, -1]).max() / np.abs(hand.q[3:, -1]).max()
    report.add(case="A20 crank, damped", quantity="q at 0.1 s from that by hand, relative to the largest", unit="1",
               ours=far, limit=1e-10)  # fmt: skip


def last_digit(number: str) -> float:
    """The unit of the last digit of a printed number."""
    from decimal import Decimal

    return float(Decimal(1).scaleb(int(Decimal(number).as_tuple().exponent)))


def _start_of(equations: Any, problem: Any) -> Any:
    """The start of the problem in the coordinates of the model: deformations and their rates are held."""
    q = problem.equations.assemble(*problem.start)
    held = {f"rod.q{k}": q.q[2 + k] for k in range(1, 5)} | {f"rod.q{k}.rate": q.v[2 + k] for k in range(1, 5)}
    return equations.assemble({"A.angle": 0.0, "A.rate": 150.0, **held})


def beams(report: Reporter) -> None:
    """A13: frequencies of uniform beams and rods, in closed form and by 16 Hermite elements."""
    section, length = Section.rectangle(0.01, 0.02), 1.5
    unit = np.sqrt(STEEL.E * section.Iz / (STEEL.density * section.area))
    roots = {
        "clamped": (1.87510406871, 4.69409113297, 7.85475743824), "pinned": (np.pi, 2 * np.pi, 3 * np.pi),
        "free": (4.73004074486, 7.85320462410, 10.9956078380),
        "clamped-clamped": (4.73004074486, 7.85320462410, 10.9956078380),
    }  # fmt: skip
    for ends, wanted in roots.items():
        body = Beam(length, section, STEEL, {"bending": 3, "longitudinal": 2}, ends, True, rotary=False).flexibility
        found = np.sqrt(body.frequencies[:3] / unit) * length
        worst = np.abs(found / np.array(wanted) - 1.0).max()
        report.add(case="A13 beams", quantity=f"βL, {ends}, relative", unit="1", ours=worst, limit=1e-8)
    rod = Beam(length, section, STEEL, {"longitudinal": 2}, "clamped", True).flexibility
    c = np.sqrt(STEEL.E / STEEL.density)
    worst = np.abs(rod.frequencies / (np.array([0.5, 1.5]) * np.pi * c / length) - 1.0).max()
    report.add(case="A13 beams", quantity="rod fixed at one end, relative", unit="1", ours=worst, limit=1e-10)
    from scipy.linalg import eigh

    # Cubic elements have an error of their own, (βh)⁴/1440: with 16 of them 4e-5 in the third mode, 1.3e-4 in the
    # fourth; those of the library have two more shapes inside.
    exact = np.array([1.87510406871196, 4.69409113297418, 7.85475743823761, 10.9955407348755]) ** 2
    cubic = np.sqrt(eigh(*hermite(16, 0.0, False), eigvals_only=True)[:4])
    for ours, one in zip(cubic, ("3.51602", "22.0346", "61.700", "120.920"), strict=True):
        report.add(case="A13 beams", quantity=f"16 cubic elements, from {one} with as many", unit="1",
                   ours=abs(ours / float(one) - 1.0), limit=1e-5)  # fmt: skip
    import skfem

    stiff = {"young": 1.0, "area": 1e6, "second_moment": 1.0, "density": 1e-6}  # stretching is far away
    elements = beam_elements(skfem.MeshLine(np.linspace(0.0, 1.0, 17)), **stiff)
    for k, (ours, other, one) in enumerate(zip(elements.frequencies(4, [0]), cubic, exact, strict=True)):
        report.add(case="A13 beams", quantity=f"16 Hermite elements, from βL in closed form, mode {k + 1}", unit="1",
                   ours=abs(ours / one - 1.0), limit=1e-5)  # fmt: skip
        report.add(case="A13 beams", quantity=f"16 cubic elements, from βL in closed form, mode {k + 1}", unit="1",
                   ours=abs(other / one - 1.0), limit=1e-5 if k < 3 else None)  # fmt: skip
    finer = np.sqrt(eigh(*hermite(32, 0.0, False), eigvals_only=True)[:3])
    for k, (ours, one) in enumerate(zip(finer, exact, strict=False)):
        report.add(case="A13 beams", quantity=f"32 cubic elements, from βL in closed form, mode {k + 1}", unit="1",
                   ours=abs(ours / one - 1.0), limit=1e-5)  # fmt: skip
    rod = beam_elements(skfem.MeshLine(np.linspace(0.0, 1.0, 17)), young=1.0, area=1.0, second_moment=1e6, density=1.0)
    worst = np.abs(rod.frequencies(3, [0]) / (np.array([0.5, 1.5, 2.5]) * np.pi) - 1.0).max()
    report.add(case="A13 beams", quantity="rod of 16 elements, fixed at one end, 3 modes", unit="1", ours=worst,
               limit=1e-5)  # fmt: skip


def hermite(count: int, eta: float, lag: bool) -> tuple[np.ndarray, np.ndarray]:
    """K and M of a rotating cantilever with ρA = EI = L = 1, the tension of its rotation included."""
    nodes, weights = np.polynomial.legendre.leggauss(6)
    K, M = np.zeros((2 * count + 2,) * 2), np.zeros((2 * count + 2,) * 2)
    h = 1.0 / count
    for e in range(count):
        at = slice(2 * e, 2 * e + 4)
        for s, w in zip(0.5 * (nodes + 1.0), 0.5 * h * weights, strict=True):
            N = np.array([1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)])
            slope = np.array([6 * s * (s - 1), h * (1 - 4 * s + 3 * s**2), 6 * s * (1 - s), h * (3 * s**2 - 2 * s)]) / h
            bend = np.array([12 * s - 6, h * (6 * s - 4), 6 - 12 * s, h * (6 * s - 2)]) / h**2
            tension = 0.5 * eta**2 * (1.0 - ((e + s) * h) ** 2)
            K[at, at] += w * (np.outer(bend, bend) + tension * np.outer(slope, slope))
            K[at, at] -= w * lag * eta**2 * np.outer(N, N)
            M[at, at] += w * np.outer(N, N)
    return K[2:, 2:], M[2:, 2:]


def rotating_frequency(eta: float, direction: str, modes: int = 13) -> float:
    """Lowest frequency of a cantilever from the model layer that turns with η."""
    section = Section(1e-4, 1e-9, 1e-9)
    unit = np.sqrt(STEEL.E * 1e-9 / (STEEL.density * 1e-4))
    m = da.Model("blade")
    blade = m.beam("blade", 1.0, section, STEEL, {f"bending {direction}": modes}, ends="clamped", rotary=False)
    A = m.revolute("A", m.ground.at(0, 0, 0), blade.left)
    m.prescribe("spin", A.angle, lambda t: eta * unit * t)
    equations = m.equations()
    values = equations.linearise(equations.assemble({})).eigenvalues
    return float(np.abs(values).min() / unit)


def rotating(report: Reporter) -> None:
    """A15: flap and lag of a rotating cantilever."""
    from scipy.linalg import eigh

    for eta in (0.0, 1.0, 2.0, 4.0, 8.0, 12.0):
        known = ROTATING.get(eta, (None, None))
        for name, direction, lag, paper in (("flap", "z", False, known[0]), ("lag", "y", True, known[1])):
            ours = rotating_frequency(eta, direction)
            wanted = float(np.sqrt(eigh(*hermite(40, eta, lag), eigvals_only=True)[0]))
            report.add(
                case=f"A15 rotating cantilever, η = {eta:g}", quantity=f"{name}", unit="1", ours=ours, paper=paper
            )
            report.add(case=f"A15 rotating cantilever, η = {eta:g}", quantity=f"{name}, from 40 elements, relative",
                       unit="1", ours=abs(ours / wanted - 1.0), limit=1e-4)  # fmt: skip


def spun_up(stiffening: bool, modes: Any, t_eval: np.ndarray) -> tuple[Any, Flexibility]:
    """The spin-up of Simo and Vu-Quoc."""
    from dalembert.symbolic import cos, where

    def law(t: Any) -> Any:
        ramp = 0.4 * (0.5 * t * t + (7.5 / np.pi) ** 2 * (cos(2.0 * np.pi * t / 15.0) - 1.0))
        return where(t < 15.0, ramp, 6.0 * t - 45.0)

    m = da.Model("spin-up", plane="xy")
    material = Material(2.8e7, 1.2)
    blade = m.beam("blade", 10.0, Section(1.0, 5e-4), material, modes, ends="clamped", stiffening=stiffening)
    A = m.revolute("A", m.ground.at(0, 0), blade.left)
    m.prescribe("motor", A.angle, law)
    m.sensor("tip", blade.deformation("right"))
    equations = m.equations()
    run = da.simulate(equations, (0.0, t_eval[-1]), equations.assemble({}), method="dop853", rtol=1e-9, atol=1e-11,
                      t_eval=t_eval)  # fmt: skip
    return run, blade.flexibility


def spin_up(report: Reporter) -> None:
    """A16: with stiffening, and its divergence without."""
    case = "A16 spin-up of Simo and Vu-Quoc"
    t = np.linspace(0.0, 20.0, 4001)
    for modes, wanted in ((1, -0.5783), (2, -0.5735), (3, -0.5744), (6, -0.5744)):
        run, body = spun_up(True, modes, t)
        tip = run["tip.y"]
        report.add(case=case, quantity=f"largest deflection, {modes} modes, from {wanted}", unit="m",
                   ours=abs(tip.min() - wanted), limit=1e-4)  # fmt: skip
    report.add(case=case, quantity="instant of it, from 6.76 s", unit="s", ours=abs(run.t[np.argmin(tip)] - 6.76),
               limit=0.011)  # fmt: skip
    report.add(case=case, quantity="first frequency, from 3.7977, relative", unit="1",
               ours=abs(body.frequencies[0] / 3.7977 - 1.0), limit=2e-5)  # fmt: skip
    report.add(case=case, quantity="deflection after 15 s, largest", unit="m", ours=np.abs(tip[t > 15.05]).max(),
               limit=0.004)  # fmt: skip
    run, _ = spun_up(True, {"bending": 3, "longitudinal": 3}, np.linspace(0.0, 20.0, 2001))
    stretched = run["tip.x"][run.t > 16.0].mean()
    report.add(case=case, quantity="steady extension, from 5.1429e-4, relative", unit="1",
               ours=abs(stretched / 5.1429e-4 - 1.0), limit=0.02)  # fmt: skip
    run, _ = spun_up(False, 6, np.array([0.0, 8.0, 10.0]))
    for k, wanted in ((1, -2.1), (2, -72.0)):
        report.add(case=case, quantity=f"without stiffening, at {run.t[k]:g} s, from {wanted}, relative", unit="1",
                   ours=abs(run["tip.y"][k] / wanted - 1.0), limit=0.03)  # fmt: skip


def invariance(report: Reporter) -> None:
    """A18: free flight in space, frames, n = 0."""
    soft, section = Material(2.0e7, 1000.0, 0.4), Section.rectangle(0.02, 0.03)
    m = da.Model("thrown")
    beam = m.beam("strip", 0.6, section, soft, {"bending": 2, "longitudinal": 1, "torsion": 1}, ends="clamped",
                  position=(0, 0, 0), velocity=(0.3, 1.0, -0.2), angular_velocity=(1.5, -2.0, 4.0))  # fmt: skip
    for name in ("energy", "momentum", "angular_momentum"):
        m.sensor(name, getattr(m, name))
    equations = m.equations()
    start = equations.assemble({"strip.bending_y1": 0.01, "strip.torsion1": 0.05})
    run = da.simulate(equations, (0, 1.0), start, t_eval=np.linspace(0, 1, 21), rtol=1e-11, atol=1e-13)
    for name in ("energy", "momentum", "angular_momentum"):
        values = np.atleast_2d(np.asarray(run[name]))
        drift = np.abs(values - values[:, :1]).max() / np.abs(values).max()
        report.add(case="A18 free flight of a flexible beam", quantity=f"{name}, drift over 1 s", unit="1", ours=drift,
                   limit=1e-8)  # fmt: skip
    data = beam.flexibility
    for reference in (Reference("mean axes"), Reference("pinned", ("left", "right"))):
        far = np.abs(data.referred(reference).free_frequencies / data.free_frequencies - 1.0).max()
        report.add(case="A18 frames", quantity=f"frequencies in free flight, {reference}", unit="1", ours=far,
                   limit=1e-8)  # fmt: skip
    sizes = (0.02, 0.01)
    body = Beam(0.6, section, soft, {"bending": 2, "longitudinal": 1}, "clamped", True).flexibility
    far = [np.abs(_bent(body, s) - _bent(body.referred(Reference("mean axes")), s)).max() for s in sizes]
    report.add(case="A18 frames", quantity="tip, clamped beside mean axes, order in the deformation", unit="1",
               ours=float(np.log2(far[0] / far[1])), limit=1.9, bound="at least")  # fmt: skip


def _bent(flexibility: Flexibility, size: float) -> np.ndarray:
    """Place of the tip after 0.1 s of a bent pendulum without gravity."""
    m = da.Model("bent", plane="xy")
    body = m.flexible_body("strip", flexibility)
    m.revolute("A", m.ground.at(0, 0), body.node("left"))
    m.sensor("tip", body.node("right").position)
    equations = m.equations()
    amplitudes = {"strip.bending1": size, "strip.bending2": 0.2 * size, "strip.longitudinal1": 0.01 * size}
    still = {f"{name}.rate": 0.0 for name in equations.fast}
    start = equations.assemble({"A.angle": 0.0, "A.rate": 3.0, **amplitudes, **still})
    return np.asarray(da.simulate(equations, (0, 0.1), start, t_eval=[0.0, 0.1], **EXACT)["tip"])[:, -1]
