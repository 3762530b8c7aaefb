"""Integration of equations of motion: one frame, methods behind one protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.integrate.methods.registry import methods  # now, as it takes the place of the folder of that name
from dalembert.lazily import lazily

if TYPE_CHECKING:
    from dalembert.integrate.events.event import Change, Event
    from dalembert.integrate.frame.baumgarte import Baumgarte
    from dalembert.integrate.frame.controllers import (
        Controller,
        Elementary,
        FixedStep,
        Gustafsson,
        ProportionalIntegral,
    )
    from dalembert.integrate.implicit.jacobian import Jacobian
    from dalembert.integrate.implicit.newton import Newton
    from dalembert.integrate.methods.adams import Adams
    from dalembert.integrate.methods.bdf import Bdf
    from dalembert.integrate.methods.chart_bdf import ChartBdf
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
    from dalembert.integrate.methods.rosenbrock import Rosenbrock
    from dalembert.integrate.methods.sdirk import Sdirk
    from dalembert.integrate.run.mode_motion import draw_mode
    from dalembert.integrate.run.simulate import resume, simulate
    from dalembert.integrate.run.sketching import draw

__getattr__, __dir__ = lazily(
    __name__,
    {
        "events.event": "Change Event",
        "frame.baumgarte": "Baumgarte",
        "frame.controllers": "Controller Elementary FixedStep Gustafsson ProportionalIntegral",
        "implicit.jacobian": "Jacobian",
        "implicit.newton": "Newton",
        "methods.adams": "Adams",
        "methods.bdf": "Bdf",
        "methods.chart_bdf": "ChartBdf",
        "methods.chart_rk": "ChartRungeKutta",
        "methods.descriptor": "Descriptor",
        "methods.euler": "ExplicitEuler",
        "methods.explicit_rk": "Dop853 Dopri5",
        "methods.half_explicit": "HalfExplicit",
        "methods.imex": "Imex",
        "methods.linearly_implicit": "LinearlyImplicitEuler LinearlyImplicitTrapezoidal",
        "methods.method": "Method",
        "methods.mexx": "Mexx",
        "methods.newmark": "Newmark",
        "methods.radau": "Radau",
        "methods.rosenbrock": "Rosenbrock",
        "methods.sdirk": "Sdirk",
        "run.mode_motion": "draw_mode",
        "run.simulate": "resume simulate",
        "run.sketching": "draw",
    },
)

__all__ = [
    "Adams",
    "Baumgarte",
    "Bdf",
    "Change",
    "ChartBdf",
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
