"""Machine code of functions: made by LLVM, kept in the user's cache folder by the text that it was made from.

An entry of the cache is a file `KEY.o`. The key is a hash of the whole text that is compiled, of the translator's own,
of the versions of LLVM and llvmlite, and of the processor with its features. Entries are sealed (`keeping.py`):
what is not believed is compiled again.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from fencepost.checkers import keeping

from . import machine
from .machine import Module, Param


@dataclass(frozen=True)
class Grade:
    """How much LLVM optimises: the level of the passes, 0 for the two that keep variables in registers, and that of the
    code generator."""

    name: str
    passes: int
    generator: int


QUICK, FULL = Grade("quick", 0, 0), Grade("full", 2, 2)


def cache_folder() -> Path | None:
    """Return the folder of compiled kernels in the user's cache folder; None where there is none."""
    return keeping.cache_folder("kernels")


@dataclass
class Counted:
    """What was done since the process began: functions compiled, functions taken from the cache."""

    compiled: list[tuple[str, str]] = field(default_factory=list)
    loaded: int = 0


_PLACED: dict[str, int] = {}
"""Where the functions are that this process has loaded, by their keys."""

COUNTED = Counted()
"""The functions that were compiled, by name and grade, and how many came from the cache."""


class _Target:
    """This processor: what LLVM makes machine code for, and the engine that holds what it made."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        triple = llvm.get_process_triple()
        target = llvm.Target.from_triple(triple)
        cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
        # Code that is made in memory is static on x86; other processors have defaults of their own.
        reloc = "static" if target.name.startswith("x86") else "pic" if target.name.startswith("ppc") else "default"
        self.machines = {
            grade: target.create_target_machine(
                cpu=cpu, features=features, opt=grade.generator, reloc=reloc, codemodel="jitdefault", jit=True
            )
            for grade in (QUICK, FULL)
        }
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self.machines[FULL])
        version = ".".join(map(str, llvm.llvm_version_info))
        own = "".join(Path(str(one)).read_text(encoding="utf-8") for one in (machine.__file__, __file__))
        self.identity = "\n".join((llvmlite.__version__, version, triple, cpu, features, own))

    def compiled(self, text: str, grade: Grade) -> bytes:
        """Return the machine code of a text of LLVM's language."""
        machine_ = self.machines[grade]
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = machine_.triple, str(machine_.target_data)
        tuning = llvm.create_pipeline_tuning_options(speed_level=grade.passes)
        tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_interleaving = False
        builder = llvm.create_pass_builder(machine_, tuning)
        if grade.passes:
            passes = builder.getModulePassManager()
        else:
            passes = llvm.create_new_module_pass_manager()
            passes.add_sroa_pass()
            passes.add_simplify_cfg_pass()
        passes.run(module, builder)
        code: bytes = machine_.emit_object(module)
        return code

    def place(self, code: bytes, symbol: str) -> int:
        """Return where a function of some machine code is, after loading it."""
        self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self.engine.finalize_object()
        return int(self.engine.get_function_address(symbol))


@cache
def target() -> _Target:
    """Return this processor."""
    return _Target()


def read(key: str) -> bytes | None:
    """Return the machine code of an entry; None where there is none, or none to be believed."""
    folder = cache_folder()
    return None if folder is None else keeping.sealed(folder / f"{key}.o", key)


def write(key: str, code: bytes) -> None:
    """Write an entry, whole or not at all; without a cache the next process compiles again."""
    folder = cache_folder()
    if folder is not None:
        keeping.seal(folder / f"{key}.o", key, code)


@dataclass(frozen=True)
class Shape:
    """The types of a function's parameters, and how many numbers it returns."""

    params: tuple[Param, ...]
    results: int


@dataclass(frozen=True)
class Source:
    """A function as text, with all that it calls and the tables that it reads: what is compiled, and no more."""

    name: str
    shape: Shape
    texts: tuple[str, ...]
    tables: Mapping[str, Sequence[int]] = field(default_factory=dict)
    constants: Mapping[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The characters of the function itself, without what it calls."""
        return len(self.texts[0])

    @cached_property
    def digest(self) -> str:
        """A hash of all that is compiled."""
        whole = repr((self.name, self.shape, self.texts, dict(self.tables), dict(self.constants)))
        return hashlib.sha256(whole.encode()).hexdigest()

    def key(self, grade: Grade) -> str:
        """Return the name of its entry in the cache."""
        return entry(self.digest, grade)

    def assembly(self, symbol: str) -> str:
        """Return it as text of LLVM's language."""
        beside = {one.name: one for text in self.texts for one in _functions(text)}
        module = Module(beside, self.tables)
        module.constants.update({name: machine.Int(str(value)) for name, value in self.constants.items()})
        return module.export(self.name, symbol, self.shape.params)


def entry(digest: str, grade: Grade) -> str:
    """Return the name of the cache's entry for a text with a hash."""
    return hashlib.sha256(f"{target().identity}\n{grade}\n{digest}".encode()).hexdigest()[:32]


@dataclass
class Known:
    """A function whose text has been printed before: it is printed again only where it is to be compiled."""

    name: str
    shape: Shape
    digest: str
    size: int
    printed: Callable[[], Source]

    def key(self, grade: Grade) -> str:
        """Return the name of its entry in the cache."""
        return entry(self.digest, grade)

    def assembly(self, symbol: str) -> str:
        """Return it as text of LLVM's language."""
        return self.printed().assembly(symbol)


@lru_cache(32)
def _functions(text: str) -> tuple[ast.FunctionDef, ...]:
    return tuple(one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef))


_MAKING = RLock()
"""Held while something is compiled or loaded: LLVM does that for one thread at a time."""


def cached(source: Source | Known, grade: Grade) -> Callable[..., Any] | None:
    """Return a function whose machine code is in the cache, None for one that is not."""
    with _MAKING:
        return _cached(source, grade)


def _cached(source: Source | Known, grade: Grade) -> Callable[..., Any] | None:
    key = source.key(grade)
    if key not in _PLACED:
        code = read(key)
        if code is None:
            return None
        COUNTED.loaded += 1
        _PLACED[key] = target().place(code, _symbol(key))
    return _callable(key, source.shape)


def placed(source: Source | Known, grade: Grade) -> int:
    """Return where the machine code of a function is that has been compiled or loaded."""
    return _PLACED[source.key(grade)]


def compiled(source: Source | Known, grade: Grade) -> Callable[..., Any]:
    """Return a function, from the cache or compiled now."""
    with _MAKING:
        return _compiled(source, grade)


def _compiled(source: Source | Known, grade: Grade) -> Callable[..., Any]:
    found = _cached(source, grade)
    if found is not None:
        return found
    key = source.key(grade)
    code = target().compiled(source.assembly(_symbol(key)), grade)
    COUNTED.compiled.append((source.name, grade.name))
    write(key, code)
    _PLACED[key] = target().place(code, _symbol(key))
    return _callable(key, source.shape)


_BYTES = ctypes.c_char * 0
"""What lies where an array begins, of which an array without elements has as much as any other."""


def _symbol(key: str) -> str:
    return f"f_{key}"


def _callable(key: str, shape: Shape) -> Callable[..., Any]:
    """Return loaded code as a function of Python: it takes numbers, and arrays of the right type without gaps."""
    types: list[Any] = []
    for param in shape.params:
        types += [ctypes.c_void_p, *[ctypes.c_int64] * param.dimensions] if param.dimensions else [ctypes.c_int64]
    function = ctypes.CFUNCTYPE(None, *types, ctypes.c_void_p)(_PLACED[key])
    kinds = [(param.dimensions, np.dtype(param.element)) for param in shape.params]
    results = shape.results

    def call(*given: Any) -> Any:
        flat: list[Any] = []
        for one, (dimensions, element) in zip(given, kinds, strict=True):
            if not dimensions:
                flat.append(one)
                continue
            if one.dtype != element or one.ndim != dimensions or not one.flags.c_contiguous:
                raise TypeError(f"an array of {element} in {dimensions} dimensions without gaps is expected")
            try:
                flat.append(ctypes.addressof(_BYTES.from_buffer(one)))  # a quarter of the time of what follows
            except TypeError:  # it is not to be written
                flat.append(one.__array_interface__["data"][0])
            flat.extend(one.shape)
        found = (ctypes.c_int64 * max(results, 1))()
        function(*flat, ctypes.addressof(found))
        return found[0] if results == 1 else tuple(found) if results else None

    return call
