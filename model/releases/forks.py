"""Forks of Kafka that have tables."""

from __future__ import annotations

from collections.abc import Mapping

from .automq import AUTOMQ_17
from .inkless import INKLESS
from .release import Release

FORKS: Mapping[str, Release] = {one.name: one for one in (AUTOMQ_17, INKLESS)}
"""Forks that have tables, by their names behind kraft@."""
