"""Builders that give the contract: traced functions, elements, black-box functions."""
