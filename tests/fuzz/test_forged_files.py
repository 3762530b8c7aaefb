"""Some forged files, the same in every run; ``forged_files.py`` tries as many as one likes."""

import json
import re
import tracemalloc

import numpy as np
import pytest
from fuzz.forged_files import REALS, RUNS, Bench, file_of, pendulum, run, write_sound_runs
from scipy.io import netcdf_file

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.solution.solution_errors import FileFormatError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound")
    write_sound_runs(path)
    return path


def parts(path):
    with netcdf_file(path, "r", mmap=False) as file:
        variables = {name: (v.data.copy(), list(v.dimensions)) for name, v in file.variables.items()}
        return variables, json.loads(file.header)


def test_sound_runs_go_on(folder):
    for name, (equations, events, _, _, _) in RUNS.items():
        assert da.resume(da.load(folder / f"{name}.nc"), equations(), events=events()).success, name


def test_forged_files_are_refused_or_end_properly(folder):
    counts, failures = run(folder, range(180), seed=7)
    assert failures == {}
    for outcome in ("refused by load", "refused by resume", "resumed"):
        assert any(outcome in answer for answer in counts)


def test_cases_are_reproducible(folder):
    first, second = (Bench(folder, 3).file(8) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", ["explicit", "minimal", "gradients", "radau", "mexx", "adams", "hem5", "events"])
def test_no_whole_number_leads_astray(folder, name):
    """Whole numbers of a run, lengths and places among them, are replaced by one far away: it is refused, or, in plans,
    which are made anew, not even looked at."""
    equations, events, _, _, _ = RUNS[name]
    made, loaded = equations(), da.load(folder / f"{name}.nc")
    sound, refused = loaded.checkpoint.arrays["ints"], 0
    whole = da.resume(loaded, made, events=events())
    places = range(0, min(len(sound), 420), 7)
    for k in places:
        loaded.checkpoint.arrays["ints"] = np.where(np.arange(len(sound)) == k, 2**55 + k, sound)
        try:
            resumed = da.resume(loaded, made, events=events())
        except SimulationError as error:
            assert re.search(r"cannot be resumed: its (slot|.*pivots)", str(error))
            refused += 1
        else:
            assert np.array_equal(resumed.q, whole.q) and resumed.nfev == whole.nfev
    assert refused > 0.5 * len(places)


def test_a_vector_that_points_outside_is_refused(folder):
    loaded = da.load(folder / "explicit.nc")
    kind = da.Dop853().memory
    loaded.checkpoint.arrays["ints"][kind.y0.place] += 2**40
    with pytest.raises(SimulationError, match=r"its slot 'y0' has .*, which must be \d+ here"):
        da.resume(loaded, pendulum())


def test_a_size_that_is_declared_takes_no_memory(folder, tmp_path):
    """A thousand bytes that promise 2⁶⁰ numbers."""
    variables, header = parts(folder / "explicit.nc")
    path = tmp_path / "huge.nc"
    for entry in (
        {"variable": None, "dtype": "<f8", "shape": [2**60]},
        {"variable": None, "dtype": "<f8", "shape": [2**30, 2**30]},
        {"variable": None, "dtype": "<U99999999", "shape": [10**6]},
        {"variable": None, "dtype": "<U0", "shape": [10**8]},
        {"variable": None, "dtype": "|S0", "shape": [10**8]},
    ):
        header["outputs"] = {"huge": {"$array": entry}}
        path.write_bytes(file_of(variables, header))
        tracemalloc.start()
        with pytest.raises(FileFormatError, match="cannot load"):
            da.load(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20 * 2**20
    content = bytearray((folder / "explicit.nc").read_bytes())
    content[12 + 4 + len("t") : 12 + 40] = b"\x7f\xff\xff\xff" * 6
    path.write_bytes(bytes(content))
    with pytest.raises(FileFormatError, match="cannot load"):
        da.load(path)


def test_rows_without_names_are_not_promised(folder, tmp_path):
    variables, header = parts(folder / "explicit.nc")
    header["shapes"]["lam"] = [2**40, 0]
    path = tmp_path / "names.nc"
    path.write_bytes(file_of(variables, header))
    with pytest.raises(FileFormatError, match=r"header.shapes.lam must be \[1, 7\]"):
        da.load(path)


def test_an_array_cannot_be_code(folder, tmp_path):
    variables, header = parts(folder / "explicit.nc")
    path = tmp_path / "objects.nc"
    for dtype in ("|O8", "O", "V8", "<M8[s]", "f8,i4"):
        header["outputs"] = {"x": {"$array": {"variable": "t", "dtype": dtype, "shape": [1]}}}
        path.write_bytes(file_of(variables, header))
        with pytest.raises(FileFormatError, match="must be a type of numbers"):
            da.load(path)


def test_names_of_a_file_do_nothing_in_a_page(folder, tmp_path):
    variables, header = parts(folder / "events.nc")
    bad = "</title></script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&${data}"
    header |= {"title": bad, "message": bad, "outcome": bad, "method": bad, "units": {bad: bad, "q0": bad}}
    header["names"]["q"] = [bad]
    header["parameters"] = {bad: bad}
    header["statistics"]["extra"] = {bad: 1}
    header["events"]["name"] = [bad] * len(header["events"]["name"])
    header["sketch"]["lines"] = {bad: header["sketch"]["lines"]["rod"]}
    header["outputs"] = {}
    path = tmp_path / "names.nc"
    path.write_bytes(file_of(variables, header))
    page = da.report(da.load(path), tmp_path / "page.html").read_text(encoding="utf-8")
    assert "alert(1)" in page and "<script>alert" not in page and "<img" not in page
    assert page.count("</script>") == page.count("<script")


@pytest.mark.parametrize("value", REALS)
def test_any_drawing_can_be_shown(value, folder, tmp_path):
    loaded = da.load(folder / "explicit.nc")
    loaded.sketch.t[1] = loaded.sketch.lines["rod"][0, 0, 0] = value
    da.report(loaded, tmp_path / "page.html")
