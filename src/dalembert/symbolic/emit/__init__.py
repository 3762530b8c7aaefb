"""Programs printed: LLVM assembly, x86 assembly, C99, for one point, many, or a recursion."""
