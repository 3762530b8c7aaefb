"""Bodies from meshes of scikit-fem: plane stress, solids, Kirchhoff plates, Euler–Bernoulli beams.

Elements of scikit-fem (T. Gustafsson, G. D. McBain, scikit-fem: A Python package for finite element assembly, JOSS 5
(2020) 2369).  Elements of the first order lock in bending: they cannot curve, so that bending shears them, and they are
too stiff until the mesh is very fine; a warning names them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.arguments import one_of, real, whole
from dalembert.elastic.finite_elements import FiniteElements, MassPoints
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
    mesh: Any, *, young: float, area: float, second_moment: float, density: float, name: str = "beam"
) -> FiniteElements:
    """A beam along x that stretches and bends in the plane (Euler–Bernoulli), of Hermite elements on a line mesh."""
    skfem = scikit_fem()
    E, A, rho = (_positive(value, key, name) for value, key in ((young, "young"), (area, "area"), (density, "density")))
    I = _positive(second_moment, "second_moment", name)
    _check_mesh(mesh, ("MeshLine1",), name)
    from scipy import sparse

    along, across = (skfem.Basis(mesh, one(), intorder=6) for one in (skfem.ElementLineP1, skfem.ElementLineHermite))

    @skfem.BilinearForm
    def stretching(u: Any, v: Any, _: Any) -> Any:
        return E * A * u.grad[0] * v.grad[0]

    @skfem.BilinearForm
    def bending(u: Any, v: Any, _: Any) -> Any:
        return E * I * u.hess[0, 0] * v.hess[0, 0]

    @skfem.BilinearForm
    def inertia(u: Any, v: Any, _: Any) -> Any:
        return rho * A * u * v

    number = mesh.p.shape[1]
    n = along.N + across.N
    dofs = np.empty((n, 2), dtype=np.int64)
    dofs[along.nodal_dofs[0]] = np.column_stack([np.arange(number), np.zeros(number)])
    for row, component in ((0, 1), (1, 5)):
        dofs[along.N + across.nodal_dofs[row]] = np.column_stack([np.arange(number), np.full(number, component)])
    points, weights = _quadrature(along)
    N_x = sparse.hstack([_interpolation(along, np.asarray), sparse.csr_array((len(weights), across.N))])
    N_y = sparse.hstack([sparse.csr_array((len(weights), along.N)), _interpolation(across, np.asarray)])
    X = np.column_stack([mesh.p[0], np.zeros(number)])
    return FiniteElements(
        X,
        sparse.block_diag([inertia.assemble(along), inertia.assemble(across)]),
        sparse.block_diag([stretching.assemble(along), bending.assemble(across)]),
        dofs, sets=_sets(mesh), name=name, edges=tuple(map(tuple, mesh.t.T.tolist())),
        mass_points=MassPoints(
            np.column_stack([points, 0.0 * weights]), rho * A * weights, (sparse.csr_array(N_x), sparse.csr_array(N_y))
        ),
    )  # fmt: skip


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
