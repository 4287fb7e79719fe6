"""The documents of one engine's command as a check's document, which reports are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Fields = Mapping[str, Any]

COMMON = ("command", "verdict", "exit_code", "seconds", "version", "table_hash")
"""Fields of a document about itself, which a stage has too."""

BESIDE = ("brokers", "quorums", "events", "written")
"""Results of `conform` beside logs, which its document alone has in full."""


def as_check(document: Fields, protocol: str, places: Fields, texts: Fields) -> dict[str, Any]:
    """Return the document of `prove`, `explore`, `whatif`, `conform` or `mutate` as `check` would have it."""
    made = {"prove": _prove, "explore": _explore, "whatif": _whatif, "conform": _conform, "mutate": _mutate}
    stage, fields, notes = made[document["command"]](document)
    ended = {name: document[name] for name in ("verdict", "exit_code", "seconds")}
    told = {"table_hash": document["table_hash"], "places": places, "texts": texts, stage: {**fields, **ended}}
    return {**{name: document[name] for name in COMMON}, "protocols": {protocol: told}, "notes": notes}


def _prove(document: Fields) -> tuple[str, Fields, list[str]]:
    return "proof", document, []


def _explore(document: Fields) -> tuple[str, Fields, list[str]]:
    return "exploration", document, []


def _whatif(document: Fields) -> tuple[str, Fields, list[str]]:
    """The obligations that an edit touches; the shortest runs that only one of the two designs has."""
    notes = [
        f"{document['asked']} obligations that the edit touches were asked; {document['not_asked']} more read as in "
        f"{document['base']} and were not"
    ]
    runs = []
    for kind in ("gained", "lost"):
        found = [one[kind] for one in document["behaviour"]["bounds"] if one[kind] is not None]
        if found:
            runs.append({"title": f"behaviour {kind}", "trace": min(found, key=lambda one: len(one["steps"]))})
        else:
            notes.append(f"behaviour {kind}: none was found at the bounds that were compared")
    return "proof", {**document["proof"], "hygiene": document["hygiene"], "runs": runs}, notes


def _conform(document: Fields) -> tuple[str, Fields, list[str]]:
    beside = [name for name in BESIDE if document.get(name)]
    notes = [f"not on this page, but in the JSON document: {', '.join(beside)}"] if beside else []
    return "logs", {"logs": document["logs"]}, notes


def _mutate(document: Fields) -> tuple[str, Fields, list[str]]:
    return "mutants", document, list(document["stale"])


__all__ = ["as_check"]
