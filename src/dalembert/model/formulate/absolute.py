"""Absolute coordinates by elements: cost in proportion to the number of bodies, compile time independent of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.equations import Elements, Equations
from dalembert.model.description import Description
from dalembert.model.formulate.coordinate_layout import CoordinateLayout, Pose
from dalembert.model.formulate.types import Type, angle_types, body_types, element_types
from dalembert.model.formulate.whole import breaks


def by_elements(model: Description, layout: CoordinateLayout, name: str) -> Equations:
    """Equations of a layout in which every body has a pose."""
    names = layout.names
    unit = layout.planar
    builder = Elements(
        name,
        coordinates=names["q"],
        velocities=None if unit else names["v"],
        states=names["u"] or None,
        parameters=model.parameter_values,
        breaks=breaks(layout),
    )
    types = [
        *body_types(model, layout.bodies),
        *angle_types(model, layout.angles),
        *element_types(model, layout),
    ]
    for one in types:
        add_type(builder, one, layout, unit)
    equations = builder.equations()
    equations.names = {**equations.names, "v": tuple(names["v"])}
    layout.renumber_rows(equations.names["lam"])
    return equations


def add_type(builder: Elements, one: Type, layout: CoordinateLayout, unit: bool) -> None:
    """One type with the places of its instances."""
    n_q, n_v = (3, 3) if layout.planar else (7, 6)
    coordinates, velocities = [], []
    for bodies, angles in zip(one.bodies, one.angles, strict=True):
        poses = [_pose(layout, body.name) for body in bodies]
        coordinates.append(
            [i for pose in poses for i in range(pose.q, pose.q + n_q + len(pose.body.modes))]
            + [layout.angles[angle] for angle in angles]
        )
        velocities.append([i for pose in poses for i in range(pose.v, pose.v + n_v + len(pose.body.modes))])
    states = [layout.states_of(element, one.others) for element in one.elements]
    if one.contraction is not None:
        builder.add_contraction(
            one.contraction.name,
            one.contraction,
            coordinates=table(coordinates),
            velocities=None if unit else table(velocities),
        )
    builder.add_expressions(
        one.name,
        one.expressions,
        coordinates=table(coordinates),
        velocities=None if unit else table(velocities),
        states=table(states),
        own=one.own if not unit or one.expressions.normal is not None else (),
        data=one.data,
        row_names=one.row_names or None,
    )


def _pose(layout: CoordinateLayout, name: str) -> Pose:
    carrier = layout.carriers[name]
    assert isinstance(carrier, Pose)
    return carrier


def table(rows: list[Any]) -> Any:
    """Whole numbers, one row for each instance."""
    return np.array(rows, dtype=np.int64).reshape(len(rows), -1)
