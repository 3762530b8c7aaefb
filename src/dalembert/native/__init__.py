"""Machine code besides that of the models: kernels written in Python, compiled once for all models, kept on disk.

The layer below all others.  :mod:`~dalembert.native.kernel` compiles plain Python functions with Numba and keeps the
object code in the cache of :mod:`~dalembert.native.cache`, which the symbolic layer shares;
:mod:`~dalembert.native.pointers` calls functions through their addresses.
"""
