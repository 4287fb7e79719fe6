"""The ending of a check beside that of a log: its verdict, and the exit code for it."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ExitCode, Verdict

_CODES = {Verdict.VIOLATES: ExitCode.DOES_NOT_CONFORM, Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE}


class Ending(Document):
    """Shared fields of such checks' results: `violations`, and `doubts`, sentences about what could not be checked."""

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
        return _CODES.get(self.verdict, ExitCode.AS_DECLARED)
