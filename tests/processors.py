"""Machine code as other processors would get it, chosen by ``DALEMBERT_PROCESSOR``.

Rounding differs between processors: BLAS and NumPy choose their kernels (``OPENBLAS_CORETYPE``,
``NPY_DISABLE_CPU_FEATURES`` choose others), vector code adds in another order, and products are fused with sums or not.

plain
    x86-64 without any extension: vectors of two numbers, nothing fused.
fma
    The processor at hand, products fused with sums in the code of models.
"""

import functools
import os

import llvmlite.binding as llvm


def pretend() -> None:
    """To be called before dalembert is imported."""
    chosen = os.environ.get("DALEMBERT_PROCESSOR", "")
    if chosen == "plain":
        llvm.get_host_cpu_name = lambda: "x86-64"
        llvm.get_host_cpu_features = llvm.FeatureMap
    elif chosen == "fma":
        from dalembert.symbolic.compiler import jit

        build = jit.build

        @functools.wraps(build)
        def fused(program, fma=False, *options, **named):
            return build(program, True, *options, **named)

        jit.build = fused
    elif chosen:
        raise ValueError(f"DALEMBERT_PROCESSOR is {chosen!r}; it can be 'plain' or 'fma'")
