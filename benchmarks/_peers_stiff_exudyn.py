"""Exudyn on the two stiff systems of _peers_stiff.py, modelled with its own objects; generalised-α with fixed steps.

The pendulum has rigid bodies in the plane, revolute joints and springs and dampers between coordinates.  The vehicle
has thirteen rigid bodies with Tait–Bryan angles (the rack, which is locked, belongs to the chassis), its joints,
distance constraints, springs and dampers, and tyres as springs and dampers to the ground whose force is a symbolic user
function, which Exudyn evaluates without Python.  Its control of step sizes answers to iterations that fail alone, not
to errors, so steps are fixed.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from _peers_exudyn import GRAVITY, System, exudyn_fast
from _peers_stiff import Array, Measured, Pendulum, Run, StiffSystem, Vehicle
from _peers_sweep import silent
from dalembert.model.bodies.inertia import MassProperties, compound
from dalembert.problems.mechanisms import vehicles

#: Spectral radii of generalised-α; 1 is the trapezoidal rule, which it has with constraints of index 2.
METHODS = {"generalised-α, spectral radius 0.6": 0.6, "generalised-α, spectral radius 0.9": 0.9, "trapezoidal, index 2": 1.0}
#: Steps of all, the instants of the comparison among their ends.
STEPS = tuple(0.25 / (25 * 2**k) for k in range(11))


class Stepped:
    """A system in Exudyn that is integrated with fixed steps, with sensors at the instants of the comparison."""

    def __init__(
        self, system: StiffSystem, model: Any, sensors: list[int], chosen: Any = slice(None), offsets: Any = 0.0
    ) -> None:
        """``chosen`` of what the sensors give, with ``offsets``, is what is seen."""
        self.system, self.model, self.sensors, self.chosen, self.offsets = system, model, sensors, chosen, offsets
        self.exudyn, self.mbs = exudyn_fast(), model.mbs

    def by(self, method: str, modified: bool) -> Callable[[float], Run]:
        """An integrator; its argument is the step.  Of its linear solvers the dense one is best for the pendulum, and
        the sparse one for the vehicle."""
        span, sparse = self.system.span, isinstance(self.system, Vehicle)
        return lambda step: lambda: self._run(method, round((span[1] - span[0]) / step), sparse, modified)

    def _run(self, method: str, steps: int, sparse: bool, modified: bool) -> Measured:
        exu, settings = self.exudyn, self.exudyn.SimulationSettings()
        t0, t1 = self.system.span
        integration, solution = settings.timeIntegration, settings.solutionSettings
        integration.numberOfSteps, integration.endTime, integration.startTime = steps, t1, t0
        integration.verboseMode = 0
        integration.newton.useModifiedNewton = modified
        solver = exu.DynamicSolverType.TrapezoidalIndex2
        if METHODS[method] < 1.0:
            solver = exu.DynamicSolverType.GeneralizedAlpha
            integration.generalizedAlpha.spectralRadius = METHODS[method]
        solution.writeSolutionToFile = False
        solution.sensorsWritePeriod = STEPS[0] * 25
        settings.parallel.numberOfThreads = 1
        settings.displayStatistics = False
        settings.linearSolverType = exu.LinearSolverType.EigenSparse if sparse else exu.LinearSolverType.EXUdense
        with silent():
            begun = time.process_time()
            success = exu.SolveDynamic(
                self.mbs, settings, solverType=solver, updateInitialValues=False,
                storeSolver=True, showHints=False,
            )  # fmt: skip
            seconds = time.process_time() - begun
        if not success:
            raise ArithmeticError("the solver of Exudyn failed")
        data = [np.array(self.mbs.GetSensorStoredData(sensor)) for sensor in self.sensors]
        places = [int(np.argmin(np.abs(data[0][:, 0] - t))) for t in self.system.instants]
        seen = np.hstack([columns[places, 1:] for columns in data])[:, self.chosen] + self.offsets
        iterations = self.mbs.sys["dynamicSolver"].it
        return Measured(
            seconds, seen, steps, int(iterations.newtonStepsCount), int(iterations.newtonJacobiCount)
        )

def in_exudyn(system: Pendulum | Vehicle) -> Stepped:
    """The system in Exudyn."""
    return _pendulum(system) if isinstance(system, Pendulum) else _vehicle(system)


# --------------------------------------------------------------------------------------------------------------- pendulum


def _pendulum(system: Pendulum) -> Stepped:
    made, p = System(), system.problem.p
    items, mbs = made.items, made.mbs
    q = system.problem.q0
    bars = []
    for mass, length, place in ((p.m1, p.L1, q[:3]), (p.m2, p.L2, q[3:])):
        bar = made.body(mass, mass * length**2 / 3.0, place[:2], place[2])
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=bar))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=[0, -GRAVITY, 0]))
        bars.append(bar)
    made.hinge(made.point(made.ground, 0.0, 0.0), made.point(bars[0], -p.L1, 0.0))
    made.hinge(made.point(bars[0], p.L1, 0.0), made.point(bars[1], -p.L2, 0.0))
    still = mbs.AddNode(items.NodePointGround())
    nodes = [mbs.GetObject(bar)["nodeNumber"] for bar in bars]
    angles = [mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=2)) for node in nodes]
    ground = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=still, coordinate=0))
    for pair, k, c, free in (
        ([ground, angles[0]], p.k1, p.c1, p.alpha1 - q[2]),
        (angles, p.k2, p.c2, p.alpha2 - (q[5] - q[2])),
    ):
        mbs.AddObject(
            items.ObjectConnectorCoordinateSpringDamper(markerNumbers=pair, stiffness=k, damping=c, offset=free)
        )
    kind = made.exudyn.OutputVariableType
    sensors = [
        mbs.AddSensor(items.SensorNode(nodeNumber=node, outputVariableType=value, storeInternal=True, writeToFile=False))
        for value in (kind.Coordinates, kind.Coordinates_t)
        for node in nodes
    ]
    mbs.Assemble()
    angles_only = [2, 5, 8, 11]  # of x, y, φ of two nodes, then their rates
    return Stepped(system, made, sensors, angles_only, np.array([q[2], q[5], 0.0, 0.0]))


# ---------------------------------------------------------------------------------------------------------------- vehicle


class _Ride:
    """The vehicle in Exudyn; hard points have the same coordinates on every body, as in the model of ours."""

    def __init__(self, system: Vehicle) -> None:
        self.exudyn = exudyn_fast()
        self.items = importlib.import_module("exudyn.itemInterface")
        self.container = self.exudyn.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.ground = self.mbs.AddObject(self.items.ObjectGround())
        self.parameters = {name: float(value) for name, value in system.equations.parameters.items()}
        self.bodies: dict[str, tuple[int, Array]] = {}
        self.functions: list[Any] = []  # which must live as long as the system
        self._add_bodies(system)
        for corner in system.WHEELS:
            self._add_joints(corner)
            self._add_forces(corner)
        self._add_tyres(system.WHEELS)

    def _add_bodies(self, system: Vehicle) -> None:
        model, state = system.example.model, system.example.assemble(system.equations)
        turns = importlib.import_module("exudyn.rigidBodyUtilities")
        for body in model.bodies:
            if body.name == "rack":
                continue
            properties = body.properties
            if body.name == "chassis":
                properties = compound([properties, model["rack"].properties])
            at = [
                np.array(system.equations.evaluate_quantity(quantity, state))
                for quantity in (body.at(properties.com).position, body.rotation)
            ]
            I = np.array(properties.inertia, dtype=float)
            node = self.mbs.AddNode(
                self.items.NodeRigidBodyRxyz(
                    referenceCoordinates=[*properties.com, 0.0, 0.0, 0.0],
                    initialCoordinates=[*(at[0] - properties.com), *turns.RotationMatrix2RotXYZ(at[1])],
                    initialVelocities=[self.parameters["speed"], 0.0, 0.0, 0.0, 0.0, 0.0],
                )
            )
            moments = [I[0, 0], I[1, 1], I[2, 2], I[1, 2], I[0, 2], I[0, 1]]
            made = self.mbs.AddObject(
                self.items.ObjectRigidBody(mass=float(properties.mass), inertia=moments, nodeNumber=node)
            )
            self.bodies[body.name] = made, np.array(properties.com, dtype=float)
            weight = self.mbs.AddMarker(self.items.MarkerBodyMass(bodyNumber=made))
            self.mbs.AddLoad(self.items.LoadMassProportional(markerNumber=weight, loadVector=[0, 0, -GRAVITY]))

    def point(self, body: str, place: Array, turns: bool = False) -> Any:
        """A marker at a hard point; ``turns``: with the rotation of the body."""
        number, com = self.bodies[body]
        kind = self.items.MarkerBodyRigid if turns else self.items.MarkerBodyPosition
        return self.mbs.AddMarker(kind(bodyNumber=number, localPosition=list(place - com)))

    def _add_joints(self, corner: str) -> None:
        at, add, items = vehicles.hard_points(corner), self.mbs.AddObject, self.items
        upper, lower, wheel = (f"{corner} {part}" for part in ("upper arm", "lower arm", "wheel"))
        middle, hinge = 0.5 * (at["upper front"] + at["upper back"]), 0.5 * (at["lower front"] + at["lower back"])
        for first, second, place in (
            ("chassis", upper, middle), (upper, wheel, at["upper ball"]), (lower, wheel, at["lower ball"]),
        ):  # fmt: skip
            add(items.ObjectJointSpherical(markerNumbers=[self.point(first, place), self.point(second, place)]))
        along_x = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # takes z to x
        ends = [self.point(body, hinge, turns=True) for body in ("chassis", lower)]
        add(items.ObjectJointRevoluteZ(markerNumbers=ends, rotationMarker0=along_x, rotationMarker1=along_x))
        inside, outside = at["rod inside"], at["rod outside"]
        ends = [self.point("chassis", inside), self.point(wheel, outside)]
        add(items.ObjectConnectorDistance(markerNumbers=ends, distance=float(np.linalg.norm(outside - inside))))

    def _spring(self, first: Any, second: Any, length: float, stiffness: float, damping: float) -> None:
        self.mbs.AddObject(
            self.items.ObjectConnectorSpringDamper(
                markerNumbers=[first, second], referenceLength=length, stiffness=stiffness, damping=damping
            )
        )

    def _add_forces(self, corner: str) -> None:
        at, p, axle = vehicles.hard_points(corner), self.parameters, vehicles.axle_of(corner)
        upper, lower = f"{corner} upper arm", f"{corner} lower arm"
        ends = [self.point("chassis", at["spring top"]), self.point(lower, at["spring foot"])]
        self._spring(*ends, p[f"{axle}_length"], vehicles.SPRINGS[axle], 0.0)
        ends = [self.point("chassis", at["damper top"]), self.point(lower, at["damper foot"])]
        self._spring(*ends, 1.0, 0.0, vehicles.DAMPERS[axle])
        middle, axis = 0.5 * (at["upper front"] + at["upper back"]), at["upper front"] - at["upper back"]
        axis = axis / np.linalg.norm(axis)
        outwards = at["upper ball"] - middle - ((at["upper ball"] - middle) @ axis) * axis
        outwards /= np.linalg.norm(outwards)
        upwards = np.cross(axis, outwards) * np.sign(at["upper ball"][1])
        head = middle + vehicles.BUSHING_ARM * axis
        for direction in (upwards, outwards):
            foot = head - vehicles.BUSHING_LENGTH * direction
            ends = [self.point("chassis", foot), self.point(upper, head)]
            self._spring(*ends, vehicles.BUSHING_LENGTH, p["bushing_stiffness"], p["bushing_damping"])

    def _add_tyres(self, corners: tuple[str, ...]) -> None:
        p, esym = self.parameters, self.exudyn.symbolic
        bump_at, stiffness, damping = p["bump_at"], p["tyre_stiffness"], p["tyre_damping"]
        radius, reach = vehicles.WHEEL_RADIUS, vehicles.REACH

        def force(mbs, t, itemNumber, displacement, velocity, k, d, offset):  # type: ignore[no-untyped-def]
            """Of the road on the wheel, against the displacement from the origin."""
            ahead = (displacement[0] - bump_at) / reach
            inside = 1.0 - ahead * ahead
            on_bump = esym.IfThenElse(inside > 0.0, esym.Real(1.0), esym.Real(0.0))
            root = esym.sqrt(radius**2 + reach**2 * esym.max(inside, esym.Real(0.0)))
            depth = root - displacement[2]  # height of the road, and the radius
            rise = -1.0 * on_bump * reach * ahead / root * velocity[0]
            size = stiffness * depth + damping * (rise - velocity[2])
            size = esym.IfThenElse(depth > 0.0, esym.max(size, esym.Real(0.0)), esym.Real(0.0))
            return esym.Vector([esym.Real(0.0), esym.Real(0.0), -1.0 * size])

        make = importlib.import_module("exudyn.advancedUtilities").CreateSymbolicUserFunction
        origin = self.mbs.AddMarker(self.items.MarkerBodyPosition(bodyNumber=self.ground))
        for corner in corners:
            hub = self.point(f"{corner} wheel", vehicles.hard_points(corner)["wheel"])
            name = "springForceUserFunction"
            made = make(self.mbs, force, name, itemTypeName="ObjectConnectorCartesianSpringDamper")
            self.functions.append(made)
            self.mbs.AddObject(
                self.items.ObjectConnectorCartesianSpringDamper(
                    markerNumbers=[origin, hub], springForceUserFunction=made
                )
            )

    def sensors(self, corners: tuple[str, ...]) -> list[int]:
        """Places of the centre of the chassis and of the hubs, then their velocities."""
        kind = self.exudyn.OutputVariableType
        places = [("chassis", np.array(vehicles.CHASSIS_CENTRE))]
        places += [(f"{corner} wheel", vehicles.hard_points(corner)["wheel"]) for corner in corners]
        return [
            self.mbs.AddSensor(
                self.items.SensorBody(
                    bodyNumber=self.bodies[body][0], localPosition=list(place - self.bodies[body][1]),
                    outputVariableType=value, storeInternal=True, writeToFile=False,
                )
            )
            for value in (kind.Position, kind.Velocity)
            for body, place in places
        ]  # fmt: skip


def _vehicle(system: Vehicle) -> Stepped:
    ride = _Ride(system)
    sensors = ride.sensors(system.WHEELS)
    ride.mbs.Assemble()
    return Stepped(system, ride, sensors)
