"""Forward dynamics of trees by Pinocchio and MuJoCo, as they are called from Python.

*Pinocchio*: ``pinocchio.aba``, the articulated-body algorithm in C++.  Its ``Data`` holds eight tensors of n³ doubles
for derivatives that are not asked for: 66 MB at n = 100, 8 GB at 500, 66 GB at 1000.  A chain for which there is not
memory enough is left out.
*MuJoCo*: ``mj_forward`` of a model without contacts, limits or friction, torques in ``qfrc_applied``.  Its smooth
dynamics are kinematics, the composite-rigid-body mass matrix with its sparse LᵀDL factors (O(n²) and O(n³) for a
chain), the Newton–Euler bias, and the solution; the constraint stages find nothing to do.  ``mj_step`` is this and a
step of integration.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from _baselines import Failed
from _peers_sweep import version
from _trees import GRAVITY, Tree

ForwardDynamics = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
BYTES = 8 * 8  # per cubed joint, of Pinocchio's Data


def pinocchio(tree: Tree) -> tuple[str, ForwardDynamics]:
    """Name, and accelerations from angles, velocities and torques."""
    import pinocchio as pin

    needed, there = BYTES * tree.size**3, _free_memory()
    if needed > 0.8 * there:
        raise Failed(f"its Data takes {needed / 1e9:.0f} GB of memory, {there / 1e9:.0f} GB are free")
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    for i, link in enumerate(tree.links):
        place = pin.SE3(np.array(link.rotation, dtype=float), np.array(link.offset, dtype=float))
        joint = model.addJoint(link.parent + 1, pin.JointModelRZ(), place, f"joint {i}")
        inertia = pin.Inertia(link.mass, np.array(link.com, dtype=float), np.array(link.inertia, dtype=float))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    data = model.createData()
    aba = pin.aba

    def accelerations(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        result: np.ndarray = aba(model, data, q, v, tau)
        return result

    return f"{version('pin')}, aba from Python", accelerations


def _free_memory() -> float:
    return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))


def mujoco(tree: Tree) -> tuple[str, ForwardDynamics]:
    """Name, and accelerations from angles, velocities and torques."""
    import mujoco as mj

    spec = mj.MjSpec()
    spec.option.gravity = [0.0, 0.0, -GRAVITY]
    bodies = [spec.worldbody]
    for i, link in enumerate(tree.links):
        quaternion = np.zeros(4)
        mj.mju_mat2Quat(quaternion, np.array(link.rotation, dtype=float).ravel())
        body = bodies[link.parent + 1].add_body(name=f"link {i}", pos=link.offset, quat=quaternion)
        body.mass, body.ipos, body.explicitinertial = link.mass, link.com, True
        I = link.inertia
        body.fullinertia = [I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]]
        body.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
        bodies.append(body)
    model = spec.compile()
    data = mj.MjData(model)
    forward, qpos, qvel, applied, qacc = mj.mj_forward, data.qpos, data.qvel, data.qfrc_applied, data.qacc

    def accelerations(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        qpos[:], qvel[:], applied[:] = q, v, tau
        forward(model, data)
        result: np.ndarray = qacc
        return result

    return f"{version('mujoco')}, mj_forward from Python", accelerations


PEERS = (pinocchio, mujoco)
