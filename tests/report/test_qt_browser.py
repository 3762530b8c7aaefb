"""The report in the browser that is a Python package, for machines without Chromium: it opens, shows values, plays."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from report.runs import EVIL, four_bar, run

from dalembert.report import report

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("PySide6") is None or importlib.util.find_spec("PySide6.QtWebEngineCore") is None,
    reason="needs the package PySide6-WebEngine",
)

D = "window.dalembert"
READY = ("until", f"{D}.ready === true || {D}.errors.length > 0")


def browse(path: Path, *commands: tuple[str, str]) -> list:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("browser.py")), str(path)],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        timeout=150,
    )
    if done.returncode == 3:
        pytest.skip(f"the browser cannot run here: {done.stderr}")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert len(answer["values"]) == len(commands), f"stuck at {commands[len(answer['values'])]}: {answer}"
    assert [text for text in answer["console"] if "GPU stall" not in text] == []
    assert [address.partition(":")[0] for address in answer["requests"]] == ["file"], (
        "nothing but the page is asked for"
    )
    return [value for (kind, _), value in zip(commands, answer["values"], strict=True) if kind == "js"]


def test_it_opens_and_plays(tmp_path):
    path = report(four_bar(), tmp_path / "run.html")
    errors, cards, _, time = browse(
        path,
        READY,
        ("js", f"{D}.errors"),
        ("js", "document.querySelectorAll('.card .value').length"),
        ("js", f"({D}.play(true), 0)"),
        ("until", f"{D}.time > 0.02"),
        ("js", f"{D}.time"),
    )
    assert errors == [] and cards >= 3 and time > 0.02


def test_foreign_text_stays_text(tmp_path):
    errors, title, hacked = browse(
        report(run(), tmp_path / "run.html"),
        READY,
        ("js", f"{D}.errors"),
        ("js", "document.title"),
        ("js", "typeof window.hacked"),
    )
    assert (errors, title, hacked) == ([], EVIL, "undefined")
