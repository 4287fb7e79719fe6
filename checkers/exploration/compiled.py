"""The compiled engine: printed functions as machine code, each made when it is first needed and kept in the user's
cache.

There are two grades. `QUICK` code takes a tenth of the time to make and runs slower; a function that has
run as long as its `FULL` code takes to make gets that. What a function returns does not depend on its grade.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache, cached_property
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fencepost.model import language
from fencepost.model.language import Always, Sometimes, Step
from fencepost.model.language.fingerprint import Digest, fingerprint

from . import cycles, helpers, loops, native, pending
from .expansion import Expansion
from .kernel import check_function, row_function, step_function
from .layout import Numbers
from .machine import Param
from .native import FULL, QUICK, Grade, Known, Shape, Source
from .plan import Plan, RowPlan
from .printer import Printer

BUFFER = 8192
"""Successors that a row's function may give at once."""

COST = 20e-6
"""Seconds that `FULL` code takes to make, for a character of text: measured on the rows and steps of KRaft."""

_NUMBER, _FLAT, _ROWS, _FLAGS = Param(), Param(1), Param(2), Param(1, "uint8")
_SLOTS, _SMALL, _MARKS = Param(1, "int32"), Param(1, "int16"), Param(2, "uint8")
_CELLS = (_FLAT,) * 5
_FOLDED = (_ROWS, _FLAGS, _FLAT, _NUMBER, _NUMBER, _ROWS, *(_FLAT,) * 4, _NUMBER, _FLAT, _ROWS, _NUMBER, _SLOTS)

SHAPES: dict[str, Shape] = {
    "row": Shape((_ROWS, _NUMBER, _NUMBER, _ROWS, _FLAT, _FLAT, _FLAGS, _FLAT, _ROWS, _FLAT, _FLAT), 3),
    "check": Shape((_ROWS, _FLAT), 0),
    "step": Shape((_ROWS, _FLAT, _ROWS, _FLAT, _FLAT), 1),
    "unpack": Shape((_ROWS, *_CELLS, _ROWS), 0),
    "pack": Shape((_ROWS, *_CELLS, _ROWS, _FLAGS), 0),
    "repack": Shape((_ROWS, _ROWS, _FLAT, _ROWS, *(_FLAT,) * 8, _ROWS, _FLAGS, _FLAT, _FLAT), 0),
    "insert": Shape((*_FOLDED, _SLOTS, _FLAT, _SLOTS, _SMALL, _NUMBER, *(_FLAT,) * 4), 2),
    "gather": Shape((*_FOLDED, *(_FLAT,) * 2, _SLOTS, _SMALL, _NUMBER, _FLAT), 2),
    "unfold": Shape((_FLAT, _FLAT, _FLAT, _NUMBER, _ROWS, _FLAT, _ROWS, _ROWS), 0),
    "unjudged": Shape((_ROWS, _FLAT, *_CELLS, _ROWS, _NUMBER, _FLAT, _ROWS), 1),
    "rehash": Shape((_FLAT, _NUMBER, _SLOTS), 0),
    "rehash_nodes": Shape((_ROWS, _NUMBER, _SLOTS), 0),
    "changed": Shape((_ROWS, _FLAT, _ROWS, _FLAT, _FLAT, _FLAT, _FLAT), 0),
    "pairs": Shape((_FLAT, _FLAT, _FLAT, _FLAT), 1),
    "search": Shape((_FLAT,) * 8, 1),
    "choose": Shape((_MARKS, _MARKS, *(_FLAT,) * 6, _FLAGS, _FLAT, _MARKS, *(_FLAT,) * 3), 0),
}
"""The parameters and results of every kind of function, by name."""


@cache
def text_of(module: ModuleType) -> str:
    """Return the text of a module of this package."""
    return Path(str(module.__file__)).read_text(encoding="utf-8")


class Graded:
    """A function that begins as quick code, or as full code that the cache has, and becomes full code once it has
    earned that.

    `at_once` makes full code from the start. What it has earned is counted in seconds of the processor, so that other
    work on the machine does not count.
    """

    def __init__(self, source: Source | Known, at_once: bool = False) -> None:
        self.source = source
        self.seconds, self.compile_seconds = 0.0, 0.0
        self.grade: Grade = FULL
        started = time.perf_counter()
        found = native.compiled(source, FULL) if at_once else native.cached(source, FULL)
        if found is None:
            self.grade, found = QUICK, native.compiled(source, QUICK)
        self.function = found
        self.compile_seconds += time.perf_counter() - started

    def __call__(self, *given: Any) -> Any:
        """Call the function."""
        if self.grade is FULL:
            return self.function(*given)
        if self.seconds > COST * self.source.size:
            began = time.perf_counter()
            self.function, self.grade = native.compiled(self.source, FULL), FULL
            self.compile_seconds += time.perf_counter() - began
            return self.function(*given)
        started = time.thread_time()
        found = self.function(*given)
        self.seconds += time.thread_time() - started
        return found


def standing(module: ModuleType, name: str) -> Graded:
    """Return a function that stands in a file and that no protocol changes: full code, since every run calls it."""
    constants = {key: value for key, value in vars(module).items() if key.isupper() and isinstance(value, int)}
    return Graded(Source(name, SHAPES[name], (text_of(module),), constants=constants), at_once=True)


class Loops:
    """The compiled loops that no protocol changes."""

    def __init__(self) -> None:
        self.unpack, self.pack, self.repack, self.unjudged, self.changed, self.pairs = (
            standing(loops, name) for name in ("unpack", "pack", "repack", "unjudged", "changed", "pairs")
        )
        self.insert, self.unfold, self.rehash, self.rehash_nodes = (
            standing(loops, name) for name in ("insert", "unfold", "rehash", "rehash_nodes")
        )

    @cached_property
    def gather(self) -> Graded:
        """`loops.gather`, which only a store on disk needs."""
        return standing(loops, "gather")


@cache
def compiled_search() -> Callable[..., Any]:
    """Return `cycles.search`, compiled."""
    return standing(cycles, "search")


def source_of(printer: Printer, name: str, shape: Shape, lines: Sequence[str]) -> Source:
    """Return printed lines, with the helpers that they may call, as what is compiled."""
    return Source(name, shape, ("\n".join(lines), text_of(helpers), text_of(pending)), dict(printer.values))


class Listing:
    """The hashes of the texts of a plan's functions, kept in the cache, so that what is compiled is not printed again.

    Its own key is a hash of the protocol, the bound, and all code that has a part in printing.
    """

    def __init__(self, plan: Plan) -> None:
        digest = Digest()
        told = (printing(), fingerprint(plan.protocol), digest.of(plan.bound))
        self._key = hashlib.sha256("\n".join(told).encode()).hexdigest()[:32]
        content = native.read(self._key)
        self._known: dict[str, tuple[str, int]] = {} if content is None else json.loads(content)
        self._changed = False

    def known(self, key: tuple[str, ...]) -> tuple[str, int] | None:
        """Return the hash of a function's text and how long it is, None for one that is not listed."""
        return self._known.get("\n".join(key))

    def note(self, key: tuple[str, ...], source: Source) -> None:
        """List a function."""
        self._known["\n".join(key)] = (source.digest, source.size)
        self._changed = True

    def keep(self) -> None:
        """Write the listing where it has become longer."""
        if self._changed:
            native.write(self._key, json.dumps(self._known).encode())
            self._changed = False


@cache
def printing() -> str:
    """Return a hash of all code that has a part in printing: of exploration and of the language of tables."""
    made = hashlib.sha256()
    for package in (Path(__file__).parent, Path(language.__file__).parent):
        for path in sorted(package.glob("*.py")):
            made.update(path.read_bytes())
    return made.hexdigest()


class CompiledEngine:
    """Rows and properties as compiled functions; `at_once` makes full code of each from the start."""

    name = "llvm"

    def __init__(self, plan: Plan, at_once: bool = False) -> None:
        self.plan, self.layout, self.at_once = plan, plan.layout, at_once
        self.functions: dict[tuple[str, ...], Graded] = {}
        self._making = RLock()
        self.listing = Listing(plan)
        self._room(BUFFER, BUFFER)

    def twin(self) -> CompiledEngine:
        """Return an engine with the same functions and room of its own, for another thread."""
        other = copy(self)
        other._room(BUFFER, BUFFER)
        return other

    @property
    def compile_seconds(self) -> float:
        """Seconds spent on printing functions, compiling them and loading them."""
        return sum(one.compile_seconds for one in self.functions.values())

    def _room(self, successors: int, moments: int) -> None:
        width = self.layout.fault + 1
        self._out = np.zeros((successors, width), np.int64)
        self._source, self._code, self._parts = (np.zeros(successors, np.int64) for _ in range(3))
        self._mids = np.zeros((moments, width), np.int64)
        self._mid_of, self._mid_code = (np.zeros(moments, np.int64) for _ in range(2))

    def _function(self, key: tuple[str, ...], shape: str, lines: Callable[[Printer], list[str]]) -> Graded:
        function = self.functions.get(key)
        if function is None:
            with self._making:
                return self.functions.get(key) or self._made(key, shape, lines)
        return function

    def _made(self, key: tuple[str, ...], shape: str, lines: Callable[[Printer], list[str]]) -> Graded:
        started = time.perf_counter()

        def printed() -> Source:
            printer = Printer(self.layout, columns=False)
            return source_of(printer, shape, SHAPES[shape], lines(printer))

        source: Source | Known
        known = self.listing.known(key)
        if known is None:
            source = printed()
            self.listing.note(key, source)
        else:
            source = Known(shape, SHAPES[shape], *known, printed)
        spent = time.perf_counter() - started
        function = self.functions[key] = Graded(source, self.at_once)
        function.compile_seconds += spent
        return function

    def expand(self, number: int, cells: Numbers, start: int, alive: NDArray[np.uint8]) -> Expansion:
        """Return successors by one row of the states from `start` on, as many as the buffers hold.

        Marks in `alive` the states in which its guard holds.
        """
        row = self.plan.printed[number]
        function = self._function(("row", row.row.id), "row", lambda p: row_function(p, "row", row))
        while True:
            stop, k, m = function(
                cells, start, len(cells), self._out, self._source, self._code, alive, self._parts,
                self._mids, self._mid_of, self._mid_code,
            )  # fmt: skip
            if stop > start or start == len(cells):
                break
            self._room(4 * len(self._out), 4 * len(self._mids))
        return Expansion(
            stop,
            self._out[:k],
            self._source[:k],
            self._code[:k],
            self._parts[:k],
            self._mids[:m],
            self._mid_of[:m],
            self._mid_code[:m],
        )

    def check(self, properties: Sequence[Always | Sometimes], rows: Numbers, found: Numbers) -> None:
        """Set in `found`, where it is -1, the first of the rows that shows each property's failure or its witness."""
        key = ("check", *(p.id for p in properties))
        self._function(key, "check", lambda p: check_function(p, "check", properties))(rows, found)

    def step(
        self,
        one: Step,
        row: RowPlan | None,
        before: Numbers,
        before_at: Numbers,
        after: Numbers,
        after_at: Numbers,
        code: Numbers,
    ) -> int:
        """Return the first step, from `before[before_at[i]]` to `after[after_at[i]]`, that fails, or -1."""
        key = ("step", one.id, row.row.id if row else "")
        function = self._function(key, "step", lambda p: step_function(p, "step", one, row))
        return int(function(before, before_at, after, after_at, code))
