"""The public names, all of them: a new one, or one that went, shows here."""

import ast
import importlib
import inspect
import subprocess
import sys
from types import ModuleType

import pytest

NAMES = {
    "dalembert": """
        Adams Baumgarte Bdf Change ChartBdf ChartRungeKutta Custom DalembertError Descriptor Dop853 Dopri5 Elements
        Equations Event ExplicitEuler FixedStep Gustafsson HalfExplicit Imex Jacobian Journal LinearlyImplicitEuler
        LinearlyImplicitTrapezoidal LocalChart Method Mexx Model ModelFile Newmark Partition Radau Rosenbrock Sdirk
        Solution State __version__ column_groups draw draw_mode export_c load load_model methods model numeric problems
        report resume save_model simulate symbolic table trace
    """,
    "dalembert.elastic": """
        ALUMINIUM Beam FiniteElements Flexibility Interface MassPoints Material Mode Nodes ReducedElements
        Reference STEEL Section beam_elements plane_stress plate read_abaqus read_matrix_market read_mbdyn
        read_nastran read_nodes reduce solid write_mbdyn
    """,
    "dalembert.equations": """
        Elements Equations LocalChart Partition Sizes State numeric trace
    """,
    "dalembert.export": """
        export_c
    """,
    "dalembert.integrate": """
        Adams Baumgarte Bdf Change ChartBdf ChartRungeKutta Controller Descriptor Dop853 Dopri5 Elementary Event
        ExplicitEuler FixedStep Gustafsson HalfExplicit Imex Jacobian LinearlyImplicitEuler
        LinearlyImplicitTrapezoidal Method Mexx Newmark Newton ProportionalIntegral Radau Rosenbrock Sdirk draw
        draw_mode
        methods resume simulate
    """,
    "dalembert.io": """
        FileEvent ModelFile ModelFileError ParameterNote example example_names fingerprint load_example load_model
        model_schema model_text parse_model save_model
    """,
    "dalembert.linalg": """
        HEAD History Mode Plan Structure add_mode column_groups consistent factor_solver longest_row own_part
        pattern_of_F pattern_of_G pattern_of_M plan_of solve_solver
    """,
    "dalembert.model": """
        Body Custom Element Joint Marker MassProperties Mechanism Model Quantity Row Site meshes motions shapes
    """,
    "dalembert.problems": """
        ElementGroup Problem ProblemError Reference a01 a02 a03 cable_drum carriage double_pendulum elastic_pendulum
        elastic_truck excited_chain get insulator_chain mechanisms names pendulum pendulum_chain seven_body slider_crank
        stiff_double_pendulum truck truck_surrogate
    """,
    "dalembert.problems.mechanisms": """
        Example Observation a01 a02 a03 axle_rig bogie bricard chain delta_robot double_wishbone
        elastic_truck flexible_slider_crank four_bar free_body
        hmmwv14 locomotive pendulum rolling_disc seven_body slider_crank spatial_slider_crank steered_car
        stewart_platform top wheelset
    """,
    "dalembert.rail": """
        Arc Axes Clothoid Coefficients ContactTable Cosine CreepLaw Creepages Ellipse Fastsim Irregularity Jump Linear
        LoadedPatch Material Pair Polach Profile Quintic SegmentEnd ShenHedrickElkins Straight Touch Track
        VermeulenJohnson WheelsetTouch coefficients cone contact_axes contact_conditions creep_law creepages crown
        feve_rail feve_wheel find_contact gaps harmonic hertz kalker_matrix lifted line_curvature loaded_patch measured
        profile_of_function profile_of_points rail rail_curvature read_irregularity read_profile relative_curvatures
        s1002 spectral_density spectrum touching uic60 uic60_of_benchmark wheel wheel_curvatures
    """,
    "dalembert.report": """
        modes phase plot report sparsity topology view work_precision
    """,
    "dalembert.solution": """
        Appearance Checkpoint Connection Curves DenseOutput DrawnBody DrawnForce EventRecord Journal MotionPoint Mount
        PointTrack Sketch Solution Statistics Surface load
    """,
    "dalembert.symbolic": """
        Atom AtomArray Base CompiledFunction Graph OperationCounts PiecewisePolynomial Point Report SparseMatrix
        TableOfTwo Tensor Vector VectorTable Workspace absolute adjoint_derivative arccos arcsin arctan arctan2 array
        cbrt ceil clip compile cos cosh derivative directional_derivative equal evaluate exp eye floor from_sympy
        gradient hessian_vector_product hypot jacobian less less_equal linear_coefficients log logical_and logical_not
        logical_or maximum minimum mod not_equal report sign sin sinh smooth_table sqrt substitute symbols table tan
        tanh time_derivative to_sympy transplant where zeros
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
    def documented(item: object, inherited: object = None) -> bool:
        plain = not callable(item) and not isinstance(item, (property, classmethod, staticmethod, ModuleType))
        return plain or bool((item.__doc__ or inspect.getdoc(inherited) or "").strip())

    assert module.__doc__
    silent = []
    for name in module.__all__:
        item = getattr(module, name)
        members = vars(item).items() if inspect.isclass(item) else ()
        # What overrides a documented member says the same.
        silent += [] if documented(item) else [name]
        silent += [
            f"{name}.{key}"
            for key, value in members
            if not key.startswith("_") and not documented(value, getattr(item, key))
        ]
    assert silent == []


def test_importing_the_package_imports_no_layer() -> None:
    program = "import dalembert, sys; print(*(m for m in sys.modules if m.startswith(('dalembert', 'numpy'))))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["dalembert.lazily", "dalembert"], done.stderr


def test_names_are_those_that_type_checkers_see() -> None:
    """What the package imports for type checkers, what it imports on demand, and what it lists are the same."""
    package = importlib.import_module("dalembert")
    tree = ast.parse(inspect.getsource(package))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == set(package.__all__) - {"__version__"} == set(package._HOME_OF) | {"model", "problems", "symbolic"}


def test_the_function_report_stays_when_its_layer_is_imported() -> None:
    program = (
        "import dalembert.report, dalembert.report.page, dalembert as da; "
        "print(callable(da.report), da.report.__module__, da.integrate.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "dalembert.report.page", "dalembert.integrate"], done.stderr


def test_an_unknown_name_is_an_attribute_error() -> None:
    package = importlib.import_module("dalembert")
    with pytest.raises(AttributeError, match="no attribute 'Modell'"):
        package.Modell  # noqa: B018
    assert "Model" in dir(package)
