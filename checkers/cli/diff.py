"""`fencepost diff`: what one protocol has otherwise than another, by meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal, headline, worst

from . import completing
from .behaviour import gained, parted
from .counterexamples import Details
from .outcome import Json, Outcome
from .protocols import family
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.comparing import Differences, Forbidden, PropertyChange, RowChange
    from fencepost.checkers.comparing.behaviour import Behaviour
    from fencepost.checkers.comparing.equivalence import Compared
    from fencepost.model.language import Protocol

_HELP = (
    "a protocol as every command names it, such as kraft@4.2 or kraft+NAME, or path/to/file.py:NAME@REVISION for a "
    "file at a revision of its git repository"
)


def diff(
    old: Annotated[str, typer.Argument(help=f"As it was: {_HELP}.", autocompletion=completing.protocols)],
    new: Annotated[str, typer.Argument(help="As it is; named likewise.", autocompletion=completing.protocols)],
    forbid: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT,...",
            help="End with 1 where it happens: behaviour-added, behaviour-removed, property-weakened.",
        ),
    ] = None,
    limit: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Time for one question to the solver.")
    ] = 10.0,
    in_step: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="Seconds of processor time to run both in step, to the shortest behaviour that distinguishes them.",
        ),
    ] = 0.0,
    details: Details = False,
    json: Json = False,
) -> Outcome:
    """Say which rows and properties differ, by meaning: other names and another order are no difference.

    Where guards or claims are written otherwise, Z3 is asked whether they are stronger, weaker, incomparable or
    equivalent; what it does not decide is unknown. Effects are compared as they are written.
    """
    from fencepost.checkers.api.designs import diff as compare
    from fencepost.checkers.comparing import FORBIDDEN, forbidden
    from fencepost.checkers.comparing.revisions import of_name

    wanted = [one.strip() for one in forbid.split(",")] if forbid is not None else []
    unknown = [one for one in wanted if one not in FORBIDDEN]
    if unknown:
        raise Refusal(f"--forbid {unknown[0]}: means nothing; use some of {', '.join(FORBIDDEN)}")
    before, after = of_name(old), of_name(new)
    with watching(f"comparing {old} with {new}"):
        found = compare(before, after, limit=limit)
        mine = _in_step(old, new, before, after, found, in_step) if in_step else None
    broken = forbidden(found, wanted)
    codes = (ExitCode.VIOLATED if one.certain else ExitCode.INCONCLUSIVE for one in broken)
    code = worst(codes)
    verdict = headline(code, "changed" if found else "the same")
    page = [
        f"{old} → {new}: {verdict}: {_summary(found)}; {found.seconds:.1f} s",
        *_forbidden(broken),
        *(parted(mine) if mine is not None else ()),
        *lines(found),
        *(gained(mine, old, new, details) if mine is not None else ()),
    ]
    document = {
        **found.as_json(),
        "forbidden": [one.as_json() for one in broken],
        "old_table_hash": before.hash,
        "behaviour": mine.as_json() if mine is not None else None,
    }
    return Outcome("diff", verdict, code, document, page, after.hash, [])


def _in_step(old: str, new: str, before: Protocol, after: Protocol, found: Differences, seconds: float) -> Behaviour:
    """Run both in step, at the bounds that they have in common."""
    from fencepost.checkers.comparing.behaviour import behaviour

    return behaviour((before, after), _slices(old, before), _slices(new, after), found, seconds)


def _slices(name: str, protocol: Protocol) -> tuple[Protocol, ...]:
    """Return what of a protocol has bounds: itself, or the slices of one that commands know by its name."""
    return (protocol,) if protocol.bounds else family(name).slices


def _forbidden(broken: Iterable[Forbidden]) -> Iterator[str]:
    """Yield what happened of what is forbidden: what is certain first, a line each for what and how."""
    by_what: dict[tuple[bool, str, str], list[str]] = {}
    for one in broken:
        by_what.setdefault((not one.certain, one.what, one.how), []).append(one.id)
    for (open_, what, how), ids in sorted(by_what.items()):
        told = ", ".join(one for one in ids if one)
        yield f"  {what}{' cannot be excluded' if open_ else ''}: {how}{f': {told}' if told else ''}"


def _summary(found: Differences) -> str:
    def counted(name: str, changes: Iterable[RowChange | PropertyChange]) -> str:
        by_how: dict[str, int] = {}
        for one in changes:
            by_how[one.how] = by_how.get(one.how, 0) + 1
        same = f"{found.counts[name]} the same"
        return f"{name}: {', '.join([*(f'{n} {how}' for how, n in by_how.items()), same])}"

    return f"{counted('rows', found.rows)}; {counted('properties', found.properties)}"


def lines(found: Differences) -> Iterator[str]:
    """Yield the page of differences: rows, what they are said with, properties, and the rest."""
    quiet: dict[tuple[str, ...], list[str]] = {}
    for one in found.rows:
        if one.how == "changed" and one.through and not one.lines and one.guard.relation == "same":
            quiet.setdefault((*_parts(one), f"through {', '.join(one.through)}"), []).append(one.id)
        else:
            yield from _row(one)
    for parts, ids in quiet.items():
        yield f"~ {', '.join(ids)}: {', '.join(parts)}"
    yield from _section("definitions and procedures", found.words)
    for change in found.properties:
        yield from _property(change)
    yield from _section("assumptions", found.assumptions)
    yield from _section("the rest", found.others)


_SIGNS = {"added": "+", "removed": "-"}


def _row(one: RowChange) -> Iterator[str]:
    if one.how == "renamed":
        yield f"~ {one.id} was {one.was}, and means the same"
        return
    said: list[str] = [one.how] if one.how != "changed" else []
    said += _parts(one)
    yield f"{_SIGNS.get(one.how, '~')} {one.id} on {one.on} ({one.table}): {', '.join(said)}"
    yield from (f"    {line}" for line in _compared(one.guard))
    yield from (f"    {line}" for line in one.lines)
    if one.through:
        yield f"    through {', '.join(one.through)}"


def _parts(one: RowChange) -> list[str]:
    guard = f"guard {one.guard.relation}" if one.guard.relation != "same" else ""
    parts = (guard, "event" if one.event else "", "effects" if one.effects else "", "answer" if one.answer else "")
    return [f"{part} changed" if part != guard else part for part in parts if part]


def _compared(one: Compared) -> Iterator[str]:
    if one.given:
        yield "in every state that satisfies what both claim and assume of states"
    if one.more:
        yield f"it applies now with {one.more}"
    if one.less:
        yield f"it applied with {one.less}"
    if one.why:
        yield f"unknown: {one.why}"


def _property(one: PropertyChange) -> Iterator[str]:
    if one.how == "renamed":
        yield f"~ {one.id} was {one.was}, and claims the same"
        return
    said: list[str] = [one.how] if one.how != "changed" else []
    if one.claim.relation != "same":
        said.append(f"claim {one.claim.relation}")
    if one.weakened and one.how != "removed":
        said.append("claims less")
    yield f"{_SIGNS.get(one.how, '~')} {one.id}: {', '.join([*said, *one.also])}"
    if one.claim.less:
        yield f"    it allowed {one.claim.less}"
    if one.claim.more:
        yield f"    it allows now {one.claim.more}"
    if one.claim.why:
        yield f"    unknown: {one.claim.why}"
    yield from (f"    {line}" for line in one.lines)


def _section(title: str, listed: Iterable[str]) -> Iterator[str]:
    some = list(listed)
    if some:
        yield f"{title}:"
        yield from (f"    {line}" for line in some)
