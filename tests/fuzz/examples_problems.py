"""Valid calls of problems and mechanisms."""

from __future__ import annotations

from typing import Any

import numpy as np
from fuzz.example_world import Call, add, call

import dalembert as da
from dalembert import problems
from dalembert.problems import mechanisms

add("problems.get", lambda w, k: call(problems.get, "pendulum", m=2.0))
add("problems.names", lambda w, k: call(problems.names))
_PROBLEMS: dict[str, dict[str, Any]] = {
    "a01": {"t_end": 10.0}, "a02": {"n": 3, "t_end": 1.0}, "a03": {}, "cable_drum": {"mu": 0.25, "t_end": 1.0},
    "carriage": {"builder": "elements"},
    "double_pendulum": {"m1": 1.0, "m2": 1.0, "L1": 1.0, "L2": 1.0, "g": 9.81, "t_end": 1.0},
    "elastic_pendulum": {"epsilon": 0.02, "gamma": 10.0, "start": "rigid", "t_end": 0.1},
    "elastic_truck": {"beta": 1e-5, "modes": 2},
    "excited_chain": {"n": 3, "g": 9.81, "t_end": 0.1},
    "insulator_chain": {"n": 3, "joints": "constraints", "t_end": 0.1},
    "pendulum": {"m": 1.0, "L": 1.0, "g": 1.0, "q0": (1.0, 0.0), "v0": (0.0, 1.0), "t_end": 1.0},
    "pendulum_chain": {"n": 3, "length": 1.0, "mass": 1.0, "g": 9.81, "t_end": 1.0}, "seven_body": {},
    "slider_crank": {"start": "smooth", "stiffness": "linear", "damping": False, "gravity": 0.0, "crank": "constant"},
    "stiff_double_pendulum": {"start": "rest"}, "truck": {"variant": "joint", "springs": "air"},
    "truck_surrogate": {"excitation": "sine"},
}  # fmt: skip
for _name, _options in _PROBLEMS.items():
    add(f"problems.{_name}", (lambda f, options: lambda w, k: call(f, **options))(getattr(problems, _name), _options))
_MECHANISMS: dict[str, dict[str, Any]] = {
    "a01": {"t_end": 1.0}, "a02": {"n": 2, "t_end": 1.0}, "a03": {}, "bricard": {}, "chain": {"n": 2},
    "double_wishbone": {}, "elastic_truck": {"beta": 1e-5},
    "flexible_slider_crank": {"nonlinear": True, "damping": True},
    "four_bar": {"driven": True}, "free_body": {}, "pendulum": {"amplitude": 2.0},
    "hmmwv14": {"stiff": True, "locked": True, "road": "envelope"},
    "axle_rig": {"amplitude": 0.02, "fastest": 4.0, "slowest": 1.0, "bar": 0.0},
    "steered_car": {"stiff": True, "steering": "prescribed", "expensive": True, "amplitude": 0.01},
    "rolling_disc": {"tilt": 1.2, "w": (0.3, 1.0, -5.0)}, "seven_body": {}, "slider_crank": {},
    "delta_robot": {"balls": False}, "spatial_slider_crank": {},
    "wheelset": {"speed": 10.0, "profiles": "cone", "law": "linear", "friction": 0.3, "springs": 1.0, "distance": 50.0},
    "bogie": {"speed": 10.0, "profiles": "cone", "law": "polach", "lateral": 1e-3, "distance": 60.0},
    "locomotive": {"scenario": "S0", "data": "published", "irregular": False},
    "stewart_platform": {}, "top": {"tilt": 0.5, "spin": 120.0, "precession": 0.0},
}  # fmt: skip
for _name, _options in _MECHANISMS.items():
    add(f"mechanisms.{_name}",
         (lambda f, options: lambda w, k: call(f, **options))(getattr(mechanisms, _name), _options))  # fmt: skip
add("Example", lambda w, k: (lambda l: Call(
    mechanisms.Example, (l.m,), {"span": (0.0, 1.0), "start": {"pin.angle": 0.1}},
    lambda it: it.assemble(l.m.equations())))(w.plane))  # fmt: skip
add("Example.assemble", lambda w, k: (lambda it: call(it.assemble, it.model.equations(), t=0.0))(mechanisms.pendulum()))
add("Observation", lambda w, k: call(mechanisms.Observation, 1.0, {"x": 1.0}, digits=3, source="here"))
add("Reference", lambda w, k: Call(problems.Reference, (1.0,), {"q": [1.0], "digits": 3, "source": "here"},
                                    lambda it: it.trusted("q")))  # fmt: skip
add("Reference.trusted", lambda w, k: call(problems.Reference(1.0, q=[1.0], digits={"q": 3}, source="x").trusted, "q"))
add("ElementGroup", lambda w, k: call(problems.ElementGroup, "one", [[0, 1]], M=lambda p: np.eye(2), data={"m": 1.0}))
add("Problem", lambda w, k: Call(
    problems.Problem, ("own",),
    {"title": "a", "story": "b", "citation": "c", "coordinates": ["x"], "parameters": {"m": 1.0}, "span": (0.0, 0.01),
     "q0": [1.0], "v0": [0.0], "sketch": lambda t, q, p: {"x": [(q[0], q[0])]},
     "functions": {"M": lambda p: p.m * np.eye(1), "f": lambda q: -q}},
    lambda it: it.draw(da.simulate(it, max_steps=3), 5)))  # fmt: skip
add("Problem.draw", lambda w, k: (lambda it: call(it.draw, da.simulate(it, (0, 0.01), max_steps=3), 10))(
    problems.pendulum()))  # fmt: skip
add("Problem.reference", lambda w, k: call(problems.seven_body().reference, 0.03))
