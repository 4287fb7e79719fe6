"""What a check that stands beside the judgement of a log ends with: its verdict, and the exit code for it."""

from __future__ import annotations

from collections.abc import Sized

from fencepost.checkers.verdicts import ExitCode, Verdict

_CODES = {Verdict.VIOLATES: ExitCode.DOES_NOT_CONFORM, Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE}


def verdict_of(violations: Sized, doubts: Sized) -> Verdict:
    """Return violates with a violation, inconclusive with a doubt, else conforms."""
    if len(violations):
        return Verdict.VIOLATES
    return Verdict.INCONCLUSIVE if len(doubts) else Verdict.CONFORMS


def code_of(verdict: Verdict) -> ExitCode:
    """Return what a command ends with: 6, 3 or 0."""
    return _CODES.get(verdict, ExitCode.AS_DECLARED)
