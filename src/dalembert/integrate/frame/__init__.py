"""The frame around every method, compiled: memory, steps, control, what methods ask of the equations."""
