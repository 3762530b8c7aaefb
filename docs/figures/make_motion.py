"""Moving pictures of mechanisms for the README and the front page, as animated SVG: no script, no video.

python docs/figures/make_motion.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

import dalembert as da

FOLDER = Path(__file__).parent / "motion"
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b")
WIDTH = 640


def animated(lines: dict[str, np.ndarray], seconds: float, name: str) -> Path:
    """Lines by name, arrays (frames, points, 2), as polylines that move."""
    points = np.concatenate([line.reshape(-1, 2) for line in lines.values()])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.06 * float(np.max(high - low))
    low, high = low - margin, high + margin
    scale = WIDTH / (high[0] - low[0])
    height = scale * (high[1] - low[1])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" role="img">',
        f"<title>{name}</title>",
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#fbfbf8"/>',
    ]
    for k, line in enumerate(lines.values()):
        frames = [_path(scale * (frame - low), height) for frame in line]
        parts.append(
            f'<polyline fill="none" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="5" stroke-linecap="round" '
            f'stroke-linejoin="round" points="{frames[0]}"><animate attributeName="points" dur="{seconds}s" '
            f'repeatCount="indefinite" values="{";".join(frames)}"/></polyline>'
        )
    path = FOLDER / f"{name}.svg"
    path.write_text("\n".join([*parts, "</svg>\n"]), encoding="utf-8")
    return path


def _path(points: np.ndarray, height: float) -> str:
    return " ".join(f"{x:.1f},{height - y:.1f}" for x, y in points)


def of_problem(name: str, frames: int, seconds: float, **options: object) -> Path:
    """A problem of the library, as it draws itself."""
    problem = da.problems.get(name, **options)
    run = problem.draw(da.simulate(problem))
    sketch = run.sketch
    keep: Sequence[int] = np.unique(np.linspace(0, len(sketch.t) - 1, frames).astype(int)).tolist()
    return animated({key: line[keep][:, :, :2] for key, line in sketch.lines.items()}, seconds, name)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in (of_problem("seven_body", 120, 8.0), of_problem("double_pendulum", 100, 6.0)):
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
