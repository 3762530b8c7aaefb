"""Random mechanisms: accelerations and reactions at one state are the same in all formulations."""

from hypothesis import assume, given, settings
from model.agreement import assert_all_agree, is_settled
from model.random_models import PLANAR, SPATIAL, Builder, loops, structures


@settings(max_examples=8)
@given(structures(SPATIAL))
def test_random_trees_in_space(structure):
    assert_all_agree(Builder(structure, planar=False).model)


@settings(max_examples=8)
@given(structures(PLANAR))
def test_random_trees_in_the_plane(structure):
    assert_all_agree(Builder(structure, planar=True).model)


@settings(max_examples=5)  # each is compiled five times; fuzz/random_models.py draws as many as one likes
@given(loops(SPATIAL, 3))
def test_random_loops_in_space(loop):
    check_loop(*loop, planar=False)


@settings(max_examples=5)
@given(loops(PLANAR, 3))
def test_random_loops_in_the_plane(loop):
    check_loop(*loop, planar=True)


def check_loop(structure, closing, planar):
    assume(closing is not None)
    builder = Builder(structure, planar)
    builder.close(closing)
    assume(is_settled(builder))
    assert_all_agree(builder.model)
