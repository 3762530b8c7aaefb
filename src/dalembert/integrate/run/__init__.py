"""A run in Python's hands: arguments, slices, records, checkpoints, how it ends."""
