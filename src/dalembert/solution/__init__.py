"""Results of runs: arrays with names, dense output, events, statistics, and their files.

``Solution``
    A run: the motion at the output times, how it ended, what it cost. ``save`` writes it to a file.
``load``
    Reads a stored run; needs no equations and executes nothing.
``Journal``
    How a run is written to disk while it goes.
``DenseOutput``, ``MotionPoint``
    The motion between the steps, and one value of it.
``Curves``
    Some components as functions of time.
``EventRecord``, ``Statistics``, ``Sketch``, ``Checkpoint``
    Parts of a solution.
``Appearance``, ``DrawnBody``, ``Surface``, ``Connection``, ``Mount``, ``DrawnForce``, ``PointTrack``
    What a mechanism looks like and how it moved.

This layer knows nothing of models and equations, so that a stored run opens anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.lazily import lazily

if TYPE_CHECKING:
    from dalembert.solution.appearance import Appearance, Connection, DrawnBody, DrawnForce, Mount, PointTrack, Surface
    from dalembert.solution.curves import Curves
    from dalembert.solution.dense_output import DenseOutput, MotionPoint
    from dalembert.solution.journal import Journal
    from dalembert.solution.solution import Checkpoint, EventRecord, Sketch, Solution, Statistics
    from dalembert.solution.storage import load

__getattr__, __dir__ = lazily(
    __name__,
    {
        "appearance": "Appearance Connection DrawnBody DrawnForce Mount PointTrack Surface",
        "curves": "Curves",
        "dense_output": "DenseOutput MotionPoint",
        "journal": "Journal",
        "solution": "Checkpoint EventRecord Sketch Solution Statistics",
        "storage": "load",
    },
)

__all__ = [
    "Appearance",
    "Checkpoint",
    "Connection",
    "Curves",
    "DenseOutput",
    "DrawnBody",
    "DrawnForce",
    "EventRecord",
    "Journal",
    "MotionPoint",
    "Mount",
    "PointTrack",
    "Sketch",
    "Solution",
    "Statistics",
    "Surface",
    "load",
]
