"""The modes of a flexible body, line by line, to compare with those of another program."""

from __future__ import annotations

import numpy as np

from dalembert.elastic.flexibility import Flexibility, Reals


def alone(body: Flexibility) -> Reals:
    """Frequency of each mode by itself, (K_jj/M_jj)^½, where none is given."""
    own = np.sqrt(np.diag(body.stiffness) / np.diag(body.modal_mass))
    given = [mode.frequency for mode in body.modes]
    return np.array([w if g is None else g for w, g in zip(own, given, strict=True)])


def effective_masses(body: Flexibility) -> Reals:
    """(∫ φ_ja dm)² / M_jj, of shape (n, d): the mass that each mode moves with a translation of the frame."""
    return np.asarray((body.shape_integral**2 / np.diag(body.modal_mass)).T)


def mode_table(body: Flexibility) -> str:
    """A text with a line for each mode."""
    d = body.dimension
    head = ["", "name", "kind", "source", "rad/s", "Hz", *(f"mass {'xyz'[b]}" for b in range(d))]
    rows = [head]
    frequencies, masses = alone(body), effective_masses(body)
    for j, mode in enumerate(body.modes):
        w = frequencies[j]
        numbers = [f"{w:.6g}", f"{w / (2.0 * np.pi):.6g}", *(f"{mass:.4g}" for mass in masses[j])]
        rows.append([str(j + 1), mode.name, mode.kind, mode.source, *numbers])
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    texts = [
        "  ".join(
            cell.ljust(w) if 1 <= i <= 3 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    stiffening = "with" if body.second_order is not None else "without"
    first = (
        f"{body.name}: mass {body.mass:.6g} kg, {body.n} modes, {len(body.nodes)} nodes, frame {body.reference}, "
        f"{stiffening} geometric stiffening"
    )
    return "\n".join([first, *(line.rstrip() for line in texts)])
