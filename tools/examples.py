"""Write the mechanisms of the library as model files into src/dalembert/io/examples.

Those by hand stand there too, and are left alone.  Data of flexible bodies stand beside their files.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import dalembert as da
from dalembert.io import model_text, save_model
from dalembert.problems import mechanisms

FOLDER = Path(da.__file__).parent / "io" / "examples"
#: Mechanisms that stand there in a form of their own.
BY_HAND = ("four_bar",)
#: Mechanisms with sensors that no formula says.
REFUSED = ("elastic_truck",)
#: How those are run that need something else than the default.
RUNS: dict[str, dict[str, Any]] = {"locomotive": {"method": "imex", "first_step": 1e-3}}


def models() -> dict[str, tuple[str, Any, dict[str, Any]]]:
    """All that is written, by name: what it is, the model, and what its file says of the run."""
    found = {}
    for name in mechanisms.__all__:
        if not name.islower() or name in (*BY_HAND, *REFUSED):
            continue
        function = getattr(mechanisms, name)
        example = function()
        run = {"end": example.span[1], **RUNS.get(name, {})}
        run |= {"redundant": example.redundant} if example.redundant != "refuse" else {}
        run |= {"start": example.start} if example.start else {}
        about = (function.__doc__ or "").partition(".\n")[0].partition("\n\n")[0].strip()
        about = re.sub(r":\w+:`~?([^`]*)`", r"\1", about).replace("``", "")  # files have no markup
        head = "".join(f"# {line.strip()}\n" for line in about.splitlines())
        found[name.replace("_", "-")] = head, example.model, run
    return found


def texts() -> dict[str, str]:
    """Texts of all files that are generated, by name."""
    return {name: head + model_text(model, run=run) for name, (head, model, run) in models().items()}


if __name__ == "__main__":
    for name, (head, model, run) in models().items():
        path = save_model(model, FOLDER / f"{name}.toml", run=run)
        path.write_text(head + path.read_text(encoding="utf-8"), encoding="utf-8")
        print(f"Written: {path.name}")
