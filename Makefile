# One command per chore. Needs make and a Python >= 3.11 with its venv module, nothing else:
# every target first installs what it lacks into .venv, and is quick the second time.

# Arguments for the program that a target runs:  make test ARGS="-k derivative -x"
ARGS ?=
# The Python that .venv is made of, if python3 is not the one you want:  make test PYTHON=python3.13
PYTHON ?=

# Processors that kernels are compiled for before the tests run (tools/objects.py).
LEVELS ?= host

VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
STAMP  := $(VENV)/.stamp
comma  := ,

# Some tests compile exported C. Without a C compiler on the machine they use one that is a Python package.
HAVE_CC     := $(shell command -v cc || command -v gcc || command -v clang)
TEST_EXTRAS := $(if $(HAVE_CC),test+browser,test+browser+cc)

BENCHMARKS := $(filter-out benchmarks/_%,$(wildcard benchmarks/*.py))

.DEFAULT_GOAL := help
.NOTPARALLEL: # two pip processes must not write into the same .venv
.SECONDARY:
.PHONY: help demo test test-foreign lint format docs viewer wheel bench-setup bench clean distclean kernels kernels-first

help: ## show this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  Arguments are passed on in ARGS, e.g.  make test ARGS="-k derivative -x"'

demo: $(STAMP)-plot kernels-first ## simulate a vehicle over a bump; leaves build/vehicle.html, a page to look at
	@$(BIN)/python examples/demo.py $(ARGS)

test: $(STAMP)-$(TEST_EXTRAS) kernels ## run the tests on two workers
	@$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

# What decides on rounding: kernels of BLAS, vector code of NumPy, machine code of kernels and models (tests/processors.py).
FOREIGN := OPENBLAS_CORETYPE=Prescott NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR" DALEMBERT_PROCESSOR=plain
NUMERIC := elastic equations integrate io linalg model problems solution symbolic

test-foreign: LEVELS := x86-64
test-foreign: $(STAMP)-$(TEST_EXTRAS) kernels ## run the numeric tests as a processor without vector extensions would compute
	@$(FOREIGN) $(BIN)/python -m pytest -n 2 --dist loadfile -m "not exact" $(addprefix tests/,$(NUMERIC)) $(ARGS)

lint: $(STAMP)-lint ## check style, format, types, and files that have a schema
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/check-jsonschema --quiet --builtin-schema github-workflows .github/workflows/ci.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema github-issue-config .github/ISSUE_TEMPLATE/config.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema github-issue-forms $(addprefix .github/ISSUE_TEMPLATE/,bug.yml feature.yml)
	@$(BIN)/check-jsonschema --quiet --builtin-schema citation-file-format CITATION.cff
	@$(BIN)/mypy

format: $(STAMP)-lint ## sort imports and format the code in place
	@$(BIN)/ruff check --select I --fix .
	@$(BIN)/ruff format .

docs: $(STAMP)-docs kernels ## build the documentation in build/docs; warnings are errors
	@$(BIN)/python docs/make_gallery.py build/extra/gallery
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs $(ARGS)
	@echo 'Open build/docs/index.html'

viewer: $(STAMP)-viewer ## bundle the page of the report anew, after a change in viewer/; needs the network once
	@$(BIN)/python tools/viewer.py $(ARGS)

wheel: $(STAMP)-wheel ## build the wheel that is published, with kernels for all levels of processors, in dist/
	@$(BIN)/python tools/objects.py --levels published
	@DALEMBERT_OBJECTS=published $(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

bench-setup: $(STAMP)-bench kernels ## install what the benchmarks compare against

bench: bench-setup ## run every benchmark; ARGS=--json for one JSON object per line, ARGS=--quick for a first look
	@set -e; for script in $(BENCHMARKS); do \
	    echo "== $$script" >&2; \
	    $(BIN)/python $$script $(ARGS); \
	done

clean: ## remove what was built, keep .venv
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## remove .venv too
	rm -rf $(VENV)

# Python compiles what it imports; compiling all files of all packages beforehand takes longer than installing them.
# .venv/.stamp-test+cc says that the extras "test" and "cc" of this pyproject.toml are installed.
$(STAMP)-%: pyproject.toml $(STAMP)-venv
	@echo 'Installing dalembert[$(subst +,$(comma),$*)] into $(VENV) ...' >&2
	@$(PIP) install --no-compile --editable '.[$(subst +,$(comma),$*)]'
	@touch $@

# The object code of kernels whose sources are new or edited, on all cores; those of the demo, or all.
kernels-first: $(STAMP)-plot
	@$(BIN)/python tools/objects.py --kernels first

kernels: $(STAMP)-plot
	@$(BIN)/python tools/objects.py --levels $(LEVELS)

# A candidate may exist and still not run (a version manager's shim), so each is tried rather than looked up.
$(STAMP)-venv:
	@chosen=; \
	for candidate in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	    if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        chosen=$$candidate; break; \
	    fi; \
	done; \
	if [ -z "$$chosen" ]; then \
	    echo 'No Python >= 3.11 found among: $(PYTHON) python3 python3.13 python3.12 python3.11.' >&2; \
	    echo 'Install one, or name it:  make $(MAKECMDGOALS) PYTHON=/path/to/python3' >&2; \
	    exit 1; \
	fi; \
	if ! "$$chosen" -c 'import venv, ensurepip' >/dev/null 2>&1; then \
	    echo "$$chosen has no venv module. Install it (Debian, Ubuntu: the package python3-venv)," >&2; \
	    echo 'or name another Python:  make $(MAKECMDGOALS) PYTHON=/path/to/python3' >&2; \
	    exit 1; \
	fi; \
	echo "Creating $(VENV) with $$("$$chosen" --version) ($$chosen) ..." >&2; \
	"$$chosen" -m venv $(VENV)
	@touch $@
