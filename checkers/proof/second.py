"""A second solver: cvc5 answers the questions that Z3 found unsatisfiable, each in a process of limited resources."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from fencepost.checkers.children import begin, can_fork
from fencepost.checkers.document import Document
from fencepost.checkers.extras import how_to_get
from fencepost.checkers.verdicts import ExitCode, Refusal

from .processes import shared, workers
from .questions import Kept

OPTIONS = (("enum-inst", "true"),)
"""Without it cvc5 ends undecided at once where no trigger is left; with it terms are tried for what is quantified."""

MEMORY = 4 << 30
"""Bytes of memory that a question may take."""

SECONDS = 10
"""Seconds of processor time that a question may take, unless another number is given."""

Answer = Literal["unsat", "sat", "undecided"]


@dataclass(frozen=True)
class Doubt(Document):
    """A question that the second solver does not confirm: what it shows, of what, the answer or why there is none, and
    the name of its file.
    """

    DOCUMENT = "about kind answer file"

    about: str
    kind: str
    answer: str
    file: str


@dataclass(frozen=True)
class SecondOpinion(Document):
    """What a second solver says of the questions that Z3 found unsatisfiable.

    `questions` counts all on which the verdict rests, `asked` those that were asked of the second solver, `confirmed`
    those of them that it finds unsatisfiable too, by kind. `against` are those that it finds satisfiable, `undecided`
    those that it could not answer within `limit` seconds of processor time or the memory allowed, or not read.
    `seconds` are those of processor time, of all.
    """

    DOCUMENT = "solver questions asked confirmed confirmed_by_kind against undecided limit seconds"

    solver: str
    questions: int
    asked: int
    confirmed_by_kind: dict[str, int]
    against: tuple[Doubt, ...]
    undecided: tuple[Doubt, ...]
    limit: int
    seconds: float = field(compare=False)

    @property
    def confirmed(self) -> int:
        """How many questions the second solver finds unsatisfiable, too."""
        return sum(self.confirmed_by_kind.values())

    @property
    def code(self) -> ExitCode:
        """A disagreement where one is answered otherwise; inconclusive where none is confirmed; else as declared.

        That some are not decided says nothing against what Z3 proved, and changes no exit code.
        """
        if self.against:
            return ExitCode.DISAGREEMENT
        return ExitCode.AS_DECLARED if self.confirmed else ExitCode.INCONCLUSIVE

    def lines(self) -> list[str]:
        """Return the second opinion as lines."""
        drawn = f"{self.asked} drawn of {self.questions}" if self.asked < self.questions else f"{self.asked}"
        lines = [
            f"{self.solver} confirms {self.confirmed} of the {drawn} questions that Z3 answers with unsat; "
            f"{len(self.undecided)} not decided in {self.limit} s each, {len(self.against)} answered otherwise; "
            f"{self.seconds:.1f} s"
        ]
        lines += [f"{one.about} ({one.kind}): Z3 says unsat, {self.solver} sat: {one.file}" for one in self.against]
        lines += [f"{one.about} ({one.kind}): {one.answer}: {one.file}" for one in self.undecided]
        return lines


def require() -> None:
    """Raise `Refusal` where cvc5 is not installed, or cannot be asked in a process of its own."""
    if not can_fork():
        raise Refusal(
            "--second-solver: this system cannot fork processes; run it on Linux or macOS", ExitCode.INCONCLUSIVE
        )
    if importlib.util.find_spec("cvc5") is None:
        raise Refusal(
            f"--second-solver: cvc5 is not installed: run `{how_to_get('second-solver')}`", ExitCode.INCONCLUSIVE
        )


def second_opinion(
    questions: Iterable[Kept],
    *,
    sample: int = 0,
    limit: int = SECONDS,
    seed: int = 1,
    progress: Callable[[int, int, str], None] | None = None,
) -> SecondOpinion:
    """Ask cvc5 the questions, or so many of them as `sample` says, drawn from `seed`; 0 for all.

    A question may take `limit` seconds of processor time and `MEMORY` bytes, in a process of its own. Raises `Refusal`
    where cvc5 is not installed.
    """
    require()
    files = {one.file: one for one in sorted(questions, key=lambda one: one.file)}
    asked = list(files)
    if sample and sample < len(asked):
        asked = sorted(random.Random(seed).sample(asked, sample))
    confirmed: Counter[str] = Counter()
    against: list[Doubt] = []
    undecided: list[Doubt] = []
    seconds = 0.0

    def make() -> Callable[[Any], Any]:
        importlib.import_module("cvc5")  # once for all of a worker's questions
        return lambda job: answered(job[0].read_text(encoding="utf-8"), limit)

    # What waits for a processor is not out of time: processor time is limited in the process of the question.
    patience = 60.0 + 20 * limit
    plan = [[(file,)] for file in asked]
    for done, ((file,), found, why) in enumerate(shared(make, plan, patience, workers()), 1):
        answer, said, took = found if found is not None else ("undecided", why, 0.0)
        one = files[file]
        seconds += took
        if answer == "unsat":
            confirmed[one.kind] += 1
        else:
            (against if answer == "sat" else undecided).append(Doubt(one.about, one.kind, said, file.name))
        if progress is not None:
            progress(done, len(asked), one.about)
    order = {file.name: number for number, file in enumerate(asked)}
    against.sort(key=lambda one: order[one.file])
    undecided.sort(key=lambda one: order[one.file])
    return SecondOpinion(
        name(),
        len(files),
        len(asked),
        dict(sorted(confirmed.items())),
        tuple(against),
        tuple(undecided),
        limit,
        seconds,
    )


def name() -> str:
    """Return the second solver and its version, as `cvc5 1.4.2`."""
    return f"cvc5 {importlib.metadata.version('cvc5')}"


def answered(text: str, limit: int) -> tuple[Answer, str, float]:
    """Return what cvc5 says of a text, in words too, and the seconds of processor time; in a process of its own."""
    ours, theirs = os.pipe()
    parent, child = os.getpid(), os.fork()
    if child == 0:
        _serve(theirs, text, limit, parent)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        said = pipe.read()
    _, status, used = os.wait4(child, 0)
    seconds = used.ru_utime + used.ru_stime
    if not said:
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
            return "undecided", f"not decided in {limit} s", seconds
        return "undecided", "its process was ended, as when memory runs out", seconds
    words = str(json.loads(said))
    if words in ("unsat", "sat"):
        return ("unsat" if words == "unsat" else "sat"), words, seconds
    return "undecided", words or "no answer", seconds


def _serve(pipe: int, text: str, limit: int, parent: int) -> None:
    """Write what cvc5 says to a pipe, and end the process."""
    import resource  # not on Windows, where nothing forks

    try:
        begin(parent=parent)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        with suppress(ValueError, OSError):  # macOS knows no limit of the address space
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        try:
            said = _said(text)
        except MemoryError:
            said = "it needs more memory than is allowed"
        except Exception as error:
            said = f"not read: {error}"
        os.write(pipe, json.dumps(said[:400]).encode())
    finally:
        os._exit(0)


def _said(text: str) -> str:
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    for option, value in OPTIONS:
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols, said = parser.getSymbolManager(), ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return said
        said = command.invoke(solver, symbols).strip() or said


__all__ = ["SECONDS", "Doubt", "SecondOpinion", "answered", "require", "second_opinion"]
