"""`fencepost prove`: the rows keep the properties, for any number of entities; and the tables are tidy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.check import hygiene_code, hygiene_json, proof_code, proof_findings
from fencepost.checkers.verdicts import ExitCode, Verdict, worst
from fencepost.model.language import Protocol

from .outcome import Json, Outcome
from .protocols import HELP, claims, family
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.proof import Hygiene, Obligation, Proof

SHOWN = 3
"""Counterexamples that the page shows in full; the JSON document has them all."""


def prove(
    protocol: Annotated[str, typer.Argument(help=HELP)],
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of the solver under which every proof must succeed.")] = 1,
    property_: Annotated[list[str] | None, typer.Option("--property", metavar="ID", help="Only this property.")] = None,
    row: Annotated[list[str] | None, typer.Option("--row", metavar="ID", help="Only this row.")] = None,
    json: Json = False,
) -> Outcome:
    """Prove that every row keeps every property, for any number of entities, and that the tables are tidy."""
    whole = family(protocol).whole
    from fencepost.checkers.proof import hygiene
    from fencepost.checkers.proof import prove as proved

    with watching(f"proving {whole.name}") as tell:
        found = proved(
            whole,
            seeds=seeds,
            properties=property_ or None,
            rows=row or None,
            progress=lambda done, total, last: tell(f"{done} of {total} obligations, last {last}"),
        )
    tidy = None
    if not property_ and not row:
        with watching(f"gaps, overlaps and dead rows of {whole.name}"):
            tidy = hygiene(whole, applying=found.applying)
    code = worst([proof_code(found), hygiene_code(tidy) if tidy else ExitCode.AS_DECLARED])
    return Outcome(
        "prove",
        _verdict(found, tidy, code),
        code,
        {**found.as_json(), "hygiene": hygiene_json(tidy) if tidy else None},
        [*_page(found, whole), *_tidy(tidy)],
        whole.hash,
        proof_findings(whole, found),
    )


def _verdict(found: Proof, tidy: Hygiene | None, code: ExitCode) -> str:
    """The proof's verdict, unless the proof is done and the tables are not tidy."""
    if found.verdict is not Verdict.PROVED or tidy is None or code == ExitCode.AS_DECLARED:
        return found.verdict.value
    words = {ExitCode.VIOLATED: Verdict.VIOLATED, ExitCode.VACUOUS: Verdict.VACUOUS}
    return words.get(hygiene_code(tidy), Verdict.INCONCLUSIVE).value


def _tidy(tidy: Hygiene | None) -> list[str]:
    if tidy is None:
        return ["  hygiene: asked only of whole tables"]
    lines = [
        f"  hygiene: {tidy.asked} questions about gaps, overlaps and rows that never apply, "
        f"{tidy.proved} settled for any number of entities, {len(tidy.findings)} findings"
    ]
    lines += [f"    {one.what} in {one.table}: {one.verdict.value}: {one.message}" for one in tidy.findings]
    return lines


def _page(found: Proof, whole: Protocol) -> list[str]:
    lines = [
        f"{found.protocol}: {found.verdict.value} for any number of entities: {found.proved} of "
        f"{found.obligations + found.frame_obligations} obligations proved, {found.refuted} refuted, "
        f"{found.unknown} unknown, {found.expected} violated as declared",
        f"  {found.row_count} rows, {found.property_count} properties: in {found.obligations} obligations "
        f"the row writes what the property reads, in {found.frame_obligations} it does not; {found.seconds:.1f} s",
    ]
    for one in found.failed:
        if not one.declared:
            lines.append(f"  {one.row} × {one.property}: {one.verdict.value}: {one.message}")
    broken: dict[str, list[str]] = {}
    for one in found.failed:
        if one.declared:
            broken.setdefault(one.property, []).append(one.row)
    lines += [f"  {id} is violated as declared, by {', '.join(rows)}" for id, rows in broken.items()]
    lines += claims(whole, {one.property for one in found.failed})
    if found.vacuous:
        lines.append(f"  vacuous: {', '.join(found.vacuous)}")
    if found.undeclared:
        lines.append(f"  declared violated, and kept by every row: {', '.join(found.undeclared)}")
    if found.abstractions:
        lines.append(f"  abstracted in the encoding: {', '.join(found.abstractions)}")
    for one in [o for o in found.failed if o.counterexample is not None and not o.declared][:SHOWN]:
        lines += ["", *_counterexample(one)]
    return lines


def _counterexample(one: Obligation) -> list[str]:
    assert one.counterexample is not None
    told = [f"  {line}" for line in one.counterexample.lines()]
    return [f"{one.row} breaks {one.property}, starting from a state that satisfies every invariant:", *told]
