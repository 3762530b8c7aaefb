"""Integration of equations of motion: one frame, methods behind one protocol."""

from dalembert.integrate.drawing import draw
from dalembert.integrate.event import Change, Event
from dalembert.integrate.methods import Method, methods
from dalembert.integrate.simulate import resume, simulate

__all__ = ["Change", "Event", "Method", "draw", "methods", "resume", "simulate"]
