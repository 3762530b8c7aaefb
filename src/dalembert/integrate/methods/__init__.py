"""The methods: formulas and coefficients, one family per file."""
