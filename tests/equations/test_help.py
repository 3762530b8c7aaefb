"""What ``help()`` shows of the questions that equations answer: real signatures, and words of their own."""

import inspect

import pytest

from dalembert.equations import Equations
from dalembert.equations.builders.elements import Assembled
from dalembert.equations.builders.numeric import WithCallbacks
from dalembert.equations.builders.trace import Traced
from dalembert.equations.contract.switching import Switched
from dalembert.equations.recursion import Recursion
from dalembert.model.formulate.mechanism import Mechanism

pytestmark = pytest.mark.exact

QUESTIONS = {
    "assemble": ("q", "v", "u", "t", "held", "held_velocities", "parameters", "redundant", "lam", "smooth"),
    "check": ("q", "v", "u", "t", "parameters", "redundant", "lam"),
    "degrees_of_freedom": ("q", "t", "parameters"),
    "equilibrium": ("q", "v", "u", "velocities", "held", "stable", "t", "parameters", "redundant", "side"),
    "forward_dynamics": ("q", "v", "u", "t", "parameters", "redundant", "lam"),
    "inverse_dynamics": ("q", "v", "a", "u", "actuated", "t", "parameters"),
    "kinematics": ("times", "q", "u", "parameters", "redundant"),
    "linearise": ("state", "v", "u", "t", "independent", "inputs", "outputs", "parameters", "redundant", "side"),
}
CLASSES = (Equations, Traced, Assembled, WithCallbacks, Recursion, Switched, Mechanism)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_questions_say_what_they_take_and_what_they_answer(cls, question):
    method = getattr(cls, question)
    signature = inspect.signature(method)
    _, *parameters = signature.parameters.values()
    assert tuple(item.name for item in parameters) == QUESTIONS[question]
    assert all(item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY) for item in parameters)
    assert signature.return_annotation is not inspect.Signature.empty
    # defaults and what may be given by place are the same, whoever answers
    asked = inspect.signature(getattr(Equations, question)).parameters
    for item in parameters:
        assert (item.kind, item.default) == (asked[item.name].kind, asked[item.name].default)
    words = method.__doc__
    assert words and not words.startswith(("The same", "As ", "Also "))


@pytest.mark.parametrize("cls", [Switched, Mechanism])
def test_answers_that_differ_have_words_of_their_own(cls):
    for question in QUESTIONS:
        own = cls.__dict__.get(question)
        if own is not None:
            assert own.__doc__ != getattr(Equations, question).__doc__
