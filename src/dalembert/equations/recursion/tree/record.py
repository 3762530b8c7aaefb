"""Where the numbers of a tree stand: one record per link in the array of values, one in the array of constants.

All vectors have world axes; moments and inertias of a link are about the origin of its frame, never about the origin of
the world, so that nothing is lost far away from there.  Record 0 is that of the world.
"""

from __future__ import annotations

#: Arrays that the passes read and write: constants, coordinates, velocities, what is given and found in its place
#: (forces and accelerations of the joints), values.
CONSTANTS, Q, V, RIGHT, VALUES = range(5)

#: Constants of a link: placement (Euler parameters, offset), pitch, mass, mass times centre of mass, inertia about the
#: origin (xx, xy, xz, yy, yz, zz), centre of mass.  Three entries before all links: gravity.
PLACEMENT, OFFSET, PITCH, MASS, MOMENT, INERTIA, CENTRE = 0, 4, 7, 8, 9, 12, 18
LINK_CONSTANTS = 21
FIRST_CONSTANT = 3

#: Values of a link.
P = 0  #: Euler parameters of the frame
R = 4  #: its rotation matrix, by rows
POSITION = 13  #: of the origin
D = 16  #: from the origin of the parent to the own one
OMEGA = 19  #: angular velocity
KAPPA = 22  #: angular acceleration without that of the joint and of the parent
ZETA = 25  #: acceleration of the origin without those
VELOCITY = 28  #: of the origin
ALPHA = 31  #: angular acceleration
ACCELERATION = 34  #: of the origin
MOMENT_W = 37  #: moment that the joint must exert (inertia less external wrenches, or bias of articulated inertias)
FORCE = 40
ART_I = 43  #: articulated inertia n = I α + H a + …, f = Hᵀα + M a + …; six entries
ART_H = 49  #: nine entries
ART_M = 58  #: six entries
JOINT = 64  #: what the kinds of joints keep for themselves
COMPOSITE = 88  #: mass, its moment and inertia of everything that stands on the link
RECORD = 98
