"""`fencepost whatif`: what a variant breaks of its base, asked of what its edit touches only."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.check import hygiene_code, hygiene_json, proof_code, proof_findings
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, headline, worst
from fencepost.model.language import Protocol
from fencepost.model.registry import Family

from .diff import lines as differing
from .outcome import Json, Outcome
from .protocols import HELP, claims, family
from .prove import SEARCH, counterexamples
from .reports import Html, refuse_html, with_page
from .terminal import say, watching

if TYPE_CHECKING:
    from fencepost.checkers.comparing.whatif import WhatIf


def whatif(
    variant: Annotated[str, typer.Argument(help=f"A variant of a protocol: {HELP}.")],
    base: Annotated[
        str | None, typer.Option(metavar="PROTOCOL", help="What it is compared with, if not what it was made from.")
    ] = None,
    search: Annotated[
        float,
        typer.Option(
            "--search", metavar="SECONDS", min=0, help="Seconds of processor time for runs to what is not inductive."
        ),
    ] = SEARCH,
    in_step: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0, help="Seconds of processor time for behaviour gained and lost, at small bounds."
        ),
    ] = 5.0,
    html: Html = None,
    json: Json = False,
) -> Outcome:
    """Say what a variant changes, and which properties it breaks: only what the edit touches is asked.

    A row that changed is asked of every property, a property that changed of every row. All other obligations read
    as in the base, and are proved as far as the base is.
    """
    from fencepost.checkers.comparing.carried import of_base, slices_of
    from fencepost.checkers.comparing.differences import compare
    from fencepost.checkers.comparing.whatif import whatif as asked

    started = time.perf_counter()
    refuse_html(html)
    named = family(variant)
    whole = named.whole
    before = family(base).whole if base is not None else whole.base
    if before is None:
        raise Refusal(f"{variant}: is no variant of another protocol; say --base PROTOCOL")
    slices = slices_of(before, whole, named, compare(before, whole, ask=False))
    with watching(f"asking what {variant} touches"):
        found = asked(before, whole, slices, search, say, of_base=of_base(before), in_step=in_step)
    own = Family(whole.name, lambda: whole, lambda: tuple(slices), named.sources)
    beside = Family(before.name, lambda: before, lambda: (), "")
    return with_page(_outcome(found, whole, slices), html, variant, [own, beside], time.perf_counter() - started)


def _outcome(found: WhatIf, whole: Protocol, slices: tuple[Protocol, ...]) -> Outcome:
    code = _code(found)
    verdict = headline(code, "kept" if code is ExitCode.AS_DECLARED else found.proof.verdict)
    page = [*_head(found, verdict)]
    if found.differences:
        page += [*_blind(found, slices), *_tidy(found), *_parted(found), *_broken(found, whole)]
        page += ["", "what differs:", *(f"  {line}" for line in differing(found.differences))]
    page += [*counterexamples(found.proof), *_gained(found)]
    document = {**found.as_json(), "hygiene": hygiene_json(found.hygiene), "bounds": _bounds(found, slices)}
    return Outcome("whatif", verdict, code, document, page, whole.hash, proof_findings(whole, found.proof))


def _code(found: WhatIf) -> ExitCode:
    """The worst of the obligations and of the tables; an edit that changes nothing is no answer to anything."""
    if not found.differences:
        return ExitCode.INCONCLUSIVE
    asked = replace(found.proof, obligations=max(1, found.proof.obligations))  # none is touched: none is open
    open_ = ExitCode.INCONCLUSIVE if found.touched.unasked else ExitCode.AS_DECLARED
    return worst([proof_code(asked), hygiene_code(found.hygiene), open_])


def _head(found: WhatIf, verdict: str) -> Iterator[str]:
    mine, proof = found.touched, found.proof
    failed = {(one.row, one.property) for one in proof.failed}
    if not found.differences:
        yield f"{found.variant}: {verdict}: it means the same as {found.base}, and nothing was asked"
        return
    yield (
        f"{found.variant} against {found.base}: {verdict}: of {len(mine.pairs)} obligations that the edit touches "
        f"{sum(one not in failed for one in mine.pairs)} proved, {proof.refuted} not kept, {proof.unknown} unknown, "
        f"{proof.expected} violated as declared; {found.seconds:.1f} s, the first answer after {found.first:.1f} s"
    )
    yield (
        f"  touched: {len(mine.rows)} rows, {len(mine.properties)} properties; {mine.untouched} further obligations "
        f"read as in {found.base} and were not asked"
    )
    if mine.whole:
        yield f"  everything is asked: {mine.whole}"
    if mine.unasked:
        yield f"  only exploration asks {', '.join(mine.unasked)}, which changed: see fencepost explore"


def _bounds(found: WhatIf, slices: tuple[Protocol, ...]) -> dict[str, bool]:
    """Every bound, and whether it has a row or a property that changed."""
    rows = set(found.touched.rows) | {one.id for one in found.differences.rows}
    claims_ = {one.id for one in found.differences.properties}
    return {
        bound: bound not in found.behaviour.blind
        and bool(rows & {row.id for row in one.rows} or claims_ & {p.id for p in one.properties})
        for one in slices
        for bound in one.bounds
    }


def _blind(found: WhatIf, slices: tuple[Protocol, ...]) -> Iterator[str]:
    bounds = _bounds(found, slices)
    blind = [name for name, sees in bounds.items() if not sees]
    if not any(bounds.values()):
        yield "  no bound has a row or a property that changed: runs are searched at the sizes of counterexamples"
    elif blind:
        yield f"  bounds that cannot see the change: {', '.join(blind)}"


def _parted(found: WhatIf) -> Iterator[str]:
    """Yield of each kind of behaviour whether it is found, at which bound, and what it means that it is not."""
    mine = found.behaviour
    for name in ("gained", "lost"):
        shortest = mine.shortest(name)
        if name not in mine.possible:
            yield f"  behaviour {name}: none, as no row can have any"
        elif shortest is not None:
            one, run = shortest
            yield f"  behaviour {name}: after {len(run.steps) - 1} common steps, at {one.protocol} at {one.bound}"
        elif not mine.parted:
            yield f"  behaviour {name}: not compared: no bound of both has a row that changed, or --in-step is 0"
        else:
            said = "; ".join(f"at {one.protocol} at {one.bound} {one.none_text()}" for one in mine.parted)
            yield f"  behaviour {name}: {said}"


def _gained(found: WhatIf) -> Iterator[str]:
    """Yield the shortest runs to what only one of the two designs does."""
    for name, whose in (("gained", found.variant), ("lost", found.base)):
        shortest = found.behaviour.shortest(name)
        if shortest is not None:
            yield ""
            yield f"behaviour {name}, the last step is of {whose} only:"
            yield from (f"  {line}" for line in shortest[1].lines())


def _tidy(found: WhatIf) -> Iterator[str]:
    tidy = found.hygiene
    yield f"  hygiene: {tidy.asked} questions about the tables of the edit, {len(tidy.findings)} findings"
    yield from (f"    {line}" for one in tidy.findings for line in one.lines())


def _broken(found: WhatIf, whole: Protocol) -> Iterator[str]:
    rows: dict[tuple[str, Verdict], list[str]] = {}
    for one in found.broken:
        rows.setdefault((one.property, one.verdict), []).append(one.row)
    for (id, verdict), by in rows.items():
        yield f"  {id}: {verdict.value}, by {', '.join(by)}"
    unknown = [one for one in found.proof.failed if one.verdict is Verdict.INCONCLUSIVE and not one.declared]
    yield from (f"  {one.row} × {one.property}: {one.verdict.value}: {one.message}" for one in unknown)
    if found.proof.vacuous:
        yield f"  vacuous: {', '.join(found.proof.vacuous)}"
    if found.proof.undeclared:
        yield f"  declared to break, and kept: {', '.join(found.proof.undeclared)}"
    yield from claims(whole, {one.property for one in found.broken})
