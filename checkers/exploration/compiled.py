"""The numba engine: printed functions compiled one by one when they are first needed, kept in the user's cache."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import int16, int32, int64, types, uint8
from numpy.typing import NDArray

from fencepost.model.language import Always, Sometimes, Step

from . import helpers, loops
from .expansion import Expansion
from .kernel import check_function, row_function, step_function
from .layout import Numbers
from .plan import Plan, RowPlan
from .printer import Printer

BUFFER = 8192
"""Successors that a row's function may give at once."""

_ROWS = int64[:, ::1]
_FLAT = int64[::1]

SIGNATURES: dict[str, Any] = {
    "row": types.UniTuple(int64, 3)(_ROWS, int64, int64, _ROWS, _FLAT, _FLAT, uint8[::1], _FLAT, _ROWS, _FLAT, _FLAT),
    "check": types.void(_ROWS, _FLAT),
    "step": int64(_ROWS, _FLAT, _ROWS, _FLAT, _FLAT),
    "unpack": types.void(_ROWS, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _ROWS),
    "pack": types.void(_ROWS, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _ROWS, uint8[::1]),
    "place": int64(_ROWS, int64, int64),
    "insert": int64(
        _ROWS, uint8[::1], _FLAT, int64, int64, int32[::1], int64, _ROWS, int32[::1], int16[::1], int64
    ),
    "rehash": types.void(_ROWS, int64, int32[::1], int64),
    "pairs": int64(_FLAT, _FLAT, _FLAT, _FLAT),
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
    assert spec is not None and spec.loader is not None
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
        self.unpack, self.pack, self.insert, self.rehash, self.pairs = (
            jit(module, name, name) for name in ("unpack", "pack", "insert", "rehash", "pairs")
        )


def _helper_text(lines: Sequence[str]) -> str:
    """Return the helpers, if the lines call any, made callable from compiled code."""
    body = "\n".join(lines)
    if not any(f"{name}(" in body for name in ("count", "elems", "first", "keep", "concat", "ascending")):
        return ""
    text = source_of(helpers).replace("from __future__ import annotations\n", "")
    return text.replace("\ndef ", "\n@njit(cache=True)\ndef ")


def module_of(printer: Printer, lines: Sequence[str]) -> ModuleType:
    """Return printed lines as a module of the cache."""
    values = [f"{name} = np.array({list(v)}, np.int64)" for name, v in printer.values.items()]
    return load(_HEADER + _helper_text(lines) + "\n".join([*values, "", *lines, ""]))


class CompiledEngine:
    """Rows and properties as compiled functions."""

    name = "numba"

    def __init__(self, plan: Plan) -> None:
        self.plan, self.layout = plan, plan.layout
        self.compile_seconds = 0.0
        self._functions: dict[tuple[str, ...], Callable[..., Any]] = {}
        self._room(BUFFER, BUFFER)

    def _room(self, successors: int, moments: int) -> None:
        width = self.layout.fault + 1
        self._out = np.zeros((successors, width), np.int64)
        self._source, self._code, self._parts = (np.zeros(successors, np.int64) for _ in range(3))
        self._mids = np.zeros((moments, width), np.int64)
        self._mid_of, self._mid_code = (np.zeros(moments, np.int64) for _ in range(2))

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
        row = self.plan.rows[number]
        function = self._function(("row", row.row.id), "row", lambda p: row_function(p, "row", row))
        while True:
            stop, k, m = function(
                cells, start, len(cells), self._out, self._source, self._code, alive, self._parts, self._mids, self._mid_of,
                self._mid_code,
            )  # fmt: skip
            if stop > start or start == len(cells):
                break
            self._room(4 * len(self._out), 4 * len(self._mids))
        return Expansion(
            stop, self._out[:k], self._source[:k], self._code[:k], self._parts[:k], self._mids[:m], self._mid_of[:m], self._mid_code[:m]
        )

    def check(self, properties: Sequence[Always | Sometimes], rows: Numbers, found: Numbers) -> None:
        """Set in `found`, where it is -1, the first of the rows that shows each property's failure or its witness."""
        key = ("check", *(p.id for p in properties))
        self._function(key, "check", lambda p: check_function(p, "check", properties))(rows, found)

    def step(self, one: Step, row: RowPlan | None, before: Numbers, before_at: Numbers, after: Numbers, after_at: Numbers, code: Numbers) -> int:
        """Return the first step, from `before[before_at[i]]` to `after[after_at[i]]`, that fails, or -1."""
        key = ("step", one.id, row.row.id if row else "")
        function = self._function(key, "step", lambda p: step_function(p, "step", one, row))
        return int(function(before, before_at, after, after_at, code))
