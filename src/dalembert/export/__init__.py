"""Simulations for other places than Python: standalone C99 of a whole run with steps of one size."""

from dalembert.export.c_export import export_c

__all__ = ["export_c"]
