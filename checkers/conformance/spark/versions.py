"""Requirements on driver and executors: they must have the same version of the package, and the same tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any


@cache
def here() -> tuple[str, str]:
    """Return the version of the package and a hash of the modules of all tables, as this process imports them.

    The text of the modules is hashed, from a folder or a zip: a hash of the tables takes a second in each worker.
    """
    found = hashlib.sha256()
    for name, text in _modules(files("fencepost") / "model", "model"):
        found.update(f"\n{name} {hashlib.sha256(text).hexdigest()}".encode())
    # By name: the whole package imports this one, and types are made in the order of imports.
    return import_module("fencepost").__version__, found.hexdigest()[:12]


def _modules(folder: Any, path: str) -> Iterator[tuple[str, bytes]]:
    for one in sorted(folder.iterdir(), key=lambda one: str(one.name)):
        if one.is_dir():
            yield from _modules(one, f"{path}/{one.name}")
        elif one.name.endswith(".py"):
            yield f"{path}/{one.name}", one.read_bytes()
