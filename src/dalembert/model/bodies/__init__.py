"""Bodies: markers, mass properties, shapes."""
