"""Verdicts and exit codes: what an engine may answer, never without its scope, and what a command returns for it."""

from __future__ import annotations

import enum
import signal
from collections.abc import Iterable


class Verdict(enum.Enum):
    """An engine's answer about a property, a protocol or a log."""

    PROVED = "proved"
    CLOSED = "closed"
    HOLDS_TO_DEPTH = "holds to depth"
    WITNESSED = "witnessed"
    VIOLATED = "violated"
    VIOLATED_AS_DECLARED = "violated as declared"
    NOT_INDUCTIVE = "not inductive"
    VACUOUS = "vacuous"
    INCONCLUSIVE = "inconclusive"
    CONFORMS = "conforms"
    VIOLATES = "violates"
    UNDECIDED = "undecided"


class ExitCode(enum.IntEnum):
    """Exit codes of commands; one meaning each."""

    AS_DECLARED = 0
    VIOLATED = 1
    USAGE = 2
    INCONCLUSIVE = 3
    VACUOUS = 4
    DISAGREEMENT = 5
    DOES_NOT_CONFORM = 6
    DIFFERS_FROM_BASELINE = 7
    NOT_INDUCTIVE = 8
    INTERNAL = 70
    STOPPED = 130


MEANINGS = {
    ExitCode.AS_DECLARED: "as declared",
    ExitCode.VIOLATED: "a property is violated",
    ExitCode.USAGE: "usage or model error",
    ExitCode.INCONCLUSIVE: "inconclusive",
    ExitCode.VACUOUS: "vacuous",
    ExitCode.DISAGREEMENT: "engines disagree",
    ExitCode.DOES_NOT_CONFORM: "a log or an answer does not conform",
    ExitCode.DIFFERS_FROM_BASELINE: "differs from what is declared",
    ExitCode.NOT_INDUCTIVE: "a property is not inductive, and no run that breaks it is known",
    ExitCode.INTERNAL: "internal",
    ExitCode.STOPPED: "stopped by Ctrl-C",
}
"""The meaning of each exit code, as the command line prints it."""
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end a command as Ctrl-C does."""

_ORDER = (130, 70, 5, 2, 1, 6, 4, 7, 8, 3)


def worst(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the code to end with when several apply: the first of 130, 70, 5, 2, 1, 6, 4, 7, 8, 3, or 0 of none."""
    found = set(codes)
    return next((ExitCode(code) for code in _ORDER if code in found), ExitCode.AS_DECLARED)


_WORDS: dict[ExitCode, tuple[str, ...]] = {
    ExitCode.VIOLATED: (Verdict.VIOLATED.value, "unhealthy"),
    ExitCode.USAGE: (Verdict.INCONCLUSIVE.value,),
    ExitCode.INCONCLUSIVE: (Verdict.INCONCLUSIVE.value, Verdict.UNDECIDED.value),
    ExitCode.VACUOUS: (Verdict.VACUOUS.value,),
    ExitCode.DISAGREEMENT: ("engines disagree", "disagrees"),
    ExitCode.DOES_NOT_CONFORM: (Verdict.VIOLATES.value,),
    ExitCode.DIFFERS_FROM_BASELINE: ("differs",),
    ExitCode.NOT_INDUCTIVE: (Verdict.NOT_INDUCTIVE.value,),
    ExitCode.INTERNAL: (Verdict.INCONCLUSIVE.value,),
    ExitCode.STOPPED: (Verdict.INCONCLUSIVE.value, Verdict.VIOLATES.value),
}
"""The words that may head a verdict that ends with a code other than 0; the first where none is given."""


def headline(code: ExitCode, said: Verdict | str) -> str:
    """Return the word that heads a verdict: what is said where it fits the exit code, else the code's own word.

    Only one that ends with 0 may be headed by success, and it is headed by nothing else.
    """
    word = said.value if isinstance(said, Verdict) else said
    if code in _WORDS:
        return word if word in _WORDS[code] else _WORDS[code][0]
    return MEANINGS[code] if any(word in words for words in _WORDS.values()) else word


class Refusal(Exception):
    """A request that cannot be carried out: one sentence says where, what, and what to do; `code` ends the command."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.code = code


class ReplayFailed(Exception):
    """A counterexample that the interpreter does not reproduce: a defect of an engine, never of a table."""
