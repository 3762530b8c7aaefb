"""Threads that use the same equations first, all at once: what is compiled on demand is made once."""

import pickle
import threading
import time
from collections import Counter

import numpy as np
import pytest
from equations.recursion_trees import random_tree
from equations.systems import Rolling, four_bar
from model.linkages import four_bar as modelled_four_bar

import dalembert as da
from dalembert.equations.contract.convention import INPUTS
from dalembert.equations.contract.equations import Equations
from dalembert.equations.recursion import Recursion

THREADS = 4


def at_once(*tasks):
    """Results of tasks that start together, each in a thread of its own."""
    barrier, results = threading.Barrier(len(tasks)), [None] * len(tasks)

    def run(k):
        barrier.wait()
        results[k] = tasks[k]()

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def oscillators():
    elements = da.Elements("oscillators", coordinates=3)
    elements.add("mass", coordinates=[[0], [1], [2]], M=lambda p: np.array([[p.m]]), f=lambda q: -q, data={"m": 2.0})
    elements.add("rod", coordinates=[[0, 1]], g=lambda q: np.array([q[0] - q[1] ** 2]))
    return elements.equations()


def black_box():
    return da.trace(M=lambda: np.eye(2), f=da.numeric(lambda q: np.array([-q[0], 1.0])), n_q=2)


BUILDERS = {
    "traced": (Rolling.equations, ("contract", "implicit", "explicit", "rate")),
    "elements": (oscillators, ("contract", "implicit")),
    "numeric": (black_box, ("contract", "implicit")),
    "recursion": (
        lambda: Recursion("tree", random_tree(np.random.default_rng(3), ["revolute", "spherical", "prismatic"])),
        ("contract", "implicit", "explicit", "rate"),
    ),
    "model": (lambda: modelled_four_bar().equations("relative"), ("contract", "implicit")),
    "model by recursion": (lambda: modelled_four_bar().equations(builder="recursion"), ("contract", "implicit")),
}


@pytest.mark.parametrize("builder", BUILDERS)
def test_programs_are_made_once(builder, monkeypatch):
    make, programs = BUILDERS[builder]
    equations = make()
    made = Counter()
    for wrapped in {type(equations), type(equations.innermost)}:
        original = wrapped.make_program

        def counted(self, name, original=original):
            made[type(self).__name__, name] += 1
            time.sleep(0.01)  # lets others in, if they are let in
            return original(self, name)

        monkeypatch.setattr(wrapped, "make_program", counted)

    def task(program):
        provider = equations.program(program)
        rng = np.random.default_rng(5)
        inputs = {key: rng.uniform(0.2, 0.8, n) for key, n in zip(INPUTS, provider.in_sizes, strict=True)}
        inputs["p"] = equations.parameter_vector()
        name = {"contract": "f", "implicit": "residual"}.get(program, "a")
        return provider, provider([name], inputs)[name]

    for program in programs:
        (first, values), *others = at_once(*[lambda program=program: task(program)] * THREADS)
        for provider, found in others:
            assert provider is first
            np.testing.assert_array_equal(found, values)
    wrappers = {type(equations).__name__, type(equations.innermost).__name__}
    assert made == Counter({(name, program): 1 for name in wrappers for program in programs})


def test_different_programs_and_modes_of_one_graph_at_once():
    equations, alone = Rolling.equations(), Rolling.equations()
    tasks = [
        lambda x: x.evaluate("gamma", t=0.3, q=[0.1, 0.2, 0.3, 0.4], v=[1.0, 2.0, 3.0]),
        lambda x: x.program("implicit").patterns["jacobian"].rows,
        lambda x: x.restricted([1]).evaluate("G", t=0.3, q=[0.1, 0.2, 0.3, 0.4]),
        lambda x: x.restricted([0]).evaluate("G", t=0.3, q=[0.1, 0.2, 0.3, 0.4]),
        lambda x: x.forward_dynamics([0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 3.0], [0.1, 0.2])[0],
    ]
    for task, found in zip(tasks, at_once(*(lambda task=task: task(equations) for task in tasks)), strict=True):
        np.testing.assert_allclose(found, task(alone), rtol=1e-13)
    assert equations.restricted([1]) is equations.restricted([1])


def test_links_are_found_by_all_threads():
    equations = Recursion("tree", random_tree(np.random.default_rng(3), ["revolute", "spherical", "prismatic"]))
    rng = np.random.default_rng(1)
    points = [rng.standard_normal(equations.sizes.q) for _ in range(THREADS)]
    found = at_once(*(lambda q=q: [equations.links_at(q).r for _ in range(50)] for q in points))
    for q, positions in zip(points, found, strict=True):
        for r in positions:
            np.testing.assert_array_equal(r, equations.links_at(q).r)


def test_exceptions_of_callbacks_reach_the_thread_that_they_were_raised_in():
    def f(q):
        if q[0] > 0:
            raise ValueError(f"{q[0]:g}")
        time.sleep(0.001)
        return -q

    equations = da.trace(M=lambda: np.eye(1), f=da.numeric(f), n_q=1)

    def task(value):
        if value <= 0:
            return [equations.evaluate("f", q=[value]) for _ in range(20)][-1][0]
        for _ in range(20):
            with pytest.raises(ValueError, match=f"{value:g}"):
                equations.evaluate("f", q=[value])
        return value

    values = [-1.0, 1.0, 2.0, 3.0]
    assert at_once(*(lambda value=value: task(value) for value in values)) == [1.0, 1.0, 2.0, 3.0]


def test_what_is_kept_is_made_once_and_not_pickled():
    equations = four_bar()
    made = []

    def make():
        time.sleep(0.01)
        made.append(None)
        return object()

    first, *others = at_once(*[lambda: equations.kept("mine", make)] * THREADS)
    assert all(other is first for other in others) and len(made) == 1
    assert equations.kept("another", make) is not first
    copy = pickle.loads(pickle.dumps(equations))
    copy.kept("mine", make)
    assert len(made) == 3


def test_nothing_is_kept_where_making_it_failed():
    equations = four_bar()
    with pytest.raises(ZeroDivisionError):
        equations.kept("mine", lambda: 1 / 0)
    assert equations.kept("mine", lambda: 2) == 2
    assert equations.kept("nothing", lambda: None) is None


def test_equations_without_a_description_answer_for_it():
    equations = four_bar()
    assert equations.sensors is None and equations.inner is None and equations.innermost is equations
    assert equations.switches == () and equations.inactive == () and equations.lines([0.0], np.zeros((9, 1))) is None
    assert equations.function_of(len) is len
    assert Equations.expressions is None and equations.expressions is not None
    assert oscillators().expressions is None
