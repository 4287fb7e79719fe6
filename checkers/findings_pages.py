"""The findings' pages as they are installed, and what an operator does about a finding that a log shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import fencepost

FOLDER = Path(fencepost.__file__).resolve().parent / "spec" / "findings"


def title(finding: str) -> str:
    """Return what a finding is, in a sentence; empty for an id that is none."""
    from fencepost.model.findings import FINDINGS

    for one in FINDINGS:
        if one.id == finding:
            return one.title
    found = _of_releases(finding)
    if found is None:
        return ""
    told = _of_museum(finding)
    return told.removesuffix(".") if told else found.rule.removesuffix(".")


def action(finding: str) -> str:
    """Return what an operator does about a finding: `none` where nothing is to be done."""
    # The tables are read only where a finding is printed.
    from fencepost.model.findings.advice import ACTIONS

    found = ACTIONS.get(finding)
    if found is not None:
        return found
    older = _of_releases(finding)
    if older is not None:
        return f"upgrade: {older.newer} does not have it"
    return f"read fencepost show {finding}" if page(finding) else "none is known"


def page(finding: str) -> str:
    """Return the text of a finding's page, empty where there is none."""
    file = FOLDER / f"{finding}.md"
    if finding.replace("-", "").isalnum() and file.is_file():
        return file.read_text(encoding="utf-8")
    # An id begins with a capital: for the name of a protocol the tables of all releases are not made.
    older = _of_releases(finding) if finding[:1].isupper() else None
    if older is None:
        return ""
    more = f"`fencepost museum {finding}` prints its shortest run.\n" if _of_museum(finding) else ""
    return (
        f"# {finding}: {title(finding)}\n\n"
        f"**Releases** up to {older.release}; {older.newer} does not have it.\n\n"
        f"**What happens** {older.rule} In {older.newer}: {older.since}\n\n"
        f"**Properties** that do not hold of these releases: {', '.join(older.broken)}.\n\n"
        f"## What it means for an operator\n\nUpgrade: {older.newer} does not have it.\n\n{more}"
    )


@dataclass(frozen=True)
class _Older:
    """A defect of older releases: the newest one that has it, the next one, the rule of each, and what is broken."""

    release: str
    newer: str
    rule: str
    since: str
    broken: tuple[str, ...]


def _of_releases(finding: str) -> _Older | None:
    """Return a defect that releases have and the newest one has not, None for another id."""
    from fencepost.model.releases import RELEASES

    for release in RELEASES.values():
        for one in release.differences:
            broken = tuple(id for id, defect in one.breaks if defect == finding)
            if broken and release.newer is not None:
                return _Older(release.name, release.newer.name, one.rule, one.newer, broken)
    return None


def _of_museum(finding: str) -> str:
    """Return what the museum says of a defect, with the name by which Kafka's developers know it; empty for none."""
    from fencepost.checkers.catalogue import catalogue, entry_of

    found = next((one for one in catalogue() if one.id == finding and one.variants), None)
    return "" if found is None else f"{entry_of(found.variants[0]).why.removesuffix('.')} ({found.known_as})"
