"""From graphs to machine code: programs, their rewriting and schedule, compilation, calls."""
