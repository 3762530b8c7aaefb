"""Memory of BDF methods, and which constraints they have in their equations."""

from __future__ import annotations

from dalembert.integrate.methods.bdf_slots import BdfSlots
from dalembert.integrate.methods.radau import RadauMemory
from dalembert.native.kernel import Ints, Reals
from dalembert.native.legend import Legend
from dalembert.native.slots import COUNT, FLAG, integer, integers, real, reals

LEVEL = Legend(
    "which constraints a BDF method has in its equations",
    GGL="those of positions and velocities: stabilised index 2",
    INDEX3="those of positions",
    INDEX2="those of velocities",
    INDEX1="those of accelerations",
    PROJECTED="those of positions; velocities are projected",
)


class BdfMemory(RadauMemory, BdfSlots):
    """Coefficients and iterates of a BDF method; rows of differences hold (q, v, u, a, λ), the first one at the start
    of the step. Stages are those of the Radau step that makes the first history."""

    starter: int = integer("whether a Radau step makes the first history", FLAG)
    level: int = integer("which constraints the equations have", ("0", str(LEVEL.end - 1)))
    n_rows: int = integer("rows of the mass matrix by which those of dynamics are solved, or 0")
    M_factors: Reals = reals("n_rows * n_rows", "M at the iterate, factorised")
    M_pivots: Ints = integers("n_rows", "its pivots")
    corrector_limit: int = integer("iterations at most")
    corrector_tol: float = real("correction that ends an iteration, in units of the tolerance; 0 for its own")
    n_reduced: int = integer("unknowns (q, v, λ, u) of an iteration without μ, or 0")
    reduced_K: Ints = integers("", "entries of K in its matrix")
    reduced_K_place: Ints = integers("", "their places")
    reduced_mass_place: Ints = integers("", "places of M")
    reduced_one_place: Ints = integers("", "places of the ones of E")
    reduced_plan: Ints = integers("", "plan of its factorisation")
    reduced_size: int = integer("its values")
    reduced_factors: Reals = reals("reduced_size", "the matrix, factorised")
    reduced_right: Reals = reals("n_reduced", "a right-hand side, then a solution")
    life: int = integer("attempts that a Jacobian serves, as one has failed after so many; 0 if none has", COUNT)
    velocities: int = integer("whether velocities count in the error of a step", FLAG)
    alpha_last: float = real("that of the last attempt")
    kick: float = real("largest change of the last steps by projection, in units of the tolerance, fading")
    iterate: Reals = reals("n_x", "x of the corrector iteration, increments from y0")
    corrections: Reals = reals("n_x", "residuals, then corrections")
    moved_by: Reals = reals("n_y", "(q, v, u) of a correction")
