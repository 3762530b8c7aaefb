"""Which element is to blame for forces that are not finite, or cannot start where it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.equations.contract.expressions import symbols_in
from dalembert.errors import ModelError
from dalembert.model.element import Element, Site
from dalembert.model.forces.springs import Scalar
from dalembert.model.formulate.scene import Scene
from dalembert.symbolic import Atom, Vector, array, evaluate, jacobian
from dalembert.symbolic.evaluate import table_left

#: Part of its size that a force changes by where it jumps.
_JUMPS = 1e-2
#: Part of a change that a corner makes, and of the force that is rounding.
_BENDS, _ROUNDING = 1e-4, 1e-11


def culprit(scene: Scene, point: Mapping[str, Any]) -> ModelError | None:
    """An error that names the first element whose forces, or rates of states, are not finite; None if all are.

    ``point`` has arrays under the names of the scene's inputs: p, t, q, v, u, lam.
    """
    known = _known(scene, point)
    for element in scene.layout.elements:
        site = scene.site(element)
        for what, items in (("force", _forces(element, site)), ("rates of states", element.state_rates(site))):
            values = np.asarray(evaluate(array(items), known)) if items else np.zeros(0)
            if not np.isfinite(values).all():
                if told := _unmet(element, site, known):
                    return ModelError(told)
                found = values[~np.isfinite(values)][0]
                t = float(np.atleast_1d(point["t"])[0])
                remedy = table_left(array(items), known) or _remedy(element, site, known)
                return ModelError(f"{element.label}: {what}: {found} at t = {t:.6g}; {remedy}")
    return None


def jumping(scene: Scene, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The element whose forces, or rates of states, change most between two points side by side, as a part of their
    size; nothing if none does."""
    found, largest = "", _JUMPS
    sides = [_known(scene, point) for point in (before, after)]
    for element in scene.layout.elements:
        site = scene.site(element)
        items = [*_forces(element, site), *element.state_rates(site)]
        if not items:
            continue
        a, b = (np.asarray(evaluate(array(items), known), dtype=float) for known in sides)
        size = max(np.abs(a).max(), np.abs(b).max())
        if size > 0.0 and np.abs(b - a).max() > largest * size:
            found, largest = element.label, np.abs(b - a).max() / size
    return found


def powers(scene: Scene, point: Mapping[str, Any]) -> dict[str, float]:
    """The power of the forces of each element, by its name, where it is a number; infinite where it is too large."""
    found, known = {}, _known(scene, point)
    for element in scene.layout.elements:
        listed = element.powers(scene.site(element))
        parts = [
            array(force @ velocity if isinstance(force, Vector) else force * velocity) for force, velocity in listed
        ]
        with np.errstate(all="ignore"):
            power = sum(float(np.sum(evaluate(part, known))) for part in parts)
        if parts and not np.isnan(power):
            found[element.label] = power
    return found


def bending(
    scene: Scene, before: Mapping[str, Any], here: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """The elements whose forces, or rates of states, change by another slope before a point than after it; with the
    rate of their path by the velocities, or None where there is no path."""
    found: dict[str, Any] = {}
    for element, (a, b, c) in _values(scene, (before, here, after)):
        bend, change = np.abs((c - b) - (b - a)), np.abs(c - b) + np.abs(b - a)
        if (bend > _BENDS * change + _ROUNDING * np.maximum(np.abs(a), np.abs(c))).any():
            rate = element.along(scene.site(element))[1] if isinstance(element, Scalar) else None
            found[element.label] = (
                np.asarray(evaluate(jacobian(rate, scene.inputs["v"]), _known(scene, here)), dtype=float)
                if isinstance(rate, Atom)
                else None
            )
    return found


def stepping(scene: Scene, points: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The elements whose forces, or rates of states, change between the first two points, and as much between the last
    two, which lie between these."""
    found = []
    for element, (a, b, c, d) in _values(scene, points):
        far, near = np.abs(b - a), np.abs(d - c)
        if (near > 0.5 * far + _ROUNDING * np.maximum(np.abs(a), np.abs(b))).any():
            found.append(element.label)
    return tuple(found)


def _values(scene: Scene, points: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Element, list[Any]]]:
    """Elements with their forces, rates of states and constraints at some points."""
    listed = [_known(scene, point) for point in points]
    for element in scene.layout.elements:
        site = scene.site(element)
        items = [*_forces(element, site), *element.state_rates(site)]
        items += [row.value for row in element.constraints(site)]
        if items:
            yield element, [np.asarray(evaluate(array(items), known), dtype=float) for known in listed]


def unmet_condition(scene: Scene, point: Mapping[str, Any]) -> ModelError | None:
    """An error that names the first element which cannot start from a point, though its forces may be finite there."""
    known = _known(scene, point)
    for element in scene.layout.elements:
        if has_conditions(element) and (told := _unmet(element, scene.site(element), known)):
            return ModelError(told)
    return None


def has_conditions(element: Element) -> bool:
    """Whether it can start from some points only."""
    return type(element).conditions is not Element.conditions


def _known(scene: Scene, point: Mapping[str, Any]) -> dict[Any, float]:
    return {
        symbol: float(value)
        for key, numbers in point.items()
        for symbol, value in zip(scene.inputs[key], np.atleast_1d(numbers), strict=True)
    }


def _unmet(element: Element, site: Site, known: Mapping[Any, float]) -> str | None:
    for value, told in element.conditions(site):
        if not evaluate(value, known) > 0.0:
            return f"{element.label}: {told}"
    return None


def depends_on_reactions(scene: Scene, element: Element) -> bool:
    """Whether forces of an element, or rates of its states, are made of multipliers."""
    site = scene.site(element)
    used = symbols_in(list(array([*_forces(element, site), *element.state_rates(site)]).flat))
    return any(symbol in used for symbol in scene.inputs["lam"])


def _forces(element: Element, site: Site) -> list[Any]:
    """Components of the forces, and the directions that scalar ones act in."""
    listed: list[Any] = []
    for force, velocity in element.powers(site):
        listed += list(force.components()) if isinstance(force, Vector) else [force, velocity]
    return listed


def _remedy(element: Element, site: Site, known: Mapping[Any, float]) -> str:
    if isinstance(element, Scalar) and element.path == "distance":
        if not evaluate(element.along(site)[0], known) > 0.0:
            return "its markers coincide, so that it has no direction; place them apart at the start"
    return "look for a division by zero or a root of a negative number in its law, or start elsewhere"
