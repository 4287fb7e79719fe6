"""Module-level names: each is bound once in its file, and a package defines no value under two names."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("model", "reference", "traces", "checkers", "tests")

DISTINCT_OBJECTS = frozenset({"TypeVar", "Typer", "fixture", "optional", "parallel", "partial", "required", "var"})
"""Functions and methods each of whose calls makes an object of its own: variables, fields of a record, commands."""

SHORT = 25
"""A definition of at most this many characters says no more than a name would."""


def files() -> list[Path]:
    """Return every Python file of the product and of the tests."""
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def _targets(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, (ast.Tuple, ast.List)):
        for one in node.elts:
            yield from _targets(one)
    elif isinstance(node, ast.Starred):
        yield from _targets(node.value)


def _is_overload(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)


def bound(tree: ast.Module) -> Counter[str]:
    """Count the statements of a module's top level that bind each name; the signatures of an overload are none."""
    names: Counter[str] = Counter()
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names.update(name for target in node.targets for name in _targets(target))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            names.update(_targets(node.target))
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not _is_overload(node):
            names[node.name] += 1
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name for alias in node.names if alias.name != "*")
    return names


def _makes_another(value: ast.expr) -> bool:
    """Return whether evaluating the expression twice gives two objects that are meant to differ."""
    if not isinstance(value, ast.Call):
        # A type alias says what its values mean under its own name; two paths may be equal by chance.
        return isinstance(value, (ast.Constant, ast.Subscript, ast.Attribute, ast.Name))
    name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    return name in DISTINCT_OBJECTS


def definitions(source: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each module-level name that an expression defines, with the text of the expression, blanks left out."""
    lines = source.encode().splitlines(keepends=True)
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value, last = node.value, node.value.end_lineno or 0
            written = [*lines[value.lineno - 1 : last - 1], lines[last - 1][: value.end_col_offset]]
            written[0] = written[0][value.col_offset :]
            text = "".join(b"".join(written).decode().split())
            if len(text) > SHORT and not _makes_another(value):
                yield node.targets[0].id, text


@dataclass(frozen=True)
class Names:
    """What a file binds at its top level more than once, and what it defines there by an expression."""

    twice: list[str]
    defined: list[tuple[str, str]]


@cache
def names_of(path: Path) -> Names:
    """Return the names of a file, which is parsed once for both claims."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    return Names([name for name, count in bound(tree).items() if count > 1], [*definitions(source, tree)])


def defined_twice(package: dict[str, list[tuple[str, str]]]) -> list[list[str]]:
    """Return the groups of names, as `file:name`, that the files of one package define by the same expression."""
    found = defaultdict(list)
    for file, defined in package.items():
        for name, text in defined:
            found[text].append(f"{file}:{name}")
    return [names for names in found.values() if len(names) > 1]


def test_a_name_is_bound_once_in_its_file() -> None:
    """No file assigns, defines or imports a module-level name twice."""
    assert {str(path.relative_to(ROOT)): names for path in files() if (names := names_of(path).twice)} == {}


def test_a_package_defines_a_value_under_one_name() -> None:
    """No two module-level names of a package's files are defined by the same expression."""
    packages: dict[Path, dict[str, list[tuple[str, str]]]] = defaultdict(dict)
    for path in files():
        if not path.is_relative_to(ROOT / "tests"):
            packages[path.parent][path.name] = names_of(path).defined
    twice = {str(folder.relative_to(ROOT)): defined_twice(defined) for folder, defined in packages.items()}
    assert {folder: names for folder, names in twice.items() if names} == {}


@pytest.mark.parametrize(
    "text", ["a = 1\na = 1", "a, b = 1, 2\nb: int = 3", "def a(): ...\na = 1", "import a\nfrom b import a"]
)
def test_a_second_binding_is_seen(text: str) -> None:
    """Assignments, definitions and imports count alike."""
    assert 2 in bound(ast.parse(text)).values()


def test_a_second_definition_is_seen() -> None:
    """Equal expressions of two files are found; variables, short values and values of other files are not."""
    same = 'leader_stays = next_(leader[p]).is_(leader[p])\nb = BROKER.var("the broker meant")\nnone = ()'
    sources = {"a.py": same, "b.py": same.replace("leader_stays", "kept")}
    found = defined_twice({file: [*definitions(text, ast.parse(text))] for file, text in sources.items()})
    assert found == [["a.py:leader_stays", "b.py:kept"]]
