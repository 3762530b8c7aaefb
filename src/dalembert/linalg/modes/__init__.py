"""The modes of the matrix of constrained motion, one per file."""
