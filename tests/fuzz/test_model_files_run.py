"""A few hundred damaged model files; as many as one likes by hand, see model_files.py."""

import pytest
from fuzz import model_files


@pytest.mark.parametrize("part", range(6))
def test_damaged_files_are_read_or_refused_with_their_place(part):
    taken = [model_files.judged(model_files.case(number, seed=11)) for number in range(60 * part, 60 * (part + 1))]
    assert taken.count("refused") > 30
