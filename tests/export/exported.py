"""Exported simulations, compiled and run: as a program that prints, or step by step as a shared library."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
from c_compiler import STRICT, compiler, run

import dalembert as da


def sources(files: list[Path]) -> list[Path]:
    """What belongs to the simulation itself."""
    return [path for path in files if path.suffix == ".c" and not re.search(r"_(main|timing)\.c$", path.name)]


def printed(files: list[Path], steps: int, optimised: str = "-O1") -> dict[str, np.ndarray]:
    """Outputs of the example program by the names of members, start included."""
    name = files[0].stem
    program = files[0].parent / f"{name}_main"
    main = files[0].parent / f"{name}_main.c"
    defined = f"-D{name.upper()}_STEPS={steps}L"
    run(*compiler(), *STRICT, optimised, defined, "-o", program, main, *sources(files), "-lm")
    lines = run(program).splitlines()
    numbers = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    assert len(numbers) == steps + 1
    return dict(zip(lines[0].split(","), numbers.T, strict=True))


class Stepper:
    """A simulation as a shared library."""

    def __init__(self, files: list[Path]) -> None:
        self.name = name = files[0].stem
        folder, header = files[0].parent, files[0].read_text(encoding="utf-8")
        (folder / "size.c").write_text(
            f'#include "{name}.h"\n#include <stddef.h>\nsize_t size(void);\nsize_t size(void) '
            f"{{ return sizeof({name}_state); }}\n"
        )
        library = folder / f"{name}.so"
        run(*compiler(), *STRICT, "-O1", "-fPIC", "-shared", "-o", library, folder / "size.c", *sources(files), "-lm")
        self.library = ctypes.CDLL(str(library))
        self.library.size.restype = ctypes.c_size_t
        self.state = ctypes.create_string_buffer(self.library.size())
        found = re.search(r"_N_INPUTS (\d+)", header)
        self.inputs = np.zeros(int(found[1]) if found else 0)
        text = (folder / f"{name}.c").read_text(encoding="utf-8")
        self.outputs = np.zeros(int(re.search(r"double values\[(\d+)\]", text)[1]))  # type: ignore[index]
        if self.inputs.size:
            self._call("default_inputs", self.inputs)

    def _call(self, what: str, *arguments: np.ndarray | None) -> int:
        function = getattr(self.library, f"{self.name}_{what}")
        given = [None if one is None else ctypes.c_void_p(one.ctypes.data) for one in arguments]
        return int(function(*(given if what == "default_inputs" else [self.state, *given])))

    def init(self, parameters: np.ndarray | None = None) -> int:
        return self._call("init", parameters)

    def restart(self) -> int:
        return self._call("restart")

    def step(self) -> int:
        return self._call("step", *([self.inputs] if self.inputs.size else []), self.outputs)

    def read(self) -> np.ndarray:
        self._call("read", self.outputs)
        return self.outputs.copy()

    @property
    def numbers(self) -> np.ndarray:
        """The state as doubles, t and y first."""
        return np.frombuffer(self.state, dtype=float)


def member(name: str) -> str:
    """A name as it stands in a struct."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")


def assert_same_run(
    equations: da.Equations,
    method: da.Method,
    folder: Path,
    steps: int,
    start: da.State | None = None,
    outputs: list[str] | None = None,
    bound: float = 1e-9,
    optimised: str = "-O1",
    **options: object,
) -> da.Solution:
    """Steps of C and of Python agree, relative to the largest value of each output."""
    wanted = outputs or [*equations.names["q"], *equations.names["v"], *equations.names["u"], *equations.names["lam"]]
    start = equations.assemble() if start is None else start
    files = da.export_c(equations, method, folder, name="sim", start=start, outputs=wanted, **options)  # type: ignore[arg-type]
    found = printed(files, steps, optimised)
    size = method.fixed_size
    assert size is not None
    # The last step of a run ends at its end to the last digit: it is one that C does not make.
    span = (start.t, start.t + (steps + 0.5) * size)
    redundant = str(options.get("redundant", "refuse"))
    solution = da.simulate(equations, span, start, method=method, dense_output=False, redundant=redundant)
    assert solution.success and solution.t.size == steps + 2, solution.message
    known: dict[str, np.ndarray] = {}
    for key in ("q", "v", "u", "lam"):
        known |= dict(zip(equations.names[key], getattr(solution, key), strict=True))
    sizes = {
        name: np.abs(getattr(solution, key)).max() for key in ("q", "v", "u", "lam") for name in equations.names[key]
    }
    for name in wanted:
        ours = (known[name] if name in known else solution[name])[..., :-1]
        rows = ours.reshape(-1, steps + 1)
        for k, row in enumerate(rows):
            key = member(name) if ours.ndim == 1 else f"{member(name)}[{k}]"
            # Forces that vanish are rounding of those that do not.
            largest = max(np.abs(row).max(), 1e-3 * np.abs(rows).max(), 1e-6)
            difference = np.abs(found[key] - row).max() / largest
            # A few units in the last place of the largest coordinate, velocity or force are nobody's fault.
            rounding = 8 * np.finfo(float).eps * sizes.get(name, 0.0) / largest
            assert difference <= max(bound, rounding), f"{name}: {difference:.3g}"
    return solution
