"""Reviewed changes of methods, and their meaning for the tables: `spec/watched.toml`."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fencepost.checkers.verdicts import Refusal
from fencepost.files import read_small

from .bytecode import Method

FILE: Final = "spec/watched.toml"


@dataclass(frozen=True)
class Look:
    """A change that was looked at: the method as it was left, by the digest of its text, and what it means."""

    method: str
    digest: str
    reason: str


def digest(method: Method | None) -> str:
    """Return the digest of a method's text; that of a method that is not there is `gone`."""
    return "gone" if method is None else hashlib.sha256("\n".join(method.lines).encode()).hexdigest()[:12]


def looks(file: Path) -> Mapping[str, list[Look]]:
    """Return the changes that were looked at by method, none where there is no file.

    Raises `Refusal` for a file that says something else.
    """
    if not file.exists():
        return {}
    try:
        read = tomllib.loads(read_small(file).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{file}: {error}") from error
    found: dict[str, list[Look]] = {}
    for at, one in enumerate(read.get("looked", []), 1):
        if (
            not isinstance(one, dict)
            or set(one) != {"method", "digest", "reason"}
            or not all(isinstance(value, str) and value.strip() for value in one.values())
        ):
            raise Refusal(f"{file}: entry {at} of [[looked]] must have method, digest and reason, each a text")
        look = Look(one["method"], one["digest"], one["reason"])
        found.setdefault(look.method, []).append(look)
    return found
