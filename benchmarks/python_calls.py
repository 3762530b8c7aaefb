"""Calls from Python: compiled code with buffers made once, forward dynamics, quantities of a model, whole small runs.

python benchmarks/python_calls.py --json
"""

from __future__ import annotations

import itertools

from _common import Reporter, best_of, parser, pin_to_one_core


def main() -> None:
    given = parser(__doc__).parse_args()
    pin_to_one_core()
    import numpy as np

    import dalembert as da
    import dalembert.symbolic as sym
    from dalembert.problems import mechanisms

    repeats = 3 if given.quick else 10
    with Reporter(json=given.json, title="Calls from Python") as report:

        def row(case: str, quantity: str, seconds: float, limit: float | None = None) -> None:
            report.add(case=case, quantity=quantity, unit="us", ours=1e6 * seconds, limit=limit)

        graph = sym.Graph()
        x = graph.variables("x0 x1 x2 x3")
        function = sym.compile({"y": sym.array([sym.sin(x[0]) * x[1], x[2] + x[3]])}, {"x": x})
        call, numbers = function.bound(), np.ones(4)
        row("compiled function", "call", best_of(lambda: function(numbers), repeats))
        row("compiled function", "call with buffers made once", best_of(call, repeats), 2.0)

        example = mechanisms.four_bar()
        eqs = example.model.equations()
        start = example.assemble(eqs)
        quantity = next(iter(eqs.joints)).force
        for _ in range(4):  # checked, interpreted and compiled
            eqs.forward_dynamics(start.q, start.v)
            eqs.evaluate_quantity(quantity, start)
        row("four-bar", "forward dynamics", best_of(lambda: eqs.forward_dynamics(start.q, start.v), repeats), 50.0)
        row("four-bar", "a reaction", best_of(lambda: eqs.evaluate_quantity(quantity, start), repeats), 20.0)
        pendulum = da.problems.pendulum()
        # Almost nothing is integrated: what is left is Python.
        row("pendulum", "run of 1 µs", best_of(lambda: da.simulate(pendulum, (0, 1e-6)), repeats), 75.0)
        angles = itertools.cycle(np.linspace(0.1, 1.0, 64).tolist())

        def from_elsewhere() -> None:
            angle, (q, v) = next(angles), pendulum.start
            length = float(np.hypot(*q))
            da.simulate(pendulum, (0, 1e-6), (length * np.array([np.sin(angle), -np.cos(angle)]), 0.0 * v))

        row("pendulum", "run of 1 µs, each from another start", best_of(from_elsewhere, repeats))
        row("four-bar", "run of 1 µs, with sensors", best_of(lambda: da.simulate(eqs, (0, 1e-6), start), repeats))


if __name__ == "__main__":
    main()
