"""Memory of the implicit–explicit method: the program "imex", and partitions of the velocities."""

from __future__ import annotations

from typing import ClassVar

from dalembert.equations.contract.convention import FURTHER_INPUTS, IMEX, INPUTS
from dalembert.integrate.frame.memory import COUNTERS, Memory
from dalembert.native.kernel import Ints, Reals
from dalembert.native.slots import COUNT, FLAG, address, addresses, integer, integers, real, reals

#: Columns that are independent have no place.
_PLACE = "-1"


class ImexMemory(Memory):
    """What a run with projections of dependent coordinates has."""

    counters: ClassVar[tuple[str, ...]] = (
        *COUNTERS, "repartitions", "projections_repeated", "auxiliary_iterations",
    )  # fmt: skip

    step: Reals = reals("1", "size Δ of the step that accelerations belong to; 0 backwards in time")
    position_weight: float = real("part of Δ² T a in the new coordinates: 1/2 for (38), 1 for the symplectic update")
    g_tolerance: float = real("residual of position constraints that ends a projection")
    g_iterations: int = integer("corrections of a projection at most")
    Ta: Reals = reals("", "T a at the point of evaluation")
    Ta0: Reals = reals("(1 - unit_T) * n_q", "T a at the start of the step")
    points_since: int = integer("points at which rates were found since the step began", COUNT)

    # Partition of velocities by G
    every_step: int = integer("whether dependent velocities are chosen anew in every step")
    partitioned: int = integer("whether they are chosen", FLAG)
    one_partition: int = integer("whether C has the rows of G, and their partition")
    n_G: int = integer("entries of G")
    velocity_rows: Ints = integers("n_lam", "places of rows of G in the order of pivots", (_PLACE, "n_lam - 1"))
    velocity_columns: Ints = integers("n_v", "places of dependent velocities there, −1 else", (_PLACE, "n_lam - 1"))
    velocity_places: Ints = integers("n_G", "places of entries of G among those", (_PLACE, "n_lam * n_lam - 1"))
    velocity_factors: Reals = reals("n_lam * n_lam", "L U of the dependent columns of G")
    velocity_pivots: Reals = reals("n_lam", "sizes of pivots when they were chosen")

    # The same by C, where that differs
    n_C: int = integer("entries of C, if it has a partition of its own")
    n_own: int = integer("rows of C, if so")
    n_own_columns: int = integer("its columns")
    C_rows: Ints = integers("n_C", "rows of the entries of C")
    C_columns: Ints = integers("n_C", "columns of the entries of C")
    position_rows: Ints = integers("n_own", "places of rows of C in the order of pivots", (_PLACE, "n_own - 1"))
    position_columns: Ints = integers(
        "n_own_columns", "places of dependent velocities there, −1 else", (_PLACE, "n_own - 1")
    )
    position_places: Ints = integers("n_C", "places of entries of C among those", (_PLACE, "n_own * n_own - 1"))
    position_factors: Reals = reals("n_own * n_own", "L U of the dependent columns of C")
    position_pivots: Reals = reals("n_own", "sizes of pivots when they were chosen")

    # Auxiliary variables
    n_s: int = integer("these")
    h_residual: Reals = reals("", "residuals of their equations")
    hs: Reals = reals("", "L U of the derivatives of these by them, block by block, as they were evaluated last")
    block_sizes: Ints = integers("", "variables of each block")
    auxiliary_places: Ints = integers("n_s", "places of all of them in q")
    block_signs: Reals = reals("n_s", "inverse pivots of all variables at the start, for their signs")
    signs_known: int = integer("whether these are known", FLAG)
    predictor: int = integer("what they are predicted by: PREDICTORS")
    rates_known: int = integer("starts of steps whose rates are known, two at most", ("0", "2"))
    rates_time: float = real("time of the later one")
    rates_span: float = real("time between both")
    rates_before: Reals = reals("n_s", "rates of auxiliary variables at the earlier one")
    rates_latest: Reals = reals("n_s", "the same at the later one")
    restores: int = integer("whether other coordinates have invariants to restore")
    worst_h: float = real("largest residual of their equations after projection")
    auxiliary_iterations: int = integer("corrections of auxiliary variables", COUNT)

    partition_work: Reals = reals("n_lam * n_v", "rows while columns are chosen")
    correction: Reals = reals("n_lam", "of dependent velocities, in the order of pivots")
    moved_v: Reals = reals("n_v", "of all velocities")
    gv_residual: Reals = reals("n_lam", "G v + gI")
    repartitions: int = integer("choices of dependent velocities", COUNT)
    projections_repeated: int = integer("projections that needed more than one correction", COUNT)

    imex_entry: int = address("program imex")
    imex_work: int = address("its workspace")
    imex_inputs: Ints = addresses(len(INPUTS) + len((FURTHER_INPUTS["imex"],)), "its inputs")
    imex_outputs: Ints = addresses(len(IMEX.meanings), "its outputs")
