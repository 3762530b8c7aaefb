"""Joints, and the methods of a model that make them."""
