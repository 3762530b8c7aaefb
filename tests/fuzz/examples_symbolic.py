"""Valid calls of graphs, compiled functions and vectors."""

from __future__ import annotations

import numpy as np
from fuzz.example_world import Call, add, call

from dalembert import symbolic
from dalembert.symbolic import mechanics

# ------------------------------------------------------------------------------------------------------------- symbolic


add("symbolic.Graph", lambda w, k: call(symbolic.Graph))
for _kind in ("coordinate", "input", "parameter", "variable"):
    add(f"Graph.{_kind}", (lambda kind: lambda w, k: call(getattr(symbolic.Graph(), kind), "a"))(_kind))
    add(f"Graph.{_kind}s", (lambda kind: lambda w, k: call(getattr(symbolic.Graph(), f"{kind}s"), "a", 3))(_kind),
         (lambda kind: lambda w, k: call(getattr(symbolic.Graph(), f"{kind}s"), ["a", "b"]))(_kind))  # fmt: skip
add("Graph.__getitem__", lambda w, k: call(w.graph.__getitem__, "x"))
add("Graph.variable", lambda w, k: call(symbolic.Graph().variable, "b", rate=1.0))
for _name in (
    "absolute", "ceil", "floor",
    "arccos", "arcsin", "arctan", "cbrt", "cos", "cosh", "exp", "log", "sign", "sin", "sinh", "sqrt", "tan",
    "tanh",
):  # fmt: skip
    add(f"symbolic.{_name}", (lambda f: lambda w, k: call(f, w.x if k % 2 else w.xyz))(getattr(symbolic, _name)))
for _name in (
    "arctan2", "mod", "equal", "hypot", "less", "less_equal", "maximum", "minimum", "not_equal",
):  # fmt: skip
    add(f"symbolic.{_name}", (lambda f: lambda w, k: call(f, w.x, 2.0))(getattr(symbolic, _name)))
add("symbolic.logical_and", lambda w, k: call(symbolic.logical_and, w.x < 1.0, w.x > 0.0))
add("symbolic.logical_or", lambda w, k: call(symbolic.logical_or, w.x < 1.0, w.x > 0.0))
add("symbolic.logical_not", lambda w, k: call(symbolic.logical_not, w.x < 1.0))
add("symbolic.where", lambda w, k: call(symbolic.where, w.x < 1.0, w.x, 2.0))
add("symbolic.clip", lambda w, k: call(symbolic.clip, w.x, 0.0, 1.0))
add("symbolic.array", lambda w, k: call(symbolic.array, [[w.x, 1.0], [2.0, 3.0]]))
add("symbolic.eye", lambda w, k: call(symbolic.eye, 3))
add("symbolic.zeros", lambda w, k: call(symbolic.zeros, (2, 3)))
add("symbolic.derivative", lambda w, k: call(symbolic.derivative, w.expression, w.x))
add("symbolic.gradient", lambda w, k: call(symbolic.gradient, w.expression, w.xyz))
add("symbolic.jacobian", lambda w, k: call(symbolic.jacobian, w.xyz * 2, w.xyz, sparse=bool(k % 2), mode="auto"))
add("symbolic.adjoint_derivative", lambda w, k: call(symbolic.adjoint_derivative, w.xyz, w.xyz, [1.0, 2.0, 3.0]))
add("symbolic.directional_derivative", lambda w, k: call(symbolic.directional_derivative, w.expression, w.xyz,
                                                          [1.0, 2.0, 3.0]))  # fmt: skip
add("symbolic.hessian_vector_product", lambda w, k: call(symbolic.hessian_vector_product, w.expression, w.xyz,
                                                          [1.0, 2.0, 3.0]))  # fmt: skip
add("symbolic.linear_coefficients", lambda w, k: call(symbolic.linear_coefficients, 2.0 * w.xyz, w.xyz))
add("symbolic.time_derivative", lambda w, k: call(symbolic.time_derivative, w.expression))
add("symbolic.substitute", lambda w, k: call(symbolic.substitute, w.expression, {w.x: 2.0}))
add("symbolic.symbols", lambda w, k: call(symbolic.symbols, w.expression))
add("symbolic.evaluate", lambda w, k: call(
    symbolic.evaluate, w.expression, {"x": 1.0, "y": 2.0, "z": 3.0, "k": 4.0}, numbers="float"))  # fmt: skip
add("symbolic.compile", lambda w, k: Call(
    symbolic.compile, ({"e": w.expression}, {"x": w.xyz, "k": [w.graph["k"]]}),
    {"name": "made", "staged": bool(k % 2), "fma": False, "cache": True}, repr))  # fmt: skip
add("symbolic.report", lambda w, k: call(symbolic.report, {"e": w.expression}, {"x": w.xyz, "k": [w.graph["k"]]}))
add("symbolic.to_sympy", lambda w, k: call(symbolic.to_sympy, w.expression, {"x": "xi"}))
add("symbolic.from_sympy", lambda w, k: call(symbolic.from_sympy, symbolic.to_sympy(w.expression), w.graph, {}))
add("symbolic.transplant", lambda w, k: (lambda g: call(
    symbolic.transplant, w.expression, g, {name: g.coordinate(name) for name in "xyzk"}))(
        symbolic.Graph()))  # fmt: skip
add("CompiledFunction.__call__", lambda w, k: call(w.compiled, [1.0, 2.0, 3.0], [4.0]),
     lambda w, k: call(w.compiled, x=[1.0, 2.0, 3.0], k=[4.0]))  # fmt: skip
add("CompiledFunction.bound", lambda w, k: call(w.compiled.bound))
add("CompiledFunction.map", lambda w, k: call(w.compiled.map, np.ones((5, 3)), [4.0]))
add("CompiledFunction.export_c", lambda w, k: call(w.compiled.export_c, w.folder / "c", "thing"))
add("CompiledFunction.workspace", lambda w, k: call(w.staged.workspace))
add("Workspace", lambda w, k: call(symbolic.Workspace, w.staged))
add("Workspace.set", lambda w, k: (lambda space: Call(
    space.set, (), {"k": [1.0], "x": [1.0, 2.0, 3.0]}, lambda result: space.evaluate("e")))(
        w.staged.workspace()))  # fmt: skip
add("Workspace.evaluate", lambda w, k: (lambda space: call((space.set(k=[1.0], x=[1.0, 2.0, 3.0]), space)[1].evaluate,
                                                            "e"))(w.staged.workspace()))  # fmt: skip
add("PiecewisePolynomial", lambda w, k: Call(
    symbolic.PiecewisePolynomial, ([0.0, 1.0, 2.0], [[1.0, 2.0], [1.0, 3.0]], "linear"), {},
    lambda it: (it.evaluate(0.5), it(w.x))))  # fmt: skip
_TABLE = symbolic.PiecewisePolynomial.spline([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0])
add("PiecewisePolynomial.linear", lambda w, k: call(symbolic.PiecewisePolynomial.linear, [0.0, 1.0], [1.0, 2.0],
                                                     "constant"))  # fmt: skip
add("PiecewisePolynomial.spline", lambda w, k: call(
    symbolic.PiecewisePolynomial.spline, [0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 1.0, 0.0], "natural", "linear"))  # fmt: skip
add("PiecewisePolynomial.monotone", lambda w, k: call(
    symbolic.PiecewisePolynomial.monotone, [0.0, 1.0, 2.0], [1.0, 2.0, 1.0], "constant"))  # fmt: skip
_GRID = ([0.0, 1.0, 2.0], [0.0, 1.0], [[0.0, 1.0], [1.0, 2.0], [0.0, 3.0]])
add("symbolic.TableOfTwo", lambda w, k: Call(
    symbolic.TableOfTwo, (*_GRID, "monotone", "linear"), {}, lambda it: it(w.x, w.xyz[1])))  # fmt: skip
add("symbolic.TableOfTwo.digest", lambda w, k: call(symbolic.TableOfTwo(*_GRID).digest))
add("symbolic.TableOfTwo.__call__", lambda w, k: call(symbolic.TableOfTwo(*_GRID), w.x, 0.5))
_CURVE = symbolic.VectorTable([0.0, 1.0, 2.0], [[[1.0, 2.0], [3.0, 4.0]]], "linear")
add("symbolic.VectorTable", lambda w, k: Call(
    symbolic.VectorTable, ([0.0, 1.0, 2.0], [[[1.0, 2.0], [3.0, 4.0]]], "linear"), {"watched": True},
    lambda it: it(w.x)))  # fmt: skip
add("symbolic.VectorTable.spline", lambda w, k: call(
    symbolic.VectorTable.spline, [0.0, 1.0, 2.0], [[1.0, 2.0], [2.0, 0.0], [3.0, 0.0]], "natural",
    "linear"))  # fmt: skip
add("symbolic.VectorTable.evaluate", lambda w, k: call(_CURVE.evaluate, [0.5, 1.5], 1))
add("symbolic.VectorTable.__call__", lambda w, k: call(_CURVE, w.x, 1))
add("symbolic.smooth_table", lambda w, k: call(
    symbolic.smooth_table, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 1.0, 0.0, 1.0, 0.5, 0.0], smoothing=0.1))  # fmt: skip
add("symbolic.table", lambda w, k: Call(symbolic.table, _GRID, {"kind": "monotone", "outside": "linear"}, repr),
     lambda w, k: Call(
         symbolic.table, ([0.0, 1.0, 2.0], [1.0, 2.0, 0.0]), {"kind": "spline"}, lambda it: it(w.x)))  # fmt: skip
add("PiecewisePolynomial.evaluate", lambda w, k: call(_TABLE.evaluate, [0.5, 1.5], 1))
add("PiecewisePolynomial.polynomial", lambda w, k: call(_TABLE.polynomial, 1))
add("PiecewisePolynomial.digest", lambda w, k: call(_TABLE.digest))
add("PiecewisePolynomial.__call__", lambda w, k: call(_TABLE, w.x))
add("SparseMatrix", lambda w, k: Call(symbolic.SparseMatrix, ((2, 2), (0, 1), (0, 1), w.xyz[:2]), {},
                                       lambda it: it.toarray()))  # fmt: skip
add("SparseMatrix.from_dense", lambda w, k: call(symbolic.SparseMatrix.from_dense, [[w.x, 0.0], [0.0, w.x]]))
add("SparseMatrix.toarray", lambda w, k: call(symbolic.SparseMatrix.from_dense([[w.x]]).toarray))
add("OperationCounts", lambda w, k: Call(symbolic.OperationCounts, (1, 1, 1, 1, 1, 1), {}, lambda it: it.as_dict()))
add("OperationCounts.from_dict", lambda w, k: call(
    symbolic.OperationCounts.from_dict, symbolic.OperationCounts(1, 1, 1, 1, 1, 1).as_dict()))  # fmt: skip
add("OperationCounts.as_dict", lambda w, k: call(symbolic.OperationCounts(1, 1, 1, 1, 1, 1).as_dict))
add("Report", lambda w, k: call(symbolic.Report, {}, symbolic.OperationCounts(1, 1, 1, 1, 1, 1)))
for _operation in ("add", "sub", "mul", "truediv", "pow", "lt", "ge", "radd", "rpow"):
    add(f"Atom.__{_operation}__", (lambda op: lambda w, k: call(getattr(w.x, f"__{op}__"), 2.0))(_operation))
add("Atom.arctan2", lambda w, k: call(w.x.arctan2, 2.0))
add("Atom.hypot", lambda w, k: call(w.x.hypot, 2.0))

# ------------------------------------------------------------------------------------------------------------ mechanics


add("Base.root", lambda w, k: call(mechanics.Base.root, symbolic.Graph(), "world"))
add("Base.rotated", lambda w, k: call(w.base.rotated, "b", (0, 0, 1), w.x, unit=True))
add("Base.euler", lambda w, k: call(w.base.euler, "b", "zxz", w.xyz))
add("Base.euler_parameters", lambda w, k: call(w.base.euler_parameters, "b", [w.x, 0.0, 0.0, 1.0], unit=False))
add("Base.turned", lambda w, k: call(w.base.turned, "b", np.eye(3)))
add("Base.tensor", lambda w, k: call(w.base.tensor, np.eye(3)))
add("Base.vector", lambda w, k: call(w.base.vector, 1.0, w.x, 0.0))
add("Base.common_ancestor", lambda w, k: call(w.base.common_ancestor, w.turned))
add("Base.is_above", lambda w, k: call(w.base.is_above, w.turned))
add("Base.same_tree", lambda w, k: call(w.base.same_tree, w.turned))
add("Point", lambda w, k: call(mechanics.Point, "p", w.point, w.base.vector(1, 2, 3)))
add("Point.root", lambda w, k: call(mechanics.Point.root, w.base, "O"))
add("Point.moved", lambda w, k: call(w.point.moved, "p", w.base.vector(1, 2, 3)))
add("Point.common_ancestor", lambda w, k: call(w.point.common_ancestor, w.far))
add("Point.is_above", lambda w, k: call(w.point.is_above, w.far))
add("Point.same_tree", lambda w, k: call(w.point.same_tree, w.far))
add("Vector", lambda w, k: Call(mechanics.Vector, ({w.base: w.xyz},), {}, lambda v: v.components(w.base)))
add("Vector.components", lambda w, k: call(w.base.vector(1, 2, 3).components, w.turned))
add("Vector.express", lambda w, k: call(w.base.vector(1, 2, 3).express, w.turned))
add("Vector.cross", lambda w, k: call(w.base.vector(1, 2, 3).cross, w.turned.vector(1, 0, 0)))
add("Vector.dot", lambda w, k: call(w.base.vector(1, 2, 3).dot, w.turned.vector(1, 0, 0)))
add("Vector.dt", lambda w, k: call(w.turned.vector(1, 2, 3).dt, w.base))
add("Vector.norm", lambda w, k: call(w.base.vector(1, 2, 3).norm))
for _operation in ("add", "sub", "mul", "rmul", "truediv"):
    add(f"Vector.__{_operation}__", (lambda op: lambda w, k: call(
        getattr(w.base.vector(1, 2, 3), f"__{op}__"),
        w.turned.vector(1, 0, 0) if op in ("add", "sub") else 2.0))(_operation))  # fmt: skip
add("Tensor", lambda w, k: Call(mechanics.Tensor, (w.base, symbolic.eye(3)), {}, lambda t: t.components(w.turned)))
add("Tensor.components", lambda w, k: call(w.base.tensor(np.eye(3)).components, w.turned))
add("Tensor.express", lambda w, k: call(w.base.tensor(np.eye(3)).express, w.turned))
add("mechanics.acceleration", lambda w, k: call(mechanics.acceleration, w.far, w.base, w.point,
                                                 gravity=w.base.vector(0, 0, -9.81)))  # fmt: skip
add("mechanics.angular_acceleration", lambda w, k: call(mechanics.angular_acceleration, w.turned, w.base))
add("mechanics.angular_velocity", lambda w, k: call(mechanics.angular_velocity, w.turned, w.base))
add("mechanics.base_change", lambda w, k: call(mechanics.base_change, w.base, w.turned))
add("mechanics.euler_parameter_rates", lambda w, k: call(mechanics.euler_parameter_rates, [1.0, 0, 0, 0], w.xyz))
add("mechanics.position", lambda w, k: call(mechanics.position, w.point, w.far))
add("mechanics.rigid_body_inertia_forces", lambda w, k: call(
    mechanics.rigid_body_inertia_forces, 1.0, w.far, w.turned.tensor(np.eye(3)), w.turned,
    gravity=w.base.vector(0, 0, -9.81)))  # fmt: skip
add("mechanics.steiner", lambda w, k: call(mechanics.steiner, w.base.tensor(np.eye(3)), 1.0, w.base.vector(1, 0, 0)))
add("mechanics.velocity", lambda w, k: call(mechanics.velocity, w.far, w.base, w.point))
add("mechanics.virtual_power", lambda w, k: call(
    mechanics.virtual_power, [(w.base.vector(1, 0, 0), mechanics.velocity(w.far))],
    [symbolic.time_derivative(w.x), symbolic.time_derivative(w.xyz[1])]))  # fmt: skip
