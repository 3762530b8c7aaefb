"""What forces are made of besides laws, as methods of a model: controllers in discrete time, work, needed forces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dalembert.model.description import Description
from dalembert.model.forces.sampled import SampledController
from dalembert.model.forces.work import Work, needed_force
from dalembert.model.quantity import Quantity


class QuantityBuilders(Description):
    """Quantities that are laws of forces, and what is measured of these."""

    # ---------------------------------------------------------------------------------------------------- discrete time

    def sampled(
        self,
        name: str,
        period: float,
        law: Callable[..., Any],
        *,
        sees: Mapping[str, Any] | None = None,
        outputs: Mapping[str, float] | None = None,
        memory: Mapping[str, float] | None = None,
        offset: float = 0.0,
    ) -> SampledController:
        """A controller in discrete time: a function that is called with numbers at t = offset + k·period::

            def update(angle, angle_rate, integral, p):
                error = p.target - angle
                return {"torque": 20 * error - 2 * angle_rate + 5 * integral, "integral": integral + 0.01 * error}

            pid = m.sampled("pid", 0.01, update, sees={"angle": A}, outputs={"torque": 0.0}, memory={"integral": 0.0})
            m.torque("motor", A, pid.torque)

        Outputs are held between the instants, at which steps of the run end.  The function may be any Python code, with
        numbers of whatever type; ``period`` and what it returns are all that is known of it.

        :param law: it asks by the names of its arguments for ``t``, ``p``, what it ``sees``, outputs and memory, and
            returns those of the latter two that change by name; a single output may be returned as it is
        :param sees: joints or coordinates (``name`` and ``name_rate``), bodies or markers (``name`` and
            ``name_velocity``), and any quantity, by names of your choice
        :param outputs: names and first values of what is held; they are quantities of what is returned, ``pid.torque``
        :param memory: names and first values of what the law keeps for itself
        """
        none: dict[str, Any] = {}
        return self.add(
            SampledController(
                name, period, law, none if sees is None else sees, none if outputs is None else outputs,
                none if memory is None else memory, offset,
            )
        )  # fmt: skip

    # ----------------------------------------------------------------------------------- work, and forces as quantities

    def work(self, name: str, force: Any) -> Work:
        """The work that a force has put into the motion since the start, as a state: ``sol["name.work"]``; its power is
        the quantity ``force.power``."""
        return self.add(Work(name, force))

    def gravity_compensation(self, on: Any) -> Quantity:
        """The force or torque along a coordinate of a joint that holds the weight of all that it carries:
        ``m.torque("hold", A, m.gravity_compensation(A))``.

        :param on: a coordinate that is one of the equations: of a joint of the tree, in relative coordinates
        """
        return needed_force(on, None, False, "gravity_compensation")

    def inverse_dynamics(self, on: Any, accelerations: Mapping[Any, Any] | None = None) -> Quantity:
        """The force or torque along a coordinate of a joint that accelerations need, with the velocities as they are:
        ``m.inverse_dynamics(A, {A: 2.0, B: w_B})``.

        Of the inertia and the weights of bodies alone: springs, dampers and other forces are not in it.

        :param accelerations: of coordinates of joints, numbers or quantities; those that are left away are zero
        """
        return needed_force(on, accelerations, True, "inverse_dynamics")
