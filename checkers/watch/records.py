"""The records of the metadata log as a release declares them, and what another release has that one has not."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

Schemas = Mapping[str, Mapping[str, Any]]
"""Declarations of records by name, as Kafka's message files have them."""

_PLACES: Final = {"kafka-metadata": "common/metadata/", "kafka-clients": "common/message/"}
"""By artifact, where a jar has declarations."""
_CONTROL: Final = frozenset(
    f"{name}.json"
    for name in (
        "LeaderChangeMessage",
        "SnapshotHeaderRecord",
        "SnapshotFooterRecord",
        "KRaftVersionRecord",
        "VotersRecord",
    )
)
"""The declarations of control records, which are among the client's messages."""
_COMMENT: Final = re.compile(r"^\s*//.*$", re.MULTILINE)


def schemas(jars: Mapping[str, Path]) -> dict[str, Mapping[str, Any]]:
    """Return the records of a release's metadata log by name, control records too."""
    found: dict[str, Mapping[str, Any]] = {}
    for artifact, place in _PLACES.items():
        with zipfile.ZipFile(jars[artifact]) as archive:
            for entry in archive.namelist():
                name = entry.removeprefix(place)
                if (
                    name == entry
                    or not name.endswith(".json")
                    or (artifact == "kafka-clients" and name not in _CONTROL)
                ):
                    continue
                said = json.loads(_COMMENT.sub("", archive.read(entry).decode()))
                found[said["name"]] = said
    return found


def differences(old: Schemas, new: Schemas) -> Iterator[str]:
    """Yield a line for each record, version and field that two releases do not have alike."""
    for name in sorted(old.keys() | new.keys()):
        if name not in old:
            key = new[name].get("apiKey")
            yield f"{name} is new{'' if key is None else f' (api key {key})'}, versions {new[name]['validVersions']}"
        elif name not in new:
            yield f"{name} is gone"
        else:
            for what in ("apiKey", "validVersions", "flexibleVersions"):
                if old[name].get(what) != new[name].get(what):
                    yield f"{name}: {what} was {old[name].get(what)} and is {new[name].get(what)}"
            yield from _fields(name, old[name].get("fields", ()), new[name].get("fields", ()))


def _fields(name: str, old: Any, new: Any) -> Iterator[str]:
    before, after = ({one["name"]: one for one in some} for some in (old, new))
    for field in dict.fromkeys((*before, *after)):
        if field not in before:
            one = after[field]
            tag = f", tag {one['tag']}" if "tag" in one else ""
            yield f"{name}.{field} is new: {one['type']}, versions {one['versions']}{tag}"
        elif field not in after:
            yield f"{name}.{field} is gone"
        else:
            one, other = before[field], after[field]
            for what in sorted((one.keys() | other.keys()) - {"about", "name", "fields"}):
                if one.get(what) != other.get(what):
                    yield f"{name}.{field}: {what} was {one.get(what)} and is {other.get(what)}"
            yield from _fields(f"{name}.{field}", one.get("fields", ()), other.get("fields", ()))
