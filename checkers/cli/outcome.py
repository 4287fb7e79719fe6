"""The outcome of a command: the fields of its JSON document, and the page that is printed otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.verdicts import ExitCode, Verdict, headline

if TYPE_CHECKING:
    from rich.console import RenderableType

COMPLETES = "_FENCEPOST_COMPLETE"
"""The variable with which a shell asks for completions; the command line so far is in another."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
"""The option that every command takes; it is acted upon where the outcome is printed."""


@dataclass(frozen=True)
class Outcome:
    """The end of a command: its verdict in words, its exit code, and what it found. The word follows the code.

    `table_hash` is that of the protocol that was checked, or a function that returns it for the document; None where
    there was none. `findings` are known violations of stated properties. `fields` are the command's own JSON fields.
    `page` is the terminal's text, lines or tables; it is on standard error where it is `aside`, as the command itself
    printed on standard output.
    """

    command: str
    verdict: str
    code: ExitCode
    fields: Mapping[str, Any] = field(default_factory=dict)
    page: Sequence[RenderableType] = ()
    table_hash: str | Callable[[], str] | None = None
    findings: Sequence[Mapping[str, Any]] = ()
    aside: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", headline(self.code, self.verdict))

    def document(self, seconds: float) -> dict[str, Any]:
        """Return the JSON document: the common fields first, then the command's own."""
        from fencepost import __version__
        from fencepost.checkers.document import as_json

        return {
            "command": self.command,
            "verdict": self.verdict,
            "exit_code": int(self.code),
            "seconds": round(seconds, 3),
            "version": __version__,
            "table_hash": self.table_hash() if callable(self.table_hash) else self.table_hash,
            "findings": [dict(one) for one in self.findings],
            **{name: value for name, value in as_json(self.fields).items() if name not in COMMON},
        }


COMMON = ("command", "verdict", "exit_code", "seconds", "version", "table_hash", "findings")
"""The fields that every document has."""


def failure(command: str, message: str, code: ExitCode) -> Outcome:
    """Return the outcome of a command that could not do what it was asked: nothing was checked."""
    return Outcome(command, Verdict.INCONCLUSIVE.value, code, {"message": message})
