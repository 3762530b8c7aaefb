"""Solutions: names, shapes, summary; their files bit for bit, and damaged files told apart."""

import dataclasses
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.io import netcdf_file

from dalembert.errors import DalembertError
from dalembert.solution import Checkpoint, DenseOutput, EventRecord, Sketch, Solution, Statistics, load
from dalembert.solution.solution_errors import FileFormatError, UnknownNameError


def example(**changes):
    t = np.linspace(0, 1, 6)
    q, v, a = np.array([np.cos(t), np.sin(t)]), np.array([-np.sin(t), np.cos(t)]), np.array([-np.cos(t), -np.sin(t)])
    values = {
        "t": t,
        "q": q,
        "v": v,
        "a": a,
        "lam": np.full((1, 6), 0.5),
        "u": t[None] ** 2,
        "names": {"q": ("x", "β"), "lam": ("rod",), "u": ("motor",)},
        "units": {"x": "m"},
        "success": False,
        "status": -2,
        "outcome": "interrupted",
        "message": "Stopped by the user at t = 1.",
        "statistics": Statistics(nfev=120, njev=3, nlu=4, steps=5, step_min=0.1, step_max=0.30000000000000004),
        "method": "radau",
        "rtol": 1e-6,
        "atol": np.array([1e-8, 1e-9]),
        "parameters": {"m": 1.0, "I": np.eye(3), "n": 3, "$odd": [1, 2.5, "text", None, float("inf")], "flag": True},
        "title": "pendulum <&>",
        "t_events": [np.array([0.25, 0.75]), np.array([])],
        "events": [EventRecord(0, "touch", 0.25, q[:, 1], v[:, 1], a[:, 1], np.array([0.5]), np.array([0.1]))],
        "sol": DenseOutput(
            [0, 0.4, 1], np.arange(50.0).reshape(2, 5, 5) / 7, {"n_q": 2, "n_v": 2, "n_u": 1, "n_lam": 1}
        ),
        "outputs": {"energy": 0.5 * np.sum(v * v, axis=0), "tip": q},
        "sketch": Sketch(t[:2], {"rod": np.arange(8.0).reshape(2, 2, 2), "space": np.zeros((2, 4, 3))}),
        "checkpoint": Checkpoint(
            {"order": np.array([2**62 + 1, -5]), "work": np.pi * np.ones((2, 0, 3)), "h": np.array(0.1), "on": q > 0},
            {"version": 3, "stack": [1, {"a": None}], "nan": float("nan")},
        ),
    }
    return Solution(**(values | changes))


def assert_same(a, b, where="solution"):
    """Equal in every bit, NaN included."""
    assert type(a) is type(b), where
    if isinstance(a, np.ndarray):
        assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), where
    elif isinstance(a, float):
        assert np.float64(a).tobytes() == np.float64(b).tobytes(), where
    elif isinstance(a, dict):
        assert list(a) == list(b), where
        for key in a:
            assert_same(a[key], b[key], f"{where}.{key}")
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b), where
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            assert_same(x, y, f"{where}[{i}]")
    elif isinstance(a, DenseOutput):
        assert b.completion is None
        for name in ("t", "coefficients", "sizes", "algebraic"):
            assert_same(getattr(a, name), getattr(b, name), f"{where}.{name}")
    elif dataclasses.is_dataclass(a):
        for f in dataclasses.fields(a):
            assert_same(getattr(a, f.name), getattr(b, f.name), f"{where}.{f.name}")
    else:
        assert a == b, where


# ---------------------------------------------------------------- names and shapes


def test_rows_by_name():
    s = example()
    for name, row in [("x", s.q[0]), ("β", s.q[1]), ("x.rate", s.v[0]), ("β.rate", s.v[1])]:
        np.testing.assert_array_equal(s[name], row)
    np.testing.assert_array_equal(s["rod"], s.lam[0])
    np.testing.assert_array_equal(s["motor"], s.u[0])
    np.testing.assert_array_equal(s["tip"], s.q)


def test_velocities_with_names_of_their_own():
    s = example(names={"q": ("x", "y"), "v": ("v_x", "v_y")})
    np.testing.assert_array_equal(s["v_y"], s.v[1])
    np.testing.assert_array_equal(s["lam0"], s.lam[0])
    with pytest.raises(UnknownNameError, match=r"nothing called 'x\.rate'"):
        s["x.rate"]


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(KeyError, match="nothing called 'enrgy'; did you mean 'energy'"):
        example()["enrgy"]
    with pytest.raises(DalembertError, match="Valid names are: energy, motor"):
        example()["?"]


def test_an_ambiguous_name_is_not_guessed():
    s = example(outputs={"rod": np.zeros(6)})
    with pytest.raises(UnknownNameError, match=r"may mean \.lam\[0\] or \.outputs\['rod'\]"):
        s["rod"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"t": np.zeros((2, 2))}, r"t must have shape \(n_t,\); got \(2, 2\)"),
        ({"q": np.zeros((2, 5))}, r"q must have shape \(n, 6\) for 6 times; got \(2, 5\)"),
        ({"a": np.zeros((3, 6))}, "a must have the shape of v"),
        ({"names": {"q": ("x",)}}, "2 coordinates need 2 names; got 1"),
        ({"names": {"q": ("x", "x")}}, "two coordinates are called 'x'"),
        ({"names": {"lambda_": ("x",)}}, "no kind 'lambda_'; did you mean 'lam'"),
        ({"outputs": {"e": np.zeros(5)}}, r"output 'e' must have shape \(6,\) or \(k, 6\)"),
    ],
)
def test_what_does_not_fit_is_named(changes, complaint):
    with pytest.raises(DalembertError, match=complaint):
        example(**changes)


def test_sketch_checks_its_lines():
    with pytest.raises(DalembertError, match=r"line 'rod' must have shape \(3, n_points, 2 or 3\)"):
        Sketch(np.zeros(3), {"rod": np.zeros((3, 2, 4))})


def test_summary():
    assert repr(example()).splitlines() == [
        "Solution of 'pendulum <&>': interrupted",
        "  Stopped by the user at t = 1.",
        "  t = 0 … 1, 6 times; 2 coordinates, 2 velocities, 1 multiplier, 1 external state",
        "  radau: nfev 120, njev 3, nlu 4, steps 5, step_min 0.1, step_max 0.3",
        "  with 1 event, dense output, 2 outputs, sketch, checkpoint",
    ]
    counted = Statistics(**{f.name: 123456 for f in dataclasses.fields(Statistics) if f.name != "extra"})
    assert max(map(len, repr(example(statistics=counted)).splitlines())) <= 100


def test_scipy_names_and_statistics_by_name():
    s = example()
    assert (s.nfev, s.njev, s.nlu) == (120, 3, 4)
    assert Statistics(nfev=7, extra={"transforms": 2}).as_dict() == Statistics().as_dict() | {
        "nfev": 7,
        "transforms": 2,
    }


# ---------------------------------------------------------------- files


def test_round_trip_is_exact(tmp_path):
    s = example()
    path = s.save(tmp_path / "run")
    assert path == tmp_path / "run.nc"
    assert_same(s, load(path))
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_bare_solution_and_one_without_times(tmp_path):
    for n_t in (0, 1, 3):
        s = Solution(np.zeros(n_t), *(np.zeros((n, n_t)) for n in (1, 1, 1, 0, 0)))
        assert_same(s, load(s.save(tmp_path / "run.nc")))


any_text = st.text(st.characters(codec="utf-8"), max_size=8)
any_number = st.floats(allow_nan=True, allow_infinity=True)


@st.composite
def solutions(draw):
    n_t, n_q, n_v, n_lam, n_u = (draw(st.integers(0, n)) for n in (4, 3, 3, 2, 2))

    def array(*shape):
        return draw(hnp.arrays(float, shape, elements=any_number))

    def names(n):
        return tuple(draw(st.lists(any_text, min_size=n, max_size=n, unique=True)))

    scalars = st.none() | st.booleans() | st.integers() | any_number | any_text
    plain = st.recursive(scalars, lambda x: st.lists(x, max_size=3) | st.dictionaries(any_text, x, max_size=3))
    dtypes = st.sampled_from(["i8", "u8", "i4", "u2", "?", "f4", "c16", "f8", "S3", "U2"])
    any_array = dtypes.flatmap(
        lambda d: hnp.arrays(d, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
    )
    n_steps, frames = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    dense = None
    if draw(st.booleans()):
        algebraic = array(n_steps, 2, n_v + n_lam) if draw(st.booleans()) else None
        coefficients = array(n_steps, 3, n_q + n_v + n_u)
        dense = DenseOutput(-np.arange(n_steps + 1.0), coefficients, (n_q, n_v, n_u, n_lam), None, algebraic)
    shapes = [(n,) for n in (n_q, n_v, n_v, n_lam, n_u)]
    return Solution(
        array(n_t),
        *(array(*shape, n_t) for shape in shapes),
        names={"q": names(n_q), "v": names(n_v), "lam": names(n_lam), "u": names(n_u)},
        units=draw(st.dictionaries(any_text, any_text, max_size=2)),
        success=draw(st.booleans()),
        status=draw(st.integers()),
        outcome=draw(any_text),
        message=draw(any_text),
        statistics=Statistics(nfev=draw(st.integers()), step_min=draw(st.none() | any_number)),
        method=draw(any_text),
        rtol=draw(any_number),
        atol=draw(any_number | hnp.arrays(float, 2)),
        parameters=draw(st.dictionaries(any_text, plain | any_array, max_size=4)),
        title=draw(any_text),
        t_events=[array(draw(st.integers(0, 3))) for _ in range(draw(st.integers(0, 2)))],
        events=[
            EventRecord(draw(st.integers()), draw(any_text), draw(any_number), *(array(*shape) for shape in shapes))
            for _ in range(draw(st.integers(0, 2)))
        ],
        sol=dense,
        outputs={name: array(n_t) for name in draw(st.lists(any_text, max_size=2, unique=True))},
        sketch=Sketch(array(frames), {draw(any_text): array(frames, 2, 3)}) if draw(st.booleans()) else None,
        checkpoint=Checkpoint(
            draw(st.dictionaries(any_text, any_array, max_size=3)), draw(st.dictionaries(any_text, plain, max_size=3))
        )
        if draw(st.booleans())
        else None,
    )


@given(solutions())
@pytest.mark.exact
def test_every_solution_comes_back_bit_for_bit(tmp_path_factory, s):
    path = s.save(tmp_path_factory.getbasetemp() / "any.nc")
    assert_same(s, load(path))


def test_a_live_dense_output_is_stored_with_its_completion(tmp_path):
    def completion(k, t, q, v, u):
        return q, v, np.array([t**2, 1 - t]), t[None] ** 3

    s = example()
    s.sol.completion = completion
    loaded = load(s.save(tmp_path / "run.nc"))
    t = np.linspace(0, 1, 21)
    live, stored = s.sol(t), loaded.sol(t)
    np.testing.assert_array_equal(live.q, stored.q)
    np.testing.assert_allclose(live.a, stored.a, atol=1e-14)
    np.testing.assert_allclose(live.lam, stored.lam, atol=1e-14)
    assert s.sol.completion is completion  # saving changes nothing
    again = load(loaded.save(tmp_path / "again.nc"))
    assert_same(loaded, again)


def test_the_file_speaks_for_itself(tmp_path):
    s = example()
    with netcdf_file(s.save(tmp_path / "run.nc"), "r", mmap=False) as file:
        assert file.version_byte == 2
        assert file.format == b"dalembert solution" and file.title == b"pendulum <&>"
        assert file.variables["q"].dimensions == ("coordinate", "t")
        np.testing.assert_array_equal(file.variables["q"][:], s.q)
        np.testing.assert_array_equal(file.variables["t"][:], s.t)
        names = [b"".join(row).rstrip(b"\0").decode() for row in file.variables["coordinate"][:]]
        assert names == ["x", "β"]
        assert file.variables["outputs_energy"].dimensions == ("t",)
        assert file.variables["outputs_tip"].dimensions[1:] == ("t",)
        # xarray and others have no use for variables with the same dimension twice
        assert all(len(set(v.dimensions)) == len(v.dimensions) for v in file.variables.values())


def test_an_existing_file_survives_a_failure(tmp_path):
    path = example().save(tmp_path / "run.nc")
    before = path.read_bytes()
    with pytest.raises(DalembertError, match=r"cannot store parameters\.controller: it is a function"):
        example(parameters={"controller": lambda t: t}).save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["run.nc"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (
            {"checkpoint": Checkpoint({"x": np.array([None])})},
            r"checkpoint\.arrays\.x: its elements are of type object",
        ),
        ({"parameters": {"c": {1: 2}}}, r"parameters\.c: its key 1 is no string"),
        (
            {"events": [EventRecord(0, "touch", 0.5, *(np.zeros(n) for n in (2, 2, 2, 1, 2)))]},
            r"event 'touch' at t = 0\.5: u must have shape \(1,\); got \(2,\)",
        ),
    ],
)
def test_what_cannot_be_stored_is_named(tmp_path, changes, complaint):
    with pytest.raises(DalembertError, match=complaint):
        example(**changes).save(tmp_path / "run.nc")


def test_the_suffix_is_nc(tmp_path):
    with pytest.raises(DalembertError, match=r"must be called \*\.nc"):
        example().save(tmp_path / "run.h5")
    for name in ("run.v1", "rtol=0.5", "run"):
        assert example().save(tmp_path / name) == tmp_path / f"{name}.nc"
        assert_same(load(tmp_path / name), example())
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "other")


def test_a_directory_that_is_missing_is_named(tmp_path):
    with pytest.raises(DalembertError, match=r"run\.nc': there is no directory '.*nowhere'"):
        example().save(tmp_path / "nowhere" / "run")


# ---------------------------------------------------------------- damaged and foreign files


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = example().save(tmp_path_factory.mktemp("stored") / "run.nc")
    return path, path.read_bytes()


@given(data=st.data())
def test_a_truncated_file_is_refused(stored, data):
    path, content = stored
    broken = path.with_name("short.nc")
    broken.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    try:
        loaded = load(broken)
    except FileFormatError as error:
        assert "cannot load" in str(error) and "short.nc" in str(error)
    else:  # only padding was lost
        assert_same(example(), loaded)


@given(data=st.data())
def test_a_changed_byte_is_noticed_or_harmless(stored, data):
    path, content = stored
    position, bits = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(1, 255))
    broken = path.with_name("changed.nc")
    broken.write_bytes(content[:position] + bytes([content[position] ^ bits]) + content[position + 1 :])
    try:
        loaded = load(broken)
    except FileFormatError as error:
        assert "changed.nc" in str(error)
    else:
        assert_same(example(), loaded)


def test_foreign_files(tmp_path):
    path = tmp_path / "other.nc"
    for content in (b"", b"hello", b"\x89HDF\r\n\x1a\n" + bytes(500), b"CDF\x02"):
        path.write_bytes(content)
        with pytest.raises(FileFormatError, match=r"cannot load '.*other\.nc': it is damaged, or not a run"):
            load(path)
    with netcdf_file(path, "w", version=2) as file:
        file.createDimension("x", 2)
        file.createVariable("x", "d", ("x",))[:] = 1
    with pytest.raises(FileFormatError, match=r"other\.nc': it is a NetCDF file, but not a run"):
        load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.nc")


def test_a_file_of_a_later_format(stored):
    path, content = stored
    later = path.with_name("later.nc")
    position = content.index(b"format_version") + 16 + 8  # padded name, type, length, then the number
    assert content[position : position + 4] == b"\0\0\0\2"
    later.write_bytes(content[:position] + b"\0\0\0\7" + content[position + 4 :])
    with pytest.raises(FileFormatError, match=r"later\.nc': it has format 7 .* reads formats up to 2"):
        load(later)


def test_directories_and_names_that_are_too_long_are_refused(tmp_path):
    run = example()
    (tmp_path / "taken.nc").mkdir()
    for name in (tmp_path / "taken", tmp_path / ("x" * 250), "x" * 3000, "x/" * 3000):
        with pytest.raises(DalembertError, match=r"cannot store a run as|too long"):
            run.save(name)
        with pytest.raises(DalembertError, match=r"cannot load|too long|there is no file"):
            load(name)
    with pytest.raises(FileFormatError, match=r"Is a directory|Permission denied"):
        load(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["taken.nc"]
