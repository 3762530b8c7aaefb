"""What a run looks like: units, and poses of bodies, which are evaluated when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np

from dalembert.equations import Equations
from dalembert.equations.contract.provider import Floats
from dalembert.errors import DalembertError
from dalembert.solution import MotionPoint, Solution
from dalembert.solution.deferred import Deferred

if TYPE_CHECKING:
    from dalembert.solution import Appearance

#: Runs with fewer instants are drawn between them too, where the motion is known there.
SMOOTH = 600


def portray(solution: Solution, equations: Equations, parameters_at: Callable[[Floats], Floats]) -> Solution:
    """The solution with the units of its rows, and with an appearance that is made when it is read."""
    solution.units = {**equations.units, **solution.units}
    if type(equations).portrait is not Equations.portrait:
        told = ref(solution)  # which owns the function, and shall not wait for the collector of circles
        solution.appearance = Deferred(lambda: _appearance(told(), equations, parameters_at))  # type: ignore[assignment]
    return solution


def _appearance(
    solution: Solution | None, equations: Equations, parameters_at: Callable[[Floats], Floats]
) -> Appearance | None:
    if solution is None or not solution.t.size:
        return None
    t = smooth_instants(solution)
    motion: MotionPoint | None = None
    if solution.sol is not None and t is not solution.t:
        try:
            motion = solution.sol(t)
        except DalembertError:  # a run that ended badly may not be completed everywhere
            t = solution.t
    data = equations.portrait(t, solution.q if motion is None else motion.q, solution.parameters)
    if data is None:
        return None
    sensors = {} if motion is None else _sensors(equations, t, motion, parameters_at(t))
    measured = solution.outputs if motion is None else sensors
    tracks = [track for tracks_of in data.get("element tracks", ()) for track in tracks_of(measured)]
    return made_of(t, data | {"sensors": sensors, "tracks": [*data.get("tracks", ()), *tracks]})


def appearance_at(solution: Solution, equations: Equations, t: Floats, q: Floats) -> Appearance | None:
    """The appearance at given instants, with coordinates as columns of ``q``."""
    data = equations.portrait(t, q, solution.parameters)
    return None if data is None else made_of(t, data)


def smooth_instants(solution: Solution) -> Floats:
    """The instants of a result, and enough between them to look smooth where the motion is known there."""
    t = solution.t
    if solution.sol is None or not 1 < t.size < SMOOTH:
        return t
    fine = np.unique(np.concatenate([t, np.linspace(t[0], t[-1], SMOOTH)]))
    return fine if t[-1] > t[0] else fine[::-1].copy()


def _sensors(equations: Equations, t: Floats, motion: MotionPoint, p: Floats) -> dict[str, Floats]:
    """Sensors of the equations between the instants of a result."""
    sensors = equations.sensors
    if sensors is None:
        return {}
    point = {"p": p, "t": t[:, None], "mu": np.zeros((t.size, equations.sizes.g))}
    point |= {key: getattr(motion, key).T for key in ("q", "v", "u", "lam", "a")}
    found = sensors.at(point) | ({} if sensors.later is None else sensors.later.at(point))
    return {name: rows if rows.ndim == 1 else rows.reshape(len(rows), -1).T for name, rows in found.items()}


def _family(link: dict[str, Any]) -> str:
    """How a connection is drawn; joints of other kinds than the usual ones are seen by what they do."""
    from dalembert.solution.appearance import Connection

    return str(link["family"]) if link["family"] in Connection.FAMILIES else "constraint"


def made_of(t: Floats, data: dict[str, Any]) -> Appearance:
    """An appearance of the plain data that equations have told."""
    from dalembert.solution.appearance import (
        Appearance,
        Connection,
        DrawnBody,
        DrawnForce,
        Mount,
        PointTrack,
        Surface,
    )

    def place(given: dict[str, Any] | None) -> Mount | None:
        return None if given is None else Mount(**given)

    return Appearance(
        t,
        tuple(
            DrawnBody(**{**body, "surfaces": tuple(Surface(*one) for one in body["surfaces"])})
            for body in data["bodies"]
        ),
        tuple(
            Connection(**{**link, "family": _family(link), "places": tuple(Mount(**one) for one in link["places"])})
            for link in data["links"]
        ),
        tuple(
            DrawnForce(
                one["name"], one["quantity"], Mount(**one["at"]), place(one.get("axes")), place(one.get("toward"))
            )
            for one in data["forces"]
        ),
        tuple(PointTrack(**one) for one in data.get("tracks", ())),
        plane=data["plane"],
        gravity=data["gravity"],
        scenery=tuple(Surface(*one) for one in data["scenery"]),
        sensors=data.get("sensors", {}),
    )
