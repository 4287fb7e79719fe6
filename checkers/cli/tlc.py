"""`fencepost tlc`: one instance by TLC and by exploration, which must count the same and agree; or its modules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from fencepost.checkers.asked import scope_lines
from fencepost.checkers.codes import Comparison, compare, exploration_findings
from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, headline
from fencepost.model.language import LeadsTo, Protocol
from fencepost.model.language.render import fairness_text
from fencepost.model.registry import Family

from . import completing, tlc_runs
from . import explore as exploring
from .counterexamples import Details, last_row, told
from .outcome import Json, Outcome
from .protocols import BOUND_HELP, HELP, family
from .protocols import explored as slice_of
from .terminal import watching

NAMED = 4
"""The most claims that a line of the page names of those that TLC was not asked for one reason."""


def tlc(
    protocol: Annotated[str, typer.Argument(help=HELP, autocompletion=completing.protocols)],
    bound: Annotated[str | None, typer.Option(help=BOUND_HELP, autocompletion=completing.bounds)] = None,
    symmetry: Annotated[
        bool, typer.Option("--symmetry", help="Count one state of each orbit: TLC is given the symmetry that is found.")
    ] = False,
    replay: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Have TLC replay a run in place of every state: one that `explore --step` saved, or the --json of "
            "explore.",
        ),
    ] = None,
    property_: Annotated[
        str | None,
        typer.Option(
            "--property",
            metavar="ID",
            help="The claim of what comes to pass that TLC is asked, under its fairness. With --replay: the property "
            "whose run is meant, of several. With --write: the only one that the configuration asks for.",
        ),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            "--write",
            metavar="DIR",
            help="Write the modules and configurations into this folder, over nothing, in place of running TLC: of all "
            "tables and every bound, or of --bound alone.",
        ),
    ] = None,
    details: Details = False,
    json: Json = False,
) -> Outcome:
    """Run TLC on the tables as a TLA+ module, and compare its counts with exploration's; or write the modules."""
    named = family(protocol)
    if write is not None:
        if replay is not None:
            raise Refusal(f"--write: writes tables, and no run; use fencepost trace to-tla {replay} --to {write}")
        return tlc_runs.modules_written(named, bound, write, property_, symmetry)
    explored = slice_of(named, bound)
    assert bound is not None
    if replay is not None:
        if symmetry:
            raise Refusal("--symmetry: is for every state; leave it out with --replay")

        return tlc_runs.replayed(protocol, explored, bound, replay, property_)
    live = None if property_ is None else _claim(explored, property_, named)
    if live is not None:
        if symmetry:
            raise Refusal(
                f"--symmetry: {live.id} is about runs without end, which are not asked of orbits; leave it out"
            )
        explored = replace(explored, properties=(live,))
    from fencepost.checkers.exploration import WRITTEN_ONCE, explore
    from fencepost.checkers.tlc import find_jar, find_java, run_tlc, symmetric

    find_java(), find_jar()  # what is missing is said before the search
    if symmetry:
        symmetric(explored, bound)
    with exploring.watching_search(explored, bound) as progress:
        found = explore(explored, bound, progress=progress, orbits=symmetry, deadlock=live is None)
    twice = next((one for one in found.properties if one.id == WRITTEN_ONCE), None)
    if twice is not None:
        raise Refusal(
            f"{explored.name} at {bound}: {twice.message}; that has no meaning, and TLC is not asked: say which value "
            "the cell gets",
            ExitCode.VIOLATED,
        )
    with watching(f"TLC on {explored.name} at {bound}"):
        answered = run_tlc(
            explored, bound, properties=None if live is None else (live.id,), orbits=symmetry, steps=found.generated
        )
    both = compare(answered, found, live)
    verdict = "disagrees" if both.differences else both.verdict.value
    fields = {
        "bound": bound,
        "distinct": both.exploration.distinct,
        "generated": both.exploration.generated,
        "depth": both.exploration.depth,
        "tlc": answered,
        "exploration": both.exploration,
        "agrees": both.agrees,
        "beyond": both.beyond,
        "differences": [{"what": w, "tlc": t, "exploration": e} for w, t, e in both.differences],
    }
    return Outcome(
        "tlc",
        verdict,
        both.code,
        fields,
        _page(both, details, live),
        explored.hash,
        exploration_findings(explored, both.exploration),
    )


def _claim(protocol: Protocol, id: str, named: Family) -> LeadsTo:
    """Return the claim of what comes to pass with an id; raises `Refusal` where it is none."""
    [claim] = exploring.claiming_only(protocol, (id,), named).properties
    if not isinstance(claim, LeadsTo):
        raise Refusal(
            f"--property {id}: is no claim of what comes to pass; to have a run of it taken, add --replay FILE"
        )
    return claim


def _page(both: Comparison, details: bool, live: LeadsTo | None) -> list[str]:
    tlc, mine = both.tlc, both.exploration
    said = (
        "agrees with exploration"
        if both.agrees
        else "disagrees with exploration"
        if both.differences
        else "counts the same states"
        if tlc.verdict is Verdict.CLOSED
        else "not compared"
        if tlc.violated is None
        else f"breaks {tlc.violated} at the end of a range only"
        if tlc.verdict is Verdict.INCONCLUSIVE
        else f"finds {tlc.violated} violated"
        if both.by_tlc_alone
        else f"finds {tlc.violated} violated too"
    )
    lines = [
        f"{mine.protocol} at {mine.bound}: {headline(both.code, 'disagrees' if both.differences else both.verdict)}, "
        f"TLC {said}",
        f"  {'':12}{'distinct':>14}{'generated':>16}{'depth':>8}{'seconds':>10}  verdict",
    ]
    for name, one in (("TLC", tlc), ("exploration", mine)):
        counts = [f"{n:,}" if n is not None else "–" for n in (one.distinct, one.generated, one.depth)]
        lines.append(
            f"  {name:12}{counts[0]:>14}{counts[1]:>16}{counts[2]:>8}{one.seconds:>10.1f}  {one.verdict.value}"
        )
    if mine.orbits is not None:
        lines += [f"  {line}" for line in mine.orbits.lines()]
    lines += [f"  {what}: TLC says {t}, exploration says {e}" for what, t, e in both.differences]
    lines += [f"  {line}" for line in scope_lines(mine.scopes)]
    lines += [f"  beyond TLC: {id} is violated, and TLC is not asked ({why})" if id in tlc.not_asked else
              f"  beyond TLC: {id} is {why}" for id, why in both.beyond.items()]  # fmt: skip
    lines += _not_asked(tlc.not_asked)
    lines += [] if live is None else [f"  asked of both: {live.id}, under {fairness_text(live)}"]
    lines.append(f"  TLC {tlc.version} through {tlc.through} on Java {tlc.java}; {tlc.scope}")
    if tlc.trace is not None:
        how = "broken at the end of a range" if tlc.verdict is Verdict.INCONCLUSIVE else "violated"
        begin = f"{tlc.violated} is {how}, TLC's trace of {counted(len(tlc.trace.steps), 'row')}{last_row(tlc.trace)}:"
        lines += ["", *told(tlc.trace, [begin], details)]
    return lines


def _not_asked(left: Mapping[str, str]) -> list[str]:
    """Say which claims TLC was not asked, by reason; of many the first few, --json has all."""
    by_reason: dict[str, list[str]] = {}
    for id, why in left.items():
        by_reason.setdefault(why.partition(":")[0], []).append(id)
    told = [
        f"{', '.join(ids[:NAMED])}{f' and {len(ids) - NAMED} more' if len(ids) > NAMED else ''} ({why})"
        for why, ids in by_reason.items()
    ]
    return [f"  not asked of TLC: {'; '.join(told)}"] if told else []
