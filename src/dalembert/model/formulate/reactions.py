"""Reactions of joints: force and moment on the second body, at its frame.

A joint that is a constraint has them in its multipliers: the power −λ·ġ under a virtual motion of frame B.  A joint of
the tree has no multipliers; it is opened by a virtual motion that it does not allow, and the principle of virtual power
gives what resists, from the inertia of everything that the joint carries and all forces on it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.constraints.constraints import Constraint
from dalembert.model.element import Element, Site
from dalembert.model.forces.numeric_forces import NumericForce
from dalembert.model.formulate.coordinate_layout import Carried
from dalembert.model.formulate.scene import Scene
from dalembert.model.frames import Frame
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.symbolic import AtomArray, Base, Graph, Point, adjoint_derivative, array, substitute
from dalembert.symbolic.mechanics.components import scalars
from dalembert.symbolic.mechanics.rotations import Rotation, rotation_matrix


class VirtualMotion:
    """A small motion of a frame along and about its own axes, which is not there: only its velocity counts."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.velocity: AtomArray = array([graph.variable(f"{name}.dv{i}", rate=0.0) for i in range(3)])
        self.turning: AtomArray = array([graph.variable(f"{name}.dw{i}", rate=0.0) for i in range(3)])
        self.shift: AtomArray = array(
            [graph.variable(f"{name}.e{i}", rate=self.velocity[i]) for i in range(3)]
        )  # fmt: skip
        self.name = name

    @property
    def symbols(self) -> list[Any]:
        """Velocities: three of translation, three of rotation."""
        return [*self.velocity, *self.turning]

    @property
    def nothing(self) -> dict[Any, float]:
        """The motion that is not there."""
        return dict.fromkeys([*self.shift, *self.symbols], 0.0)

    def of(self, base: Base, point: Point, sign: float = 1.0) -> tuple[Base, Point]:
        """A frame that has this motion relative to another."""
        graph = base.graph
        moved = Point(f"{self.name}.open", point, base.vector(*(sign * self.shift)))
        spin = scalars(graph, sign * self.turning, (3,), self.name)
        unit = rotation_matrix(graph, np.eye(3), self.name)
        return Base(f"{self.name}.open", base, graph, Rotation(unit, spin)), moved


def reaction(scene: Scene, joint: Joint) -> AtomArray:
    """Force and moment that a joint exerts on its second body, about the origin of frame B, in the axes of frame A."""
    if why := why_unknown(scene, joint):
        raise ModelError(why)
    if joint.name in scene.layout.tree:
        _check_asking(
            scene, f"the reactions of {joint.label}, which is in the tree",
            f"cut the joint (cut=['{joint.name}']), or use coordinates='absolute': then they are multipliers",
        )  # fmt: skip
        wrench = _opened(scene)[joint.name]
        R = scene.frame(joint.first).rotation_of(scene.frame(joint.second))
        return array([*(R @ wrench[:3]), *(R @ wrench[3:])])
    force, moment = joint_wrench(joint, scene.site(joint))
    return array([*force, *moment])


def _check_asking(scene: Scene, what: str, remedy: str) -> None:
    """Complain about a law that asks for what is found by the balance of all forces and of inertia."""
    if scene.asking:
        raise ModelError(
            f"{scene.asking[0]} depends on {what}: they follow from all forces, this one among them, and from "
            f"accelerations; {remedy}"
        )


def why_unknown(scene: Scene, joint: Joint) -> str:
    """Why the reactions of a joint cannot be measured; empty where they can."""
    layout = scene.layout
    if joint.name in layout.places:
        return ""
    if joint.name not in layout.tree:
        return (
            f"the reactions of {joint.label} are not known in coordinates that meet it by themselves; leave it out of "
            "satisfied=…"
        )
    return _beside_numeric_forces(scene, f"the reactions of {joint.label} are", "while it is in the tree")


def why_unknown_force(scene: Scene, constraint: Constraint) -> str:
    """Why the force of a constraint cannot be measured; empty where it can."""
    if constraint not in scene.layout.prescribed.values():
        return ""
    return _beside_numeric_forces(scene, f"the force of {constraint.label} is", "where its joint is in the tree")


def _beside_numeric_forces(scene: Scene, what: str, when: str) -> str:
    if any(isinstance(element, NumericForce) for element in scene.layout.elements):
        return f"{what} not known beside numeric forces {when}; use absolute coordinates, or cut the joint"
    return ""


def joint_wrench(joint: Joint, at: Site) -> tuple[AtomArray, AtomArray]:
    """Force and moment on the second body of a joint that is a constraint, from its multipliers."""
    A, B = at.frames
    virtual = VirtualMotion(at.graph, f"{joint.name}.virtual")
    base, point = virtual.of(B.base, B.point)
    moving = Frame(base, point, B.angle)
    rates = [joint.relative_motion(coordinate.label, A, moving, at.data)[1] for coordinate in joint.coordinates]
    rows = joint.between(A, moving, replace(at, rates=rates))
    if not rows:
        return array([0.0] * 3), array([0.0] * 3)
    found = adjoint_derivative(
        array([row.rate for row in rows]), array(virtual.symbols), -array(list(at.lam)[: len(rows)])
    )
    wrench = array(substitute(found, virtual.nothing))
    R = A.rotation_of(B)
    return array(R @ wrench[:3]), array(R @ wrench[3:])


class OpenScene(Scene):
    """A scene in which every joint of the tree has a virtual motion of its second frame, in the axes of that."""

    opens = True

    def __init__(self, scene: Scene) -> None:
        # The same symbols, in the same graph, carry other frames.
        self.__dict__.update(scene.__dict__)
        self.world = Base.root(self.graph, "world")
        self.origin = Point.root(self.world, "O")
        self._places, self._frames, self._reactions = {}, {}, {}
        self.virtual = {
            carrier.joint.name: VirtualMotion(self.graph, carrier.joint.name)
            for carrier in self.layout.order()
            if isinstance(carrier, Carried)
        }

    def _opened(self, joint: Joint, base: Base, point: Point, sign: float) -> tuple[Base, Point]:
        return self.virtual[joint.name].of(base, point, sign)

    def rate(self, coordinate: JointCoordinate) -> Any:
        # With the virtual motion: forces along a free motion of a joint are none of its reactions.
        return self._relative(coordinate)[1]


class BeamCut(VirtualMotion):
    """A cut through a beam whose two parts have a virtual motion apart, in the axes of the section."""

    def __init__(self, graph: Graph, beam: Any, x: float) -> None:
        super().__init__(graph, f"{beam.name} cut at {x:g}")
        self.beam, self.x = beam, x

    def opened(self, section: Frame, frame: Frame, sign: float) -> Frame:
        """A frame that stands in a section as another does, and has the virtual motion besides."""
        base, point = self.of(section.base, section.point, sign)
        moved = Point(f"{self.name}'", point, base.vector(*section.to(frame).components(section.base)))
        R = rotation_matrix(base.graph, section.rotation_of(frame), self.name)
        w = scalars(base.graph, section.turning_of(frame).components(frame.base), (3,), self.name)
        return Frame(Base(f"{self.name}'", base, base.graph, Rotation(R, w)), moved, frame.angle)


class CutScene(Scene):
    """A scene in which a beam is cut."""

    def __init__(self, scene: Scene, cut: BeamCut) -> None:
        self.__dict__.update(scene.__dict__)
        self.world = Base.root(self.graph, "world")
        self.origin = Point.root(self.world, "O")
        self._places, self._frames, self._reactions = {}, {}, {}
        self.cut = cut


def transmitted(scene: Scene, beam: Any, x: float) -> AtomArray:
    """Force and moment that the part of a beam beyond x exerts on the one before it, in the axes of the section: all
    other forces on that part, its inertia and weight among them."""
    key = "transmitted", beam.name, x
    if key not in scene.kept:
        what = f"section forces of beam '{beam.name}' are"
        if why := _beside_numeric_forces(scene, what, "by balance"):
            raise ModelError(f"{why}; or ask for by='curvature'")
        _check_asking(scene, what.removesuffix(" are"), "ask for by='curvature'")
        cut = BeamCut(scene.graph, beam, x)
        apart = CutScene(scene, cut)
        forces = apart.generalised(_all_pairs(apart), array(cut.symbols))
        scene.kept[key] = array(substitute(forces, cut.nothing))
    found: AtomArray = scene.kept[key]
    return found


class FreedScene(Scene):
    """A scene in which motions that are functions of time have virtual ones besides."""

    def __init__(self, scene: Scene) -> None:
        self.__dict__.update(scene.__dict__)
        self.world = Base.root(self.graph, "world")
        self.origin = Point.root(self.world, "O")
        self._places, self._frames, self._reactions = {}, {}, {}
        listed = list(self.layout.prescribed)
        self.rates = {one: self.graph.variable(f"{one.name}.virtual rate", rate=0.0) for one in listed}
        self.shifts = {one: self.graph.variable(f"{one.name}.virtual", rate=self.rates[one]) for one in listed}

    def prescribed(self, coordinate: JointCoordinate) -> tuple[Any, Any]:
        value, rate = super().prescribed(coordinate)
        return value + self.shifts[coordinate], rate + self.rates[coordinate]


def prescribing_force(scene: Scene, coordinate: JointCoordinate) -> Any:
    """Force or moment that a motion which is a function of time needs, in the direction in which its coordinate
    grows."""
    if why := why_unknown_force(scene, scene.layout.prescribed[coordinate]):
        raise ModelError(why)
    _check_asking(scene, f"forces that prescribe {coordinate.name}", "drive it (m.drive) in place of prescribing it")
    if scene.prescribing_forces is None:
        freed = FreedScene(scene)
        symbols = list(freed.rates.values())
        nothing = dict.fromkeys([*symbols, *freed.shifts.values()], 0.0)
        resisting = -array(substitute(freed.generalised(_all_pairs(freed), array(symbols)), nothing))
        scene.prescribing_forces = dict(zip(freed.rates, resisting, strict=True))
    return scene.prescribing_forces[coordinate]


def _all_pairs(scene: Scene) -> list[tuple[Any, Any]]:
    """Forces of inertia, of elements and of constraints, and the velocities that they meet."""
    from dalembert.model.formulate.whole import body_pairs

    pairs = body_pairs(scene)
    for element in scene.layout.elements:
        site = scene.site(element)
        pairs += element.powers(site)
        pairs += _constraint_pairs(element, site)
    return pairs


def _opened(scene: Scene) -> dict[str, AtomArray]:
    """Reactions of all joints of the tree in the axes of their second frames."""
    if scene.tree_reactions is None:
        open_scene = OpenScene(scene)
        pairs = _all_pairs(open_scene)
        # What moves a joint along its free motion, whether by a drive or as a function of time, is no reaction of it.
        pairs += [(prescribing_force(scene, one), open_scene.rate(one)) for one in scene.layout.prescribed]
        motions = open_scene.virtual
        symbols = array([symbol for motion in motions.values() for symbol in motion.symbols])
        nothing = {key: 0.0 for motion in motions.values() for key in motion.nothing}
        resisting = -array(substitute(open_scene.generalised(pairs, symbols), nothing))
        scene.tree_reactions = {name: array(resisting[6 * k : 6 * k + 6]) for k, name in enumerate(motions)}
    return scene.tree_reactions


def _constraint_pairs(element: Element, at: Site) -> list[tuple[Any, Any]]:
    """Constraints as forces −λ along the rates of what they hold."""
    rates = [row.rate for row in element.constraints(at)] + list(element.velocity_constraints(at))
    return [(-lam, rate) for lam, rate in zip(at.lam, rates, strict=True)]
