"""Arguments of the command, and its help."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from dalembert import __version__
from dalembert.cli.completion import COMMANDS

EPILOG = """\
MODEL is a model file (four_bar.toml), an example or problem by name (dalembert list), or a Python
function that returns one (module:function, with --allow-python).

A first run:      dalembert run four-bar --report
A model file:     dalembert new mine.toml --from four-bar, then dalembert check mine.toml
Exit status:      0 fine, 1 the run failed, 2 wrong usage or input, 130 interrupted
"""


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)

    def _format_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None) -> str:
        return super()._format_usage(usage, actions, groups, "Usage: " if prefix is None else prefix)


class _CommandParser(argparse.ArgumentParser):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Formatter, "allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}\n{self.format_usage()}Help: {self.prog} --help\n")


def _help() -> str:
    rows = "".join(f"  {name:<12}{about}\n" for name, about in COMMANDS.items())
    return (
        "dalembert: simulation of constrained mechanical systems\n\n"
        "Usage: dalembert COMMAND …      (dalembert COMMAND --help tells more)\n\n"
        f"{rows}\n{EPILOG}"
    )


def parse(arguments: list[str]) -> argparse.Namespace | int:
    """Arguments, or the exit status where there is nothing more to do."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(_help())
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        sys.stdout.write(f"dalembert {__version__}\n")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(COMMANDS)}"
        sys.stderr.write(f"error: there is no command '{name}'; {hint}\n")
        return 2
    parser = _CommandParser(prog=f"dalembert {name}", description=f"{COMMANDS[name][:1].upper()}{COMMANDS[name][1:]}.")
    _ADD[name](parser)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object on standard output, and nothing else there"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing but what is wrong")
    parser.add_argument("--no-colour", action="store_true", help="no colours; the variable NO_COLOR says the same")
    parser.set_defaults(command=name)
    try:
        return parser.parse_args(arguments[1:])
    except SystemExit as done:
        return int(done.code or 0)


def _model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file, example, problem, or module:function")
    parser.add_argument("--allow-python", action="store_true", help="let the model run Python code that it names")


def _parameters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-p", "--parameter", action="append", default=[], metavar="NAME=VALUE",
                        help="another value of a parameter, with a unit if you like: -p speed='50 km/h'")  # fmt: skip


def _list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", choices=("problems", "methods", "examples"), help="all of them unless given")


def _new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the model file to write, such as mine.toml")
    parser.add_argument("--from", dest="source", default="four-bar", metavar="EXAMPLE", help="copy this example")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="model file")
    parser.add_argument("--allow-python", action="store_true", help="let the file name Python code")


def _info(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    _parameters(parser)
    parser.add_argument(
        "--modes",
        type=int,
        nargs="?",
        const=6,
        default=0,
        metavar="N",
        help="the N lowest natural frequencies at the start, six if no number is given",
    )
    parser.add_argument(
        "--side",
        choices=("mean", "above", "below"),
        default="mean",
        help="which slope of a law counts for --modes where the law has a corner at the start (default: mean)",
    )
    parser.add_argument("--topology", metavar="FILE", help="draw bodies and joints as a graph (PNG, SVG, PDF)")


def _run(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    _parameters(parser)
    parser.add_argument("-o", "--output", metavar="RUN.nc", help="where the run is stored; MODEL.nc unless given")
    parser.add_argument("-t", "--end", type=float, metavar="END", help="last instant in seconds")
    parser.add_argument("-m", "--method", metavar="METHOD", help="method of integration (dalembert list methods)")
    parser.add_argument("--rtol", type=float, metavar="R", help="relative tolerance")
    parser.add_argument("--atol", type=float, metavar="A", help="absolute tolerance")
    parser.add_argument("--step", type=float, metavar="DT", help="distance of stored instants in seconds")
    parser.add_argument("--report", nargs="?", const="", metavar="PAGE.html", help="write the report too")
    parser.add_argument("--open", action="store_true", help="open the report in a browser")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was interrupted or killed")
    parser.add_argument("--force", action="store_true",
                        help="drop the journal of a killed run; with --resume, take one of elsewhere")  # fmt: skip
    parser.add_argument("--sync", type=_seconds, default=5.0, metavar="S",
                        help="seconds after which records are forced to the disk, or always, or never")  # fmt: skip


def _seconds(text: str) -> float | None:
    """Seconds between records that are forced to the disk; None for never."""
    if text in ("always", "never"):
        return 0.0 if text == "always" else None
    value = float(text.removesuffix("s"))
    if not 0.0 <= value < float("inf"):
        raise ValueError(text)
    return value


def _report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN.nc", help="stored run")
    parser.add_argument("-o", "--output", metavar="PAGE.html", help="the page; RUN.html unless given")
    parser.add_argument("--open", action="store_true", help="open it in a browser")
    parser.add_argument("--max-mb", type=float, default=10.0, metavar="MB", help="size of the page at most")


def _plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN.nc", help="stored run")
    parser.add_argument("names", nargs="*", metavar="NAME", help="quantities; without any, what there is")
    parser.add_argument("--against", metavar="NAME", help="quantity along the other axis instead of time")
    parser.add_argument("-o", "--output", metavar="FILE", help="PNG, SVG or PDF; RUN.png unless given")


def _compare(parser: argparse.ArgumentParser) -> None:
    _model(parser)
    _parameters(parser)
    parser.add_argument("-m", "--method", action="append", metavar="METHOD", help="a method; more than once")
    parser.add_argument("--rtol", default="1e-4,1e-6,1e-8", metavar="R,R,…", help="relative tolerances")
    parser.add_argument("-t", "--end", type=float, metavar="END", help="last instant in seconds")
    parser.add_argument("-o", "--output", metavar="FILE", help="work over precision as a figure")


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="RUN.nc|MODEL", help="stored run, or model")
    parser.add_argument("--to", required=True, choices=("csv", "toml", "c"), help="csv of a run; toml or c of a model")
    parser.add_argument("-o", "--output", metavar="PATH", help="file, for C a directory")
    parser.add_argument("--names", default="", metavar="NAME,NAME", help="columns of a CSV; all unless given")
    parser.add_argument("--step", type=float, default=1e-3, metavar="DT", help="step of the exported simulation")
    parser.add_argument("-m", "--method", metavar="METHOD", help="method of the exported simulation")
    parser.add_argument("--force", action="store_true", help="replace a model file that is there")
    parser.add_argument("--allow-python", action="store_true", help="let the model run Python code that it names")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


_ADD = {"list": _list, "new": _new, "check": _check, "info": _info, "run": _run, "report": _report, "plot": _plot,
        "compare": _compare, "export": _export, "completion": _completion}  # fmt: skip
