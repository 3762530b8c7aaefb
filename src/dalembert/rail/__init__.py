"""Railway: profiles, tracks, surfaces of wheels and rails, where they touch, and the forces there.

Profiles
    :class:`Profile`, :func:`profile_of_points`, :func:`profile_of_function`, :func:`read_profile`, :func:`s1002`,
    :func:`uic60`, :func:`uic60_of_benchmark`, :func:`feve_wheel`, :func:`feve_rail`, :func:`cone`, :func:`crown`
Track
    :class:`Track` of :class:`Straight`, :class:`Arc`, :class:`Clothoid`, :class:`Quintic`, :class:`Cosine`;
    irregularities :func:`harmonic`, :func:`measured`, :func:`read_irregularity`, :func:`spectrum`
Surfaces
    :func:`wheel`, :func:`rail`, :func:`contact_axes`, :func:`contact_conditions`, :func:`relative_curvatures`
Contact
    :class:`Pair`, :func:`touching`, :func:`gaps`, :func:`lifted`, :func:`find_contact`, :func:`loaded_patch`,
    :class:`ContactTable`
Contact patch
    :class:`Material`, :func:`hertz`
Creep forces
    :func:`creepages`, :func:`creep_law`, :class:`Linear`, :class:`VermeulenJohnson`, :class:`ShenHedrickElkins`,
    :class:`Polach`, :class:`Fastsim`, :func:`kalker_matrix`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.lazily import lazily

if TYPE_CHECKING:
    from dalembert.rail.contact import Pair, Touch, WheelsetTouch, find_contact, gaps, lifted, touching
    from dalembert.rail.contact_tables import ContactTable, Jump
    from dalembert.rail.creep import (
        Creepages,
        CreepLaw,
        Linear,
        Polach,
        ShenHedrickElkins,
        VermeulenJohnson,
        creepages,
    )
    from dalembert.rail.creep_laws import creep_law
    from dalembert.rail.fastsim import Fastsim
    from dalembert.rail.feve_profiles import feve_rail, feve_wheel
    from dalembert.rail.irregularities import (
        Irregularity,
        harmonic,
        measured,
        read_irregularity,
        spectral_density,
        spectrum,
    )
    from dalembert.rail.kalker import Coefficients, coefficients, kalker_matrix
    from dalembert.rail.loaded import LoadedPatch, loaded_patch
    from dalembert.rail.material import Material
    from dalembert.rail.patch import Ellipse, hertz
    from dalembert.rail.profile_files import read_profile
    from dalembert.rail.profiles import Profile, profile_of_function, profile_of_points
    from dalembert.rail.segments import Arc, Clothoid, Cosine, Quintic, SegmentEnd, Straight
    from dalembert.rail.standard_profiles import cone, crown, s1002, uic60, uic60_of_benchmark
    from dalembert.rail.surface import (
        Axes,
        contact_axes,
        contact_conditions,
        line_curvature,
        rail,
        rail_curvature,
        relative_curvatures,
        wheel,
        wheel_curvatures,
    )
    from dalembert.rail.track import Track

__getattr__, __dir__ = lazily(
    __name__,
    {
        "contact": "Pair Touch WheelsetTouch find_contact gaps lifted touching",
        "contact_tables": "ContactTable Jump",
        "creep": "Creepages CreepLaw Linear Polach ShenHedrickElkins VermeulenJohnson creepages",
        "creep_laws": "creep_law",
        "fastsim": "Fastsim",
        "feve_profiles": "feve_rail feve_wheel",
        "irregularities": "Irregularity harmonic measured read_irregularity spectral_density spectrum",
        "kalker": "Coefficients coefficients kalker_matrix",
        "loaded": "LoadedPatch loaded_patch",
        "material": "Material",
        "patch": "Ellipse hertz",
        "profile_files": "read_profile",
        "profiles": "Profile profile_of_function profile_of_points",
        "segments": "Arc Clothoid Cosine Quintic SegmentEnd Straight",
        "standard_profiles": "cone crown s1002 uic60 uic60_of_benchmark",
        "surface": (
            "Axes contact_axes contact_conditions line_curvature "
            "rail rail_curvature relative_curvatures wheel wheel_curvatures"
        ),
        "track": "Track",
    },
)

__all__ = [
    "Arc",
    "Axes",
    "Clothoid",
    "Coefficients",
    "ContactTable",
    "Cosine",
    "CreepLaw",
    "Creepages",
    "Ellipse",
    "Fastsim",
    "Irregularity",
    "Jump",
    "Linear",
    "LoadedPatch",
    "Material",
    "Pair",
    "Polach",
    "Profile",
    "Quintic",
    "SegmentEnd",
    "ShenHedrickElkins",
    "Straight",
    "Touch",
    "Track",
    "VermeulenJohnson",
    "WheelsetTouch",
    "coefficients",
    "cone",
    "contact_axes",
    "contact_conditions",
    "creep_law",
    "creepages",
    "crown",
    "feve_rail",
    "feve_wheel",
    "find_contact",
    "gaps",
    "harmonic",
    "hertz",
    "kalker_matrix",
    "lifted",
    "line_curvature",
    "loaded_patch",
    "measured",
    "profile_of_function",
    "profile_of_points",
    "rail",
    "rail_curvature",
    "read_irregularity",
    "read_profile",
    "relative_curvatures",
    "s1002",
    "spectral_density",
    "spectrum",
    "touching",
    "uic60",
    "uic60_of_benchmark",
    "wheel",
    "wheel_curvatures",
]
