"""Where a model starts."""
