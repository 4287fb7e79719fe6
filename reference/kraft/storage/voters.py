"""Voters of a dynamic quorum as people write them, `ID@HOST:PORT:DIRECTORY-ID`, and as the metadata log holds them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import StorageError
from .uuids import is_reserved

_VOTER = re.compile(r"(\d+)@(?:\[([^\]]+)\]|([^:\[\]]+)):(\d+):([A-Za-z0-9_=-]+)")
_SHAPE = "write ID@HOST:PORT:DIRECTORY-ID, for example 3000@controller-1:9093:JEXY6aqzQY-32P5TStzaFg"
HIGHEST_PORT = 65_535
HIGHEST_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Voter:
    """A controller of the first quorum: its id, where it listens, and the id of its metadata directory."""

    node_id: int
    host: str
    port: int
    directory_id: str


def parse_voters(text: str) -> tuple[Voter, ...]:
    """Return the voters of a list with commas, in order of id; raises StorageError. Source: DynamicVoters, S3:30."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise StorageError(f"no controller is named: {_SHAPE}")
    voters: dict[int, Voter] = {}
    for part in parts:
        voter = _parsed(part)
        if voter.node_id in voters:
            raise StorageError(f"{part}: controller {voter.node_id} is named twice: name every controller once")
        voters[voter.node_id] = voter
    return tuple(voters[node_id] for node_id in sorted(voters))


def _parsed(text: str) -> Voter:
    matched = _VOTER.fullmatch(text)
    if matched is None:
        raise StorageError(f"{text}: this names no controller: {_SHAPE}")
    node_id, inner, host, port, directory_id = matched.groups()
    if int(port) > HIGHEST_PORT:
        raise StorageError(f"{text}: there is no port {port}: write one of 0 to {HIGHEST_PORT}")
    if int(node_id) > HIGHEST_ID:
        raise StorageError(f"{text}: there is no node {node_id}: write an id of 0 to {HIGHEST_ID}")
    try:
        reserved = is_reserved(directory_id)
    except StorageError as error:
        raise StorageError(f"{text}: {error}") from None
    if reserved:
        # Kafka formats such a directory, and refuses to start with it.
        raise StorageError(f"{text}: the directory id is reserved: take one from `fencepost storage random-uuid`")
    return Voter(int(node_id), inner or host, int(port), directory_id)


def voters_record(voters: Sequence[Voter], listener_name: str) -> dict[str, Any]:
    """Return the data of a KRaftVoters record: voters in order of id, each with one endpoint."""
    return {
        "version": 0,
        "voters": [
            {
                "voterId": voter.node_id,
                "voterDirectoryId": voter.directory_id,
                "endpoints": [{"name": listener_name, "host": _written_out(voter.host), "port": voter.port}],
                "kRaftVersionFeature": {"minSupportedVersion": 0, "maxSupportedVersion": 1},
            }
            for voter in sorted(voters, key=lambda voter: voter.node_id)
        ],
    }


def _written_out(host: str) -> str:
    """An IPv6 address with all its groups, as Java prints it; anything else as it is."""
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return host
    return ":".join(f"{int(group, 16):x}" for group in address.exploded.split(":"))
