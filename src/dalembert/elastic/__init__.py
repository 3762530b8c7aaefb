"""Flexible bodies as data: shapes, stiffness, damping and inertia, whatever they come from.

Data
    :class:`Flexibility` with :class:`Nodes`, :class:`Mode`, :class:`Reference`
Beams
    :class:`Beam` with :class:`Section`, :class:`Material`; :data:`STEEL`, :data:`ALUMINIUM`
"""

from dalembert.elastic.beam import Beam
from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reference
from dalembert.elastic.section import ALUMINIUM, STEEL, Material, Section

__all__ = ["ALUMINIUM", "STEEL", "Beam", "Flexibility", "Material", "Mode", "Nodes", "Reference", "Section"]
