"""Smooth motion of elastic multibody systems: W. C. Rheinboldt, B. Simeon, On computing smooth solutions of DAE's for
elastic multibody systems.

starts        A1 to A3: smooth starts of the slider crank, beside those of the Test Set for IVP Solvers
quality       A4, A5: what rings after a start, and smooth motion over the whole span, both against the periodic slow
              motion, which is found by shooting; shares are of the largest distance over 0.1 s at 4001 instants
shifted       A6: the crank of variable speed (Fig. 4), with bending modes fast and slow
frequency     A7: the elastic pendulum (Fig. 1): its coupled frequency (22), and that of the linear theory (23)
orders        A8: orders in ε of Theorem 1, as they are, and of the slaved slow system
frequencies   A9: the rod by itself, and the locked mechanism
cost          what smooth motion costs beside the full system
area          A11: the elastic loading area of the truck (Fig. 5) by other elements
truck_motion  A11: the truck: smooth motion along a rigid run beside the full solution (Fig. 6)
truck_cost    A12: what both cost, and beside them the structure reduced to 10 eigenmodes
plates_and_solids  A14: a Kirchhoff plate and a solid cantilever against closed forms
reductions    A17: Craig–Bampton: static deflections, frequencies from above
crank         A10: the slider crank from bodies and joints beside that written by hand
beams         A13: frequencies of beams and rods
rotating      A15: flap and lag of a rotating cantilever
spin_up       A16: the spin-up of Simo and Vu-Quoc, with geometric stiffening and without
invariance    A18: momentum and energy in free flight, frames
published     A20: ends of runs of the published slider crank

``paper`` are published numbers, or orders that its proof gives.

    python benchmarks/smooth.py --json
    python benchmarks/smooth.py quality shifted
"""

from __future__ import annotations

from _common import Reporter, parser, pin_to_one_core

CRANK = ("starts", "quality", "shifted", "frequencies", "cost")
PENDULUM = ("frequency", "orders")
TRUCK = ("truck_motion", "truck_cost")
ELEMENTS = ("area", "plates_and_solids", "reductions")
FLEXIBLE = ("crank", "beams", "rotating", "spin_up", "invariance", "published")


def main() -> None:
    arguments = parser(__doc__)
    arguments.add_argument("parts", nargs="*", metavar="PART", help="some of the parts above; all if left away")
    given = arguments.parse_args()
    pin_to_one_core()
    import _smooth_crank
    import _smooth_elements
    import _smooth_flexible
    import _smooth_pendulum
    import _smooth_truck

    parts = {name: getattr(_smooth_crank, name) for name in CRANK}
    parts |= {name: getattr(_smooth_pendulum, name) for name in PENDULUM}
    parts |= {name: getattr(_smooth_elements, name) for name in ELEMENTS}
    parts |= {name: getattr(_smooth_truck, name) for name in TRUCK}
    parts |= {name: getattr(_smooth_flexible, name) for name in FLEXIBLE}
    for name in given.parts:
        if name not in parts:
            arguments.error(f"there is no part '{name}'; there are {', '.join(parts)}")
    with Reporter(json=given.json, title="Smooth motion of elastic multibody systems") as report:
        for name in given.parts or parts:
            parts[name](report)


if __name__ == "__main__":
    main()
