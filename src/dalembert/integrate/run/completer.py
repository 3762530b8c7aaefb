"""Points of the dense output, projected onto the constraints and completed by accelerations and multipliers."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dalembert.equations import Equations
from dalembert.errors import NotFiniteError, SimulationError
from dalembert.integrate.frame.advance import complete_points
from dalembert.integrate.methods.method import Method
from dalembert.integrate.run.live import Floats, LiveRun, Options
from dalembert.integrate.run.outcome import culprit

#: Points that are completed at once.
_POINTS = 128


class Completer:
    """Projects points onto the constraints and completes them by a and λ; used for dense output."""

    def __init__(self, equations: Equations, method: Method, options: Options, parameters: Floats) -> None:
        self.rows, self.parameters = equations.rows, np.array(parameters)
        self.method, self.options = method, options
        self._parts = equations, method, options, self.parameters

    def again(self) -> Completer:
        """Another one, which another thread may use."""
        made = object.__new__(Completer)
        made.__dict__.update(self.__dict__)
        made.__dict__.pop("_live", None)
        return made

    @cached_property
    def _live(self) -> LiveRun:
        return LiveRun(*self._parts, points=_POINTS)

    def __call__(self, t: Floats, q: Floats, v: Floats, u: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        live = self._live
        if live.run.friction and t.size:
            live.find_multipliers(t[0], np.concatenate([q[:, 0], v[:, 0], u[:, 0]]))
        s, n_y = live.equations.sizes, live.n_y
        width = 1 + n_y + live.n_z
        result = np.zeros((t.size, width))
        result[:, 0], result[:, 1 : 1 + n_y] = t, np.concatenate([q, v, u]).T
        buffer = live.run.points.reshape(_POINTS, width)
        for first in range(0, t.size, _POINTS):
            part = result[first : first + _POINTS]
            buffer[: len(part)] = part
            live.run.n_points = len(part)
            failed = complete_points(live.run)
            if failed:
                live.raise_pending()
                instant = f"'{live.equations.name}': the state at t = {t[first + failed - 1]:.9g}"
                if found := culprit(live):
                    raise NotFiniteError(found, f"{instant} cannot be completed: {found} is not finite there")
                raise SimulationError(f"{instant} cannot be projected onto the constraints")
            part[:] = buffer[: len(part)]
        columns = result.T
        q_end, v_end, u_end = 1 + s.q, 1 + s.q + s.v, 1 + n_y
        return columns[1:q_end], columns[q_end:v_end], columns[u_end : u_end + s.v], columns[u_end + s.v :]
