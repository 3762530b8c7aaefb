"""Flexible bodies as data: shapes, stiffness, damping and inertia, whatever they come from.

Data
    :class:`Flexibility` with :class:`Nodes`, :class:`Mode`, :class:`Reference`
Beams
    :class:`Beam` with :class:`Section`, :class:`Material`; :data:`STEEL`, :data:`ALUMINIUM`
Finite elements
    :class:`FiniteElements` with :class:`MassPoints`, from meshes by :func:`plane_stress`, :func:`solid`, :func:`plate`
    and :func:`beam_elements`, from files by :func:`read_matrix_market`, :func:`read_abaqus`, :func:`read_nastran` with
    :func:`read_nodes`; reduced by :func:`reduce` to a :class:`ReducedElements`, with points of :class:`Interface`;
    :func:`read_mbdyn` and :func:`write_mbdyn` exchange bodies that are reduced
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.lazily import lazily

if TYPE_CHECKING:
    from dalembert.elastic.beam import Beam
    from dalembert.elastic.finite_element_meshes import beam_elements, plane_stress, plate, solid
    from dalembert.elastic.finite_elements import FiniteElements, MassPoints
    from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reference
    from dalembert.elastic.interfaces import Interface
    from dalembert.elastic.readers import read_nodes
    from dalembert.elastic.readers_matrices import read_abaqus, read_matrix_market, read_nastran
    from dalembert.elastic.readers_mbdyn import read_mbdyn, write_mbdyn
    from dalembert.elastic.reduced_elements import ReducedElements, reduce
    from dalembert.elastic.section import ALUMINIUM, STEEL, Material, Section

__getattr__, __dir__ = lazily(
    __name__,
    {
        "beam": "Beam",
        "finite_element_meshes": "beam_elements plane_stress plate solid",
        "finite_elements": "FiniteElements MassPoints",
        "flexibility": "Flexibility Mode Nodes Reference",
        "interfaces": "Interface",
        "readers": "read_nodes",
        "readers_matrices": "read_abaqus read_matrix_market read_nastran",
        "readers_mbdyn": "read_mbdyn write_mbdyn",
        "reduced_elements": "ReducedElements reduce",
        "section": "ALUMINIUM STEEL Material Section",
    },
)

__all__ = [  # noqa: RUF022
    "ALUMINIUM",
    "Beam",
    "FiniteElements",
    "Flexibility",
    "Interface",
    "MassPoints",
    "Material",
    "Mode",
    "Nodes",
    "ReducedElements",
    "Reference",
    "STEEL",
    "Section",
    "beam_elements",
    "plane_stress",
    "plate",
    "read_abaqus",
    "read_matrix_market",
    "read_mbdyn",
    "read_nastran",
    "read_nodes",
    "reduce",
    "solid",
    "write_mbdyn",
]
