"""Orders of pivots, safe or along a tree, and fronts along them."""
