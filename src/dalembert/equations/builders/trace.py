"""Builder for people who come with equations: plain functions of named arrays, called once with atoms."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.arguments import reals, shown, text, texts
from dalembert.equations.contract import elimination, implicit_explicit
from dalembert.equations.contract.auxiliary import AuxiliaryBlock
from dalembert.equations.contract.borders import Borders, all_atoms, beyond_table, borders_of
from dalembert.equations.contract.convention import FURTHER_INPUTS, INPUTS, OUTPUTS
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.equations.contract.provider import Floats, Provider
from dalembert.equations.contract.viscous import ViscousPart, check_viscous, viscous_part
from dalembert.errors import DalembertError, EquationsError, SymbolicTypeError, note_culprit, suggestion
from dalembert.symbolic import Atom, AtomArray, Graph, array, compile, derivative, jacobian, zeros

#: Above this many unknowns the matrix of constrained motion is factorised by a sparse or dense solver, not on atoms.
LARGEST_ELIMINATION = 400

Function = Callable[..., Any]


class Parameters:
    """Parameters as attributes: ``p.m``."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no parameter '{name}'; {suggestion(name, self.__dict__)}")


class Traced(Equations):
    """Equations traced into atoms; made by :func:`trace`."""

    expressions: Expressions

    def __init__(
        self,
        expressions: Expressions,
        name: str,
        names: Mapping[str, tuple[str, ...]],
        parameters: Mapping[str, Any],
        breaks: tuple[float, ...],
        rows: tuple[int, ...] | None = None,
        full_rows: int | None = None,
    ) -> None:
        self.expressions = expressions
        self.name, self.names, self.parameters, self.breaks = name, names, parameters, breaks
        inputs = expressions.inputs
        n = {key: len(inputs[key]) for key in INPUTS}
        self.sizes = Sizes(n["q"], n["v"], n["lam"], n["mu"], n["u"], n["p"])
        self.rows = tuple(range(n["lam"])) if rows is None else rows
        self.full_rows = n["lam"] if full_rows is None else full_rows
        self.unit_T = expressions.T is None
        self.normalizes = expressions.normal is not None
        self.iterates_normal = bool(expressions.auxiliary)
        self.auxiliary_places = tuple(block.places for block in expressions.auxiliary)
        self.C_is_G = expressions.G_given is None or all(
            a == b for a, b in zip(expressions.C.flat, expressions.G[: n["mu"]].flat, strict=True)
        )

    def __reduce__(self) -> Any:
        # Pickles as its graph; machine code is found in the cache or made again.
        return Traced, (
            self.expressions, self.name, dict(self.names), dict(self.parameters), self.breaks, self.rows,
            self.full_rows,
        )  # fmt: skip

    def lacks(self, program: str) -> str:
        if program == "excited":
            return "" if self.expressions.w is not None else "it has no excitations w"
        if program not in ("explicit", "rate", "directional", "imex"):
            return ""
        if self.sizes.v + self.sizes.lam > LARGEST_ELIMINATION:
            return f"more than {LARGEST_ELIMINATION} unknowns"
        if program == "imex":
            return implicit_explicit.why_not(self.expressions)
        return self.kept("eliminable", lambda: elimination.eliminable(self.expressions))

    def make_program(self, name: str) -> Provider:
        outputs, inputs, staged = self.program_atoms(name)
        made = compile(outputs, inputs, name=name, staged=staged, alike=self.alike(name))
        return Provider.compiled(name, made)

    def alike(self, name: str) -> list[tuple[Atom, ...]]:
        """Symbols that play the same role in four parts of the model, for a program that is fast thereby."""
        return implicit_explicit.alike_parts(self.expressions) if name == "imex" else []

    def program_atoms(self, name: str) -> tuple[dict[str, Any], dict[str, AtomArray], bool]:
        """Outputs and inputs of a program, and whether it is staged."""
        x = self.expressions
        makers = {
            "contract": x.contract,
            "implicit": x.implicit,
            "reduced": x.reduced,
            "explicit": lambda: elimination.explicit(x),
            "rate": lambda: {key: elimination.explicit(x)[key] for key in OUTPUTS["rate"]},
            "directional": lambda: elimination.directional(x),
            "excited": x.excited,
            "imex": lambda: implicit_explicit.imex(x),
        }
        # Stages cost memory traffic; what is always asked for as a whole is faster without them.
        inputs = {key: x.inputs[key] for key in INPUTS}
        if name in FURTHER_INPUTS:
            inputs[FURTHER_INPUTS[name]] = getattr(x, FURTHER_INPUTS[name])
        return makers[name](), inputs, name != "rate"

    def with_rows(self, rows: tuple[int, ...]) -> Traced:
        names = {**self.names, "lam": tuple(self.names["lam"][i] for i in rows)}
        return Traced(
            self.expressions.restricted(rows), self.name, names, self.parameters, self.breaks,
            tuple(self.rows[i] for i in rows), self.full_rows,
        )  # fmt: skip

    def make_borders(self, least: int) -> Borders:
        return borders_of(self._right_sides, self.expressions.inputs, least)

    @property
    def _right_sides(self) -> list[Atom]:
        x = self.expressions
        return all_atoms(x.T, x.M, x.f, x.g, x.G_given, x.gI_given, x.nonholonomic, x.d)

    def blame(self, point: Mapping[str, Floats]) -> DalembertError | None:
        """An error that names a table without a value at a point."""
        inputs = self.expressions.inputs
        values = {
            atom: float(value)
            for key, numbers in point.items()
            for atom, value in zip(inputs[key], np.ravel(numbers), strict=True)
        }
        return beyond_table(f"'{self.name}'", self._right_sides, values)

    @property
    def graph(self) -> Graph:
        """The graph that all expressions live in."""
        return self.expressions.graph

    def namespace(self) -> tuple[dict[str, Any], dict[str, Any]]:
        x = self.expressions
        values: dict[str, Any] = {key: x.inputs[key] for key in ("q", "v", "u", "lam", "a")}
        values |= {"t": x.inputs["t"][0], "w": x.w, "p": named_parameters(self.parameters, x.inputs["p"])}
        return values, x.inputs


def named_parameters(parameters: Mapping[str, Any], flat: Any) -> Parameters:
    """Atoms or numbers of a flat vector under the names and shapes of the parameters."""
    values: dict[str, Any] = {}
    at = 0
    for key, value in parameters.items():
        shape = np.shape(value)
        size = int(np.prod(shape, dtype=int))
        one = flat[at] if shape == () else flat[at : at + size].reshape(shape)
        values[key] = float(one) if isinstance(one, np.floating) else one
        at += size
    return Parameters(values)


#: Coordinates, velocities or states that functions of whole matrices may have; such matrices hold as many squared.
MOST_TRACED = 10_000


class NotTraceableError(EquationsError):
    """A function that needs numbers was called with atoms."""


def named_arguments(what: str, function: Function, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of ``values`` that the arguments of a function name; complains about others."""
    try:
        if isinstance(function, type):
            raise TypeError
        wanted = list(inspect.signature(function).parameters.values())
    except Exception:  # of objects that are no functions
        raise EquationsError(f"{what} must be a Python function with named arguments, got {shown(function)}") from None
    chosen = {}
    for item in wanted:
        if item.kind not in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY):
            raise EquationsError(f"{what} must name its arguments; '{item}' is not allowed")
        if item.name in values and values[item.name] is not None:
            chosen[item.name] = values[item.name]
        elif item.default is item.empty:
            known = [key for key, value in values.items() if value is not None]
            raise EquationsError(f"{what} asks for an argument '{item.name}'; {suggestion(item.name, known)}")
    return chosen


def call_by_name(what: str, function: Function, values: Mapping[str, Any]) -> Any:
    """Call a function with those of ``values`` that its arguments name."""
    chosen = named_arguments(what, function, values)
    try:
        return function(**chosen)
    except SymbolicTypeError as error:
        raise NotTraceableError(
            f"{what} cannot be traced: {error}. If it must stay a numeric function, wrap it: "
            "dalembert.numeric(function)"
        ) from error
    except DalembertError as error:
        raise EquationsError(f"{what} failed: {error}") from error
    except AttributeError as error:
        if "no parameter" in str(error):
            raise EquationsError(f"{what}: {error}") from None
        note_culprit(error, what)
        raise
    except Exception as error:
        note_culprit(error, what)
        raise


def traced(what: str, function: Function, values: Mapping[str, Any], shape: tuple[int | None, ...]) -> AtomArray:
    """Result of a function as an array of atoms of the expected shape (None: any size)."""
    result = call_by_name(what, function, values)
    try:
        found = array(result)
    except Exception as error:  # whatever the result of a user's function raises when it is converted
        raise EquationsError(f"{what} must return an array of shape {_shown(shape)}: {error}") from None
    if found.ndim != len(shape) or any(
        want is not None and want != have for want, have in zip(shape, found.shape, strict=True)
    ):
        raise EquationsError(f"{what} must have the shape {_shown(shape)}, got {found.shape}")
    return found


def _shown(shape: tuple[int | None, ...]) -> str:
    return "(" + ", ".join("any" if n is None else str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"


def trace(
    *,
    M: Function,
    f: Function,
    n_q: int,
    n_v: int | None = None,
    n_u: int = 0,
    g: Function | None = None,
    nonholonomic: Function | None = None,
    G: Function | None = None,
    gI: Function | None = None,
    T: Function | None = None,
    d: Function | None = None,
    w: Function | None = None,
    normalize: Function | None = None,
    viscous: Function | None = None,
    auxiliary: Function | None = None,
    parameters: Mapping[str, Any] | None = None,
    names: Mapping[str, Sequence[str]] | None = None,
    breaks: Sequence[float] = (),
    name: str = "equations",
) -> Equations:
    """Equations of motion from plain Python functions.

    The arguments of the functions are matched by name among ``t, q, v, lam, u, w, p``; each function is called once,
    with arrays of atoms, so it is written with NumPy's operations and without branches on values.

    :param M: mass matrix (n_v, n_v), symmetric; may be singular where constraints hold the massless coordinates
    :param f: forces (n_v,), may depend on all arguments, also on ``lam``
    :param n_q: number of coordinates; ``n_v`` (the same), ``n_u`` (0): of velocities and external states
    :param g: position constraints (n_g,), functions of ``t, q, p``
    :param nonholonomic: further constraints on velocities, linear in ``v``
    :param G: all rows of the velocity constraints, where they shall not be derived from g; with ``gI``
    :param T: kinematics q̇ = T v, (n_q, n_v); the identity if left away
    :param d: external dynamics u̇ = d, (n_u,)
    :param w: excitations, functions of ``t, p``
    :param normalize: q with its invariants restored (norms of Euler parameters), a function of ``q``
    :param viscous: stiff viscous parts of f, for implicit–explicit methods: a list of pairs (rates, C) of k rates r,
        linear in ``v``, and a k × k matrix, such that f contains the force −C r along r
    :param auxiliary: equations h (n_s,), functions of ``q, p``, from which the last n_s coordinates follow, as do
        parameters of curves: they have no velocities among ``v`` and no rows of ``T``.  Equation k is solved for
        variable k, in this order and without a search for pivots
    :param parameters: names and default values; numbers or arrays
    :param names: lists of names under "q", "v", "lam", "u"
    :param breaks: instants at which something is not smooth; steps end there
    """
    from dalembert.equations.builders.numeric import Numeric, numeric_equations

    given = {"M": M, "f": f, "g": g, "G": G, "gI": gI, "T": T, "d": d, "w": w}
    given |= {"nonholonomic": nonholonomic, "normalize": normalize, "viscous": viscous, "auxiliary": auxiliary}
    text(name, "trace: name", EquationsError)
    for key, made in given.items():
        if not callable(made) and (made is not None or key in ("M", "f")):
            raise EquationsError(
                f"'{name}': function {key} must be a Python function with named arguments, got {shown(made)}"
            )
    n_v = n_q if n_v is None else n_v
    _check_sizes(name, n_q, n_v, n_u, given)
    parameters = checked_parameters(name, parameters)
    if any(isinstance(function, Numeric) for function in given.values()):
        given["viscous"] = None  # of what is called back nothing is taken apart
        if given.pop("auxiliary") is not None:
            raise EquationsError(f"'{name}': auxiliary variables need functions that can be traced, not da.numeric")
        return numeric_equations(
            given, n_q=n_q, n_v=n_v, n_u=n_u, parameters=parameters, names=names, breaks=breaks, name=name
        )  # fmt: skip
    expressions = _Tracing(name, given, n_q, n_v, n_u, parameters).expressions()
    sizes = {"q": n_q, "v": n_v, "lam": len(expressions.inputs["lam"]), "u": n_u}
    return Traced(expressions, name, checked_names(name, names, sizes), parameters, checked_breaks(name, breaks))


def _check_sizes(name: str, n_q: Any, n_v: Any, n_u: Any, given: Mapping[str, Function | None]) -> None:
    for key, size in (("n_q", n_q), ("n_v", n_v), ("n_u", n_u)):
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < (0 if key == "n_u" else 1):
            raise EquationsError(f"'{name}': {key} must be a positive whole number, got {shown(size)}")
        if size > MOST_TRACED:
            raise EquationsError(
                f"'{name}': {key} = {shown(size)}, but functions of whole matrices are for at most {MOST_TRACED}; put "
                "larger systems together from Elements"
            )
    if n_v != n_q and given["T"] is None and given["auxiliary"] is None:
        raise EquationsError(f"'{name}': n_v = {n_v} differs from n_q = {n_q}, so T of q̇ = T v must be given")
    if n_u and given["d"] is None:
        raise EquationsError(f"'{name}': n_u = {n_u}, but d of u̇ = d is missing")


class _Tracing:
    """The functions of :func:`trace`, called with atoms one after the other: excitations, constraints, then all that
    may depend on the multipliers."""

    def __init__(
        self, name: str, given: Mapping[str, Function | None], n_q: int, n_v: int, n_u: int, parameters: dict[str, Any]
    ) -> None:
        self.name, self._given = name, given
        self._n_q, self._n_v, self._n_u = n_q, n_v, n_u
        self._inputs = inputs = symbols_for(Sizes(n_q, n_v, 0, 0, n_u, 0), parameters, name)
        #: what functions may ask for, as far as it is known
        self._values: dict[str, Any] = {key: inputs[key] for key in ("q", "v", "u")}
        self._values |= {"t": inputs["t"][0], "p": named_parameters(parameters, inputs["p"]), "w": None}

    def _made(self, key: str, arguments: Sequence[str], *shape: int | None) -> AtomArray | None:
        """Result of a function of some arguments; None if it is not given."""
        function = self._given[key]
        if function is None:
            return None
        values = {name: self._values[name] for name in arguments}
        return traced(f"'{self.name}': function {key}", function, values, shape)

    def _needed(self, key: str, arguments: Sequence[str], *shape: int | None) -> AtomArray:
        found = self._made(key, arguments, *shape)
        assert found is not None
        return found

    def expressions(self) -> Expressions:
        """All of them."""
        n_q, n_v, still = self._n_q, self._n_v, ("t", "q", "w", "p")
        w = self._values["w"] = self._made("w", ("t", "p"), None)
        g = self._made("g", still, None)
        g = zeros((0,)) if g is None else g
        nonholonomic = self._nonholonomic(still)
        G, gI = self._all_rows(g, nonholonomic, still)
        n_lam = len(G) if G is not None else len(g) + (0 if nonholonomic is None else len(nonholonomic))
        graph: Graph = self._inputs["t"][0].graph
        self._inputs |= {"lam": graph.variables("lam", n_lam), "mu": graph.variables("mu", len(g))}
        self._values["lam"] = self._inputs["lam"]
        f = self._needed("f", tuple(self._values), n_v)
        h = self._made("auxiliary", ("q", "p"), None)
        n_s = 0 if h is None else len(h)
        found = Expressions(
            graph,
            self._inputs,
            M=self._needed("M", still, n_v, n_v),
            f=f,
            viscous=self._viscous(f),
            g=g,
            T=self._made("T", still, n_q - n_s, n_v),
            G_given=G,
            gI_given=gI,
            nonholonomic=nonholonomic,
            d=self._made("d", tuple(self._values), self._n_u),
            w=w,
            normal=self._made("normalize", still, n_q),
        )
        return found if h is None else self._with_auxiliary(found, h)

    def _with_auxiliary(self, x: Expressions, h: AtomArray) -> Expressions:
        """With rates and corrections of the last coordinates, which follow from the others: railway (19), (39)."""
        q, v, n = self._inputs["q"], self._inputs["v"], self._n_q - len(h)
        label = f"'{self.name}': function auxiliary"
        if x.T is None and self._n_v != n:
            raise EquationsError(
                f"{label} returns {len(h)} equations for the last of {self._n_q} coordinates, so n_v must be {n}, not "
                f"{self._n_v}, or T must be given"
            )
        if x.G_given is not None:
            raise EquationsError(f"{label}: with auxiliary variables G is derived from g; leave it away")
        block = AuxiliaryBlock(tuple(range(n, self._n_q)), h, label)
        if any(entry == 0 for entry in np.diagonal(block.matrix(q))):
            raise EquationsError(f"{label}: equation k must depend on coordinate {n} + k; sort the equations so")
        known = list(v if x.T is None else x.T @ v)
        q_rate = array([*known, *block.rates(q, [*known, *(0.0 for _ in h)])])
        normal = q.copy() if x.normal is None else x.normal.copy()
        for i, change in zip(block.places, block.correction(q), strict=True):
            normal[i] = q[i] + change
        return replace(x, T=array(jacobian(q_rate, v)), T_v=q_rate, normal=normal, auxiliary=(block,))

    def _viscous(self, f: AtomArray) -> tuple[ViscousPart, ...]:
        function, label = self._given["viscous"], f"'{self.name}': function viscous"
        if function is None:
            return ()
        found = call_by_name(label, function, self._values)
        pairs = list(found) if isinstance(found, (list, tuple)) else []
        if len(pairs) == 2 and not all(isinstance(one, tuple) and len(one) == 2 for one in pairs):
            pairs = [tuple(pairs)]
        if not pairs or not all(isinstance(one, tuple) and len(one) == 2 for one in pairs):
            raise EquationsError(f"{label} must return pairs (rates, C), got {shown(found)}")
        parts = tuple(viscous_part(label, rates, C, self._inputs["v"]) for rates, C in pairs)
        check_viscous(parts, f, self._inputs)
        return parts

    def _nonholonomic(self, still: tuple[str, ...]) -> AtomArray | None:
        rows, v = self._made("nonholonomic", (*still, "v"), None), self._inputs["v"]
        if rows is not None and set(v) & symbols_in(jacobian(rows, v)):
            raise EquationsError(f"'{self.name}': function nonholonomic must be linear in v")
        return rows

    def _all_rows(
        self, g: AtomArray, nonholonomic: AtomArray | None, still: tuple[str, ...]
    ) -> tuple[AtomArray | None, AtomArray | None]:
        """G and gI where they are given and not derived from g."""
        name, G = self.name, self._made("G", still, None, self._n_v)
        if G is not None and nonholonomic is not None:
            raise EquationsError(f"'{name}': give either G, with all rows, or nonholonomic")
        if G is not None and len(G) < len(g):
            raise EquationsError(f"'{name}': G has {len(G)} rows, fewer than the {len(g)} rows of g")
        gI = self._made("gI", still, None if G is None else len(G))
        moves = len(g) and any(not rate == 0 for rate in derivative(g, self._inputs["t"][0]))
        if G is not None and gI is None and moves:
            raise EquationsError(f"'{name}': g depends on time, so G needs gI, of G v + gI = 0")
        if gI is not None and G is None:
            raise EquationsError(f"'{name}': gI belongs to G; leave it away where G is derived from g")
        return G, gI


def checked_breaks(name: str, breaks: Sequence[float]) -> tuple[float, ...]:
    """Finite instants."""
    return tuple(reals(breaks, f"'{name}': breaks", EquationsError, ndim=1, finite=True).tolist())


def checked_parameters(name: str, parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Parameters that can be used as ``p.key``."""
    if parameters is not None and not isinstance(parameters, Mapping):
        raise EquationsError(f"'{name}': parameters must be a dictionary, {{'m': 1.0}}; got {shown(parameters)}")
    found = dict(parameters or {})
    for key, value in found.items():
        if not isinstance(key, str) or not key.isidentifier():
            raise EquationsError(f"'{name}': parameter '{key}' must be a Python identifier, as it is used as p.{key}")
        reals(value, f"'{name}': parameter '{key}'", EquationsError, finite=True)
    return found


def symbols_for(
    sizes: Sizes, parameters: Mapping[str, Any], name: str, graph: Graph | None = None
) -> dict[str, AtomArray]:
    """Symbols for all inputs of a program, of a new graph unless one is given."""
    graph = Graph() if graph is None else graph
    counts = {"q": sizes.q, "v": sizes.v, "u": sizes.u, "lam": sizes.lam, "a": sizes.v, "mu": sizes.g}
    return {
        "p": _parameter_atoms(graph, name, parameters),
        "t": array([graph.time]),
        **{key: graph.variables(key, n) if n else zeros((0,)) for key, n in counts.items()},
    }


def _parameter_atoms(graph: Graph, name: str, parameters: Mapping[str, Any]) -> AtomArray:
    listed: list[str] = []
    for key, value in parameters.items():
        shape = reals(value, f"'{name}': parameter '{key}'", EquationsError).shape
        listed += [f"p.{key}"] if shape == () else [f"p.{key}{list(at)}" for at in np.ndindex(shape)]
    return graph.parameters(listed) if listed else zeros((0,))


def checked_names(
    name: str, names: Mapping[str, Sequence[str]] | None, sizes: Mapping[str, int]
) -> dict[str, tuple[str, ...]]:
    """Names of all vectors; those that are not given are numbered, velocities are called as their coordinates."""
    if names is not None and not isinstance(names, Mapping):
        raise EquationsError(f"'{name}': names must be a dictionary of lists, {{'q': […]}}; got {shown(names)}")
    given = dict(names or {})
    for key in given:
        if key not in sizes:
            raise EquationsError(f"'{name}': names are given for '{key}'; {suggestion(key, sizes)}")
    result: dict[str, tuple[str, ...]] = {}
    for key, size in sizes.items():
        listed = None if given.get(key) is None else texts(given[key], f"'{name}': names of {key}", EquationsError)
        if listed is None and key == "v" and "q" in given and sizes["v"] == sizes["q"]:
            listed = tuple(f"{item}.rate" for item in result["q"])
        result[key] = tuple(f"{key}{i}" for i in range(size)) if listed is None else listed
        if len(result[key]) != size or len(set(result[key])) != size:
            raise EquationsError(f"'{name}': {size} different names are needed for {key}, got {list(result[key])}")
    return result
