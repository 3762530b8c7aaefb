"""Equations of a whole model on one graph, by the principle of virtual power (railway paper, sections 2.3 and 3.1–3.3).

For all bodies and elements, with velocities v_P of points, angular velocities w and rates ṡ of scalars, linear in the
generalised velocities v:

    f_k = Σ F·∂v_P/∂v_k + Σ M·∂w/∂v_k + Σ S ∂ṡ/∂v_k                                        railway paper, section 2.3

One reverse sweep gives all f_k.  Inertia forces, with the accelerations as symbols, give M and the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dalembert.equations.builders.trace import Traced, checked_names
from dalembert.equations.contract.expressions import Expressions
from dalembert.equations.contract.viscous import ViscousPart, check_viscous, viscous_part
from dalembert.errors import ModelError
from dalembert.model.bodies.parts import Pairs
from dalembert.model.element import Element, Row, Site
from dalembert.model.formulate.articulated import accelerations, mass_matrix
from dalembert.model.formulate.coordinate_layout import CoordinateLayout
from dalembert.model.formulate.scene import Scene
from dalembert.model.frames import entry_is
from dalembert.symbolic import Atom, AtomArray, array, jacobian, linear_coefficients, substitute, time_derivative, zeros


def whole_model(scene: Scene) -> Traced:
    """The equations of motion of a scene."""
    names = checked_names(
        scene.model.name, scene.layout.names, {key: len(scene.inputs[key]) for key in ("q", "v", "lam", "u")}
    )
    M, bias = inertia(scene)
    w = array(list(vars(scene.w).values())) if scene.model.inputs else None
    found = replace(expressions(scene, M, bias, solved=scene.is_tree, bodies=body_pairs(scene)), w=w)
    return Traced(found, scene.model.name, names, scene.model.parameter_values, breaks(scene.layout))


def breaks(layout: CoordinateLayout) -> tuple[float, ...]:
    """Instants at which an element is not smooth."""
    elements = [*layout.elements, *layout.prescribed.values()]
    return tuple(sorted({float(t) for element in elements for t in element.breaks}))


def expressions(
    scene: Scene, M: AtomArray, bias: AtomArray, solved: bool = False, bodies: Pairs | None = None
) -> Expressions:
    """Forces, constraints and kinematics of all elements of a scene, with the inertia of bodies; ``solved``: also the
    accelerations of a tree without constraints; with the pairs of ``bodies``, also the balance of all forces."""
    inputs = scene.inputs
    rows: list[Row] = []
    moving: list[Any] = []
    pairs: list[tuple[Any, Any]] = []
    d: list[Any] = []
    viscous: list[ViscousPart] = []
    for element in scene.layout.elements:
        site = scene.site(element)
        rows += _counted(element.constraints(site), len(element.rows), element.label)
        moving += _counted(element.velocity_constraints(site), len(element.moving_rows), element.label)
        powers = element.powers(site)
        pairs += powers
        viscous += viscous_parts(scene, element, site, powers)
        d += _counted(element.state_rates(site), len(element.states), element.label)
    if scene.layout.augmented:
        equations = [one for element in scene.layout.with_auxiliary for one in scene.auxiliary_equations(element)]
        rows += [Row(one, time_derivative(one)) for one in equations]
    forces = scene.generalised(pairs) if pairs and len(bias) else zeros(bias.shape)
    q_rate = array(scene.q_rate) if scene.q_rate else zeros((0,))
    _check_turns(scene)
    unit = len(q_rate) == len(inputs["v"]) and all(a == b for a, b in zip(q_rate, inputs["v"], strict=True))
    return Expressions(
        scene.graph,
        inputs,
        M=M,
        f=array(bias + forces),
        g=array([row.value for row in rows]) if rows else zeros((0,)),
        T=None if unit else array(jacobian(q_rate, inputs["v"])),
        T_v=q_rate if scene.auxiliary else None,
        nonholonomic=array(moving) if moving else None,
        d=array(d) if d else None,
        normal=scene.normalised(),
        g_rate=array([row.rate for row in rows]) if rows else None,
        accelerations=accelerations(scene, forces) if solved and not rows and not moving else None,
        viscous=tuple(viscous),
        auxiliary=scene.auxiliary,
        chains=scene.layout.auxiliary_chains(scene.layout.names["lam"]),
        balance=None if bodies is None else _balance(scene, [*bodies, *pairs], [*(row.rate for row in rows), *moving]),
    )


def viscous_parts(scene: Scene, element: Element, site: Site, powers: Pairs) -> list[ViscousPart]:
    """Stiff viscous parts that an element announces, which must be among its powers."""
    v = scene.inputs["v"]
    found = [viscous_part(element.label, *pair, v) for pair in element.viscous(site)] if len(v) else []
    if found:
        check_viscous(found, scene.generalised(powers) if powers else zeros(v.shape), scene.inputs)
    return found


def _check_turns(scene: Scene) -> None:
    """Complain about angles that count turns where q̇ = T v does not hold: they turn though nothing moves freely."""
    still = dict.fromkeys(scene.inputs["v"], 0.0)
    for coordinate, i in scene.layout.angles.items() if scene.layout.prescribed else ():
        rate = scene.q_rate[i]
        if isinstance(rate, Atom) and not entry_is(substitute(rate, still), 0.0):
            listed = ", ".join(one.name for one in scene.layout.prescribed)
            raise ModelError(
                f"'{scene.model.name}': {coordinate.name} counts turns outside of the tree, and moves with what is "
                f"prescribed ({listed}); drive that instead (m.drive), or keep joint '{coordinate.joint.name}' in the "
                "tree (tree=…)"
            )


def _balance(scene: Scene, pairs: Pairs, rates: list[Any]) -> AtomArray:
    """M a − f + Gᵀλ in one sweep over all forces, reactions among them: inverse dynamics, whose derivatives are much
    shorter than those of M."""
    reactions = [(-force, rate) for force, rate in zip(scene.inputs["lam"], rates, strict=True)]
    return array(-scene.generalised([*pairs, *reactions]))


def _counted(items: list[Any], count: int, label: str) -> list[Any]:
    if len(items) != count:
        raise ModelError(f"{label} announces {count} rows and has {len(items)}")
    return items


def body_pairs(scene: Scene) -> Pairs:
    """Forces of inertia, weights and inner forces of all bodies, and the velocities that they meet."""
    bodies = scene.layout.bodies
    return [pair for body in bodies for pair in (*body.inertia_pairs(scene), *body.powers(scene))]


def inertia(scene: Scene) -> tuple[AtomArray, AtomArray]:
    """M, and the forces of bodies at v̇ = 0: of inertia, weights and inner ones."""
    if scene.is_tree:
        still = dict.fromkeys(scene.inputs["a"], 0.0)
        return mass_matrix(scene), array(substitute(scene.generalised(body_pairs(scene)), still))
    minus_M, bias = linear_coefficients(scene.generalised(body_pairs(scene)), scene.inputs["a"])
    return array(-minus_M), bias
