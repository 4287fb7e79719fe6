"""Causes of divergences, as far as a log shows them, with their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fencepost.checkers.document import Document


class Cause(StrEnum):
    """The cause of a divergence; `CANNOT_TELL` where nothing speaks for one of the others alone."""

    KNOWN_DEFECT = "known_defect"
    OTHER_RELEASE = "other_release"
    OTHER_SETTING = "other_setting"
    DAMAGED_LOG = "damaged_log"
    NOT_MODELLED = "not_modelled"
    CANNOT_TELL = "cannot_tell"

    @property
    def words(self) -> str:
        """The text of the cause."""
        return _WORDS[self]


_WORDS = {
    Cause.KNOWN_DEFECT: "a known defect of Kafka",
    Cause.OTHER_RELEASE: "another release",
    Cause.OTHER_SETTING: "another static setting",
    Cause.DAMAGED_LOG: "a damaged log",
    Cause.NOT_MODELLED: "not in the tables",
    Cause.CANNOT_TELL: "cannot tell",
}


@dataclass(frozen=True, slots=True)
class Evidence(Document):
    """A sentence that speaks for a cause, with the offset that it is about, None where it is about the whole log.

    One for `CANNOT_TELL` speaks for none: it narrows down what happened.
    """

    cause: Cause
    offset: int | None
    message: str

    @staticmethod
    def of_json(values: dict[str, Any]) -> Evidence:
        """Return the evidence that JSON values say."""
        return Evidence(Cause(values["cause"]), values["offset"], values["message"])


def cause_of(evidence: Iterable[Evidence]) -> Cause:
    """Return the one cause that evidence speaks for, `CANNOT_TELL` where there is none, or more than one."""
    found = {one.cause for one in evidence} - {Cause.CANNOT_TELL}
    return found.pop() if len(found) == 1 else Cause.CANNOT_TELL


def told_apart(evidence: Sequence[Evidence]) -> str:
    """Return the line that says what a divergence comes from, with what speaks for it.

    Evidence for several causes settles nothing, and is printed with each of them.
    """
    cause = cause_of(evidence)
    said = [
        one.message if one.cause in (cause, Cause.CANNOT_TELL) else f"{one.cause.words}, since {one.message}"
        for one in evidence
    ]
    return f"cause: {cause.words}" + (f": {'; '.join(said)}" if said else "")
