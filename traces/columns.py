"""Columns of an event trace: how each is read from a JSON value, and what is said of one that does not fit."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeVar

T = TypeVar("T")

Reader = Callable[[Any], Any]
"""Turns a JSON value into a field's value; raises `Unfit` with what was expected."""


class Unfit(Exception):
    """A value that is none of its column's."""


def whole(value: Any) -> int:
    """Return a whole number; raises `Unfit`, as all of these do."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unfit("a whole number")
    return value


def text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise Unfit("a text")
    return value


def truth(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise Unfit("true or false")
    return value


def or_null(read: Reader) -> Reader:
    """Return a reader that also takes null."""
    return lambda value: None if value is None else read(value)


def list_of(read: Reader, what: str) -> Reader:
    """Return a reader of lists of something, named by `what` where it is missing."""

    def listed(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Unfit(f"a list of {what}")
        return tuple(read(item) for item in value)

    return listed


numbers, texts = list_of(whole, "whole numbers"), list_of(text, "texts")


def settings(value: Any) -> tuple[tuple[str, str], ...]:
    """Return the settings of a topic, an object or a text written `{key=value, key=value}`, as pairs."""
    if isinstance(value, dict):
        return tuple((text(key), text(one)) for key, one in value.items())
    written = text(value)
    pairs = [pair.split("=", 1) for pair in written.strip("{}").split(", ") if pair]
    if not (written.startswith("{") and written.endswith("}")) or any(len(pair) != 2 for pair in pairs):
        raise Unfit("settings written as {key=value, key=value}")
    return tuple((key, one) for key, one in pairs)


def partition_named(value: Any) -> tuple[str, int]:
    """Return a partition's topic and number, written with a hyphen between them."""
    name, hyphen, number = text(value).rpartition("-")
    if not hyphen or not number.isdigit():
        raise Unfit("partitions written as name-number")
    return name, int(number)


def column(read: Reader, name: str = "", write: Reader | None = None) -> Any:
    """Return a dataclass field that is a column, under another name where one is given.

    `write` makes its JSON value, which otherwise is the value with lists for tuples.
    """
    return field(metadata={"read": read, "name": name, "write": write or plain})


def maybe(read: Reader, name: str = "", write: Reader | None = None) -> Any:
    """Return a dataclass field that is a column which may be null or missing."""
    return field(default=None, metadata={"read": or_null(read), "name": name, "write": or_null(write or plain)})


def plain(value: Any) -> Any:
    """Return a value as JSON has it: tuples as lists."""
    return [plain(one) for one in value] if isinstance(value, tuple) else value


def written(value: Any) -> dict[str, Any]:
    """Return an object's columns as JSON values; those that are null are left out."""
    found = {}
    for one in dataclasses.fields(value):
        if "read" in one.metadata:
            there = one.metadata["write"](getattr(value, one.name))
            if there is not None:
                found[one.metadata["name"] or one.name] = there
    return found


def built(kind: type[T], columns: Mapping[str, Any], **more: Any) -> T:
    """Return an object of a class whose fields are columns; raises `Unfit` where one is missing or unfit."""
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    return kind(**more, **{one.name: read_column(one, columns) for one in fields if "read" in one.metadata})


def read_column(one: dataclasses.Field[Any], columns: Mapping[str, Any]) -> Any:
    """Return the value of a field from its column; raises `Unfit` naming the column."""
    name = one.metadata["name"] or one.name
    value = columns.get(name)
    try:
        return one.metadata["read"](value)
    except Unfit as unfit:
        found = "it is missing" if value is None else f"not {json.dumps(value, default=str)[:60]}"
        inner = str(unfit)
        raise Unfit(
            inner if inner.startswith("the column") else f"the column `{name}` must be {inner}, {found}"
        ) from None
