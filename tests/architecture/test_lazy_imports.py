"""Imports inside functions: each is of a library that is slow to load, of a command, or listed with its reason."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

HEAVY = frozenset(
    {
        "cvc5",
        "fcntl",
        "google_crc32c",
        "llvmlite",
        "networkx",
        "numpy",
        "pandas",
        "py4j",
        "pyarrow",
        "pygraphviz",
        "pyspark",
        "resource",
        "z3",
    }
)
"""Libraries that take a good part of a short command to load, or that an installation or a system may lack."""

COMMANDS = ("checkers/cli/",)
"""Where any module is imported when it is used: a command loads its own engine only (`tests/cli/test_start.py`)."""

ONE_ENGINE = "a run that needs another engine, another input or another protocol does not load this one"
SLOW = "loads a compiler, which a run without compiled code does not need"
CYCLE = "a method builds or prints what a later file of the language defines"

LAZY = {
    "checkers/api/conforming.py": ("fencepost.checkers.conformance.spark", ONE_ENGINE),
    "checkers/api/health.py": ("fencepost.checkers.operations.zk_cluster", ONE_ENGINE),
    "checkers/api/story.py": ("fencepost.checkers.operations.zk_cluster", ONE_ENGINE),
    "checkers/check/cache.py": ("fencepost.checkers.tlc", ONE_ENGINE),
    "checkers/codes.py": ("fencepost.checkers", ONE_ENGINE),
    "checkers/check/on_spark.py": ("fencepost.checkers", ONE_ENGINE),
    "checkers/check/run.py": ("fencepost.traces", ONE_ENGINE),
    "checkers/check/stages.py": ("fencepost.checkers", ONE_ENGINE),
    "checkers/comparing/whatif.py": (".behaviour", ONE_ENGINE),
    "checkers/conformance/explain/causes.py": (".defects", "a log that conforms is checked without the findings"),
    "checkers/conformance/conform.py": (".", ONE_ENGINE),
    "checkers/conformance/records/forks.py": ("fencepost", "a log without a fork loads no other protocol"),
    "checkers/conformance/many.py": ("", "one log needs neither processes beside this one nor Spark"),
    "checkers/conformance/spark/part_plan.py": (
        "fencepost.checkers.conformance.conform",
        "conform imports this package",
    ),
    "checkers/conformance/spark/shipped.py": ("", "runs in a Python of an executor that may have none of ours"),
    "checkers/diagrams.py": ("fencepost.model.zk.names", ONE_ENGINE),
    "checkers/exploration/engine.py": (".compiled", SLOW),
    "checkers/exploration/liveness.py": (".compiled", SLOW),
    "checkers/exploration/reduction.py": (".compiled", SLOW),
    "checkers/exploration/swarm.py": (".compiled", SLOW),
    "checkers/findings_pages.py": ("fencepost.", "most commands print no finding, and need no tables for one"),
    "checkers/keeping.py": ("importlib.metadata", "what is printed of tables rests on no engine"),
    "checkers/named.py": (".comparing.", "only a variant that has no bounds of its own is compared with its base"),
    "checkers/proof/candidates.py": ("fencepost.checkers.exploration.columns", "loads numpy"),
    "checkers/reports/asked.py": ("fencepost.checkers.conformance.", "most reports are of no log"),
    "checkers/reports/cases.py": (".stages", "the cases of stages are built of the cases here"),
    "checkers/reports/stages.py": ("fencepost.checkers.conformance.", "most reports are of no log"),
    "checkers/requirements.py": ("fencepost.model.m", ONE_ENGINE),
    "model/language/kinds.py": (".terms", CYCLE),
    "model/language/tables.py": (".render", CYCLE),
    "model/language/terms.py": (".", CYCLE),
    "model/registry.py": (".", ONE_ENGINE),
    "model/releases/release.py": ("fencepost.model.kraft.explored", "releases are listed without what is explored"),
    "traces/batches.py": (".lazy_records", "decoders import batches, which hold what they decode"),
    "traces/dump_reader.py": ("html", "loads the names of characters, which few dumps have"),
    "traces/lazy_records.py": (".", "loads numpy where records are read as columns"),
    "traces/segments.py": (".singles", "loads numpy where records are read as columns"),
}
"""Other files with such imports: what the names of their modules begin with, and why they are not at the top."""


INSIDE = re.compile(r"^(?:[ \t]|(?:async[ ]+)?def[ ]).*\bimport\b", re.MULTILINE)
"""A line that is indented, or begins a function, and has an import: a file without one has none inside a function."""


PARTS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where a module or a statement has statements, of which an import is one; no expression has any."""


def inside_functions(tree: ast.AST, inside: bool = False) -> Iterator[str]:
    """Yield the names of the modules that functions of a file import, relative ones with their dots."""
    for node in (one for part in PARTS for one in getattr(tree, part, ())):
        if inside and isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif inside and isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        yield from inside_functions(node, inside or is_function)


def files() -> dict[str, list[str]]:
    """Return the files of the product with imports inside functions, and the modules that these import."""
    found = {}
    for folder in ("model", "reference", "traces", "checkers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            names = list(inside_functions(ast.parse(text))) if INSIDE.search(text) else []
            if names:
                found[path.relative_to(ROOT).as_posix()] = names
    return found


@pytest.fixture(scope="module")
def lazy() -> dict[str, list[str]]:
    """The imports inside functions of modules that are not slow to load by themselves, without those of commands."""
    light = {file: [one for one in names if one.partition(".")[0] not in HEAVY] for file, names in files().items()}
    return {file: names for file, names in light.items() if names and not file.startswith(COMMANDS)}


def test_an_import_inside_a_function_has_its_reason(lazy: dict[str, list[str]]) -> None:
    """Each is listed in `LAZY`; any other is at the top of its file."""
    wrong = {
        file: rest
        for file, names in lazy.items()
        if (rest := [one for one in names if file not in LAZY or not one.startswith(LAZY[file][0])])
    }
    assert wrong == {}


def test_a_reason_is_of_an_import_that_is_there(lazy: dict[str, list[str]]) -> None:
    """No file is listed that has no such import any more."""
    assert set(LAZY) - set(lazy) == set()


def test_an_import_inside_a_function_is_seen() -> None:
    """Imports of methods, of nested blocks and of nested functions are seen; those outside functions are not."""
    text = (
        "import a\nclass B:\n  import c\n  def d(self):\n    if self:\n      from .e import f\n    def g(): import h.i"
    )
    assert list(inside_functions(ast.parse(text))) == [".e", "h.i"]
