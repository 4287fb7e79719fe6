"""Runs of a reference, one or many: followed while they last, written down and reported, whichever reference it is."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from fencepost.checkers.verdicts import ExitCode, Refusal, worst
from fencepost.model.registry import find

from .outcome import Outcome
from .terminal import say, watching

if TYPE_CHECKING:
    from fencepost.checkers.conformance.lockstep.firing import Tally

DEFAULT = "kraft"
"""The reference that runs where none is named; its documents and folders do not name it."""

SHOWN = 5
"""Violations and divergences that the page shows; the JSON document has them all."""

Tell = Callable[[str], None]
"""Takes every line of a run's story."""


class Found(Protocol):
    """The result of a run: its verdict, its JSON fields, its page."""

    @property
    def plan(self) -> Any:
        """The plan of the run."""

    @property
    def divergences(self) -> list[Any]:
        """The steps that were no rows."""

    @property
    def clean(self) -> bool:
        """Whether every step was a row, and no promise was broken."""

    def verdict(self) -> tuple[ExitCode, str]:
        """Return the exit code and the word for it."""

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the run."""

    def findings(self) -> list[dict[str, Any]]:
        """Return the known violations that showed, as JSON objects."""

    def wrong(self) -> Iterator[str]:
        """Yield lines that say what is wrong, and how to see it again."""

    def page(self) -> Iterable[str]:
        """Yield the page of the run: what is wrong first, then what was checked, and the events."""


class Total(Protocol):
    """The results of several runs together."""

    def add(self, found: Any) -> None:
        """Add what was found of a run."""

    def verdict(self) -> tuple[ExitCode, str]:
        """Return the exit code where nothing is wrong with any of them, and the word for it."""

    def counts(self) -> dict[str, Any]:
        """Return the counts as JSON fields."""

    def findings(self) -> list[dict[str, Any]]:
        """Return the known violations that showed, as JSON objects."""

    def counted(self) -> Iterable[str]:
        """Yield lines that say what was checked."""


F = TypeVar("F", bound=Found)


class Written(NamedTuple):
    """Where a run was written: as JSON fields, and as lines of the page with the commands that may come next."""

    fields: dict[str, Any]
    lines: list[str]


@dataclass(frozen=True)
class Simulation(Generic[F]):
    """A reference as the command runs it.

    `judge` runs a plan; it adds every step to a list and hands every line of the story on, where they are given.
    `alone` returns what is found of a run and nothing of the run itself: small enough to go from process to process.
    `write` writes a run with its steps into a folder. `total` makes what several runs are added to; with `repeats` the
    page of many seeds ends with the command of the first that failed.
    """

    judge: Callable[[Any, list[Any], Tell | None], tuple[Any, F]]
    alone: Callable[[Any], F]
    write: Callable[[Any, F, list[Any], Path], Written]
    total: Callable[[Any], Total]
    protocol: str = DEFAULT
    repeats: bool = True

    def run(self, plan: Any, seeds: int, jobs: int, out: Path | None, story: bool) -> Outcome:
        """Run one seed or many, from the plan's on."""
        if seeds > 1 and out is not None:
            raise Refusal("--out: it is for one seed; say which with --seed, without --seeds")
        return self._many(plan, seeds, jobs) if seeds > 1 else self._one(plan, out, story)

    def _one(self, plan: Any, out: Path | None, story: bool) -> Outcome:
        _made_ready(out)
        steps: list[Any] = []
        if story:
            run, found = self.judge(plan, steps, say)
            say()
        else:
            with watching(f"seed {plan.seed}: {plan.seconds:g} s of the cluster's time"):
                run, found = self.judge(plan, steps, None)
        named = "" if self.protocol == DEFAULT else f"{self.protocol}-"
        directory = out or Path(tempfile.mkdtemp(prefix=f"fencepost-{named}seed-{plan.seed}-"))
        try:
            written = self.write(run, found, steps, directory)
        except BaseException as error:
            if out is None:
                shutil.rmtree(directory, ignore_errors=True)
            if not isinstance(error, OSError):
                raise
            said = f"cannot be written ({error.strerror or error})"
            left = "what is there is not whole; make room, or name another folder" if out else "set TMPDIR to another"
            raise Refusal(f"--out {directory}: {said}: {left}") from None
        code, verdict = found.verdict()
        fields, page = {**found.fields(), **written.fields}, [*found.page(), *written.lines]
        return Outcome("simulate", verdict, code, fields, page, self._hash, found.findings())

    def _many(self, plan: Any, seeds: int, jobs: int) -> Outcome:
        total, divergences, failed = self.total(plan), 0, list[F]()
        began = time.perf_counter()
        plans = [replace(plan, seed=seed) for seed in range(plan.seed, plan.seed + seeds)]
        with watching(f"{seeds} seeds") as progress, side_by_side(jobs) as mapped:
            for done, found in enumerate(mapped(self.alone, plans), 1):
                total.add(found)
                divergences += len(found.divergences)
                if not found.clean:
                    failed.append(found)
                progress(f"{done} done, {len(failed)} with something wrong")
        seconds = time.perf_counter() - began
        code, verdict = total.verdict()
        if failed:
            code = worst(one.verdict()[0] for one in failed)
            verdict = next(word for found_, word in (one.verdict() for one in failed) if found_ is code)
        document = {
            **({} if self.protocol == DEFAULT else {"protocol": self.protocol}),
            "seeds": seeds,
            "first_seed": plan.seed,
            **total.counts(),
            "divergences": divergences,
            "failed": [one.fields() for one in failed],
        }
        page = [line for one in failed[:SHOWN] for line in (f"seed {one.plan.seed}:", *one.wrong(), "")]
        if len(failed) > SHOWN:
            page.append(f"more seeds with something wrong: {', '.join(str(one.plan.seed) for one in failed[SHOWN:])}")
        page.append(
            f"{verdict}: {seeds - len(failed)} of {seeds} seeds clean, from seed {plan.seed} on: "
            f"{seeds * plan.seconds / 3600:.2f} hours of the cluster's time in {seconds:.0f} s"
        )
        page += total.counted()
        if failed and self.repeats:
            page += with_command("repeat the first with:", failed[0].plan.command())
        return Outcome("simulate", verdict, code, document, page, self._hash, total.findings())

    def _hash(self) -> str:
        return find(self.protocol).whole.hash


@dataclass
class JudgedSteps:
    """A run, or several together, with the result of one checker of its steps: divergences as text, and counts.

    The counts are those of the checker's tally under these names. `took` are seconds of the wall clock.
    """

    plan: Any
    divergences: list[str] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    took: float = 0.0

    @property
    def protocol(self) -> str:
        """The name of the protocol with whose tables it is checked."""
        raise NotImplementedError

    @property
    def violations(self) -> list[str]:
        """Promises that were broken."""
        return []

    @property
    def clean(self) -> bool:
        """Whether every step was a row, and no promise was broken."""
        return not self.divergences and not self.violations

    def add(self, found: Tally | Self) -> None:
        """Add the counts of a checker, or of another run."""
        for one in fields(self):
            mine = getattr(self, one.name)
            if isinstance(mine, Counter):
                mine.update(getattr(found, one.name))
        self.steps += found.steps

    def verdict(self) -> tuple[ExitCode, str]:
        """Return the exit code and the word for it: a broken promise counts for more than a step that is no row."""
        if self.violations:
            return ExitCode.VIOLATED, "violated"
        return (ExitCode.DOES_NOT_CONFORM, "violates") if self.divergences else (ExitCode.AS_DECLARED, "conforms")

    def head(self) -> dict[str, Any]:
        """Return the JSON fields that say which run it is."""
        return {
            "protocol": self.protocol,
            "seed": self.plan.seed,
            "simulated_seconds": self.plan.seconds,
            "repeat": self.plan.command(),
        }

    def findings(self) -> list[dict[str, Any]]:
        """Return the declared violations that showed, as JSON objects."""
        tables = find(self.protocol).whole
        return [
            {"id": name, "count": count, "title": tables.property(name).about}
            for name, count in sorted(self.declared.items())
        ]

    def wrong(self) -> Iterator[str]:
        """Yield lines that say what is wrong, and how to see it again."""
        for text in [*self.divergences[:1], *self.violations[:SHOWN]]:
            yield from textwrap.wrap(text, 100, subsequent_indent="  ")
        more = max(0, len(self.divergences) - 1) + max(0, len(self.violations) - SHOWN)
        if more:
            yield f"and {more} more; --json has them"
        if not self.clean:
            yield from with_command("repeat it with:", self.plan.command())

    def declared_lines(self) -> Iterator[str]:
        """Yield lines that name the declared violations which showed."""
        if self.declared:
            yield "  declared violations that showed:"
        for one in self.findings():
            yield from textwrap.wrap(
                f"{one['id']} {one['count']} ×: {one['title']}", 100, initial_indent="    ", subsequent_indent="      "
            )


def listed(title: str, counts: Counter[str]) -> Iterator[str]:
    """Yield counts as a line each below a title, none where there are none."""
    if counts:
        yield f"  {title}:"
        yield from (f"    {count} {name}" for name, count in sorted(counts.items()))


def with_command(label: str, command: str) -> list[str]:
    """Return a command behind a label: one that is longer than a line gets its own, so that it can be copied."""
    line = f"{label} {command}"
    return [line] if len(line) <= 100 else [label, command]


def shortened(line: str) -> str:
    """Return a line of a story cut at the last column."""
    return line if len(line) <= 100 else f"{line[:98].rstrip()} …"


@contextmanager
def side_by_side(jobs: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """Yield a `map` that goes through its argument in order, with several processes at work if there are to be."""
    if jobs == 1:
        yield map
        return
    from fencepost.checkers import children

    with children.pool(jobs) as workers:
        yield workers.map


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let Python look for cycles of garbage every 50,000 objects only, and not among those that are there: a run makes
    few of them, and tables are many objects that stay."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _made_ready(out: Path | None) -> None:
    """Make the folder that a run is to be written to, before the run costs its time; nothing for None.

    Raises `Refusal` where something is there already, or nothing can be written.
    """
    if out is None:
        return
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise Refusal(f"--out {out}: something is there already: name a new or an empty folder")
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"--out {out}: {error.strerror}") from None
    if not os.access(out, os.W_OK | os.X_OK):
        raise Refusal(f"--out {out}: nothing can be written there")
