"""Symbolic engine: a graph of scalar atoms, compiled to machine code.

Symbols and expressions
    :class:`Graph`, :class:`Atom`, :class:`AtomArray`, :func:`array`, :func:`zeros`, :func:`eye`,
    :class:`SparseMatrix`, :func:`table`, :class:`PiecewisePolynomial`, :class:`TableOfTwo`,
    :class:`VectorTable`, :func:`smooth_table`
Functions of atoms
    ``sqrt cbrt sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh exp log absolute sign hypot minimum maximum clip
    floor ceil mod where less less_equal equal not_equal logical_and logical_or logical_not``, and NumPy's functions of
    the same names
Calculus
    :func:`derivative`, :func:`time_derivative`, :func:`jacobian`, :func:`gradient`, :func:`directional_derivative`,
    :func:`adjoint_derivative`, :func:`hessian_vector_product`, :func:`substitute`, :func:`linear_coefficients`,
    :func:`symbols`, :func:`transplant`
Mechanics
    :class:`Base`, :class:`Point`, :class:`Vector`, :class:`Tensor` and the operators of
    :mod:`dalembert.symbolic.mechanics`
Numbers and code
    :func:`compile`, :class:`CompiledFunction`, :class:`Workspace`, :func:`evaluate`, :func:`report`, :func:`to_sympy`,
    :func:`from_sympy`
"""

from dalembert.symbolic.atom import Atom, AtomArray, array, eye, zeros
from dalembert.symbolic.calculus import (
    adjoint_derivative,
    derivative,
    directional_derivative,
    gradient,
    hessian_vector_product,
    jacobian,
    linear_coefficients,
    substitute,
    symbols,
    time_derivative,
    transplant,
)
from dalembert.symbolic.compiler.compiled import CompiledFunction, Workspace, compile
from dalembert.symbolic.evaluate import evaluate
from dalembert.symbolic.functions import (
    absolute,
    arccos,
    arcsin,
    arctan,
    arctan2,
    cbrt,
    ceil,
    clip,
    cos,
    cosh,
    equal,
    exp,
    floor,
    hypot,
    less,
    less_equal,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    mod,
    not_equal,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.mechanics import Base, Point, Tensor, Vector
from dalembert.symbolic.smoothing import smooth_table
from dalembert.symbolic.sparse import SparseMatrix
from dalembert.symbolic.statistics import OperationCounts, Report, report
from dalembert.symbolic.sympy_bridge import from_sympy, to_sympy
from dalembert.symbolic.tables import PiecewisePolynomial, TableOfTwo, table
from dalembert.symbolic.vector_tables import VectorTable

__all__ = [
    "Atom",
    "AtomArray",
    "Base",
    "CompiledFunction",
    "Graph",
    "OperationCounts",
    "PiecewisePolynomial",
    "Point",
    "Report",
    "SparseMatrix",
    "TableOfTwo",
    "Tensor",
    "Vector",
    "VectorTable",
    "Workspace",
    "absolute",
    "adjoint_derivative",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "array",
    "cbrt",
    "ceil",
    "clip",
    "compile",
    "cos",
    "cosh",
    "derivative",
    "directional_derivative",
    "equal",
    "evaluate",
    "exp",
    "eye",
    "floor",
    "from_sympy",
    "gradient",
    "hessian_vector_product",
    "hypot",
    "jacobian",
    "less",
    "less_equal",
    "linear_coefficients",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "maximum",
    "minimum",
    "mod",
    "not_equal",
    "report",
    "sign",
    "sin",
    "sinh",
    "smooth_table",
    "sqrt",
    "substitute",
    "symbols",
    "table",
    "tan",
    "tanh",
    "time_derivative",
    "to_sympy",
    "transplant",
    "where",
    "zeros",
]
