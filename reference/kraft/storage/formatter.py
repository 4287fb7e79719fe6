"""Formatting: the directories of a node get their identity, a controller's also the first records of a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fencepost.reference.kraft.levels import KRAFT_VERSION, LEVELS, METADATA_VERSION, NAMES
from fencepost.reference.kraft.records import Message
from fencepost.traces.names import METADATA_DIRECTORY

from .bootstrap import BOOTSTRAP_SNAPSHOT, bootstrap_records, build_bootstrap, write_bootstrap
from .ensemble import Ensemble, load_ensemble, verify
from .errors import StorageError
from .files import cause
from .meta_properties import MetaProperties, write_meta_properties
from .releases import effective_levels
from .scram import scram_record
from .server_properties import ServerProperties
from .uuids import RandomBits, random_directory_id, random_uuid
from .voters import Voter, parse_voters, voters_record

DATA = "data directory"
STATIC_METADATA = "metadata directory"
DYNAMIC_METADATA = "dynamic metadata directory"
VOTER_METADATA = "dynamic metadata voter directory"

_SCRAM = LEVELS["3.5-IV2"]


@dataclass(frozen=True, kw_only=True)
class FormatRequest:
    """The options of `kafka-storage format`.

    `release` is the metadata.version of `--release-version`, `features` what `--feature` says; of `standalone`,
    `initial_controllers` (as written) and `no_initial_controllers` at most one is given. `scram` are the arguments of
    `--add-scram`.
    """

    server: ServerProperties
    cluster_id: str
    release: int | None = None
    features: Mapping[str, int] = field(default_factory=dict)
    standalone: bool = False
    initial_controllers: str | None = None
    no_initial_controllers: bool = False
    scram: tuple[str, ...] = ()
    ignore_formatted: bool = False


@dataclass(frozen=True)
class FormattedDirectory:
    """A directory that was formatted: its path, what it is for, and its new id."""

    path: str
    kind: str
    directory_id: str


@dataclass(frozen=True)
class FormatReport:
    """The result of formatting: the directories formatted, those left as they were, those unreadable, and the records.

    `levels` are those of all features; `voters` the first quorum as written into the checkpoint, if any.
    """

    formatted: tuple[FormattedDirectory, ...]
    skipped: tuple[str, ...]
    failed: Mapping[str, str]
    records: tuple[Message, ...]
    levels: Mapping[str, int]
    voters: tuple[Voter, ...]

    @property
    def release(self) -> str:
        """The name of the metadata.version."""
        return NAMES[self.levels[METADATA_VERSION]]


def format_storage(request: FormatRequest, random: RandomBits, now_ms: int) -> FormatReport:
    """Format the directories of a node that are not yet; everything is checked before the first byte is written.

    `random` makes the directory ids, `now_ms` is milliseconds since 1970 for the files' times. A directory that is
    formatted stays as it is. Raises StorageError for a request that cannot be met. Source: StorageTool.runFormatCommand
    and Formatter of Kafka 4.4; S2:135-140, S3:21-38.
    """
    server = request.server
    if not request.cluster_id.strip():
        # Kafka takes an empty cluster id, and so does every cluster that was given one: they are all the same cluster.
        raise StorageError("the cluster id is empty: take one from `fencepost storage random-uuid`")
    voters = _initial_voters(request, random)
    levels = effective_levels(request.release, request.features, is_dynamic=not server.static_voters)
    if request.scram and levels[METADATA_VERSION] < _SCRAM:
        raise StorageError(f"--add-scram needs metadata.version {NAMES[_SCRAM]} or later")
    records = bootstrap_records(levels, tuple(scram_record(argument, random) for argument in request.scram))
    ensemble = load_ensemble(server.directories, server.metadata_directory)
    # Unlike a start, formatting leaves out a metadata directory that cannot be read, as long as another one can.
    verify(_readable(ensemble), cluster_id=request.cluster_id, node_id=server.node_id)
    _refuse_what_is_there(request, ensemble)
    kinds = {directory: _kind(directory, server, voters) for directory in ensemble.empty}
    identities = _identities(ensemble, kinds, request, voters, random)
    snapshot = None
    if server.is_controller:
        listener = server.controller_listener_names[0]
        snapshot = build_bootstrap(
            records,
            kraft_version=levels[KRAFT_VERSION],
            voters=voters_record(voters, listener) if voters else None,
            now_ms=now_ms,
        )
    for directory, properties in identities.items():
        _make(Path(directory))
        if snapshot is not None and directory == server.metadata_directory:
            write_bootstrap(Path(directory), snapshot)
        # meta.properties comes last: a directory that has it is formatted to the end.
        write_meta_properties(Path(directory), properties, now_ms)
    return FormatReport(
        formatted=tuple(
            FormattedDirectory(directory, kinds[directory], properties.directory_id or "")
            for directory, properties in identities.items()
        ),
        skipped=tuple(ensemble.formatted),
        failed=ensemble.failed,
        records=records,
        levels=levels,
        voters=voters,
    )


def _initial_voters(request: FormatRequest, random: RandomBits) -> tuple[Voter, ...]:
    server = request.server
    flags = {
        "--standalone": request.standalone,
        "--initial-controllers": request.initial_controllers is not None,
        "--no-initial-controllers": request.no_initial_controllers,
    }
    given = [name for name, is_given in flags.items() if is_given]
    if len(given) > 1:
        raise StorageError(f"{' and '.join(given)} exclude one another: give one of them")
    if server.static_voters and given and not request.no_initial_controllers:
        raise StorageError(
            f"{given[0]} is for a dynamic quorum, and controller.quorum.voters names a static one: take that setting "
            "out and set controller.quorum.bootstrap.servers, or leave the option out"
        )
    if not server.static_voters and server.is_controller and not given:
        raise StorageError(
            "controller.quorum.voters is not set on this controller: give --standalone, --initial-controllers or "
            "--no-initial-controllers"
        )
    if request.initial_controllers is not None:
        return parse_voters(request.initial_controllers)
    if not request.standalone:
        return ()
    if server.controller_endpoint is None:
        raise StorageError("--standalone makes a quorum of this one controller, and the node is no controller")
    endpoint = server.controller_endpoint
    return (Voter(server.node_id, endpoint.host, endpoint.port, random_uuid(random)),)


def _readable(ensemble: Ensemble) -> Ensemble:
    return Ensemble(ensemble.formatted, ensemble.empty, {}, ensemble.metadata_directory)


def _refuse_what_is_there(request: FormatRequest, ensemble: Ensemble) -> None:
    if ensemble.formatted and not request.ignore_formatted:
        first = next(iter(ensemble.formatted))
        raise StorageError(f"{first}: already formatted: give --ignore-formatted to leave it and format the others")
    if ensemble.failed and not ensemble.formatted and not ensemble.empty:
        raise StorageError(next(iter(ensemble.failed.values())))
    for directory in ensemble.empty:
        log = Path(directory) / METADATA_DIRECTORY
        # Kafka would write its checkpoint beside them, and a later start would find two beginnings.
        held = [name.name for name in sorted(log.iterdir())] if log.is_dir() else []
        held = [name for name in held if not name.startswith(BOOTSTRAP_SNAPSHOT)]
        if held:
            raise StorageError(
                f"{log}: a metadata log lies here ({held[0]}), and meta.properties is missing: restore that file, or "
                "take the log away"
            )


def _kind(directory: str, server: ServerProperties, voters: tuple[Voter, ...]) -> str:
    if directory != server.metadata_directory:
        return DATA
    if not voters:
        return STATIC_METADATA
    return VOTER_METADATA if any(voter.node_id == server.node_id for voter in voters) else DYNAMIC_METADATA


def _identities(
    ensemble: Ensemble, kinds: Mapping[str, str], request: FormatRequest, voters: tuple[Voter, ...], random: RandomBits
) -> dict[str, MetaProperties]:
    node_id = request.server.node_id
    taken = {found.directory_id for found in ensemble.formatted.values() if found.directory_id is not None}
    own = {voter.node_id: voter.directory_id for voter in voters}
    if node_id in own and VOTER_METADATA in kinds.values() and own[node_id] in taken:
        raise StorageError(f"directory id {own[node_id]} of controller {node_id} is that of another directory already")
    taken |= set(own.values())
    identities = {}
    for directory in ensemble.empty:
        if kinds[directory] == VOTER_METADATA:
            directory_id = own[node_id]
        else:
            directory_id = random_directory_id(random, taken)
        taken.add(directory_id)
        identities[directory] = MetaProperties(1, request.cluster_id, node_id, directory_id)
    return identities


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{directory}: the directory cannot be made ({cause(error)})") from error
