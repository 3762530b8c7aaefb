"""Flexible bodies as data: shapes, stiffness, damping and inertia, whatever they come from.

Data
    :class:`Flexibility` with :class:`Nodes`, :class:`Mode`, :class:`Reference`
"""

from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reference

__all__ = ["Flexibility", "Mode", "Nodes", "Reference"]
