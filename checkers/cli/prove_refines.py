"""`fencepost prove --refines`: whether every step of a protocol is a row of another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fencepost.checkers.codes import refined_code
from fencepost.checkers.verdicts import Refusal, headline
from fencepost.model import registry
from fencepost.model.language import Protocol

from .counterexamples import told
from .outcome import Outcome
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.proof import Refined

SHOWN = 3
"""Counterexamples that the page shows in full; the JSON document has them all."""


def refines(whole: Protocol, name: str, rows: Sequence[str] | None, seeds: int, details: bool = False) -> Outcome:
    """Return whether every step of a protocol is a row of the one with a name."""
    from fencepost.checkers.proof import edited, refine

    asked = registry.refinement(name)
    if not {state for state in asked.states if state in whole.states} == asked.states:
        raise Refusal(f"{whole.name}: --refines {name} takes {asked.lower.name} and its variants")
    with watching(f"asking whether {whole.name} refines {name}") as tell:
        found = refine(
            edited(asked, whole),
            seeds=seeds,
            rows=rows,
            progress=lambda done, total, last: tell(f"{done} of {total}, last {last}"),
        )
    code = refined_code(found)
    verdict = headline(code, found.verdict)
    return Outcome("prove", verdict, code, found.as_json(), _page(found, verdict, details), whole.hash, [])


def _page(found: Refined, verdict: str, details: bool) -> list[str]:
    framed = [one.row for one in found.rows if one.frame]
    asked = sum(one.obligations for one in found.proofs)
    lines = [
        f"{found.lower} refines {found.upper}: {verdict}, for any number of entities",
        f"  {len(found.rows)} rows, {len(framed)} of which write nothing that is mapped; {asked} obligations, "
        f"{sum(one.unknown for one in found.proofs)} unknown; {found.seconds:.1f} s",
    ]
    lines += [f"  {one.row}: {one.said}" for one in found.rows if not one.frame]
    lines += [f"  declared not to be, and is: {one}" for one in found.undeclared]
    lines += [
        f"  {one.row} × {one.property}: {one.verdict.value}: {one.message}"
        for proof in found.proofs
        for one in proof.failed
        if not one.declared
    ]
    failed = [one for row in found.rows for one in row.failed if one.counterexample is not None]
    for one in failed[:SHOWN]:
        assert one.counterexample is not None
        begin = f"{one.row} makes a step that {one.property} does not allow:"
        lines += ["", *told(one.counterexample, [begin], details)]
    return lines
