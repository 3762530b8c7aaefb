"""Test problems with their stories, data and reference solutions.

Each function returns a :class:`Problem`: name, story, citation, equations, consistent start, references with their
accuracy, and a sketch for drawings::

    problem = da.problems.seven_body()
    solution = da.simulate(problem)

Pendulums
    :func:`pendulum`, :func:`double_pendulum`, :func:`stiff_double_pendulum`, :func:`elastic_pendulum`,
    :func:`pendulum_chain`, :func:`excited_chain`
Mechanisms
    :func:`seven_body`, :func:`slider_crank`
Friction and massless coordinates
    :func:`cable_drum`, :func:`insulator_chain`
Vehicles
    :func:`truck`, :func:`truck_surrogate`, :func:`elastic_truck`, :func:`carriage`; the HMMWV of fourteen bodies is
    :func:`~dalembert.problems.mechanisms.hmmwv14`
Benchmarks of the IFToMM library
    :func:`a01`, :func:`a02`, :func:`a03`
By name
    :func:`names`, :func:`get`
Built as models of bodies and joints
    :mod:`~dalembert.problems.mechanisms`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dalembert.errors import suggestion
from dalembert.problems import mechanisms
from dalembert.problems.andrews import a03, seven_body
from dalembert.problems.bar_chain import pendulum_chain
from dalembert.problems.cap_insulators import insulator_chain
from dalembert.problems.elastic_pendulum import elastic_pendulum
from dalembert.problems.elastic_truck import elastic_truck
from dalembert.problems.excited_pendulums import excited_chain
from dalembert.problems.flexible_slider_crank import slider_crank
from dalembert.problems.friction_drum import cable_drum
from dalembert.problems.iftomm_four_bars import a02
from dalembert.problems.iftomm_pendulum import a01
from dalembert.problems.negrut_double_pendulum import stiff_double_pendulum
from dalembert.problems.planar_double_pendulum import double_pendulum
from dalembert.problems.planar_truck import truck
from dalembert.problems.plane_pendulum import pendulum
from dalembert.problems.problem import ElementGroup, Problem, ProblemError, Reference
from dalembert.problems.railway_carriage import carriage
from dalembert.problems.surrogate_truck import truck_surrogate

__all__ = [
    "ElementGroup",
    "Problem",
    "ProblemError",
    "Reference",
    "a01",
    "a02",
    "a03",
    "cable_drum",
    "carriage",
    "double_pendulum",
    "elastic_pendulum",
    "elastic_truck",
    "excited_chain",
    "get",
    "insulator_chain",
    "mechanisms",
    "names",
    "pendulum",
    "pendulum_chain",
    "seven_body",
    "slider_crank",
    "stiff_double_pendulum",
    "truck",
    "truck_surrogate",
]

_PROBLEMS: dict[str, Callable[..., Problem]] = {
    function.__name__: function
    for function in (
        a01,
        a02,
        a03,
        cable_drum,
        carriage,
        double_pendulum,
        elastic_pendulum,
        elastic_truck,
        excited_chain,
        insulator_chain,
        pendulum,
        pendulum_chain,
        seven_body,
        slider_crank,
        stiff_double_pendulum,
        truck,
        truck_surrogate,
    )
}


def names() -> list[str]:
    """Names of all problems."""
    return sorted(_PROBLEMS)


def get(name: str, **options: Any) -> Problem:
    """The problem of that name; ``options`` are the arguments of its function.

    >>> get("truck", springs="linear").title
    'Planar truck'
    """
    if not isinstance(name, str) or name not in _PROBLEMS:
        raise ProblemError(f"there is no problem '{name}'; {suggestion(name, names())}")
    function = _PROBLEMS[name]
    valid = function.__annotations__.keys() - {"return"}
    for option in options:
        if option not in valid:
            raise ProblemError(f"problem '{name}' has no option '{option}'; {suggestion(option, valid)}")
    return function(**options)
