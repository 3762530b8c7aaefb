"""Factorisations: dense, sparse with fixed or searched pivots, in small blocks."""
