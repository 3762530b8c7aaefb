"""What NumPy's functions do with atoms.

NumPy asks the arguments of its functions what to do (``__array_ufunc__``, ``__array_function__``); atoms and arrays of
atoms answer here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.errors import SymbolicError, SymbolicTypeError
from dalembert.symbolic.atom import Atom, AtomArray, array, plain, zeros
from dalembert.symbolic.functions import SCALAR, maximum, minimum, rounded, sqrt, where

# These run on objects by Python's operators.
_NATIVE = {np.add, np.subtract, np.multiply, np.negative, np.matmul}


def wrap_scalars(arguments: Any) -> Any:
    """Replace single atoms, also inside lists, by arrays, so that NumPy's own functions can take them."""
    if type(arguments) is Atom:
        return plain(arguments).view(AtomArray)
    if type(arguments) in (list, tuple):
        return type(arguments)(wrap_scalars(a) for a in arguments)
    if type(arguments) is dict:
        return {key: wrap_scalars(a) for key, a in arguments.items()}
    return arguments


def ufunc(called: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Answer to ``__array_ufunc__``."""
    out = kwargs.get("out")
    if out is not None:
        if any(np.asarray(o).dtype != object for o in out):
            raise SymbolicTypeError(
                f"np.{called.__name__} would write atoms into an array of numbers (as in A += atom with a float "
                "array A); make that array with dalembert.symbolic.zeros(shape) or array(…)"
            )
        kwargs = {**kwargs, "out": tuple(plain(o) for o in out)}
    arguments = tuple(plain(x) for x in inputs)
    made_of_python = called not in SCALAR and all(set(kind) <= set("O->") for kind in called.types)  # np.frompyfunc
    if called in _NATIVE or made_of_python:
        with np.errstate(all="ignore"):  # whoever evaluates says what is not finite
            result = getattr(called, method)(*arguments, **kwargs)
    elif called in SCALAR:
        # "identity=None" lets NumPy reduce over several axes at once.
        vectorised = np.frompyfunc(SCALAR[called], called.nin, called.nout, identity=None)
        if method == "reduce":
            kwargs.setdefault("axis", 0)
        with np.errstate(all="ignore"):
            result = getattr(vectorised, method)(*arguments, **kwargs)
        if called in (np.equal, np.not_equal):  # structure: plain truth
            result = np.asarray(result, dtype=bool)
            return result if result.ndim else bool(result)
    else:
        names = sorted(u.__name__ for u in set(SCALAR) | _NATIVE if isinstance(u, np.ufunc))
        raise SymbolicTypeError(f"np.{called.__name__} is not available for atoms; available are: {', '.join(names)}")
    if isinstance(result, tuple):
        return tuple(item.view(AtomArray) if isinstance(item, np.ndarray) else item for item in result)
    if isinstance(result, np.ndarray):
        return result.view(AtomArray)
    return result


def function(by_numpy: Callable[..., Any], called: Any, args: Any, kwargs: Any) -> Any:
    """Answer to ``__array_function__``; ``by_numpy`` is what an array does by itself."""
    replacement = _FUNCTIONS.get(called)
    if replacement is not None:
        return replacement(*args, **kwargs)
    try:
        result = by_numpy(called, [np.ndarray, AtomArray], wrap_scalars(args), wrap_scalars(kwargs))
    except SymbolicError:
        raise
    except (TypeError, ValueError, AttributeError) as error:  # atoms have no dtype
        if isinstance(error, ValueError) and "object" not in str(error):  # shapes
            raise
        name = f"{called.__module__}.{called.__name__}".replace("numpy", "np", 1)
        raise SymbolicTypeError(
            f"{name} does not work on these arguments with atoms ({error}); compile(…) or evaluate(…) its "
            "arguments and apply it to the numbers"
        ) from error
    if type(result) is np.ndarray and result.dtype == object:  # concatenate, cross, einsum … forget the class
        return result.view(AtomArray)
    return result


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if ord not in (None, 2):
        raise SymbolicError(f"np.linalg.norm of atoms knows the Euclidean norm only, not ord={ord!r}")
    items = array(x)
    if ord == 2 and axis is None and items.ndim == 2:
        raise SymbolicError("np.linalg.norm of atoms cannot give the spectral norm of a matrix; leave 'ord' away")
    return sqrt(np.sum(items * items, axis=axis, keepdims=keepdims))


def _values(a: AtomArray) -> np.ndarray | None:
    """The numbers in ``a``, or None if something in it depends on symbols."""
    if any(type(item) is Atom and item.value is None for item in a.flat):
        return None
    return np.array(a.tolist(), dtype=float).reshape(a.shape)


def _det(a: Any) -> Any:
    m = array(a)
    known = _values(m)
    return np.linalg.det(known) if known is not None else _minors(m)


def _minors(m: Any) -> Any:
    """Determinant by expansion along the first row."""
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise SymbolicError(f"np.linalg.det needs a square matrix, got shape {m.shape}")
    n = m.shape[0]
    if n > 4:
        raise SymbolicError(
            f"np.linalg.det of {n}×{n} atoms would grow too large; solve such systems numerically after compiling"
        )
    if n == 0:
        return 1.0
    if n == 1:
        return m[0, 0]
    rest = np.arange(n)
    return sum((-1) ** j * m[0, j] * _minors(m[np.ix_(rest[1:], rest[rest != j])]) for j in range(n))


def _inv(a: Any) -> Any:
    m = array(a)
    known = _values(m)
    if known is not None:
        return array(np.linalg.inv(known))
    determinant = _minors(m)
    n, rest = m.shape[0], np.arange(m.shape[0])
    result = zeros((n, n))
    for i in range(n):
        for j in range(n):
            minor = m[np.ix_(rest[rest != j], rest[rest != i])]
            result[i, j] = (-1) ** (i + j) * _minors(minor) / determinant
    return result


def _solve(a: Any, b: Any) -> Any:
    m, right = array(a), array(b)
    known, numbers_right = _values(m), _values(right)
    if known is not None and numbers_right is not None:
        return array(np.linalg.solve(known, numbers_right))
    return _inv(m) @ right


def _lower(m: Any, k: int) -> np.ndarray:
    """1 on and below the k-th diagonal of a matrix like ``m``, or of the square one of which ``m`` is a row."""
    shape = np.shape(m)
    return np.tri(shape[-2] if len(shape) > 1 else shape[-1], shape[-1], k)


def _interp(*_: Any, **__: Any) -> Any:
    raise SymbolicTypeError(
        "np.interp cannot take atoms; make a table with PiecewisePolynomial.linear(xp, fp, outside='constant') and "
        "apply it to the atom"
    )


def clip(a: Any, a_min: Any = None, a_max: Any = None, **kwargs: Any) -> Any:
    """np.clip, with either form of its arguments."""
    low, high = kwargs.get("min", a_min), kwargs.get("max", a_max)
    result = a if low is None else maximum(a, low)
    return result if high is None else minimum(result, high)


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.linalg.norm: _norm,
    np.linalg.det: _det,
    np.linalg.inv: _inv,
    np.linalg.solve: _solve,
    np.where: where,
    np.clip: clip,
    np.round: lambda a, decimals=0, out=None: rounded(a, decimals),
    np.interp: _interp,
    np.triu: lambda m, k=0: where(1.0 - _lower(m, k - 1), m, 0.0),
    np.tril: lambda m, k=0: where(_lower(m, k), m, 0.0),
}
