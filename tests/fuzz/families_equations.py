"""Equations at one state: linearisations beside differences, reactions beside the forces that replace a joint, starts
that are given completely; and exported C beside the run."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.families_relations import Template
from fuzz.family import Family, Outcome, WrongError, described
from fuzz.mechanisms import FORMULATIONS, TEMPLATES, drawn_parameters, random_mechanism, template

import dalembert as da
from dalembert.errors import DalembertError
from dalembert.model.model import Model


class Linearised(Template):
    """Eigenvalues at an equilibrium, in two formulations, and by differences of the accelerations."""

    name = "linearise next to differences"
    per_model = 64
    per_motion = 1

    def model(self, rng: np.random.Generator) -> Any:
        name = str(rng.choice(list(TEMPLATES)))
        m, names = template(name)
        both = [m.equations(c, builder=b) for c, b in (FORMULATIONS[k] for k in rng.choice(4, 2, replace=False))]
        return name, m, names, m.equations("relative", builder="symbolic"), both

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        values = drawn_parameters(rng)
        return values, self.started(model[:4], rng, values)

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        name, m, _, tree, both = model
        values, start = motion
        rest = tree.equilibrium(start.q, parameters=values)
        reference = differences(tree, rest, values)
        worst = 0.0
        for equations in (tree, *both):
            if equations is tree:
                state = rest
            else:
                given = {}
                for joint in m.joints:
                    for one in joint.own_coordinates.values():
                        given[one], given[one.rate] = float(tree.evaluate_quantity(one, rest)), 0.0
                state = equations.assemble(given, parameters=values)
            places = [(tree, rest), (equations, state)]
            there, here = ([one.evaluate_quantity(b.com.position, at, values) for b in m.bodies] for one, at in places)
            if not np.allclose(there, here, atol=1e-6):  # bodies without a joint may have another place that closes
                continue
            found = np.asarray(equations.linearise(state, parameters=values).eigenvalues)
            size = np.abs(reference).max()
            error = max(np.abs(found - one).min() for one in reference) / size
            error = max(error, max(np.abs(reference - one).min() for one in found) / size)
            worst = max(worst, error)
            # A double eigenvalue moves with the root of what differences leave.
            if found.size != reference.size or not error < 1e-4:
                raise WrongError(
                    f"{name}, {described(equations)}, {values}, {described(state)}: eigenvalues {found}, "
                    f"by differences {reference}"
                )
        return Outcome("fine", worst)


def differences(equations: Any, rest: da.State, values: dict[str, float]) -> np.ndarray:
    """Eigenvalues of a model in relative coordinates, whose constraints are solved for independent coordinates."""
    q, n = rest.q, rest.q.size
    G = np.atleast_2d(equations.evaluate("G", q=q, parameters=values)) if rest.lam.size else np.zeros((0, n))
    _, sizes, rows = np.linalg.svd(G) if G.size else (None, np.zeros(0), np.eye(n))
    N = rows[sizes.size :].T  # independent directions
    h = 1e-4

    def at(z: np.ndarray, dz: np.ndarray) -> np.ndarray:
        moved = q + N @ z
        for _ in range(20 if G.size else 0):  # back onto the constraints, across the directions
            g = equations.evaluate("g", q=moved, parameters=values)
            moved = moved - np.linalg.pinv(equations.evaluate("G", q=moved, parameters=values)) @ g
        v = N @ dz
        if G.size:
            now = equations.evaluate("G", q=moved, parameters=values)
            v = v - np.linalg.pinv(now) @ (now @ v)
        a, _ = equations.forward_dynamics(moved, v, parameters=values)
        return N.T @ a

    k = N.shape[1]
    A = np.zeros((2 * k, 2 * k))
    A[:k, k:] = np.eye(k)
    zero = np.zeros(k)
    for j in range(k):
        e = np.eye(k)[j] * h
        A[k:, j] = (8 * (at(e, zero) - at(-e, zero)) - (at(2 * e, zero) - at(-2 * e, zero))) / (12 * h)
        A[k:, k + j] = (8 * (at(zero, e) - at(zero, -e)) - (at(zero, 2 * e) - at(zero, -2 * e))) / (12 * h)
    return np.linalg.eigvals(A)


class Reactions(Family):
    """A joint is replaced by its reactions: accelerations stay, so that the power of reactions is that of the joint."""

    name = "reactions next to virtual power"
    per_model = 16
    per_motion = 1

    def model(self, rng: np.random.Generator) -> Any:
        while True:
            builder = random_mechanism(rng)
            joints = [one for one in builder.model.joints if one.rows or one.kind not in ("free", "planar_joint")]
            joints = [
                one for one in joints if one.kind != "free" and not (builder.planar and one.kind == "planar_joint")
            ]
            used = {
                c.joint.name
                for e in builder.model.elements
                for c in getattr(e, "coordinates", ())
                if e not in builder.model.joints
            }
            joints = [one for one in joints if one.name not in used]
            if joints:
                break
        joint = joints[rng.integers(len(joints))]
        text = builder.model.to_toml()
        m = da.io.parse_model(text).model
        twin = without(text, joint.name)
        A, B = joint.first, joint.second
        planar = builder.planar
        twin.parameters(
            **{f"f{k}": 0.0 for k in range(2 if planar else 3)}, **{f"n{k}": 0.0 for k in range(1 if planar else 3)}
        )
        a, b = (same_marker(twin, one, planar) for one in (A, B))
        reaction = None if A.body.is_ground else a.body
        twin.force(
            "joint force",
            b,
            (lambda p: (p.f0, p.f1)) if planar else (lambda p: (p.f0, p.f1, p.f2)),
            frame=a,
            reaction=reaction,
        )
        if planar:
            twin.torque("joint torque", b, lambda p: p.n0, reaction=reaction)
        else:
            twin.torque("joint torque", b, lambda p: (p.n0, p.n1, p.n2), frame=a, reaction=reaction)
        builder_of = [str(rng.choice(["symbolic", "elements"])) for _ in range(2)]
        one, other = m.equations("absolute", builder=builder_of[0]), twin.equations("absolute", builder=builder_of[1])
        first = builder.model.equations("relative")
        return builder, joint, first, one, other

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        first = model[2]
        state = first.assemble()
        found = da.simulate(first, (0.0, 2.0), state, rtol=1e-6, max_steps=500)
        return found.state(int(rng.integers(found.t.size)))

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        _, joint, first, one, other = model
        force = np.ravel(first.evaluate_quantity(joint.force, motion))
        torque = np.ravel(first.evaluate_quantity(joint.torque, motion))
        places, speeds = poses(first, motion, one)
        a, _ = one.forward_dynamics(places, speeds)
        values = {f"f{k}": float(x) for k, x in enumerate(force)} | {f"n{k}": float(x) for k, x in enumerate(torque)}
        b, _ = other.forward_dynamics(places, speeds, parameters=values)
        size = max(1.0, np.abs(a).max(), np.abs(force).max(initial=0), np.abs(torque).max(initial=0))
        error = float(np.abs(a - b).max() / size)
        if not error < 1e-6:
            raise WrongError(
                f"accelerations with '{joint.name}' ({joint.kind}) {a}, with its reactions {b}: {described(first)}, "
                f"{described(motion)}"
            )
        return Outcome("fine", error)


def without(text: str, joint: str) -> Model:
    """A model file without one of its joints."""
    tables = re.split(r"\n(?=\[)", text)
    kept = [one for one in tables if not one.startswith((f"[joints.{joint}]", f"[joints.{joint}.", "[sensors]"))]
    return da.io.parse_model("\n".join(kept)).model


def same_marker(m: Model, marker: Any, planar: bool) -> Any:
    """The marker of another model with the same place."""
    body = m.ground if marker.body.is_ground else m[marker.body.name]
    place, R = np.asarray(marker.r, dtype=float), np.asarray(marker.R, dtype=float)
    if planar:
        return body.at(*place[:2], angle=float(np.arctan2(R[1, 0], R[0, 0])))
    return body.at(*place, rotation=R)


def poses(first: Any, state: da.State, absolute: Any) -> tuple[np.ndarray, np.ndarray]:
    """Poses and velocities of all bodies, as equations in absolute coordinates have them."""
    from dalembert.model.bodies.orientation import to_euler_parameters

    q, v = np.zeros(absolute.sizes.q), np.zeros(absolute.sizes.v)
    planar = first.model.planar

    def value(item: Any) -> np.ndarray:
        return np.asarray(first.evaluate_quantity(item, state), dtype=float)

    for body in first.model.bodies:
        at, speed = value(body.com.position), value(body.com.velocity)
        for k, letter in enumerate("xy" if planar else "xyz"):
            q[absolute.index("q", f"{body.name}.{letter}")] = at[k]
        if planar:
            q[absolute.index("q", f"{body.name}.angle")] = value(body.angle)  # with whole turns, which springs count
            names, turning = ("vx", "vy", "rate"), [*speed, float(value(body.angular_velocity))]
            for name, one in zip(names, turning, strict=True):
                v[absolute.index("v", f"{body.name}.{name}")] = one
        else:
            e, w = to_euler_parameters(value(body.rotation)), value(body.angular_velocity)
            for k in range(4):
                q[absolute.index("q", f"{body.name}.p{k}")] = e[k]
            for k, letter in enumerate("xyz"):
                v[absolute.index("v", f"{body.name}.v{letter}")] = speed[k]
                v[absolute.index("v", f"{body.name}.w{letter}")] = w[k]
    # Angles in space that springs count the turns of are coordinates of their own.
    for one in (one for joint in first.model.joints for one in joint.own_coordinates.values()):
        for numbers, key, item in ((q, "q", one), (v, "v", one.rate)):
            if item.name in absolute.names[key]:
                numbers[absolute.index(key, item.name)] = float(value(item))
    return q, v


class Starts(Family):
    """Random loops: values of all joints that close the loop exactly are kept."""

    name = "starts that close loops"
    per_model = 8
    per_motion = 1

    def model(self, rng: np.random.Generator) -> Any:
        builder = random_mechanism(rng)
        return builder, [builder.model.equations(c, builder=b) for c, b in FORMULATIONS]

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        return None

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        builder, forms = model
        equations = forms[rng.integers(len(forms))]
        scalar = [
            one for joint in builder.model.joints for one in joint.own_coordinates.values() if joint.name != "loop"
        ]
        if not scalar:
            return Outcome("no motion")
        state = equations.assemble()
        asked = list(rng.permutation(len(scalar)))[: int(rng.integers(1, len(scalar) + 1))]
        given = {scalar[k]: float(equations.evaluate_quantity(scalar[k], state)) for k in asked}
        found = equations.assemble(given)
        for one, value in given.items():
            now = float(equations.evaluate_quantity(one, found))
            if not abs(now - value) < 1e-6 * max(1.0, abs(value)):
                raise WrongError(f"{described(equations)}: {one.name} was given as {value}, is {now}")
        for one in scalar:
            wanted, now = one.joint.start.get(one.label), float(equations.evaluate_quantity(one, state))
            if wanted is not None and not abs(now - wanted) < 1e-4 * max(1.0, abs(wanted)):
                raise WrongError(f"{described(equations)}: the start of {one.name} is {wanted}, assemble gives {now}")
        return Outcome("fine")


class Exported(Template):
    """Exported C, with parameters of the case, next to the run."""

    name = "exported C next to the run"
    per_model = 48
    per_motion = 1
    share = 0.25
    STEP = 2e-3

    def model(self, rng: np.random.Generator) -> Any:
        from export.exported import Stepper

        name = str(rng.choice(list(TEMPLATES)))
        m, names = template(name)
        equations = m.equations(str(rng.choice(["relative", "absolute"])), builder="symbolic")
        step, fixed = self.STEP, da.FixedStep(size=self.STEP)
        methods = {
            "imex": da.Imex(step=step), "linear_euler": da.LinearlyImplicitEuler(step=step),
            "linear_trapezoidal": da.LinearlyImplicitTrapezoidal(step=step), "euler": da.ExplicitEuler(step=step),
            "dopri5": da.Dopri5(controller=fixed), "dop853": da.Dop853(controller=fixed),
        }  # fmt: skip
        method = methods[str(rng.choice(list(methods)))]
        folder = tempfile.TemporaryDirectory()
        start = self.started(
            (name, m, names, equations), rng, {key: float(x) for key, x in equations.parameters.items()}
        )
        outputs = [*equations.names["q"], *equations.names["v"]]
        files = da.export_c(equations, method, Path(folder.name), name="sim", start=start, outputs=outputs)
        return equations, method, start, Stepper(files), folder

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        return None

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        equations, method, start, stepper, _ = model
        values = drawn_parameters(rng)
        vector = np.asarray(equations.parameter_vector(values), dtype=float)
        steps = int(rng.integers(5, 60))
        span = (start.t, start.t + (steps + 0.5) * self.STEP)
        try:
            found = da.simulate(equations, span, start, method=method, parameters=values, dense_output=False)
        except DalembertError as error:
            status = stepper.init(vector)
            return Outcome("refused", detail=f"C: {status}; {error}")
        status = stepper.init(vector) or next((code for _ in range(steps) if (code := stepper.step())), 0)
        if not found.success or status:
            if found.success and found.t.size == steps + 2:
                raise WrongError(f"C ends with {status}, the run does not: {described(equations)}, {method}, {values}")
            return Outcome("ended", detail=f"C: {status}; {found.message}")
        ours = np.concatenate([found.q[:, steps], found.v[:, steps]])
        error = float(np.abs(stepper.read()[: ours.size] - ours).max() / max(1.0, np.abs(ours).max()))
        # Linearly implicit methods weigh the drift of constraints by sizes of the parameters at export.
        weighed = isinstance(method, (da.LinearlyImplicitEuler, da.LinearlyImplicitTrapezoidal)) and equations.sizes.g
        if not error < (1e-4 if weighed else 1e-7):
            raise WrongError(f"C is off by {error:.3g} after {steps} steps: {described(equations)}, {method}, {values}")
        return Outcome("fine", error)


FAMILIES = (Linearised, Reactions, Starts, Exported)
