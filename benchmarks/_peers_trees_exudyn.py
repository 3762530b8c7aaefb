"""Exudyn on the hanging chain: one simulated second, in absolute and in relative coordinates.

absolute   rigid bodies with Euler parameters, ``ObjectJointRevoluteZ`` between them; implicit trapezoidal rule (index
           2) and generalised-α (index 3, spectral radius 0.8 as in Exudyn's own performance test of a spatial chain),
           modified Newton and the sparse solver.  Explicit integrators do not take joints.
relative   ``ObjectKinematicTree``, explicit Runge–Kutta methods with fixed steps.

These are the fastest of what was tried.  Newton's relative tolerance is 1e-5 instead of 1e-8, at which many steps fail
and are repeated with half the length; full Newton, Jacobians in every step and rotation vectors take longer.  With
steps much longer than the first ones below Newton's method fails as well, and the run takes longer than one with
shorter steps.  On the tree of 100 links implicit methods take ten times as long, DOPRI5 and ODE23 with step size
control two to three times, the dense solver three times; VelocityVerlet, "still under development", is of first order
here.  Exudyn recommends to replace very long trees by shorter ones that are joined; this was not tried.

Each run has a process of its own that is stopped at a time limit.  Times are CPU times of the solver alone, without
building the model.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from _baselines import Failed
from _peers_sweep import silent, version
from _trees import END, GRAVITY, Tree, frames, joint_points

ABSOLUTE, RELATIVE = "absolute", "relative"
TRAPEZOIDAL, ALPHA = "trapezoidal, index 2", "generalised-α, index 3, spectral radius 0.8"
NEWTON = 1e-5


@dataclass(frozen=True)
class Setting:
    """A method, and how many steps it is tried with, from coarse to fine."""

    coordinates: str
    method: str
    steps: tuple[int, ...]  # for 100 links

    def counts(self, n: int) -> list[int]:
        """Steps for ``n`` links, in proportion, as the highest frequencies are."""
        return [max(1, round(k * n / 100)) for k in self.steps]

    @property
    def title(self) -> str:
        return f"{version('exudyn')}, {self.method}"


SETTINGS = (
    Setting(ABSOLUTE, TRAPEZOIDAL, (110, 120, 150, 200, 300, 550, 700)),
    Setting(ABSOLUTE, ALPHA, (120, 150, 200, 600, 800)),
    Setting(RELATIVE, "RK33", (90, 100, 125, 250)),  # the first is the cheapest of all
    Setting(RELATIVE, "RK44", (80, 90, 110, 125)),
    Setting(RELATIVE, "RK67", (110, 125)),
)


class Stopped(Failed):
    """A run took too long."""


def simulate(tree: Tree, setting: Setting, steps: int, limit: float, repeats: int) -> tuple[float, np.ndarray]:
    """CPU seconds, the best of several, and where joints and tip are at the end; :class:`Stopped` after ``limit``."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, tree, setting, steps, repeats), daemon=True)
    process.start()
    theirs.close()
    best: tuple[float, np.ndarray] | None = None
    try:
        ours.recv()  # built
        start = time.perf_counter()
        for _ in range(repeats):
            if not ours.poll(max(0.0, limit - (time.perf_counter() - start))):
                break
            answer = ours.recv()
            if isinstance(answer, str):
                raise Failed(answer)
            if best is None or answer[0] < best[0]:
                best = answer
    except EOFError:
        raise Failed("the process broke down") from None
    finally:
        process.kill()
        process.join()
        ours.close()
    if best is None:
        raise Stopped(f"stopped after {limit:g} s")
    return best


# ------------------------------------------------------------------------ in the other process


def _serve(connection: Connection, tree: Tree, setting: Setting, steps: int, repeats: int) -> None:
    try:
        sys.exudynFast = True  # type: ignore[attr-defined]  # its build without range checks
        with contextlib.redirect_stdout(sys.stderr), silent():
            exudyn = importlib.import_module("exudyn")
            importlib.import_module("exudyn.utilities")
            system = (_Bodies if setting.coordinates == ABSOLUTE else _Tree)(exudyn, tree)
        connection.send("built")
        for seconds in _runs(exudyn, system.mbs, setting, steps, repeats):
            points = system.points()
            connection.send((seconds, points) if np.isfinite(points).all() else "the result is not a number")
    except Exception as error:
        connection.send(f"{type(error).__name__}: {str(error).strip()[:200]}")


def _runs(exudyn: Any, mbs: Any, setting: Setting, steps: int, repeats: int) -> Iterator[float]:
    settings = exudyn.SimulationSettings()
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, END, 0
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance = NEWTON
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.explicit.computeEndOfStepAccelerations = False  # they are not looked at, and cost an evaluation
    kinds = {TRAPEZOIDAL: "TrapezoidalIndex2", ALPHA: "GeneralizedAlpha"}
    solver = getattr(exudyn.DynamicSolverType, kinds.get(setting.method, setting.method))
    for _ in range(repeats):
        start = time.process_time()
        with silent():
            success = exudyn.SolveDynamic(
                mbs, settings, solverType=solver, updateInitialValues=False, storeSolver=False, showHints=False
            )
        seconds = time.process_time() - start
        if not success:
            raise ArithmeticError("the solver failed")
        yield seconds


class _Bodies:
    """Rigid bodies and joints."""

    def __init__(self, exudyn: Any, tree: Tree) -> None:
        items = importlib.import_module("exudyn.itemInterface")
        inertia_of = importlib.import_module("exudyn.rigidBodyUtilities").RigidBodyInertia
        self.exudyn, self.tree = exudyn, tree
        self.container = exudyn.SystemContainer()
        self.mbs = mbs = self.container.AddSystem()
        ground = mbs.AddObject(items.ObjectGround())
        self.bodies: list[Any] = []
        for link, R, r in zip(tree.links, *frames(tree, np.array(tree.start)), strict=True):
            com = np.array(link.com)
            made = mbs.CreateRigidBody(
                inertia=inertia_of(mass=link.mass, inertiaTensor=np.array(link.inertia), com=[0.0, 0.0, 0.0]),
                referencePosition=r + R @ com,
                referenceRotationMatrix=R,
                nodeType=exudyn.NodeType.RotationEulerParameters,
                gravity=[0.0, 0.0, -GRAVITY],
                returnDict=True,
            )
            before = ground if link.parent < 0 else self.bodies[link.parent]
            com_before = np.zeros(3) if link.parent < 0 else np.array(tree.links[link.parent].com)
            self.bodies.append(made["bodyNumber"])
            place = np.eye(4)
            place[:3, :3], place[:3, 3] = link.rotation, np.array(link.offset) - com_before
            a = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=before, localHT=place))
            b = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=self.bodies[-1], localPosition=-com))
            mbs.AddObject(items.ObjectJointRevoluteZ(markerNumbers=[a, b]))
        mbs.Assemble()

    def points(self) -> np.ndarray:
        """Joints after the first, and the tip."""
        links, position = self.tree.links, self.exudyn.OutputVariableType.Position
        places = [*(link.offset for link in links[1:]), self.tree.tip]
        return np.array(
            [
                self.mbs.GetObjectOutputBody(body, position, localPosition=np.array(place) - np.array(link.com))
                for body, place, link in zip(self.bodies, places, links, strict=True)
            ]
        )


class _Tree:
    """One kinematic tree."""

    def __init__(self, exudyn: Any, tree: Tree) -> None:
        items = importlib.import_module("exudyn.itemInterface")
        self.tree, n, links = tree, tree.size, tree.links
        self.container = exudyn.SystemContainer()
        self.mbs = self.container.AddSystem()
        node = self.mbs.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=tree.start,
                initialCoordinates_t=[0.0] * n,
                numberOfODE2Coordinates=n,
            )
        )

        def vectors(values: list[list[float]]) -> Any:
            return exudyn.Vector3DList([np.array(x, dtype=float) for x in values])

        def matrices(values: list[list[list[float]]]) -> Any:
            return exudyn.Matrix3DList([np.array(x, dtype=float) for x in values])

        self.mbs.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exudyn.JointType.RevoluteZ] * n,
                linkParents=[link.parent for link in links],
                jointTransformations=matrices([link.rotation for link in links]),
                jointOffsets=vectors([link.offset for link in links]),
                linkInertiasCOM=matrices([link.inertia for link in links]),
                linkCOMs=vectors([link.com for link in links]),
                linkMasses=[link.mass for link in links],
                gravity=[0.0, 0.0, -GRAVITY],
            )
        )
        self.mbs.Assemble()

    def points(self) -> np.ndarray:
        """Joints after the first, and the tip."""
        return joint_points(self.tree, np.array(self.mbs.systemData.GetODE2Coordinates()))
