"""Feature levels that a release is formatted with: its metadata.version, and the first level of each other feature."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fencepost.reference.kraft.levels import (
    ELR_BY_DEFAULT,
    ELR_RECORDS,
    ELR_VERSION,
    KRAFT_VERSION,
    LATEST_PRODUCTION,
    LEVELS,
    METADATA_VERSION,
    MINIMUM,
    NAMES,
    SUPPORTED_FEATURES,
)

from .errors import StorageError

_RELEASE = re.compile(r"(\d+\.\d+)(?:\.\d+)*")
_FEATURE = re.compile(r"([^=]+)=(-?\d+)", re.ASCII)

DEFAULTS: Mapping[str, Sequence[tuple[int, int]]] = {
    ELR_VERSION: ((ELR_BY_DEFAULT, 1),),
    "group.version": ((LEVELS["4.0-IV0"], 1),),
    "share.version": ((LEVELS["4.2-IV0"], 1), (LEVELS["4.4-IV0"], 2)),
    "streams.version": ((LEVELS["4.2-IV1"], 1),),
    "transaction.version": ((LEVELS["4.0-IV2"], 2),),
}
"""For each feature, (metadata.version, level) from the lowest on: formatted at that version or above, it begins there.

Source: what `kafka-storage version-mapping` of 4.4.0 prints for every release."""


def release_level(text: str) -> int:
    """Return the metadata.version of `--release-version`: a name (3.7-IV2), or a release (4.3, 4.4.0): its highest.

    Raises StorageError for one that Kafka 4.4 does not format with.
    """
    if MINIMUM <= LEVELS.get(text, 0) <= LATEST_PRODUCTION:
        return LEVELS[text]
    matched = _RELEASE.fullmatch(text)
    if matched:
        fits = [LEVELS[name] for name in LEVELS if name.startswith(f"{matched[1]}-")]
        fits = [level for level in fits if MINIMUM <= level <= LATEST_PRODUCTION]
        if fits:
            return max(fits)
    raise StorageError(
        f"--release-version {text}: Kafka 4.4 formats with {NAMES[MINIMUM]} to {NAMES[LATEST_PRODUCTION]}: "
        "write a name like 3.7-IV2 or a release like 4.3"
    )


def default_level(feature: str, metadata_version: int) -> int:
    """Return the level that a feature begins at where a cluster is formatted with a metadata.version."""
    fits = [level for since, level in DEFAULTS[feature] if since <= metadata_version]
    return fits[-1] if fits else 0


def parse_features(texts: Sequence[str]) -> dict[str, int]:
    """Return the levels that `--feature NAME=LEVEL` asks for, the last of equal names; raises StorageError."""
    found: dict[str, int] = {}
    for text in texts:
        matched = _FEATURE.fullmatch(text.strip())
        if matched is None:
            raise StorageError(f"--feature {text}: write NAME=LEVEL, for example group.version=1")
        found[matched[1].strip()] = int(matched[2])
    return found


def effective_levels(release: int | None, asked: Mapping[str, int], is_dynamic: bool) -> dict[str, int]:
    """Return the level of every feature, metadata.version and kraft.version too, in the order of their names.

    `release` is that of `--release-version` or None, `asked` is what `--feature` says, `is_dynamic` whether the quorum
    is (no voters in the configuration). Raises StorageError for a feature or level that is none, or that does not go
    with the rest. Source: Formatter.calculateEffectiveFeatureLevels.
    """
    for name, level in asked.items():
        _check(name, level)
    if METADATA_VERSION in asked and release is not None:
        raise StorageError("--release-version and --feature metadata.version say the same thing: give one of them")
    version = asked.get(METADATA_VERSION, LATEST_PRODUCTION if release is None else release)
    levels = {name: asked.get(name, default_level(name, version)) for name in DEFAULTS}
    levels[METADATA_VERSION] = version
    levels[KRAFT_VERSION] = asked.get(KRAFT_VERSION, 1 if is_dynamic else 0)
    if levels[KRAFT_VERSION] != (1 if is_dynamic else 0):
        reason = "leaves controller.quorum.voters empty" if is_dynamic else "has voters in controller.quorum.voters"
        raise StorageError(
            f"--feature kraft.version={levels[KRAFT_VERSION]} does not go with a configuration that {reason}: "
            "leave the feature out"
        )
    if levels[ELR_VERSION] > 0 and version < ELR_RECORDS:
        raise StorageError(
            f"--feature {ELR_VERSION}={levels[ELR_VERSION]} needs metadata.version {NAMES[ELR_RECORDS]} or later, "
            f"and the cluster is to be formatted with {NAMES[version]}"
        )
    return {name: levels[name] for name in sorted(levels)}


def _check(name: str, level: int) -> None:
    if name not in SUPPORTED_FEATURES:
        raise StorageError(
            f"--feature {name}: there is no such feature; there are {', '.join(sorted(SUPPORTED_FEATURES))}"
        )
    lowest, highest = SUPPORTED_FEATURES[name]
    if not lowest <= level <= highest:
        raise StorageError(f"--feature {name}={level}: levels {lowest} to {highest} are known")
