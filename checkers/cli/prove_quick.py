"""`fencepost prove --quick`: short attempts only, and a line for each row as soon as it is done."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.asked import scope_lines
from fencepost.checkers.verdicts import ExitCode, Verdict, headline
from fencepost.model.language import Protocol

from .outcome import Outcome
from .terminal import say

_CODES = {
    Verdict.PROVED: ExitCode.AS_DECLARED,
    Verdict.VIOLATED_AS_DECLARED: ExitCode.AS_DECLARED,
    Verdict.NOT_INDUCTIVE: ExitCode.NOT_INDUCTIVE,
    Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}


def quickly(whole: Protocol, properties: Sequence[str] | None, rows: Sequence[str] | None) -> Outcome:
    """Return what short attempts prove; each row is printed when it is done."""
    from fencepost.checkers.proof import quick

    found = quick(whole, properties=properties, rows=rows, told=lambda row: say(row.line()))
    code = _CODES[found.verdict]
    verdict = headline(code, found.verdict)
    asked = sum(one.asked for one in found.rows)
    broken = sum(len(one.broken) for one in found.rows)
    missed = sum(len(one.open) for one in found.rows)
    expected = sum(len(one.expected) for one in found.rows)
    page = [
        f"{whole.name}: {verdict}, asked quickly: {asked - broken - missed - expected} of {asked} obligations proved, "
        f"{broken} not kept, {missed} not decided quickly, {expected} violated as declared; {found.seconds:.1f} s",
        "  not asked: whether rows apply, whether hypotheses can be met, whether tables are tidy, and what needs an "
        "assumption",
        *(f"  {line}" for line in scope_lines(found.scopes)),
    ]
    return Outcome("prove", verdict, code, found.as_json(), page, whole.hash, [])
