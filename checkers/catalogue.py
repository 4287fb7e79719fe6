"""Every historical defect that is known, by its id: what Kafka calls it, and the entries of the museum that hold it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fencepost.checkers.toml_tables import TableReader
from fencepost.checkers.verdicts import Refusal
from fencepost.model.museum import Entry, entries

CATALOGUE = Path(__file__).resolve().parents[1] / "spec" / "museum.toml"


@dataclass(frozen=True)
class Defect:
    """A historical defect: its id, what Kafka or the source calls it, the variants that hold it, or what is missing.

    `about` describes the defect where no variant does.
    """

    id: str
    known_as: str
    variants: tuple[str, ...] = ()
    about: str = ""
    missing: str = ""


@cache
def catalogue() -> tuple[Defect, ...]:
    """Return every defect that is known, in the order of the file."""
    with CATALOGUE.open("rb") as file:
        tables = tomllib.load(file)["defect"]
    found = []
    for number, values in enumerate(tables, 1):
        reader = TableReader(f"{CATALOGUE.name}, defect {number}", values)
        one = Defect(
            reader.text("id"),
            reader.text("known_as"),
            tuple(values.get("variants", ())),
            reader.text("about", ""),
            reader.text("missing", ""),
        )
        if bool(one.variants) is bool(one.missing):
            raise Refusal(f"{CATALOGUE.name}, {one.id}: has to have variants or what is missing; correct it")
        found.append(one)
    return tuple(found)


def entry_of(variant: str) -> Entry:
    """Return the entry of a variant's name, as `kraft+J3`; raises `KeyError` where there is none."""
    base, _, name = variant.partition("+")
    for one in entries(base):
        if name in (one.name, *one.also):
            return one
    raise KeyError(variant)


__all__ = ["CATALOGUE", "Defect", "catalogue", "entry_of"]
