"""A protocol as a file had it at a revision of its repository: `table.py:NAME@HEAD~1`."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fencepost.checkers.named import family
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol

_AT = re.compile(r"(?P<file>.+?\.py)(?P<name>:[^@+]*)?@(?P<revision>[^+]+)(?P<variant>\+.*)?")


def of_name(name: str) -> Protocol:
    """Return the protocol of a name as every command knows it, or of a file at a revision of its git repository.

    The folder of the file is taken from the revision with it, and what the file imports from there. Raises `Refusal`,
    `UnknownProtocol`, or `TableError`.
    """
    matched = _AT.fullmatch(name)
    if matched is None:
        return family(name).whole
    path, revision = Path(matched["file"]), matched["revision"]
    folder = path.resolve().parent
    if not folder.is_dir() or revision.startswith("-"):
        raise Refusal(f"{name}: there is no folder {path.parent}; name a file of a git repository")
    # A tree, not a commit: git then says the paths as they are below it.
    archive = _git(folder, name, "archive", "--format=tar", f"{revision}:./")
    with tempfile.TemporaryDirectory() as made, _forgotten(Path(made)):
        with tarfile.open(fileobj=io.BytesIO(archive)) as listed:
            listed.extractall(made, filter="data")
        there = Path(made) / path.name
        if not there.is_file():
            raise Refusal(f"{name}: {path.name} is not in {revision}; name a revision that has it")
        with _forgotten(folder):
            found = family(f"{there}{matched['name'] or ''}{matched['variant'] or ''}").whole
    return found


def _git(folder: Path, name: str, *arguments: str) -> bytes:
    try:
        ran = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except FileNotFoundError as error:
        raise Refusal(f"{name}: git is not installed, and a revision is read with it") from error
    if ran.returncode:
        said = ran.stderr.decode(errors="replace").strip().splitlines()
        raise Refusal(f"{name}: git does not know it ({said[-1] if said else 'no reason given'})")
    return ran.stdout


@contextmanager
def _forgotten(folder: Path) -> Iterator[None]:
    """Hide a folder's modules for a while: those of the same names are imported anew, and forgotten then."""

    def inside() -> dict[str, object]:
        return {
            name: module
            for name, module in sys.modules.items()
            if (file := getattr(module, "__file__", None)) and Path(file).is_relative_to(folder)
        }

    kept = inside()
    for name in kept:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in inside():
            del sys.modules[name]
        sys.modules.update(kept)  # type: ignore[arg-type]


__all__ = ["of_name"]
