"""Write the mechanisms of the library as model files into src/dalembert/io/examples.

Those by hand stand there too, and are left alone.  What is a black box stays in Python.
"""

from __future__ import annotations

from pathlib import Path

import dalembert as da
from dalembert.io import model_text, parse_model
from dalembert.problems import mechanisms

FOLDER = Path(da.__file__).parent / "io" / "examples"
#: Mechanisms that stand there in a form of their own, or are no more than another span of time.
BY_HAND = ("four_bar", "a03")


def texts() -> dict[str, str]:
    """Texts of all files that are generated, by name."""
    found = {}
    for name in mechanisms.__all__:
        if not name.islower() or name in BY_HAND:
            continue
        function = getattr(mechanisms, name)
        example = function()
        run = {"end": example.span[1]}
        run |= {"redundant": example.redundant} if example.redundant != "refuse" else {}
        run |= {"start": example.start} if example.start else {}
        try:
            text = model_text(example.model, run=run)
            parse_model(text)  # which complains where data stand in a file of their own
        except da.DalembertError:
            continue
        about = (function.__doc__ or "").partition(".\n")[0].partition("\n\n")[0].strip()
        head = "".join(f"# {line.strip()}\n" for line in about.splitlines())
        found[name.replace("_", "-")] = head + text
    return found


if __name__ == "__main__":
    for name, text in texts().items():
        (FOLDER / f"{name}.toml").write_text(text, encoding="utf-8")
        print(f"Written: {name}.toml")
