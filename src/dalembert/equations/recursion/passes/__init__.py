"""Passes over a tree as machine code, and the compiled loops over them."""
