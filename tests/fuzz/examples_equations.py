"""Valid calls of equations: tracing, elements, questions to them, recursions over trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from fuzz.example_world import Call, Maker, World, add, call, numbered

import dalembert as da
from dalembert import linalg
from dalembert.symbolic import Graph, array, zeros


def _question(name: str, /, *needed: str, **options: Any) -> Maker:
    """A question to equations of any builder; options are made of the equations and their start."""

    def make(w: World, k: int) -> Call:
        _, eqs, start = w.case(k)
        return call(
            getattr(eqs, name),
            *(getattr(start, key) for key in needed),
            **{key: value(eqs) if callable(value) else value for key, value in options.items()},
        )

    return make


def _first(key: str) -> Callable[[Any], Any]:
    return lambda eqs: [eqs.names[key][0]]


def _none(eqs: Any) -> dict[str, Any]:
    return {}


def _trace_example(w: World, k: int) -> Call:
    def follow(eqs: Any) -> Any:
        start = eqs.assemble(np.full(eqs.sizes.q, 0.5), v=np.zeros(eqs.sizes.v), u=np.zeros(eqs.sizes.u))
        return eqs.forward_dynamics(start.q, start.v, start.u)

    common = {
        "M": lambda p: p.m * np.eye(2), "f": lambda q, v, u: -q - v + u[0], "n_q": 2, "n_v": 2, "n_u": 1,
        "d": lambda u: -u, "parameters": {"m": 1.0, "l": 1.0},
    }  # fmt: skip
    if k % 4 == 3:  # s = |q|²
        return Call(da.trace, (), {**common, "f": lambda q, v: -q[:2] * q[2] - v, "n_q": 3, "n_u": 0, "d": None,
                    "auxiliary": lambda q: np.array([q[2] - q[0] ** 2 - q[1] ** 2])}, follow)  # fmt: skip
    if k % 4 == 0:
        return Call(da.trace, (), {**common, "g": lambda q, p: np.array([q @ q - p.l**2]), "breaks": [1.0],
                    "names": {"q": ["x", "y"], "lam": ["rod"]}, "name": "traced"}, follow)  # fmt: skip
    if k % 4 == 1:
        return Call(da.trace, (), {**common, "T": lambda: np.eye(2), "normalize": lambda q: q,
                    "nonholonomic": lambda v: v[:1]}, follow)  # fmt: skip
    return Call(da.trace, (), {**common, "f": da.numeric(lambda q, v: -q - v), "w": lambda t: np.array([t])}, follow)


add("trace", *[_trace_example] * 4)
add("column_groups", lambda w, k: Call(
    da.column_groups, ([0, 0, 1, 2], [0, 2, 1, 0], (3, 4)), {}, lambda groups: groups.max()))  # fmt: skip
add("linalg.longest_row", lambda w, k: Call(linalg.longest_row, ([0, 0, 1], [0, 2, 1]), {}, int))
add("linalg.consistent", lambda w, k: Call(linalg.consistent, ([0, 1, 1], [0, 0, 1], [0, 2, 1]), {}, bool))
add("numeric", lambda w, k: Call(
    da.numeric, (lambda q, v: -q - v,), {"depends": {"q": np.eye(2), "v": np.eye(2)}},
    lambda f: (lambda e: e.forward_dynamics([0.1, 0.2]))(da.trace(M=lambda: np.eye(2), f=f, n_q=2))))  # fmt: skip
add("Elements", lambda w, k: Call(
    da.Elements, ("chain",), {"coordinates": ["x", "y"], "velocities": ["a", "b"], "states": ["u"],
                              "parameters": {"g": 9.81}, "breaks": [1.0]},
    lambda e: e.add("one", coordinates=[[0, 1]], velocities=[[0, 1]], M=lambda: np.eye(2))))  # fmt: skip


def _elements(states: Any = None) -> Any:
    elements = da.Elements("chain", coordinates=["x", "y", "z"], parameters={"g": 9.81}, states=states)
    elements.add("mass", coordinates=[[0], [1], [2]], M=lambda: np.eye(1))
    return elements


def _element(w: World, k: int) -> Call:
    elements = _elements(["u"])
    return Call(
        elements.add, ("link",),
        {"coordinates": [[0, 1], [1, 2]], "f": lambda q, p: -p.k * q, "g": lambda q: q[:1] - q[1:],
         "data": {"k": [1.0, 2.0]}, "row_names": [["a"], ["b"]], "states": [[0], [0]],
         "d": lambda u: -u},
        lambda result: elements.equations(),
    )  # fmt: skip


add("Elements.add", _element)


def _expression_element(w: World, k: int) -> Call:
    elements = da.Elements("chain", coordinates=["x", "y"])
    elements.add("mass", coordinates=[[0], [1]], M=lambda: np.eye(1))
    found = w.equations["traced"].expressions
    return Call(elements.add_expressions, ("link", found),
                {"coordinates": [[0, 1]], "data": {"m": 1.0, "l": 1.0}, "row_names": [["a"]]},
                lambda result: elements.equations())  # fmt: skip


add("Elements.add_expressions", _expression_element)


def _contracted_element(w: World, k: int) -> Call:
    from dalembert.equations.builders.contraction import ContractedFormulas, Products

    graph = Graph()
    inputs = {key: graph.variables(key, 2) for key in ("q", "v", "a")}
    inputs |= {key: zeros((0,)) for key in ("p", "u", "lam", "mu")} | {"t": graph.variables("t", 1)}
    products = Products(graph, {key: (0, inputs[key]) for key in ("q", "v", "a")})
    balance = inputs["a"] + products.times(np.array([[2.0, -1.0], [-1.0, 2.0]]), "q")
    elements = da.Elements("chain", coordinates=["x", "y"])
    elements.add("mass", coordinates=[[0], [1]], M=lambda: np.eye(1))
    formulas = ContractedFormulas("springs", inputs, array(balance), products)
    return Call(elements.add_contraction, ("springs", formulas), {"coordinates": [[0, 1]]},
                lambda result: elements.equations())  # fmt: skip


add("Elements.add_contraction", _contracted_element)
add("Elements.equations", lambda w, k: call(_elements().equations))
add(
    "Equations.assemble",
    _question("assemble", "q", "v", "u", t=0.0, held=(), parameters=_none, redundant="refuse"),
    _question("assemble", "q", held=_first("q"), held_velocities=_first("v")),
    lambda w, k: call(w.equations["relative"].assemble, {"pin.angle": 0.3}, {"pin.rate": 0.0}),
)
add("Equations.check", _question("check", "q", "v", "u", t=0.0, parameters=_none, redundant="accept"))
add("Equations.default", _question("default", key="q"))
add("Equations.degrees_of_freedom", _question("degrees_of_freedom", "q", t=0.0, parameters=_none))
add(
    "Equations.equilibrium",
    _question("equilibrium", "q", held=_first("q"), stable=False, t=0.0, parameters=_none),
    lambda w, k: call(
        w.plane.m.equations().equilibrium, {"pin.angle": -1.5}, velocities={"slide.rate": 0.0, "pin.rate": 0.0}
    ),
)
add("Equations.evaluate", lambda w, k: (lambda eqs, at: call(
    eqs.evaluate, "M", "f", t=0.0, q=at.q, v=at.v, lam=at.lam, u=at.u, parameters={}))(*w.case(k)[1:]))  # fmt: skip
add("Equations.forward_dynamics", _question("forward_dynamics", "q", "v", "u", t=0.0, parameters=_none))
add("Equations.index", lambda w, k: (lambda eqs: call(eqs.index, "q", eqs.names["q"][0]))(w.case(k)[1]))
add("Equations.inverse_dynamics", _question("inverse_dynamics", "q", "v", "a", "u", actuated=_first("v"), t=0.0))
add("Equations.kinematics", lambda w, k: call(w.driven.kinematics, [0.0, 0.1, 0.2], w.driven.default("q")))
add("Equations.campbell", lambda w, k: (lambda run: call(w.equations["traced"].campbell, run, [0.0], parameters={}))(
    da.simulate(w.equations["traced"], (0.0, 0.01), w.starts["traced"])))  # fmt: skip
add("Equations.linearise", lambda w, k: (lambda eqs, at: call(
    eqs.linearise, at.q, at.v, at.u, t=0.0, independent=[eqs.names["q"][1]], inputs=[eqs.names["v"][0]],
    parameters={}))(*w.case(k)[1:]),
    _question("linearise", "q", "v"))  # fmt: skip
add(
    "Equations.lines",
    lambda w, k: (lambda eqs, at: call(eqs.lines, np.zeros(2), np.stack([at.q, at.q], axis=1), {}))(*w.case(k)[1:]),
)
add("Equations.parameter_vector", lambda w, k: call(w.equations["traced"].parameter_vector, {"m": 2.0}),
     lambda w, k: call(w.equations["relative"].parameter_vector, {"k": 2.0}))  # fmt: skip
add("Equations.program", _question("program", name="contract"))
add("Equations.restricted", _question("restricted", rows=lambda eqs: [0]))
add("Equations.vector", lambda w, k: (lambda eqs, at: call(eqs.vector, "q", at.q))(*w.case(k)[1:]))
add("Equations.function_of", lambda w, k: (lambda l: call(l.m.equations().function_of, l.pin.angle))(w.plane))
add("Mechanism.beyond", lambda w, k: (lambda eqs, at: call(eqs.beyond, 0.0, at.q, {}))(
    w.equations["relative"], w.starts["relative"]))  # fmt: skip
add("Mechanism.evaluate_quantity", lambda w, k: (lambda l: (lambda eqs: call(
    eqs.evaluate_quantity, l.pin.angle, eqs.assemble(), {}))(l.m.equations()))(w.plane))  # fmt: skip
add("Mechanism.start", lambda w, k: call(w.equations["relative"].start, {"pin.angle": 0.2}, {"k": 1.0}))
add("Sizes", lambda w, k: call(type(w.equations["traced"].sizes), 1, 1, 0, 0, 0, 0))
add("State", lambda w, k: Call(da.State, (0.0, [1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0], []), {},
                                lambda at: da.simulate(w.equations["traced"], (0, 0.01), at)))  # fmt: skip
add("Kinematics.state", lambda w, k: call(w.driven.kinematics([0.0, 0.1]).state, 1))
for _name, _needed in {
    "forward_dynamics": 3, "inverse_dynamics": 3, "mass_matrix": 1, "inverse_dynamics_derivatives": 3, "frames": 3,
    "joint_wrenches": 3,
}.items():  # fmt: skip
    add(f"TreeDynamics.{_name}", (lambda name, n: lambda w, k: call(
        getattr(w.tree, name), *([numbered(3)] * n)))(_name, _needed))  # fmt: skip
