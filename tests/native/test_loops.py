"""A call of a kernel ends: its loops count, and its functions do not call themselves."""

import ast
import inspect
from types import FunctionType

import pytest
from scripts import load

from dalembert.native import threads
from dalembert.native.recipes import MARK

#: Functions that wait for another thread, whose own loops count.
WAITING = {threads.told}


def reached():
    """All functions that kernels are compiled from."""
    waiting = [kernel.function for kernel in load("tools/objects.py").kernels().values()]
    found = set()
    while waiting:
        function = waiting.pop()
        if function in found:
            continue
        found.add(function)
        waiting += [other for other in globals_of(function) if hasattr(other, MARK)]
    return found


def globals_of(function):
    """Functions of Python that a function names."""
    named = (function.__globals__.get(name) for name in function.__code__.co_names)
    return [other for other in named if isinstance(other, FunctionType)]


def endless(function):
    """Loops of a function that may go on for ever: ``for`` runs over what has an end, unless that is a generator."""
    tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(function)))
    for node in ast.walk(tree):
        if isinstance(node, (ast.While, ast.Yield, ast.YieldFrom)):
            yield f"{function.__module__}.{function.__name__}: {ast.unparse(node).splitlines()[0]}"


@pytest.mark.exact
def test_every_loop_of_a_kernel_counts():
    functions = reached()
    assert len(functions) > 500 and threads.told in functions
    assert [loop for function in functions - WAITING for loop in endless(function)] == []


@pytest.mark.exact
def test_no_function_of_a_kernel_leads_to_itself():
    functions = reached()
    calls = {function: {other for other in globals_of(function) if hasattr(other, MARK)} for function in functions}
    while leaves := [function for function, called in calls.items() if not called]:
        for function in leaves:
            del calls[function]
        for called in calls.values():
            called.difference_update(leaves)
    assert sorted(function.__qualname__ for function in calls) == []


def test_the_check_sees_loops_without_a_counter():
    def waits(run):
        for k in range(3):
            while run.h > k:
                run.h -= 1.0

    assert [loop.split(": ", 1)[1] for loop in endless(waits)] == ["while run.h > k:"]
