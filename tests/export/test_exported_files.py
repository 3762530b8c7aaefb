"""What an export writes, what its C asks for, and what is refused."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from c_compiler import STRICT, compiler, run
from export import models
from export.exported import sources

import dalembert as da
from dalembert.errors import ExportError
from dalembert.symbolic.emit import c_parts

H = 1e-3
DOPRI5, IMEX = da.Dopri5(controller=da.FixedStep(size=H)), da.Imex(step=H)
LIBM = {op.c.split("(")[0] for op in c_parts.op.OPERATIONS.values() if re.match(r"\w+\(", op.c)} | {"sincos"}


@pytest.mark.parametrize("method", [DOPRI5, IMEX], ids=["dopri5", "imex"])
def test_files_and_what_they_say(tmp_path: Path, method: da.Method) -> None:
    equations = models.arm().equations()
    files = da.export_c(
        equations, method, tmp_path / "new" / "folder", name="arm", inputs=["elbow_torque", "load"],
        outputs={"hand": "hand", "angle": "elbow.angle", "sum": lambda q: q[0] + q[1]},
        units={"elbow_torque": "N m", "hand": "m"},
    )  # fmt: skip
    names = {path.name for path in files}
    assert {"arm.h", "arm.c", "arm_main.c", "arm_timing.c", "arm_internal.h", "Makefile", "README.md"} <= names
    header, readme = (
        path.read_text(encoding="utf-8") for path in (files[0], tmp_path / "new" / "folder" / "README.md")
    )
    assert files[0].name == "arm.h"
    for wanted in (
        r"double elbow_torque; +/\* elbow_torque, N m \*/", r"double load; +/\* load \*/",
        r"double hand\[2\]; +/\* hand, 2, m \*/",
        r"ARM_Q_shoulder_angle = 0, +/\* shoulder.angle \*/", r"ARM_N_P 0 ", r"ARM_STEP 0.001 ", r"int arm_step\(",
    ):  # fmt: skip
        assert re.search(wanted, header), wanted
    for wanted in ("| `hand[2]` | hand | m |", "| `elbow_torque` | elbow_torque | N m |", "ARM_NOT_FINITE", "bytes"):
        assert wanted in readme, wanted
    assert "@" not in "".join(path.read_text(encoding="utf-8").replace("$@", "") for path in files)


def test_only_libm_is_needed_and_nothing_is_kept_outside_of_the_state(tmp_path: Path) -> None:
    if not shutil.which("nm"):
        pytest.skip("needs nm: install binutils")
    for method in (DOPRI5, IMEX):
        files = da.export_c(models.quarter_car().equations(), method, tmp_path, name="car")
        needed, defined = set(), set()
        for source in sources(files):
            run(*compiler(), *STRICT, "-O2", "-c", source, "-o", source.with_suffix(".o"))
            for line in run("nm", source.with_suffix(".o")).splitlines():
                kind, name = line.split()[-2:]
                name = name.lstrip("_") if sys.platform == "darwin" else name
                assert kind in "UTtRr", line  # code and constants, no data that changes
                (needed if kind == "U" else defined).add(name)
        assert needed - defined - {"_GLOBAL_OFFSET_TABLE_"} <= LIBM
        assert "malloc" not in needed and {name for name in defined if not name.startswith("car_")} <= {
            name for name in defined if re.fullmatch(r"[a-z_A-Z0-9.]+", name)
        }


def test_stack_is_within_its_bound(tmp_path: Path) -> None:
    if "gcc" not in run(*compiler(), "--version").lower() and "Free Software" not in run(*compiler(), "--version"):
        pytest.skip("needs -fstack-usage: install gcc")
    for method in (DOPRI5, IMEX):
        files = da.export_c(models.spatial().equations("absolute", builder="symbolic"), method, tmp_path, name="sim")
        bound = int(re.search(r"at most (\d+) bytes", (tmp_path / "README.md").read_text())[1])  # type: ignore[index]
        used = {}
        for level in ("-O0", "-O2"):
            for source in sources(files):
                run(*compiler(), *STRICT, level, "-fstack-usage", "-c", source, "-o", source.with_suffix(".o"))
                for line in source.with_suffix(".su").read_text().splitlines():
                    place, size, kind = line.split("\t")
                    assert kind != "dynamic"  # no arrays of variable length
                    used[place.split(":")[-1]] = int(size)
            own = sum(size for name, size in used.items() if "_part" not in name)
            assert own + max(size for name, size in used.items() if "_part" in name) <= bound


def test_header_is_good_for_cpp(tmp_path: Path) -> None:
    cpp = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if cpp is None:
        pytest.skip("needs a C++ compiler: install g++ or clang")
    da.export_c(models.arm().equations(), IMEX, tmp_path, name="arm", inputs=["load"])
    text = (
        '#include "arm.h"\n#include "arm.h"\nint (*entry)(arm_state *, const arm_inputs *, arm_outputs *) = arm_step;\n'
    )
    (tmp_path / "user.cpp").write_text(text)
    run(cpp, "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", tmp_path / "user.cpp")


def test_makefile_and_timing(tmp_path: Path) -> None:
    if not shutil.which("make") or not shutil.which("cc"):
        pytest.skip("needs make and cc: install make and gcc")
    da.export_c(models.four_bar().equations(), IMEX, tmp_path, name="bar")
    run("make", "-C", tmp_path, "CFLAGS=-O1 -Werror -DBAR_STEPS=500L")
    told = run(tmp_path / "bar_timing")
    assert all(word in told for word in ("median", "p99 ", "p99.99", "worst", "iterations"))
    assert len(run(tmp_path / "bar_main").splitlines()) == 502


def test_old_parts_are_removed(tmp_path: Path) -> None:
    da.export_c(models.quarter_car().equations(), DOPRI5, tmp_path, name="car")
    assert (tmp_path / "car_tables.c").exists() and (tmp_path / "car_positions_part0.c").exists()
    (tmp_path / "car_of_mine.c").write_text("")
    files = da.export_c(models.double_pendulum().equations(), DOPRI5, tmp_path, name="car")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {path.name for path in files} | {"car_of_mine.c"}


def test_names_that_c_cannot_have(tmp_path: Path) -> None:
    equations = models.double_pendulum().equations()
    outputs = {"int": "A.angle", "A.angle": "A.angle", "A angle": "A.angle", "1st": "B.angle", "größe": "B.rate"}
    files = da.export_c(equations, DOPRI5, tmp_path, name="x9", outputs=outputs)
    header = files[0].read_text(encoding="utf-8")
    for wanted in ("output_int;", "A_angle;", "A_angle_2;", "output_1st;"):
        assert f"double {wanted}" in header
    for source in sources(files):
        run(*compiler(), *STRICT, "-O0", "-c", source, "-o", source.with_suffix(".o"))


def test_units_of_coordinates_are_known(tmp_path: Path) -> None:
    outputs = ["A.angle", "A.rate", "A.force", "energy"]
    files = da.export_c(models.double_pendulum().equations(), DOPRI5, tmp_path, name="p", outputs=outputs)
    header = files[0].read_text(encoding="utf-8")
    assert "/* A.angle, rad */" in header and "/* A.rate, rad/s */" in header
    assert "N */" in header and "/* energy, J */" in header


# -------------------------------------------------------------------------------------------------------- refusals


def stopped() -> da.Equations:
    m = models.double_pendulum()
    m.limit("stop", m["A"], upper=1.0)
    return m.equations()


def calling() -> da.Equations:
    return da.trace(
        M=lambda: np.eye(1), f=da.numeric(lambda q: -q), n_q=1, name="black box"
    )  # fmt: skip


def light() -> da.Equations:
    m = da.Model("light", plane="xy")
    a = m.body("a", mass=1.0, inertia=0.1)
    b = m.body("b", mass=0.0, inertia=0.0)
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.prismatic("B", a.at(1, 0), b.at(0, 0))
    return m.equations("absolute", builder="symbolic")


def driven() -> da.Equations:
    m = models.double_pendulum()
    m.input("angle", lambda t: 0.5 + 0.0 * t)
    m.drive("servo", m["A"], lambda w: w.angle)
    return m.equations()


@pytest.mark.parametrize(
    ("make", "options", "complaint"),
    [
        (models.double_pendulum, {}, "make them first, model.equations"),
        (stopped, {}, "the stop '.*' is a constraint that comes and goes by events; .*m\\.contact, or a spring"),
        (stopped, {"method": "auto"}, r"'auto' chooses .* steps of one size: take Imex\(step=1e-3\), .*Dopri5"),
        (calling, {"start": ([1.0], [0.0])}, r"calls Python functions \(f\).* without dalembert.numeric"),
        (lambda: models.double_pendulum().equations(builder="recursion"), {}, "by 'recursion'.*builder='symbolic'"),
        (lambda: models.arm().equations("absolute", builder="elements"), {}, "by 'elements'.*builder='symbolic'"),
        (light, {}, "cannot be solved on atoms: M has a zero on its diagonal; give each coordinate mass"),
        (driven, {"inputs": ["angle"]}, "input 'angle' stands in a constraint.*let it act by a force"),
        (models.arm, {"equations": True, "inputs": ["torque"]}, "no input 'torque', neither.*elbow_torque"),
        (models.arm, {"equations": True, "outputs": ["foot"]}, "has no output 'foot'"),
        (models.arm, {"equations": True, "outputs": []}, "outputs are empty; leave them away"),
        (models.arm, {"equations": True, "outputs": [lambda q: q]}, "has no name; give it one"),
        (models.arm, {"equations": True, "outputs": {"x": lambda q: float(q[0])}}, "output 'x'.*without Python"),
        (models.arm, {"equations": True, "outputs": 3}, "outputs must be names, quantities"),
        (models.arm, {"equations": True, "units": 3}, "units must be texts by name"),
        (models.arm, {"equations": True, "units": {"hnad": "m"}}, "units: 'hnad' is no input and no output.*'hand'"),
        (models.arm, {"equations": True, "outputs": ["hand", "hand"]}, "the output 'hand' is named twice"),
        (models.arm, {"equations": True, "name": "int"}, "'int' is no C identifier; choose another name"),
        (models.arm, {"equations": True, "name": "sin"}, "'sin' is a name of the C library .*; choose another name"),
        (models.arm, {"equations": True, "start": ([1.0], [0.0])}, "start: .*q must have 2 entries"),
        (models.arm, {"equations": True, "method": "dopri5"}, "which Dopri5 does not say; give it Dopri5"),
        (models.arm, {"equations": True, "method": da.Imex()}, r"does not say; give it Imex\(step=1e-3\)"),
        (models.arm, {"equations": True, "method": "radau"}, r"Radau is not exported; take Imex\(step=1e-3\)"),
        (models.arm, {"equations": True, "method": "no"}, "there is no method 'no'"),
        (
            models.arm,
            {"equations": True, "method": da.Dopri5(controller=da.FixedStep(size=H), stabilisation=da.Baumgarte(5.0))},
            "stabilised after Baumgarte; exported C projects",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_exported_is_named(tmp_path: Path, make, options, complaint: str) -> None:
    options = {"name": "sim", "method": DOPRI5, **options}
    made = make().equations() if options.pop("equations", False) else make()
    with pytest.raises(ExportError, match=complaint):
        da.export_c(made, options.pop("method"), tmp_path / "c", **options)
    assert not (tmp_path / "c").exists()


def test_files_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    equations = models.arm().equations()
    with pytest.raises(ExportError, match=r"files cannot be written to .*taken.*; give another directory"):
        da.export_c(equations, DOPRI5, tmp_path / "taken", name="arm")
    with pytest.raises(ExportError, match="or another name if that is too long"):
        da.export_c(equations, DOPRI5, tmp_path / "c", name="arm_" + 300 * "x")


def test_traced_equations_need_a_start(tmp_path: Path) -> None:
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: -q, n_q=1, name="oscillator")
    with pytest.raises(ExportError, match=r"'oscillator' needs a start \(q, v\)"):
        da.export_c(equations, DOPRI5, tmp_path, name="sim")
    assert da.export_c(equations, DOPRI5, tmp_path, name="sim", start=([1.0], [0.0]))


def test_inputs_as_parameters_keep_the_motion() -> None:
    """The model with an excitation, and the one whose parameter has the same constant value."""
    m = models.arm()
    free = m.equations().with_inputs_as_parameters(["elbow_torque"])
    assert "elbow_torque" in free.parameters and "elbow_torque" not in m.parameter_values
    given = free.parameters["elbow_torque"]
    assert given == 0.0
    start = free.assemble()
    np.testing.assert_array_equal(start.a, m.equations().assemble().a)
    pushed = free.forward_dynamics(start.q, start.v, parameters={"elbow_torque": 1.0})[0]
    assert not np.allclose(pushed, start.a)
    with pytest.raises(da.DalembertError, match="has no input 'knee'"):
        free.with_inputs_as_parameters(["knee"])
    with pytest.raises(da.DalembertError, match="input 'elbow_torque' has the name of a parameter"):
        free.with_inputs_as_parameters(["elbow_torque"])
