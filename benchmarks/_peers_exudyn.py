"""Exudyn on both problems: rigid bodies in the plane with revolute joints, generalised-α and its relatives.

Its explicit integrators do not take joints, so the implicit ones of second order with fixed steps are what there is.
Of its linear solvers the dense one is best for the mechanism and the sparse one for chains.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import _peers_model as seven
from _peers_sweep import DRIFT_FREE, Outcome, Peer, Run, silent, version

GRAVITY = 9.81
METHODS = ("trapezoidal, index 2", "generalised-α, index 3, spectral radius 0.9")
CHAIN_METHODS = ("trapezoidal, index 2", "generalised-α, index 3, spectral radius 0.6")  # long chains want damping


def exudyn_fast() -> Any:
    """The package."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # its build without range checks
    with contextlib.redirect_stdout(sys.stderr):  # which it announces
        import exudyn

    return exudyn


class System:
    """Bodies and joints of a planar mechanism."""

    def __init__(self) -> None:
        self.exudyn = exudyn_fast()
        self.items = importlib.import_module("exudyn.itemInterface")
        self.container = self.exudyn.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.ground = self.mbs.AddObject(self.items.ObjectGround())
        self.bodies: list[int] = []

    def body(self, mass: float, inertia: float, place: Any, angle: float) -> int:
        """A rigid body with its centre of mass at ``place``."""
        add, items = self.mbs, self.items
        node = add.AddNode(items.NodeRigidBody2D(referenceCoordinates=[place[0], place[1], angle]))
        made = add.AddObject(items.ObjectRigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node))
        self.bodies.append(made)
        return int(made)

    def point(self, body: int, x: float, y: float) -> Any:
        """A point of a body, or of the ground."""
        return self.mbs.AddMarker(self.items.MarkerBodyPosition(bodyNumber=body, localPosition=[x, y, 0.0]))

    def hinge(self, a: Any, b: Any) -> None:
        """Joins two points."""
        self.mbs.AddObject(self.items.ObjectJointRevolute2D(markerNumbers=[a, b]))

    def solve(self, end: float, steps: int, method: str, sparse: bool, modified: bool) -> None:
        """Integrate from the assembled state."""
        exu, settings = self.exudyn, self.exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = end
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.newton.useModifiedNewton = modified
        settings.solutionSettings.writeSolutionToFile = False
        settings.parallel.numberOfThreads = 1
        settings.displayStatistics = False
        settings.linearSolverType = exu.LinearSolverType.EigenSparse if sparse else exu.LinearSolverType.EXUdense
        if method.startswith("trapezoidal"):
            solver = exu.DynamicSolverType.TrapezoidalIndex2
        else:
            solver = exu.DynamicSolverType.GeneralizedAlpha
            settings.timeIntegration.generalizedAlpha.spectralRadius = float(method.split()[-1])
        with silent():
            success = exu.SolveDynamic(
                self.mbs, settings, solverType=solver, updateInitialValues=False, storeSolver=True, showHints=False
            )
        if not success:
            raise ArithmeticError("the solver of Exudyn failed")


def _seven_body() -> System:
    p, system = seven.PARAMETERS, System()
    be, th, ga, ph, de, om, ep = seven.Q0

    def turned(angle: float, x: float, y: float) -> np.ndarray:
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * x - s * y, s * x + c * y])

    O, A, B = np.zeros(2), np.array([p.xa, p.ya]), np.array([p.xb, p.yb])
    F = turned(be, p.rr, 0.0)
    G = A + turned(de, p.zt, 0.0)
    H = A + turned(ep, 0.0, -p.u)
    # Of each body: mass, inertia, angle, a point in the mechanism, and this point in the frame of the body.
    k1 = system.body(p.m1, p.I1, turned(be, p.ra, 0.0), be)
    k2 = system.body(p.m2, p.I2, F - turned(be + th, p.da, 0.0), be + th)
    k3 = system.body(p.m3, p.I3, B + turned(ga, p.sb, -p.sa), ga)
    k4 = system.body(p.m4, p.I4, G - turned(ph + de, 0.0, p.e - p.ea), ph + de)
    k5 = system.body(p.m5, p.I5, A + turned(de, p.ta, p.tb), de)
    k6 = system.body(p.m6, p.I6, H + turned(om + ep, p.zf - p.fa, 0.0), om + ep)
    k7 = system.body(p.m7, p.I7, A + turned(ep, p.ua, p.ub), ep)
    ground, point, hinge = system.ground, system.point, system.hinge
    hinge(point(ground, *O), point(k1, -p.ra, 0.0))
    hinge(point(k1, p.rr - p.ra, 0.0), point(k2, p.da, 0.0))
    E = point(k2, p.da - p.d, 0.0)
    hinge(E, point(k3, -p.sb, p.sa - p.ss))
    hinge(E, point(k4, 0.0, -p.ea))
    hinge(E, point(k6, p.fa, 0.0))
    hinge(point(ground, *B), point(k3, -p.sb, p.sa))
    hinge(point(ground, *A), point(k5, -p.ta, -p.tb))
    hinge(point(k5, p.zt - p.ta, -p.tb), point(k4, 0.0, p.e - p.ea))
    hinge(point(ground, *A), point(k7, -p.ua, -p.ub))
    hinge(point(k7, -p.ua, -p.u - p.ub), point(k6, p.fa - p.zf, 0.0))
    items, mbs = system.items, system.mbs
    mbs.AddObject(
        items.ObjectConnectorSpringDamper(
            markerNumbers=[point(ground, p.xc, p.yc), point(k3, p.sd - p.sb, p.sa - p.sc)],
            stiffness=p.c0,
            referenceLength=p.l0,
        )
    )
    motor = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=k1, localPosition=[0.0, 0.0, 0.0]))
    mbs.AddLoad(items.LoadTorqueVector(markerNumber=motor, loadVector=[0.0, 0.0, p.mom]))
    mbs.Assemble()
    return system


def _relative(angles: np.ndarray) -> np.ndarray:
    """β, Θ, γ, φ, δ, Ω, ε from the absolute angles of the bodies."""
    k1, k2, k3, k4, k5, k6, k7 = angles
    return np.array([k1, k2 - k1, k3, k4 - k5, k5, k6 - k7, k7])


def seven_body() -> list[Peer]:
    """The mechanism; a "tolerance" is the step."""
    exudyn_fast()

    def prepare(method: str, modified: bool, step: float) -> Run:
        system = _seven_body()
        reference = np.array(system.mbs.systemData.GetODE2Coordinates(system.exudyn.ConfigurationType.Reference))
        steps = round(seven.SPAN[1] / step)

        def run() -> Outcome:
            system.solve(seven.SPAN[1], steps, method, sparse=False, modified=modified)
            data = system.mbs.systemData
            q = _relative((reference + np.array(data.GetODE2Coordinates()))[2::3])
            v = _relative(np.array(data.GetODE2Coordinates_t())[2::3])
            iterations = int(system.mbs.sys["dynamicSolver"].it.newtonStepsCount)
            return Outcome(np.concatenate([q, v]), iterations, steps)

        return run

    return _variants(prepare, METHODS, [seven.SPAN[1] / (1000 * 2**k) for k in range(9)])


def _variants(prepare: Callable[[str, bool, float], Run], methods: Sequence[str], steps: list[float]) -> list[Peer]:
    peers = []
    for method in methods:
        for modified in (False, True):
            name = f"{version('exudyn')}, {method}{', modified Newton' if modified else ''}"
            peers.append(Peer(name, DRIFT_FREE, partial(prepare, method, modified), steps, slow=True))
    return peers


def chain(n: int) -> list[Peer]:
    """The chain of _peers_chain.py; a "tolerance" is the step."""
    exudyn_fast()
    length = mass = 1.0 / n

    def prepare(method: str, modified: bool, step: float) -> Run:
        system = System()
        before = system.point(system.ground, 0.0, 0.0)
        for i in range(n):
            bar = system.body(mass, mass * length**2 / 12.0, ((i + 0.5) * length, 0.0), 0.0)
            weight = system.mbs.AddMarker(system.items.MarkerBodyMass(bodyNumber=bar))
            system.mbs.AddLoad(system.items.LoadMassProportional(markerNumber=weight, loadVector=[0, -GRAVITY, 0]))
            system.hinge(before, system.point(bar, -0.5 * length, 0.0))
            before = system.point(bar, 0.5 * length, 0.0)
        system.mbs.Assemble()
        reference = np.array(system.mbs.systemData.GetODE2Coordinates(system.exudyn.ConfigurationType.Reference))
        steps = round(1.0 / step)

        def run() -> Outcome:
            system.solve(1.0, steps, method, sparse=n > 20, modified=modified)
            data = system.mbs.systemData
            x, y, phi = (reference + np.array(data.GetODE2Coordinates())).reshape(n, 3).T
            v_x, v_y, w = np.array(data.GetODE2Coordinates_t()).reshape(n, 3).T
            iterations = int(system.mbs.sys["dynamicSolver"].it.newtonStepsCount)
            return Outcome(np.concatenate([phi, w, x, y, v_x, v_y]), iterations, steps)

        return run

    if n <= 500:
        return _variants(prepare, CHAIN_METHODS, [1.0 / (200 * 2**k) for k in range(9)])
    # The long chain takes minutes.  Of a dozen settings tried on it (both methods, spectral radii from 0 to 0.8, 20 to
    # 4000 steps, both kinds of Newton's method) only this one came to the end, in 182 s; the others failed, or were
    # stopped after 60 to 200 s.  A better one may exist.
    return [peer for peer in _variants(prepare, CHAIN_METHODS[1:], [1.0 / 500]) if "modified" in peer.name]
