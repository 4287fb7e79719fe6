"""A log checked against one release that cannot have written it: from where on, and which others explain it."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.verdicts import Verdict
from fencepost.model import releases

from .results.results import LogResult, Span


def in_force(spans: Sequence[Span]) -> str:
    """Return which release explains a log from where, as "3.9 to offset 812, 4.1 to 1,530, 4.4 since"."""
    said = []
    for number, span in enumerate(spans):
        last = number == len(spans) - 1
        where = (" since" if number else "") if last else f" to {'offset ' if not number else ''}{span.last:,}"
        said.append(f"{_alike(span)}{where}")
    return ", ".join(said)


def _alike(span: Span) -> str:
    """The releases that explain a span: "4.2 to 4.4 alike" for consecutive ones."""
    known, names = list(releases.RELEASES), span.releases
    at = [known.index(name) for name in names]
    in_a_row = at == list(range(at[0], at[0] + len(at)))
    text = f"{names[-1]} to {names[0]}" if len(names) > 1 and in_a_row else ", ".join(reversed(names))
    switched = " in migration from ZooKeeper" if span.migrating else ""
    return f"{text}{' alike' if len(names) > 1 else ''}{switched}"


def release_named(protocol: str) -> str:
    """Return the release that a protocol's tables describe: those called kraft are the newest one's."""
    return releases.NEWEST if protocol == "kraft" else protocol.removeprefix("kraft@")


def protocol_named(release: str) -> str:
    """Return the protocol whose tables describe a release; what is the name of none is that of a protocol."""
    return releases.RELEASES[release].protocol if release in releases.RELEASES else release


def checked_by(log: LogResult) -> list[str]:
    """Return the releases by whose tables a log was checked, those that explain it alone where it conforms; none of
    what could not be checked. A log that violates was checked, too."""
    if log.verdict is Verdict.INCONCLUSIVE:
        return []
    used = [name for span in log.spans for name in span.releases[:1]]
    return list(dict.fromkeys(map(release_named, log.releases or used or [log.protocol])))


def cannot(strict: LogResult, by_term: LogResult) -> str:
    """Return the sentence that a release cannot explain a log, empty where no releases in force explain more of it.

    `strict` is the check of the log by that release alone, `by_term` that by those in force.
    """
    if strict.verdict is not Verdict.VIOLATES or not by_term.spans:
        return ""
    first = min(one.offset for one in strict.violations)
    reached = min((one.offset for one in by_term.violations), default=None)
    if reached is not None and reached <= first:
        return ""
    whole = "it" if reached is None else f"it up to offset {reached:,}"
    return (
        f"Kafka {release_named(strict.protocol)} cannot explain this log from offset {first:,} on; --release auto "
        f"explains {whole}: {in_force(by_term.spans)}."
    )
