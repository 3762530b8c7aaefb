"""Bodies from meshes of scikit-fem: plane stress, solids, Kirchhoff plates, Euler–Bernoulli beams.

Elements of scikit-fem (T. Gustafsson, G. D. McBain, scikit-fem: A Python package for finite element assembly, JOSS 5
(2020) 2369).  Elements of the first order lock in bending: they cannot curve, so that bending shears them, and they are
too stiff until the mesh is very fine; a warning names them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.arguments import one_of, real, whole
from dalembert.elastic.finite_elements import FiniteElements, MassPoints, StressPart
from dalembert.elastic.flexibility import Reals
from dalembert.errors import MissingExtraError, ModelError, ModelWarning, warn_caller

#: Elements by the class of the mesh and the order of the displacements.
_CONTINUUM = {
    ("MeshTri1", 1): "ElementTriP1", ("MeshTri1", 2): "ElementTriP2", ("MeshQuad1", 1): "ElementQuad1",
    ("MeshQuad1", 2): "ElementQuad2", ("MeshTet1", 1): "ElementTetP1", ("MeshTet1", 2): "ElementTetP2",
    ("MeshHex1", 1): "ElementHex1", ("MeshHex1", 2): "ElementHex2",
}  # fmt: skip
_PLATES = {"morley": "ElementTriMorley", "argyris": "ElementTriArgyris"}
_STRESSES = {2: (("xx", 0, 0), ("yy", 1, 1), ("xy", 0, 1)), 3: (
    ("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("yz", 1, 2), ("zx", 2, 0),
)}  # fmt: skip


def scikit_fem() -> Any:
    """The package, or an error that says how to install it."""
    try:
        import skfem
    except ImportError:
        raise MissingExtraError("assembling finite elements", "scikit-fem", "elastic") from None
    return skfem


def plane_stress(
    mesh: Any,
    *,
    young: float,
    poisson: float,
    density: float,
    thickness: float = 1.0,
    order: int = 2,
    name: str = "plate",
) -> FiniteElements:
    """A body in the plane, of triangles or quadrilaterals, stresses across the plane zero.

    :param mesh: a mesh of scikit-fem, such as ``skfem.MeshTri.init_tensor(x, y)``
    :param young: Young's modulus E
    :param poisson: Poisson's ratio ν
    :param density: mass per volume
    :param order: of the displacements, 1 or 2; those of order 1 lock in bending
    """
    material = _material(young, poisson, density, name)
    lam, mu = _lame(material[0], material[1])
    lam = 2.0 * lam * mu / (lam + 2.0 * mu)
    return _continuum(
        mesh,
        2,
        lam,
        mu,
        material[2] * _positive(thickness, "thickness", name),
        order,
        name,
        _positive(thickness, "thickness", name),
    )


def solid(
    mesh: Any, *, young: float, poisson: float, density: float, order: int = 2, name: str = "solid"
) -> FiniteElements:
    """A body in space, of tetrahedra or hexahedra; arguments as those of :func:`plane_stress`."""
    material = _material(young, poisson, density, name)
    lam, mu = _lame(material[0], material[1])
    return _continuum(mesh, 3, lam, mu, material[2], order, name, 1.0)


def plate(
    mesh: Any,
    *,
    young: float,
    poisson: float,
    density: float,
    thickness: float,
    element: str = "morley",
    name: str = "plate",
) -> FiniteElements:
    """A thin plate in the plane z = 0 of the body frame that bends along z (Kirchhoff), of triangles.

    ``element`` is "morley", quadratic with slopes at the edges, or "argyris", of degree 5.  It is stiff in its plane.
    """
    skfem = scikit_fem()
    E, nu, rho = _material(young, poisson, density, name)
    h = _positive(thickness, "thickness", name)
    one_of(element, _PLATES, f"finite elements '{name}': element", ModelError)
    _check_mesh(mesh, ("MeshTri1",), name)
    basis = skfem.Basis(mesh, getattr(skfem, _PLATES[element])(), intorder=8 if element == "argyris" else 4)
    D = E * h**3 / (12.0 * (1.0 - nu**2))

    @skfem.BilinearForm
    def bending(u: Any, v: Any, _: Any) -> Any:
        (uxx, uxy), (_, uyy) = u.hess
        (vxx, vxy), (_, vyy) = v.hess
        mean = (uxx + uyy) * (vxx + vyy)
        return D * (nu * mean + (1.0 - nu) * (uxx * vxx + uyy * vyy + 2.0 * uxy * vxy))

    @skfem.BilinearForm
    def inertia(u: Any, v: Any, _: Any) -> Any:
        return rho * h * u * v

    K, M = bending.assemble(basis), inertia.assemble(basis)
    # Degrees of freedom of the vertices: w, then for Argyris its slopes; θ_x = ∂w/∂y, θ_y = −∂w/∂x.
    dofs = np.full((basis.N, 2), -1, dtype=np.int64)
    dofs[:, 1] = 2
    dofs[basis.nodal_dofs[0], 0] = np.arange(mesh.p.shape[1])
    change = np.ones(basis.N)
    if element == "argyris":
        for row, component, sign in ((1, 4, -1.0), (2, 3, 1.0)):
            dofs[basis.nodal_dofs[row], 0], dofs[basis.nodal_dofs[row], 1] = np.arange(mesh.p.shape[1]), component
            change[basis.nodal_dofs[row]] = sign
    from scipy import sparse

    turn = sparse.diags_array(change)
    X = np.column_stack([mesh.p.T, np.zeros(mesh.p.shape[1])])
    N = _interpolation(basis, np.asarray)
    points, weights = _quadrature(basis)
    nothing = sparse.csr_array(N.shape)
    return FiniteElements(
        X, turn @ M @ turn, turn @ K @ turn, dofs, sets=_sets(mesh), name=name, edges=_edges(mesh), faces=_faces(mesh),
        mass_points=MassPoints(
            np.column_stack([points, 0.0 * weights]), rho * h * weights, (nothing, nothing, N @ turn)
        ),
    )  # fmt: skip


def beam_elements(
    mesh: Any,
    *,
    young: float,
    area: float,
    second_moment: float,
    density: float,
    degree: int = 5,
    name: str = "beam",
) -> FiniteElements:
    """A beam along x that stretches and bends in the plane (Euler–Bernoulli), of Hermite elements on a line mesh.

    :param degree: of the deflection within an element: 5, with two shapes inside of each that leave its ends at rest,
        or 3, the elements of textbooks; the displacement along the beam has two degrees less
    """
    skfem = scikit_fem()
    E, A, rho = (_positive(value, key, name) for value, key in ((young, "young"), (area, "area"), (density, "density")))
    I = _positive(second_moment, "second_moment", name)
    if whole(degree, f"finite elements '{name}': degree", ModelError) not in (3, 5):
        raise ModelError(f"finite elements '{name}': degree must be 3 or 5, got {degree}")
    _check_mesh(mesh, ("MeshLine1",), name)
    from scipy import sparse

    basis = skfem.Basis(mesh, skfem.ElementLineP1(), intorder=2 * degree)
    number, elements = mesh.p.shape[1], mesh.t.shape[1]
    # Rows: displacements along x of the nodes, deflections, slopes; then what stands inside of the elements.
    inside = 2 * (degree == 5)
    n = 3 * number + 2 * inside * elements
    dofs = np.full((n, 2), -1, dtype=np.int64)
    dofs[:, 1] = 1
    for k, component in enumerate((0, 1, 5)):
        dofs[k * number : (k + 1) * number] = np.column_stack([np.arange(number), np.full(number, component)])
    points, weights = _quadrature(basis)
    ends, s = mesh.t, np.asarray(basis.X[0])  # places on the element of length one
    own = 3 * number + np.arange(2 * inside * elements).reshape(elements, -1).T
    along = [*ends, *own[:inside]]
    across = [number + ends[0], 2 * number + ends[0], number + ends[1], 2 * number + ends[1], *own[inside:]]
    h = mesh.p[0, ends[1]] - mesh.p[0, ends[0]]
    stretched, bent = _line_shapes(s, inside)

    def operator(rows: Any, shapes: Any, derivative: int, slopes: tuple[int, ...] = ()) -> Any:
        """Values or derivatives at the points of quadrature; ``slopes``: which of the rows are slopes."""
        factors = [h ** (float(k in slopes) - derivative) for k in range(len(rows))]
        i = np.arange(elements * len(s)).reshape(elements, -1)
        entries = [factor[:, None] * shape[derivative] for factor, shape in zip(factors, shapes, strict=True)]
        columns = [np.repeat(row, len(s)) for row in rows]
        parts = np.concatenate([one.ravel() for one in entries]), np.tile(i.ravel(), len(rows)), np.concatenate(columns)
        return sparse.csr_array((parts[0], parts[1:]), shape=(i.size, n))

    N_x, strain = (operator(along, stretched, k) for k in (0, 1))
    N_y, slope, curvature = (operator(across, bent, k, (1, 3)) for k in (0, 1, 2))
    W = sparse.diags_array(weights)
    X = np.column_stack([mesh.p[0], np.zeros(number)])
    return FiniteElements(
        X,
        rho * A * (N_x.T @ W @ N_x + N_y.T @ W @ N_y),
        E * A * (strain.T @ W @ strain) + E * I * (curvature.T @ W @ curvature),
        dofs, sets=_sets(mesh), name=name, edges=tuple(map(tuple, mesh.t.T.tolist())),
        mass_points=MassPoints(np.column_stack([points, 0.0 * weights]), rho * A * weights, (N_x, N_y)),
        stress_parts=(StressPart(E * A * (W @ strain), ((slope, slope),)),),
    )  # fmt: skip


def _line_shapes(s: Reals, inside: int) -> tuple[list[Any], list[Any]]:
    """Shapes on an element of length one with derivatives: along it linear, across it of Hermite; then ``inside``
    shapes each that vanish at the ends, the latter with their slopes."""
    from numpy.polynomial import Polynomial

    x, one = Polynomial([0.0, 1.0]), Polynomial([1.0])
    stretched = [one - x, x]
    bent = [one - 3 * x**2 + 2 * x**3, x - 2 * x**2 + x**3, 3 * x**2 - 2 * x**3, x**3 - x**2]
    bubble, odd = x * (one - x), 2 * x - one
    stretched += [bubble, bubble * odd][:inside]
    bent += [bubble**2, bubble**2 * odd][:inside]

    def values(shapes: list[Any]) -> list[Any]:
        return [[shape.deriv(k)(s) if k else shape(s) for k in range(3)] for shape in shapes]

    return values(stretched), values(bent)


# ------------------------------------------------------------------------------------------------------------- inside


def _continuum(
    mesh: Any, d: int, lam: float, mu: float, rho: float, order: int, name: str, thickness: float
) -> FiniteElements:
    skfem = scikit_fem()
    whole(order, f"finite elements '{name}': order", ModelError, least=1, most=2)
    kinds = tuple(kind for kind, _ in _CONTINUUM if ("Tri" in kind or "Quad" in kind) == (d == 2))
    kind = _check_mesh(mesh, kinds, name)
    if order == 1:
        warn_caller(
            f"finite elements '{name}': {_CONTINUUM[kind, 1].removeprefix('Element')} elements lock in bending and are "
            "too stiff there; take order=2, or compare with a finer mesh",
            ModelWarning,
        )
    element = getattr(skfem, _CONTINUUM[kind, order])()
    basis = skfem.Basis(mesh, skfem.ElementVector(element), intorder=2 * order if "Hex" not in kind else 4)

    def strain(u: Any) -> Any:
        return 0.5 * (u.grad + np.swapaxes(u.grad, 0, 1))

    @skfem.BilinearForm
    def stiffness(u: Any, v: Any, _: Any) -> Any:
        eu, ev = strain(u), strain(v)
        trace_u, trace_v = (sum(e[i, i] for i in range(d)) for e in (eu, ev))
        return thickness * (lam * trace_u * trace_v + 2.0 * mu * np.einsum("ij...,ij...->...", eu, ev))

    @skfem.BilinearForm
    def inertia(u: Any, v: Any, _: Any) -> Any:
        return rho * sum(u[i] * v[i] for i in range(d))

    K, M = stiffness.assemble(basis), inertia.assemble(basis)
    X, dofs = _node_dofs(basis, d)
    points, weights = _quadrature(basis)
    displacement = tuple(_interpolation(basis, lambda field, a=a: np.asarray(field)[a]) for a in range(d))
    return FiniteElements(
        X, M, K, dofs, sets=_sets(mesh), name=name, edges=_edges(mesh), faces=_faces(mesh),
        mass_points=MassPoints(points, rho * weights, displacement),
        stresses=_stresses(skfem, mesh, element, basis, X, d, lam, mu),
        stress_parts=_stress_parts(basis, d, thickness * lam, thickness * mu),
    )  # fmt: skip


def _node_dofs(basis: Any, d: int) -> tuple[Reals, Any]:
    """Places of nodes, vertices first, then those on edges, faces and inside; and (node, component) of the rows."""
    dofs = np.empty((basis.N, 2), dtype=np.int64)
    count = 0
    places = []
    for group in (basis.nodal_dofs, basis.edge_dofs, basis.facet_dofs, basis.interior_dofs):
        for first in range(0, group.shape[0] if group is not None else 0, d):
            rows = group[first : first + d]
            numbers = count + np.arange(rows.shape[1])
            for a in range(d):
                dofs[rows[a], 0], dofs[rows[a], 1] = numbers, a
            places.append(basis.doflocs[:, rows[0]].T)
            count += rows.shape[1]
    return np.concatenate(places), dofs


def _interpolation(basis: Any, value: Any) -> Any:
    """Values of a field at the points of quadrature, from the degrees of freedom; sparse."""
    from scipy import sparse

    elements, points = basis.dx.shape
    rows = np.arange(elements * points).reshape(elements, points)
    i, j, entries = [], [], []
    for k in range(basis.Nbfun):
        values = np.broadcast_to(value(basis.basis[k][0]), rows.shape)
        i.append(rows.ravel())
        j.append(np.repeat(basis.element_dofs[k], points))
        entries.append(values.ravel())
    found = sparse.csr_array(
        (np.concatenate(entries), (np.concatenate(i), np.concatenate(j))), shape=(rows.size, basis.N)
    )
    found.eliminate_zeros()
    return found


def _quadrature(basis: Any) -> tuple[Reals, Reals]:
    places = np.asarray(basis.global_coordinates())
    return places.reshape(len(places), -1).T, basis.dx.ravel()


def _stresses(
    skfem: Any, mesh: Any, element: Any, basis: Any, X: Reals, d: int, lam: float, mu: float
) -> dict[str, Any]:
    """Stresses at the nodes: at those of each element, averaged over the elements that share one."""
    from scipy import sparse

    corners = element.doflocs.T  # places of the nodes of the element
    at_nodes = skfem.Basis(mesh, skfem.ElementVector(element), quadrature=(corners, np.ones(corners.shape[1])))
    locations = _element_nodes(basis, d, corners.shape[1])
    count = np.bincount(locations.ravel(), minlength=len(X)).astype(float)
    average = sparse.csr_array(
        (1.0 / count[locations.ravel()], (locations.ravel(), np.arange(locations.size))), shape=(len(X), locations.size)
    )
    gradient = {
        (a, b): average @ _interpolation(at_nodes, lambda field, a=a, b=b: field.grad[a, b])
        for a in range(d) for b in range(d)
    }  # fmt: skip
    trace = sum(gradient[a, a] for a in range(d))
    return {
        key: sparse.csr_array(mu * (gradient[a, b] + gradient[b, a]) + (lam * trace if a == b else 0.0 * trace))
        for key, a, b in _STRESSES[d]
    }


def _stress_parts(basis: Any, d: int, lam: float, mu: float) -> tuple[StressPart, ...]:
    """σ_ab at the points of quadrature, and ∂_a u · ∂_b u, which it meets."""
    from scipy import sparse

    gradient = {
        (c, a): _interpolation(basis, lambda field, c=c, a=a: field.grad[c, a]) for c in range(d) for a in range(d)
    }
    trace, weights = sum(gradient[a, a] for a in range(d)), sparse.diags_array(basis.dx.ravel())
    return tuple(
        StressPart(
            sparse.csr_array(
                weights @ (mu * (gradient[a, b] + gradient[b, a]) + (lam * trace if a == b else 0.0 * trace))
            ),
            tuple((gradient[c, a], gradient[c, b]) for c in range(d)),
        )
        for a in range(d) for b in range(d)
    )  # fmt: skip


def _element_nodes(basis: Any, d: int, per_element: int) -> Any:
    """Numbers of nodes, (elements, nodes of one), in the order of the element's own."""
    _, dofs = _node_dofs(basis, d)
    return dofs[basis.element_dofs[0::d].T, 0].reshape(-1, per_element)


def _sets(mesh: Any) -> dict[str, Any]:
    """Vertices of named boundaries and parts."""
    found = {}
    for name, facets in (mesh.boundaries or {}).items():
        found[str(name)] = np.unique(mesh.facets[:, np.asarray(facets, dtype=int)])
    for name, elements in (mesh.subdomains or {}).items():
        found.setdefault(str(name), np.unique(mesh.t[:, np.asarray(elements, dtype=int)]))
    return {name: nodes for name, nodes in found.items() if len(nodes)}


def _edges(mesh: Any) -> tuple[tuple[int, ...], ...]:
    """Edges of the boundary in the plane, of all elements in space."""
    pairs = mesh.facets[:, mesh.boundary_facets()] if mesh.p.shape[0] == 2 else mesh.edges
    return tuple((int(a), int(b)) for a, b in pairs[:2].T)


def _faces(mesh: Any) -> tuple[tuple[int, ...], ...]:
    """Triangles of the surface, quadrilaterals halved."""
    corners = mesh.t if mesh.p.shape[0] == 2 else mesh.facets[:, mesh.boundary_facets()]
    parts = [corners[:3]] + ([corners[[0, 2, 3]]] if len(corners) == 4 else [])
    return tuple((int(a), int(b), int(c)) for part in parts for a, b, c in part.T)


def _check_mesh(mesh: Any, kinds: tuple[str, ...], name: str) -> str:
    kind = type(mesh).__name__
    kind = {
        "MeshTri": "MeshTri1",
        "MeshQuad": "MeshQuad1",
        "MeshTet": "MeshTet1",
        "MeshHex": "MeshHex1",
        "MeshLine": "MeshLine1",
    }.get(kind, kind)
    if kind not in kinds:
        wanted = ", ".join(dict.fromkeys(kinds))
        raise ModelError(
            f"finite elements '{name}': the mesh must be one of scikit-fem's {wanted}, got {kind}; files are read by "
            "skfem.Mesh.load(…)"
        )
    return kind


def _material(young: float, poisson: float, density: float, name: str) -> tuple[float, float, float]:
    E, rho = _positive(young, "young", name), _positive(density, "density", name)
    nu = real(poisson, f"finite elements '{name}': poisson", ModelError)
    if not -1.0 < nu < 0.5:
        raise ModelError(f"finite elements '{name}': poisson must be between −1 and 0.5, got {nu:g}")
    return E, nu, rho


def _lame(E: float, nu: float) -> tuple[float, float]:
    return E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu))


def _positive(value: float, key: str, name: str) -> float:
    found = real(value, f"finite elements '{name}': {key}", ModelError)
    if not found > 0.0:
        raise ModelError(f"finite elements '{name}': {key} must be positive, got {found:g}")
    return found
