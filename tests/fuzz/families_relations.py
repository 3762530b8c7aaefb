"""Relations between runs: what must be the same in other units, in another order, with numbers or parameters, by
another solver, after a stop and a file."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from fuzz.family import (
    Family,
    Groups,
    Motion,
    Outcome,
    WrongError,
    at_times,
    by_runs,
    described,
    options_of,
    run,
    scaled_steps,
)
from fuzz.mechanisms import FORMULATIONS, TEMPLATES, drawn_parameters, random_mechanism, scaled, template
from integrate.pieces import same

import dalembert as da

UNIT = (1.0, 1.0, 1.0)


def by_name(joint_names: list[str], rng: np.random.Generator) -> dict[str, float]:
    """Values of coordinates and their rates at a start, without units."""
    return {name: float(rng.uniform(-0.5, 0.5)) for name in joint_names} | {
        f"{name}.rate": float(rng.uniform(-1, 1)) for name in joint_names
    }


class Template(Family):
    """Templates with parameters: a model, the names that starts may give."""

    per_model: ClassVar[int] = 128
    per_motion: ClassVar[int] = 8

    templates: ClassVar[tuple[str, ...]] = tuple(TEMPLATES)

    def model(self, rng: np.random.Generator) -> Any:
        name = str(rng.choice(self.templates))
        m, names = template(name)
        coordinates, builder = FORMULATIONS[rng.integers(len(FORMULATIONS))]
        return name, m, names, m.equations(coordinates, builder=builder)

    def started(
        self, model: Any, rng: np.random.Generator, values: dict[str, float], scales: tuple[float, float, float] = UNIT
    ) -> Any:
        """A start of a template, drawn without units."""
        _, m, names, equations = model
        given = {}
        for name in names:
            joint, _, label = name.partition(".")
            coordinate = m[joint].own_coordinates[label]
            size = 1.0 if coordinate.is_angle else scales[1]
            given[coordinate] = size * float(rng.uniform(-0.5, 0.5))
            given[coordinate.rate] = size / scales[2] * float(rng.uniform(-1, 1))
        return equations.assemble(given, parameters=values)


def tip(found: Any) -> Groups:
    return [np.atleast_2d(found["tip"])]


class Scales(Template):
    """Masses, lengths and times in other units."""

    name = "scales of mass, length, time"
    #: Those whose starts are given completely.
    templates = tuple(name for name in TEMPLATES if name != "crane")

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        values, chance = drawn_parameters(rng), int(rng.integers(2**31))
        span = (0.0, float(rng.uniform(0.5, 2.5)))
        start = self.started(model, np.random.default_rng(chance), values)
        plain = by_runs(model[-1], span, start, at_times(rng, span), tip, values, rtol=1e-9)
        scales = tuple(10.0 ** rng.uniform(-3, 3, 3))
        there = scaled(values, scales)
        start = self.started(model, np.random.default_rng(chance), there, scales)
        rough = da.simulate(
            model[-1],
            (0.0, span[1] * scales[2]),
            start,
            parameters=there,
            method="dop853",
            rtol=1e-5,
            atol=1e-9 * min(1.0, scales[1], scales[1] / scales[2]),
        )
        parts = [np.abs(x).max(axis=1, initial=0.0) for x in (rough.q, rough.v, rough.u)]
        sizes = np.concatenate([np.maximum(x, 1e-3 * x.max(initial=0.0)) for x in parts])
        return plain, scales, there, start, np.maximum(sizes, 1e-12)

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        plain, scales, there, start, sizes = motion
        options = options_of(rng)
        options["atol"] = 1e-2 * options["rtol"] * sizes
        moved = Motion(**{
            **vars(plain), "span": (0.0, plain.span[1] * scales[2]), "times": plain.times * scales[2], "start": start,
            "parameters": there, "sizes": (float(sizes.max()), float(sizes.max())),
        })  # fmt: skip
        return run(model[-1], moved, options, lambda found: [one / scales[1] for one in tip(found)])


class Override(Template):
    """Parameters of a run next to a model with these numbers."""

    name = "parameters next to numbers"
    per_model = 16

    def model(self, rng: np.random.Generator) -> Any:
        made = super().model(rng)
        values = drawn_parameters(rng)
        twin, _ = template(made[0], values)
        how = made[-1].how
        return *made, values, twin.equations(how.options.coordinates, builder=how.builder)

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        values = model[4]
        start = self.started(model[:4], rng, values)
        span = (0.0, float(rng.uniform(0.5, 2.0)))
        return by_runs(model[3], span, start, at_times(rng, span), tip, values, rtol=1e-9)

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        equations, values, twin = model[3:]
        start = motion.start
        ours = equations.forward_dynamics(start.q, start.v, parameters=values)
        a, lam = twin.forward_dynamics(start.q, start.v)
        rows = [twin.index("lam", name) for name in equations.names["lam"]]  # equal elements stand together
        theirs = a, lam[rows]
        for what, a, b in zip(("accelerations", "multipliers"), ours, theirs, strict=True):
            if a.size and not np.abs(a - b).max() <= 1e-8 * max(1.0, np.abs(b).max()):
                raise WrongError(
                    f"{what} of {described(equations)} at {described(start)} with {values}: {a}, by numbers {b}"
                )
        plain = Motion(**{**vars(motion), "parameters": {}})
        return run(twin, plain, options_of(rng), tip)


class Resumed(Family):
    """Runs that stop at a step, are stored, loaded and resumed."""

    name = "store, load, resume"
    per_model = 48

    def model(self, rng: np.random.Generator) -> Any:
        builder = random_mechanism(rng)
        coordinates, how = FORMULATIONS[rng.integers(len(FORMULATIONS))]
        return builder.model.equations(coordinates, builder=how)

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        return model.assemble(), (0.0, float(rng.uniform(0.2, 1.0)))

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        start, span = motion
        options = scaled_steps(options_of(rng), span)
        options |= {"rtol": max(options["rtol"], 1e-6), "max_steps": 2000}
        if rng.random() < 0.3:
            options["t_eval"] = np.linspace(*span, 7)
        whole = da.simulate(model, span, start, **options)
        if not whole.success or whole.outcome == "step limit" or whole.statistics.steps < 2:
            return Outcome("ended", detail=whole.message)
        stop = int(rng.integers(1, whole.statistics.steps))
        part = da.simulate(model, span, start, **{**options, "max_steps": stop})
        with tempfile.TemporaryDirectory() as folder:
            loaded = da.load(part.save(Path(folder, "part.nc")))
            again = da.resume(loaded, model, max_steps=2000)
            final = da.load(again.save(Path(folder, "whole.nc")))
        try:
            same(again, whole)
            for part in ("t", "q", "v", "a", "lam", "u"):
                assert np.array_equal(getattr(final, part), getattr(whole, part)), part
        except AssertionError as error:
            raise WrongError(
                f"{described(model)}, {options}, stopped after {stop} of {whole.statistics.steps} steps: {error}"
            ) from None
        return Outcome("fine")


def shuffled(text: str, rng: np.random.Generator) -> str:
    """A model file with its tables in another order."""
    head, *tables = re.split(r"\n(?=\[(?:bodies|joints|forces)\.)", text)
    last, *rest = re.split(r"\n(?=\[(?!bodies|joints|forces))", tables[-1])
    tables[-1] = last
    rng.shuffle(tables)
    return "\n".join([head, *tables, *rest])


class Permuted(Family):
    """Random mechanisms with bodies, joints and forces in another order."""

    name = "permutations of bodies"
    per_model = 16

    def model(self, rng: np.random.Generator) -> Any:
        builder = random_mechanism(rng)
        while any(not motion.is_scalar for joint in builder.model.joints for motion in joint.free_motions):
            builder = random_mechanism(rng)
        text = builder.model.to_toml()
        ways = [FORMULATIONS[rng.integers(len(FORMULATIONS))] for _ in range(2)]
        other = da.io.parse_model(shuffled(text, rng)).model
        # Starts of joints are no part of a model file's joints: both take the state of bodies.
        first, second = (m.equations(c, builder=b) for m, (c, b) in zip((builder.model, other), ways, strict=True))
        return builder, other, first, second

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        builder, _, first, second = model
        span = (0.0, float(rng.uniform(0.1, 0.6)))
        start = first.assemble()
        given: dict[Any, float] = {}
        for joint in builder.model.joints:
            if joint.name == "loop":
                continue
            for one in joint.own_coordinates.values():
                for item in (one, one.rate):
                    given[item.name] = float(first.evaluate_quantity(item, start))
        other = second.assemble(given)
        names = list(builder.model.sensors)
        measured = lambda found: [np.vstack([np.atleast_2d(found[name]) for name in names])]  # noqa: E731
        motion = by_runs(first, span, start, at_times(rng, span), measured, None, rtol=1e-9)
        return Motion(**{**vars(motion), "start": other}), measured

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        return run(model[3], motion[0], options_of(rng), motion[1])


class Solvers(Family):
    """Random mechanisms by the solver that is chosen and by others: the same motion in as many steps."""

    name = "solvers next to dense"
    per_model = 24
    SOLVERS = ("auto", "sparse", "symmetric", "recursive", "skyline", "range", "minimal", "composite")

    def model(self, rng: np.random.Generator) -> Any:
        builder = random_mechanism(rng)
        ways = [one for one in FORMULATIONS if one != ("relative", "symbolic")]
        coordinates, how = ways[rng.integers(len(ways))]
        names = list(builder.model.sensors)
        measured = lambda found: [np.vstack([np.atleast_2d(found[name]) for name in names])]  # noqa: E731
        return builder.model.equations(coordinates, builder=how), measured

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        equations, measured = model
        span = (0.0, float(rng.uniform(0.1, 0.6)))
        return by_runs(
            equations, span, equations.assemble(), at_times(rng, span), measured, rtol=1e-9, solver="dense",
            formalism="contract",
        )  # fmt: skip

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        equations, measured = model
        options = options_of(rng, ["dop853", "mexx", "radau", "radau9", "adams", "bdf"]) | {"formalism": "contract"}
        free = Motion(**{**vars(motion), "options": {}})
        told = run(equations, free, options | {"solver": str(rng.choice(self.SOLVERS))}, measured)
        options = scaled_steps(options, motion.span)
        common = {"t_eval": motion.times, **options}
        steps = [
            da.simulate(equations, motion.span, motion.start, solver=one, **common).statistics.steps
            for one in ("auto", "dense")
        ]
        if steps[0] > 1.5 * steps[1] + 5:
            raise WrongError(
                f"{steps[0]} steps by the solver that is chosen, {steps[1]} by dense: {described(equations)}, "
                f"{options}, span {motion.span}"
            )
        return told


FAMILIES = (Scales, Override, Resumed, Permuted, Solvers)
