"""Guards: conditions without which equations say nothing about the motion any more, as a wheel's that lifts off, or
less than they should, as those of a contact that becomes conformal.

A guard is a function of the motion that is positive.  Runs watch all guards.  Where one falls to zero they end, with
its name and the instant, or go on and tell both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Guard:
    """A condition of a mechanism.

    :param name: what happens where it no longer holds, as a sentence without its instant: "wheel 'left' lifts off"
    :param room: gives a value that is positive while all is well, as atoms of ``equations.namespace()``
    :param ends: whether runs end there; otherwise they are noticed at the ends of steps, and told
    """

    name: str
    room: Callable[[], Any]
    ends: bool = True
