"""`fencepost whatif`: what a variant breaks of its base, asked of what its edit touches only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.asked import scope_lines
from fencepost.checkers.codes import hygiene_code, proof_code, proof_findings
from fencepost.checkers.counting import counted, noun
from fencepost.checkers.verdicts import ExitCode, Verdict, headline, worst
from fencepost.model.language import LeadsTo, Protocol
from fencepost.model.registry import Family

from . import completing
from .behaviour import gained, parted
from .counterexamples import Details
from .diff import lines as differing
from .itf_files import Itf, refuse_itf, with_itf
from .outcome import Json, Outcome
from .protocols import HELP, claims
from .prove import counterexamples
from .reports import Force, Html, refuse_html, with_page
from .terminal import say, watching

if TYPE_CHECKING:
    from fencepost.checkers.comparing.accepted import LogOfBoth
    from fencepost.checkers.comparing.whatif import WhatIf

NAMED = 6
"""Undecided obligations with one reason that the page names; the JSON document has all."""


def whatif(
    variant: Annotated[
        str, typer.Argument(help=f"A variant of a protocol: {HELP}.", autocompletion=completing.protocols)
    ],
    base: Annotated[
        str | None, typer.Option(metavar="PROTOCOL", help="What it is compared with, if not what it was made from.")
    ] = None,
    search: Annotated[
        float,
        typer.Option(
            "--search", metavar="SECONDS", min=0, help="Seconds of processor time for runs to what is not inductive."
        ),
    ] = 4.0,
    in_step: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0, help="Seconds of processor time for behaviour gained and lost, at small bounds."
        ),
    ] = 3.0,
    limit: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0, help="Seconds of processor time for obligations; the rest is unknown."),
    ] = 120.0,
    repair: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0, help="Seconds of processor time for conditions that would keep what is not kept."
        ),
    ] = 3.0,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep what the solver decides in a folder, and ask nothing of it again."),
    ] = None,
    logs: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Recorded logs, or event traces, that both designs check; more than once."),
    ] = None,
    details: Details = False,
    itf: Itf = None,
    html: Html = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Say what a variant changes, and which properties it breaks: only what the edit touches is asked.

    A row that changed is checked for every property, a property that changed for every row. All other obligations read
    as in the base, and are proved as far as the base is.
    """
    from fencepost.checkers.api.designs import edit

    started = time.perf_counter()
    refuse_html(html, force)
    refuse_itf(itf)
    made = edit(variant, base)
    before, whole = made.base, made.named.whole
    judged = _judged(before, whole, logs or ())
    with watching(f"asking what {variant} touches") as update:
        found = made.asked(
            search, say, in_step=in_step, limit=limit, repair=repair, cache=cache, progress=_Progress(update)
        )
    own = Family(whole.name, lambda: whole, lambda: made.slices, made.named.sources)
    beside = Family(before.name, lambda: before, lambda: (), "")
    answer = with_itf(_outcome(found, whole, made.slices, judged, details), itf, variant)
    return with_page(answer, html, variant, [own, beside], time.perf_counter() - started)


class _Progress:
    """Prints the progress of the obligations: on a terminal always, elsewhere a line on standard error now and then."""

    EVERY = 10.0

    def __init__(self, update: Callable[[str], None]) -> None:
        self.update, self.last = update, time.monotonic()

    def __call__(self, line: str) -> None:
        self.update(line)
        if not sys.stderr.isatty() and time.monotonic() - self.last > self.EVERY:
            self.last = time.monotonic()
            print(f"whatif: {line}", file=sys.stderr, flush=True)


def _judged(base: Protocol, variant: Protocol, paths: Sequence[str]) -> tuple[LogOfBoth, ...]:
    """Check logs with both designs, before anything is proved: a path without a log ends the command at once."""
    if not paths:
        return ()
    from fencepost.checkers.comparing.accepted import accepted

    from .conform_designs import design_traces

    traces = [one for found in design_traces(paths).values() for one in found]
    return accepted(base, variant, [] if traces else list(paths), traces)


def _outcome(
    found: WhatIf, whole: Protocol, slices: tuple[Protocol, ...], judged: tuple[LogOfBoth, ...], details: bool
) -> Outcome:
    code = _code(found)
    verdict = headline(code, "kept" if code is ExitCode.AS_DECLARED else found.proof.verdict)
    page = [*_head(found, verdict)]
    if found.differences:
        page += [
            *(f"  {line}" for line in scope_lines(found.proof.scopes)),
            *_blind(found, slices),
            *_not_asked(found, slices),
            *_tidy(found),
            *parted(found.behaviour),
            *_broken(found, whole),
        ]
        page += [*_repaired(found), *_accepted(found, judged)]
        page += ["", "what differs:", *(f"  {line}" for line in differing(found.differences))]
    page += [*counterexamples(found.proof, details), *gained(found.behaviour, found.base, found.variant, details)]
    document = {**found.as_json(), "hygiene": found.hygiene.as_json(), "bounds": _bounds(found, slices)}
    document["comes_to_pass"] = _comes_to_pass(found, slices)
    document["logs"] = [one.as_json() for one in judged]
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
        f"{found.variant} against {found.base}: {verdict}: of {len(mine.pairs)} {noun(len(mine.pairs), 'obligation')} "
        "that the edit touches "
        f"{sum(one not in failed for one in mine.pairs)} proved, {proof.refuted} not kept, {proof.unknown} unknown, "
        f"{proof.expected} violated as declared; {found.seconds:.1f} s, the first answer after {found.first:.1f} s"
    )
    yield (
        f"  touched: {counted(len(mine.rows), 'row')}, {counted(len(mine.properties), 'property', 'properties')}; "
        f"{mine.untouched} further {noun(mine.untouched, 'obligation')} "
        f"read as in {found.base} and were not asked"
    )
    if found.kept:
        yield f"  {found.kept} answers are as the folder of --cache has them: nothing of what was asked has changed"
    if found.not_asked:
        yield f"  {found.not_asked} obligations were not asked: --limit was spent, a larger one asks on"
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


def _comes_to_pass(found: WhatIf, slices: tuple[Protocol, ...]) -> dict[str, list[str]]:
    """Return the claims about runs without end that the edit may concern, none of which is asked: by the first bound
    that has them and sees the change.
    """
    bounds, named = _bounds(found, slices), set(found.touched.unasked)
    result: dict[str, list[str]] = {}
    for one in slices:
        for bound in one.bounds:
            claimed = [p.id for p in one.properties if isinstance(p, LeadsTo) and p.id not in named]
            if bounds[bound] and claimed:
                result[bound] = claimed
                named.update(claimed)
    return result


def _not_asked(found: WhatIf, slices: tuple[Protocol, ...]) -> Iterator[str]:
    left = [f"{', '.join(ids)} (--bound {bound})" for bound, ids in _comes_to_pass(found, slices).items()]
    if left:
        yield f"  not checked is liveness, which only exploration checks: {'; '.join(left)}"


def _tidy(found: WhatIf) -> Iterator[str]:
    tidy = found.hygiene
    asked, found_there = counted(tidy.asked, "question"), counted(len(tidy.findings), "finding")
    yield f"  hygiene: {asked} about the tables of the edit, {found_there}"
    yield from (f"    {line}" for one in tidy.findings for line in one.lines())


def _broken(found: WhatIf, whole: Protocol) -> Iterator[str]:
    rows: dict[tuple[str, Verdict], list[str]] = {}
    for one in found.broken:
        rows.setdefault((one.property, one.verdict), []).append(one.row)
    for (id, verdict), by in rows.items():
        yield f"  {id}: {verdict.value}, by {', '.join(by)}"
    unknown = [one for one in found.proof.failed if one.verdict is Verdict.INCONCLUSIVE and not one.declared]
    for message in dict.fromkeys(one.message for one in unknown):
        pairs = [f"{one.row} × {one.property}" for one in unknown if one.message == message]
        more = f" and {len(pairs) - NAMED} more" if len(pairs) > NAMED else ""
        yield f"  {', '.join(pairs[:NAMED])}{more}: inconclusive: {message}"
    if found.proof.vacuous:
        yield f"  vacuous: {', '.join(found.proof.vacuous)}"
    if found.proof.undeclared:
        yield f"  declared to break, and kept: {', '.join(found.proof.undeclared)}"
    yield from claims(whole, {one.property for one in found.broken})


def _repaired(found: WhatIf) -> Iterator[str]:
    """Yield what would keep what is not kept, each suggestion proved."""
    mine = found.repairs
    if not found.broken:
        return
    if mine.found:
        yield "  what would repair it:"
        yield from (f"    {one.line()}" for one in mine.found)
    elif mine.asked < mine.candidates:
        yield f"  what would repair it: nothing among {mine.asked} conditions of {mine.candidates}; see --repair"
    else:
        yield f"  what would repair it: no single condition of other rows or of the base, of {mine.candidates} asked"


def _accepted(found: WhatIf, judged: Sequence[LogOfBoth]) -> Iterator[str]:
    """Yield the logs that only one of the two designs accepts, where the other refuses them, and what is open."""
    if not judged:
        return
    both = sum(one.verdicts == (Verdict.CONFORMS, Verdict.CONFORMS) for one in judged)
    neither = sum(one.verdicts == (Verdict.VIOLATES, Verdict.VIOLATES) for one in judged)
    yield f"  recorded logs: both accept {both} of {len(judged)}, neither {neither}"
    for one in judged:
        if one.only:
            side = 1 if one.only == "base" else 0
            accepts, refuses = (found.base, found.variant)[:: 1 if side else -1]
            yield f"    {one.path}: only {accepts} accepts it; {refuses} refuses offset {one.offsets[side]}:"
            yield f"      {one.refusals[side]}"
        elif one.open:
            yield f"    {one.path}: not decided: {one.refusals[0] or one.refusals[1]}"
