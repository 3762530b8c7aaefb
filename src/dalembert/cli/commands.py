"""The commands: each checks what it is given, calls the package, and says what came out."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import dalembert as da
from dalembert import io, problems
from dalembert.cli import FAILED, INTERRUPTED, WRONG
from dalembert.cli.sources import Subject, UsageError, of_file, parameters_of, stored_run, subject
from dalembert.cli.terminal import ProgressBar, Terminal, size
from dalembert.errors import DalembertError
from dalembert.integrate.events.event import with_functions
from dalembert.report import topology, work_precision
from dalembert.solution.naming import spelled


def execute(given: argparse.Namespace) -> int:
    """Run one command; the exit status."""
    terminal = Terminal(given.json, given.quiet, given.no_colour)

    def warn(message: Any, category: Any, *_: Any, **__: Any) -> None:
        terminal.complain("warning", str(message))

    try:
        with warnings.catch_warnings():
            warnings.showwarning = warn
            warnings.simplefilter("default")
            return _COMMANDS[given.command](given, terminal)
    except io.ModelFileError as error:
        where = f"{error.file}:{error.line}:{error.column}"
        terminal.complain("error", error.text + (f"\n{error.shown}" if error.shown else ""), where)
        terminal.tell({"error": error.text, "file": error.file, "line": error.line, "column": error.column})
        return WRONG
    except DalembertError as error:
        terminal.complain("error", str(error))
        terminal.tell({"error": str(error)})
        return WRONG
    except OSError as error:
        words = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        if isinstance(error, BrokenPipeError):  # whoever read has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        terminal.complain("error", words)
        terminal.tell({"error": words})
        return WRONG
    except Exception as error:
        if os.environ.get("DALEMBERT_DEBUG"):
            raise
        words = f"this is a defect of dalembert: {type(error).__name__}: {error} (DALEMBERT_DEBUG=1 shows where)"
        terminal.complain("error", words)
        terminal.tell({"error": words})
        return FAILED


# ------------------------------------------------------------------------------------------------------- what there is


def _list(given: argparse.Namespace, terminal: Terminal) -> int:
    found: dict[str, dict[str, str]] = {}
    if given.what in (None, "examples"):
        found["examples"] = {name: _about(io.example(name)) for name in io.example_names()}
    if given.what in (None, "problems"):
        found["problems"] = {name: problems.get(name).title for name in problems.names()}
    if given.what in (None, "methods"):
        found["methods"] = dict(da.methods())
    for key, entries in found.items():
        terminal.say(f"{key}")
        for name, about in entries.items():
            terminal.say(f"  {name:<24}{about}")
    terminal.tell(found)
    return 0


def _about(text: str) -> str:
    """The first sentence of the comment that a file begins with."""
    comment = itertools.takewhile(lambda line: line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ").strip() for line in comment).partition(". ")[0].removesuffix(".")


def _new(given: argparse.Namespace, terminal: Terminal) -> int:
    path = Path(given.file)
    path = path if path.suffix == ".toml" else path.with_name(path.name + ".toml")
    files = {path: io.example(given.source).encode()}
    files |= {path.with_name(name): data for name, data in io.example_data(given.source).items()}
    for one in files:
        if one.exists() and not given.force:
            raise UsageError(f"'{one}' is there already; --force replaces it")
    for one, content in files.items():
        one.write_bytes(content)
    terminal.say(f"written   {path}, a copy of the example '{given.source}'")
    terminal.say(f"next      dalembert check {path}, dalembert run {path} --report")
    terminal.tell({"file": str(path), "from": given.source})
    return 0


# -------------------------------------------------------------------------------------------------------- descriptions


def _check(given: argparse.Namespace, terminal: Terminal) -> int:
    file = io.load_model(given.file, allow_python=given.allow_python)
    equations = file.equations
    with_functions(equations, of_file(file, "").events)  # complains about conditions that are no events
    told = _described(file.title, equations)
    terminal.say(_headline(file.title, equations))
    for name in file.model.sensors:
        terminal.say(f"sensor    {name}" + (f" in {file.units[name]}" if name in file.units else ""))
    terminal.say("no errors")
    terminal.tell({"file": given.file, "errors": 0, **told})
    return 0


def _headline(title: str, equations: Any) -> str:
    sizes = equations.sizes
    described = getattr(equations, "described", None)
    parts = ""
    if described is not None:
        parts = f"{len(described.bodies)} bodies, {len(described.joints)} joints, "
    words = f"{sizes.q} coordinates, {sizes.lam} constraint{'s' * (sizes.lam != 1)}"
    return f"{title}   {parts}{words}" + (f", {sizes.u} external states" if sizes.u else "")


def _described(title: str, equations: Any) -> dict[str, Any]:
    sizes = equations.sizes
    found: dict[str, Any] = {"title": title, "coordinates": sizes.q, "velocities": sizes.v, "constraints": sizes.lam,
                             "states": sizes.u, "parameters": dict(equations.parameters)}  # fmt: skip
    described = getattr(equations, "described", None)
    if described is not None:
        found["bodies"] = [body.name for body in described.bodies]
        found["joints"] = {joint.name: joint.kind for joint in described.joints}
    return found


def _info(given: argparse.Namespace, terminal: Terminal) -> int:
    one = subject(given.model, given.allow_python)
    parameters = parameters_of(given.parameter, one)
    equations, told = one.equations, _described(one.title, one.equations)
    terminal.say(_headline(one.title, equations))
    described = getattr(equations, "described", None)
    if described is not None:
        for body in described.bodies:
            mass = getattr(getattr(body, "properties", None), "mass", None)
            terminal.say(f"body      {body.name:<24}" + (f"{mass:g} kg" if isinstance(mass, float) else ""))
        for joint in described.joints:
            ends = " — ".join(marker.body.name for marker in joint.markers)
            terminal.say(f"joint     {joint.name:<24}{joint.kind}, {ends}")
    for name, value in equations.parameters.items():
        terminal.say(f"parameter {name:<24}{value}")
    start = _state(one, parameters)
    freedom = equations.degrees_of_freedom(start.q, t=start.t, parameters=parameters)
    told |= {"degrees_of_freedom": freedom.dof, "redundant": freedom.redundant}
    terminal.say(f"freedom   {repr(freedom).partition(': ')[2]}")
    if one.file is not None and not one.file.python:
        told["fingerprint"] = io.fingerprint(one.file.model)
        terminal.say(f"equations {told['fingerprint'][:16]}")
    if given.modes:
        linear = equations.linearise(start, parameters=parameters, side=given.side, **_shared(one))
        # Of a conjugate pair one is enough.
        found = zip(linear.frequencies, linear.eigenvalues, strict=True)
        frequencies = sorted(float(f) for f, value in found if f > 0.0 and value.imag >= 0.0)[: given.modes]
        told |= {"frequencies": frequencies, "steady": linear.steady}
        for frequency in frequencies:
            terminal.say(f"frequency {frequency:.6g} Hz")
        if linear.note:
            terminal.say(f"note      {linear.note}")
    if given.topology:
        end = one.span[0] + 1e-9 * (one.span[1] - one.span[0])
        solution = da.simulate(equations, (one.span[0], end), start, parameters=parameters, **_shared(one))
        figure, _ = topology(solution)
        figure.savefig(given.topology)
        told["topology"] = given.topology
        terminal.say(f"drawn     {given.topology}")
    terminal.tell(told)
    return 0


def _shared(one: Subject) -> dict[str, Any]:
    return {key: value for key, value in one.options.items() if key == "redundant"}


def _state(one: Subject, parameters: dict[str, Any]) -> Any:
    start = one.begin(parameters)
    return (
        one.equations.assemble(*start, t=one.span[0], parameters=parameters or None)
        if isinstance(start, tuple)
        else start
    )


# ----------------------------------------------------------------------------------------------------------------- runs


class _RunJournal(da.Journal):
    """The journal of a run by command, whose result has the title, the units and the drawing of its subject."""

    def __init__(self, given: argparse.Namespace, one: Subject) -> None:
        about = {"model": given.model, "parameters": given.parameter}
        super().__init__(given.output or f"{one.stem}.nc", about, given.sync, replace=given.force)
        self.subject = one

    def complete(self, solution: da.Solution) -> None:
        one = self.subject
        solution.title = one.title
        if one.file is not None:
            solution.units |= {name: spelled(unit) for name, unit in one.file.units.items()}
        if one.problem is not None and solution.t.size > 1:
            one.problem.draw(solution)


def _run(given: argparse.Namespace, terminal: Terminal) -> int:
    one = subject(given.model, given.allow_python)
    parameters = parameters_of(given.parameter, one) or None
    span = (one.span[0], one.span[1] if given.end is None else given.end)
    if not span[1] > span[0]:
        raise UsageError(f"--end must be later than the begin of the run, {span[0]:g} s; got {span[1]:g}")
    journal = _RunJournal(given, one)
    _check_what_is_there(given, journal)
    terminal.say(_headline(one.title, one.equations))
    progress = ProgressBar(terminal, span)
    shared: dict[str, Any] = {"parameters": parameters, "events": one.events, "progress": progress, "journal": journal}
    try:
        if given.resume:
            solution = da.resume(journal.path, one.equations, force=given.force, **shared)
        else:
            options = _options(given, one, span)
            solution = da.simulate(one.equations, span, one.begin(parameters or {}), **shared, **options)
    finally:
        progress.end()
    return _concluded(given, terminal, one, solution, journal, progress)


def _check_what_is_there(given: argparse.Namespace, journal: da.Journal) -> None:
    """Whether there is a run to go on with, if that is asked for, and none that would be lost otherwise."""
    if given.resume:
        named = {"-t": given.end, "-m": given.method, "--rtol": given.rtol, "--atol": given.atol, "--step": given.step}
        if said := [name for name, value in named.items() if value is not None]:
            raise UsageError(f"--resume goes on with a run as it was begun; leave {', '.join(said)} away")
        if not journal.path.exists() and not journal.file.exists():
            raise UsageError(f"there is no file '{journal.path}', nor '{journal.file}', to go on with")
    elif not given.force and journal.pending:
        raise UsageError(f"'{journal.file}' holds a run that has not ended: --resume goes on with it, --force drops it")


def _options(given: argparse.Namespace, one: Subject, span: tuple[float, float]) -> dict[str, Any]:
    options = dict(one.options)
    for key in ("method", "rtol", "atol"):
        if getattr(given, key, None) is not None:
            options[key] = getattr(given, key)
    step = given.step if given.step is not None else one.output
    if step is not None:
        if not step > 0.0:
            raise UsageError(f"--step must be positive, got {step:g}")
        count = round(abs(span[1] - span[0]) / step)
        if count > 10_000_000:
            raise UsageError(f"--step {step:g} makes {count} instants, which is too many")
        options["t_eval"] = np.linspace(*span, max(count, 1) + 1)
    return options


def _concluded(
    given: argparse.Namespace,
    terminal: Terminal,
    one: Subject,
    solution: da.Solution,
    journal: da.Journal,
    progress: Any,
) -> int:
    wall, stored = time.perf_counter() - progress.began, journal.path
    statistics = solution.statistics
    terminal.say(f"method    {solution.method}")
    last = float(solution.t[-1]) if solution.t.size else one.span[0]
    clock = f"{wall:.2g}" if wall < 10.0 else f"{wall:.0f}"
    terminal.say(
        f"{solution.outcome:<9} t = {last:g} in {clock} s   {statistics.steps} steps, {statistics.rejected} rejected, "
        f"{statistics.nfev} evaluations"
    )
    for event in solution.events[:12]:
        terminal.say(f"event     {event.name} at t = {event.t:.9g}")
    if journal.stored:
        terminal.say(f"stored    {stored} ({size(stored)})")
    page = _page(given, solution, stored, terminal) if given.report is not None or given.open else None
    interrupted = solution.outcome == "interrupted"
    if interrupted:
        terminal.complain("interrupted", f"go on with: dalembert run {given.model} -o {stored} --resume")
    elif not solution.success or not journal.stored:
        terminal.complain("error", solution.message)
    terminal.tell({
        "title": solution.title, "outcome": solution.outcome, "success": bool(solution.success),
        "message": solution.message, "t": [solution.t[0], last] if solution.t.size else [], "method": solution.method,
        "rtol": solution.rtol, "wall": wall, "statistics": statistics.as_dict(),
        "events": [{"name": event.name, "t": event.t} for event in solution.events],
        "run": str(stored) if journal.stored else None,
        "report": None if page is None else str(page),
    })  # fmt: skip
    return INTERRUPTED if interrupted else 0 if solution.success and journal.stored else FAILED


def _page(given: argparse.Namespace, solution: da.Solution, stored: Path, terminal: Terminal) -> Path:
    wanted = getattr(given, "report", None) or getattr(given, "page", None)
    page = da.report(solution, wanted or stored.with_suffix(".html"), max_mb=getattr(given, "max_mb", 10.0))
    terminal.say(f"report    {page} ({size(page)})")
    if given.open:
        import webbrowser

        address = page.resolve().as_uri()
        if not webbrowser.open(address):
            terminal.complain("note", f"no browser to open here; open {address} in one, on any machine")
    return page


def _report(given: argparse.Namespace, terminal: Terminal) -> int:
    stored = Path(given.run)
    given.page = given.output
    page = _page(given, stored_run(given.run), stored, terminal)
    terminal.tell({"run": given.run, "report": str(page)})
    return 0


def _plot(given: argparse.Namespace, terminal: Terminal) -> int:
    solution = stored_run(given.run)
    if not given.names:
        known = [*solution.names["q"], *solution.names["v"], *solution.names["u"], *solution.outputs]
        for name in known:
            terminal.say(name)
        terminal.tell({"run": given.run, "names": known})
        return 0
    if given.against is not None:
        if len(given.names) != 1:
            raise UsageError("--against takes one quantity besides")
        figure, _ = solution.phase(given.against, given.names[0])
    else:
        figure, _ = solution.plot(*given.names)
    target = Path(given.output or Path(given.run).with_suffix(".png"))
    figure.savefig(target)
    terminal.say(f"drawn     {target}")
    terminal.tell({"run": given.run, "figure": str(target)})
    return 0


# ------------------------------------------------------------------------------------------------ comparisons, exports


def _compare(given: argparse.Namespace, terminal: Terminal) -> int:
    one = subject(given.model, given.allow_python)
    parameters = parameters_of(given.parameter, one) or None
    span = (one.span[0], one.span[1] if given.end is None else given.end)
    try:
        tolerances = [float(text) for text in given.rtol.split(",") if text.strip()]
    except ValueError:
        raise UsageError(f"--rtol takes numbers with commas between them, got '{given.rtol}'") from None
    if not tolerances or not all(0.0 < one_of < 1.0 for one_of in tolerances):
        raise UsageError(f"--rtol takes numbers between 0 and 1, got '{given.rtol}'")
    start = one.begin(parameters or {})
    shared = {"parameters": parameters, "t_eval": [span[1]], **_shared(one)}
    terminal.say(_headline(one.title, one.equations))
    finest = max(min(tolerances) * 1e-3, 1e-13)
    reference = da.simulate(one.equations, span, start, method="dop853", rtol=finest, atol=finest, **shared)
    if not reference.success:
        reference = da.simulate(one.equations, span, start, method="radau", rtol=finest, atol=finest, **shared)
    if not reference.success:
        terminal.complain("error", f"the reference solution failed: {reference.message}")
        return FAILED
    scale = max(float(np.abs(reference.q[:, -1]).max()), 1e-300)
    terminal.say(f"{'method':<24}{'rtol':>8}{'error':>10}{'steps':>8}{'evaluations':>13}{'matrices':>10}")
    runs: dict[str, list[tuple[float, float, float]]] = {}
    rows: list[dict[str, Any]] = []
    for method in given.method or ["dop853", "radau"]:
        for rtol in tolerances:
            run = da.simulate(one.equations, span, start, method=method, rtol=rtol, atol=rtol, **shared)
            error = float(np.abs(run.q[:, -1] - reference.q[:, -1]).max()) / scale if run.success else float("nan")
            s = run.statistics
            rows.append({"method": method, "rtol": rtol, "error": error, "steps": s.steps, "nfev": s.nfev,
                         "nlu": s.nlu, "outcome": run.outcome})  # fmt: skip
            terminal.say(f"{method:<24}{rtol:8.0e}{error:10.1e}{s.steps:8}{s.nfev:13}{s.nlu:10}"
                         + ("" if run.success else f"  {run.outcome}"))  # fmt: skip
            if run.success:
                runs.setdefault(method, []).append((rtol, max(error, 1e-17), float(s.nfev)))
    if given.output and runs:
        figure, _ = work_precision(runs)
        figure.savefig(given.output)
        terminal.say(f"drawn     {given.output}")
    terminal.tell({"title": one.title, "runs": rows, "figure": given.output})
    return 0


def _export(given: argparse.Namespace, terminal: Terminal) -> int:
    if given.to == "csv":
        written = [_csv(given)]
    elif given.source.endswith(".nc"):
        raise UsageError(f"a stored run is exported to csv, not to {given.to}")
    elif given.to == "toml":
        one = subject(given.source, given.allow_python)
        if one.file is None:
            raise UsageError(f"'{given.source}' is no model of bodies and joints, which a model file needs")
        written = [io.save_model(one.file, _unused(given, Path(given.output or f"{one.stem}.toml")))]
    else:
        one = subject(given.source, given.allow_python)
        name = "".join(c if c.isalnum() and c.isascii() else "_" for c in one.stem)
        method = _fixed(given.method or "dopri5", given.step)
        start = one.begin({})
        written = da.export_c(one.equations, method, given.output or f"{name}_c", name=name, start=start, t=one.span[0])
    for path in written:
        terminal.say(f"written   {path}")
    terminal.tell({"written": [str(path) for path in written]})
    return 0


def _unused(given: argparse.Namespace, target: Path) -> Path:
    """A file to write, if none is lost by it that somebody may have written by hand."""
    if target.exists() and not given.force:
        itself = Path(given.source).exists() and target.samefile(given.source)
        what = f"'{target}' is what would be exported" if itself else f"'{target}' is there already"
        raise UsageError(f"{what}; -o names another file, --force replaces it")
    return target


def _fixed(name: str, step: float) -> Any:
    """A method with steps of one size."""
    known = {"dopri5": da.Dopri5, "dop853": da.Dop853, "euler": da.ExplicitEuler, "imex": da.Imex}
    if name not in known:
        raise UsageError(f"C code has no method '{name}'; there are {', '.join(known)}")
    return known[name](controller=da.FixedStep(size=step))


def _csv(given: argparse.Namespace) -> Path:
    """Columns of a stored run as text that reads back exactly, with units in the first line."""
    target = Path(given.output or Path(given.source).with_suffix(".csv"))
    solution = stored_run(given.source)
    if target.exists() and target.samefile(given.source):
        raise UsageError(f"'{target}' is what would be exported; -o names another file")
    return solution.to_csv(target, *(name for name in given.names.split(",") if name))


_COMMANDS = {"list": _list, "new": _new, "check": _check, "info": _info, "run": _run, "report": _report, "plot": _plot,
             "compare": _compare, "export": _export}  # fmt: skip
