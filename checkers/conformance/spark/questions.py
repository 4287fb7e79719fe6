"""The query about a log, and a hash of its bytes: a checked log need not be checked again for the same answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any

from fencepost.checkers.conformance.many import Job
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES, find
from fencepost.traces import LogSource, TraceError
from fencepost.traces.storage import base_name, join, kind_of, list_directory, open_file

from .versions import here


@dataclass(frozen=True, slots=True)
class KeptJob(Job[Any]):
    """A log whose answer is kept: `question` is a hash of the query, `attempt` counts how often the run was begun.

    `known` is the hash of the question and of what the log holds, where the driver has it.
    """

    question: str = ""
    attempt: int = 1
    known: str | None = None


def kept_columns(job: Job[Any]) -> dict[str, Any]:
    """Return the columns of a log that decide whether it is checked again; both null where no answer is kept."""
    if not isinstance(job, KeptJob):
        return {"hash": None, "attempt": None}
    return {"hash": job.known or content_hash(job), "attempt": job.attempt}


def content_hash(job: KeptJob) -> str | None:
    """Return a hash of the question, and of the names and bytes of a log's files; None where one cannot be read."""
    found = hashlib.sha256(job.question.encode())
    try:
        for name, path in _files(job.source):
            with open_file(path) as stream:
                found.update(f"\n{name} {hashlib.file_digest(stream, 'sha256').hexdigest()}".encode())
    except (TraceError, OSError, EOFError):
        return None
    return found.hexdigest()


def _files(source: Any) -> Iterator[tuple[str, str]]:
    """Yield the files of a log, or those below a path, with names that distinguish them."""
    if isinstance(source, LogSource):
        if source.unreadable:
            raise TraceError(source.unreadable)
        yield from ((base_name(path), path) for path in (*source.segments, *source.snapshots))
    elif kind_of(str(source)) == "directory":
        found = list_directory(str(source))
        yield from ((name, join(str(source), name)) for name in found.files)
        for folder in found.directories:
            yield from ((f"{folder}/{name}", path) for name, path in _files(join(str(source), folder)))
    else:
        yield base_name(str(source)), str(source)


def question_hash(maker: Callable[..., Any], given: tuple[Any, ...]) -> str:
    """Return a hash of the query: the checker and its options, the version of the package, and all tables, as a trace
    itself may name those that it is checked by."""
    hashes = [find(name).whole.hash for name in FAMILIES]
    return hashlib.sha256("\n".join((*here(), *hashes, told((maker, given)))).encode()).hexdigest()


def told(value: Any) -> str:
    """Return a text of a value that is the same in every process, and wherever the package lies: protocols give their
    name and the tables' hash, dataclasses the fields by which they are compared.

    >>> told({"b": frozenset({2, 1}), "a": (None, "x")})
    "{'a': [None, 'x'], 'b': {1, 2}}"
    """
    if isinstance(value, Protocol):
        return f"{value.name}@{value.hash}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{told(name)}: {told(one)}" for name, one in value.items())) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(told, value))) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(told, value)) + "]"
    if isinstance(value, partial):
        return told((value.func, value.args, value.keywords))
    if is_dataclass(value) and not isinstance(value, type):
        compared = {one.name: getattr(value, one.name) for one in fields(value) if one.compare}
        return f"{type(value).__name__}{told(compared)}"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)
