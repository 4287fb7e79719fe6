# Everything runs in .venv, which has the versions of requirements.lock and is made anew when they or pyproject.toml change.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# How many processes run the tests, each whole files.
JOBS ?= 2
# The folders of make quick: tables, texts, records and the reference, without Java and without an engine.
QUICK := architecture language traces requirements reference answers words releases leases
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check
# What resolves versions: an environment of its own with uv.
UV := build/uv/bin/uv
RESOLVE = $(UV) pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --no-emit-index-url
# Compiled modules are kept, also where the environment says otherwise: every process of a test would compile them again.
export PYTHONDONTWRITEBYTECODE :=
SOURCES := checkers model reference traces tests src/fencepost/__init__.py src/fencepost/arrays.py src/fencepost/files.py src/fencepost/notebook.py src/fencepost/spark.py
# Where prose has no word of .ci/words.txt; tests/golden has what commands print.
PROSE := $(filter-out tests/golden,$(wildcard *.md docs findings spec model reference traces checkers/* tests/*))
# The packages that a Python program of somebody else may use: a page for each, and for what they export.
API := fencepost.model.language fencepost.traces fencepost.checkers.proof fencepost.checkers.exploration fencepost.spark

.DEFAULT_GOAL := help
.PHONY: help lock upgrade oldest newest run test quick nightly attack check lint format types bounds generate current site cores violations watch findings clean

help:
	@echo "make run       install, then check everything on one screen"
	@echo "make test      install, then run the tests"
	@echo "make quick     install, then run the tests of the folders that start no engine: $(QUICK)"
	@echo "make nightly   install, then run the tests that repeat at more expense what a test of make test claims"
	@echo "make attack    run 300 commands under signals, small disks, altered caches, short memory and full outputs, each from a seed"
	@echo "make check     lint, format, types, tests, make run, and generated files current"
	@echo "make generate  write spec/matrix.md, what each design guarantees"
	@echo "make bounds    record what every bound shows: states, rows that fire, properties put to the test (half an hour)"
	@echo "make lock      write requirements.lock anew, with the newest versions that pyproject.toml allows"
	@echo "make upgrade   make lock, then ask the solver, compiled rows and Spark, and say what differs (many minutes)"
	@echo "make oldest    check everything with the lowest versions that pyproject.toml allows"
	@echo "make newest    check everything with the newest versions that there are"
	@echo "make site      write all pages, those of tables, bounds and requirements too, and the Python interfaces into build/site"
	@echo "make violations  record states: how rows break what they break, in which they are enabled and conditions hold"
	@echo "make cores     record which hypotheses suffice in the proofs of replication (minutes)"
	@echo "make watch     compare the two newest releases of Kafka with what rows cite; OLD=4.3.1 NEW=4.4.0 name others (network)"
	@echo "make findings  run the scripts that show how published tools of this field behave (network)"
	@echo "make format    format the Python files"

# An environment with what is locked and nothing else. pyspark is published as source alone, and is built with the locked setuptools.
$(STAMP): pyproject.toml requirements.lock requirements-build.lock
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing: install Python 3.11, or say PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --quiet --no-deps --require-hashes --requirement requirements-build.lock
	$(PIP) install --quiet --no-deps --require-hashes --no-build-isolation --requirement requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# The newest versions that pyproject.toml allows, for Python 3.11 to 3.14 on every system; no registry is named in them.
lock: $(UV)
	$(RESOLVE) --upgrade --generate-hashes --no-annotate --no-header --extra dev pyproject.toml --output-file requirements.lock
	printf 'setuptools\n' | $(RESOLVE) --constraint requirements.lock --generate-hashes --no-annotate --no-header - --output-file requirements-build.lock

$(UV):
	$(PYTHON) -m venv build/uv
	build/uv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9

# The newest versions within the bounds: what the solver, compiled rows and Spark say under them, beside what they said.
upgrade: $(STAMP)
	mkdir -p build
	$(BIN)/fencepost bench prove --json > build/proofs.json
	$(MAKE) lock
	$(MAKE) $(STAMP)
	git diff --stat requirements.lock
	$(BIN)/fencepost bench prove --against build/proofs.json
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile tests/exploration tests/conformance -k 'exploration or spark'

# What the lowest versions that pyproject.toml allows, and the newest that there are whatever it allows, say of everything.
OLDEST := build/oldest
NEWEST := build/newest
BOUNDED := z3-solver llvmlite pyarrow pyspark typer pandas pandas-stubs
oldest: $(UV)
	$(UV) venv --quiet --clear --python $(PYTHON) $(OLDEST)
	$(UV) pip install --quiet --python $(OLDEST)/bin/python --resolution lowest-direct --editable '.[dev]'
	$(OLDEST)/bin/fencepost check
	$(OLDEST)/bin/python -m pytest -q -n $(JOBS) --dist loadfile $(addprefix tests/,$(QUICK)) -m 'not slow and not nightly' -k 'not what_is_locked'

newest: $(UV)
	printf '%s\n' $(BOUNDED) > build/unbounded.txt
	$(UV) venv --quiet --clear --python $(PYTHON) $(NEWEST)
	$(UV) pip install --quiet --python $(NEWEST)/bin/python --override build/unbounded.txt --editable '.[dev]'
	$(UV) pip list --python $(NEWEST)/bin/python
	$(NEWEST)/bin/fencepost check
	$(NEWEST)/bin/python -m pytest -q -n $(JOBS) --dist loadfile $(addprefix tests/,$(QUICK)) -m 'not slow and not nightly' -k 'not what_is_locked'

run: $(STAMP)
	$(BIN)/fencepost check

test: $(STAMP)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile

quick: $(STAMP)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile $(addprefix tests/,$(QUICK)) -m 'not slow and not nightly'

nightly: $(STAMP)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -m nightly
	FENCEPOST_EXAMPLES=all $(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -m 'hypothesis and not nightly and not exhaustive'

# SEEDS=300:600 has others.
SEEDS ?= 0:300
attack: $(STAMP)
	$(BIN)/python -m tests.attack.trying $(SEEDS)

check: lint types test run current

lint: $(STAMP)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/codespell $(PROSE)

format: $(STAMP)
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

types: $(STAMP)
	$(BIN)/mypy -p fencepost

# Which records, feature levels and cited methods of Kafka differ between two releases; fails where a change was not looked at.
watch: $(STAMP)
	$(BIN)/python -m fencepost.checkers.watch $(if $(OLD),--old $(OLD)) $(if $(NEW),--new $(NEW))

# Bounds that take many minutes, spec/bounds/nowhere.toml says which, are left to whoever names them.
bounds: $(STAMP)
	$(BIN)/python -m fencepost.checkers.exploration.manifest

generate: $(STAMP)
	$(BIN)/python -m fencepost.checkers.generate

current: $(STAMP)
	$(BIN)/python -m fencepost.checkers.generate --check

# Everything that the pages need is written into them: they are read without a network.
site: $(STAMP)
	rm -rf build/pages build/site
	$(BIN)/python -m fencepost.checkers.site build/pages
	$(BIN)/mkdocs build --strict --config-file docs/mkdocs.yml
	$(BIN)/pdoc --output-directory build/site/python $(API)

cores: $(STAMP)
	$(BIN)/python -m fencepost.checkers.proof.recording kraft-data kraft-loop kraft-voters zk-data
	$(BIN)/python -m fencepost.checkers.proof.recording --slices kraft

violations: $(STAMP)
	$(BIN)/python -m fencepost.checkers.proof.recording --violations kraft kraft-data kraft-loop kraft-voters kraft-whole zk zk-data kip343 kip46 kip631-v1 kip631-v2

findings:
	for one in findings/*.sh; do ./$$one || exit 1; done

clean:
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis build *.egg-info
