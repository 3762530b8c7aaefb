"""Slots of the memory of a run: places, compiled and plain access, maps."""

import numpy as np
import pytest
from native.kernels import Damped, Oscillator, count, oscillate

from dalembert.native import kernel
from dalembert.native.kernel import Reals, compiled
from dalembert.native.slots import Run, SlotGroup, integer, lay_out, real, reals


def memory(n=3, **more):
    run = lay_out(Damped, {"n": n}, {"weights": np.arange(2 * n)}, {}).allocate()
    run.h, run.damping = 0.1, 0.2
    run.x[:], run.v[:], run.z[:] = np.arange(1, n + 1), 0.5, 1.0
    for name, value in more.items():
        setattr(run, name, value)
    return run


def test_slots_are_the_same_in_kernels_and_in_python():
    compiled, plain = memory(), memory()
    assert oscillate(compiled) == oscillate.function(plain) == 6
    assert compiled.steps == plain.steps == 1 and compiled.t == plain.t == 0.1
    for name in ("x", "v", "z", "weights"):
        assert getattr(compiled, name) == pytest.approx(getattr(plain, name), rel=1e-15)
    assert compiled.v == pytest.approx(0.5 - 0.1 * (np.array([1, 2, 3]) + 0.2 * 0.5))
    assert compiled.z == pytest.approx(np.exp(0.1j)) and compiled.weights.tolist() == [0, 1, 2, 4, 4, 7]


def test_a_function_of_a_kind_of_run_takes_what_extends_it():
    run = memory(next_kernel=count.address)
    assert oscillate(run) == 6 + 100
    assert oscillate(run) == 6 + 200 and count(run) == 200


def test_what_extends_a_memory_keeps_its_places():
    for name, slot in Oscillator.slots.items():
        assert Damped.slots[name] is slot
    assert Oscillator.slots["z"].meaning == "phases" and list(Damped.slots)[-1] == "rest"
    places = [Damped.slots[name].place for name in ("n", "steps", "x", "weights", "z", "v", "rest")]
    assert places == sorted(set(places)) and places[0] == 3


class Counted(SlotGroup):
    """Slots of several families."""

    counted: int = integer("how many")
    values: Reals = reals("counted", "these")


class First(Run, Counted):
    """A family that has nothing else."""


class Second(Oscillator, Counted):
    """One that stands behind other slots."""

    more: float = real("a number of its own")


def test_groups_of_slots_have_places_in_each_class_that_takes_them():
    assert list(First.slots) == ["counted", "values"] and list(Second.slots)[-3:] == ["counted", "values", "more"]
    assert First.slots["values"].place != Second.slots["values"].place and Counted.counted.place == -1
    assert all(Second.slots[name] is slot for name, slot in Oscillator.slots.items())
    run = lay_out(First, {"counted": 4}, {}, {}).allocate()
    run.values[:] = 1.0
    assert run.values.size == run.counted == 4
    with pytest.raises(TypeError, match="'counted' is a slot of First already"):
        type("Third", (First, Counted), {})


def test_vectors_do_not_overlap_and_start_at_cache_lines():
    run = memory(5)
    for k, name in enumerate(("x", "v"), start=1):
        getattr(run, name)[:] = k
    run.z[:] = 3 + 3j
    run.h, run.t, run.damping = -1.0, -2.0, -3.0
    run.weights[:] = 7
    assert set(run.x) == {1} and set(run.v) == {2} and set(run.z) == {3 + 3j} and run.n == 5 and run.weights.size == 10
    assert (run.v.ctypes.data - run.reals.ctypes.data) % 64 == 0
    assert [run.h, run.t, run.damping] == [-1, -2, -3]


def test_vectors_are_not_set_as_a_whole():
    with pytest.raises(AttributeError, match=r"'x' is a vector: set its entries, run\.x\[:\] = …"):
        memory().x = np.zeros(3)


def test_wrong_declarations_and_names_are_refused():
    with pytest.raises(TypeError, match="'h' is a slot of Oscillator already"):

        class Twice(Oscillator):
            h: float = real("again")

    class Other(Run):
        m: int = integer("something")
        y: object = reals("", "told by the run")

    with pytest.raises(TypeError, match="extends one other"):

        class Both(Oscillator, Other):
            pass

    with pytest.raises(KeyError, match="Other has no slot 'n'"):
        lay_out(Other, {"n": 1}, {}, {})
    assert lay_out(Other, {}, {}, {"y": 4}).allocate().y.size == 4


@compiled
def halved(run: Oscillator, x: Reals) -> float:
    return 0.5 * run.h * x[0]


def made_with(first, second):
    """A kernel on slots in this order, as a module would make it that is edited between two runs."""

    class Own(Run):
        locals()[first] = integer("a number")
        locals()[second] = integer("another one")

    def function(run: Own) -> int:
        return run.one

    return kernel.kernel(function)


def test_annotations_may_be_names_or_what_they_stand_for():
    @kernel.kernel
    def twice(run: Oscillator) -> int:
        run.h = 4.0 * halved(run, run.x)
        return run.n

    run = memory()
    assert halved.__annotations__["x"] is Reals and twice(run) == 3
    assert run.h == 0.2 * run.x[0]


def test_code_of_kernels_is_known_by_the_places_of_slots():
    assert kernel._key(made_with("one", "two").recipe()) != kernel._key(made_with("two", "one").recipe())
    assert kernel._key(made_with("one", "two").recipe()) == kernel._key(made_with("one", "two").recipe())


def test_runs_begin_with_what_their_map_says():
    places = lay_out(Damped, {"n": 2}, {}, {})
    first = places.allocate()
    first.h, first.steps, first.next_kernel = 0.25, 7, 1234
    made = places.beginning_with(first, {Damped.slots["next_kernel"].place: "v"}).allocate()
    assert (made.h, made.steps, made.n) == (0.25, 7, 2) and made.next_kernel == made.v.ctypes.data
    made.h = 1.0
    assert first.h == 0.25


def test_slots_are_not_made_by_mistake():
    with pytest.raises(AttributeError, match="'Damped' object has no attribute 'hh'"):
        memory().hh = 1.0


def test_a_class_that_is_defined_again_is_compiled_with_its_own_places():
    """As in a notebook, where a cell is run a second time after an edit."""
    results = []
    for first, second in (("one", "two"), ("two", "one")):
        made = made_with(first, second)
        run = lay_out(made.kind, {"one": 1, "two": 2}, {}, {}).allocate()
        results.append(made(run))
    assert results == [1, 1]
