"""`fencepost prove`: the rows keep the properties, for any number of entities; and the tables are tidy."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.asked import scope_lines
from fencepost.checkers.codes import hygiene_code, proof_code, proof_findings
from fencepost.checkers.counting import counted, noun
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, headline, worst
from fencepost.model.language import Protocol

from . import completing, prove_quick, prove_refines, prove_second
from .counterexamples import Details, told
from .itf_files import Itf, refuse_itf, with_itf
from .outcome import Json, Outcome
from .protocols import HELP, claims, family
from .prove_second import SECONDS
from .reports import Force, Html, refuse_html, with_page
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.proof import Folder, Hygiene, Obligation, Proof, SecondOpinion
    from fencepost.model.registry import Family

SHOWN = 3
"""Counterexamples that the page shows in full; the JSON document has them all."""
SEARCH = 10.0


def prove(
    protocol: Annotated[str, typer.Argument(help=HELP, autocompletion=completing.protocols)],
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of the solver under which every proof must succeed.")] = 1,
    property_: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="ID", help="Only this property.", autocompletion=completing.properties),
    ] = None,
    row: Annotated[
        list[str] | None, typer.Option("--row", metavar="ID", help="Only this row.", autocompletion=completing.rows)
    ] = None,
    search: Annotated[
        float,
        typer.Option(
            "--search",
            metavar="SECONDS",
            min=0,
            help="Seconds of processor time for a search from the initial states for what is not inductive.",
        ),
    ] = SEARCH,
    no_search: Annotated[bool, typer.Option("--no-search", help="Do not search from the initial states.")] = False,
    dropped: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="ID", help="Drop this assumption, and say what falls without it."),
    ] = None,
    refines: Annotated[
        str | None,
        typer.Option(
            "--refines",
            metavar="PROTOCOL",
            help="Ask instead whether every step is a row of this protocol: kraft --refines kraft-data.",
        ),
    ] = None,
    why: Annotated[
        str | None,
        typer.Option(
            "--why",
            metavar="ID",
            help="Say which obligations are not proved without this lemma; with --row, what proves that row and ID.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Short attempts only, and a line for each row as soon as it is done.")
    ] = False,
    second_solver: Annotated[
        bool,
        typer.Option("--second-solver", help="Ask cvc5 what Z3 answers with unsat; exit 5 where it says otherwise."),
    ] = False,
    sample: Annotated[
        int, typer.Option("--second-solver-sample", metavar="N", min=0, help="Ask cvc5 so many; 0 for all.")
    ] = 0,
    limit: Annotated[
        int, typer.Option("--second-solver-seconds", metavar="S", min=1, help="Processor time for each.")
    ] = SECONDS,
    write_smt2: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write what Z3 answers with unsat to this folder, as SMT-LIB.")
    ] = None,
    details: Details = False,
    itf: Itf = None,
    html: Html = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Prove that every row keeps every property, for any number of entities; check tables for gaps and overlaps.

    A row that breaks a property from a state that satisfies every invariant shows that the property is not inductive;
    it is violated where a run from an initial state breaks it, which is searched for at the protocol's own bounds.
    """
    started = time.perf_counter()
    second_solver = second_solver or sample > 0 or limit != SECONDS
    for option, given in (("--second-solver", second_solver), ("--write-smt2", write_smt2 is not None)):
        if given and (quick or refines is not None or why is not None or dropped):
            raise Refusal(f"{option}: is of a plain proof; leave out --quick, --refines, --why and --without")
    refuse_html(html, force, quick=quick, refines=refines is not None, why=why is not None, without=bool(dropped))
    refuse_itf(itf)
    if itf is not None and (quick or refines is not None or why is not None or dropped):
        raise Refusal("--itf: is of a plain proof; leave out --quick, --refines, --why and --without")
    named = family(protocol)
    whole = named.whole
    if quick:
        if refines is not None or why is not None or dropped or seeds > 1:
            raise Refusal("--quick asks once; leave out --refines, --why, --without and --seeds")
        return prove_quick.quickly(whole, property_ or None, row or None)
    if refines is not None:
        if property_ or dropped or why is not None:
            raise Refusal("--refines asks no properties; leave out --property, --without and --why")
        return prove_refines.refines(whole, refines, row or None, seeds, details)
    if why is not None:
        if property_ or dropped or len(row or ()) > 1:
            raise Refusal(
                "--why asks about one row, or about all; leave out --property, --without and all but one --row"
            )
        return _why(whole, why) if not row else _used(whole, row[0], why)
    if dropped:
        if property_ or row:
            raise Refusal("--without asks every row of every property; leave out --property and --row")
        return _without(whole, dropped)
    with prove_second.folder(write_smt2, second_solver) as folder:
        found, tidy = _asked(named, seeds, property_ or None, row or None, 0 if no_search else search, folder)
        second = None
        if second_solver:
            second = prove_second.asked(found, tidy, sample, limit)
    judged = with_itf(outcome(found, tidy, whole, property_ or (), details, second), itf, protocol)
    return with_page(judged, html, protocol, [named], time.perf_counter() - started)


def _asked(
    named: Family,
    seeds: int,
    properties: Sequence[str] | None,
    rows: Sequence[str] | None,
    seconds: float,
    folder: Folder | None,
) -> tuple[Proof, Hygiene | None]:
    """Return the proof, with what a search of so many seconds found, and of whole tables their hygiene."""
    from fencepost.checkers.proof import hygiene
    from fencepost.checkers.proof import prove as proved
    from fencepost.checkers.proof import search as searched

    whole = named.whole
    with watching(f"proving {whole.name}") as tell:
        found = proved(
            whole,
            seeds=seeds,
            properties=properties,
            rows=rows,
            progress=lambda done, total, last: tell(f"{done} of {total} obligations, last {last}"),
            folder=folder,
        )
    if found.not_inductive and seconds:
        with watching("searching from the initial states") as tell:
            found = searched(whole, named.slices, found, seconds, tell)
    tidy = None
    if properties is None and rows is None:
        with watching(f"gaps, overlaps and dead rows of {whole.name}"):
            tidy = hygiene(whole, applying=found.applying, folder=folder)
    return found, tidy


def _why(whole: Protocol, id: str) -> Outcome:
    """Return what a lemma is for: the obligations that are not proved without it."""
    from fencepost.checkers.proof import needs

    started = time.perf_counter()
    with watching(f"proving {whole.name} without {id}") as tell:
        found = needs(whole, id, progress=lambda done, total, last: tell(f"{done} of {total} obligations, last {last}"))
    lost = len(found.refuted) + len(found.unknown)
    verdict = "needed" if lost else "not needed"
    seconds = time.perf_counter() - started
    page = [
        f"{whole.name} without {id}: {verdict}: {lost} of {found.asked} obligations of other properties not proved; "
        f"{seconds:.1f} s",
        f"  {found.lemma.about}",
        f"  {len(found.refuted)} refuted by a state of few entities, {len(found.unknown)} unknown",
        *(f"  {property} at {', '.join(rows)}" for property, rows in found.by_property.items()),
    ]
    return Outcome("prove", verdict, ExitCode.AS_DECLARED, found.as_json(), page, whole.hash, [])


LEFT = {
    "refuted": "without it a state of few entities breaks the obligation",
    "proved": "without it others do in its place",
    "unknown": "without it the obligation is unknown",
}


def _used(whole: Protocol, row: str, id: str) -> Outcome:
    """Return which hypotheses prove that a row keeps a property, and what is left without each of them."""
    from fencepost.checkers.proof import used

    started = time.perf_counter()
    with watching(f"which hypotheses of {whole.name} prove {row} × {id}"):
        found = used(whole, row, id)
    enough = f"{found.given} hypotheses are given"
    if found.used is not None:
        enough = (
            f"{counted(len(found.used), 'hypothesis', 'hypotheses')} of {found.given} needed"
            if found.used
            else "no hypothesis needed"
        )
    elif found.answer == "proved":
        enough += ", and no few that suffice were found"
    page = [f"{whole.name}, {row} × {id}: {found.answer}; {enough}; {time.perf_counter() - started:.1f} s"]
    for one in found.used or ():
        page += [f"  {one.id}: {one.about}", f"    {LEFT[one.without]}"]
    code = {"proved": ExitCode.AS_DECLARED, "refuted": ExitCode.NOT_INDUCTIVE}.get(found.answer, ExitCode.INCONCLUSIVE)
    return Outcome("prove", found.answer, code, found.as_json(), page, whole.hash, [])


def _without(whole: Protocol, dropped: Sequence[str]) -> Outcome:
    """Return what falls without some assumptions, and what rests on it."""
    from fencepost.checkers.proof import falling

    with watching(f"proving {whole.name} without {', '.join(dropped)}"):
        fallen, rest = falling(whole, dropped)
    code = worst([ExitCode.NOT_INDUCTIVE if fallen else ExitCode.AS_DECLARED, proof_code(rest)])
    verdict = headline(code, rest.verdict)
    left = rest.property_count - len(fallen)
    said = f"{', '.join(fallen)} not proved any more" if fallen else "everything is proved as before"
    page = [
        f"{whole.name} without {', '.join(dropped)}: {verdict}: {said}; without these as "
        f"hypotheses the other {left} properties are proved or violated as declared, "
        f"{rest.unknown} obligations unknown; {rest.seconds:.1f} s",
        *claims(whole, fallen),
    ]
    document = {**rest.as_json(), "without": list(dropped), "fallen": list(fallen)}
    return Outcome("prove", verdict, code, document, page, whole.hash, [])


def outcome(
    found: Proof,
    tidy: Hygiene | None,
    whole: Protocol,
    only: Sequence[str] = (),
    details: bool = False,
    second: SecondOpinion | None = None,
) -> Outcome:
    """Return a proof attempt and what is wrong with the tables, None where they were not asked, as the outcome.

    `only` are the properties that were asked, all if empty. `second` is what a second solver says of it, if asked.
    What the protocol is about, which may be what it promises, is printed only where all of it was asked and proved.
    """
    codes = [proof_code(found), *([hygiene_code(tidy)] if tidy else []), *([second.code] if second else [])]
    code = worst(codes)
    document = {**found.as_json(), "hygiene": tidy, "second_solver": second}
    verdict = headline(code, found.verdict)
    first, *more = _page(document, found, tidy, verdict, code)
    page = [
        first,
        *(f"  {line}" for line in (second.lines() if second is not None else ())),
        *([f"  {whole.about}"] if whole.about and tidy is not None and code is ExitCode.AS_DECLARED else ()),
        *more,
        *_assumed(whole, only),
        *(f"  {one.words()}" for one in found.rankings),
        *(f"  {line}" for line in scope_lines(found.scopes)),
        *_claimed(found, whole),
        *hygiene_lines(tidy, found.scope),
        *counterexamples(found, details),
    ]
    return Outcome("prove", verdict, code, document, page, whole.hash, proof_findings(whole, found))


def _assumed(whole: Protocol, only: Sequence[str]) -> list[str]:
    """Return the assumptions of a proof of some properties: the others are its hypotheses, and are not proved."""
    from fencepost.checkers.proof import hypotheses

    others = [one.id for one in hypotheses(whole) if one.id not in only]
    if not only or not others:
        return []
    return [f"  assuming the other {len(others)} invariants, which only the proof of the whole protocol asks"]


def _head(document: Mapping[str, Any], found: Proof, tidy: Hygiene | None, verdict: str, code: ExitCode) -> str:
    """The headline: the meaning of the exit code, of the proof or of the tables' hygiene."""
    asked = document["obligations"] + document["frame_obligations"]
    proved = f"{document['proved']} of {asked} obligations proved"
    if tidy is not None and hygiene_code(tidy) == code and proof_code(found) != code and tidy.findings:
        worse = next(
            (one for one in tidy.findings if hygiene_code(replace(tidy, findings=(one,))) == code), tidy.findings[0]
        )
        return f"{found.protocol}: {verdict}: {worse.subject}; {proved} {found.scope}"
    declared = found.broken_as_declared
    if verdict == Verdict.VIOLATED_AS_DECLARED.value:
        broken = "; ".join(f"{id} by {_few(rows)}" for id, rows in declared.items())
        return f"{found.protocol}: violated, as expected ({broken}): {proved} {found.scope}"
    but = f" but for {_few([*declared])}, violated as declared" if verdict == "proved" and declared else ""
    return f"{found.protocol}: {verdict} {found.scope}{but}: {proved}"


def _cores(found: Proof) -> str:
    """Return the effect of recorded cores, with the solver that they were recorded with where it is another one."""
    if found.no_cores or not found.by_cores:
        return ""
    another = (
        "" if found.core_solver == found.solver else f", recorded with {found.core_solver or 'an unknown version'}"
    )
    return f"; {found.by_cores} proved by recorded cores{another}"


def _few(ids: Sequence[str], most: int = 6) -> str:
    """The first ids of many, and how many more there are."""
    return ", ".join(ids[:most]) + (f" and {len(ids) - most} more" if len(ids) > most else "")


def _page(document: Mapping[str, Any], found: Proof, tidy: Hygiene | None, verdict: str, code: ExitCode) -> list[str]:
    lines = [
        _head(document, found, tidy, verdict, code),
        f"  {document['refuted']} refuted ({document['refuted'] - document['not_inductive']} by a run from an initial "
        f"state, {document['not_inductive']} not inductive), {document['unknown']} unknown, "
        f"{document['expected']} violated as declared",
        f"  {counted(document['row_count'], 'row')}, "
        f"{counted(document['property_count'], 'property', 'properties')}: in "
        f"{document['obligations']} {noun(document['obligations'], 'obligation')} the row writes "
        f"what the property reads, in {document['frame_obligations']} it does not; "
        f"{document['seconds']:.1f} s",
    ]
    if found.no_cores:
        lines.append(f"  without recorded cores: {found.no_cores}")
    lines.append(f"  asked with {found.solver}{_cores(found)}")
    undeclared = [one for one in document["failed"] if not one["declared"]]
    lines += [f"  {one['row']} × {one['property']}: {one['verdict']}: {one['message']}" for one in undeclared]
    broken = found.broken_as_declared
    lines += [f"  {id} is violated as declared, by {', '.join(rows)}" for id, rows in broken.items()]
    return lines


def _claimed(found: Proof, whole: Protocol) -> list[str]:
    from fencepost.checkers.proof import INITIAL
    from fencepost.checkers.proof.assumptions import lines as assumption_lines
    from fencepost.checkers.proof.prove import HYPOTHESES
    from fencepost.checkers.proof.rankings import ranked

    failed = {id for one in found.failed for id in (one.ranking, one.property)}
    lines = claims(ranked(whole), failed)
    if INITIAL in found.vacuous:
        lines.append("  no state satisfies the start conditions and the assumptions")
    if HYPOTHESES in found.vacuous:
        lines.append("  no state satisfies the assumptions and the properties that are hypotheses")
    elif found.met is not None:
        lines.append(f"  hypotheses can be met: {found.met or 'not shown, so that the proof may be of nothing'}")
    rows = [name for name in found.vacuous if name not in (INITIAL, HYPOTHESES)]
    if rows:
        lines.append(f"  vacuous: {', '.join(rows)}")
    if found.out_of_range:
        where = "where a counter would fall below its start, or a threshold below 1"
        lines.append(f"  disabled {where}: {', '.join(found.out_of_range)}")
    if found.undeclared:
        lines.append(f"  declared violated, and kept by every row: {', '.join(found.undeclared)}")
    lines += [f"  {line}" for line in assumption_lines(found.assumptions)]
    if found.abstractions:
        lines.append(f"  abstracted in the encoding: {', '.join(found.abstractions)}")
    return lines


def hygiene_lines(tidy: Hygiene | None, scope: str = "for any number of entities") -> list[str]:
    """Return what was found of gaps, overlaps and rows that never apply, as text."""
    if tidy is None:
        return ["  hygiene: asked only of whole tables"]
    lines = [
        f"  hygiene: {counted(tidy.asked, 'question')} about gaps, overlaps and rows that never apply, "
        f"{tidy.proved} settled {scope}, {counted(len(tidy.findings), 'finding')}"
    ]
    return lines + [f"    {line}" for one in tidy.findings for line in one.lines()]


def counterexamples(found: Proof, details: bool = False) -> list[str]:
    """Every obligation that fails and is not declared to: the first in full, of the others the search's result."""
    lines: list[str] = []
    failed = [one for one in found.failed if one.counterexample is not None and not one.declared]
    failed.sort(key=lambda one: one.verdict.value != "violated")
    runs: set[str] = set()
    for number, one in enumerate(failed):
        if number < SHOWN:
            lines += ["", *_counterexample(one, runs, details)]
        elif one.searched is not None:
            lines += ["", f"{one.row} × {one.property}:", *(f"  {line}" for line in one.searched.lines())]
    return lines


def _counterexample(one: Obligation, runs: set[str], details: bool) -> list[str]:
    """A counterexample: the run from an initial state where there is one, else the step and what was searched."""
    assert one.counterexample is not None
    searched = [f"  {line}" for line in one.searched.lines()] if one.searched is not None else []
    run = one.searched.trace if one.searched is not None else None
    breaks = f"{one.row} breaks {one.property}"
    if one.row == "initial":
        return told(one.counterexample, [f"{one.property} is false in an initial state:"], details)
    if one.counterexample.initial:
        return told(one.counterexample, [f"{breaks}, in a run from an initial state:", *searched], details)
    lines = []
    if run is None or one.searched is None or not one.searched.breaks(one.row):
        begin = f"{breaks}, starting from a state that satisfies every invariant:"
        ends = searched if run is None or one.property in runs else ()
        lines += told(one.counterexample, [begin], details, ends=ends)
        begin = f"{one.property} is broken from an initial state, too:"
    else:
        begin = f"{breaks}:"
    if run is not None and one.property not in runs:
        runs.add(one.property)
        lines += told(run, [begin, *searched], details)
    return lines
