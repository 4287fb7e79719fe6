"""The arrows between the packages: who may import whom, found by parsing every file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from fencepost.model.registry import FAMILIES

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("model", "reference", "traces", "checkers")


def files_of(*rooms: str) -> list[Path]:
    """Return the Python files below some folders of the repository."""
    return [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]


def statements_below(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements inside a module or a statement, however deep; expressions, most of a tree, have none."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inside in getattr(node, part, ()):
            yield inside
            yield from statements_below(inside)


def imports_in(tree: ast.Module) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the import statements of a module, wherever they are."""
    return tuple(node for node in statements_below(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))


@cache
def statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the import statements of a file, wherever they are."""
    return imports_in(ast.parse(path.read_text(encoding="utf-8")))


@cache
def imports_of(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, as dotted names below `fencepost`, relative imports resolved."""
    return modules(path, statements(path))


def modules(path: Path, imports: Iterable[ast.Import | ast.ImportFrom]) -> set[str]:
    """Return the modules of ours that import statements of a file name."""
    package = path.relative_to(ROOT).parent.parts
    found = set()
    for node in imports:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif node.level:
            above = package[: len(package) - node.level + 1]
            found.add(".".join(("fencepost", *above, *([node.module] if node.module else []))))
        else:
            names = {alias.name for alias in node.names} if node.module == "fencepost" else set()
            found |= {f"fencepost.{name}" for name in names} | {node.module or ""}
    return {name.removeprefix("fencepost.") for name in found if name.startswith("fencepost.")}


def crossing(path: Path, allowed: tuple[str, ...]) -> set[str]:
    """Return the imports of a file that begin with none of the allowed names."""
    return {name for name in imports_of(path) if not any(name == a or name.startswith(f"{a}.") for a in allowed)}


ALLOWED = {
    "traces": ("traces", "files", "arrays", "notebook"),
    "model/language": ("model.language", "notebook"),
    "model": ("model",),
    "reference": ("reference", "traces", "files"),
    "checkers": ("checkers", "model", "traces", "files", "arrays", "notebook", "__version__"),
    "checkers/api": ("checkers", "model", "traces", "reference", "files", "arrays", "notebook"),
    "checkers/bench": ("checkers", "model", "traces", "reference", "files", "arrays"),
    "checkers/scenarios": ("checkers", "model", "traces", "reference", "files", "arrays"),
    "checkers/cli": ("checkers", "model", "traces", "reference", "files", "arrays", "__version__"),
}


def allowed_for(path: Path) -> tuple[str, ...]:
    """Return what a file may import: the most specific rule for its folder."""
    below = path.relative_to(ROOT).as_posix()
    rule = next(r for r in sorted(ALLOWED, key=len, reverse=True) if below.startswith(f"{r}/"))
    return ALLOWED[rule]


def test_imports_follow_the_arrows() -> None:
    """No file imports across a border that the design does not open."""
    wrong = {
        str(path.relative_to(ROOT)): found for path in files_of(*ROOMS) if (found := crossing(path, allowed_for(path)))
    }
    assert wrong == {}


ROWS = re.findall(
    r"^\| `([\w/*]+)` \|.*\| ([^|]+) \|$", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.MULTILINE
)
"""The folders of ARCHITECTURE, each with what it may import."""

TABLES = [folder for folder, _ in ROWS if folder.startswith("model/")]
APART = ("language", "releases", "museum", "findings", "matrix")
PROTOCOLS = [one for one in TABLES if one.removeprefix("model/") not in APART]
WORDS = {
    "nothing of ours": [],
    "the language": ["model/language"],
    "the museum": ["model/museum"],
    "the findings": ["model/findings"],
    "the protocols": PROTOCOLS,
    "the designs": PROTOCOLS,
}
"""What the last column says in words."""


def permitted(told: str) -> tuple[str, ...]:
    """Return what a row of ARCHITECTURE permits, as dotted names."""
    found: list[str] = []
    for word in re.sub(r" \([^)]*\)", "", told.partition(";")[0]).split(", "):
        one = word.strip("`")
        found += WORDS.get(word, [f"model/{one}" if f"model/{one}" in TABLES else one])
    return tuple(one.replace("/", ".") for one in found)


def row_of(path: Path) -> tuple[str, str]:
    """Return the row that is about a file: that of the innermost folder."""
    folder = path.relative_to(ROOT).parent.as_posix()
    fits = [row for row in ROWS if re.match(row[0].replace("*", r"\w+") + r"(/|$)", folder)]
    return max(fits, key=lambda row: (row[0].count("/"), "*" not in row[0]))


def test_imports_are_those_that_architecture_permits() -> None:
    """Each import of a file is one that the row of its folder permits, in the first table of ARCHITECTURE."""
    wrong = {}
    for path in files_of(*ROOMS):
        folder, told = row_of(path)
        own = () if folder == "model" else (folder.replace("/*", "").replace("/", "."),)
        allowed = (
            *permitted(told),
            *own,
            "__version__",
            "notebook",
            *(("files", "arrays") if not folder.startswith("model") else ()),
        )
        if path.is_relative_to(ROOT / "checkers" / "cli"):
            allowed = (*allowed, "reference")
        if found := crossing(path, allowed):
            wrong[str(path.relative_to(ROOT))] = found
    assert wrong == {}


def test_the_check_of_certificates_shares_nothing_with_the_search() -> None:
    """The package that checks certificates imports the language, with its interpreter, and what opens files alone."""
    here = files_of("checkers/certificates")
    assert {path.name for path in here} >= {"check.py", "states.py"}
    assert {path.name: crossing(path, ("files", "model.language", "checkers.certificates")) for path in here} == {
        path.name: set() for path in here
    }


def test_the_arrows_would_be_missed() -> None:
    """The test above sees a forbidden import: an engine's file may not be imported from the tables."""
    some = ROOT / "checkers" / "check" / "stages.py"
    assert crossing(some, ALLOWED["traces"]) >= {"checkers.verdicts"}


def test_a_row_of_architecture_permits_what_it_says() -> None:
    """A file has the row of its innermost folder, and an import that another row permits is seen as one too many."""
    cells = ROOT / "model" / "matrix" / "cells_kraft.py"
    assert [row_of(one)[0] for one in (cells, ROOT / "model" / "registry.py")] == ["model/matrix", "model"]
    assert row_of(ROOT / "checkers" / "cli" / "main.py")[0] == "checkers/*"
    assert permitted("the language, `kraft_data` (two words for claims)") == ("model.language", "model.kraft_data")
    assert permitted("nothing of ours") == ()
    some = ROOT / "model" / "kraft_data" / "refinement.py"
    assert crossing(some, (*permitted("the language"), "model.kraft_data"))


BESIDE = {"checkers/bench/peers.py", "checkers/bench/taking.py"}
"""The benchmarks that run a script of `tests` as a process, and say where it is missing that a checkout has it."""


def test_only_two_benchmarks_name_a_path_below_tests() -> None:
    """No file of the product builds a path with the folder `tests`, which no installation has, but the two listed."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in files_of(*ROOMS)
        if '"tests' in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        if isinstance(node.right, ast.Constant) and str(node.right.value).partition("/")[0] == "tests"
    }
    assert found == BESIDE


def test_no_package_imports_another_packages_inside_by_a_relative_import() -> None:
    """Relative imports stay inside one package: no file goes up by more than one dot."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in files_of("traces", "reference", "checkers", "model/language")
        for node in statements(path)
        if isinstance(node, ast.ImportFrom) and node.level > 1 and path.parent.parent != ROOT / "checkers"
    ]
    assert wrong == []


def named(files: Iterable[Path], ids: set[str]) -> list[str]:
    """Return where files have one of some ids as a word."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {word}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for word in re.findall(r"\w+", line)
        if word in ids
    ]


def test_the_reference_names_no_row() -> None:
    """No row id of a protocol occurs in its reference, none at all in what references share: it was written apart."""
    ids = {name: {row.id for row in family.whole.rows} for name, family in FAMILIES.items()}
    own = {name: files_of(f"reference/{name}") for name in FAMILIES}
    shared = set(files_of("reference")) - {path for files in own.values() for path in files}
    wrong = [one for name in FAMILIES for one in named(own[name], ids[name])]
    assert wrong + named(sorted(shared), set().union(*ids.values())) == []


def test_a_named_row_would_be_found() -> None:
    """An id of a row in a file is found: the tables of kraft are full of theirs."""
    rows = {row.id for row in FAMILIES["kraft"].whole.rows}
    assert {one.rsplit(": ", 1)[1] for one in named(files_of("model/kraft"), rows)} == rows


LAYERS = (
    *("results", "classes", "records", "evaluation", "plans", "state"),
    *("matching", "by_class", "printed_rows", "reading", "explain"),
)
"""The packages of `checkers/conformance` through which a log passes, the lowest first."""


def run_time_imports(path: Path) -> set[str]:
    """Return the modules that a file imports, without what it imports for its annotations alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    return modules(path, imports_in(tree))


def test_a_package_through_which_a_log_passes_imports_lower_ones_alone() -> None:
    """Of the packages of conformance each imports those before it, and none of a checker that uses them."""
    conformance = ROOT / "checkers" / "conformance"
    wrong = {}
    for at, layer in enumerate(LAYERS):
        for path in sorted((conformance / layer).glob("*.py")):
            below = {name.split(".")[2] for name in run_time_imports(path) if name.startswith("checkers.conformance.")}
            if found := below - set(LAYERS[: at + 1]):
                wrong[f"{layer}/{path.name}"] = found
    assert wrong == {}
