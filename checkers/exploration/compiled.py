"""The numba engine: printed functions compiled one by one when they are first needed, kept in the user's cache."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import int16, int32, int64, types, uint8
from numpy.typing import NDArray

from fencepost.model.language import Always, Sometimes, Step

from . import cycles, helpers, loops, pending
from .columns import ColumnEngine
from .expansion import Expansion
from .kernel import check_function, row_function, stage_function, step_function
from .layout import Numbers
from .plan import Plan, RowPlan, StagePlan
from .printer import Printer

BUFFER = 8192
"""Successors that a row's function may give at once."""

WORTH = 0.3
"""Seconds on NumPy from which a function is worth compiling."""

SHARED = 30
"""Terms from which a stage that several rows share gets a function of its own."""

_ROWS = int64[:, ::1]
_FLAT = int64[::1]

SIGNATURES: dict[str, Any] = {
    "row": types.UniTuple(int64, 3)(_ROWS, int64, int64, _ROWS, _FLAT, _FLAT, uint8[::1], _FLAT, _ROWS, _FLAT, _FLAT),
    "check": types.void(_ROWS, _FLAT),
    "step": int64(_ROWS, _FLAT, _ROWS, _FLAT, _FLAT),
    "unpack": types.void(_ROWS, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _ROWS),
    "pack": types.void(_ROWS, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _ROWS, uint8[::1]),
    "place": int64(_ROWS, int64, int64),
    "insert": int64(_ROWS, uint8[::1], _FLAT, int64, int64, int32[::1], int64, _ROWS, int32[::1], int16[::1], int64),
    "unjudged": int64(_ROWS, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _ROWS, int64, _FLAT),
    "rehash": types.void(_ROWS, int64, int32[::1], int64),
    "pairs": int64(_FLAT, _FLAT, _FLAT, _FLAT),
    "components": int64(_FLAT, _FLAT, _FLAT),
}

_HEADER = "import numpy as np\nfrom numba import njit\n"


def cache_folder() -> Path:
    """Return the folder of compiled kernels, made if need be: `fencepost/kernels` in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "fencepost" / "kernels"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def load(text: str) -> ModuleType:
    """Return a generated text as a module that stands in the cache under the hash of its content."""
    digest = hashlib.sha256(f"{numba.__version__}\n{text}".encode()).hexdigest()[:24]
    name = f"kernel_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder() / f"{name}.py"
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def jit(module: ModuleType, name: str, shape: str) -> Callable[..., Any]:
    """Return a function of a generated module compiled for the signature of its shape."""
    compiled: Callable[..., Any] = numba.njit(SIGNATURES[shape], cache=True, error_model="numpy")(getattr(module, name))
    return compiled


def source_of(module: ModuleType) -> str:
    """Return the text of a module of this package."""
    assert module.__file__ is not None
    return Path(module.__file__).read_text(encoding="utf-8")


class Loops:
    """The compiled loops that no protocol changes."""

    def __init__(self) -> None:
        text = source_of(loops).replace("def place(", "@njit(cache=True)\ndef place(")
        module = load(text.replace("import numpy as np\n", _HEADER, 1))
        self.unpack, self.pack, self.insert, self.unjudged, self.rehash, self.pairs = (
            jit(module, name, name) for name in ("unpack", "pack", "insert", "unjudged", "rehash", "pairs")
        )


def compiled_components() -> Callable[..., Any]:
    """Return `cycles.components`, compiled."""
    module = load(source_of(cycles).replace("import numpy as np\n", _HEADER, 1))
    return jit(module, "components", "components")


HELPERS: dict[str, Any] = {
    "count": int64(int64),
    "elems": int64(int64, int64, int64),
    "first": int64(int64, int64, int64, int64),
    "keep": int64(int64, int64, int64, int64),
    "concat": int64(int64, int64, int64, int64),
    "ascending": int64(int64, int64, int64),
    "later": int64(int64, int64, int64, int64, _FLAT, _FLAT, _FLAT),
    "apply": int64(_FLAT, int64, int64, _FLAT, _FLAT, _FLAT),
    "groups": int64(int64, _FLAT),
    "moments": int64(_FLAT, int64, int64, _FLAT, _FLAT, _FLAT, _ROWS, _FLAT, _FLAT, int64, int64, int64),
}


def helper_module() -> ModuleType:
    """Return the helpers that rows call, compiled."""
    text = source_of(helpers) + source_of(pending)
    text = text.replace("from __future__ import annotations\n", "")
    for name in HELPERS:
        text = text.replace(f"\ndef {name}(", f"\n@njit(SIGNATURES[{name!r}], cache=True)\ndef {name}(")
    return load(_HEADER + "from fencepost.checkers.exploration.compiled import HELPERS as SIGNATURES\n" + text)


def module_of(printer: Printer, lines: Sequence[str], callees: Sequence[ModuleType] = ()) -> ModuleType:
    """Return printed lines as a module of the cache; `callees` hold functions that they call by the modules' names."""
    shared = helper_module()
    body = "\n".join(lines)
    used = [name for name in HELPERS if f"{name}(" in body]
    imports = [f"from {shared.__name__} import {', '.join(used)}"] if used else []
    imports += [f"from {callee.__name__} import stage as {callee.__name__}" for callee in callees]
    values = [f"{name} = np.array({list(v)}, np.int64)" for name, v in printer.values.items()]
    return load(_HEADER + "\n".join([*imports, *values, "", *lines, ""]))


class CompiledEngine:
    """Rows and properties as compiled functions.

    Given the NumPy engine, it leaves a function to that one until it has cost `WORTH` seconds there, so that rows that
    seldom apply are never compiled.
    """

    name = "numba"

    def __init__(self, plan: Plan, columns: ColumnEngine | None = None) -> None:
        self.plan, self.layout, self.columns = plan, plan.layout, columns
        self.compile_seconds = 0.0
        self._functions: dict[tuple[str, ...], Callable[..., Any]] = {}
        self._used = Counter((stage.stage.updates, stage.depth) for row in plan.rows for stage in row.stages)
        self._stages: dict[Any, ModuleType] = {}
        self._room(BUFFER, BUFFER)

    def _stage(self, row: RowPlan, stage: StagePlan) -> ModuleType | None:
        """Return the module with the function of a stage that several rows share."""
        key = (stage.stage.updates, stage.depth)
        if self._used[key] < 2 or stage.weight < SHARED:
            return None
        if key not in self._stages:
            printer = Printer(self.layout, columns=False)
            lines = stage_function(printer, "stage", row, stage)
            shape = f"int64(int64[::1], int64[::1], {'int64, ' * len(stage.params)}int64[::1], int64[::1], int64[::1])"
            self._stages[key] = module_of(printer, [f'@njit("{shape}", cache=True, error_model="numpy")', *lines])
        return self._stages[key]

    def _row(self, row: RowPlan) -> Callable[..., Any]:
        started = time.perf_counter()
        callees: dict[str, ModuleType] = {}

        def outlined(stage: StagePlan) -> str | None:
            module = self._stage(row, stage)
            if module is None:
                return None
            callees[module.__name__] = module
            return module.__name__

        printer = Printer(self.layout, columns=False)
        lines = row_function(printer, "row", row, outlined)
        function = jit(module_of(printer, lines, tuple(callees.values())), "row", "row")
        self.compile_seconds += time.perf_counter() - started
        return function

    def _room(self, successors: int, moments: int) -> None:
        width = self.layout.fault + 1
        self._out = np.zeros((successors, width), np.int64)
        self._source, self._code, self._parts = (np.zeros(successors, np.int64) for _ in range(3))
        self._mids = np.zeros((moments, width), np.int64)
        self._mid_of, self._mid_code = (np.zeros(moments, np.int64) for _ in range(2))

    def _cold(self, key: tuple[str, ...]) -> ColumnEngine | None:
        """Return the NumPy engine where a function is not worth compiling yet."""
        if self.columns is None or key in self._functions or self.columns.seconds.get(key, 0.0) > WORTH:
            return None
        return self.columns

    def _function(self, key: tuple[str, ...], shape: str, lines: Callable[[Printer], list[str]]) -> Callable[..., Any]:
        function = self._functions.get(key)
        if function is None:
            started = time.perf_counter()
            printer = Printer(self.layout, columns=False)
            text = lines(printer)
            function = self._functions[key] = jit(module_of(printer, text), shape, shape)
            self.compile_seconds += time.perf_counter() - started
        return function

    def expand(self, number: int, cells: Numbers, start: int, alive: NDArray[np.uint8]) -> Expansion:
        """Return successors by one row of the states from `start` on, as many as the buffers hold.

        Marks in `alive` the states in which its guard holds.
        """
        row = self.plan.printed[number]
        key = ("row", row.row.id)
        cold = self._cold(key)
        if cold is not None and cold.takes(row):
            started = time.perf_counter()
            expansion = cold.expand(number, cells, start, alive)
            cold.spend(key, started)
            return expansion
        if key not in self._functions:
            self._functions[key] = self._row(row)
        function = self._functions[key]
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
        cold = self._cold(key)
        if cold is not None:
            started = time.perf_counter()
            cold.check(properties, rows, found)
            cold.spend(key, started)
            return
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
        cold = self._cold(key)
        if cold is not None:
            started = time.perf_counter()
            at = cold.step(one, row, before, before_at, after, after_at, code)
            cold.spend(key, started)
            return at
        function = self._function(key, "step", lambda p: step_function(p, "step", one, row))
        return int(function(before, before_at, after, after_at, code))
