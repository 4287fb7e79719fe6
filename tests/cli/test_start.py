"""A command builds no more than it needs: to build every protocol takes seconds."""

import subprocess
import sys
from pathlib import Path

import pytest

_LOADED = "import sys; from fencepost.checkers.cli.main import main; main({arguments!r}); print('\\n', *sys.modules)"
RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
_HEAVY = {"z3", "llvmlite", "numpy", "networkx", "pyarrow", "pyspark", "pandas"}
_TABLES = {
    f"fencepost.model.{one}" for one in ("kraft", "zk", "kip343", "kip46", "kip631", "museum", "releases", "matrix")
}


def _modules(*arguments: str) -> set[str]:
    """Return the modules that are loaded once a command line has been answered in a process of its own."""
    command = [sys.executable, "-c", _LOADED.format(arguments=list(arguments))]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split())


@pytest.mark.representative("arguments0", "arguments4")
@pytest.mark.parametrize(
    "arguments", [("--version",), ("--help",), ("prove", "--lamp"), ("prove", "lamp"), ("bench", "lamp")]
)
def test_what_needs_no_protocol_builds_none(arguments: tuple[str, ...]) -> None:
    """The version, the help and what is refused cost neither the tables nor a library that only engines need."""
    assert not _modules(*arguments) & (_HEAVY | _TABLES)


def test_the_entry_point_loads_nothing_that_takes_long() -> None:
    """What is imported before Ctrl-C and a lack of memory end in a sentence is the entry point, without typing."""
    code = f"import sys; sys.path[:0] = {sys.path!r}; import fencepost.checkers.cli.main; print(*sys.modules)"
    command = [sys.executable, "-S", "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "fencepost.checkers.cli.main" in loaded
    assert not {"typing", "typer", "rich", "json", "fencepost.checkers.cli.application"} & set(loaded)


@pytest.mark.parametrize("command", ["conform", "health", "story"])
def test_the_help_of_what_reads_logs_needs_no_language(command: str) -> None:
    """The help of a command that reads logs is printed without the vocabulary of tables."""
    assert f"fencepost.checkers.cli.{command}" in (loaded := _modules(command, "--help"))
    assert not [one for one in loaded if one.startswith("fencepost.model.")]


def test_a_short_log_is_checked_without_what_large_ones_need() -> None:
    """A log of short batches is checked without arrays, other processes, and versions of engines."""
    loaded = _modules("conform", str(RECORDED / "first-boot"))
    assert "fencepost.checkers.conformance.printed_rows.matching" in loaded
    rare = {"multiprocessing", "importlib.metadata", "importlib.resources", "tempfile", "html"}
    assert not loaded & (_HEAVY | rare)


def test_a_page_of_text_loads_no_library_of_the_command_line_that_it_does_not_use() -> None:
    """Values without conversion and lines without colour load neither pydantic nor rich, nor other commands."""
    loaded = _modules("explore", "lease", "--bound", "tiny", "--max-depth", "1")
    assert "fencepost.checkers.exploration.engine" in loaded
    assert not loaded & {"rich", "fencepost.checkers.check", "fencepost.checkers.cli.conform"}
    loaded = _modules("show", "no_such_protocol")
    assert "fencepost.checkers.cli.show" in loaded
    assert not loaded & {"pydantic", "fencepost.checkers.cli.explore"}
    listed = _modules("--help")
    assert not [one for one in listed if one in {"pydantic", "rich", "fencepost.checkers.cli.explore"}]


def test_a_slice_is_made_without_those_after_it() -> None:
    """Of kraft's slices the first alone is made where that has the bound."""
    loaded = _modules("explore", "kraft", "--bound", "tiny", "--set", "Broker")
    assert "fencepost.model.kraft.explored" in loaded
    assert not loaded & {"fencepost.model.kraft.slices", "fencepost.model.kraft.everything"}


def test_a_protocol_is_built_alone() -> None:
    """A protocol's tables are shown without the slices that are explored, the other protocols, or its variants."""
    loaded = _modules("show", "kip46")
    assert "fencepost.model.kip46.protocol" in loaded
    others = _TABLES - {"fencepost.model.kip46"}
    assert not loaded & (_HEAVY | others | {"fencepost.model.kip46.slices"})


def test_a_variant_is_asked_about_without_the_tables_of_other_designs() -> None:
    """A variant's violations are printed with its base's tables, without modules that check logs or simulate."""
    loaded = _modules("whatif", "kip46+compares-brokers", "--limit", "0", "--search", "0", "--in-step", "0")
    assert "fencepost.model.museum.kip46" in loaded
    others = _TABLES - {"fencepost.model.kip46", "fencepost.model.museum"}
    assert not loaded & ({"networkx", "pyarrow", "pyspark"} | others)
    assert not [one for one in loaded if one.startswith(("fencepost.checkers.conformance", "fencepost.reference"))]


def test_a_log_alone_is_judged_with_what_judges_it() -> None:
    """The checker of brokers' directories, quorums, traces of designs and other eras is not loaded, nor slices."""
    loaded = _modules("conform", str(Path(__file__).parents[2] / "traces" / "recorded" / "first-boot"))
    assert "fencepost.checkers.conformance.reading.monitor" in loaded
    judges = {f"fencepost.checkers.conformance.{one}" for one in ("brokers", "quorum", "designs", "zk", "sensitivity")}
    others = {"fencepost.model.registry", "fencepost.model.kraft.explored", "fencepost.traces.events"}
    assert not loaded & (judges | others | {"numpy.ma", "multiprocessing", "llvmlite", "z3"})


def test_the_variants_of_the_matrix_are_those_that_it_has() -> None:
    """The registry knows the names of the matrix's variants, so that no other variant has all designs built."""
    from fencepost.model.matrix.families import VARIANTS
    from fencepost.model.registry import OF_MATRIX

    assert set(OF_MATRIX) == set(VARIANTS)
