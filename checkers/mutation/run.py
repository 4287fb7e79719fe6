"""A mutation run: each mutant in a process of its own, forked from what was made ready once, so many side by side."""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from fencepost.checkers.children import begin, can_fork
from fencepost.checkers.memory import reason
from fencepost.checkers.verdicts import Refusal

from .mutants import Mutant
from .results import Answer, Judged

TIMEOUT = 180.0
"""Seconds after which the process of a mutant is ended; what it has not answered is not decided."""
ENDED = "its process was ended, as when memory runs out"
"""Why a mutant is not decided whose process the system ended."""


class Checker(Protocol):
    """A checker prepared for a base, which checks mutants of it."""

    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        """Check a mutant, for which other checkers answered `earlier`; called in a process of its own."""
        ...


@dataclass
class _Child:
    mutant: Mutant
    process: Any
    pipe: Connection
    since: float
    answers: list[Answer] = field(default_factory=list)


def refuse_without_fork() -> None:
    """Raise `Refusal` where the system cannot fork, as Windows."""
    if not can_fork():
        raise Refusal("mutate: this system cannot fork processes; run it on Linux or macOS")


def judged(
    mutants: Sequence[Mutant],
    checkers: Sequence[tuple[str, Checker]],
    *,
    jobs: int = 2,
    ask_all: bool = False,
    timeout: float = TIMEOUT,
    reasons: Callable[[Mutant], str] = lambda _: "",
) -> Iterator[Judged]:
    """Yield what became of each mutant, as they are done.

    The checkers are asked in their order, up to the first that notices the mutant, or all with `ask_all`. `reasons`
    says why a mutant is declared equivalent, empty where it is not. Raises `Refusal` where the system cannot fork.
    """
    refuse_without_fork()
    context = multiprocessing.get_context("fork")
    waiting = deque(mutants)
    children: list[_Child] = []
    gc.freeze()  # what is ready is shared by all children, which would copy it when they look for garbage

    def start(mutant: Mutant) -> _Child:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(theirs, mutant, checkers, ask_all), daemon=True)
        process.start()
        theirs.close()
        return _Child(mutant, process, ours, time.monotonic())

    try:
        while waiting or children:
            while waiting and len(children) < jobs:
                children.append(start(waiting.popleft()))
            soonest = min(child.since for child in children) + timeout
            ready = wait([child.pipe for child in children], max(0.01, soonest - time.monotonic()))
            for child in list(children):
                done = child.pipe in ready and not _received(child)
                late = time.monotonic() - child.since > timeout
                if not done and not late:
                    continue
                child.process.kill()
                child.process.join()
                children.remove(child)
                if not _settled(child) or (ask_all and not _equivalent(child)):
                    why = f"ended after {timeout:.0f} s" if late and not done else ENDED
                    child.answers += _missing(child, checkers, why)
                yield Judged(child.mutant, tuple(child.answers), reasons(child.mutant))
    finally:
        gc.unfreeze()
        for child in children:
            child.process.kill()
        for child in children:
            child.process.join()


def _received(child: _Child) -> bool:
    """Take an answer from a child; return whether it goes on."""
    try:
        answer = child.pipe.recv()
    except (EOFError, OSError):
        return False
    if answer is None:
        return False
    child.answers.append(answer)
    return True


def _settled(child: _Child) -> bool:
    return any(one.fate == "killed" for one in child.answers) or _equivalent(child)


def _equivalent(child: _Child) -> bool:
    return any(one.fate == "equivalent" for one in child.answers)


def _missing(child: _Child, checkers: Sequence[tuple[str, Checker]], why: str) -> list[Answer]:
    answered = {one.checker for one in child.answers}
    return [Answer(name, "not decided", "", why) for name, _ in checkers if name not in answered]


def _serve(pipe: Connection, mutant: Mutant, checkers: Sequence[tuple[str, Checker]], ask_all: bool) -> None:
    begin()
    gc.disable()
    earlier: list[Answer] = []
    for name, checker in checkers:
        began = time.process_time()
        try:
            found = checker.judge(mutant, earlier)
        except Exception as error:  # a checker that fails has not decided; its mutant is not lost
            found = Answer(name, "not decided", "", f"the checker failed: {reason(error)}"[:300])
        seconds = time.process_time() - began
        earlier.append(Answer(found.checker, found.fate, found.by, found.asked, seconds))
        pipe.send(earlier[-1])
        if found.fate == "equivalent" or (found.fate == "killed" and not ask_all):
            break
    pipe.send(None)
    pipe.close()


__all__ = ["TIMEOUT", "Checker", "judged"]
