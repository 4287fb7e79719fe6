"""Protocols by their names: those of the registry, and those of a Python file or module of yours."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from fencepost.model import registry
from fencepost.model.language import Protocol, TableError
from fencepost.model.registry import Family

from .faults import table_fault
from .verdicts import Refusal

_OWN = re.compile(
    r"(?P<where>.+?\.py(?=[:+@]|$)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?=:)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?=[+@]|$))"
    r"(?::(?P<name>[^+@]*))?(?:@(?P<release>[^+]*))?(?:\+(?P<variant>.*))?"
)
"""A Python file or a dotted module, then `:NAME`, then `+VARIANT`."""


def is_own(name: str) -> bool:
    """Return whether a name is that of a Python file or of a module, with or without the protocol's name in it."""
    return _OWN.fullmatch(name) is not None and "://" not in name


def family(name: str) -> Family:
    """Return the protocol of a name; raises `UnknownProtocol`, `TableError`, or `Refusal`."""
    matched = _OWN.fullmatch(name) if is_own(name) else None
    if matched is None:
        return registry.find(name)
    where, wanted = matched["where"], matched["name"]
    module = _file(where) if where.endswith(".py") else _module(where, wanted is not None)
    if module is None:
        return registry.find(name)
    if matched["release"] is not None:
        raise Refusal(f"{name}: only kraft has releases; write {where}{f':{wanted}' if wanted else ''}")
    protocols = {k: v for k, v in vars(module).items() if isinstance(v, Protocol) and not k.startswith("_")}
    wanted = _wanted(where, wanted, protocols)
    found = protocols[wanted]
    if matched["variant"] is not None:
        found = _variant(f"{where}:{wanted}", found, matched["variant"], module)
    return Family(found.name, lambda: found, lambda: _slices(found, where), where)


def _slices(found: Protocol, where: str) -> tuple[Protocol, ...]:
    """Return what is explored of a protocol of a file: itself or, of a variant without bounds, its base's slices."""
    if found.bounds or found.base is None:
        return (found,)
    from .comparing.carried import slices_of
    from .comparing.differences import compare

    alone = Family(found.name, lambda: found, lambda: (found,), where)
    return slices_of(found.base, found, alone, compare(found.base, found, ask=False)) or (found,)


def _wanted(where: str, name: str | None, protocols: dict[str, Protocol]) -> str:
    """The name of the protocol that is meant: the one that is named, or the only one that is no variant of another."""
    known = ", ".join(sorted(protocols)) or "none"
    if not name:
        bases = [name for name, one in protocols.items() if one.base is None or one.base not in protocols.values()]
        if not protocols:
            raise Refusal(f"{where}: defines no protocol; name a file that calls protocol(...), or correct this one")
        if len(bases) != 1:
            raise Refusal(f"{where}: defines the protocols {known}; say which one, as in {where}:NAME")
        return bases[0]
    if name not in protocols:
        close = difflib.get_close_matches(name, list(protocols), 1)
        hint = f"did you mean {where}:{close[0]}?" if close else f"use one of {known}"
        raise Refusal(f"{where}: no protocol is called {name}; {hint}")
    return name


def _variant(where: str, of: Protocol, wanted: str, module: ModuleType) -> Protocol:
    """A variant as its file names it: a protocol made from `of`, or a function that makes one, or several in a row."""
    for number, name in enumerate(wanted.split("+")):
        variants = _variants(of, module)
        if number and isinstance(variants.get(name), Protocol):
            raise Refusal(
                f"{where}+{wanted}: {name} is a protocol by itself, and no change of another; "
                "write it first, or as a function of one `Protocol`"
            )
        of = _changed(where, of, name, variants)
    return of


def _variants(of: Protocol, module: ModuleType) -> dict[str, Protocol | Callable[..., Any]]:
    """Return a module's variants of a protocol, each under its name in the module."""
    root = of.base or of
    found: dict[str, Protocol | Callable[..., Any]] = {}
    for name, one in vars(module).items():
        if isinstance(one, Protocol):
            if one is not of and one.base is root:
                found[name] = one
        elif inspect.isfunction(one) and _takes_a_protocol(one):
            found[name] = one
    return found


def _takes_a_protocol(function: Callable[..., Any]) -> bool:
    """Whether the only parameter of a function is declared to be a protocol."""
    given = list(inspect.signature(function).parameters.values())
    return len(given) == 1 and given[0].annotation in (Protocol, "Protocol")


def _changed(where: str, of: Protocol, name: str, variants: dict[str, Protocol | Callable[..., Any]]) -> Protocol:
    one = variants.get(name)
    by_name = {v.name.removeprefix(f"{of.name}+"): v for v in variants.values() if isinstance(v, Protocol)}
    one = by_name.get(name) if one is None else one
    if one is None:
        close = difflib.get_close_matches(name, [*variants, *by_name], 1)
        known = f"there are {', '.join(sorted(variants))}" if variants else "its file has none"
        hint = f"did you mean {where}+{close[0]}?" if close else known
        raise Refusal(
            f"{where}+{name}: no variant has this name; {hint} (a variant is a protocol made from it, "
            "or a function of one `Protocol` that returns one, in the same file)"
        )
    if isinstance(one, Protocol):
        return one
    try:
        made = one(of)
    except (TableError, Refusal):
        raise
    except Exception as error:
        raise Refusal(
            f"{where}+{name}: the function cannot be called with a protocol ({type(error).__name__}: {error}); "
            "let it take one and return another"
        ) from error
    if not isinstance(made, Protocol):
        raise Refusal(f"{where}+{name}: the function returns a {type(made).__name__}; let it return a protocol")
    return made if made.name != of.name else replace(made, name=f"{of.name}+{name}")


class _Anew(SourceFileLoader):
    """Compiles a file each time that it is run.

    Python knows the code that it keeps of a file by the second in which that was written and by its size; a table may
    be edited, or stand at another revision, within that second.
    """

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the file as it is now."""
        return self.source_to_code(self.get_data(self.path), self.path)


def _file(where: str) -> ModuleType:
    """Run a Python file as a module; its own folder can be imported from, as when Python runs a script."""
    path = Path(where)
    if not path.is_file():
        raise Refusal(f"{path}: there is no such file; name a Python file that defines a protocol")
    resolved = path.resolve()
    name = f"fencepost_table_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, resolved, loader=_Anew(name, str(resolved)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with _imports_from(resolved.parent), _faults_of(path, resolved):
        spec.loader.exec_module(module)
    return module


def _module(where: str, certain: bool) -> ModuleType | None:
    """Import a module as `python -m` would, the current folder first; None where an uncertain one is not there."""
    with _imports_from(Path.cwd()):
        try:
            spec = importlib.util.find_spec(where)
        except (ImportError, ValueError):
            spec = None
        if spec is None or spec.origin is None:
            if not certain:
                return None
            if where in registry.FAMILIES:
                raise Refusal(f"{where}: comes with fencepost; write {where} alone, or {where}+NAME for a variant")
            raise Refusal(
                f"{where}: there is no such module in this folder or among the installed ones; "
                f"name one, or a file as in {where.replace('.', '/')}.py:NAME"
            )
        path = Path(spec.origin)
        with _faults_of(path, path):
            return importlib.import_module(where)


@contextmanager
def _imports_from(folder: Path) -> Iterator[None]:
    """Let modules of a folder be imported for a while."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


@contextmanager
def _faults_of(path: Path, resolved: Path) -> Iterator[None]:
    """Turn what running a file raises into one sentence with the file and the line."""
    try:
        yield
    except (TableError, Refusal):
        raise
    except Exception as error:
        said = table_fault(error, path if path.is_absolute() else resolved)
        raise Refusal(said or f"{path}: cannot be run ({type(error).__name__}: {error}); correct the file") from error
