"""Errors in a table's Python file, as one sentence: file, line, what is wrong, and the nearest right name."""

from __future__ import annotations

import builtins
import difflib
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

import fencepost

_ROOT = Path(fencepost.__file__).parent
_LANGUAGE = _ROOT / "model" / "language"
_TABLES = _ROOT / "model"


def in_tables(path: Path) -> bool:
    """Return whether a file belongs to the tables that come with fencepost (and not to their language)."""
    return path.is_relative_to(_TABLES) and not path.is_relative_to(_LANGUAGE)


def table_fault(error: Exception, user_file: Path | None = None) -> str | None:
    """Return what is wrong with a table's file as a sentence, or None for an error that does not come from one.

    The error comes from a table's file if the innermost frame outside the table language is in `user_file`, beside
    it, or in the tables that come with fencepost.
    """

    def mine(path: Path) -> bool:
        return in_tables(path) or (
            user_file is not None and path.is_relative_to(user_file.parent) and not _installed(path)
        )

    if isinstance(error, SyntaxError) and error.filename and mine(Path(error.filename)):
        return f"{error.filename}:{error.lineno}: this is not Python ({error.msg}); correct the line"
    found = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not Path(frame.f_code.co_filename).is_relative_to(_LANGUAGE)
    ]
    if not found or not mine(Path(found[-1][0].f_code.co_filename)):
        return None
    frame, line = found[-1]
    place = f"{_short(Path(frame.f_code.co_filename), user_file)}:{line}"
    if isinstance(error, NameError):
        known = {*frame.f_locals, *frame.f_globals, *dir(builtins)}
        return f"{place}: the name {error.name} is not defined; {_near(error.name, known)}"
    if isinstance(error, AttributeError):
        known = set(dir(error.obj)) if error.obj is not None else set()
        return f"{place}: {error}; {_near(error.name, known)}"
    if isinstance(error, ImportError):
        return f"{place}: {_import(error)}"
    return f"{place}: {type(error).__name__}: {error}; correct the line"


def _installed(path: Path) -> bool:
    return "site-packages" in path.parts or (path.is_relative_to(_ROOT) and not path.is_relative_to(_TABLES))


def _short(path: Path, user_file: Path | None) -> str:
    if user_file is not None and path == user_file.resolve():
        return str(user_file)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else str(path)


def _import(error: ImportError) -> str:
    # Python says the name itself only from 3.12 on.
    matched = re.match(r"cannot import name '(\w+)'", str(error))
    module = sys.modules.get(error.name or "")
    if matched is None or module is None:
        return f"{error}; correct the import"
    return f"{error.name} has no name {matched[1]}; {_near(matched[1], set(dir(module)))}"


def _near(name: str | None, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name or "", sorted(k for k in known if not k.startswith("__")), 1)
    return f"did you mean {close[0]}?" if close else "define or import it"
