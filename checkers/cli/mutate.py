"""`fencepost mutate`: rows altered one at a time, and who notices: how much the claims and the recordings would see."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal

from . import completing
from .mutate_runs import recorded_runs, seeds_of_a_mutant
from .outcome import Json, Outcome
from .protocols import HELP, family
from .reports import Force, Html, refuse_html, with_page
from .terminal import columns, say, watching

if TYPE_CHECKING:
    from fencepost.checkers.mutation import Checker, Judged, Survey
    from fencepost.model.registry import Family

MOST_ASKED = 3
"""The number of a survivor's checkers on a line of the page."""


def mutate(
    protocol: Annotated[str, typer.Argument(help=HELP, autocompletion=completing.protocols)],
    rows: Annotated[
        list[str] | None, typer.Option("--rows", metavar="ID,...", help="Only mutants of these rows; may be repeated.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="Draw so many of them; all if left out.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The seed of the sample; 1 by default.")] = 1,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="NAME,...", help="Only these checkers: prove, explore, answers, simulate, conform."
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Ask every checker of every mutant, not only up to the first that notices.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes at work side by side.")] = 2,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1, help="Seconds after which a mutant is not decided.")
    ] = 180.0,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="End with 7 where the score is less than in this file, and name what lives."),
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the score beside the figures of check --write-baseline.")
    ] = None,
    html: Html = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Alter the rows of a protocol one at a time, and say which checker notices each change.

    A mutant that none notices shows what is not claimed, or says the same in other words: those are listed with the
    reason in spec/mutation. Exit code 4: the score is under the declared one.
    """
    started = time.perf_counter()
    refuse_html(html, force)
    of_name = family(protocol)
    from fencepost.checkers.check.baseline import score_name
    from fencepost.checkers.mutation import CHECKERS, Population, Survey, declared, drawn, judged, refuse_without_fork

    names = _named("--by", by, CHECKERS)
    chosen = _rows(of_name, rows)
    refuse_without_fork()
    known = _Score(baseline, write_baseline, score_name(protocol, names, chosen or (), sample, seed))
    listed = declared(of_name.name)
    with watching(f"mutants of {of_name.name}"):
        population = Population(of_name.whole)
        found = drawn(population, chosen, sample, seed)
    checkers = list(_ready(of_name, names))
    done: list[Judged] = []
    unfinished = 0
    try:
        for one in judged(found.mutants, checkers, jobs=jobs, ask_all=every, timeout=timeout, reasons=listed.reason):
            done.append(one)
            if not json:
                say(_line(one, len(done), len(found.mutants)))
    except KeyboardInterrupt:
        unfinished = len(found.mutants) - len(done)
    order = {mutant.id: i for i, mutant in enumerate(found.mutants)}
    done.sort(key=lambda one: order[one.mutant.id])
    everything = {mutant.id: mutant for mutant in population.all()}
    survey = Survey(
        of_name.name,
        found.total,
        found.left_out,
        tuple(done),
        names,
        listed.stale(everything, {one.mutant.id: one for one in done}),
        listed.scores if chosen is None else {},
        unfinished,
        known={one.mutant.id: why for one in done if (why := listed.known(one.mutant))},
    )
    outcome = known.held(_outcome(of_name, survey, seed), survey)
    return with_page(outcome, html, protocol, [of_name], time.perf_counter() - started)


class _Score:
    """The score of a run beside that of a baseline; raises `Refusal` before anything runs where there is none."""

    def __init__(self, path: Path | None, to: Path | None, name: str) -> None:
        from fencepost.checkers.check.baseline import read

        self.path, self.to, self.name = path, to, name
        before = read(path) if path is not None else {}
        if path is not None and name not in before:
            raise Refusal(f"--baseline: {path}: has no score of {name}; write it with --write-baseline")
        self.before = before.get(name, {})

    def held(self, outcome: Outcome, survey: Survey) -> Outcome:
        """Return the outcome with what became of the baseline: a score that falls is a difference."""
        from fencepost.checkers.check.baseline import compared_score, score_of, write_score

        alive = [one.mutant.id for one in (*survey.survivors, *survey.undecided)]
        now = score_of(len(survey.killed), len(survey.judged) - len(survey.equivalent), alive)
        page, fields, code = [*outcome.page], {**outcome.fields}, outcome.code
        fields["baseline"] = None
        if self.path is not None:
            against, certain = compared_score(self.path, self.name, self.before, now, len(survey.undecided))
            fields["baseline"] = against.as_json()
            page += [
                "",
                f"baseline {self.path}: {', '.join((*against.regressions, *against.gains)) or 'the same score'}",
            ]
            if against.regressions and code is ExitCode.AS_DECLARED:
                code = ExitCode.DIFFERS_FROM_BASELINE if certain else ExitCode.INCONCLUSIVE
        if self.to is not None:
            done = outcome.code is ExitCode.AS_DECLARED
            if done:
                write_score(self.to, self.name, now)
            page.append(
                f"baseline {self.to}: {'is written' if done else 'is not written: this run is not as declared'}"
            )
        return replace(outcome, page=page, fields=fields, code=code)


def _named(option: str, text: str | None, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names that an option lists, in the order of all; raises `Refusal` for one that there is not."""
    if text is None:
        return tuple(known)
    wanted = [one.strip() for one in text.split(",") if one.strip()]
    unknown = [one for one in wanted if one not in known]
    if unknown or not wanted:
        raise Refusal(
            f"{option} {text}: there is no {unknown[0] if unknown else 'name'}; use some of {','.join(known)}"
        )
    return tuple(one for one in known if one in wanted)


def _rows(of_name: Family, rows: list[str] | None) -> tuple[str, ...] | None:
    if not rows:
        return None
    known = [row.id for row in of_name.whole.rows]
    wanted = [id.strip() for one in rows for id in one.split(",") if id.strip()]
    for id in wanted:
        if id not in known:
            raise Refusal(f"--rows {id}: {of_name.name} has no such row; see fencepost show {of_name.name}")
    return tuple(wanted)


def _ready(of_name: Family, names: Sequence[str]) -> Iterator[tuple[str, Checker]]:
    """Make the checkers ready, each once for all mutants; those that have nothing about the protocol are left out."""
    from fencepost.checkers.mutation import Answers, Exploring, Logs, Proving, Simulating, cache_folder

    whole = of_name.whole
    for name in names:
        with watching(f"{name}: what {of_name.name} itself shows"):
            if name == "prove":
                yield name, Proving(whole)
            elif name == "explore" and of_name.slices:
                yield name, Exploring(of_name, cache=cache_folder())
            elif name == "answers" and of_name.answers:
                yield name, Answers(whole)
            elif name == "conform" and of_name.recorded:
                yield name, Logs(of_name, cache=cache_folder())
            elif name == "simulate" and (runs := recorded_runs(of_name)):
                yield name, Simulating(whole, runs, seeds_of_a_mutant(of_name))


def _line(one: Judged, done: int, total: int) -> str:
    killer = next((a for a in one.answers if a.fate == "killed"), None)
    told = f"{killer.checker}: {killer.by}" if killer is not None else one.fate
    line = f"{done}/{total} {one.mutant.id}: {told} ({one.cpu_seconds:.2f} s)"
    return line if len(line) <= columns() else f"{line[: columns() - 2]} …"


def _outcome(of_name: Family, survey: Survey, seed: int) -> Outcome:
    from fencepost.checkers.mutation import diff

    document: dict[str, Any] = {**survey.as_json(), "seed": seed}
    for entry, one in zip(document["mutants"], survey.judged, strict=True):
        entry["diff"] = diff(of_name.whole, one.mutant)
    code, verdict = _verdict(survey)
    return Outcome("mutate", verdict, code, document, page(survey, seed), of_name.whole.hash)


def _verdict(survey: Survey) -> tuple[ExitCode, str]:
    if survey.unfinished:
        return ExitCode.STOPPED, "inconclusive"
    if survey.short:
        return ExitCode.VACUOUS, "below the declared score"
    if survey.stale:
        return ExitCode.DIFFERS_FROM_BASELINE, "differs from the lists of equivalents and survivors"
    if not survey.judged:
        return ExitCode.INCONCLUSIVE, "inconclusive"
    return ExitCode.AS_DECLARED, "as declared" if survey.declared else "measured"


def page(survey: Survey, seed: int) -> list[str]:
    """Return the outcome as text: the score first, then the survivors by row, then what is wrong with the list."""
    from fencepost.checkers.mutation import INSIDE

    asked = len(survey.judged)
    if not asked:
        return [f"{survey.protocol}: inconclusive: no mutant was asked"]
    counted = asked - len(survey.equivalent)
    lines = [
        "",
        f"{survey.protocol}: {survey.score():.1%} of {counted} mutants are noticed: {len(survey.killed)} noticed, "
        f"{len(survey.survivors)} survive, {len(survey.undecided)} not decided, {len(survey.equivalent)} equivalent",
    ]
    lines += [f"  {one}" for one in survey.short]
    if set(INSIDE) <= set(survey.checkers):
        lines.append(f"  by hygiene, proof and exploration alone: {survey.score(*INSIDE):.1%}")
    by = ", ".join(f"{name} {survey.killed_by(name)}" for name in survey.checkers)
    lines.append(f"  noticed by checker, each asked of what those before left unless with --all: {by}")
    if survey.survivors:
        lines.append(f"  of {len(survey.survivors)} survivors {len(survey.classified)} are classified")
    left = "".join(f", {count} left out ({reason})" for reason, count in survey.left_out.items())
    lines.append(f"  {asked} asked of {survey.total}, seed {seed}{left}")
    if survey.unfinished:
        lines.append(f"  stopped: {survey.unfinished} were not asked")
    cpu = sum(one.cpu_seconds for one in survey.judged)
    lines.append(f"  {cpu:.0f} CPU seconds; a warm proof check takes {survey.median_proof_seconds:.2f} s (median)")
    for title, listed in (("survivors", survey.survivors), ("not decided", survey.undecided)):
        lines += _by_row(title, listed, survey.known)
    lines += ["", "The list of equivalents and survivors is not true any more:"] if survey.stale else []
    lines += [f"  {one}" for one in survey.stale]
    return lines


def _by_row(title: str, listed: Sequence[Judged], known: Mapping[str, str]) -> list[str]:
    lines = ["", f"{title}, by row:"] if listed else []
    last = ""
    for one in listed:
        if one.mutant.row != last:
            last = one.mutant.row
            lines.append(f"  {last}")
        about = one.mutant.about.removeprefix(f"{last}: ")
        lines += textwrap.wrap(
            f"{one.mutant.id}: {about}",
            columns(),
            initial_indent="    ",
            subsequent_indent="      ",
            break_on_hyphens=False,
        )
        if one.mutant.id in known:
            said = f"classified: {known[one.mutant.id]}"
            lines += textwrap.wrap(said, columns(), initial_indent="      ", subsequent_indent="        ")
        elif title == "survivors":
            lines.append("      not classified")
        told = [f"{a.checker}: {a.asked}" for a in one.answers if a.fate != "not asked"][:MOST_ASKED]
        for said in told:
            lines += textwrap.wrap(said, columns(), initial_indent="      ", subsequent_indent="        ")[:2]
    return lines
