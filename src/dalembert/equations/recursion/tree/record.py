"""Where the numbers of a tree stand: one record per link in the array of values, one in the array of constants.

All vectors have world axes; moments and inertias of a link are about the origin of its frame, never about the origin of
the world, so that nothing is lost far away from there.  Record 0 is that of the world.
"""

from __future__ import annotations

from dalembert.native.legend import Legend

ARRAY = Legend(
    "arrays that passes over a tree read and write",
    CONSTANTS="gravity, then the constants of the links",
    Q="coordinates of the joints",
    V="velocities of the joints",
    RIGHT="what is given and found in its place: forces and accelerations of the joints",
    VALUES="records of the links, then vectors of all bodies and joints",
)
constant = Legend(
    "constants of a link",
    sizes={"PLACEMENT": 4, "OFFSET": 3, "MOMENT": 3, "INERTIA": 6, "CENTRE": 3},
    PLACEMENT="Euler parameters of the joint's frame in that of the parent",
    OFFSET="its origin, in the frame of the parent",
    PITCH="of a screw",
    MASS="of the body",
    MOMENT="mass times centre of mass, in the frame of the link",
    INERTIA="about the origin: xx, xy, xz, yy, yz, zz",
    CENTRE="centre of mass",
)
#: Entries before the constants of all links: gravity.
FIRST_CONSTANT = 3
record = Legend(
    "values of a link",
    sizes={
        "P": 4, "R": 9, "POSITION": 3, "D": 3, "OMEGA": 3, "KAPPA": 3, "ZETA": 3, "VELOCITY": 3, "ALPHA": 3,
        "ACCELERATION": 3, "MOMENT": 3, "FORCE": 3, "ART_I": 6, "ART_H": 9, "ART_M": 6, "JOINT": 24,
        "COMPOSITE_MOMENT": 3, "COMPOSITE_INERTIA": 6,
    },
    P="Euler parameters of the frame",
    R="its rotation matrix, by rows",
    POSITION="of the origin",
    D="from the origin of the parent to the own one",
    OMEGA="angular velocity",
    KAPPA="angular acceleration without that of the joint and of the parent",
    ZETA="acceleration of the origin without those",
    VELOCITY="of the origin",
    ALPHA="angular acceleration",
    ACCELERATION="of the origin",
    MOMENT="moment that the joint must exert: inertia less external wrenches, or bias of articulated inertias",
    FORCE="force that belongs to the moment",
    ART_I="articulated inertia n = I α + H a + …, f = Hᵀα + M a + …: I",
    ART_H="H of these",
    ART_M="M of these",
    JOINT="what the kinds of joints keep for themselves",
    COMPOSITE="mass of everything that stands on the link",
    COMPOSITE_MOMENT="its moment, mass times centre of mass",
    COMPOSITE_INERTIA="its inertia: xx, xy, xz, yy, yz, zz",
)  # fmt: skip
