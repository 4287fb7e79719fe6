"""The levels of metadata.version by name: the tables ask what a level allows, this only numbers them."""

from __future__ import annotations

_NAMES = """
3.0-IV1 3.1-IV0 3.2-IV0 3.3-IV0 3.3-IV1 3.3-IV2 3.3-IV3 3.4-IV0 3.5-IV0 3.5-IV1 3.5-IV2 3.6-IV0 3.6-IV1 3.6-IV2
3.7-IV0 3.7-IV1 3.7-IV2 3.7-IV3 3.7-IV4 3.8-IV0 3.9-IV0 4.0-IV0 4.0-IV1 4.0-IV2 4.0-IV3 4.1-IV0 4.1-IV1 4.2-IV0
4.2-IV1 4.3-IV0 4.4-IV0 4.4-IV1 4.4-IV2 4.5-IV0
"""

METADATA_VERSION_LEVELS: dict[str, int] = {name: level for level, name in enumerate(_NAMES.split(), start=1)}

NAMES_OF_LEVELS: dict[int, str] = {level: name for name, level in METADATA_VERSION_LEVELS.items()}
