"""The texts of an exported simulation: templates filled with its sizes, names, numbers and formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dalembert.export.fields import Field
from dalembert.export.imex_step import ImexStep
from dalembert.export.linear_step import LinearStep
from dalembert.export.members import Member, doubles, printed
from dalembert.export.programs import CPrograms, outputs_program
from dalembert.export.projected_step import ProjectedStep
from dalembert.export.simulation import LINEAR, Simulation
from dalembert.export.template import filled
from dalembert.integrate import Imex
from dalembert.symbolic.emit.c_text import identifiers, number, plain, wrapped

#: Bytes of the frames of functions that call each other, besides what they hold: generous for any processor.
_FRAMES = 1024
_MEXX = """\
 * mexx: Ch. Lubich, U. Nowak, U. Poehle, Ch. Engstler, MEXX - Numerical Software for the Integration of Constrained
 * Mechanical Multibody Systems, Konrad-Zuse-Zentrum fuer Informationstechnik Berlin."""
_HAIRER = """
 * E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.7, for the linearly implicit step."""
_RAILWAY = """\
 * railway: J. Ros, A. Plaza, X. Iriarte, J. M. Pintor, Symbolic Multibody Methods for Real-Time Simulation of Railway
 * Vehicles."""


def files_of(simulation: Simulation) -> dict[str, str]:
    """Contents by file name, the header first."""
    name, programs = simulation.name, CPrograms(simulation)
    programs.add("outputs", outputs_program(simulation), "outputs")
    step = _step_of(simulation)(simulation, programs)
    parts = programs.files()
    sources = [f"{name}.c", *(file for file in parts if file.endswith(".c"))]
    values = {
        **_common(simulation, sources),
        **_codes(simulation),
        **_sizes(simulation, step),
        **_interface(simulation, programs, step),
        **_members(simulation, step),
        **_beginnings(simulation, step),
        "stack": 8 * (programs.largest_part + sum(one.size for one in simulation.outputs)) + _FRAMES,
        "costs": step.costs,
        "teams": programs.have_teams,
        "places": _places(simulation),
        "tables_note": f", tables in {name}_tables.c" if programs.tables.prototypes else "",
    }
    values |= step.values()
    values["method_text"] = "\n".join(filled(template, values) for template in step.templates)
    return {
        f"{name}.h": filled("simulation.h", values),
        f"{name}.c": filled("simulation.c", values),
        **parts,
        f"{name}_main.c": filled("main.c", values),
        f"{name}_timing.c": filled("timing.c", values),
        "Makefile": filled("Makefile", values),
        "README.md": filled("README.md", values),
    }


def _step_of(simulation: Simulation) -> type[ImexStep | ProjectedStep]:
    """The family of its method."""
    if isinstance(simulation.method, Imex):
        return ImexStep
    return LinearStep if isinstance(simulation.method, LINEAR) else ProjectedStep


def _common(simulation: Simulation, sources: Sequence[str]) -> dict[str, Any]:
    from dalembert import __version__

    lam, imex = bool(simulation.equations.sizes.lam), isinstance(simulation.method, Imex)
    return {
        "name": simulation.name,
        "NAME": simulation.name.upper(),
        "title": plain(simulation.equations.name),
        "method": plain(simulation.method.title.replace("–", "-")),
        "method_name": simulation.method.name,
        "version": __version__,
        "sources": " ".join(sources),
        "sources_note": _RAILWAY if imex else _MEXX + (_HAIRER if isinstance(simulation.method, LINEAR) else ""),
        "imex": imex,
        "lam_parameter": ", double *lambda" if lam else "",
        "state_lam": ", state->lambda" if lam else "",
        "end_lam": ", state->end_lambda" if lam else "",
        "inputs_parameter": f"const {simulation.name}_inputs *inputs, " if simulation.inputs else "",
        "inputs_argument": "&inputs, " if simulation.inputs else "",
        "held": ", with inputs that hold during all of it" if simulation.inputs else "",
        "guards": ", ".join(plain(guard.name) for guard in simulation.equations.guards if guard.ends),
        "first_input": simulation.inputs[0].places[0] if simulation.inputs else "",
    }


#: How calls end: a number, and what it means.
_CODES = {
    "OK": (0, "as it should"),
    "NOT_FINITE": (1, "a rate or a multiplier is not finite; the state is that before the step"),
    "PROJECTION_FAILED": (2, "the end of the step cannot be moved onto the constraints; likewise"),
    "SINGULAR": (3, "constraints depend on each other, or the matrix of the step is singular; likewise"),
    "AUXILIARY_FAILED": (4, "auxiliary variables cannot be found at the end of the step; likewise"),
}


def _codes(simulation: Simulation) -> dict[str, Any]:
    upper, absent = simulation.name.upper(), set()
    if not isinstance(simulation.method, (Imex, *LINEAR)):
        absent.add("SINGULAR")
    if not simulation.traced.iterates_normal:
        absent.add("AUXILIARY_FAILED")
    kept = {key: code for key, code in _CODES.items() if key not in absent}
    items = [f"{upper}_{key} = {value}" for key, (value, _) in kept.items()]
    items = [f"{item}," for item in items[:-1]] + items[-1:]
    width = max(map(len, items))
    lines = [f"    {item:<{width}}  /* {meaning} */" for item, (_, meaning) in zip(items, kept.values(), strict=True)]
    rows = [f"| `{upper}_{key}` | {value}: {meaning} |" for key, (value, meaning) in kept.items()]
    return {"codes": "\n".join(lines), "codes_text": "\n".join(rows)}


def _sizes(simulation: Simulation, step: ImexStep | ProjectedStep) -> dict[str, Any]:
    s, upper = simulation.equations.sizes, simulation.name.upper()
    n_p, n_input = len(simulation.constants), len(simulation.input_places)
    defined = {
        "N_Q": (s.q, "coordinates q"),
        "N_V": (s.v, "velocities v"),
        "N_U": (s.u, "states of external dynamics u"),
        "N_Y": (s.q + s.v + s.u, "y = (q, v, u)"),
        "N_LAMBDA": (s.lam, "constraints, multipliers lambda"),
        "N_P": (n_p, "parameters"),
        "N_INPUTS": (n_input, "numbers that are given anew at every step"),
        "STEP": (number(simulation.step), "size of a step"),
        "START_TIME": (number(simulation.t), "time of the start"),
    }
    projects = _projects(simulation)
    if projects:
        defined["MOST_ITERATIONS"] = (step.iterations, "bound of the corrections of a projection")
    width = max(len(f"{key}{value}") for key, (value, _) in defined.items()) + len(upper) + 11
    lines = [
        f"{f'#define {upper}_{key} {value}':<{width}} /* {meaning} */" for key, (value, meaning) in defined.items()
    ]
    return {
        "sizes": "\n".join(lines), "step_size": number(simulation.step), "n_g": s.g, "p": n_p, "lam": s.lam,
        "positions": s.g, "projects": projects, "normalizes": simulation.traced.normalizes,
        "default_parameters": _listed(simulation.constants), "start": _listed(simulation.start),
        "default_input": _listed(simulation.p[list(simulation.input_places)]),
        "parameters_hint": "NULL: as the model has them" if n_p else "there are none: NULL",
        "iterations_text": f"- Corrections of a projection: at most {step.iterations}, then the step fails. "
        "`state.worst_iterations` tells the most that were needed so far, mostly 1 or 2."
        if projects
        else "- There are no constraints on positions, and no iterations.",
    }  # fmt: skip


def _projects(simulation: Simulation) -> int:
    """Constraints on positions, and auxiliary variables that are projected together with these."""
    s = simulation.equations.sizes
    return s.g + (sum(map(len, simulation.equations.auxiliary_places)) if isinstance(simulation.method, Imex) else 0)


def _listed(values: Iterable[float]) -> str:
    return "\n".join(f"    {line}" for line in wrapped([number(float(v)) for v in values]))


# ----------------------------------------------------------------------------------------------------------- state


def _members(simulation: Simulation, step: ImexStep | ProjectedStep) -> dict[str, Any]:
    s, up, imex = simulation.equations.sizes, simulation.name.upper(), isinstance(step, ImexStep)
    n_y, n_p, n_input = s.q + s.v + s.u, len(simulation.constants), len(simulation.input_places)
    second, projects = imex and not simulation.equations.unit_T, int(_projects(simulation) > 0)
    begins = [
        Member("t", "", 1, "time"),
        Member("y", f"{up}_N_Y", n_y, "coordinates, velocities, states"),
        Member("p", f"{up}_N_P", n_p, "parameters"),
        Member("input", f"{up}_N_INPUTS", n_input, "inputs of the last step"),
    ]
    follows = [
        Member("rate", f"{up}_N_Y", n_y, "rates of y: T v, accelerations, d"),
        Member("lambda", f"{up}_N_LAMBDA", s.lam, "multipliers"),
        Member("second_rate", f"{up}_N_Q", s.q if second else 0, "T a"),
        Member("steps", "", 1, "steps that were made", "unsigned long"),
        Member("iterations", "", projects, "corrections in the last projection", "int"),
        Member("worst_iterations", "", projects, "the most of any projection", "int"),
        Member("worst_residual", "", projects, "largest residual of positions that was left"),
        Member("partitioned", "", int(imex and s.lam + projects > 0), "whether dependent velocities are chosen", "int"),
        Member("partitions", "", int(imex and s.lam > 0), "how often they were", "int"),
    ]
    scratch = [
        Member("end", f"{up}_N_Y", n_y, "y at the end of the step"),
        Member("end_rate", f"{up}_N_Y", n_y, "its rates"),
        Member("end_lambda", f"{up}_N_LAMBDA", s.lam, "its multipliers"),
        *step.members(),
    ]
    return {
        "begins": printed(begins), "follows": printed(follows), "scratch": printed(scratch),
        "second_rates": second, "state_doubles": doubles([*begins, *follows, *scratch]),
    }  # fmt: skip


def _beginnings(simulation: Simulation, step: ImexStep | ProjectedStep) -> dict[str, Any]:
    """What a start sets besides."""
    s, imex, projects = simulation.equations.sizes, isinstance(step, ImexStep), _projects(simulation)
    init = [f"    state->{name} = 0;" for name in ("iterations", "worst_iterations") if projects]
    init += ["    state->worst_residual = 0.0;"] if projects else []
    again = ["    state->partitioned = 0;"] if imex and s.lam + projects else []
    again += ["    state->signs_known = 0;"] if isinstance(step, ImexStep) and step.n_s else []
    again += ["    state->rates_known = 0;"] if isinstance(step, ImexStep) and step.predicts_by_differences else []
    init += ["    state->partitions = 0;"] if imex and s.lam else []
    if step.lags:
        init += [f"    state->lambda[{k}] = {number(float(value))};" for k, value in enumerate(simulation.lam)]
    return {
        "init_lines": "\n".join(init), "lags": imex and step.lags, "begins_anew": again,
        "again_lines": "\n".join(again), "recovers": imex and bool(simulation.inputs),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ names and places


def _places(simulation: Simulation) -> str:
    """Enumerations that name the entries of y, of the multipliers and of the parameters."""
    equations, upper = simulation.equations, simulation.name.upper()
    names, s = equations.names, equations.sizes
    y = [*names["q"], *names["v"], *names["u"]]
    kinds = ["Q"] * s.q + ["V"] * s.v + ["U"] * s.u
    own = [f"{kind}_{name}" for kind, name in zip(kinds, y, strict=True)]
    text = _enumeration(upper, own, y, range(len(y)), "state.y")
    if s.lam:
        lam = names["lam"]
        text += "\n" + _enumeration(upper, [f"LAMBDA_{one}" for one in lam], lam, range(s.lam), "state.lambda")
    shapes = simulation.constant_parameters
    if shapes:
        firsts = np.cumsum([0, *(int(np.prod(shape, dtype=int)) for shape in shapes.values())]).tolist()[:-1]
        described = [
            key + "".join(f", {' x '.join(map(str, shape))}" for _ in shape[:1]) for key, shape in shapes.items()
        ]
        text += "\n" + _enumeration(upper, [f"P_{key}" for key in shapes], described, firsts, "state.p")
    return text.rstrip("\n")


def _enumeration(upper: str, names: Sequence[str], meanings: Sequence[str], places: Iterable[int], what: str) -> str:
    found = identifiers(upper, names)
    items = [f"{one} = {place}" for one, place in zip(found, places, strict=True)]
    items = [f"{item}," for item in items[:-1]] + items[-1:]
    width = max(map(len, items))
    lines = [f"    {item:<{width}}  /* {plain(meaning)} */" for item, meaning in zip(items, meanings, strict=True)]
    return f"/* {what} */\nenum {{\n" + "\n".join(lines) + "\n};\n"


# ----------------------------------------------------------------------------------------------- inputs and outputs


def _interface(simulation: Simulation, programs: CPrograms, step: ImexStep | ProjectedStep) -> dict[str, Any]:
    inputs, outputs, upper = simulation.inputs, simulation.outputs, simulation.name.upper()
    given = [f"inputs->{place}" for one in inputs for place in one.places]
    values = [place for one in outputs for place in one.places]
    v, u = f"{upper}_N_Q", f"{upper}_N_Q + {upper}_N_V"
    here = {
        "p": "state->p", "input": "state->input", "t": "&state->t", "q": "state->y", "v": f"state->y + {v}",
        "u": f"state->y + {u}", "a": f"state->rate + {v}", "lam": "state->lambda", "values": "values",
    }  # fmt: skip
    return {
        "inputs": len(inputs),
        "input_struct": _struct(simulation.name, "inputs", "set before every step", inputs),
        "output_struct": _struct(simulation.name, "outputs", "at the end of a step", outputs),
        "default_inputs": "\n".join(f"    {place} = default_input[{k}];" for k, place in enumerate(given)),
        "take_inputs": "\n".join(f"    state->input[{k}] = {place};" for k, place in enumerate(given)),
        "n_outputs": len(values),
        "read_calls": programs.calls("outputs", here, work=step.work, unused=("state",)),
        "read_fields": "\n".join(f"    outputs->{place} = values[{k}];" for k, place in enumerate(values)),
        "print_fields": "\n".join(f'    (void)printf(",%.17g", outputs->{place});' for place in values),
        "csv_names": "".join(f",{place}" for place in values),
        "inputs_text": _table(inputs) if inputs else "None.",
        "outputs_text": _table(outputs),
        "state_text": _state_table(simulation),
    }  # fmt: skip


def _struct(name: str, what: str, when: str, fields: Sequence[Field]) -> str:
    if not fields:
        return ""
    members = [
        Member(one.identifier, "" if one.shape == () else f"{one.size}", one.size, one.meaning) for one in fields
    ]
    title = f"{what}, {when} "
    rule = f"/* {'-' * (101 - len(title))} {title}*/"
    return f"\n{rule}\n\ntypedef struct {{\n{printed(members)}\n}} {name}_{what};"


def _table(fields: Sequence[Field]) -> str:
    rows = [
        f"| `{one.identifier}{'' if one.shape == () else f'[{one.size}]'}` | {one.name} | {one.unit or '–'} |"
        for one in fields
    ]
    return "\n".join(["| member | is | unit |", "|---|---|---|", *rows])


def _state_table(simulation: Simulation) -> str:
    names, s = simulation.equations.names, simulation.equations.sizes
    rows = [
        ("y", 0, names["q"], "coordinates"),
        ("y", s.q, names["v"], "velocities"),
        ("y", s.q + s.v, names["u"], "states of external dynamics"),
        ("lambda", 0, names["lam"], "multipliers"),
        ("p", 0, tuple(simulation.constant_parameters), "parameters"),
    ]
    lines = ["| member | holds |", "|---|---|"]
    for vector, first, listed, what in rows:
        if listed:
            lines.append(f"| `{vector}`, from {first} on | {what}: {', '.join(listed)} |")
    return "\n".join(lines)
