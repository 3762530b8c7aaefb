"""Random trees and loops of bodies and joints, with forces, at a random state that meets all constraints."""

import numpy as np
from hypothesis import strategies as st

from dalembert.model.bodies.orientation import to_euler_parameters
from dalembert.model.model import Model
from dalembert.model.starting.start import Start

SPATIAL = {
    "revolute": 1, "prismatic": 1, "screw": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar_joint": 3,
    "free": 6, "fixed": 0,
}  # fmt: skip
PLANAR = {"revolute": 1, "prismatic": 1, "planar_joint": 3, "free": 3, "fixed": 0}
FORCES = ("spring", "bushing", "coordinate", "torque")


class Drawn:
    """Random choices by Hypothesis."""

    def __init__(self, draw):
        self.draw = draw

    def whole(self, least, most):
        return self.draw(st.integers(least, most))

    def one(self, items):
        return self.draw(st.sampled_from(items))

    def some(self, items, most):
        return self.draw(st.lists(st.sampled_from(items), max_size=most))

    def flag(self):
        return self.draw(st.booleans())


class Thrown:
    """The same by a generator of NumPy."""

    def __init__(self, rng):
        self.rng = rng

    def whole(self, least, most):
        return int(self.rng.integers(least, most + 1))

    def one(self, items):
        return items[self.rng.integers(len(items))]

    def some(self, items, most):
        return [self.one(items) for _ in range(self.whole(0, most))]

    def flag(self):
        return bool(self.rng.random() < 0.5)


def structure(choose, kinds, smallest=1, forces=True):
    """Kinds of joints, parents of bodies (−1 is the ground), directions of joints, forces, and a seed for numbers."""
    n = choose.whole(smallest, 4)
    moving = sorted(kinds.keys() - {"fixed"})
    return {
        # Something must be able to move.
        "kinds": [choose.one(moving if i == 0 else sorted(kinds)) for i in range(n)],
        "parents": [choose.whole(-1, i - 1) for i in range(n)],
        "backwards": [choose.flag() for _ in range(n)],
        "forces": choose.some(FORCES, 2) if forces else [],
        "seed": choose.whole(0, 2**20),
    }


def loop(choose, kinds, smallest):
    """A tree, and the kind of a joint that leaves it some freedom when it closes a loop."""
    tree = structure(choose, {kind: kinds[kind] for kind in kinds.keys() - {"free", "fixed"}}, smallest)
    all_free, freedom = kinds["free"], sum(kinds[kind] for kind in tree["kinds"])
    fitting = sorted(kind for kind in kinds if kinds[kind] < all_free < freedom + kinds[kind])
    return tree, choose.one(fitting) if fitting else None


@st.composite
def structures(draw, kinds, smallest=1, forces=True):
    """Structures by Hypothesis."""
    return structure(Drawn(draw), kinds, smallest, forces)


@st.composite
def loops(draw, kinds, smallest):
    """Loops by Hypothesis."""
    return loop(Drawn(draw), kinds, smallest)


class Builder:
    """A model from a structure; every number is drawn from the seed.  With ``damped`` False springs have no dampers."""

    def __init__(self, structure, planar):
        self.rng, self.planar, self.structure = np.random.default_rng(structure["seed"]), planar, structure
        self.n = 2 if planar else 3
        self.model = Model("random", plane="xy" if planar else None, gravity=self.numbers(self.n, 5.0))
        bodies = [self._body(i) for i in range(len(structure["kinds"]))]
        self.all = [self.model.ground, *bodies]
        for i, (kind, parent, backwards) in enumerate(
            zip(structure["kinds"], structure["parents"], structure["backwards"], strict=True)
        ):
            ends = self.marker(self.all[parent + 1]), self.marker(bodies[i])
            self._joint(f"J{i}", kind, *(ends[::-1] if backwards else ends))
        for i, force in enumerate(structure["forces"]):
            self._force(f"F{i}", force)
        for body in bodies:
            self.model.sensor(f"point of {body.name}", body.at(*self.numbers(self.n)).position)

    def numbers(self, count, size=0.5):
        return self.rng.uniform(-size, size, count)

    def _body(self, i):
        n, rng = self.n, self.rng
        if self.planar:
            inertia = rng.uniform(0.1, 0.5)
        else:
            a, b, c = rng.uniform(0.1, 0.4, 3)
            turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            inertia = turn @ np.diag([b + c, a + c, a + b]) @ turn.T
            inertia = 0.5 * (inertia + inertia.T)
        return self.model.body(f"body{i}", mass=rng.uniform(0.5, 2.0), inertia=inertia, com=self.numbers(n, 0.3))

    def marker(self, body):
        if self.planar:
            return body.at(*self.numbers(2), angle=self.rng.uniform(-6.0, 6.0))
        return body.at(*self.numbers(3), rotation=self.rng.normal(size=4))

    def _joint(self, name, kind, first, second):
        joint = getattr(self.model, kind)(name, first, second, **({"pitch": 0.4} if kind == "screw" else {}))
        for label in joint.coordinate_labels:
            joint.start |= {label: self.rng.uniform(-1, 1), f"{label}.rate": self.rng.uniform(-1, 1)}
        if any(not motion.is_scalar for motion in joint.free_motions):
            joint.start |= {"rotation": self.rng.normal(size=4), "angular_velocity": self.numbers(3, 1.0)}

    def two_bodies(self):
        i, k = self.rng.choice(len(self.all), 2, replace=False)
        return self.all[i], self.all[k]

    def _force(self, name, kind):
        m, n, damped = self.model, self.n, float(self.structure.get("damped", True))
        a, b = (self.marker(body) for body in self.two_bodies())
        if kind == "spring":
            m.spring(name, a, b, 20.0, damped, length=0.4)
        elif kind == "bushing":
            size = 3 if self.planar else 6
            m.bushing(name, a, b, self.rng.uniform(1, 5, size), damped * self.rng.uniform(0.1, 0.5, size))
        elif kind == "torque":
            m.torque(name, self.all[1], 0.7 if self.planar else (0.3, -0.2, 0.5))
            m.force(f"{name}f", b if a.body.is_ground else a, self.numbers(n, 3.0), frame="body")
        else:
            listed = [one for joint in m.joints for one in joint.own_coordinates.values()]
            if listed:
                chosen = listed[self.rng.integers(len(listed))]
                m.joint_spring(name, chosen, 3.0, 0.5 * damped, natural=0.1)

    def close(self, kind):
        """A joint between two bodies that meets where they stand: a loop."""
        at = Start(self.model, self.model.bodies, self.model.joints, {}, {}, {})
        first, second = self.two_bodies()
        a, b = at.marker(self.marker(first)), at.bodies[second.name]
        place, turn = b.R.T @ (a.r - b.r), b.R.T @ a.R
        here = at.bodies[first.name]
        own = first.at(*(here.R.T @ (a.r - here.r))[: self.n], **self._turned(here.R.T @ a.R))
        other = second.at(*place[: self.n], **self._turned(turn))
        # Screws count turns: at the angle zero they have not advanced.
        more = {"pitch": 0.4} if kind == "screw" else {}
        getattr(self.model, kind)("loop", own, other, cut=True, **more)

    def settle(self, equations, state):
        """Take over a state as the start of all joints: it is then the same in all coordinates."""
        for joint in self.model.joints:
            for one in joint.own_coordinates.values():
                value, rate = (float(equations.evaluate_quantity(item, state)) for item in (one, one.rate))
                joint.start |= {one.label: value, f"{one.label}.rate": rate}
            if any(not motion.is_scalar for motion in joint.free_motions):
                A, B = joint.first, joint.second
                R_A, R_B = (equations.evaluate_quantity(marker.rotation, state) for marker in (A, B))
                w_A, w_B = (equations.evaluate_quantity(marker.angular_velocity, state) for marker in (A, B))
                joint.start |= {
                    "rotation": to_euler_parameters(R_A.T @ R_B),
                    "angular_velocity": w_B - R_B.T @ R_A @ w_A,
                }

    def _turned(self, R):
        if self.planar:
            return {"angle": float(np.arctan2(R[1, 0], R[0, 0]))}
        return {"rotation": to_euler_parameters(R)}
