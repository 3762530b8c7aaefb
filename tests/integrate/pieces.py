"""Runs that are stopped and resumed, and what must be the same in both."""

import numpy as np

import dalembert as da


def same(one, other, between=True):
    """Compare two solutions with the operator of equality, all arrays and all counts."""
    for name in ("t", "q", "v", "a", "lam", "u"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert len(one.t_events) == len(other.t_events)
    assert all(np.array_equal(a, b) for a, b in zip(one.t_events, other.t_events, strict=True))
    for a, b in zip(one.events, other.events, strict=True):
        assert (a.index, a.name, a.t) == (b.index, b.name, b.t)
        assert all(np.array_equal(getattr(a, key), getattr(b, key)) for key in ("q", "v", "a", "lam", "u"))
    assert one.statistics.as_dict() == other.statistics.as_dict()
    assert (one.outcome, one.status, one.message, one.parameters) == (
        other.outcome, other.status, other.message, other.parameters
    )  # fmt: skip
    if between and one.sol is not None:
        t = np.linspace(*one.sol.interval, 23)
        for a, b in zip(one.sol(t), other.sol(t), strict=True):
            assert np.array_equal(a, b)
    return True


def in_pieces(equations, span, start, stops, through=None, events=(), **options):
    """The same run, stopped after the numbers of steps in ``stops`` and resumed each time."""
    part = da.simulate(equations, span, start, max_steps=int(stops[0]), events=events, **options)
    done = stops[0]
    for stop in [*stops[1:], None]:
        if part.outcome != "step limit":
            break
        assert part.status == 2 and part.checkpoint is not None and part.statistics.steps == done
        if through is not None:
            part = da.load(part.save(through))
        limit = None if stop is None else int(stop - done)
        part = da.resume(part, equations, events=events, max_steps=limit)
        done = stop
    return part
