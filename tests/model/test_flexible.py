"""Flexible bodies in models: against equations written by hand, rigid bodies, closed forms, invariants."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.elastic import STEEL, Beam, Flexibility, Material, Reference, Section
from dalembert.errors import ModelError, ModelWarning
from dalembert.problems import mechanisms
from dalembert.problems.mechanisms.elastic import crank_rod
from dalembert.solution import load

#: a soft strip, whose deformations are seen
SOFT = Material(2.0e7, 1000.0, 0.4)
STRIP = Section.rectangle(0.02, 0.03)
EXACT = {"rtol": 1e-11, "atol": 1e-13, "method": "dop853"}
WAYS = [("relative", "symbolic"), ("absolute", "symbolic"), ("absolute", "elements")]


@pytest.fixture(scope="module")
def by_hand():
    problem = da.problems.slider_crank(start="rigid")
    return da.simulate(problem.equations, (0, 0.01), problem.start, t_eval=np.linspace(0, 0.01, 6), **EXACT)


@pytest.mark.parametrize("coordinates, builder", WAYS)
def test_slider_crank_is_that_written_by_hand(coordinates, builder, by_hand):
    example = mechanisms.flexible_slider_crank()
    equations = example.model.equations(coordinates, builder=builder)
    assert equations.fast == tuple(f"rod.q{k}" for k in range(1, 5))
    found = da.simulate(equations, (0, 0.01), example.assemble(equations), t_eval=by_hand.t, **EXACT)
    for k in range(4):
        assert_allclose(found[f"rod.q{k + 1}"], by_hand.q[3 + k], atol=1e-12)
    assert_allclose(found["rod angle"], by_hand.q[1], atol=1e-10)
    assert_allclose(found["place.x"], by_hand.q[2], atol=1e-10)
    # Of the loop, the constraint of the test problem holds the pin: λ is what the joint exerts, in axes of the world.
    assert_allclose(found["motor.force"], -by_hand.lam[2], atol=1e-5)
    force = _in_world(found, by_hand)
    assert_allclose(force, [-by_hand.lam[1], by_hand.lam[0]], atol=1e-5)


def _in_world(found, by_hand):
    """Force of pin C on the slider, from the axes of the first marker, which turn with the rod and its end."""
    slope = sum(found[f"rod.q{k}"] * k * 3.1415927 / 0.3 * (-1.0) ** k for k in (1, 2))
    angle = found["rod angle"] + 2.0 * np.arctan(0.5 * slope)
    x, y = found["C.force.x"], found["C.force.y"]
    return [np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y]


def test_nonlinear_and_damped_slider_cranks_are_those_written_by_hand():
    problem = da.problems.slider_crank(start="rigid", stiffness="nonlinear", damping=True)
    example = mechanisms.flexible_slider_crank(nonlinear=True, damping=True)
    equations = example.model.equations()
    options = {"t_eval": [0, 0.003], **EXACT}
    hand = da.simulate(problem.equations, (0, 0.003), problem.start, **options)
    found = da.simulate(equations, (0, 0.003), example.assemble(equations), **options)
    for k in range(4):
        assert_allclose(found[f"rod.q{k + 1}"], hand.q[3 + k], atol=1e-12)


@pytest.mark.parametrize("coordinates, builder", WAYS)
def test_smooth_start_of_the_model_is_the_published_one(coordinates, builder):
    example = mechanisms.flexible_slider_crank()
    equations = example.model.equations(coordinates, builder=builder)
    start = example.assemble(equations, smooth=True)
    q = dict(zip(equations.names["q"], start.q, strict=True)) | dict(zip(equations.names["v"], start.v, strict=True))
    assert_allclose([q["rod.q3"], q["rod.q4"]], [0.103339863e-4, 0.169327969e-4], rtol=1e-7)
    assert_allclose([q["rod.q1.rate"], q["rod.q2.rate"]], [0.444896698, 0.46343406e-2], rtol=1e-7)


def test_frequencies_of_the_rod_and_of_the_locked_mechanism():
    assert_allclose(crank_rod().frequencies, [1276.686, 5106.746, 6840.817, 24612.658], rtol=1e-6)
    example, still = mechanisms.flexible_slider_crank(), {"Omega": 0.0}
    equations = example.model.equations()
    rest = equations.assemble({"A.angle": 0.0, "A.rate": 0.0, **dict.fromkeys(equations.fast, 0.0)}, parameters=still)
    found = np.unique(np.round(equations.linearise(rest, parameters=still).frequencies * 2.0 * np.pi, 3))
    assert_allclose(found, [1276.686, 5106.746, 6617.78, 22605.97], rtol=1e-6)


# ------------------------------------------------------------------------------------------------------- invariance


def thrown(flexibility, planar):
    """A beam in free flight, turning and bent."""
    m = da.Model("thrown", plane="xy" if planar else None)
    start = {"velocity": (0.3, 1.0) if planar else (0.3, 1.0, -0.2)}
    start["angular_velocity"] = 4.0 if planar else (1.5, -2.0, 4.0)
    strip = m.flexible_body("strip", flexibility, position=(0.0, 0.0) if planar else (0, 0, 0), **start)
    for name in ("energy", "momentum", "angular_momentum"):
        m.sensor(name, getattr(m, name))
    m.sensor("tip", strip.node("right").position)
    m.sensor("middle", strip.node("n6").position)
    m.sensor("strain", strip.strain_energy)
    return m


def strip(planar, ends="clamped", **options):
    kinds = {"bending": 2, "longitudinal": 1} if planar else {"bending": 2, "longitudinal": 1, "torsion": 1}
    return Beam(0.6, STRIP, SOFT, kinds, ends, planar, **options).flexibility


@pytest.mark.parametrize("planar", [True, False])
def test_free_flight_conserves_momentum_and_energy(planar):
    equations = thrown(strip(planar), planar).equations()
    bent = (
        {"strip.bending1": 0.01, "strip.bending2": -0.002}
        if planar
        else {"strip.bending_y1": 0.01, "strip.torsion1": 0.05}
    )
    start = equations.assemble(bent)
    run = da.simulate(equations, (0, 0.5), start, t_eval=np.linspace(0, 0.5, 6), rtol=1e-10, atol=1e-12)
    assert np.ptp(run["strain"]) > 1e-4  # it does vibrate
    for name in ("energy", "momentum", "angular_momentum"):
        assert_allclose(run[name], np.asarray(run[name])[..., :1] + 0 * np.asarray(run[name]), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("coordinates, builder", WAYS)
@pytest.mark.parametrize("planar", [True, False])
def test_all_formulations_move_alike(planar, coordinates, builder):
    def pendulum():
        m = da.Model("pendulum", plane="xy" if planar else None, gravity=(0, -9.81) if planar else (0, -9.81, 0))
        # Both pins turn with the deformation: the beam is carried by an end that is not at rest in its frame.
        beam = m.beam("beam", 0.6, STRIP, SOFT, 2, ends="free", damping=0.02)
        tip = m.body("tip", 0.2, 1e-4 if planar else (1e-4, 2e-4, 2e-4))
        A = m.revolute("A", m.ground.at(*[0.0] * len(m.labels)), beam.left, start=0.3)
        m.revolute("B", beam.right, tip.at(*[0.0] * len(m.labels)), start=-0.5)
        m.sensor("end", tip.position)
        m.sensor("moment", beam.section_force("moment" if planar else "moment z", 0.3))
        return m, A

    m, _ = pendulum()
    equations = m.equations(coordinates, builder=builder)
    reference, _ = pendulum()
    other = reference.equations("relative")
    still = dict.fromkeys(equations.fast, 0.0) | {f"{name}.rate": 0.0 for name in equations.fast}
    times = np.linspace(0, 0.2, 3)
    options = {"t_eval": times, "rtol": 1e-10, "atol": 1e-12}
    a = da.simulate(
        equations, (0, 0.2), equations.assemble({"A.angle": 0.3, "A.rate": 0.0, "B.angle": -0.5, **still}), **options
    )
    b = da.simulate(
        other, (0, 0.2), other.assemble({"A.angle": 0.3, "A.rate": 0.0, "B.angle": -0.5, **still}), **options
    )
    for name, scale in (("end", 1.0), ("moment", 0.1), ("A.force", 1.0), ("B.force", 1.0)):
        assert_allclose(a[name], b[name], atol=3e-6 * scale, err_msg=name)


def test_results_do_not_depend_on_the_reference_condition():
    """Differences are of third order in the deformation where the data know the second."""
    body = strip(True)

    def tip(flexibility, size):
        """The same body, bent the same way, with its left end at rest at the origin."""
        m = da.Model("bent", plane="xy")
        body = m.flexible_body("strip", flexibility)
        m.revolute("A", m.ground.at(0, 0), body.node("left"), start={"angle": 0.0, "angle.rate": 3.0})
        m.sensor("tip", body.node("right").position)
        equations = m.equations()
        amplitudes = {"strip.bending1": size, "strip.bending2": 0.2 * size, "strip.longitudinal1": 0.01 * size}
        still = {f"{name}.rate": 0.0 for name in equations.fast}
        start = equations.assemble({"A.angle": 0.0, "A.rate": 3.0, **amplitudes, **still})
        return np.asarray(da.simulate(equations, (0, 0.1), start, t_eval=[0.0, 0.1], **EXACT)["tip"])[:, -1]

    far = []
    for size in (0.02, 0.01):
        clamped, mean = (tip(body.referred(one), size) for one in (body.reference, Reference("mean axes")))
        far.append(np.abs(clamped - mean).max())
    assert far[0] < 0.02 * 0.02 and far[0] / far[1] > 3.0


def test_without_modes_and_with_great_stiffness_it_is_rigid():
    """n = 0 is a rigid body; with a thousand times E the frame of the beam moves like that."""
    section = Section.rectangle(0.01, 0.01)

    def run(make, end=0.3):
        m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
        body, at = make(m)
        m.revolute("A", m.ground.at(0, 0), at)
        m.sensor("place", body.position)
        m.sensor("energy", m.energy)
        equations = m.equations()
        start = equations.assemble({"A.angle": 0.4, "A.rate": 2.0, **dict.fromkeys(equations.fast, 0.0)})
        return da.simulate(equations, (0, end), start, t_eval=[0.0, end], rtol=1e-9, atol=1e-12)

    length, mass = 0.5, 7850.0 * 1e-4 * 0.5
    inertia = mass * (length**2 + 0.01**2) / 12.0
    rigid = run(lambda m: (lambda body: (body, body.at(0, 0)))(m.body("rod", mass, inertia, (length / 2, 0))))
    none = run(lambda m: (lambda body: (body, body.left))(m.beam("rod", length, section, STEEL, 0)))
    assert_allclose(none["A.angle"], rigid["A.angle"], atol=1e-8)
    assert_allclose(none["A.force"], rigid["A.force"], atol=1e-5)
    stiff = Material(1e3 * STEEL.E, STEEL.density)
    short = run(lambda m: (lambda body: (body, body.left))(m.beam("rod", length, section, STEEL, 0)), 0.05)
    bent = run(lambda m: (lambda body: (body, body.left))(m.beam("rod", length, section, stiff, 1)), 0.05)
    assert_allclose(bent["place"], short["place"], atol=1e-6)


def test_a_rigid_spin_of_a_flexible_body_keeps_its_momentum():
    equations = thrown(strip(True, "free"), True).equations()
    run = da.simulate(equations, (0, 0.3), equations.assemble({}), t_eval=[0, 0.15, 0.3], rtol=1e-10, atol=1e-12)
    assert_allclose(run["angular_momentum"], run["angular_momentum"][0], rtol=1e-8)
    assert_allclose(run["energy"], run["energy"][0], rtol=1e-8)


# ------------------------------------------------------------------------------------------------- closed forms


def rotating(eta, direction, modes=6, **options):
    """Lowest frequency of a cantilever on a hub of radius zero that turns with η = Ω (ρAL⁴/EI)^½, over that unit."""
    section = Section(1e-4, 1e-9, 1e-9)
    unit = np.sqrt(STEEL.E * 1e-9 / (STEEL.density * 1e-4))
    m = da.Model("blade")
    kinds = {f"bending {direction}": modes}
    blade = m.beam("blade", 1.0, section, STEEL, kinds, ends="clamped", rotary=False, **options)
    A = m.revolute("A", m.ground.at(0, 0, 0), blade.left)
    m.prescribe("spin", A.angle, lambda t: eta * unit * t)
    equations = m.equations()
    return equations.linearise(equations.assemble({})).frequencies.min() * 2.0 * np.pi / unit


def by_finite_elements(eta, lag, count=30):
    """The same by Hermite elements, with the tension ½ρAΩ²(L² − x²)."""
    from scipy.linalg import eigh

    nodes, weights = np.polynomial.legendre.leggauss(6)
    K, M = np.zeros((2 * count + 2,) * 2), np.zeros((2 * count + 2,) * 2)
    h = 1.0 / count
    for e in range(count):
        at = slice(2 * e, 2 * e + 4)
        for s, w in zip(0.5 * (nodes + 1.0), 0.5 * h * weights, strict=True):
            N = np.array([1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)])
            d = np.array([-6 * s + 6 * s**2, h * (1 - 4 * s + 3 * s**2), 6 * s - 6 * s**2, h * (3 * s**2 - 2 * s)]) / h
            b = np.array([-6 + 12 * s, h * (-4 + 6 * s), 6 - 12 * s, h * (6 * s - 2)]) / h**2
            x = (e + s) * h
            K[at, at] += w * (
                np.outer(b, b) + 0.5 * eta**2 * (1 - x**2) * np.outer(d, d) - lag * eta**2 * np.outer(N, N)
            )
            M[at, at] += w * np.outer(N, N)
    return np.sqrt(eigh(K[2:, 2:], M[2:, 2:], eigvals_only=True)[0])


@pytest.mark.parametrize("eta", [1.0, 4.0])
def test_a_rotating_cantilever_is_stiffened(eta):
    assert rotating(eta, "z") == pytest.approx(by_finite_elements(eta, False), rel=3e-5)
    assert rotating(eta, "y") == pytest.approx(by_finite_elements(eta, True), rel=3e-5)


def test_without_stiffening_a_cantilever_is_softened():
    assert rotating(2.0, "y", stiffening=False) == pytest.approx(np.sqrt(3.51602**2 - 4.0), rel=1e-4)


def test_section_forces_of_a_hanging_load():
    """Statically: moment F (L − x), normal force from a load along the axis, and the deflection F L³/(3EI)."""
    m = da.Model("cantilever", plane="xy")
    section, length, load = Section.rectangle(0.01, 0.02), 0.5, 3.0
    beam = m.beam("beam", length, section, STEEL, {"bending": 24, "longitudinal": 12}, ends="clamped", stiffening=False)
    m.fixed("wall", m.ground.at(0, 0), beam.left)
    m.force("load", beam.right, (0.0, -load))
    equations = m.equations()
    assert equations.names["q"] == tuple(f"beam.{mode}" for mode in beam.modes)
    q = np.linalg.solve(beam.flexibility.stiffness, -load * beam.flexibility.nodes.translation[-1, 1])
    assert_allclose(equations.equilibrium(equations.assemble({})).q, q, atol=1e-9)
    tip = beam.flexibility.nodes.translation[-1, 1] @ q
    assert tip == pytest.approx(-load * length**3 / (3.0 * STEEL.E * section.Iz), rel=1e-4)
    moment = beam.beam.section_force("moment z", 0.2) @ q
    assert moment == pytest.approx(-load * (length - 0.2), rel=0.02)


# ----------------------------------------------------------------------------------------------------- the interface


def test_deformations_are_drawn_magnified_and_large_ones_are_told():
    def run(magnification, load):
        m = da.Model("cantilever", plane="xy")
        beam = m.beam("beam", 0.5, STRIP, SOFT, 1, ends="clamped", magnification=magnification)
        m.fixed("wall", m.ground.at(0, 0), beam.left)
        m.force("load", beam.right, (0.0, -load))
        equations = m.equations()
        return da.simulate(equations, (0, 0.2), equations.assemble({}), t_eval=[0.0, 0.1, 0.2], rtol=1e-8)

    gentle, drawn = run(1.0, 0.05), run(5.0, 0.05)
    (track,), (larger,) = gentle.appearance.tracks, drawn.appearance.tracks
    assert track.kind == "surface" and track.name == "beam"
    bent = [one.points[:, -4:].mean(axis=1)[:, 1] for one in (track, larger)]
    assert_allclose(bent[1], 5.0 * bent[0], atol=1e-12)
    assert np.abs(bent[0]).max() > 1e-4
    assert "10°" not in gentle.message
    assert "flexible body 'beam' turns by more than 10°" in run(1.0, 2.0).message


def test_what_cannot_be_is_told():
    m = da.Model("flat", plane="xy")
    with pytest.raises(ModelError, match="its data are for space, the model 'flat' is in the plane"):
        m.flexible_body("body", strip(False))
    beam = m.beam("beam", 0.6, STRIP, SOFT)
    with pytest.raises(ModelError, match="markers stand on its axis"):
        beam.at(0.1, 0.2)
    with pytest.raises(ModelError, match=r"x must be from 0 to its length 0.6, got 0.7"):
        beam.at(0.7)
    with pytest.raises(ModelError, match="mode 'bendng1' does not exist; did you mean 'bending1'"):
        beam.mode("bendng1")
    with pytest.raises(ModelError, match="ends must be one of pinned, clamped"):
        m.beam("other", 0.6, STRIP, SOFT, ends="loose")
    with pytest.raises(ModelError, match="torsion leaves the plane"):
        m.beam("other", 0.6, STRIP, SOFT, {"torsion": 1})
    plate = m.flexible_body("plate", strip(True))
    with pytest.raises(ModelError, match=r"there is no node at .0.13, 0.0.; the nearest is 'n3'"):
        plate.at(0.13, 0.0)
    with pytest.raises(ModelError, match=r"tree_dynamics is for rigid bodies, and 'beam' is none; use equations"):
        m.tree_dynamics()


def test_models_and_equations_with_flexible_bodies_are_pickled():
    example = mechanisms.flexible_slider_crank()
    equations = example.model.equations()
    again = pickle.loads(pickle.dumps(equations))
    start = example.assemble(equations)
    options = {"t_eval": [0.0, 1e-4], **EXACT}
    runs = [da.simulate(one, (0, 1e-4), start, **options) for one in (equations, again)]
    assert_allclose(runs[0].q, runs[1].q, rtol=0, atol=0)
    assert again.fast == equations.fast
    assert isinstance(again.model["rod"].flexibility, Flexibility)


def test_a_run_with_a_flexible_body_is_stored_and_shown(tmp_path):
    m = da.Model("cantilever", gravity=(0, 0, -9.81))
    beam = m.beam("beam", 0.5, STRIP, SOFT, 1, ends="clamped", damping=0.05)
    m.fixed("wall", m.ground.at(0, 0, 0), beam.left)
    m.sensor("strain", beam.strain_energy)
    equations = m.equations()
    run = da.simulate(equations, (0, 0.02), equations.assemble({}, smooth=True), t_eval=[0.0, 0.01, 0.02])
    assert np.ptp(run["beam.bending_z1"]) < 1e-6 < np.abs(run["beam.bending_z1"]).min()  # hangs at rest
    run.save(tmp_path / "run.nc")
    again = da.load(tmp_path / "run.nc")
    assert_allclose(again.appearance.tracks[0].points, run.appearance.tracks[0].points, atol=1e-6)
    da.report(again, tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size > 10_000
    sketch = da.draw(run, equations).sketch
    assert sketch is not None


@pytest.mark.parametrize("coordinates, builder", [("relative", "symbolic"), ("absolute", "elements")])
@pytest.mark.parametrize("planar", [True, False])
def test_sections_transmit_what_joints_at_the_ends_do(planar, coordinates, builder):
    """A swinging beam that carries a body: nothing at hinges about their axis, and forces that are their reactions;
    clamped shapes have a curvature at the hinged root, which is what modes leave out."""
    m = da.Model("pendulum", plane="xy" if planar else None, gravity=(0, -9.81) if planar else (0, -9.81, 0))
    zero = [0.0] * len(m.labels)
    beam = m.beam("beam", 0.6, STRIP, SOFT, 2, ends="clamped")
    tip = m.body("tip", 0.2, 1e-4 if planar else (1e-4, 2e-4, 2e-4))
    A = m.revolute("A", m.ground.at(*zero), beam.left)
    B = m.revolute("B", beam.right, tip.at(0.1, *zero[1:]))
    about, across = ("moment", "shear") if planar else ("moment z", "shear y")
    for at, x in (("root", 0.0), ("middle", 0.3), ("tip", 0.6)):
        for kind, name in ((about, "moment"), (across, "shear"), ("normal", "normal")):
            m.sensor(f"{at} {name}", beam.section_force(kind, x))
    m.sensor("by curvature", beam.section_force(about, 0.0, by="curvature"))
    equations = m.equations(coordinates, builder=builder)
    still = dict.fromkeys(equations.fast, 0.0) | {f"{name}.rate": 0.0 for name in equations.fast}
    start = equations.assemble({A.angle: 0.3, B.angle: -0.5, A.rate: 2.0, B.rate: 0.0, **still})
    run = da.simulate(equations, (0, 0.1), start, t_eval=[0.0, 0.05, 0.1], rtol=1e-9, atol=1e-11)
    assert np.abs(run["root moment"]).max() < 1e-12 and np.abs(run["tip moment"]).max() < 1e-12
    assert np.abs(run["middle moment"]).max() > 0.01 and np.abs(run["by curvature"]).max() > 1e-3
    for joint, at in ((A, "root"), (B, "tip")):
        size = np.linalg.norm(run[f"{joint.name}.force"], axis=0)
        assert_allclose(np.hypot(run[f"{at} shear"], run[f"{at} normal"]), size, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:.* inside of it:dalembert.errors.ModelWarning")  # the convergence is measured
def test_section_forces_of_static_loads_are_exact():
    """With one mode: the weight and a load beyond the section, whatever the modes can do."""
    m = da.Model("cantilever", plane="xy", gravity=(0, -9.81))
    section, length, load = Section.rectangle(0.01, 0.02), 0.5, 3.0
    beam = m.beam("beam", length, section, STEEL, 1, ends="clamped", stiffening=False)
    m.fixed("wall", m.ground.at(0, 0), beam.left)
    m.force("load", beam.at(0.4), (0.0, -load))
    m.sensor("moment", beam.section_force("moment", 0.2))
    m.sensor("shear", beam.section_force("shear", 0.2))
    equations = m.equations()
    rest = equations.equilibrium(equations.assemble({}))
    weight, rest_of_it = 9.81 * STEEL.density * section.area, length - 0.2
    slope = beam.beam.rotation(np.array([0.2]))[0, 2] @ rest.q
    moment, shear = (equations.evaluate_quantity(m.sensors[name], rest) for name in ("moment", "shear"))
    assert moment == pytest.approx(-load * 0.2 - 0.5 * weight * rest_of_it**2, rel=1e-5)
    assert shear == pytest.approx((-load - weight * rest_of_it) * np.cos(slope), rel=1e-9)


@pytest.mark.parametrize("plane", ["", "xy"])
def test_its_mass_is_stored_and_reported(plane, tmp_path):
    """Those of the undeformed beam, a box."""
    m = da.Model("swing", gravity=(0, -9.81) if plane else (0, -9.81, 0), **({"plane": plane} if plane else {}))
    beam = m.beam("beam", 0.6, STRIP, SOFT, 1, ends="pinned")
    m.revolute("J", m.ground.at(*np.zeros(2 if plane else 3)), beam.left)
    equations = m.equations()
    run = da.simulate(equations, (0.0, 1e-3), equations.assemble())
    (body,) = load(run.save(tmp_path / "swing.nc")).appearance.bodies
    mass = 1000.0 * 0.02 * 0.03 * 0.6
    assert body.mass == beam.mass == pytest.approx(mass, rel=1e-12)
    assert_allclose(body.com, [0.3, 0.0, 0.0], atol=1e-12)
    sides = np.array([0.6, 0.02, 0.03]) ** 2
    moments = mass / 12.0 * (sides.sum() - sides)
    assert_allclose(np.diag(body.inertia), [0.0, 0.0, moments[2]] if plane else moments, rtol=1e-9, atol=1e-15)


def rotor(beams, modes):
    """A disc at 0.35 of a shaft between two bearings, in the plane."""
    m, section = da.Model("rotor", plane="xy"), Section.circle(0.02)
    disc = m.body("disc", mass=10.0, inertia=0.5)
    if beams == 1:
        shaft = m.beam("shaft", 1.0, section, STEEL, modes, stiffening=False)
        m.fixed("weld", shaft.at(0.35), disc.at(0, 0))
        bearings = shaft.left, shaft.right
    else:
        left = m.beam("left", 0.35, section, STEEL, modes, ends="clamped", stiffening=False,
                      position=(0.35, 0), angle=np.pi)  # fmt: skip
        right = m.beam("right", 0.65, section, STEEL, modes, ends="clamped", stiffening=False, position=(0.35, 0))
        m.fixed("left weld", left.left, disc.at(0, 0, angle=np.pi))
        m.fixed("right weld", disc.at(0, 0), right.left)
        bearings = left.right, right.right
    m.revolute("A", m.ground.at(0, 0), bearings[0])
    m.point_on_line("B", m.ground.at(1, 0), bearings[1])
    return m


def tilting(m):
    equations = m.equations("absolute")
    found = equations.linearise(equations.assemble()).frequencies
    return np.unique(np.round(found, 6))[1]


def test_loads_inside_of_a_beam_are_told_with_a_remedy():
    """24 modes of one beam are 2 % off, 4 modes of each of two beams that are clamped at the disc less than 0.1 %."""
    exact = 133.61
    told = (
        r"beam 'shaft': fixed joint 'weld' acts inside of it, at x = 0\.35 m of 1 m.*two beams of 0\.35 m and 0\.65 m"
    )
    with pytest.warns(ModelWarning, match=told):
        one = tilting(rotor(1, 24))
    assert one > 1.02 * exact
    assert tilting(rotor(2, 4)) == pytest.approx(exact, rel=1e-3)  # and no warning
