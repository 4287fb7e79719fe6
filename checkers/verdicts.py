"""Verdicts and exit codes: what an engine may answer, never without its scope, and what a command returns for it."""

from __future__ import annotations

import enum
from collections.abc import Iterable


class Verdict(enum.Enum):
    """What an engine answers about a property, a protocol or a log."""

    PROVED = "proved"
    CLOSED = "closed"
    HOLDS_TO_DEPTH = "holds to depth"
    WITNESSED = "witnessed"
    VIOLATED = "violated"
    VACUOUS = "vacuous"
    INCONCLUSIVE = "inconclusive"
    CONFORMS = "conforms"
    VIOLATES = "violates"
    UNDECIDED = "undecided"


class ExitCode(enum.IntEnum):
    """What a command returns; one meaning each."""

    AS_DECLARED = 0
    VIOLATED = 1
    USAGE = 2
    INCONCLUSIVE = 3
    VACUOUS = 4
    DISAGREEMENT = 5
    DOES_NOT_CONFORM = 6
    DIFFERS_FROM_BASELINE = 7
    INTERNAL = 70


_ORDER = (70, 5, 2, 1, 6, 4, 7, 3)


def worst(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the code to end with when several apply: the first of 70, 5, 2, 1, 6, 4, 7, 3, or 0 of none."""
    found = set(codes)
    return next((ExitCode(code) for code in _ORDER if code in found), ExitCode.AS_DECLARED)


class Refusal(Exception):
    """A request that cannot be carried out: one sentence says where, what, and what to do; `code` ends the command."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.code = code


class ReplayFailed(Exception):
    """A counterexample that the interpreter does not reproduce: a defect of an engine, never of a table."""
