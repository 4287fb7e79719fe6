"""The bounds of a protocol that show each row and property, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fencepost.checkers.exploration.manifest import Nowhere, Shown, nowhere, recorded
from fencepost.model.registry import Family

_INTRODUCTION = """# What the bounds of {name} show

Generated from the tables, `{name}.toml` (recorded by `python -m fencepost.checkers.exploration.manifest {name}`) and
`nowhere.toml` by `make site`.

Every bound was closed: each of its states was seen. A row fires at a bound where some step is by it; a property is put
to the test where its condition arose, a declared violation showed or a witness was found. Rows that only refuse, and
change nothing, take no step, and stand in no list here. `fencepost explore {name} --bound NAME` shows a bound again.

| bound | slice | states | generated | depth | for |
| --- | --- | ---: | ---: | ---: | --- |
"""


def page(family: Family) -> str:
    """Return the page of a protocol: its bounds with their counts, then each row and each property with its bounds."""
    manifest, said = recorded(family.name), nowhere(family.name)
    return _INTRODUCTION.format(name=family.name) + "\n".join(_lines(family, manifest, said)) + "\n"


def _lines(family: Family, manifest: Mapping[str, Shown], said: Nowhere) -> Iterator[str]:
    for bound, one in family.bounds.items():
        if bound in manifest:
            seen = manifest[bound]
            counts = f"{seen.distinct:,} | {seen.generated:,} | {seen.depth:,}"
            yield f"| `{bound}` | {one.name} | {counts} | {one.bounds[bound].about} |"
    if said.bounds:
        yield from ("", "Not recorded, and in no list below:", "")
        yield from (f"- `{bound}`: {why}" for bound, why in said.bounds.items())
    rows = [row.id for one in (family.whole, *family.slices) for row in one.rows if row.changes]
    yield from _shown("Rows", rows, {bound: one.rows for bound, one in manifest.items()}, said.rows)
    claims = [one.id for one in family.whole.properties]
    yield from _shown("Properties", claims, {bound: one.properties for bound, one in manifest.items()}, said.properties)


def _shown(
    title: str, ids: Sequence[str], by_bound: Mapping[str, Sequence[str]], why: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines of one list: ids that the same bounds show stand together, those that none shows last."""
    together: dict[tuple[str, ...], list[str]] = {}
    for id in dict.fromkeys(ids):
        together.setdefault(tuple(bound for bound, shown in by_bound.items() if id in shown), []).append(id)
    unseen = together.pop((), [])
    yield from ("", f"## {title}", "", f"| {title.lower()} | at |", "| --- | --- |")
    for bounds, those in together.items():
        at = "every bound" if len(bounds) == len(by_bound) else ", ".join(bounds)
        yield f"| {', '.join(those)} | {at} |"
    if unseen:
        yield from ("", f"At no bound ({len(unseen)}):", "")
        yield from (
            f"- {id}: {why.get(id, 'a lemma, there for the proof: nothing meets it at a bound')}" for id in unseen
        )
