"""Sizes of steps at which iterations of Radau methods fail are not tried again and again."""

from __future__ import annotations

import pytest

import dalembert as da


def bushed_link() -> tuple[da.Equations, da.State]:
    m = da.Model("bushing", plane="xy", gravity=(0, -9.81))
    arm = m.body("arm", mass=10.0, inertia=1.0, com=(0.5, 0))
    link = m.body("link", mass=2.0, inertia=0.1, com=(0.2, 0))
    A = m.revolute("A", m.ground.at(0, 0), arm.at(0, 0))
    m.bushing("bush", arm.at(1, 0), link.at(0, 0), stiffness=(1e7, 1e7, 100.0), damping=(1e5, 1e5, 1.0))
    eqs = m.equations()
    return eqs, eqs.assemble({A.angle: 0.0})


def test_steps_keep_below_a_size_that_fails() -> None:
    eqs, start = bushed_link()
    run = da.simulate(eqs, (0, 2), start, method="radau9")
    work = run.statistics
    assert run.success and work.newton_failures < 0.25 * work.steps  # every other step failed before
    exact = da.simulate(eqs, (0, 2), start, method="radau", rtol=1e-9)
    assert run.q[:, -1] == pytest.approx(exact.q[:, -1], abs=2e-5)
    pieces = da.resume(da.simulate(eqs, (0, 2), start, method="radau9", max_steps=work.steps // 2))
    assert pieces.statistics == work and (pieces.q == run.q).all()
