"""Scripts by which shells complete the command; static texts, so that a completion costs nothing.

The names of problems and methods stand here again, as importing those that know them takes half a second; a test
compares them.
"""

from __future__ import annotations

import os

COMMANDS = {
    "list": "problems, examples and methods that there are",
    "new": "begin a model file",
    "check": "read a model file and say what it is; nothing runs",
    "info": "bodies, joints, freedom, redundancy, natural frequencies",
    "run": "simulate a model, store the run, write its report",
    "report": "the page of a stored run: the mechanism in motion, and its curves",
    "plot": "quantities of a stored run over time, or over each other",
    "compare": "work and precision of several methods",
    "export": "a run as CSV, a model as TOML, equations as C",
    "completion": "script by which a shell completes what is typed",
}

PROBLEMS = (
    "a01 a02 a03 cable_drum carriage double_pendulum elastic_pendulum elastic_truck excited_chain insulator_chain "
    "pendulum pendulum_chain seven_body slider_crank stiff_double_pendulum truck truck_surrogate"
).split()
METHODS = (
    "adams bdf chart_bdf chart_dop853 chart_dopri5 descriptor_sdirk4 descriptor_trapezoidal dop853 dopri5 esdirk4 "
    "euler generalised_alpha hem5 hht imex linear_euler linear_trapezoidal mexx radau radau13 radau9 rodas5p rodasp "
    "rosenbrock4 sdirk4 trapezoidal"
).split()
#: Commands whose first argument is a model; those whose is a stored run.
OF_MODELS, OF_RUNS = ("info", "run", "compare", "export"), ("report", "plot", "export")
OPTIONS = {
    "run": "-o -t -m -p --rtol --atol --step --report --open --resume --force --sync --json -q --allow-python",
    "info": "-p --modes --side --topology --json -q --allow-python",
    "compare": "-m -p --rtol -t -o --json -q --allow-python",
    "report": "-o --open --max-mb --json -q",
    "plot": "-o --against --json -q",
    "export": "--to -o --names --step -m --force --json -q --allow-python",
    "new": "--from --force --json -q",
    "check": "--allow-python --json -q",
    "list": "problems methods examples --json",
    "completion": "bash zsh fish",
}


SHELLS = ("bash", "zsh", "fish")


def examples() -> list[str]:
    """Names of the examples, from the directory alone."""
    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "io", "examples")
    return sorted(name.removesuffix(".toml") for name in os.listdir(folder) if name.endswith(".toml"))


def script(shell: str) -> str:
    """The script of a shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def _cases() -> str:
    return "\n".join(f"        {name}) options='{words}' ;;" for name, words in OPTIONS.items())


def _bash() -> str:
    models = " ".join([*examples(), *PROBLEMS])
    return f"""\
# dalembert completion bash > ~/.local/share/bash-completion/completions/dalembert
_dalembert() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local command="${{COMP_WORDS[1]}}" options=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=( $(compgen -W "{" ".join(COMMANDS)} --help --version" -- "$word") ); return
    fi
    case "$before" in
        -m|--method) COMPREPLY=( $(compgen -W "auto {" ".join(METHODS)}" -- "$word") ); return ;;
        --from) COMPREPLY=( $(compgen -W "{" ".join(examples())}" -- "$word") ); return ;;
        --to) COMPREPLY=( $(compgen -W "csv toml c" -- "$word") ); return ;;
    esac
    case "$command" in
{_cases()}
    esac
    case "$command" in
        {"|".join(OF_MODELS)}) options="$options {models}" ;;
    esac
    COMPREPLY=( $(compgen -W "$options" -- "$word") $(compgen -f -- "$word") )
}}
complete -o filenames -F _dalembert dalembert
"""


def _zsh() -> str:
    return f"""\
#compdef dalembert
# dalembert completion zsh > "${{fpath[1]}}/_dalembert"
autoload -U +X bashcompinit && bashcompinit
{_bash()}"""


def _fish() -> str:
    lines = ["# dalembert completion fish > ~/.config/fish/completions/dalembert.fish"]
    none = "not __fish_seen_subcommand_from " + " ".join(COMMANDS)
    lines += [f"complete -c dalembert -n '{none}' -f -a {name} -d '{about}'" for name, about in COMMANDS.items()]
    models = " ".join([*examples(), *PROBLEMS])
    for name in OF_MODELS:
        lines.append(f"complete -c dalembert -n '__fish_seen_subcommand_from {name}' -a '{models}'")
    for name in ("run", "compare", "export"):
        chosen = f"complete -c dalembert -n '__fish_seen_subcommand_from {name}' -s m -l method -x"
        lines.append(f"{chosen} -a 'auto {' '.join(METHODS)}'")
    lines.append(f"complete -c dalembert -n '__fish_seen_subcommand_from new' -l from -x -a '{' '.join(examples())}'")
    return "\n".join(lines) + "\n"
