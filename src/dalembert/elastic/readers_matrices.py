"""Mass and stiffness matrices from files: Matrix Market, Abaqus, Nastran."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.arguments import one_of, reads_file, text
from dalembert.elastic.finite_elements import FiniteElements
from dalembert.elastic.readers import fault, is_whole, lines_of, number_of, read_nodes, rows_of_numbers
from dalembert.elastic.readers_op4 import read_op4
from dalembert.errors import ModelError

#: Entries (row node, row component, column node, column component, value), components from 1 as files count them.
Entry = tuple[str, int, str, int, float]


def read_matrix_market(
    mass: Any, stiffness: Any, nodes: Any, *, dofs: Any = None, name: str = "body"
) -> FiniteElements:
    """Finite elements from two Matrix Market files and a table of nodes.

    Rows are in the order of the nodes, with 2 or 3 displacements each, or 3 or 6 components with rotations, unless
    ``dofs`` says (node, component) for each row.  Matrices may be symmetric (one half) or general.
    """
    names, X = read_nodes(nodes)
    M, K = (_market(path, what) for path, what in ((mass, "mass"), (stiffness, "stiffness")))
    return FiniteElements(X, M, K, dofs, names=names, name=text(name, "read_matrix_market: name", ModelError))


@reads_file("Matrix Market", ModelError)
def _market(path: Any, what: str) -> Any:
    from scipy import sparse

    what = f"Matrix Market, {what}"
    file, lines = lines_of(path, what)
    head = lines[0].lower().split() if lines else []
    if head[:2] != ["%%matrixmarket", "matrix"] or len(head) < 5:
        raise fault(what, file, 1, "a Matrix Market file begins with '%%MatrixMarket matrix coordinate real symmetric'")
    layout, kind, symmetry = head[2:5]
    if (
        kind not in ("real", "integer")
        or symmetry not in ("general", "symmetric")
        or layout not in ("coordinate", "array")
    ):
        raise fault(
            what, file, 1, f"'{layout} {kind} {symmetry}' is not read; write real, general or symmetric matrices"
        )
    rows = [(number, words) for number, words in rows_of_numbers(lines) if number > 1]
    if not rows:
        raise fault(what, file, len(lines), "the file ends before the sizes of the matrix")
    number, words = rows[0]
    sizes = [int(word) if is_whole(word) else -1 for word in words]
    if len(sizes) != (3 if layout == "coordinate" else 2) or min(sizes) < 0 or sizes[0] != sizes[1]:
        raise fault(what, file, number, f"expected the sizes of a square matrix, got {' '.join(words)[:60]!r}")
    n = sizes[0]
    if layout == "array":
        return _array(what, file, rows[1:], n, symmetry)
    if len(rows) - 1 != sizes[2]:
        raise fault(
            what, file, rows[-1][0], f"{sizes[2]} entries are announced, {len(rows) - 1} were found; is the file cut?"
        )
    i, j, values = np.empty(sizes[2], dtype=int), np.empty(sizes[2], dtype=int), np.empty(sizes[2])
    for k, (number, words) in enumerate(rows[1:]):
        value = number_of(words[2]) if len(words) == 3 and is_whole(words[0]) and is_whole(words[1]) else None
        if value is None:
            raise fault(what, file, number, f"expected row, column and a number, got {' '.join(words)[:60]!r}")
        i[k], j[k], values[k] = int(words[0]) - 1, int(words[1]) - 1, value
        if not (0 <= i[k] < n and 0 <= j[k] < n):
            raise fault(what, file, number, f"entry ({words[0]}, {words[1]}) lies outside of a {n} × {n} matrix")
    found = sparse.coo_array((values, (i, j)), shape=(n, n)).tocsr()
    return found if symmetry == "general" else found + found.T - sparse.diags_array(found.diagonal())


def _array(what: str, file: Path, rows: Sequence[tuple[int, list[str]]], n: int, symmetry: str) -> Any:
    numbers = []
    for number, words in rows:
        value = number_of(words[0]) if len(words) == 1 else None
        if value is None:
            raise fault(what, file, number, f"expected one number, got {' '.join(words)[:60]!r}")
        numbers.append(value)
    wanted = n * n if symmetry == "general" else n * (n + 1) // 2
    if len(numbers) != wanted:
        raise fault(what, file, rows[-1][0] if rows else 2, f"{wanted} entries are needed, {len(numbers)} were found")
    if symmetry == "general":
        return np.array(numbers).reshape(n, n).T
    found = np.zeros((n, n))
    columns, lines = np.triu_indices(n)  # column by column, from the diagonal downwards
    found[lines, columns] = found[columns, lines] = numbers
    return found


# --------------------------------------------------------------------------------------------------- entries by label


def read_abaqus(mass: Any, stiffness: Any, nodes: Any, *, name: str = "body") -> FiniteElements:
    """Finite elements from matrices of Abaqus, ``*MATRIX GENERATE`` and ``*MATRIX OUTPUT, FORMAT=MATRIX INPUT``.

    Lines are "node, dof, node, dof, value" with degrees of freedom 1 to 6; one half of a symmetric matrix or both are
    read.  ``nodes`` is a table of nodes, or the input file (``.inp``) of the model, whose ``*NODE`` blocks are taken.
    Internal nodes, which Abaqus labels with negative numbers, have no place and belong to no node.
    """
    names, X = _abaqus_nodes(nodes)
    entries = [_abaqus_entries(path, f"Abaqus, {what}") for path, what in ((mass, "mass"), (stiffness, "stiffness"))]
    return _of_entries(entries, names, X, name)


@reads_file("Abaqus", ModelError)
def _abaqus_entries(path: Any, what: str) -> list[Entry]:
    file, lines = lines_of(path, what)
    found: list[Entry] = []
    for number, words in rows_of_numbers(lines):
        if words[0].startswith("*"):
            continue
        whole = [word for word in words[:4] if is_whole(word.removeprefix("-"))]
        value = number_of(words[4]) if len(words) == 5 else None
        if len(whole) != 4 or value is None:
            raise fault(
                what, file, number, f"expected 'node, dof, node, dof, value', got {' '.join(words)[:60]!r}; write the "
                "matrices with FORMAT=MATRIX INPUT"
            )  # fmt: skip
        a, b = int(words[1]), int(words[3])
        if not (1 <= a <= 6 and 1 <= b <= 6):
            raise fault(what, file, number, f"degrees of freedom must be 1 to 6, got {a} and {b}")
        found.append((words[0], a, words[2], b, value))
    if not found:
        raise ModelError(f"{what} '{file.name}': no entries were found")
    return found


@reads_file("Abaqus, nodes", ModelError)
def _abaqus_nodes(path: Any) -> tuple[tuple[str, ...], Any]:
    if str(path).lower().endswith(".inp"):
        what = "Abaqus, nodes"
        file, lines = lines_of(path, what)
        names, places, inside = [], [], False
        for number, line in enumerate(lines, start=1):
            line = line.strip()
            if line.startswith("*"):
                inside = line.upper().split(",")[0].strip() == "*NODE" if not line.startswith("**") else inside
            elif inside and line:
                words = [word.strip() for word in line.split(",") if word.strip()]
                values = [number_of(word) for word in words[1:4]]
                if any(value is None for value in values) or len(values) < 2:
                    raise fault(what, file, number, f"expected a node and its coordinates, got {line[:60]!r}")
                names.append(words[0])
                places.append([value for value in values if value is not None])
        if not places or len({len(place) for place in places}) != 1:
            raise ModelError(f"{what} '{file.name}': no *NODE block was found, or its nodes have different dimensions")
        return tuple(names), np.array(places)
    return read_nodes(path)


def _of_entries(matrices: Sequence[list[Entry]], names: tuple[str, ...], X: Any, name: str) -> FiniteElements:
    """Finite elements from entries with labels; rows are those that the stiffness has."""
    from scipy import sparse

    text(name, "finite elements: name", ModelError)
    number = {label: k for k, label in enumerate(names)}
    rows: dict[tuple[str, int], int] = {}
    for entries in reversed(matrices):
        for a, c, b, e, _ in entries:
            for key in ((a, c), (b, e)):
                if key not in rows:
                    rows[key] = len(rows)
    order = sorted(rows, key=lambda key: (number.get(key[0], len(names)), key[0], key[1]))
    rows = {key: k for k, key in enumerate(order)}
    unknown = sorted({label for label, _ in rows if label not in number and not label.startswith("-")})
    if unknown:
        raise ModelError(
            f"finite elements '{name}': matrices have the node {unknown[0]}, which is not among the {len(names)} nodes"
            + (f" ({len(unknown)} such nodes)" if len(unknown) > 1 else "")
        )
    found = []
    for entries in matrices:
        n = len(rows)
        i = np.array([rows[a, c] for a, c, *_ in entries])
        j = np.array([rows[b, c] for _, _, b, c, _ in entries])
        values = np.array([value for *_, value in entries])
        both = {(a, b) for a, b in zip(i.tolist(), j.tolist(), strict=True) if a != b}
        if both and not any((b, a) in both for a, b in both):  # one half
            off = i != j
            i, j, values = (
                np.concatenate([i, j[off]]),
                np.concatenate([j, i[off]]),
                np.concatenate([values, values[off]]),
            )
        found.append(sparse.coo_array((values, (i, j)), shape=(n, n)).tocsr())
    planar = X.shape[1] == 2
    dofs = []
    for label, c in order:
        if planar and c in (3, 4, 5):
            raise ModelError(
                f"finite elements '{name}': node {label} has the component {c}, and nodes have two coordinates"
            )
        dofs.append((number.get(label, -1), c - 1))
    return FiniteElements(X, found[0], found[1], dofs, names=names, name=name)


def read_nastran(
    path: Any, nodes: Any, *, mass: str = "MAAX", stiffness: str = "KAAX", format: str = "dmig", dofs: Any = None,
    name: str = "body",
) -> FiniteElements:  # fmt: skip
    """Finite elements from Nastran: matrices by name from a punch file with DMIG entries, or from an OP4 file.

    A punch file has fields of 8 or 16 characters or separated by commas, and matrices that are symmetric (form 6) or
    square.  An OP4 file (``format="op4"``) is text or binary, full or sparse; it does not say what its rows are: they
    are in the order of the nodes, unless ``dofs`` says (node, component) for each.
    """
    one_of(format, ("dmig", "op4"), "read_nastran: format", ModelError)
    names, X = read_nodes(nodes)
    wanted = [text(one, "read_nastran: the name of a matrix", ModelError).upper() for one in (mass, stiffness)]
    if format == "op4":
        matrices = read_op4(path, wanted)
        return FiniteElements(X, matrices[0], matrices[1], dofs, names=names, name=name)
    if dofs is not None:
        raise ModelError("read_nastran: dofs belong to format='op4'; DMIG entries name their nodes and components")
    found = _dmig(path)
    for one in wanted:
        if not found.get(one):
            listed = ", ".join(sorted(key for key, entries in found.items() if entries)) or "none"
            raise ModelError(f"Nastran '{Path(path).name}': there is no matrix {one}; there are: {listed}")
    return _of_entries([found[one] for one in wanted], names, X, name)


def _fields(line: str) -> list[str]:
    """Fields of a bulk data line: separated by commas, or 8 or 16 characters wide."""
    line = line.split("$")[0].rstrip("\n")
    if "," in line:
        return [word.strip() for word in line.split(",")]
    first = line[:8].strip()
    width = 16 if first.endswith("*") else 8
    return [first, *(line[k : k + width].strip() for k in range(8, min(len(line), 72), width))]


@reads_file("Nastran", ModelError)
def _dmig(path: Any) -> dict[str, list[Entry]]:
    """Entries of the matrices of a punch file, by name."""
    file, lines = lines_of(path, "Nastran")
    found: dict[str, list[Entry]] = {}
    column: tuple[str, str, int] | None = None
    for number, line in enumerate(lines, start=1):
        fields = _fields(line)
        head = fields[0].upper().rstrip("*")
        if not line.strip() or line.startswith("$"):
            continue
        if head == "DMIG":
            matrix = fields[1].upper() if len(fields) > 1 else ""
            rest = [word for word in fields[2:] if word]
            if not matrix or not rest:
                raise fault("Nastran", file, number, "a DMIG entry needs the name of a matrix")
            if rest[0] == "0":  # the heading: form and types
                if len(rest) < 3 or rest[1] not in ("1", "6") or rest[2] not in ("1", "2"):
                    raise fault(
                        "Nastran", file, number, f"{matrix}: real matrices, square (1) or symmetric (6), are read"
                    )
                found.setdefault(matrix, [])
                column = None
                continue
            if len(rest) < 2 or not is_whole(rest[0]) or rest[1] not in ("1", "2", "3", "4", "5", "6"):
                raise fault(
                    "Nastran", file, number, f"{matrix}: expected a node and a component, got {' '.join(rest[:2])!r}"
                )
            if matrix not in found:
                raise fault(
                    "Nastran", file, number, f"{matrix}: entries begin without the heading 'DMIG, {matrix}, 0, …'"
                )
            column, rest = (matrix, rest[0], int(rest[1])), rest[2:]
        elif column is not None and (head in ("", "+") or line.startswith("*")):
            rest = [word for word in fields[1:] if word]
        else:
            column = None
            continue
        while rest:
            value = number_of(_exponent(rest[2])) if len(rest) >= 3 else None
            if value is None or not is_whole(rest[0]) or rest[1] not in ("1", "2", "3", "4", "5", "6"):
                raise fault(
                    "Nastran", file, number, f"expected node, component and a number, got {' '.join(rest[:3])!r}"
                )
            found[column[0]].append((rest[0], int(rest[1]), column[1], column[2], value))
            rest = rest[3:]
    return found


def _exponent(word: str) -> str:
    """Nastran leaves the E of exponents away: 1.5+3."""
    for sign in "+-":
        at = word.rfind(sign)
        if at > 0 and word[at - 1] not in "eEdD":
            return f"{word[:at]}E{word[at:]}"
    return word
