"""What the bounds of protocols show, as recorded: counts, the rows that fire, the properties that are put to the test.

`python -m fencepost.checkers.exploration.manifest PROTOCOL [BOUND ...]` explores the bounds that are named, or those
of a protocol, and records each in `spec/bounds/PROTOCOL.toml`. `spec/bounds/nowhere.toml`, which people write, says why
rows fire nowhere and why nothing puts properties to the test. `make site` makes a page of both.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import fencepost
from fencepost.checkers.toml_tables import TableReader
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.files import write_whole
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES, Family

from .engine import explore
from .result import DEADLOCK, Exploration

FOLDER = Path(fencepost.__file__).resolve().parent / "spec" / "bounds"
"""Where the manifests are."""

NOTE = "# Recorded by `python -m fencepost.checkers.exploration.manifest {name}`: do not edit.\n"
SHOWN = frozenset({Verdict.CLOSED, Verdict.VIOLATED, Verdict.WITNESSED})
"""The verdicts of properties that something put to the test."""


@dataclass(frozen=True)
class Shown:
    """What one bound shows: distinct states, states generated, levels, rows that fire, properties put to the test."""

    distinct: int
    generated: int
    depth: int
    rows: tuple[str, ...]
    properties: tuple[str, ...]

    @property
    def counts(self) -> tuple[int, int, int]:
        """The distinct states, those generated, and the levels."""
        return self.distinct, self.generated, self.depth


@dataclass(frozen=True)
class Nowhere:
    """Rows that fire at no bound, properties that none puts to the test, bounds not recorded, each with the reason."""

    rows: Mapping[str, str]
    properties: Mapping[str, str]
    bounds: Mapping[str, str] = field(default_factory=dict)


def shown(found: Exploration) -> Shown:
    """Return what a whole exploration shows; raises `Refusal` for one that is not closed as declared."""
    if found.orbits is not None or found.verdict is not Verdict.CLOSED:
        raise Refusal(
            f"{found.protocol} at {found.bound}: {found.verdict.value}; record a bound that closes as declared"
        )
    return Shown(
        found.distinct,
        found.generated,
        found.depth,
        tuple(id for id, times in found.rows_fired.items() if times),
        tuple(one.id for one in found.properties if one.verdict in SHOWN and one.id != DEADLOCK),
    )


def recorded(name: str) -> dict[str, Shown]:
    """Return what is recorded of a protocol by bound, nothing where there is no file; raises `Refusal`."""
    read = _read(FOLDER / f"{name}.toml")
    made = {}
    for bound in read.values:
        one = read.inside(bound)
        counts = one.number("distinct"), one.number("generated"), one.number("depth")
        made[bound] = Shown(*counts, one.texts("rows"), one.texts("properties"))
    read.finish()
    return made


def nowhere(name: str) -> Nowhere:
    """Return what is said of a protocol's rows and properties that no bound shows; raises `Refusal`."""
    read = _read(FOLDER / "nowhere.toml")
    if name not in read.values:
        return Nowhere({}, {})
    one = read.inside(name)
    rows, properties, bounds = (_reasons(one, key) for key in ("rows", "properties", "bounds"))
    one.finish()
    return Nowhere(rows, properties, bounds)


def _reasons(read: TableReader, key: str) -> dict[str, str]:
    """Return the reasons of a table by id; none where there is no such table."""
    if key not in read.values:
        return {}
    inside = read.inside(key)
    return {id: inside.text(id) for id in inside.values}


def _read(path: Path) -> TableReader:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except tomllib.TOMLDecodeError as error:
        raise Refusal(f"{path.name}: {error}; correct it, or record it anew") from error
    return TableReader(path.name, values)


def text(name: str, manifest: Mapping[str, Shown]) -> str:
    """Return the file that holds what is recorded of a protocol."""
    return NOTE.format(name=name) + "".join(_entries(manifest))


def _entries(manifest: Mapping[str, Shown]) -> Iterator[str]:
    for bound, one in manifest.items():
        yield f"\n[{bound}]\ndistinct = {one.distinct}\ngenerated = {one.generated}\ndepth = {one.depth}\n"
        yield f"rows = {_listed(one.rows)}\nproperties = {_listed(one.properties)}\n"


def _listed(ids: Iterable[str]) -> str:
    """Return ids as a list of several lines."""
    lines = [""]
    for id in (f"{json.dumps(one)}," for one in ids):
        lines[-1:] = [f"{lines[-1]} {id}".lstrip()] if len(lines[-1]) < 108 else [lines[-1], id]
    return "[\n" + "".join(f"  {line}\n" for line in lines if line) + "]"


def faults(family: Family, manifest: Mapping[str, Shown], said: Nowhere) -> list[str]:
    """Return what is wrong with a manifest, a sentence each.

    Every bound has to be recorded, every row and every property to be shown at a bound or to have a reason. A row that
    changes nothing is asked at no bound; a lemma claims nothing that a bound should show.
    """
    bounds = family.bounds
    rows = {row.id for row in family.whole.rows if row.changes} | _own(family.slices)
    claimed = {one.id for one in family.whole.properties if not getattr(one, "lemma", False)}
    found = [
        f"bound {one} is not recorded: record it" for one in bounds if one not in manifest and one not in said.bounds
    ]
    found += [f"bound {one} is recorded: take it out of nowhere.toml" for one in said.bounds if one in manifest]
    found += [f"there is no bound {one}: take it out" for one in (*manifest, *said.bounds) if one not in bounds]
    for what, ids, seen, why in (
        ("row", rows, {id for one in manifest.values() for id in one.rows}, said.rows),
        ("property", claimed, {id for one in manifest.values() for id in one.properties}, said.properties),
    ):
        found += [
            f"{what} {id} is shown at no bound, and nowhere.toml has no reason" for id in sorted(ids - seen - {*why})
        ]
        found += [f"{what} {id} is shown at a bound: take it out of nowhere.toml" for id in sorted(seen & {*why})]
        found += [f"there is no {what} {id}: take it out of nowhere.toml" for id in sorted({*why} - ids)]
    return found


def _own(slices: Iterable[Protocol]) -> set[str]:
    """Return the rows that only slices have, such as those that stand for several of the whole."""
    return {row.id for one in slices for row in one.rows if row.changes}


def record(name: str, bounds: Iterable[str] = ()) -> Iterator[str]:
    """Explore bounds of a protocol and write each as it ends; yield a line each.

    Without names these are all but those of which `nowhere.toml` says why they are not recorded. Raises `Refusal` for a
    bound that does not close as declared.
    """
    family = FAMILIES[name]
    asked = list(bounds) or [bound for bound in family.bounds if bound not in nowhere(name).bounds]
    manifest = {bound: one for bound, one in recorded(name).items() if bound in family.bounds}
    for bound in asked:
        manifest[bound] = shown(explore(family.bounds[bound], bound))
        ordered = {one: manifest[one] for one in family.bounds if one in manifest}
        FOLDER.mkdir(exist_ok=True)
        write_whole(FOLDER / f"{name}.toml", text(name, ordered))
        yield f"{name} at {bound}: {manifest[bound].distinct:,} states"


def main(arguments: list[str]) -> None:
    """Record what is named: a protocol, then bounds of it; without a name every protocol."""
    for name in arguments[:1] or FAMILIES:
        if name not in FAMILIES:
            raise SystemExit(f"{name}: no protocol is recorded under that name; use one of {', '.join(FAMILIES)}")
        unknown = [bound for bound in arguments[1:] if bound not in FAMILIES[name].bounds]
        if unknown:
            raise SystemExit(f"{name} has no bound {unknown[0]}; use one of {', '.join(FAMILIES[name].bounds)}")
        try:
            for line in record(name, arguments[1:]):
                print(line, flush=True)
        except Refusal as refusal:
            raise SystemExit(str(refusal)) from refusal


if __name__ == "__main__":
    main(sys.argv[1:])
