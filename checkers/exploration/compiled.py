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
from fencepost.model.language.fingerprint import digest_of
from fencepost.model.language.kinds import EnumKind

from . import cycles, driving, helpers, loops, native, pending, table
from .expansion import Expansion
from .kernel import check_function, row_function, step_function
from .layout import Layout, Numbers
from .machine import Param
from .native import FULL, QUICK, Grade, Known, Shape, Source
from .plan import Plan, RowPlan
from .printer import Printer

BUFFER = 256
"""Successors that a row's function may give at once: so few that they are still in the cache when they are packed."""

COST = 20e-6
"""Seconds that `FULL` code takes to make, for a character of text: measured on the rows and steps of KRaft."""

MOST_LISTED = 5000
"""Functions that a listing has at most: those of one protocol and of many variants of it."""

_NUMBER, _FLAT, _ROWS, _FLAGS = Param(), Param(1), Param(2), Param(1, "uint8")
_SLOTS, _SMALL, _MARKS = Param(1, "int32"), Param(1, "int16"), Param(2, "uint8")
_CELLS = (_FLAT,) * 5
_ROW = (_ROWS, _FLAT, _FLAT, _FLAGS, _FLAT, _ROWS, _FLAT, _FLAT)
_BUFFERS = (_ROWS, _FLAT, _FLAT, _FLAT, _ROWS, _FLAT, _FLAT)
_TREE = (_FLAT, _FLAT, _FLAT, _NUMBER, _FLAT, _FLAT, _FLAT, _SLOTS)
_TABLE = (Param(1, "uint32"),) * 2

SHAPES: dict[str, Shape] = {
    "row": Shape((_ROWS, _NUMBER, _NUMBER, *_ROW), 3),
    "check": Shape((_ROWS, _FLAT), 0),
    "step": Shape((_ROWS, _FLAT, _ROWS, _FLAT, _FLAT), 1),
    "unpack": Shape((_ROWS, *_CELLS, _ROWS), 0),
    "advance": Shape(
        (
            _FLAT,
            _FLAT,
            _NUMBER,
            _NUMBER,
            _FLAT,
            _FLAT,
            _FLAT,
            _ROWS,
            _FLAGS,
            *_BUFFERS,
            _ROWS,
            _ROWS,
            _ROWS,
            *(_FLAT,) * 12,
            *_TREE[:4],
            _ROWS,
            *_TREE[5:],
            _NUMBER,
            _FLAGS,
            *(_FLAT,) * 3,
            _SLOTS,
            _FLAT,
            _ROWS,
            _FLAT,
            _ROWS,
            _ROWS,
            _ROWS,
            *(_FLAT,) * 9,
            _ROWS,
            _ROWS,
        ),
        1,
    ),
    "fold": Shape((_ROWS, _ROWS, *_TREE, _FLAT), 0),
    "gather": Shape((_FLAT, _SLOTS, *(_NUMBER,) * 4, _FLAT, _FLAT, _SLOTS, _SMALL, _NUMBER), 1),
    "insert": Shape((_FLAT, *(_NUMBER,) * 3, _FLAT, *_TABLE, _NUMBER, _NUMBER, _FLAT, _SLOTS, _NUMBER), 2),
    "merge": Shape((_ROWS, Param(2, "int32"), _FLAT, _SLOTS, _NUMBER), 0),
    "move": Shape((_NUMBER, _NUMBER, _FLAT, *_TABLE, _FLAT, *_TABLE), 1),
    "follow": Shape((_NUMBER, Param(1, "uint32"), _SLOTS), 0),
    "read": Shape((_SLOTS, _FLAT, *_TABLE, _FLAT), 0),
    "unfold": Shape((_FLAT, _FLAT, _FLAT, _NUMBER, _FLAT, _FLAT, _ROWS, _ROWS), 0),
    "rehash_nodes": Shape((_FLAT, _NUMBER, _SLOTS), 0),
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
        self.function, self._address = found, native.placed(source, self.grade)
        self.compile_seconds += time.perf_counter() - started

    def _earn(self) -> None:
        """Become full code, where that is earned."""
        if self.grade is not FULL and self.seconds > COST * self.source.size:
            began = time.perf_counter()
            self.function, self.grade = native.compiled(self.source, FULL), FULL
            self._address = native.placed(self.source, FULL)
            self.compile_seconds += time.perf_counter() - began

    @property
    def is_timed(self) -> bool:
        """Whether it may become better code by the time that it takes."""
        return self.grade is not FULL

    @property
    def address(self) -> int:
        """Where its machine code is, for other compiled code to call it; the caller adds to its `seconds`."""
        self._earn()
        return self._address

    def __call__(self, *given: Any) -> Any:
        """Call the function."""
        self._earn()
        if self.grade is FULL:
            return self.function(*given)
        started = time.thread_time()
        found = self.function(*given)
        self.seconds += time.thread_time() - started
        return found


def standing(module: ModuleType, name: str, *beside: ModuleType) -> Graded:
    """Return a function of a file, which no protocol changes: full code, since every run calls it.

    What it calls is in its file too, or in those `beside`.
    """
    constants = {key: value for key, value in vars(module).items() if key.isupper() and isinstance(value, int)}
    texts = tuple(map(text_of, (module, *beside)))
    return Graded(Source(name, SHAPES[name], texts, constants=constants), at_once=True)


class Loops:
    """The compiled loops that no protocol changes."""

    def __init__(self) -> None:
        self.unpack, self.fold, self.unfold, self.rehash_nodes = (
            standing(loops, name) for name in ("unpack", "fold", "unfold", "rehash_nodes")
        )
        self.advance = standing(driving, "advance", loops)
        self._of_table: dict[str, Graded] = {}

    def of_table(self, name: str) -> Graded:
        """Return a function of `table`, which only a store in memory needs; it is compiled when first asked for."""
        found = self._of_table.get(name)
        if found is None:
            found = self._of_table[name] = standing(table, name)
        return found

    def registers(self, layout: Layout, words: Numbers, rows: Numbers | None = None) -> Numbers:
        """Return the registers of packed states, shape (n, cells + 1), in `rows` where these are given."""
        if rows is None:
            rows = np.zeros((len(words), layout.fault + 1), np.int64)
        self.unpack(words, layout.low, layout.none, layout.word, layout.shift, layout.mask, rows)
        return rows

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
    """The hashes of the texts of functions, kept in the cache, so that what is compiled is not printed again.

    A function is listed by a digest of what it is printed from, so that a variant lists its changed rows alone. The key
    of the whole is a hash of the cells of the state, and of all code that has a part in printing.
    """

    def __init__(self, plan: Plan) -> None:
        layout = plan.layout
        kinds = plan.protocol.kinds
        parts = [
            printing(),
            digest_of(layout.states),
            *sorted(map(digest_of, kinds)),
            repr(sorted(plan.bound.sizes.items())),
        ]
        parts += sorted(f"{kind}: {', '.join(kind.enum.__members__)}" for kind in kinds if isinstance(kind, EnumKind))
        self._key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
        content = native.read(self._key)
        self._known: dict[str, tuple[str, int]] = {} if content is None else json.loads(content)
        self._asked: set[str] = set()
        self._changed = False

    def known(self, key: str) -> tuple[str, int] | None:
        """Return the hash of a function's text and how long it is, None for one that is not listed."""
        self._asked.add(key)
        return self._known.get(key)

    def note(self, key: str, source: Source) -> None:
        """List a function."""
        self._known[key] = (source.digest, source.size)
        self._changed = True

    def keep(self) -> None:
        """Write the listing where it has become longer; one that is too long without what was not asked for."""
        if self._changed:
            if len(self._known) > MOST_LISTED:
                self._known = {key: one for key, one in self._known.items() if key in self._asked}
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

    def _function(
        self, key: tuple[str, ...], printed_from: Callable[[], tuple[Any, ...]], lines: Callable[[Printer], list[str]]
    ) -> Graded:
        found = self.functions.get(key)
        if found is None:
            with self._making:
                return self.functions.get(key) or self._made(key, printed_from(), lines)
        return found

    def _made(
        self, key: tuple[str, ...], printed_from: tuple[Any, ...], lines: Callable[[Printer], list[str]]
    ) -> Graded:
        started = time.perf_counter()

        def printed() -> Source:
            printer = Printer(self.layout, columns=False)
            return source_of(printer, shape, SHAPES[shape], lines(printer))

        shape = key[0]
        listed = hashlib.sha256(digest_of((shape, *printed_from)).encode()).hexdigest()[:32]
        source: Source | Known
        known = self.listing.known(listed)
        if known is None:
            source = printed()
            self.listing.note(listed, source)
        else:
            source = Known(shape, SHAPES[shape], *known, printed)
        spent = time.perf_counter() - started
        function = self.functions[key] = Graded(source, self.at_once)
        function.compile_seconds += spent
        return function

    @property
    def successors(self) -> int:
        """How many successors the buffers hold."""
        return len(self._out)

    @property
    def moments(self) -> int:
        """How many moments the buffers hold."""
        return len(self._mids)

    @property
    def buffers(self) -> tuple[NDArray[Any], ...]:
        """What a row's function fills, as `loops.advance` takes it."""
        return (self._out, self._source, self._code, self._parts, self._mids, self._mid_of, self._mid_code)

    def enlarge(self) -> None:
        """Take larger buffers: one state has more successors or moments than these hold."""
        self._room(4 * len(self._out), 4 * len(self._mids))

    def row(self, number: int) -> Graded:
        """Return the function of a row."""
        row = self.plan.printed[number]
        return self._function(
            ("row", row.row.id),
            lambda: (row.row.params, row.conditions, row.row.stages, row.moments),
            lambda p: row_function(p, "row", row),
        )

    def expand(self, number: int, cells: Numbers, start: int, alive: NDArray[np.uint8]) -> Expansion:
        """Return successors by one row of the states from `start` on, as many as the buffers hold.

        Marks in `alive` the states in which its guard holds.
        """
        function = self.row(number)
        while True:
            stop, k, m = function(
                cells, start, len(cells), self._out, self._source, self._code, alive, self._parts,
                self._mids, self._mid_of, self._mid_code,
            )  # fmt: skip
            if stop > start or start == len(cells):
                break
            self.enlarge()
        return self.expansion(stop, k, m)

    def expansion(self, stop: int, k: int, m: int) -> Expansion:
        """Return what the buffers hold: so many successors and moments."""
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

    def checking(self, properties: Sequence[Always | Sometimes]) -> Graded:
        """Return the function of a few properties of one state."""
        key = ("check", *[p.id for p in properties])
        return self._function(
            key,
            lambda: tuple((isinstance(p, Sometimes), p.term) for p in properties),
            lambda p: check_function(p, "check", properties),
        )

    def check(self, properties: Sequence[Always | Sometimes], rows: Numbers, found: Numbers) -> None:
        """Set in `found`, where it is -1, the first of the rows that shows each property's failure or its witness."""
        self.checking(properties)(rows, found)

    def stepping(self, one: Step, row: RowPlan | None) -> Graded:
        """Return the function of a property of two states, with the parameters of a row where it names any."""
        key = ("step", one.id, row.row.id if row else "")
        return self._function(
            key, lambda: (one.term, row.row.params if row else None), lambda p: step_function(p, "step", one, row)
        )

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
        return int(self.stepping(one, row)(before, before_at, after, after_at, code))
