"""The programs of a tree, and the equations that they are the contract of."""
