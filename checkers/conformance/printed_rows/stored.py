"""What was printed of a release's tables, stored in the user's cache folder and read by later processes.

An entry has the code of all printed functions of one release under some settings, and which row, record or claim each
of them is of. What they were printed from, the plans of rows and the terms of claims, is not in it: it is made again
where something more is printed. An entry is named by what decides it: the sources of the tables and of what prints
them, the release, the settings and the Python; one of anything else is never looked at.
"""

from __future__ import annotations

import io
import marshal
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from fencepost.checkers import keeping
from fencepost.checkers.conformance.plans.plans import Plans, Writer
from fencepost.checkers.conformance.records.facts import LogFacts
from fencepost.checkers.conformance.state.properties import Claims, Plan
from fencepost.checkers.conformance.state.replay import Layout
from fencepost.model.language import Protocol, Record, Row, Term, Var
from fencepost.model.language.fingerprint import digest_of
from fencepost.model.releases import RELEASES

from .claims import printed as printed_claims
from .units import printer_of, printers

FOLDER: Final = "printed"
"""The folder of entries in the user's cache folder."""

MOST: Final = 30
"""The number of entries that are kept: each state of the sources has its own."""

SOURCES: Final = ("model", "checkers/printing", "checkers/conformance")
"""The folders of the package whose files decide what is printed."""

_COPIED: Final = ("_names", "_constants", "indexed", "unwritten")
"""What a printer has beside its functions: the names that it gave so far, and the indexes that functions read."""


@dataclass(frozen=True, eq=False)
class Store:
    """A store of the functions that are printed over one layout, with the rows and claims that they are of."""

    key: str
    layout: Layout
    plans: Plans
    claims: Claims

    def load(self) -> bool:
        """Take what an entry has; False, with nothing taken, where there is none, or none to be believed."""
        folder = keeping.cache_folder(FOLDER)
        file = None if folder is None else self._file(folder)
        content = None if file is None else keeping.sealed(file, self.key)
        if file is None or content is None:
            return False
        try:
            self._take(content)
        except Exception as error:  # whatever an altered entry whose digest fits may raise
            vars(self.layout).pop("printer", None)
            printers.pop(self.layout, None)
            keeping.not_believed(file, f"cannot be read ({type(error).__name__})")
            return False
        return True

    def save(self) -> None:
        """Write an entry where something was printed that no entry has."""
        printer = self.layout.printer
        folder = keeping.cache_folder(FOLDER) if printer.defined else None
        if folder is None:
            return
        with suppress(pickle.PicklingError, AttributeError, TypeError):  # how one says that a value has no name
            keeping.seal(self._file(folder), self.key, self._content())
            printer.defined = 0
            _drop_oldest(folder)

    def _file(self, folder: Path) -> Path:
        return folder / f"{self.key}.printed"

    def _content(self) -> bytes:
        printer, rows = self.layout.printer, printer_of(self.layout)
        codes, values = {}, {}
        for name, value in printer.space.items():
            if isinstance(value, FunctionType) and value.__globals__ is printer.space and value.__name__ == name:
                codes[name] = value.__code__
            elif name not in printer.unprinted and name != "__builtins__":
                values[name] = value
        about = {
            "space": values,
            "printer": {name: getattr(printer, name) for name in _COPIED},
            "rows": (rows.names, rows.rows, rows.writes, rows.numbers, rows.alike),
            "replays": self.layout.printed,
            "claims": printed_claims.get(self.claims),
        }
        stream = io.BytesIO()
        _Pickler(stream, self).dump(about)
        return marshal.dumps((marshal.dumps(codes), stream.getvalue()))

    def _take(self, content: bytes) -> None:
        codes, about = marshal.loads(content)
        printer, rows = self.layout.printer, printer_of(self.layout)
        space = printer.space
        space.update({name: FunctionType(code, space, name) for name, code in marshal.loads(codes).items()})
        found = _Unpickler(io.BytesIO(about), self).load()
        space.update(found["space"])
        for name in _COPIED:
            setattr(printer, name, found["printer"][name])
        rows.names, rows.rows, rows.writes, rows.numbers, rows.alike = found["rows"]
        claims = found["claims"]
        self.layout.printed.update(found["replays"])
        if claims is not None:
            printed_claims[self.claims] = claims

    # -- what has a name, and is not in an entry ---------------------------------------------------------------------
    def _objects(self) -> Iterator[tuple[Any, Any]]:
        """Yield the objects that entries name, each with its name."""
        layout, protocol = self.layout, self.layout.protocol
        yield layout, "layout"
        yield layout.initial, "initial"
        yield layout.printer, "printer"
        yield layout.printer.space, "space"
        yield printer_of(layout), "rows"
        yield self.claims, "claims"
        yield FunctionType, "function"
        yield from ((record, ("record", record.name)) for record in protocol.records)
        yield from ((row, ("row", row.id)) for row in protocol.rows)
        yield from ((writer, ("writer", number)) for number, writer in enumerate(self.plans.rows))
        yield from ((value, ("given", name)) for name, value in layout.given.items() if callable(value))
        of_rows = (plan for plans in self.claims.of_rows.values() for plan in plans)
        plans = dict.fromkeys((*self.claims.plans, *self.claims.failovers, *of_rows))
        yield from ((plan, ("claim", number)) for number, plan in enumerate(plans))


class _Pickler(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, store: Store) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self._space = store.layout.printer.space
        self._names = {id(one): name for one, name in store._objects()}

    def persistent_id(self, obj: Any) -> Any:
        name = self._names.get(id(obj))
        if name is None and isinstance(obj, FunctionType) and obj.__globals__ is self._space:
            name = ("printed", obj.__name__)
        return name

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Var):
            return Var, (obj.name, obj.kind)  # equal terms are one object
        if isinstance(obj, (Term, Record, Row, Protocol, Writer, Plan)):
            raise pickle.PicklingError(f"{obj!r} is no part of an entry")
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, store: Store) -> None:
        super().__init__(stream)
        self._space = store.layout.printer.space
        self._named = {name: one for one, name in store._objects()}

    def persistent_load(self, name: Any) -> Any:
        return self._space[name[1]] if name[0] == "printed" else self._named[name]


_stores: list[Store] | None = None
"""The stores of this process; None where it has none."""


def use() -> None:
    """Read and write entries in this process from here on, for what is prepared from here on.

    A process that does not ask for it, as a test that alters what is printed, has none.
    """
    global _stores
    _stores = [] if _stores is None else _stores


def attach(layout: Layout, plans: Plans, claims: Claims, given: tuple[tuple[str, Any], ...], facts: LogFacts) -> None:
    """Take what is stored of a layout that is new, where the process uses a store, and the tables are a release's."""
    name = None if _stores is None else _release(layout.protocol)
    if _stores is None or name is None:
        return
    key = keeping.key(name, repr(given), digest_of(facts), _sources(), sys.version)
    store = Store(key, layout, plans, claims)
    store.load()
    _stores.append(store)


def save() -> None:
    """Write the entries of what this process has printed so far."""
    for store in _stores or ():
        store.save()


def _release(protocol: Protocol) -> str | None:
    """Return the name of a release's tables, None of others: a name alone does not say what is in these."""
    for name, release in RELEASES.items():
        if release.newer is None and release.newest is protocol:
            return name
        for how in ("for_logs", "migrating"):
            if vars(release).get(how) is protocol:
                return f"{name} {how}"
    return None


@cache
def _sources() -> str:
    """Return what identifies the files that decide what is printed, as Python knows whether a compiled module is of a
    file: by size and times."""
    root = Path(__file__).resolve().parents[3]
    found = [str(root)]
    waiting = [str(root / one) for one in SOURCES]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for one in entries:
                if one.is_dir(follow_symlinks=False):
                    waiting.append(one.path)
                elif one.name.endswith(".py"):
                    known = one.stat()
                    found.append(f"{one.path} {known.st_size} {known.st_mtime_ns} {known.st_ctime_ns}")
    return keeping.key(*sorted(found))


def _drop_oldest(folder: Path) -> None:
    """Remove the entries that were written first where there are too many."""
    with suppress(OSError):
        for old in sorted(folder.glob("*.printed"), key=lambda one: one.stat().st_mtime)[:-MOST]:
            old.unlink(missing_ok=True)


__all__ = ["Store", "attach", "save", "use"]
