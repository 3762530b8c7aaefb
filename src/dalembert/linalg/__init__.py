"""Linear systems of mechanics: dense and with a fixed sparsity pattern, as kernels and as Python functions.

Knows nothing of models: matrices, right-hand sides, orders of pivots.
"""
