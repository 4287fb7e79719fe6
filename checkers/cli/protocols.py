"""Protocols as the command line names them: `kraft`, `kraft@4.2`, `kraft+NAME`, or `path/to/file.py:NAME` for yours."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Collection
from pathlib import Path
from types import ModuleType

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol, TableError
from fencepost.model.registry import FAMILIES, Family, find

from .faults import table_fault

HELP = (
    f"{', '.join(FAMILIES)}; kraft@4.2 for a release, kraft+NAME for a variant of any of them, "
    "or path/to/file.py:NAME for yours"
)
"""How the commands' help describes a protocol's name."""
BOUND_HELP = "The name of a bound, such as tiny; if left out, you are told which the protocol has."
"""How the commands' help describes a bound."""

_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w+))?")


def is_file(name: str) -> bool:
    """Return whether a name is that of a Python file, with or without the protocol's name in it."""
    return _FILE.fullmatch(name) is not None


def family(name: str) -> Family:
    """Return the protocol of a name; raises `UnknownProtocol`, `TableError`, or `Refusal`."""
    matched = _FILE.fullmatch(name)
    if matched is None:
        return find(name)
    path, wanted = Path(matched["path"]), matched["name"]
    if not path.is_file():
        raise Refusal(f"{path}: there is no such file; name a Python file that defines a protocol")
    protocols = {k: v for k, v in vars(_loaded(path)).items() if isinstance(v, Protocol)}
    if wanted is None:
        if len(protocols) != 1:
            names = ", ".join(sorted(protocols)) or "none"
            raise Refusal(f"{path}: defines the protocols {names}; say which one, as in {path}:NAME")
        wanted = next(iter(protocols))
    if wanted not in protocols:
        raise Refusal(f"{path}: no protocol is called {wanted}; use one of {', '.join(sorted(protocols)) or 'none'}")
    found = protocols[wanted]
    return Family(found.name, lambda: found, lambda: (found,), str(path))


def explored(found: Family, bound: str | None) -> Protocol:
    """Return the slice of a protocol that has a bound; raises `Refusal` for an unknown bound, or none."""
    if bound is None:
        known = list(found.bounds)
        said = f", as in --bound {known[0]}; there are {', '.join(known)}" if known else "; the protocol has none"
        raise Refusal(f"{found.name}: say at which bound{said}")
    if bound not in found.bounds:
        raise Refusal(f"{found.name}: has no bound {bound!r}; use one of {', '.join(found.bounds) or 'none'}")
    return found.bounds[bound]


def claims(protocol: Protocol, ids: Collection[str]) -> list[str]:
    """Return what some properties claim, a line each, in the protocol's order."""
    return [f"    {one.id} claims: {one.about}" for one in protocol.properties if one.id in ids and one.about]


def _loaded(path: Path) -> ModuleType:
    """Run a Python file as a module; its own folder can be imported from, as when Python runs a script."""
    resolved = path.resolve()
    spec = importlib.util.spec_from_file_location(f"fencepost_table_{path.stem}", resolved)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(resolved.parent))
    try:
        spec.loader.exec_module(module)
    except (TableError, Refusal):
        raise
    except Exception as error:
        said = table_fault(error, path if path.is_absolute() else path.resolve())
        raise Refusal(said or f"{path}: cannot be run ({type(error).__name__}: {error}); correct the file") from error
    finally:
        sys.path.remove(str(resolved.parent))
    return module
