"""The public names, all of them: a new one, or one that went, shows here."""

import importlib
import inspect
from types import ModuleType

import pytest

NAMES = {
    "dalembert": """
        Change DalembertError Elements Equations Event Solution State __version__ load methods numeric problems report
        resume simulate symbolic trace
    """,
    "dalembert.equations": """
        Elements Equations Sizes State numeric trace
    """,
    "dalembert.integrate": """
        Change Event Method methods resume simulate
    """,
    "dalembert.problems": """
        Element Problem ProblemError Reference a01 a02 a03 cable_drum double_pendulum get insulator_chain names pendulum
        pendulum_chain seven_body slider_crank stiff_double_pendulum truck truck_surrogate
    """,
    "dalembert.report": """
        report
    """,
    "dalembert.solution": """
        Checkpoint Curves DenseOutput EventRecord Point Sketch Solution Statistics load
    """,
    "dalembert.symbolic": """
        Atom AtomArray Base CompiledFunction Graph PiecewisePolynomial Point Report SparseMatrix Statistics Tensor
        Vector Workspace absolute adjoint_derivative arccos arcsin arctan arctan2 array clip compile cos cosh derivative
        directional_derivative equal evaluate exp eye from_sympy gradient hessian_vector_product hypot jacobian less
        less_equal linear_coefficients log logical_and logical_not logical_or maximum minimum not_equal report sign sin
        sinh sqrt substitute symbols tan tanh time_derivative to_sympy where zeros
    """,
    "dalembert.symbolic.mechanics": """
        Base Point Tensor Vector acceleration angular_acceleration angular_velocity base_change euler_parameter_rates
        position rigid_body_inertia_forces steiner velocity virtual_power
    """,
}


@pytest.fixture(params=NAMES)
def module(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(request.param)


def test_names_are_these(module: ModuleType) -> None:
    assert sorted(module.__all__) == NAMES[module.__name__].split()


def test_names_are_sorted_and_exist(module: ModuleType) -> None:
    assert module.__all__ == sorted(set(module.__all__))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_names_are_documented(module: ModuleType) -> None:
    def documented(item: object) -> bool:
        plain = not callable(item) and not isinstance(item, (property, classmethod, staticmethod, ModuleType))
        return plain or bool((item.__doc__ or "").strip())

    assert module.__doc__
    silent = []
    for name in module.__all__:
        item = getattr(module, name)
        members = vars(item).items() if inspect.isclass(item) else ()
        public = {f"{name}.{key}": value for key, value in members if not key.startswith("_")}
        silent += [key for key, value in ({name: item} | public).items() if not documented(value)]
    assert silent == []
