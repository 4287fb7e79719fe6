"""How a defect of the past is put into a running cluster: by replacing functions from outside, for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Patch = tuple[Any, str, Any]
"""A class or module, the name of a function in it, and its replacement."""


@dataclass(frozen=True, slots=True)
class Injection:
    """A defect: its name, where it was in Kafka, what goes wrong, and the functions that are replaced."""

    name: str
    source: str
    wrong: str
    patches: tuple[Patch, ...]

    @contextmanager
    def injected(self) -> Iterator[None]:
        """Have the defect inside the block, whatever objects are made or used there."""
        kept = [(owner, name, getattr(owner, name)) for owner, name, _ in self.patches]
        try:
            for owner, name, replacement in self.patches:
                setattr(owner, name, replacement)
            yield
        finally:
            for owner, name, original in kept:
                setattr(owner, name, original)


def defect_of(name: str, bugs: Mapping[str, Injection]) -> Injection:
    """Return the defect of a name; raises ValueError, with a sentence, where there is none."""
    if name not in bugs:
        raise ValueError(f"--inject {name}: there is none of that name; there are {', '.join(bugs)}")
    return bugs[name]
