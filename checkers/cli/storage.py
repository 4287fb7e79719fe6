"""`fencepost storage`: the directories of a node as kafka-storage formats and describes them."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict

from .outcome import Json, Outcome

if TYPE_CHECKING:
    from fencepost.reference.kraft.storage.formatter import FormatReport
    from fencepost.reference.kraft.storage.info import StorageInfo

app = typer.Typer(rich_markup_mode=None)
Config = Annotated[Path, typer.Option("--config", "-c", metavar="FILE", help="The node's server.properties.")]


@contextmanager
def _refusals() -> Iterator[None]:
    from fencepost.reference.kraft.storage import StorageError

    try:
        yield
    except StorageError as error:
        raise Refusal(str(error)) from error


@app.callback(invoke_without_command=True)
def storage(context: typer.Context, json: Json = False) -> None:
    """Format the directories of a node, and list them, as kafka-storage of Kafka 4.4 does."""
    if context.invoked_subcommand is None:
        raise Refusal("storage: say what to do: random-uuid, format or info")


@app.command("random-uuid")
def random_uuid(json: Json = False) -> Outcome:
    """Print a random uuid, for a cluster or for a directory."""
    from fencepost.reference.kraft.storage import random_uuid as made

    uuid = made(random.SystemRandom())
    return Outcome("storage random-uuid", "made", ExitCode.AS_DECLARED, {"uuid": uuid}, [uuid])


@app.command("format")
def format_(
    config: Config,
    cluster_id: Annotated[str, typer.Option("--cluster-id", "-t", metavar="UUID", help="The cluster's id.")],
    release_version: Annotated[
        str | None,
        typer.Option("--release-version", "-r", metavar="NAME", help="A metadata.version (3.7-IV2) or release (4.3)."),
    ] = None,
    feature: Annotated[
        list[str] | None, typer.Option("--feature", "-f", metavar="NAME=LEVEL", help="The level of one feature.")
    ] = None,
    standalone: Annotated[
        bool, typer.Option("--standalone", "-s", help="A dynamic quorum of this one controller.")
    ] = False,
    initial_controllers: Annotated[
        str | None,
        typer.Option(
            "--initial-controllers",
            "-I",
            metavar="ID@HOST:PORT:DIRECTORY-ID,...",
            help="The first voters of a dynamic quorum; the same for every node.",
        ),
    ] = None,
    no_initial_controllers: Annotated[
        bool, typer.Option("--no-initial-controllers", "-N", help="A controller that joins a dynamic quorum later.")
    ] = False,
    ignore_formatted: Annotated[
        bool, typer.Option("--ignore-formatted", "-g", help="Leave directories that are formatted as they are.")
    ] = False,
    add_scram: Annotated[
        list[str] | None,
        typer.Option("--add-scram", "-S", metavar="CREDENTIAL", help="SCRAM-SHA-256=[name=alice,password=secret]"),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Format the directories of a node: meta.properties in each, the bootstrap checkpoint on a controller."""
    with _refusals():
        from fencepost.reference.kraft.storage import (
            FormatRequest,
            format_storage,
            parse_features,
            read_server_properties,
            release_level,
        )

        request = FormatRequest(
            server=read_server_properties(config),
            cluster_id=cluster_id,
            release=None if release_version is None else release_level(release_version),
            features=parse_features(feature or ()),
            standalone=standalone,
            initial_controllers=initial_controllers,
            no_initial_controllers=no_initial_controllers,
            scram=tuple(add_scram or ()),
            ignore_formatted=ignore_formatted,
        )
        report = format_storage(request, random.SystemRandom(), int(time.time() * 1000))
    fields = {
        "cluster_id": cluster_id,
        "node_id": request.server.node_id,
        "release": report.release,
        "features": dict(report.levels),
        "formatted": [asdict(one) for one in report.formatted],
        "skipped": list(report.skipped),
        "failed": dict(report.failed),
        "voters": [asdict(voter) for voter in report.voters],
        "records": [{"type": one.type, "version": one.version, "data": dict(one.data)} for one in report.records],
    }
    verdict = "formatted" if report.formatted else "unchanged"
    return Outcome("storage format", verdict, ExitCode.AS_DECLARED, fields, _format_page(report))


@app.command("info")
def info(config: Config, json: Json = False) -> Outcome:
    """Tell which directories a node has, what their meta.properties say, and what is wrong with them."""
    with _refusals():
        from fencepost.reference.kraft.storage import read_server_properties, storage_info

        found = storage_info(read_server_properties(config))
    fields: dict[str, Any] = {
        "found": list(found.found),
        "metadata": None if found.metadata is None else found.metadata.pairs(),
        "problems": list(found.problems),
        "start": found.refusal,
    }
    code = ExitCode.VIOLATED if found.problems else ExitCode.AS_DECLARED
    verdict = Verdict.VIOLATED.value if found.problems else "formatted"
    return Outcome("storage info", verdict, code, fields, _info_page(found))


def _format_page(report: FormatReport) -> list[str]:
    lines = [f"left out, it cannot be read: {sentence}" for sentence in report.failed.values()]
    if not report.formatted:
        return [*lines, "every directory is formatted already"]
    features = ", ".join(f"{name}={level}" for name, level in report.levels.items())
    lines += [f"formatting with metadata.version {report.release}: {features}"]
    lines += [f"  {one.kind} {one.path}, id {one.directory_id}" for one in report.formatted]
    return lines + [f"  left as it is: {directory}" for directory in report.skipped]


def _info_page(found: StorageInfo) -> list[str]:
    lines = []
    if found.found:
        lines += [f"Found log director{'y' if len(found.found) == 1 else 'ies'}:"]
        lines += [f"  {directory}" for directory in found.found]
    if found.metadata is not None:
        pairs = ", ".join(f"{name}={value}" for name, value in sorted(found.metadata.pairs().items()))
        lines += [f"Found metadata: {{{pairs}}}"]
    if found.problems:
        lines += [f"Found problem{'' if len(found.problems) == 1 else 's'}:"]
        lines += [f"  {problem}" for problem in found.problems]
    elif found.refusal is not None:
        lines += ["A start would be refused:", f"  {found.refusal}"]
    return lines
