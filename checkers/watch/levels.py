"""The feature levels of a release, read off the enumerations that declare them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .bytecode import Method, classes_below, methods

_PACKAGE: Final = "org/apache/kafka/server/common"
_NUMBER: Final = re.compile(r"^(?:iconst_|bipush +|sipush +)(m?\d+)$")
_TEXT: Final = re.compile(r"^ldc +// String (.*)$")
_FIELD: Final = re.compile(r"^(getstatic|putstatic) +// Field (?:[\w/$]+\.)?(\w+):")


@dataclass(frozen=True)
class Feature:
    """A feature by the enumeration that declares it: its levels by name, and the newest one meant for production."""

    name: str
    levels: Mapping[str, int]
    production: str


def features(jars: Mapping[str, Path]) -> dict[str, Feature]:
    """Return the features of a release by the names of their enumerations.

    Raises `Refusal` where their classes cannot be read.
    """
    jar = jars["kafka-server-common"]
    named = {one[-1].rpartition("/")[2]: one[-1] for one in classes_below(jar, _PACKAGE).values()}
    read = methods(jar, [path for name, path in named.items() if name.endswith("Version")])
    found = {}
    for path, some in read.items():
        name = path.rpartition("/")[2]
        if "featureLevel" in some and "<clinit>" in some:
            found[name] = Feature(name, dict(_levels(some["<clinit>"])), _production(some["<clinit>"]))
    return {name: one for name, one in found.items() if one.levels}


def _levels(made: Method) -> Iterator[tuple[str, int]]:
    """Yield the values of an enumeration, each with its level: the second number of what makes it, behind its place."""
    texts, numbers = list[str](), list[int]()
    for line in made.lines:
        if line.startswith("new "):
            texts, numbers = [], []
        number, text = _NUMBER.match(line), _TEXT.match(line)
        if number:
            numbers.append(-1 if number[1] == "m1" else int(number[1]))
        elif text:
            texts.append(text[1])
        elif line.startswith("putstatic ") and texts and len(numbers) > 1:
            yield texts[0], numbers[1]
            texts, numbers = [], []


def _production(made: Method) -> str:
    """Return the value that is assigned to LATEST_PRODUCTION, empty for none."""
    last = ""
    for line in made.lines:
        field = _FIELD.match(line)
        if field and field[1] == "putstatic" and field[2] == "LATEST_PRODUCTION":
            return last
        last = field[2] if field else ""
    return ""


def differences(old: Mapping[str, Feature], new: Mapping[str, Feature]) -> Iterator[str]:
    """Yield a line for each feature and level that two releases do not have alike."""
    for name in sorted(old.keys() | new.keys()):
        if name not in old:
            yield f"{name} is new, levels {', '.join(new[name].levels)}"
        elif name not in new:
            yield f"{name} is gone"
        else:
            before, after = old[name], new[name]
            for level in dict.fromkeys((*before.levels, *after.levels)):
                if level not in before.levels:
                    yield f"{name}: {level} ({after.levels[level]}) is new"
                elif level not in after.levels:
                    yield f"{name}: {level} ({before.levels[level]}) is gone"
                elif before.levels[level] != after.levels[level]:
                    yield f"{name}: {level} was {before.levels[level]} and is {after.levels[level]}"
            if before.production != after.production:
                yield f"{name}: for production was {before.production or 'none'} and is {after.production or 'none'}"
