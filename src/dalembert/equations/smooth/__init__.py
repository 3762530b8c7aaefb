"""Smooth motion of systems with fast coordinates: partitions, rigid limits, quasi-static deformations."""
