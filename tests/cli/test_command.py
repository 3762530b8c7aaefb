"""The command ``dalembert`` as a user types it: what it says, stores and returns."""

import json
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import dalembert as da
from dalembert.cli import commands, main
from dalembert.cli.command_line import COMMANDS
from dalembert.cli.completion import METHODS, OPTIONS, PROBLEMS, examples
from dalembert.cli.terminal import ProgressBar, Terminal, duration

SLIDER = """
format = 1

[model]
name = "slider"
plane = "xy"

[bodies.b]
mass = 2
inertia = 1

[joints.s]
kind = "prismatic"
between = ["ground", "b"]

"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def called(capsys, *arguments):
    """Exit status, standard output, standard error."""
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def as_json(capsys, *arguments):
    status, out, _ = called(capsys, *arguments, "--json")
    return status, json.loads(out)


# ----------------------------------------------------------------------------------------------- light commands


def test_help_names_every_command(capsys):
    status, out, _ = called(capsys, "--help")
    assert status == 0 and all(f"  {name} " in out for name in COMMANDS)
    for name in COMMANDS:
        assert called(capsys, name, "--help")[0] == 0
    assert called(capsys, "--version")[1] == f"dalembert {da.__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["completion", "bash"], ["run", "--help"]])
def test_help_and_completion_import_nothing(arguments):
    program = (
        "import sys; from dalembert.cli import main; main(sys.argv[1:]); "
        "print(*(m for m in sys.modules if m.startswith('dalembert') or m == 'numpy'), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)
    assert done.returncode == 0
    assert set(done.stderr.split()) <= {"dalembert", "dalembert.lazily", "dalembert.cli", "dalembert.cli.command_line",
                                        "dalembert.cli.completion"}  # fmt: skip


def test_completion_knows_what_there_is(capsys):
    assert da.problems.names() == PROBLEMS and sorted(da.methods()) == METHODS and "four-bar" in examples()
    assert set(OPTIONS) == set(COMMANDS)
    for shell in ("bash", "zsh", "fish"):
        status, out, _ = called(capsys, "completion", shell)
        assert status == 0 and "four-bar" in out and "seven_body" in out


def test_bash_completes(here, capsys):
    script = called(capsys, "completion", "bash")[1]
    ask = script + 'COMP_WORDS=(dalembert run four); COMP_CWORD=2; _dalembert; echo "${COMPREPLY[@]}"\n'
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True)
    assert done.stdout.split() == ["four-bar"], done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rnu"], "did you mean 'run'"), (["run"], "the following arguments are required: MODEL"),
        (["run", "four-ber"], "did you mean 'four-bar'"), (["run", "missing.toml"], "cannot be read"),
        (["run", "four-bar", "-p", "stal=1"], "did you mean 'stall'"), (["run", "four-bar", "-p", "stall"], "NAME="),
        (["run", "four-bar", "-p", "stall=x"], "a number is needed"), (["run", "four-bar", "-m", "dop835"], "dop853"),
        (["run", "quarter-car", "-p", "c=1"], "between 200 and 6000"), (["run", "os:getcwd"], "--allow-python"),
        (["run", "four-bar", "--step", "-1"], "must be positive"), (["report", "none.nc"], "there is no file"),
        (["new", "x.toml", "--from", "x"], "there is no example"), (["export", "a.nc", "--to", "toml"], "to csv"),
        (["compare", "four-bar", "--rtol", "1,x"], "--rtol takes"), (["run", "four-bar", "--resume"], "no file"),
        (["run", "four-bar", "--resume", "-t", "2"], "leave -t away"),
        (["run", "four-bar", "--sync", "often"], "--sync"),
    ],
)  # fmt: skip
def test_wrong_input_is_status_2_with_a_sentence(here, capsys, arguments, message):
    status, _, err = called(capsys, *arguments)
    assert status == 2 and message in err and "Traceback" not in err, err


def test_check_says_where(here, capsys):
    assert called(capsys, "new", "mine")[0] == 0
    assert called(capsys, "new", "mine")[0] == 2  # it is there
    status, out, _ = called(capsys, "check", "mine.toml")
    assert status == 0 and "3 bodies, 4 joints" in out and "no errors" in out
    text = (here / "mine.toml").read_text()
    (here / "mine.toml").write_text(text.replace("A.rate/idle", "A.rate/idel"))
    status, out, err = called(capsys, "check", "mine.toml")
    line = text[: text.index("A.rate/idle")].count("\n") + 1
    assert status == 2 and re.match(rf"mine.toml:{line}:26: error: unknown name 'idel'; did you mean 'idle'\?", err)
    assert "                          ^^^^  in forces.motor.law" in err
    status, told = as_json(capsys, "check", "mine.toml")
    assert status == 2 and (told["line"], told["column"]) == (line, 26)


def test_list_has_everything(capsys):
    status, told = as_json(capsys, "list")
    assert status == 0 and set(told["problems"]) == set(da.problems.names())
    assert set(told["methods"]) == set(da.methods()) and "A four-bar" in told["examples"]["four-bar"]
    assert list(as_json(capsys, "list", "methods")[1]) == ["methods"]


# ------------------------------------------------------------------------------------------------------------ runs


def test_a_run_is_stored_reported_drawn_and_exported(here, capsys):
    status, out, _ = called(capsys, "run", "four-bar", "-t", "1", "-p", "stall=8 N m", "--report", "--rtol", "1e-8")
    assert status == 0 and "event     turn at t = " in out and "report    four-bar.html" in out
    run = da.load("four-bar.nc")
    assert run.parameters["stall"] == 8.0 and run.t.size == 101 and run.units["power"] == "W"
    assert (here / "four-bar.html").stat().st_size < 1e6
    assert called(capsys, "report", "four-bar.nc", "-o", "page.html")[0] == 0 and (here / "page.html").exists()
    assert "power" in called(capsys, "plot", "four-bar.nc")[1].split()
    assert called(capsys, "plot", "four-bar.nc", "power", "A.angle")[0] == 0 and (here / "four-bar.png").exists()
    assert called(capsys, "plot", "four-bar.nc", "A.rate", "--against", "A.angle", "-o", "phase.svg")[0] == 0
    assert called(capsys, "export", "four-bar.nc", "--to", "csv", "--names", "A.angle,power")[0] == 0
    assert (here / "four-bar.csv").read_text().splitlines()[0] == "t [s],A.angle [rad],power [W]"
    table = np.genfromtxt("four-bar.csv", delimiter=",", skip_header=1)
    assert np.array_equal(table[:, 2], run["power"]) and np.array_equal(table[:, 0], run.t)


def test_where_no_browser_opens_the_page_is_named(here, capsys, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    status, _, complaints = called(capsys, "run", "four-bar", "-t", "0.1", "--report", "--open")
    assert status == 0
    assert f"no browser to open here; open {(here / 'four-bar.html').as_uri()} in one" in complaints


def test_json_is_one_object_and_nothing_else(here, capsys):
    status, told = as_json(capsys, "run", "pendulum", "-t", "0.1", "-q", "-o", "p.nc")
    assert status == 0 and told["success"] and told["outcome"] == "finished" and told["run"] == "p.nc"
    assert told["statistics"]["steps"] > 0 and told["report"] is None and told["t"] == [0.0, 0.1]


def test_problems_and_python_functions_run_too(here, capsys, monkeypatch):
    assert as_json(capsys, "run", "elastic_pendulum", "-t", "0.1")[1]["success"]
    (here / "mine.py").write_text("from dalembert.problems import mechanisms\nmake = mechanisms.four_bar\n")
    status, told = as_json(capsys, "run", "mine:make", "--allow-python", "-t", "0.1")
    assert status == 0 and told["title"] == "four-bar"
    sys.modules.pop("mine")


def test_info_knows_freedom_and_frequencies(here, capsys):
    status, told = as_json(capsys, "info", "four-bar", "--topology", "graph.svg")
    assert status == 0 and told["degrees_of_freedom"] == 1 and told["joints"]["A"] == "revolute joint"
    assert len(told["fingerprint"]) == 64 and (here / "graph.svg").exists()
    (here / "swing.toml").write_text(SLIDER + '[forces.k]\nkind = "joint_spring"\non = "s"\nstiffness = 50\n')
    for modes in (["--modes", "1"], ["--modes"]):
        found = as_json(capsys, "info", "swing.toml", *modes)[1]["frequencies"]
        assert found == pytest.approx([5.0 / (2 * np.pi)], rel=1e-10)
    assert "note" not in called(capsys, "info", "swing.toml", "--modes")[1]
    push = '[forces.f]\nkind = "force"\non = "s"\nlaw = 3\n'
    (here / "pushed.toml").write_text((here / "swing.toml").read_text() + push)
    out = called(capsys, "info", "pushed.toml", "--modes")[1]
    assert "frequency 0.795775 Hz" in out and "note      no equilibrium: it is at rest, but accelerates" in out
    assert as_json(capsys, "info", "pushed.toml", "--modes")[1]["steady"] is False


def test_compare_orders_methods_by_precision(here, capsys):
    options = "-m dop853 -m dopri5 --rtol 1e-4,1e-8 -t 1 -o work.svg".split()
    status, told = as_json(capsys, "compare", "pendulum", *options)
    errors = [row["error"] for row in told["runs"]]
    assert status == 0 and errors[1] < errors[0] and errors[3] < errors[2] < 1e-2 and (here / "work.svg").exists()


def test_export_of_models(here, capsys):
    assert called(capsys, "export", "four-bar", "--to", "toml", "-o", "canonical.toml")[0] == 0
    file = da.load_model("canonical.toml")
    assert file.model.name == "Four-bar with motor" and file.run["end"] == 6.0
    assert called(capsys, "export", "pendulum", "--to", "c", "-o", "c")[0] == 0
    assert (here / "c" / "pendulum.c").exists()


def test_export_keeps_what_it_would_write_over(here, capsys):
    (here / "mine.toml").write_text(f"# by hand\n{SLIDER}")
    for more, message in (((), "'mine.toml' is what would be exported"), (("-o", "./mine.toml"), "what would be")):
        status, _, err = called(capsys, "export", "mine.toml", "--to", "toml", *more)
        assert status == 2 and message in err and "-o names another file, --force replaces it" in err
        assert (here / "mine.toml").read_text().startswith("# by hand")
    (here / "other.toml").write_text("another")
    status, _, err = called(capsys, "export", "mine.toml", "--to", "toml", "-o", "other.toml")
    assert status == 2 and "'other.toml' is there already" in err and (here / "other.toml").read_text() == "another"
    assert called(capsys, "export", "mine.toml", "--to", "toml", "-o", "other.toml", "--force")[0] == 0
    assert da.load_model("other.toml").model.name == "slider"
    assert called(capsys, "run", "mine.toml", "-t", "0.1")[0] == 0
    status, _, err = called(capsys, "export", "mine.nc", "--to", "csv", "-o", "mine.nc")
    assert status == 2 and "'mine.nc' is what would be exported" in err and da.load("mine.nc").success


@pytest.mark.parametrize("default", ['"200 kg"', '{ value = 200, unit = "kg" }', '{ value = "0.2 t" }'])
def test_units_of_parameters_are_compared_with_those_of_defaults(here, capsys, default):
    text = SLIDER.replace("mass = 2", 'mass = "load"')
    (here / "mine.toml").write_text(f"{text}\n[parameters]\nload = {default}\n")
    status, _, err = called(capsys, "run", "mine.toml", "-p", "load=3 m", "-t", "0.1")
    assert status == 2 and "parameter 'load' is measured in" in err and "'m' is m" in err
    for given in ("3", "3 kg", "3000 g"):
        assert called(capsys, "run", "mine.toml", "-p", f"load={given}", "-t", "0.1")[0] == 0
    assert called(capsys, "export", "mine.toml", "--to", "toml", "-o", "other.toml")[0] == 0
    assert float(da.load_model("other.toml").model.parameter_values["load"]) == 200.0


def test_a_run_that_fails_is_stored_with_status_1(here, capsys):
    (here / "bad.toml").write_text(SLIDER + '[forces.f]\nkind = "force"\non = "s"\nlaw = "1/(0.5 - t)^2"\n')
    status, out, err = called(capsys, "run", "bad.toml")
    assert status == 1 and "error: " in err and (here / "bad.nc").exists() and "stored    bad.nc" in out
    assert not da.load("bad.nc").success


def test_interruption_stores_and_says_how_to_go_on(here, capsys, monkeypatch):
    """Ctrl-C in the midst of a run, then --resume: the same numbers as those of a run at one go."""

    class Impatient(ProgressBar):
        def __call__(self, t, statistics):
            os.kill(os.getpid(), signal.SIGINT)

    options = ("run", "four-bar", "-t", "20", "--rtol", "1e-10", "--step", "1")
    assert called(capsys, *options, "-o", "whole.nc")[0] == 0
    monkeypatch.setattr(commands, "ProgressBar", Impatient)
    status, _, err = called(capsys, *options, "-o", "part.nc")
    assert status == 130 and "interrupted: go on with: dalembert run four-bar -o part.nc --resume" in err
    assert da.load("part.nc").outcome == "interrupted"
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert called(capsys, "run", "four-bar", "-o", "part.nc", "--resume")[0] == 0
    part, whole = da.load("part.nc"), da.load("whole.nc")
    assert part.success and np.array_equal(part.t, whole.t) and np.array_equal(part.q, whole.q)


#: The command in a process that kills itself, kill -9, when it has written twice to its journal.
KILLED = """
import os, signal, sys
from dalembert.integrate.run import journalling
from dalembert.solution.journal_records import RecordFile

journalling.WORTH = journalling.INTERVAL = journalling.SHARE = 0.0
append, written = RecordFile.append, []

def counted(self, records):
    append(self, records)
    written.append(len(records))
    if len(written) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

def patient(self, course):  # until the last portion is written, however fast the run is
    self._idle.wait(10.0)
    note(self, course)

RecordFile.append = counted
note, journalling.JournalWriter.note = journalling.JournalWriter.note, patient
from dalembert.cli import main
main(sys.argv[1:])
"""


def test_a_killed_run_goes_on_to_the_same_bytes(here, capsys):
    options = ("run", "four-bar", "--rtol", "1e-9", "-t", "40", "--step", "0.1")
    assert called(capsys, *options, "-o", "whole.nc")[0] == 0
    done = subprocess.run([sys.executable, "-c", KILLED, *options, "-o", "part.nc"], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL and sorted(os.listdir(here)) == ["part.nc.journal", "whole.nc"]
    head = da.Journal("part.nc").head
    assert head["about"] == {"model": "four-bar", "parameters": []}
    status, _, err = called(capsys, *options, "-o", "part.nc")
    assert status == 2 and "holds a run that has not ended: --resume goes on with it, --force drops it" in err
    assert called(capsys, "report", "part.nc.journal", "-o", "part.html")[0] == 0  # as far as it has come
    status, out, err = called(capsys, "run", "four-bar", "-o", "part.nc", "--resume")
    assert status == 0, err
    assert "stored    part.nc" in out and not (here / "part.nc.journal").exists()
    assert (here / "part.nc").read_bytes() == (here / "whole.nc").read_bytes()
    status, out, _ = called(capsys, "run", "four-bar", "-o", "part.nc", "--resume")  # which has ended
    assert status == 0 and "stored    part.nc" in out


def test_a_journal_can_be_dropped(here, capsys):
    subprocess.run(
        [sys.executable, "-c", KILLED, "run", "four-bar", "-t", "40", "-o", "part.nc"], capture_output=True, check=False
    )
    assert (here / "part.nc.journal").exists()
    assert called(capsys, "run", "four-bar", "-o", "part.nc", "--force", "--sync", "never")[0] == 0
    assert sorted(os.listdir(here)) == ["part.nc"]


def test_interruption_before_a_run_is_no_traceback(monkeypatch, capsys):
    def interrupted(given):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "execute", interrupted)
    status, _, err = called(capsys, "list")
    assert status == 130 and err == "interrupted: nothing was stored\n"


def test_resume_goes_on_exactly(here, capsys):
    equations = da.io.parse_model(da.io.example("four-bar"))
    events = [da.Event(equations.events[0].quantity, name="turn")]
    options = {"events": events, "rtol": 1e-8, "t_eval": np.linspace(0, 1, 11)}
    whole = da.simulate(equations, (0, 1), **options)
    da.simulate(equations, (0, 1), max_steps=20, **options).save("part.nc")
    status, told = as_json(capsys, "run", "four-bar", "-o", "part.nc", "--resume")
    assert status == 0 and told["success"]
    assert np.array_equal(da.load("part.nc").q, whole.q)


# ---------------------------------------------------------------------------------------------------------- progress


def test_progress_tells_time_step_and_speed(capsys):
    bar = ProgressBar(Terminal(False, False, True), (0.0, 6.0))
    line = bar.line(3.0, 100, 1.5)
    assert (
        "t 3 of 6 s" in line and " 50 %" in line and "h 0.03" in line and "2 × real time" in line and "2 s left" in line
    )
    assert duration(300) == "5 min" and duration(36_000) == "10.0 h" and duration(float("inf")) == "?"


def test_check_knows_the_methods(capsys, tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(da.io.example("top").replace("[run]", '[run]\nmethod = "rk4"'))
    status, _, err = called(capsys, "check", str(path))
    assert status != 0 and "there is no method 'rk4'" in err


def test_examples_are_listed_without_markup(capsys):
    out = called(capsys, "list", "examples")[1]
    assert "`" not in out and ":func:" not in out and "a row of n four-bar mechanisms" in out


@pytest.mark.parametrize("condition", ["A.angle > 3", "3 < A.angle", "step(A.angle - 3)"])
def test_events_of_files_may_be_comparisons(here, capsys, condition):
    text = da.io.example("four-bar").replace('when = "A.angle - 2*pi"', f'when = "{condition}"')
    assert condition in text
    text = text.replace('action = "record"', 'action = "stop"')
    (here / "mine.toml").write_text(text)
    assert as_json(capsys, "run", "mine.toml")[0] == 0
    run = da.load("mine.nc")
    assert run.outcome == "event" and [event.name for event in run.events] == ["turn"]
    assert 2.9 < run["A.angle"][-1] < 3.0 < run["A.angle"][-1] + run["A.rate"][-1] * 0.011


def test_check_refuses_events_that_never_happen(here, capsys):
    text = da.io.example("four-bar").replace('when = "A.angle - 2*pi"', 'when = "A.angle == 3"')
    (here / "mine.toml").write_text(text)
    status, _, err = called(capsys, "check", "mine.toml")
    assert status == 2 and "event 'turn' returns nothing but 0 or 1, which never passes zero" in err
