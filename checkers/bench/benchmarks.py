"""The benchmarks by the names that `fencepost bench` knows."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from .measured import Measured, Options

BENCHMARKS = {
    "speed": "simulation",
    "lock-step": "simulation",
    "memory": "simulation",
    "seeds": "simulation",
    "bugs": "simulation",
    "prove": "engines",
    "explore": "explore",
    "stability": "engines",
    "zk": "zk",
    "conform": "conform",
    "spark": "spark",
}
"""The benchmarks in the order in which `--help` lists them, each with the module of its function."""


def benchmark(name: str) -> Callable[[Options], Measured]:
    """Return the function that measures; only its module is imported, so that no other engine is loaded beside it."""
    found: Callable[[Options], Measured] = getattr(
        import_module(f".{BENCHMARKS[name]}", __package__), name.replace("-", "_")
    )
    return found
