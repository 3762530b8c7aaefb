"""Constraints, drives, curves, rolling, limits, and the methods of a model that make them."""
