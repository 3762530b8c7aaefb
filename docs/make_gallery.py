"""Live reports of some mechanisms for the page "Gallery".

python docs/make_gallery.py build/extra/gallery              pages, for the build of the documentation
python docs/make_gallery.py build/extra/gallery --pictures   pictures of them too, by Chromium, to docs/figures
"""

from __future__ import annotations

import argparse
import base64
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.model.bodies.shapes import Box, Cylinder
from dalembert.problems import mechanisms
from dalembert.problems.mechanisms import Example
from dalembert.solution import Solution

ROOT = Path(__file__).parents[1]
#: Windows that pictures are taken of: name, size, phone, dark.
SETTINGS = (
    ("wide", (1400, 900), False, False),
    ("wide_dark", (1400, 900), False, True),
    ("phone_light", (390, 844), True, False),
    ("phone", (390, 844), True, True),
)


def moved(example: Example, end: float, **options: object) -> Solution:
    """A run of a mechanism of the library."""
    equations = example.model.equations()
    return da.simulate(equations, (0.0, end), example.assemble(equations), rtol=1e-5, **options)  # type: ignore[arg-type]


def gear_train() -> Solution:
    """Two stages of spur gears between a motor and a fan."""
    m = da.Model("gear train")
    radii, places, heights = (0.05, 0.12, 0.04, 0.16), (0.0, 0.17, 0.17, 0.37), (0.0, 0.0, 0.05, 0.05)
    pins = []
    for k, (radius, x, z) in enumerate(zip(radii, places, heights, strict=True), 1):
        mark = Cylinder(0.006, 0.034, position=(0.75 * radius, 0.0, 0.0))
        wheel = m.body(f"wheel {k}", shapes=[Cylinder(radius, 0.03), mark], density=7800.0)
        pins.append(m.revolute(f"pin {k}", m.ground.at(x, 0.0, z), wheel, axis="z"))
    m.gear("first mesh", pins[0], pins[1], -radii[1] / radii[0])
    m.gear("shaft", pins[1], pins[2], 1.0)
    m.gear("second mesh", pins[2], pins[3], -radii[3] / radii[2])
    m.torque("motor", pins[0], lambda rate: 3.0 * (1.0 - rate / 60.0))
    m.torque("fan", pins[3], lambda rate: -0.4 * rate * abs(rate))
    for k, pin in enumerate(pins, 1):
        m.sensor(f"speed {k}", pin.angle.rate)
    equations = m.equations()
    return da.simulate(equations, (0.0, 3.0), equations.assemble({}), rtol=1e-6)


def free_bodies() -> Solution:
    """Three boxes that spin about each of their axes, a little disturbed: the middle one tumbles."""
    m = da.Model("free bodies", gravity=(0.0, 0.0, 0.0))
    for k, name in enumerate(("long axis", "middle axis", "short axis")):
        spin = np.full(3, 0.02)
        spin[k] = 6.0
        box = Box(0.6, 0.3, 0.1)
        body = m.body(name, shapes=[box], density=500.0, position=(0.0, 0.8 * k, 0.0), angular_velocity=spin)
        m.sensor(f"spin about the {name}", body.angular_velocity)
    equations = m.equations()
    return da.simulate(equations, (0.0, 8.0), equations.assemble({}), rtol=1e-7)


GALLERY: dict[str, Callable[[], Solution]] = {
    "four-bar": lambda: moved(mechanisms.four_bar(), 2.0),
    "suspension": lambda: moved(mechanisms.double_wishbone(), 1.0),
    "delta-robot": lambda: moved(mechanisms.delta_robot(), 1.0),
    "chain": lambda: moved(mechanisms.chain(8), 4.0),
    "gear-train": gear_train,
    "free-bodies": free_bodies,
    "wheelset": lambda: moved(mechanisms.wheelset(measure=True), 4.0),
}


def photograph(page: Path, name: str) -> None:
    """Pictures of a page at half its size."""
    sys.path.insert(0, str(ROOT / "tests" / "report"))
    from chromium import Chromium

    for setting, (width, height), phone, dark in SETTINGS:
        with Chromium(size=(width, height), phone=phone, dark=dark) as browser:
            browser.open(page)
            browser.js("window.dalembert.go(0.3 * window.dalembert.page.clock.t.at(-1))")
            browser.frames(3)
            if browser.console:
                raise SystemExit(f"{name}: the page complains: {browser.console}")
            clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 0.5}
            shot = browser.send("Page.captureScreenshot", format="jpeg", quality=70, clip=clip)["data"]
            (ROOT / "docs" / "figures" / f"gallery_{name}_{setting}.jpg").write_bytes(base64.b64decode(shot))


def main() -> None:
    """All pages, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--only", nargs="*", default=list(GALLERY))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.only:
        run = GALLERY[name]()
        if not run.success:
            raise SystemExit(f"{name}: {run.message}")
        page = da.report(run, given.folder / f"{name}.html", max_mb=1.5)
        if given.pictures:
            photograph(page, name)


if __name__ == "__main__":
    main()
