"""The seven-body mechanism, simulated with an explicit and an implicit method, stored, and drawn.

Prints what each run cost and how exact it is (the time is the best of five), stores the most exact one as
build/seven-body.nc, and writes build/seven-body.html: outcome, statistics, plots, and an animation, for any browser.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import dalembert as da

BUILD = Path("build")
RUNS = (("dop853", 1e-6), ("dop853", 1e-10), ("radau", 1e-6))


def digits(found: np.ndarray, reference: np.ndarray) -> float:
    """Correct digits of the largest components."""
    return float(-np.log10(np.abs(found - reference).max() / np.abs(reference).max()))


def residuals(equations: da.Equations, run: da.Solution) -> tuple[float, float]:
    """Largest |g| and |G v + gI| at the ends of all steps."""
    worst_g = worst_v = 0.0
    for t, q, v in zip(run.t, run.q.T, run.v.T, strict=True):
        g, G, gI = equations.evaluate("g", "G", "gI", t=t, q=q)
        worst_g = max(worst_g, float(np.abs(g).max()))
        worst_v = max(worst_v, float(np.abs(G @ v + gI).max()))
    return worst_g, worst_v


def main() -> None:
    """Simulate, compare, store, draw."""
    problem = da.problems.seven_body()
    reference = problem.reference()
    q, v, lam = (np.asarray(values) for values in (reference.q, reference.v, reference.lam))
    began = time.perf_counter()
    equations = problem.equations
    da.simulate(equations, problem.span, (problem.q0, problem.v0))
    print(f"{problem.title}: {equations!r}")
    print(f"Derived, compiled or found in the cache, and run once: {time.perf_counter() - began:.2f} s\n")

    heads = ("method", "rtol", "steps", "evaluations", "digits of q", "of v", "of lam", "|g|", "|G v|", "time")
    widths = (8, 8, 6, 12, 12, 6, 7, 9, 9, 9)
    print("".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True)))
    for method, rtol in RUNS:
        options = {"method": method, "rtol": rtol, "atol": rtol}
        da.simulate(equations, problem.span, (problem.q0, problem.v0), **options)  # compiles what is still missing
        took = np.inf
        for _ in range(5):
            began = time.perf_counter()
            run = da.simulate(equations, problem.span, (problem.q0, problem.v0), **options)
            took = min(took, time.perf_counter() - began)
        worst_g, worst_v = residuals(equations, run)
        row = (
            method, f"{rtol:.0e}", run.statistics.steps, run.nfev, f"{digits(run.q[:, -1], q):.1f}",
            f"{digits(run.v[:, -1], v):.1f}", f"{digits(run.lam[:, -1], lam):.1f}", f"{worst_g:.1e}",
            f"{worst_v:.1e}", f"{took * 1e3:.1f} ms",
        )  # fmt: skip
        print("".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)))

    run = da.simulate(equations, problem.span, (problem.q0, problem.v0), rtol=1e-10, atol=1e-10)
    problem.draw(run)
    BUILD.mkdir(exist_ok=True)
    stored = run.save(BUILD / "seven-body.nc")
    page = da.report(run, BUILD / "seven-body.html")
    print(f"\nStored: {stored}   (dalembert.load reads it, and so does everything that reads NetCDF)")
    print(f"Look at it: {page.resolve().as_uri()}")


if __name__ == "__main__":
    main()
