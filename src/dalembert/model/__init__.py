"""The layer an engineer writes in: bodies, joints and forces, in absolute, relative or custom coordinates."""

from typing import TYPE_CHECKING, Any

from dalembert.lazily import imported
from dalembert.model.bodies.inertia import MassProperties
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.element import Element, Row, Site
from dalembert.model.formulate.custom import Custom
from dalembert.model.formulate.mechanism import Mechanism
from dalembert.model.joints import motions
from dalembert.model.joints.joints import Joint
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity

if TYPE_CHECKING:
    from dalembert.model.bodies import meshes, shapes

__all__ = [
    "Body",
    "Custom",
    "Element",
    "Joint",
    "Marker",
    "MassProperties",
    "Mechanism",
    "Model",
    "Quantity",
    "Row",
    "Site",
    "meshes",
    "motions",
    "shapes",
]


def __getattr__(name: str) -> Any:
    """Shapes and meshes, for models that have them."""
    if name in ("meshes", "shapes"):
        return imported(f"{__name__}.bodies.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
