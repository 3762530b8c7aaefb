"""Journals of runs: whatever ends a run, it goes on to the same result, byte for byte."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from integrate.runs import step_of

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.run import journalling, live
from dalembert.solution import journal_records
from dalembert.solution.journal import checkpoint_in, parsed
from dalembert.solution.journal_records import HEAD, MAGIC, MARK, STEP, packed, scanned
from dalembert.solution.solution_errors import FileFormatError, SolutionError

PASS_CACHE = journal_records._pass_cache
KILLS = Path(__file__).parents[1] / "fuzz" / "journal_kills.py"


@pytest.fixture
def eager(monkeypatch):
    """Journals from the start on, with a record after every few steps, written before the run goes on."""
    monkeypatch.setattr(journalling, "WORTH", 0.0)
    monkeypatch.setattr(journalling, "INTERVAL", 0.0)
    monkeypatch.setattr(journalling, "SHARE", 0.0)
    monkeypatch.setattr(journalling.JournalWriter, "_hand_over", journalling.JournalWriter._guarded)
    monkeypatch.setattr(live, "_LARGEST_SLICE", 7)
    monkeypatch.setattr(journal_records, "_pass_cache", lambda *_: False)  # which waits for the disk


@pytest.fixture
def kept(monkeypatch):
    """What stood in journals when their results were stored."""
    found, store = [], journalling.JournalWriter.store

    def keep(writer, solution):
        found.append(writer.journal.file.read_bytes())
        store(writer, solution)

    monkeypatch.setattr(journalling.JournalWriter, "store", keep)
    return found


def seven_body():
    problem = da.problems.seven_body()
    return problem, problem.span, (problem.q0, problem.v0)


def ball():
    """A ball that bounces; its damping changes at each impact, and in the end it lies on the ground."""
    equations = da.trace(
        M=lambda: np.array([[1.0]]), f=lambda v, p: np.array([-9.81 - p.c * v[0]]), g=lambda q: q, n_q=1,
        parameters={"c": 0.1}, name="ball",
    )  # fmt: skip

    def impact(v, p):
        return da.Change(v=-0.9 * v, parameters={"c": 1.5 * p.c}) if p.c < 0.5 else da.Change(v=0 * v, constraints=[0])

    events = [
        da.Event(lambda q: q[0], direction=-1, action=impact, name="impact"),
        da.Event(lambda v: v[0], direction=-1, name="top"),
    ]
    options = {"constraints": [], "rtol": 1e-8, "atol": 1e-10, "max_step": 0.02}
    return (equations, (0, 4), ([1.0], [0.0])), events, options


def undisturbed(kept, path, problem, **options):
    """File of a run, and its journal."""
    da.simulate(*problem, journal=path, **options)
    return path.read_bytes(), kept[-1]


def ends(data, kind=MARK):
    return [record.end for record in scanned(memoryview(data)) if record.kind == kind]


def go_on(path, journal, problem, **options):
    """The result of a run of which this journal is left."""
    path.unlink(missing_ok=True)
    path.with_name(path.name + ".journal").write_bytes(journal)
    da.resume(path, problem[0], **options)
    assert os.listdir(path.parent) == [path.name]
    return path.read_bytes()


# ------------------------------------------------------------------------------------------------------------ bits


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.exact
def test_all_methods_go_on_bit_by_bit(method, eager, kept, tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    options = {"method": method, "rtol": 1e-5, "atol": 1e-7} | step_of(method, 2e-4)
    whole, journal = undisturbed(kept, path, problem, **options)
    marks = ends(journal)
    assert len(marks) >= 2
    for end in (marks[0], marks[len(marks) // 2] + 100):
        assert go_on(path, journal[:end], problem) == whole


@pytest.mark.parametrize("t_eval", [None, np.linspace(0, 4, 41)], ids=["steps", "t_eval"])
@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.exact
def test_events_actions_and_modes(t_eval, dense, eager, kept, tmp_path):
    (problem, events, options), path = ball(), tmp_path / "run.nc"
    if t_eval is not None and not dense:
        t_eval = np.array([0.0, 4.0])
    options |= {"t_eval": t_eval, "dense_output": dense, "events": events}
    whole, journal = undisturbed(kept, path, problem, **options)
    assert len(da.load(path).events) > 5
    for end in ends(journal)[::7]:
        assert go_on(path, journal[:end], problem, events=events) == whole


def test_impulses_of_impacts_outlive_their_process(eager, kept, tmp_path):
    """A ball of 2 kg that falls from 1 m and rebounds: Λ = m (1 + e) √(2 g h), then e times as much each time."""
    m = da.Model("ball", plane="xy", gravity=(0, -9.81))
    body = m.body("ball", mass=2.0, inertia=0.1, position=(0, 1))
    m.limit("floor", body.at(0, 0).position.y, lower=0.0, restitution=0.5)
    equations, path = m.equations(), tmp_path / "run.nc"
    problem = equations, (0, 1.2), equations.assemble()
    expected = 2.0 * 1.5 * np.sqrt(2 * 9.81) * 0.5 ** np.arange(2)
    whole, journal = undisturbed(kept, path, problem, max_step=0.01)

    def impulses(run):
        return [np.abs(event.impulse).max() for event in run.events if event.impulse.size]

    struck = [end for end in ends(journal) if end > len(journal) // 2]
    path.with_name("cut.journal").write_bytes(journal[: struck[0]])
    found = impulses(da.load(path.with_name("cut.journal")))
    assert found and found == pytest.approx(expected[: len(found)], rel=1e-5)
    path.with_name("cut.journal").unlink()
    assert go_on(path, journal[: struck[0]], problem) == whole
    assert impulses(da.load(path))[:2] == pytest.approx(expected, rel=1e-5)


def test_past_the_cache_of_the_system(eager, kept, monkeypatch, tmp_path):
    """The same bytes, in whole blocks, whether the system can do that or not."""
    problem, path = seven_body(), tmp_path / "run.nc"
    _, journal = undisturbed(kept, path, problem)
    path.unlink()
    passed = []
    monkeypatch.setattr(journal_records, "_pass_cache", lambda *given: passed.append(PASS_CACHE(*given)) or passed[-1])
    _, other = undisturbed(kept, path, problem)
    assert passed and len(other) % journal_records.BLOCK == 0
    for one, two in zip(scanned(memoryview(journal)), scanned(memoryview(other)), strict=True):
        (header, arrays), (its_header, its_arrays) = one.content(), two.content()
        assert (one.kind, one.end) == (two.kind, two.end) and arrays.keys() == its_arrays.keys()
        assert all(np.array_equal(arrays[key], its_arrays[key]) for key in arrays)
        assert header.get("stood") == its_header.get("stood")


def test_records_larger_than_the_stage(tmp_path):
    """Rows that are longer than what is gathered, and parts that are not contiguous."""
    draw = np.random.default_rng(5)
    wide = draw.normal(size=(3, 700_000))
    parts = [draw.normal(size=(400, 2, 9))[:, :, 1:8], np.zeros((0, 2, 7)), draw.normal(size=(90_000, 2, 9))[:, :, 1:8]]
    file = os.open(tmp_path / "records", os.O_RDWR | os.O_APPEND | os.O_CREAT)
    records = journal_records.RecordFile(file)
    records.append([(HEAD, {"a": 1}, {}), (STEP, {}, {"wide": wide, "parts": parts, "none": np.zeros(0)})])
    records.append([(MARK, {"b": "ü"}, {"whole": np.arange(5)})])
    os.close(file)
    head, step, mark = [one.content() for one in scanned(memoryview((tmp_path / "records").read_bytes()))]
    assert head == ({"a": 1}, {}) and mark.header == {"b": "ü"} and mark.arrays["whole"].tolist() == [0, 1, 2, 3, 4]
    assert np.array_equal(step.arrays["wide"], wide) and step.arrays["none"].shape == (0,)
    assert np.array_equal(step.arrays["parts"], np.concatenate(parts))


def test_check_sums_do_not_depend_on_portions():
    words = np.random.default_rng(3).integers(0, 2**63, 50_000, dtype=np.uint64)
    whole = journal_records.CheckSum()
    whole.add(words)
    total, weights = 0, journal_records._weights().tolist()
    for k, word in enumerate(words.tolist()):  # its definition
        total = total + word * weights[k % 8192]
        total = total * journal_records._FACTOR if k % 8192 == 8191 else total
    parts = journal_records.CheckSum()
    for part in np.split(words, [1, 8191, 8193, 30_000]):
        parts.add(part)
    assert whole.value == parts.value == total % 2**64


def test_a_resumed_run_is_cut_again(eager, kept, tmp_path):
    """The journal of the second part continues that of the first."""
    problem, path = seven_body(), tmp_path / "run.nc"
    whole, journal = undisturbed(kept, path, problem)
    for _ in range(3):
        marks = ends(journal)
        assert go_on(path, journal[: marks[len(marks) // 2] + 5], problem) == whole
        assert kept[-1] == journal


def test_other_parameters_from_the_middle_on(eager, kept, tmp_path):
    """A run that goes on with other parameters and is ended again keeps both parts."""
    spring = da.trace(M=lambda: np.eye(1), f=lambda q, p: -p.k * q, n_q=1, parameters={"k": 1.0}, name="spring")
    problem, path = (spring, (0, 20), ([1.0], [0.0])), tmp_path / "run.nc"
    _, journal = undisturbed(kept, path, problem, rtol=1e-8)
    whole = go_on(path, journal[: ends(journal)[1]], problem, parameters={"k": 4.0})
    assert go_on(path, kept[-1][: ends(kept[-1])[4]], problem) == whole
    assert da.load(path).parameters == {"k": 4.0}


@pytest.mark.exact
def test_kills(tmp_path):
    """Some kills -9, as ``journal_kills.py`` does by the hundred."""
    command = [sys.executable, str(KILLS), "--kills", "6", "--methods", "dop853,radau"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0 and "all results are the same" in done.stdout, done.stdout + done.stderr


# --------------------------------------------------------------------------------------------------------- damage


def same_beginning(part, whole):
    """Whether content is what the first records of the whole say."""
    assert part.head.header == whole.head.header
    for (header, arrays), (its_header, its_arrays) in zip(part.steps, whole.steps, strict=False):
        assert header == its_header and arrays.keys() == its_arrays.keys()
        assert all(np.array_equal(arrays[key], its_arrays[key]) for key in arrays)
    return True


@pytest.fixture
def journal(eager, kept, tmp_path):
    (problem, events, options) = ball()
    return undisturbed(kept, tmp_path / "run.nc", problem, events=events, **options)[1]


@pytest.mark.exact
def test_cut_anywhere(journal):
    whole, marks = parsed(memoryview(journal), "whole"), ends(journal)
    head = ends(journal, HEAD)[0]
    for cut in np.random.default_rng(1).integers(0, len(journal), 300):
        if cut < head:
            with pytest.raises(FileFormatError, match="does not begin with a sound record"):
                parsed(memoryview(journal[:cut]), "cut")
            continue
        found = parsed(memoryview(journal[:cut]), "cut")
        assert found.marked_end == max([head, *(end for end in marks if end <= cut)]) and same_beginning(found, whole)


@pytest.mark.exact
def test_a_flipped_bit_is_never_accepted(journal):
    whole, head = parsed(memoryview(journal), "whole"), ends(journal, HEAD)[0]
    draw = np.random.default_rng(2)
    for place in draw.integers(0, len(journal), 400):
        damaged = bytearray(journal)
        damaged[place] ^= 1 << int(draw.integers(8))
        if place < head:
            with pytest.raises(FileFormatError):
                parsed(memoryview(bytes(damaged)), "flipped")
            continue
        found = parsed(memoryview(bytes(damaged)), "flipped")
        assert found.marked_end <= place and not found.has_ended() and same_beginning(found, whole)


def test_forged_records_are_refused(journal, tmp_path):
    """Check sums that are right do not make nonsense acceptable."""
    sound = parsed(memoryview(journal), "sound")
    (head, head_arrays), (step, arrays), (mark, state) = sound.head, sound.steps[0], sound.mark
    path = tmp_path / "forged.nc.journal"
    forgeries = [
        (head, step | {"events": 3}, arrays, mark, state),
        (head, step, arrays | {"points": arrays["points"][:, 1:]}, mark, state),
        (head, step, arrays | {"times": np.roll(arrays["times"], 1)}, mark, state),
        (head, step, {key: value for key, value in arrays.items() if key != "coefficients"}, mark, state),
        (head | {"sizes": [2**39, 0, 0, 0]}, step, arrays, mark, state),
        (head | {"names": "x"}, step, arrays, mark, state),
        (head, step, arrays, mark | {"stood": []}, state),
        (head, step, arrays, mark | {"statistics": {"nfev": "many"}}, state),
    ]
    for one, two, three, four, five in forgeries:
        parts = packed(HEAD, 0, one, head_arrays) + packed(STEP, 1, two, three) + packed(MARK, 2, four, five)
        path.write_bytes(parts)
        with pytest.raises(FileFormatError, match=r"cannot (load|read)"):
            da.load(path)
    path.write_bytes(packed(STEP, 0, step, arrays))
    with pytest.raises(FileFormatError, match="wrong order"):
        da.load(path)
    assert checkpoint_in(sound).header["equations"] == "ball"


def test_a_full_disk_ends_the_journal_and_not_the_run(eager, monkeypatch, tmp_path, capsys):
    problem, path = seven_body(), tmp_path / "run.nc"
    room, written = [60_000], os.write

    def limited(file, data):
        data = bytes(data)[: min(room[0], 4000)]
        if not data:
            raise OSError(errno.ENOSPC, "No space left on device")
        size = written(file, data)
        room[0] -= size
        return size

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", limited)
        patch.setattr(journalling, "write", lambda *_, **__: limited(0, b""))
        found = da.simulate(*problem, journal=path)
    assert found.success and "No space left on device" in found.message and str(path) in found.message
    assert capsys.readouterr().err.count("the run goes on without it") == 1
    journal = path.with_name("run.nc.journal").read_bytes()
    assert 0 < len(journal) <= 60_000 and [one.end for one in scanned(memoryview(journal))][-1] == len(journal)
    again = da.resume(path, problem[0])
    assert np.array_equal(again.q, da.simulate(*problem).q) and not path.with_name("run.nc.journal").exists()


def test_a_result_that_cannot_be_stored_is_in_the_journal(eager, monkeypatch, tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    whole = da.simulate(*problem)

    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(journalling, "write", refused)
        found = da.simulate(*problem, journal=path)
    assert found.success and "could not be stored" in found.message and "holds it" in found.message
    left = da.load(tmp_path / "run.nc.journal")
    assert left.success and left.outcome == "finished" and np.array_equal(left.q, whole.q)
    assert left.statistics.as_dict() == whole.statistics.as_dict()
    assert np.array_equal(da.resume(path, problem[0]).q, whole.q) and os.listdir(tmp_path) == ["run.nc"]


def test_a_journal_whose_folder_is_removed_holds_nothing(eager, tmp_path, capsys):
    folder = tmp_path / "runs"
    folder.mkdir()
    seen = []

    def remove(t, statistics):
        if not seen and (folder / "run.nc.journal").exists():
            seen.append(t)
            shutil.rmtree(folder)

    found = da.simulate(*seven_body(), journal=folder / "run.nc", progress=remove)
    assert seen and found.success and "could not be stored" in found.message and "No file holds it" in found.message
    assert "it was removed or replaced during the run" in found.message and "journal' holds it" not in found.message
    assert capsys.readouterr().err.count("the run goes on without it") == 1


# ------------------------------------------------------------------------------------------------------------ use


def test_short_runs_have_no_journal(tmp_path, monkeypatch):
    monkeypatch.setattr(journalling.JournalWriter, "_write_portion", lambda *_: pytest.fail("a journal was written"))
    found = da.simulate(*seven_body(), journal=tmp_path / "run")
    assert os.listdir(tmp_path) == ["run.nc"]
    assert np.array_equal(da.load(tmp_path / "run.nc").q, found.q)


def test_a_run_is_read_while_it_goes(eager, tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    seen = []

    def look(t, statistics):
        if path.with_name("run.nc.journal").exists():
            seen.append(da.load(str(path) + ".journal"))

    whole = da.simulate(*problem, journal=path, progress=look)
    assert len(seen) > 5
    for part in seen:
        n = part.t.size
        assert part.outcome == "interrupted" and "still going" in part.message and part.checkpoint is not None
        for key in ("t", "q", "v", "a", "lam"):
            assert np.array_equal(getattr(part, key), getattr(whole, key)[..., :n])
        t = np.linspace(*part.sol.interval, 9)
        assert np.abs(part.sol(t).q - whole.sol(t).q).max() < 1e-6  # which projects
    assert part.title == whole.title and part.names == whole.names and part.method == whole.method
    assert "ended from outside" not in part.message


def test_an_interrupted_run_is_stored_and_goes_on(tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    whole = da.simulate(*problem)
    part = da.simulate(*problem, journal=path, max_steps=20)
    assert part.outcome == "step limit" and os.listdir(tmp_path) == ["run.nc"]
    assert np.array_equal(da.resume(path, problem[0]).q, whole.q)
    stored = da.resume(path, problem[0])  # which has ended: there is nothing to do
    assert stored.success and np.array_equal(stored.q, whole.q)


def test_a_result_that_was_stored_counts_more_than_its_journal(eager, kept, tmp_path):
    """The process was killed after the result was stored and before the journal was removed."""
    problem, path = seven_body(), tmp_path / "run.nc"
    whole, journal = undisturbed(kept, path, problem)
    left = path.with_name("run.nc.journal")
    left.write_bytes(journal)
    assert not da.Journal(path).pending
    assert da.resume(path, problem[0]).success and path.read_bytes() == whole and not left.exists()
    # A result of an earlier run does not: the journal says that it lay there before.
    da.simulate(*problem, rtol=1e-3, journal=path)
    finer = undisturbed(kept, path, problem, rtol=1e-8)
    da.simulate(*problem, rtol=1e-3, journal=path)
    left.write_bytes(finer[1][: ends(finer[1])[0]])
    assert da.Journal(path).pending
    da.resume(path, problem[0])
    assert path.read_bytes() == finer[0]


def test_two_runs_do_not_share_a_journal(eager, tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    refused = []

    def intrude(t, statistics):
        if not refused and path.with_name("run.nc.journal").exists():
            for other in (lambda: da.simulate(*problem, journal=path), lambda: da.resume(path, problem[0])):
                with pytest.raises(SimulationError, match="is written by a") as error:
                    other()
                refused.append(error)

    assert da.simulate(*problem, journal=path, progress=intrude).success and len(refused) == 2


def test_a_journal_of_another_run_is_not_overwritten(eager, kept, tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    whole, journal = undisturbed(kept, path, problem)
    path.unlink()
    left = path.with_name("run.nc.journal")
    left.write_bytes(journal[: ends(journal)[1]])
    with pytest.raises(SimulationError, match=r"holds a run that has not ended: da\.resume"):
        da.simulate(*problem, journal=path)
    da.simulate(*problem, journal=da.Journal(path, replace=True))
    assert path.read_bytes() == whole
    left.write_bytes(journal[:50])  # nothing of worth
    path.unlink()
    da.simulate(*problem, journal=path)
    assert path.read_bytes() == whole


def test_other_machines_are_refused_unless_forced(eager, kept, monkeypatch, tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    whole, journal = undisturbed(kept, path, problem)
    monkeypatch.setattr(np, "__version__", "99.0")
    with pytest.raises(SimulationError, match=r"numpy was .*, here it is 99.0.*force=True"):
        go_on(path, journal[: ends(journal)[1]], problem)
    forced = da.resume(path, problem[0], force=True)
    assert "resumed elsewhere by force (numpy was" in forced.message and path.read_bytes() != whole
    assert np.array_equal(forced.q, da.simulate(*problem).q)


def test_what_a_journal_says_of_itself(eager, kept, tmp_path):
    problem, path = seven_body(), tmp_path / "run.nc"
    about = {"model": "format = 1\n", "command": ["dalembert", "run", "größe.toml"]}
    _, journal = undisturbed(kept, path, problem)
    da.simulate(*problem, journal=da.Journal(path, about=about, sync=0.0))
    journal = da.Journal(path)
    journal.file.write_bytes(kept[-1])
    assert kept[-1][:4] == MAGIC and journal.head["about"] == about
    assert journal.head["title"] == problem[0].title and journal.head["span"] == list(problem[1])
    assert journal.head["versions"]["numpy"] == np.__version__


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"path": 3}, "must be the path of a file"),
        ({"path": "run.nc", "sync": -1.0}, "sync must be None, zero or positive seconds"),
        ({"path": "run.nc", "sync": "often"}, "sync"),
        ({"path": "run.nc", "about": [1]}, "about"),
        ({"path": "run.nc", "replace": 2}, "replace"),
    ],
)
def test_wrong_journals(options, message):
    with pytest.raises(SolutionError, match=message):
        da.Journal(**options)


def test_what_cannot_be_resumed(tmp_path):
    problem = seven_body()
    with pytest.raises(SimulationError, match="nothing to resume"):
        da.resume(tmp_path / "run.nc", problem[0])
    with pytest.raises(SimulationError, match="there is no directory"):
        da.simulate(*problem, journal=tmp_path / "no" / "run.nc")
    (tmp_path / "run.nc.journal").write_bytes(b"DAJ1 and no more")
    with pytest.raises(SimulationError, match="ended too early"):
        da.resume(tmp_path / "run.nc", problem[0])
    with pytest.raises(SimulationError, match="is another file"):
        da.resume(tmp_path / "run.nc", problem[0], journal=tmp_path / "other.nc")
