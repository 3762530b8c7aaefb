"""Mechanisms built from bodies, joints and forces.

Each function returns an :class:`Example`: a model, its start, a span of time, and what is known of the motion::

    example = mechanisms.four_bar()
    equations = example.model.equations("relative")
    solution = da.simulate(equations, example.span, example.assemble(equations))

Pendulums and chains
    :func:`pendulum`, :func:`chain`, :func:`a01`, :func:`a02`
Linkages
    :func:`four_bar`, :func:`slider_crank`, :func:`seven_body`, :func:`a03`, :func:`spatial_slider_crank`,
    :func:`bricard`, :func:`flexible_slider_crank`
Vehicles and machines
    :func:`double_wishbone`, :func:`axle_rig`, :func:`hmmwv14`, :func:`steered_car`,
    :func:`stewart_platform`, :func:`delta_robot`, :func:`elastic_truck`
Railway vehicles
    :func:`wheelset`, :func:`bogie`, :func:`locomotive`
Turning and rolling bodies
    :func:`top`, :func:`free_body`, :func:`rolling_disc`
"""

from dalembert.problems.mechanisms.elastic import elastic_truck, flexible_slider_crank
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.mechanisms.handling import steered_car
from dalembert.problems.mechanisms.linkages import a03, four_bar, seven_body, slider_crank
from dalembert.problems.mechanisms.locomotive import locomotive
from dalembert.problems.mechanisms.pendulums import a01, a02, chain, pendulum
from dalembert.problems.mechanisms.rigs import axle_rig
from dalembert.problems.mechanisms.rotors import free_body, rolling_disc, top
from dalembert.problems.mechanisms.spatial import bricard, delta_robot, spatial_slider_crank, stewart_platform
from dalembert.problems.mechanisms.suspension import double_wishbone
from dalembert.problems.mechanisms.vehicles import hmmwv14
from dalembert.problems.mechanisms.wheelsets import bogie, wheelset
from dalembert.problems.problem import Observation

__all__ = [
    "Example",
    "Observation",
    "a01",
    "a02",
    "a03",
    "axle_rig",
    "bogie",
    "bricard",
    "chain",
    "delta_robot",
    "double_wishbone",
    "elastic_truck",
    "flexible_slider_crank",
    "four_bar",
    "free_body",
    "hmmwv14",
    "locomotive",
    "pendulum",
    "rolling_disc",
    "seven_body",
    "slider_crank",
    "spatial_slider_crank",
    "steered_car",
    "stewart_platform",
    "top",
    "wheelset",
]
