"""How releases differ, for `fencepost show`: rule by rule, with the rows and the named terms that are others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import Row, Table
from fencepost.model.language.render import answer_text, done_text, row_definitions, text, wrapped

from .outcome import Outcome

if TYPE_CHECKING:
    from fencepost.model.releases import Difference, Release

ROWS = 12
"""Rows that a page names of a difference; the JSON document has all."""


def release_of(name: str) -> Release | None:
    """Return the release that a protocol's name says, None where it says none."""
    base, _, number = name.partition("+")[0].partition("@")
    if base != "kraft" or not number:
        return None
    from fencepost.model.releases import FORKS, RELEASES

    return RELEASES.get(number) or FORKS.get(number)


def history(name: str) -> Outcome:
    """Return every difference between releases, newest first, or those of the one that is named.

    Raises `Refusal` for a protocol that has no releases.
    """
    from fencepost.model.releases import RELEASES

    one = release_of(name)
    if one is None and name != "kraft":
        known = ", ".join(f"kraft@{number}" for number in RELEASES)
        raise Refusal(f"{name}: this protocol has no releases; use kraft, or one of {known}")
    releases = [release for release in RELEASES.values() if release.newer is not None and one in (None, release)]
    releases += [one] if one is not None and one not in RELEASES.values() else []
    page = [line for release in releases for line in (*lines(release), "")]
    fields = {"protocol": name, "releases": [as_json(release) for release in releases]}
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, page or [f"{name}: nothing is newer."])


def as_json(release: Release) -> dict[str, Any]:
    """Return a release's differences from the next newer one as JSON values."""
    return {
        "release": release.name,
        "newer": None if release.newer is None else release.newer.name,
        "newest_metadata_version": {"level": release.newest_level, "name": release.newest_level_name},
        "differences": [_difference(*step) for step in release.steps()],
        "not_expressed": list(release.unexpressed),
    }


def lines(release: Release) -> list[str]:
    """Return a release's differences from the next newer one as text."""
    if release.newer is None:
        return []
    level = f"metadata.version up to {release.newest_level} ({release.newest_level_name})"
    result = [f"HOW {release.name} DIFFERS FROM {release.newer.name}", f"  {level}"]
    for one in as_json(release)["differences"]:
        result += ["", f"  {one['rule']}", f"    {release.newer.name}: {one['newer']}"]
        result.append(f"    source {one['source']}; a log shows {one['shows']}")
        result += [f"    {what} {_few(one[key])}" for key, what in _ROWS.items() if one[key]]
        result += [f"    breaks {id} ({defect})" for id, defect in one["breaks"].items()]
        for sign, key in (("-", "before"), ("+", "after")):
            result += [wrapped(f"    {sign} {line}", indent="        ") for line in one[key]]
    if release.unexpressed:
        result += ["", "  not distinguished by the tables:", *(f"    {one}" for one in release.unexpressed)]
    return result


_ROWS = {
    "rows_gone": "without rows",
    "rows_changed": "other rows",
    "rows_beyond": "at none of its levels, so without, rows",
}


def _difference(one: Difference, before: tuple[Table, ...], after: tuple[Table, ...]) -> dict[str, Any]:
    old, new = ({row.id: row for table in tables for row in table.rows} for tables in (before, after))
    changed = [id for id in old if id in new and old[id] is not new[id]]
    was, became = _read(old[id] for id in changed), _read(new[id] for id in changed)
    new_lines = [line for line in became if line not in was]
    renewed = {name for name, _ in new_lines}
    return {
        "name": one.name,
        "rule": one.rule,
        "newer": one.newer,
        "source": one.source,
        "shows": one.shows,
        "rows_gone": [id for id in old if id not in new],
        "rows_changed": changed,
        "rows_beyond": list(one.beyond),
        "breaks": dict(one.breaks),
        "before": [line for name, line in was if (name, line) not in became and name in renewed],
        "after": [line for _, line in new_lines],
    }


def _read(rows: Iterable[Row]) -> list[tuple[str, str]]:
    """Return rows as text with the definitions of their names: each once, after the row or name that uses it."""
    found: dict[str, None] = {}
    for row in rows:
        answer = f" answer {answer_text(row)}" if answer_text(row) else ""
        found[f"{row.id}: when {text(row.when)} then {done_text(row) or 'nothing'}{answer}"] = None
        found.update(dict.fromkeys(row_definitions(row)))
    return [(re.split(r"[ (:]", line, maxsplit=1)[0], line) for line in found]


def _few(ids: list[str]) -> str:
    more = f" and {len(ids) - ROWS} more" if len(ids) > ROWS else ""
    return ", ".join(ids[:ROWS]) + more
