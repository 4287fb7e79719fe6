"""Star imports: tables have them, and tests that state tables, from modules that list their names, and no name has two
meanings in a file."""

import ast
import builtins
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .test_arrows import ROOT, files_of, imports_in

VOCABULARY = "model/language/vocabulary.py"
LANGUAGE = "model/language/__init__.py"
"""The vocabulary is part of what the language exports."""
OPENS_A_SCOPE = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@cache
def tree(path: Path) -> ast.Module:
    """Return a file, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


def stars(module: ast.Module) -> list[ast.ImportFrom]:
    """Return the star imports of a module, wherever they stand."""
    imports = [node for node in imports_in(module) if isinstance(node, ast.ImportFrom)]
    return [node for node in imports if node.names[0].name == "*"]


def source_of(path: Path, star: ast.ImportFrom) -> Path:
    """Return the file whose names a star import binds."""
    folder = ROOT if not star.level else path.parents[star.level - 1]
    parts = (star.module or "").removeprefix("fencepost.").split(".")
    return (folder.joinpath(*parts)).with_suffix(".py")


def exported(module: ast.Module) -> list[str] | None:
    """Return the names of `__all__`, None unless it is one list of strings, which type checkers can read."""
    for node in module.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]:
            names = node.value.elts if isinstance(node.value, ast.List) else [node.value]
            texts = [name.value for name in names if isinstance(name, ast.Constant) and isinstance(name.value, str)]
            return texts if len(texts) == len(names) else None
    return None


def bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement binds in its module, star imports apart: definitions, assignments, imports."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name != "*")
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, OPENS_A_SCOPE):
        yield from [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    else:
        for child in ast.iter_child_nodes(node):
            yield from bound(child)


def with_two_meanings(module: ast.Module, lists: list[list[str]]) -> list[str]:
    """Return the names that more than one of these give: the starred modules, the module itself, Python's builtins."""
    own = {name for statement in module.body for name in bound(statement)}
    counts = Counter(name for names in (*map(set, lists), own) for name in names)
    starred = {name for names in lists for name in names}
    return sorted(name for name in starred if counts[name] > 1 or hasattr(builtins, name))


@cache
def starring() -> list[Path]:
    """Return the files that have star imports."""
    paths = files_of("model", "reference", "traces", "checkers", "tests")
    return [path for path in paths if "import *" in path.read_text(encoding="utf-8") and stars(tree(path))]


def test_tables_alone_import_by_star() -> None:
    """A star import is at the top of a table's file, or of the language's own, and never inside a function.

    Tests that state tables, or edit their rows, import the vocabulary and the state of a protocol so, and nothing else.
    """
    named = {path.relative_to(ROOT).as_posix(): path for path in starring()}
    tests = [name for name in named if name.startswith("tests/")]
    sources = {source_of(named[name], star) for name in tests for star in stars(tree(named[name]))}
    assert {one for one in sources if one.name != "state.py"} == {ROOT / VOCABULARY}
    others = [name for name in named if not name.startswith("tests/")]
    outside = [name for name in others if not name.startswith("model/") or name.startswith("model/language/")]
    inside = [name for name, path in named.items() if not set(stars(tree(path))) <= set(tree(path).body)]
    assert (outside, inside) == ([LANGUAGE], [])


def test_what_is_starred_lists_its_names() -> None:
    """The vocabulary and state modules are what tables import by star, and each has `__all__` as a list of strings."""
    sources = {source_of(path, star) for path in starring() for star in stars(tree(path))}
    assert [str(path) for path in sources if exported(tree(path)) is None] == []
    names = {path.relative_to(ROOT).as_posix() for path in sources}
    assert {name for name in names if not name.endswith("/state.py")} == {VOCABULARY, "model/kraft/security_records.py"}


def test_no_name_has_two_meanings() -> None:
    """No two starred modules of a file have a name in common, and no file binds a name again that it has by star."""
    wrong = {}
    for path in starring():
        lists = [exported(tree(source_of(path, star))) or [] for star in stars(tree(path))]
        if found := with_two_meanings(tree(path), lists):
            wrong[str(path.relative_to(ROOT))] = found
    assert wrong == {}


def test_a_name_with_two_meanings_is_found() -> None:
    """Names that a module binds, or has by a second star, and builtins are found; names inside functions are not."""
    text = """
from .state import *
from .records import first as head, other
a, (b, c) = 1, (2, 3)
if a:
    d: int = 4
for e in range(2):
    f = [g for g in range(e)]
def h(i): j = 5
class k: l = 6
"""
    names = [*"abcdefghijkl", "head", "first"]
    assert with_two_meanings(ast.parse(text), [names, ["first", "m"], ["n", "sum"]]) == [
        *"abcdef",
        "first",
        "h",
        "head",
        "k",
        "sum",
    ]
