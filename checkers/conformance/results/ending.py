"""The ending of a check: its verdict, and the exit code for it."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ExitCode, Verdict

_CODES = {
    Verdict.VIOLATES: ExitCode.DOES_NOT_CONFORM,
    Verdict.UNDECIDED: ExitCode.INCONCLUSIVE,
    Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}


def code_of(verdict: Verdict) -> ExitCode:
    """Return the exit code for a verdict: 6 where something violates, 3 where that is not known, 0 otherwise."""
    return _CODES.get(verdict, ExitCode.AS_DECLARED)


class Ending(Document):
    """Fields of checks beside that of a log: `violations`, and `doubts`, sentences about what could not be checked."""

    violations: Sequence[object]
    doubts: Sequence[str]

    @property
    def verdict(self) -> Verdict:
        """Violates with a violation, inconclusive with a doubt, else conforms."""
        if self.violations:
            return Verdict.VIOLATES
        return Verdict.INCONCLUSIVE if self.doubts else Verdict.CONFORMS

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of a command: 6, 3 or 0."""
        return code_of(self.verdict)
