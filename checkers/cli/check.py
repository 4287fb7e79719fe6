"""`fencepost check`: everything on one screen."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.registry import FAMILIES

from . import completing
from .outcome import Json, Outcome
from .protocols import HELP, is_own
from .reports import Force, Format, Html, Junit, Markdown, Reports, Sarif
from .static import ServerProperties, Static, refuse_static, settings_of
from .terminal import columns, fold, note, watching

if TYPE_CHECKING:
    from fencepost.checkers.check import Check, Stage
    from fencepost.checkers.check.baseline import Compared

SCREEN = 24
"""Lines of the one screen."""


def check(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROTOCOL|PATH]...",
            help=f"Protocols to check in place of all ({HELP}), logs to check in place of ours.",
            autocompletion=completing.protocols,
        ),
    ] = None,
    protocol: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A protocol to check, as one named without the option; may be repeated.",
            autocompletion=completing.protocols,
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEP,...",
            help="The steps to do in place of all: prove, explore, tlc, conform (logs), spark (ours on Spark, too), "
            "answers (of Kafka's classes).",
        ),
    ] = None,
    tier: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="pull-request: what ends within a minute on two cores, and what is left out; or everything.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many steps run at a time, each in a process of its own.")] = 2,
    no_tlc: Annotated[bool, typer.Option("--no-tlc", help="Leave TLC out (it needs Java).")] = False,
    no_spark: Annotated[
        bool, typer.Option("--no-spark", help="Do not check our logs on Spark too (it needs Java).")
    ] = False,
    spark: Annotated[
        bool, typer.Option("--spark", help="Check all logs on Spark and none in one process (it needs Java).")
    ] = False,
    static: Static = None,
    server_properties: ServerProperties = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep there what is as declared; it is not asked again while nothing of the question has changed.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="End with 7 where a figure is worse than in this file, and name it."),
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the figures of a check that is as declared.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the last line alone, and no progress.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print every line of every step, however many screens.")
    ] = False,
    junit: Junit = None,
    sarif: Sarif = None,
    markdown: Markdown = None,
    format: Format = None,
    html: Html = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Prove and explore the tables, and check recorded logs and answers against them.

    A protocol of yours is proved, its tables are asked for gaps, overlaps and rows that never apply, and it is explored
    at every bound that it has, the first one by TLC too. Logs that are named beside protocols of yours alone are
    checked by these, or by kraft or zk, which are not proved then. --only conform checks logs and nothing else.
    --static and --server-properties are of the metadata logs named in place of ours.
    Where standard error is no terminal, a line is printed for each step that is done.
    """
    from fencepost.checkers.check import check as everything
    from fencepost.checkers.check.baseline import compared, read, write

    if quiet and verbose:
        raise Refusal("--quiet: prints one line, --verbose every one; leave out either")
    steps = _steps(only, {"tlc": no_tlc, "spark": no_spark})
    tier = _tier(tier, only is not None, steps, spark)
    named, paths = told_apart(what or ())
    options, others = told_apart(protocol or ())
    if others:
        raise Refusal(f"--protocol: {others[0]} is a path, not the name of a protocol; name a log without the option")
    protocols = list(dict.fromkeys((*named, *options)))
    reports = Reports(junit, sarif, markdown, format, html, force)
    if json and format == "sarif":
        raise Refusal("--format sarif: prints a document, as --json does; leave out either, or use --sarif FILE")
    reports.refuse()
    if not paths:
        refuse_static(static, server_properties, "no log is named")
    settings = settings_of(static, server_properties) if static or server_properties is not None else None
    before = read(baseline) if baseline is not None else None

    with watching("proving, exploring, reading logs") as tell:

        def progress(stage: Stage, done: int, total: int) -> None:
            tell(f"{done} of {total} stages done, last {stage.name}")
            if not quiet:
                note(f"check: {done} of {total}, {_done(stage)}")

        found = everything(
            paths,
            protocols,
            only=steps,
            spark=spark and not no_spark,
            static=settings,
            jobs=jobs,
            cache=cache,
            tier=tier,
            progress=progress,
        )
    hashes = list(found.table_hashes.values())
    findings = [{"protocol": name, **f} for name, stages in found.protocols.items() for s in stages for f in s.findings]
    against = compared(baseline, before, found) if baseline is not None and before is not None else None
    code, verdict, lines = found.exit_code, found.verdict, page(found)[-1:] if quiet else page(found, whole=verbose)
    if against is not None:
        worse = code is ExitCode.AS_DECLARED and against.regressions
        code, verdict = (ExitCode.DIFFERS_FROM_BASELINE, "worse than the baseline") if worse else (code, verdict)
        lines = [*lines, *_against(against)]
    if write_baseline is not None:
        done = "is written" if write(write_baseline, found) else "is not written: a baseline is a check as declared"
        lines = [*lines, f"baseline {write_baseline}: {done}"]
    outcome = Outcome(
        "check",
        verdict,
        code,
        {**found.as_json(), "baseline": against.as_json() if against is not None else None},
        lines,
        hashes[0] if len(hashes) == 1 else ",".join(hashes),
        findings,
        aside=format is not None,
    )
    if code is not ExitCode.STOPPED:
        reports.write(outcome.document(found.seconds))
    return outcome


def _against(against: Compared) -> list[str]:
    """Return what became of a baseline as lines: every regression by name, how many figures are better or new."""
    worse, better = len(against.regressions), len(against.gains)
    first = f"baseline {against.path}: {against.figures} figures compared, {worse} worse, {better} better or new"
    return [first, *(f"  worse: {one}" for one in against.regressions)]


def _steps(only: Sequence[str] | None, left_out: Mapping[str, bool]) -> list[str]:
    """Return the steps that some options ask for, without those that are left out."""
    from fencepost.checkers.check import STEPS

    if only is None:
        return [step for step in STEPS if not left_out.get(step)]
    asked = [step.strip() for one in only for step in one.split(",") if step.strip()]
    if not asked:
        raise Refusal(f"--only: names no step; use some of {', '.join(STEPS)}")
    for step in asked:
        if left_out.get(step):
            raise Refusal(f"--no-{step}: leaves out what --only asks for; leave out either")
    return asked


def _tier(tier: str | None, chosen: bool, steps: Sequence[str], spark: bool) -> str:
    """Return the tier of a name; raises `Refusal` for one that there is not, or that has not what is asked for."""
    from fencepost.checkers.check import TIERS, tiers

    if tier is None:
        return tiers.EVERYTHING
    if tier not in TIERS:
        raise Refusal(f"--tier {tier}: there is no such tier; use {' or '.join(TIERS)}")
    others = [step for step in steps if step not in tiers.STEPS]
    if tier == tiers.PULL_REQUEST and (spark or (chosen and others)):
        what = f"--only {others[0]}" if chosen and others else "--spark"
        raise Refusal(f"--tier {tier}: leaves out what {what} asks for; leave out either")
    return tier


def _done(stage: Stage) -> str:
    """A stage that is done, as a line of progress."""
    bound = f" at {stage.fields['bound']}" if "bound" in stage.fields else ""
    took = "asked before" if "cached" in stage.fields else f"{stage.seconds:.0f} s"
    return f"{stage.protocol} {stage.name}{bound}: {stage.verdict}, {took}"


def told_apart(given: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the protocols and the logs among some arguments; raises `Refusal` for one that can be neither."""
    protocols, paths = [], []
    for one in given:
        if one not in FAMILIES and (Path(one).exists() and not (".py" in one and is_own(one))):
            paths.append(one)
        elif (is_own(one) and not _like_a_log(one)) or re.split("[@+]", one)[0] in FAMILIES:
            protocols.append(one)
        elif _like_a_log(one) or any(sign in one for sign in (os.sep, "*", "?", "://")):
            paths.append(one)
        else:
            close = difflib.get_close_matches(one, list(FAMILIES), 1)
            hint = f"did you mean {close[0]}?" if close else f"use a path, or one of {', '.join(FAMILIES)}"
            raise Refusal(f"{one}: there is no such file, and no protocol has this name; {hint}")
    return list(dict.fromkeys(protocols)), paths


def _like_a_log(name: str) -> bool:
    """Whether a name ends as those of logs do."""
    return Path(name).suffix in (".log", ".checkpoint", ".gz", ".txt", ".ndjson")


def page(found: Check, whole: bool = False) -> list[str]:
    """Return the one screen: a sentence a protocol that is as declared, a block one that is not; the verdict last.

    The block has a label a stage. What is left out is counted; nothing is with `whole`, and each protocol is a block.
    """
    lines: list[str] = []
    for name, stages in found.protocols.items():
        if not whole and all(stage.code == ExitCode.AS_DECLARED for stage in stages):
            lines += _as_declared(name, found.sources.get(name, ""), stages)
            continue
        lines.append(f"{name}  (tables {found.table_hashes[name]})")
        lines += [line for stage in stages for line in _stage(stage, whole)]
    lines += list(found.notes)
    told = f"tier {found.tier}, without {'; '.join(found.left_out)}"
    waits = fold(told, columns()).split("\n") if found.left_out else []
    end = f"{found.verdict}, exit code {int(found.exit_code)}, {found.seconds:.0f} s"
    room = SCREEN - 1 - len(waits)
    if len(lines) > room and not whole:
        lines = [*lines[: room - 1], f"  and {len(lines) - room + 1} lines more; --json has everything"]
    return [*lines, *waits, end]


def _as_declared(name: str, sources: str, stages: Sequence[Stage]) -> list[str]:
    """A protocol of which everything is as declared: its proof, its bounds, its logs, then its declared violations."""
    parts: list[str] = []
    explored = [stage.fields for stage in stages if stage.name == "exploration"]
    for stage in stages:
        told = stage.fields
        if stage.name == "proof":
            all_ = told["obligations"] + told["frame_obligations"]
            parts.append(f"{told['proved']:,} of {all_:,} obligations proved for any cluster")
        elif stage.name in ("logs", "traces", "answers"):
            parts.append(stage.lines[0].split(":")[0])
    if explored:
        agreed = [fields["bound"] for fields in explored if (fields.get("tlc") or {}).get("agrees")]
        states = sum(fields["distinct"] for fields in explored)
        bounds = f"{len(explored)} bounds" if len(explored) > 1 else f"{explored[0]['bound']}"
        counted = f"{', '.join(agreed)} = TLC" if len(explored) > 1 else "= TLC"
        parts.insert(1, f"{bounds} closed, {states:,} states" + (f", {counted}" if agreed else ""))
    judged = [stage for stage in stages if stage.name not in ("logs", "traces")]
    violated = dict.fromkeys(one["by"] for stage in judged for one in stage.findings)
    label = [] if len(name) < 12 else [f"  {name}"]
    lines = [*label, *_two(" " * 14 if label else f"  {name:<12}", f"{sources}: {'; '.join(parts)}")]
    lines += [line for stage in stages if stage.name == "spark" for line in _two(" " * 14, stage.lines[0])]
    return [*lines, *_two(" " * 14, f"declared violated: {', '.join(violated)}")] if violated else [*lines]


def _stage(stage: Stage, whole: bool) -> list[str]:
    """A stage as lines of the screen: its label once, each of its sentences on at most two lines but with `whole`."""
    sign = "  " if stage.code == ExitCode.AS_DECLARED else "! "
    result: list[str] = []
    for number, sentence in enumerate(stage.lines):
        label = f"{sign}{stage.name:<12}" if number == 0 else " " * 14
        result += _two(label, sentence, whole)
    return result


def _two(label: str, sentence: str, whole: bool = False) -> Sequence[str]:
    lines = fold(" " * 14 + sentence, columns()).split("\n")
    if len(lines) > 2 and not whole:
        lines = [lines[0], lines[1][: columns() - 2] + " …"]
    return [label + lines[0][14:], *lines[1:]]
