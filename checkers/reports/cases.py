"""Content of a report: the cases of a check with their problems, as the JSON document has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.plain import plain
from fencepost.checkers.verdicts import MEANINGS, ExitCode

RULES = {
    "violated": "A run of rows breaks a property that is declared to hold.",
    "not-inductive": "A row leads from a state that satisfies the invariants to one that does not.",
    "vacuous": "Nothing put a property to the test, or a row applies in no state.",
    "differs": "A property is declared violated, and nothing breaks it.",
    "untidy": "The rows of a table leave a gap, overlap, or have one that never applies.",
    "survives": "A row can be altered so that no checker notices, and no reason is recorded.",
    "engines-disagree": "TLC and exploration, or Spark and one process, find different things.",
    "does-not-conform": "A log or a recorded answer is not what the tables say.",
    "inconclusive": "Nothing was decided: an unknown, a budget, missing bytes, or something that is not installed.",
    "usage": "A step could not be done with what it was given.",
    "internal": "An engine failed.",
}
"""The kinds of problems, and what each says."""

KIND_OF = {
    ExitCode.VIOLATED: "violated",
    ExitCode.USAGE: "usage",
    ExitCode.INCONCLUSIVE: "inconclusive",
    ExitCode.VACUOUS: "vacuous",
    ExitCode.DISAGREEMENT: "engines-disagree",
    ExitCode.DOES_NOT_CONFORM: "does-not-conform",
    ExitCode.DIFFERS_FROM_BASELINE: "differs",
    ExitCode.NOT_INDUCTIVE: "not-inductive",
    ExitCode.INTERNAL: "internal",
    ExitCode.STOPPED: "inconclusive",
}
"""The kind of problem that an exit code means."""

OPEN = ("inconclusive", "usage", "internal")
"""The kinds that say that nothing was decided: an error where a report knows failures and errors."""


@dataclass(frozen=True)
class Spot:
    """A place in a file: a line of a table, or the byte at which a batch of a log begins.

    `file` is as it can be opened: from the current folder where it lies below, else from the root.
    """

    file: str
    line: int | None = None
    byte: int | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        return self.file if self.byte is None else f"{self.file} at byte {self.byte}"


@dataclass(frozen=True)
class Moment:
    """A step of a run that was replayed: its row, as text, where the row is, and the state after it."""

    text: str
    row: str
    spot: Spot | None
    state: Mapping[str, str]


@dataclass(frozen=True)
class Problem:
    """Why a case is no success: a kind of `RULES`, a sentence, what explains it, where, and the run that shows it.

    `about` is where the property is that is spoken of; `subject` is the row, the property or the entity.
    `trace` is the run as the document has it, and `loop` what is then done for ever.
    """

    rule: str
    message: str
    lines: tuple[str, ...] = ()
    spot: Spot | None = None
    about: Spot | None = None
    run: tuple[Moment, ...] = ()
    subject: str = ""
    trace: Mapping[str, Any] | None = None
    loop: Mapping[str, Any] | None = None

    @property
    def is_open(self) -> bool:
        """Whether nothing was decided."""
        return self.rule in OPEN

    def text(self) -> list[str]:
        """Return the problem in full: the sentence, where, the run, and what explains it."""
        where = [] if self.spot is None else [f"at {self.spot}"]
        where += [] if self.about in (None, self.spot) else [f"claimed at {self.about}"]
        return [self.message, *where, *(one.text for one in self.run), *self.lines]


@dataclass(frozen=True)
class Case:
    """Something that a check asked and that has an answer: a property, a table, a log. No problem is success.

    `stage` is the stage as the document names it.
    """

    protocol: str
    stage: str
    name: str
    seconds: float = 0.0
    problems: tuple[Problem, ...] = ()

    @property
    def outcome(self) -> str:
        """Passed; failed where some problem was shown, and inconclusive where none was and nothing was decided."""
        if not self.problems:
            return "passed"
        return "inconclusive" if all(one.is_open for one in self.problems) else "failed"


@dataclass(frozen=True)
class Report:
    """The cases of a document, and the document's own end. `stages` has each stage's verdict and seconds, in order.

    `fields` are the stages' own in the document, `texts` how each protocol's rows, properties and variables read.
    """

    command: str
    version: str
    verdict: str
    code: ExitCode
    seconds: float
    cases: tuple[Case, ...]
    stages: Mapping[tuple[str, str], tuple[str, float]]
    notes: tuple[str, ...] = ()
    fields: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    texts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def count(self, outcome: str) -> int:
        """Return how many cases ended so."""
        return sum(case.outcome == outcome for case in self.cases)

    def of_stage(self, protocol: str, stage: str) -> list[Case]:
        """Return the cases of a stage."""
        return [case for case in self.cases if (case.protocol, case.stage) == (protocol, stage)]


def encodable(text: str) -> str:
    """Return text as any output may have it: control characters as JSON writes them, and without what no encoding has:
    halves of characters, which stand for the bytes of odd file names."""
    return plain(text.encode("utf-8", "replace").decode("utf-8"))


def report(document: Mapping[str, Any]) -> Report:
    """Return the report of what `check --json` prints: no case of it passes that the document does not say so of."""
    from .stages import stage_cases

    cases: list[Case] = []
    stages: dict[tuple[str, str], tuple[str, float]] = {}
    fields_of: dict[tuple[str, str], Mapping[str, Any]] = {}
    for protocol, told in document["protocols"].items():
        places = told.get("places", {})
        for stage, fields in told.items():
            if stage in ("table_hash", "places", "texts"):
                continue
            stages[protocol, stage] = (fields["verdict"], fields["seconds"])
            fields_of[protocol, stage] = fields
            cases += _whole(protocol, stage, fields, stage_cases(protocol, stage, fields, places))
    notes = tuple(document.get("notes", ()))
    code = ExitCode(document["exit_code"])
    if code != ExitCode.AS_DECLARED and all(case.outcome == "passed" for case in cases):
        cases.append(Case(document["command"], "", "check", 0.0, (_of_code(code, "; ".join(notes)),)))
        stages[document["command"], ""] = (document["verdict"], 0.0)
    return Report(
        document["command"],
        document["version"],
        document["verdict"],
        code,
        document["seconds"],
        tuple(cases),
        stages,
        notes,
        fields_of,
        {protocol: told.get("texts", {}) for protocol, told in document["protocols"].items()},
    )


def _whole(protocol: str, stage: str, fields: Mapping[str, Any], cases: Sequence[Case]) -> list[Case]:
    """The cases of a stage; one for the stage itself where its code is not 0 and no case says why, or there is none."""
    code = ExitCode(fields["exit_code"])
    shown = any(case.outcome != "passed" for case in cases)
    if code == ExitCode.AS_DECLARED and cases:
        return list(cases)
    if code != ExitCode.AS_DECLARED and shown:
        return list(cases)
    why = fields.get("message") or f"{stage} of {protocol} is {fields['verdict']}"
    problems = (_of_code(code, why),) if code != ExitCode.AS_DECLARED else ()
    return [*cases, Case(protocol, stage, stage, fields["seconds"], problems)]


def _of_code(code: ExitCode, why: str) -> Problem:
    """The problem that an exit code means, where nothing more is known."""
    return Problem(KIND_OF[code], f"{MEANINGS[code]}: {why}" if why else MEANINGS[code])
