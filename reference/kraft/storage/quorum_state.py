"""The file quorum-state: what a Raft node must not forget, its epoch, whom it voted for, whom it follows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencepost.files import json_value, read_small
from fencepost.reference.kraft.records import MIGRATING_DIRECTORY

from .errors import StorageError
from .files import cause, write_whole

QUORUM_STATE = "quorum-state"
NOBODY = -1
NO_DIRECTORY = MIGRATING_DIRECTORY
"""The directory id that means none: sixteen zero bytes."""


@dataclass(frozen=True, slots=True)
class QuorumState:
    """Raft's durable state of an epoch: its number, its leader if one is known, and the vote given in it (-1 for none).

    `kraft_version` decides the file's shape: at 0 the ids of the static voters are in it, above 0 the directory of the
    candidate that was voted for. Source: QuorumStateData, spec/storage.md.
    """

    leader_id: int
    leader_epoch: int
    voted_id: int = NOBODY
    voted_directory_id: str = NO_DIRECTORY
    voters: tuple[int, ...] = ()
    kraft_version: int = 1

    def text(self) -> str:
        """Return the file's text, byte for byte as Kafka writes it."""
        found: dict[str, Any] = {"leaderId": self.leader_id, "leaderEpoch": self.leader_epoch, "votedId": self.voted_id}
        if self.kraft_version == 0:
            voters = [{"voterId": voter} for voter in self.voters]
            found = {"clusterId": "", **found, "appliedOffset": 0, "currentVoters": voters, "data_version": 0}
        else:
            found = {**found, "votedDirectoryId": self.voted_directory_id, "data_version": 1}
        return json.dumps(found, separators=(",", ":"))


def parse_quorum_state(text: str) -> QuorumState:
    """Return what the file's text says; raises StorageError for a text that is no quorum state."""
    try:
        found = json_value(text)
        version = found["data_version"]
        if version not in (0, 1):
            raise StorageError(f"data_version {version} is unknown: 0 and 1 are known")
        return QuorumState(
            leader_id=int(found["leaderId"]),
            leader_epoch=int(found["leaderEpoch"]),
            voted_id=int(found["votedId"]),
            voted_directory_id=str(found.get("votedDirectoryId", NO_DIRECTORY)),
            voters=tuple(int(voter["voterId"]) for voter in found.get("currentVoters") or ()),
            kraft_version=int(version),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError("this is no quorum state of Raft") from error


def write_quorum_state(log_directory: Path, state: QuorumState) -> Path:
    """Write the file into a __cluster_metadata-0 directory, whole or not at all, and return its path."""
    path = log_directory / QUORUM_STATE
    write_whole(path, state.text().encode("ascii"))
    return path


def read_quorum_state(log_directory: Path) -> QuorumState | None:
    """Return what the file says, None where there is none; raises StorageError, a sentence with the path."""
    path = log_directory / QUORUM_STATE
    try:
        return parse_quorum_state(read_small(path).decode("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        said = cause(error) if isinstance(error, OSError) else "it is no text"
        raise StorageError(f"{path}: the file cannot be read ({said})") from error
    except StorageError as error:
        raise StorageError(f"{path}: {error}") from None
