"""Workspaces of the programs of a tree: arrays of a run and the words that tell compiled code where they are."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.convention import CONTRACT_OUTPUT
from dalembert.equations.contract.provider import Floats, Provider
from dalembert.equations.recursion.passes.words import word
from dalembert.equations.recursion.tree.record import record

if TYPE_CHECKING:
    from dalembert.equations.recursion.programs.recursion import TreeStructure


#: Calling convention of compiled equations (dalembert.equations.contract.provider).
ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


class _Work(np.ndarray):
    """A workspace that keeps alive what its words point to."""

    parts: list[Any]
    values_of_links: Floats
    constants: Floats


@dataclass(frozen=True)
class TreeProvider(Provider):
    """A provider whose workspace holds addresses of arrays of the run."""

    make_workspace: Callable[[], Floats] | None = None
    elements: Provider | None = None

    def workspace(self) -> Floats:
        assert self.make_workspace is not None
        return self.make_workspace()

    def raise_pending(self) -> None:
        """Raise what a Python function behind the elements raised."""
        if self.elements is not None:
            self.elements.raise_pending()


def needed_passes(program: str, with_elements: bool) -> frozenset[str]:
    """Passes that a program runs."""
    kinematics = {"pose", "velocity", "bodies", "twists"}
    if program in ("rate", "explicit"):
        with_forces = {*kinematics, "articulate", "external"}
        return frozenset({"inward", "outward", *(with_forces if with_elements else {"pose", "start"})})
    found = {"pose", "velocity", "inertial", "gather", "columns", "compose", "bias"}
    if program == "contract":
        found |= {"join"}
    return frozenset(found | ({*kinematics, "external"} if with_elements else set()))


def new_workspace(
    structure: TreeStructure, program: str, further: Callable[[Any, list[Any]], None] | None = None
) -> Any:
    """Words and arrays for one run; ``further`` adds what a program needs besides."""
    runs, tree = structure.runs, structure.tree
    work = np.zeros(word.end).view(_Work)
    words = work.view(np.int64)
    parts: list[Any] = [structure]
    work.parts = parts

    def reals(values: Any) -> int:
        parts.append(np.ascontiguousarray(values, dtype=float) if np.size(values) else np.zeros(1))
        return int(parts[-1].ctypes.data)

    constants = structure.constants.copy()
    values = runs.start_values()
    values_at = reals(values)
    work.constants, work.values_of_links = constants, values[: (len(tree.links) + 1) * record.end]
    about = runs.words(reals(np.zeros(runs.work_size)), needed_passes(program, structure.elements is not None))
    words[word.SINE_TABLES : word.SINE_TABLES + 2] = values_at + 8 * runs.angles_at, values_at + 8 * runs.sines_at
    s = structure.sizes
    lists = structure.lists
    given: dict[int, int] = {
        **about, word.CONSTANTS: reals(constants), word.VALUES: values_at,
        word.RIGHT: reals(np.zeros(tree.n_v)), word.N_Q: tree.n_q, word.N_V: tree.n_v, word.N_THETA: structure.n_theta,
        word.N_U: s.u, word.N_LAM: s.lam, word.N_G: s.g, word.N_P: s.p, word.N_BODIES: len(tree.bodies),
        word.X_AT: runs.X_at, word.TWIST_AT: runs.twist_at, word.BIAS_AT: runs.bias_at,
        word.WRENCH_AT: runs.wrench_at,
        word.P_COPY: reals(np.zeros(s.p)), word.UNIT_T: int(structure.unit_T),
        word.N_QN: tree.n_q + structure.n_theta if structure.normalizes else 0,
        word.THETA_NORMAL: int(structure.theta_normal),
        **lists,
    }  # fmt: skip
    if structure.varying is not None:
        function, n = structure.varying, lists[word.N_VARYING]
        given[word.CONSTANT_CODE] = function.address
        given[word.CONSTANT_OUT] = given[word.CONSTANT_TABLE] = reals(np.zeros(n))
        given[word.CONSTANT_WORK] = reals(np.zeros(function.work_size))
    elements = structure.element_program(program)
    if elements is not None:
        inner = elements.workspace()
        parts.append(inner)
        given[word.ELEMENTS], given[word.ELEMENT_WORK] = elements.address, int(inner.ctypes.data)
        for k, size in enumerate(elements.out_sizes):
            given[word.ELEMENT_OUT + k] = reals(np.zeros(size))
        if program != "implicit":
            given[word.ELEMENT_OUT + CONTRACT_OUTPUT.f] = values_at + 8 * runs.wrench_at
            for place, size in zip((word.M_TIMES_J, word.J_M_J), structure.element_mass_sizes, strict=True):
                given[place] = reals(np.zeros(size))
    for place, value in given.items():
        words[place] = value
    if further is not None:
        further(words, parts)
    return work
