"""Charts of the constraint manifold: independent coordinates, and the equations of motion in them."""
