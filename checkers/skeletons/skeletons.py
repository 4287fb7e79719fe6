"""The text of a skeleton: a template, in which the names are filled in."""

from __future__ import annotations

import keyword
import re
import sys
import textwrap
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from fencepost.checkers.named import family, is_own
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol, Row, sentence
from fencepost.model.language.terms import Named
from fencepost.model.language.walk import conjuncts, nodes

STATES = 37
"""The states of the skeleton at its bound "tiny", which its test compares."""


@dataclass(frozen=True)
class Skeleton:
    """Files by their names, and the command line's name of the protocol that they define."""

    files: dict[str, str]
    protocol: str


def of_protocol(name: str) -> Skeleton:
    """Return the skeleton of a protocol of one's own; raises `Refusal` for a name that Python cannot import."""
    return _filled(_checked(name), "protocol", "test_protocol", {"STATES": str(STATES)})


def of_change(name: str, base: str, id: str | None, folder: Path) -> Skeleton:
    """Return the skeleton of a change of a protocol in one row: the one with an id, or the first whose guard has parts.

    Raises `Refusal` for a name that Python cannot import, a row that there is not, and a base in another folder.
    """
    _checked(name)
    tables = family(base).whole
    row = _row(tables, base, id)
    parts = conjuncts(row.when)
    named = next((node.name for node in nodes(row.when) if isinstance(node, Named) and not node.shown), "NAME")
    return _filled(
        name,
        "change",
        "test_change",
        {
            "BASE": base,
            "BASENAME": tables.name,
            "ROW": row.id,
            "TABLE": tables.table_of(row).name,
            "WAS": textwrap.fill(sentence(row), 110, initial_indent="    ", subsequent_indent="      "),
            "IMPORT": _imported(base, folder, "from fencepost.model.language.walk import conjuncts\n" if parts else ""),
            "NAMED": named,
            "EXAMPLE": "the last condition is dropped" if parts else "the row does nothing any more",
            "EDIT": "when=all_of(*conjuncts(row.when)[:-1])" if parts else "effects=()",
            "WORDS": "Protocol, all_of" if parts else "Protocol",
        },
    )


def _checked(name: str) -> str:
    """Return a name that Python can import and that hides nothing."""
    taken = {word.lower() for one in ("protocol", "change") for word in re.findall(r"\b[A-Z]+\b", _template(one))}
    if name in sys.stdlib_module_names or name == "fencepost" or name in taken:
        raise Refusal(f"{name}: is the name of something that the file itself uses; take another, as in my_{name}")
    if re.fullmatch(r"[a-z][a-z0-9_]*", name) is None or keyword.iskeyword(name):
        raise Refusal(f"{name}: cannot be the name of a Python file; use small letters, digits and _, as in my_lock")
    return name


def _row(tables: Protocol, base: str, id: str | None) -> Row:
    if id is None:
        found = [row for row in tables.rows if row.changes and len(conjuncts(row.when)) > 1]
        return (found or [row for row in tables.rows if row.changes] or list(tables.rows))[0]
    try:
        return tables.row(id)
    except KeyError:
        raise Refusal(f"--row {id}: {base} has no such row; see fencepost show {base}") from None


def _imported(base: str, folder: Path, edits: str) -> str:
    """Return the lines that import the base as BASE."""
    if not is_own(base):
        return f'{edits}from fencepost.model.registry import find\n\nBASE = find("{base}").whole'
    where, _, wanted = base.partition(":")
    if where.endswith(".py") and wanted.isidentifier():
        path = Path(where)
        if path.resolve().parent != folder.resolve():
            raise Refusal(f"--from {base}: is in another folder; write the change beside it (--to {path.parent})")
        return f"{edits}\nfrom {path.stem} import {wanted} as BASE"
    raise Refusal(f"--from {base}: name a protocol of ours, or one of a file as in FILE.py:NAME, without a variant")


def _filled(name: str, template: str, test: str, more: dict[str, Any]) -> Skeleton:
    names = {"NAME": name, "PROTOCOL": name.upper(), "FILE": f"{name}.py", **more}
    return Skeleton(
        {f"{name}.py": _text(template, names), f"test_{name}.py": _text(test, names)}, f"{name}.py:{name.upper()}"
    )


def _text(template: str, names: dict[str, Any]) -> str:
    return re.sub(r"@([A-Z]+)@", lambda found: str(names[found[1]]), _template(template))


def _template(name: str) -> str:
    return resources.files(__package__).joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")
