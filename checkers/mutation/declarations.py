"""Declarations of mutants that are equivalent or known to survive, each with the reason, and of a protocol's scores:
`spec/mutation/*.toml`.

An entry names a mutant by its id and says what it does, so that an id that came to mean something else is noticed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fencepost.checkers.verdicts import Refusal

from .mutants import Mutant
from .results import NAMES, Judged

FOLDER = Path(__file__).resolve().parents[2] / "spec" / "mutation"
"""Where the lists that come with fencepost stand."""


@dataclass(frozen=True)
class Entry:
    """A reviewed mutant: its id, its change, and why no checker can notice it, or why none does."""

    id: str
    about: str
    reason: str


@dataclass(frozen=True)
class Declared:
    """Declarations of a protocol: equivalents, known survivors, the least scores by "inside" and "union"."""

    file: Path | None = None
    entries: Mapping[str, Entry] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    survivors: Mapping[str, Entry] = field(default_factory=dict)

    def reason(self, mutant: Mutant) -> str:
        """Return why a mutant is declared equivalent, an empty text where it is not."""
        return _reason(self.entries, mutant)

    def known(self, mutant: Mutant) -> str:
        """Return why nothing notices a mutant although it makes a difference, nothing where that is not known."""
        return _reason(self.survivors, mutant)

    def stale(self, everything: Mapping[str, Mutant], judged: Mapping[str, Judged]) -> tuple[str, ...]:
        """Return what is wrong with the lists, a sentence each: mutants that are gone, are others now, are killed."""
        found = []
        listed = [(one, "equivalent") for one in self.entries.values()]
        for entry, judged_as in (*listed, *((one, "a survivor") for one in self.survivors.values())):
            id = entry.id
            mutant = everything.get(id)
            if mutant is None:
                found.append(f"{id}: there is no such mutant any more; take it out of the list")
            elif mutant.about != entry.about:
                found.append(f"{id}: is another mutant now ({mutant.about}); review it again")
            elif id in judged and judged[id].killers:
                by = next(a for a in judged[id].answers if a.fate == "killed")
                found.append(f"{id}: is not {judged_as}: {by.checker}: {by.by}")
            elif id in judged and judged[id].fate == "equivalent" and judged_as == "a survivor":
                found.append(f"{id}: is equivalent, as is proved; take it out of the survivors")
        return tuple(found)


def _reason(entries: Mapping[str, Entry], mutant: Mutant) -> str:
    entry = entries.get(mutant.id)
    return entry.reason if entry is not None and entry.about == mutant.about else ""


def declared(protocol: str, folder: Path | None = None) -> Declared:
    """Read what is declared of a protocol, nothing where there is no file; raises `Refusal` for a malformed one."""
    file = (folder or FOLDER) / f"{protocol}.toml"
    if not file.is_file():
        return Declared()
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{file}: is no TOML ({error}); correct the file") from error
    unknown = set(document) - {"score", "equivalent", "survivor"}
    if unknown:
        raise Refusal(f"{file}: has {sorted(unknown)[0]!r}; it may have [score], [[equivalent]] and [[survivor]]")
    equivalent, survivors = (_entries(file, one, document.get(one, [])) for one in ("equivalent", "survivor"))
    for id in equivalent:
        if id in survivors:
            raise Refusal(f"{file}: {id} is listed as equivalent and as a survivor; keep one")
    return Declared(file, equivalent, _scores(file, document.get("score", {})), survivors)


def _entries(file: Path, name: str, listed: object) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    if not isinstance(listed, list):
        raise Refusal(f"{file}: {name} is no list; write [[{name}]] before each entry")
    for number, one in enumerate(listed, 1):
        if set(one) != {"id", "about", "reason"} or not all(isinstance(v, str) and v.strip() for v in one.values()):
            raise Refusal(f"{file}: entry {number} of {name} needs id, about and reason, each a text")
        if one["id"] in entries:
            raise Refusal(f"{file}: {one['id']} is listed twice; keep one")
        entries[one["id"]] = Entry(one["id"], one["about"], one["reason"])
    return entries


def _scores(file: Path, scores: object) -> dict[str, float]:
    if not isinstance(scores, dict):
        raise Refusal(f"{file}: score is no table; write [score] with union and inside")
    for name, value in scores.items():
        if name not in NAMES or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise Refusal(f"{file}: score {name} = {value!r}; write union or inside, and a number from 0 to 1")
    return {name: float(value) for name, value in scores.items()}


__all__ = ["FOLDER", "Declared", "Entry", "declared"]
