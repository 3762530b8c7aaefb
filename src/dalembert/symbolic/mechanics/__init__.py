"""Algebra of mechanics: bases, points, vectors and tensors in space (railway paper, sections 2.1 and 2.3).

Bases and points are two trees.  Everything made from them is an expression of the one graph of atoms.

=============================================  =================================================================
:class:`Base`                                  a triad of axes, turned by angles, Euler parameters or a matrix
:class:`Point`                                 a place, displaced by a vector
:class:`Vector`, :class:`Tensor`               know their base and change it by themselves
:func:`position`, :func:`velocity`,            of points, relative to any frame
:func:`acceleration`
:func:`angular_velocity`,                      of bases, relative to any other
:func:`angular_acceleration`,
:func:`base_change`
:func:`virtual_power`,                         forces on the way to equations of motion
:func:`rigid_body_inertia_forces`,
:func:`steiner`
:func:`euler_parameter_rates`                  kinematics of Euler parameters
=============================================  =================================================================

A pendulum, m l² φ̈ + m g l sin φ = 0:

>>> from dalembert.symbolic.graph import Graph
>>> g = Graph()
>>> world = Base.root(g, "world")
>>> phi, (m, l, gravity) = g.coordinate("phi"), g.parameters("m l gravity")
>>> rod = world.rotated("rod", axis=(0, 0, 1), angle=phi)
>>> mass = Point.root(world, "O").moved("mass", rod.vector(0, -l, 0))
>>> F = m * (world.vector(0, -gravity, 0) - acceleration(mass))
>>> virtual_power([(F, velocity(mass))], [phi.dt])
AtomArray([-(l*(m*(ddphi*l + gravity*sin(phi))))], dtype=object)
"""

from dalembert.symbolic.mechanics.bases import Base, angular_acceleration, angular_velocity, base_change
from dalembert.symbolic.mechanics.points import Point, acceleration, position, velocity
from dalembert.symbolic.mechanics.power import rigid_body_inertia_forces, steiner, virtual_power
from dalembert.symbolic.mechanics.rotations import euler_parameter_rates
from dalembert.symbolic.mechanics.vectors import Tensor, Vector

__all__ = [
    "Base",
    "Point",
    "Tensor",
    "Vector",
    "acceleration",
    "angular_acceleration",
    "angular_velocity",
    "base_change",
    "euler_parameter_rates",
    "position",
    "rigid_body_inertia_forces",
    "steiner",
    "velocity",
    "virtual_power",
]
