"""CITATION.cff agrees with the package and the changelog."""

import re
from pathlib import Path

import dalembert as da

ROOT = Path(__file__).parents[1]


def test_citation_has_the_version_and_the_day_of_its_release():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [da.__version__]
    days = re.findall(rf"^## \[{re.escape(da.__version__)}\] - (.+)$", changelog, re.MULTILINE)
    assert re.findall(r'^date-released: "(.+)"$', citation, re.MULTILINE) == days  # none before the release
