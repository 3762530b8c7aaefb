"""Flexible bodies of a model."""
