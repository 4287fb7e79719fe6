# Everything runs in .venv, which is made again only when pyproject.toml changes.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# How many processes run the tests, each whole files.
JOBS ?= 2
STAMP := $(VENV)/.installed
# Compiled modules are kept, also where the environment says otherwise: every process of a test would compile them again.
export PYTHONDONTWRITEBYTECODE :=
SOURCES := checkers model reference traces tests src/fencepost/__init__.py src/fencepost/spark.py
# The packages that a Python program of somebody else may use: a page for each, and for what they export.
API := fencepost.model.language fencepost.traces fencepost.checkers.proof fencepost.checkers.exploration fencepost.spark

.DEFAULT_GOAL := help
.PHONY: help run test quick nightly check lint format types bounds generate current site cores clean

help:
	@echo "make run       install, then check everything on one screen"
	@echo "make test      install, then run the tests"
	@echo "make quick     install, then run the tests that need no Java and take part of a second each"
	@echo "make nightly   install, then run the tests that repeat at more expense what a test of make test claims"
	@echo "make check     lint, format, types, tests, and generated files current"
	@echo "make generate  write what spec/ has of the tables and requirements"
	@echo "make bounds    record what every bound shows: states, rows that fire, properties put to the test (half an hour)"
	@echo "make site      write the documentation of the Python interfaces into build/site, from docstrings"
	@echo "make cores     record which hypotheses suffice in the proofs of replication (minutes)"
	@echo "make format    format the Python files"

$(STAMP): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing: install Python 3.11, or say PYTHON=python3.12" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

run: $(STAMP)
	$(BIN)/fencepost check

test: $(STAMP)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile

quick: $(STAMP)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -m quick

nightly: $(STAMP)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -m nightly

check: lint types test current

lint: $(STAMP)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

format: $(STAMP)
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

types: $(STAMP)
	$(BIN)/mypy -p fencepost

# Bounds that take many minutes, spec/bounds/nowhere.toml says which, are left to whoever names them.
bounds: $(STAMP)
	$(BIN)/python -m fencepost.checkers.exploration.manifest

generate: $(STAMP)
	$(BIN)/python -m fencepost.checkers.generate

current: $(STAMP)
	$(BIN)/python -m fencepost.checkers.generate --check

# Everything that the pages need is written into them: they are read without a network.
site: $(STAMP)
	$(BIN)/pdoc --output-directory build/site $(API)

cores: $(STAMP)
	$(BIN)/python -m fencepost.checkers.proof.recording kraft-data kraft-loop zk-data

clean:
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis build *.egg-info
