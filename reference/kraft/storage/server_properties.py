"""The few settings of a server.properties that formatting and starting depend on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import StorageError
from .files import cause, read_properties
from .voters import HIGHEST_ID, HIGHEST_PORT

DEFAULT_LOG_DIRECTORY = "/tmp/kafka-logs"
ROLES = ("broker", "controller")
_LISTENER = re.compile(r"([A-Za-z0-9_.-]+)://(?:\[([^\]]*)\]|([^:\[\]]*)):(-?\d+)")
_VOTER = re.compile(r"(\d+)@(?:\[[^\]]+\]|[^:\[\]]+):(\d+)")


@dataclass(frozen=True, slots=True)
class Listener:
    """Where a server listens: the listener's name in upper case, a host that may be empty, a port."""

    name: str
    host: str
    port: int


@dataclass(frozen=True)
class ServerProperties:
    """The configuration of a node; paths as they are written there.

    `static_voters` are the ids in controller.quorum.voters, empty for a dynamic quorum. `controller_endpoint` is where
    other controllers reach this one (advertised.listeners before listeners), null on a broker.
    """

    roles: tuple[str, ...]
    node_id: int
    log_directories: tuple[str, ...]
    metadata_directory: str
    static_voters: tuple[int, ...]
    controller_listener_names: tuple[str, ...]
    controller_endpoint: Listener | None

    @property
    def is_controller(self) -> bool:
        """Whether the node is a controller, alone or beside being a broker."""
        return "controller" in self.roles

    @property
    def directories(self) -> tuple[str, ...]:
        """All directories of the node, the metadata directory too, in the order of their names."""
        return tuple(sorted({*self.log_directories, self.metadata_directory}))


def read_server_properties(path: Path) -> ServerProperties:
    """Read a configuration; raises StorageError, a sentence that begins with the path, for one that no node takes."""
    try:
        pairs = read_properties(path)
    except OSError as error:
        raise StorageError(f"{path}: the configuration cannot be read ({cause(error)}): check the path") from error
    try:
        return parse_server_properties(pairs)
    except StorageError as error:
        raise StorageError(f"{path}: {error}") from None


def parse_server_properties(pairs: Mapping[str, str]) -> ServerProperties:
    """Return the settings by their values; raises StorageError for the first that is missing or does not fit."""
    pairs = {name: value.strip() for name, value in pairs.items()}
    roles = _list(_required(pairs, "process.roles", "broker, controller, or both"))
    for role in roles:
        if role not in ROLES:
            raise StorageError(f"process.roles={role}: there is no such role: write broker, controller, or both")
    node_id = _node_id(_required(pairs, "node.id", "the number of this node"))
    names = tuple(name.upper() for name in _list(_required(pairs, "controller.listener.names", "CONTROLLER or so")))
    directories = _log_directories(pairs)
    voters = _static_voters(pairs, node_id if "controller" in roles else None)
    return ServerProperties(
        roles=roles,
        node_id=node_id,
        log_directories=directories,
        metadata_directory=_metadata_directory(pairs, directories),
        static_voters=voters,
        controller_listener_names=names,
        controller_endpoint=_controller_endpoint(pairs, roles, names),
    )


def _required(pairs: Mapping[str, str], name: str, what: str) -> str:
    value = pairs.get(name, "")
    if not value.replace(",", "").strip():
        raise StorageError(f"{name} is missing: set it to {what}")
    return value


def _list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _node_id(text: str) -> int:
    if not re.fullmatch(r"\d{1,10}", text, re.ASCII) or int(text) > HIGHEST_ID:
        raise StorageError(f"node.id={text}: write a whole number of 0 to {HIGHEST_ID}")
    return int(text)


def _log_directories(pairs: Mapping[str, str]) -> tuple[str, ...]:
    for name in ("log.dirs", "log.dir"):
        if name in pairs:
            directories = _list(pairs[name])
            if not directories:
                raise StorageError(f"{name} is empty: name at least one directory")
            return directories
    return (DEFAULT_LOG_DIRECTORY,)


def _metadata_directory(pairs: Mapping[str, str], directories: tuple[str, ...]) -> str:
    if "metadata.log.dir" not in pairs:
        return directories[0]
    if not pairs["metadata.log.dir"]:
        # Kafka takes the empty name for the directory in which it was called, and formats that.
        raise StorageError("metadata.log.dir is empty: name a directory, or leave the setting out")
    return pairs["metadata.log.dir"]


def _static_voters(pairs: Mapping[str, str], controller: int | None) -> tuple[int, ...]:
    voters = []
    for text in _list(pairs.get("controller.quorum.voters", "")):
        matched = _VOTER.fullmatch(text)
        if matched is None or int(matched[2]) > HIGHEST_PORT:
            raise StorageError(f"controller.quorum.voters={text}: write ID@HOST:PORT for every voter")
        voters.append(int(matched[1]))
    if voters and controller is not None and controller not in voters:
        raise StorageError(
            f"controller.quorum.voters: controller {controller} is not among the voters "
            f"{', '.join(map(str, voters))}: name it there, or correct node.id"
        )
    if not voters and not _list(pairs.get("controller.quorum.bootstrap.servers", "")):
        raise StorageError(
            "no controllers are named: set controller.quorum.bootstrap.servers (or controller.quorum.voters, for "
            "voters that never change)"
        )
    return tuple(voters)


def _controller_endpoint(pairs: Mapping[str, str], roles: tuple[str, ...], names: tuple[str, ...]) -> Listener | None:
    listeners = _listeners(pairs, "listeners")
    of_controller = [listener for listener in listeners if listener.name in names]
    if "controller" not in roles:
        if of_controller:
            raise StorageError(
                f"listeners: {of_controller[0].name} is a controller's by controller.listener.names, and this node is "
                "no controller: take it out"
            )
        return None
    others = [listener.name for listener in listeners if listener.name not in names]
    if roles == ("controller",) and others:
        raise StorageError(
            f"listeners: {others[0]} is not among controller.listener.names, and this node is a controller only: "
            "take it out"
        )
    advertised = {listener.name: listener for listener in _listeners(pairs, "advertised.listeners")}
    listening = {listener.name: listener for listener in of_controller}
    for name in names:
        if name in listening:
            found = advertised.get(name, listening[name])
            return found if found.host else Listener(found.name, "localhost", found.port)
    raise StorageError(f"listeners: none of them is one of controller.listener.names ({', '.join(names)}): add it")


def _listeners(pairs: Mapping[str, str], setting: str) -> list[Listener]:
    found = []
    for text in _list(pairs.get(setting, "")):
        matched = _LISTENER.fullmatch(text)
        if matched is None or not -1 <= int(matched[4]) <= HIGHEST_PORT:
            raise StorageError(f"{setting}={text}: write NAME://HOST:PORT, the host may be left out")
        found.append(Listener(matched[1].upper(), matched[2] or matched[3] or "", int(matched[4])))
    return found
