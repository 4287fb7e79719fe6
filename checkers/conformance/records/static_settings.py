"""Static settings in server.properties of the controllers: they decide which records are written, no log has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol, Threshold
from fencepost.model.language.kinds import ThresholdKind
from fencepost.model.language.walk import nary

UNCLEAN, MIN_INSYNC = "unclean.leader.election.enable", "min.insync.replicas"
NAMES = (UNCLEAN, MIN_INSYNC)
"""The settings that decide what a controller writes."""

ANY = "any"
"""The value of a setting that may have any value that the log shows."""

_UNCLEAN, _CLUSTER_UNCLEAN, _MIN = "static_unclean", "cluster_unclean", "static_min"
"""Their names in the tables: two variables without keys, and a parameter of the events that write the minimum."""

_MOST = 2**31 - 1


@dataclass(frozen=True)
class StaticSettings:
    """The assumed settings in server.properties of the controllers.

    `min_insync` is None where any value will do. `sources` say where each setting is from, by its name: an option, a
    file, or nothing: then it is Kafka's default.
    """

    unclean: bool = False
    min_insync: int | None = None
    sources: Mapping[str, str] | None = None

    @property
    def given(self) -> dict[str, Any]:
        """The values of the tables' variables: the one that no record writes, and the first value of the other."""
        return {_UNCLEAN: self.unclean, _CLUSTER_UNCLEAN: self.unclean}

    @property
    def otherwise(self) -> StaticSettings:
        """The same settings with the other value of unclean.leader.election.enable."""
        return StaticSettings(not self.unclean, self.min_insync, self.sources)

    def on(self, protocol: Protocol) -> Protocol:
        """Return a protocol whose rows write no other static min.insync.replicas than this one.

        It has the same name: it is the same controller, of which more is known.
        """
        if self.min_insync is None:
            return protocol
        found = protocol
        for row in protocol.rows:
            minimum = next((var for var in row.event.params if var.name == _MIN), None)
            if minimum is not None and isinstance(minimum.kind, ThresholdKind) and row.effects:
                when = nary("and", (row.when, minimum.is_(Threshold(self.min_insync))))
                found = found.but(row.id, when=when, why=f"{MIN_INSYNC} is known", name=protocol.name)
        return found

    def values(self) -> dict[str, str]:
        """Return each setting's value as server.properties would have it, `any` where nothing is assumed."""
        size = ANY if self.min_insync is None else str(self.min_insync)
        return {UNCLEAN: str(self.unclean).lower(), MIN_INSYNC: size}

    def as_json(self) -> dict[str, dict[str, str]]:
        """Return what is assumed as JSON values: for each setting its value, and where that is from."""
        return {name: {"value": value, "from": self._source(name)} for name, value in self.values().items()}

    def arguments(self) -> str:
        """Return the options that say these settings again, each behind a space; none for the defaults."""
        told = [(UNCLEAN, "true")] if self.unclean else []
        told += [] if self.min_insync is None else [(MIN_INSYNC, str(self.min_insync))]
        return "".join(f" --static {name}={value}" for name, value in told)

    def text(self) -> str:
        """Return a sentence about what is assumed."""
        told = [f"{name}={value} ({self._source(name)})" for name, value in self.values().items()]
        return f"assumed of the controllers' server.properties, which no log shows: {', '.join(told)}"

    def _source(self, name: str) -> str:
        found = (self.sources or {}).get(name)
        if found is not None:
            return found
        return "what the log writes" if name == MIN_INSYNC and self.min_insync is None else "the default"


def applies(protocol: Protocol) -> bool:
    """Whether static settings decide what a protocol writes."""
    return any(state.name == _UNCLEAN for state in protocol.states)


def static_settings(
    options: Iterable[str] = (), file: Mapping[str, str] | None = None, path: str = ""
) -> StaticSettings:
    """Return the settings of `NAME=VALUE` texts, and of a server.properties at a path; the former go before.

    What the file does not say has Kafka's default. Raises `Refusal` for what is no such setting, or no value of it.
    """
    said: dict[str, str] = {}
    sources: dict[str, str] = {}
    if file is not None:
        said = {name: file[name] for name in NAMES if name in file}
        sources = {name: path if name in said else f"the default, not in {path}" for name in NAMES}
        said.setdefault(MIN_INSYNC, "1")
    for option in options:
        name, equals, value = option.partition("=")
        name = name.strip()
        if not equals or name not in NAMES:
            raise Refusal(f"--static {option}: write NAME=VALUE, where the name is one of {', '.join(NAMES)}")
        said[name], sources[name] = value, "--static"
    unclean, size = said.get(UNCLEAN, "false"), said.get(MIN_INSYNC)
    return StaticSettings(
        _switch(unclean, sources.get(UNCLEAN, "")), None if size is None else _size(size, sources[MIN_INSYNC]), sources
    )


def _switch(text: str, source: str) -> bool:
    plain = text.strip().lower()
    if plain not in ("true", "false"):
        raise Refusal(f"{source}: {UNCLEAN}={text}: write true or false")
    return plain == "true"


def _size(text: str, source: str) -> int:
    plain = text.strip()
    if not re.fullmatch(r"\+?[0-9]{1,12}", plain, re.ASCII) or not 1 <= int(plain) <= _MOST:
        raise Refusal(f"{source}: {MIN_INSYNC}={text}: write a whole number from 1 to {_MOST}")
    return int(plain)
