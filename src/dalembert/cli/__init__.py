"""The command ``dalembert``: it parses and calls; help and completion import nothing of the package but this room."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

#: Exit statuses: the run failed, though what was computed is stored; wrong usage or input; interrupted.
FAILED, WRONG, INTERRUPTED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with its arguments, those of the process unless given; the exit status."""
    from dalembert.cli.completion import SHELLS, script

    words = list(sys.argv[1:] if arguments is None else arguments)
    if len(words) == 2 and words[0] == "completion" and words[1] in SHELLS:  # before anything else is imported
        sys.stdout.write(script(words[1]))
        return 0
    from dalembert.cli.command_line import parse

    given = parse(words)
    if isinstance(given, int):
        return given
    if given.command == "completion":
        sys.stdout.write(script(given.shell))
        return 0
    try:
        from dalembert.cli.commands import execute

        return execute(given)
    except KeyboardInterrupt:  # before there was a run to store
        sys.stderr.write("interrupted: nothing was stored\n")
        return INTERRUPTED
