"""Integration of equations of motion: one frame, methods behind one protocol."""

from dalembert.integrate.events.event import Change, Event
from dalembert.integrate.frame.baumgarte import Baumgarte
from dalembert.integrate.frame.controllers import Controller, Elementary, FixedStep, Gustafsson, ProportionalIntegral
from dalembert.integrate.implicit.jacobian import Jacobian
from dalembert.integrate.implicit.newton import Newton
from dalembert.integrate.methods.adams import Adams
from dalembert.integrate.methods.bdf import Bdf
from dalembert.integrate.methods.chart_rk import ChartRungeKutta
from dalembert.integrate.methods.descriptor import Descriptor
from dalembert.integrate.methods.euler import ExplicitEuler
from dalembert.integrate.methods.explicit_rk import Dop853, Dopri5
from dalembert.integrate.methods.half_explicit import HalfExplicit
from dalembert.integrate.methods.imex import Imex
from dalembert.integrate.methods.linearly_implicit import LinearlyImplicitEuler, LinearlyImplicitTrapezoidal
from dalembert.integrate.methods.method import Method
from dalembert.integrate.methods.mexx import Mexx
from dalembert.integrate.methods.newmark import Newmark
from dalembert.integrate.methods.radau import Radau
from dalembert.integrate.methods.registry import methods
from dalembert.integrate.methods.rosenbrock import Rosenbrock
from dalembert.integrate.methods.sdirk import Sdirk
from dalembert.integrate.run.mode_motion import draw_mode
from dalembert.integrate.run.simulate import resume, simulate
from dalembert.integrate.run.sketching import draw

__all__ = [
    "Adams",
    "Baumgarte",
    "Bdf",
    "Change",
    "ChartRungeKutta",
    "Controller",
    "Descriptor",
    "Dop853",
    "Dopri5",
    "Elementary",
    "Event",
    "ExplicitEuler",
    "FixedStep",
    "Gustafsson",
    "HalfExplicit",
    "Imex",
    "Jacobian",
    "LinearlyImplicitEuler",
    "LinearlyImplicitTrapezoidal",
    "Method",
    "Mexx",
    "Newmark",
    "Newton",
    "ProportionalIntegral",
    "Radau",
    "Rosenbrock",
    "Sdirk",
    "draw",
    "draw_mode",
    "methods",
    "resume",
    "simulate",
]
