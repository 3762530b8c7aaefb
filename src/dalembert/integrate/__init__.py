"""Integration of equations of motion: one frame, methods behind one protocol."""

from dalembert.integrate.events.event import Change, Event
from dalembert.integrate.methods.registry import Method, methods
from dalembert.integrate.run.simulate import resume, simulate
from dalembert.integrate.run.sketching import draw

__all__ = ["Change", "Event", "Method", "draw", "methods", "resume", "simulate"]
