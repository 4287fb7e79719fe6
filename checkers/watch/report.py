"""Changes of a release, and the rows that follow a changed method."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from fencepost.checkers.verdicts import ExitCode

from . import levels, records
from .bytecode import Method, classes_below, methods
from .cited import Cited
from .reviewed import Look, digest

_WHERE: Final = (
    ("kafka-metadata", "org/apache/kafka/controller"),
    ("kafka-metadata", "org/apache/kafka/metadata"),
    ("kafka-metadata", "org/apache/kafka/image"),
    ("kafka-raft", "org/apache/kafka/raft"),
    ("kafka-server-common", "org/apache/kafka/server/common"),
    ("kafka-server-common", "org/apache/kafka/deferred"),
    ("kafka-server-common", "org/apache/kafka/queue"),
    ("kafka-server", "org/apache/kafka/server"),
)
"""Artifacts and packages in which cited classes are looked for, in this order."""

_WIDTH: Final = 100

Members = Mapping[str, Mapping[str, Method]]
"""The methods of a class and of those within it, by the class's path."""


@dataclass(frozen=True)
class Change:
    """A method that two releases do not have alike. `rows` cite it, or a method `through` which it is called; `reason`
    says what it means for them, empty where it was not looked at."""

    method: str
    digest: str
    rows: tuple[str, ...]
    through: tuple[str, ...]
    reason: str

    @property
    def asks(self) -> bool:
        """Whether rows follow it that may have to change."""
        return bool(self.rows) and not self.reason


@dataclass(frozen=True)
class Watch:
    """Two releases compared. `elsewhere` is what rows cite that none of the jars has, `others` how many changes were
    looked at that are none between these."""

    old: str
    new: str
    records: tuple[str, ...]
    levels: tuple[str, ...]
    classes: int
    cited: int
    changes: tuple[Change, ...]
    elsewhere: tuple[str, ...]
    others: int

    @property
    def code(self) -> ExitCode:
        """Whether every change that rows follow was looked at; without a class that could be compared, inconclusive."""
        if not self.classes:
            return ExitCode.INCONCLUSIVE
        return ExitCode.VIOLATED if any(one.asks for one in self.changes) else ExitCode.AS_DECLARED

    def as_json(self) -> dict[str, Any]:
        """Return what was found as JSON values."""
        return asdict(self) | {"code": int(self.code)}


def compared(
    old: tuple[str, Mapping[str, Path]],
    new: tuple[str, Mapping[str, Path]],
    citations: Sequence[Cited],
    looked: Mapping[str, Sequence[Look]],
) -> Watch:
    """Compare two releases, each a version and its jars by artifact.

    Raises `Refusal` where javap is missing or fails.
    """
    before, after = _members(old[1], citations), _members(new[1], citations)
    owners = before.keys() | after.keys()
    changes: dict[str, Change] = {}
    for owner in sorted(owners):
        for one in _changes(owner, before.get(owner, {}), after.get(owner, {}), citations, looked):
            # A class that is within another one may be cited by its own name.
            known = changes.get(one.method, one)
            rows, through = (
                tuple(dict.fromkeys(a + b)) for a, b in ((known.rows, one.rows), (known.through, one.through))
            )
            changes[one.method] = replace(known, rows=rows, through=through)
    return Watch(
        old[0],
        new[0],
        tuple(records.differences(records.schemas(old[1]), records.schemas(new[1]))),
        tuple(levels.differences(levels.features(old[1]), levels.features(new[1]))),
        len(owners),
        sum(one.owner in owners for one in citations),
        tuple(changes.values()),
        tuple(str(one) for one in citations if one.owner not in owners),
        sum(
            one.digest != changes[name].digest if name in changes else True
            for name, some in looked.items()
            for one in some
        ),
    )


def _members(jars: Mapping[str, Path], citations: Iterable[Cited]) -> dict[str, Members]:
    """Return the methods of each class that is cited and in the jars, by its simple name; it may be within another."""
    wanted = {one.owner for one in citations}
    there: dict[str, dict[str, list[str]]] = {}
    for artifact, package in _WHERE:
        every = classes_below(jars[artifact], package)
        here = there.setdefault(artifact, {})
        for name in sorted(wanted):
            within = [one for some in every.values() for one in some if name in one.split("$")[1:]]
            if name in every or within:
                here[name] = every.get(name, within)
                wanted.remove(name)
    found: dict[str, Members] = {}
    for artifact, owners in there.items():
        if owners:
            read = methods(jars[artifact], {path for paths in owners.values() for path in paths})
            found |= {name: {path: read[path] for path in paths} for name, paths in owners.items()}
    return found


def _changes(
    owner: str, before: Members, after: Members, citations: Iterable[Cited], looked: Mapping[str, Sequence[Look]]
) -> Iterator[Change]:
    """Yield the methods of a class, and of those within it, that two releases do not have alike."""
    mine = [one for one in citations if one.owner == owner]
    reached = [(one, _reached(one, before) | _reached(one, after)) for one in mine]
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, {}), after.get(path, {})
        for name in sorted(old.keys() | new.keys()):
            now = digest(new.get(name))
            if digest(old.get(name)) == now:
                continue
            method = f"{path.rpartition('/')[2].replace('$', '.')}.{name}"
            through = [cited for cited, some in reached if (path, name) in some]
            rows = tuple(dict.fromkeys(row for cited in through for row in cited.rows))
            reason = next((look.reason for look in looked.get(method, ()) if look.digest == now), "")
            by = tuple(str(cited) for cited in through if cited.method not in ("", name))
            yield Change(method, now, rows, by, reason)


def _reached(cited: Cited, members: Members) -> set[tuple[str, str]]:
    """Return the methods of the class and of those within it that a cited method calls, itself too, as (path, name).

    Of a whole class all but what makes its instances, unless that is called.
    """
    every = {(path, name): method for path, some in members.items() for name, method in some.items()}
    waiting = [
        (path, name)
        for path, name in every
        if (
            name == cited.method
            if cited.method
            else name not in ("<init>", "<clinit>") and not path.endswith("Builder")
        )
        and (not cited.method or re.split(r"[/$]", path)[-1] == cited.owner)
    ]
    found: set[tuple[str, str]] = set()
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            calls = [(called or here[0], name) for called, name in every[here].calls]
            waiting += [one for one in calls if one in every and one[1] != "<clinit>"]
    return found


def text(watch: Watch) -> Iterator[str]:
    """Yield the lines that say what was found."""
    yield f"Kafka {watch.old} and {watch.new}"
    for name, lines in (("records", watch.records), ("feature levels", watch.levels)):
        yield f"  {name}: {'no difference' if not lines else ''}".rstrip()
        yield from (f"    {line}" for line in lines)
    others = [one for one in watch.changes if not one.rows]
    asked = [one for one in watch.changes if one.rows]
    yield (
        f"  methods: rows cite {watch.cited} in {watch.classes} classes of these jars; of what they cite or call there "
        f"{len(asked)} changed"
    )
    for one in sorted(asked, key=lambda one: (not one.asks, one.method)):
        yield f"    {'! ' if one.asks else '  '}{one.method} ({one.digest})"
        if one.through:
            yield from _wrapped(f"called by {', '.join(one.through)}")
        yield from _wrapped(_rows(one.rows))
        yield from _wrapped(one.reason or "NOT LOOKED AT: say in spec/watched.toml what it means for them")
    for what, names in (
        (f"{len(others)} more in these classes, which no row cites", [one.method for one in others]),
        ("not in these jars", watch.elsewhere),
    ):
        if names:
            yield from _wrapped(f"{what}: {', '.join(names)}", 2)
    if watch.others:
        yield f"  changes in spec/watched.toml that these releases do not have: {watch.others}"


def _wrapped(line: str, indent: int = 8) -> list[str]:
    return textwrap.wrap(line, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2))


def _rows(rows: Iterable[str]) -> str:
    """Return rows by their protocols, the name of each once."""
    by: dict[str, list[str]] = {}
    for row in rows:
        protocol, _, name = row.partition(" ")
        by.setdefault(protocol, []).append(name)
    return "; ".join(f"{protocol} {' '.join(names)}" for protocol, names in by.items())
