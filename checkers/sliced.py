"""An edit of a row carried over to the slices of its protocol, whose rows may be simpler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fencepost.model.language import Row
from fencepost.model.language.fingerprint import Digest
from fencepost.model.language.walk import without


def like(change: Callable[[Row], Row | None], whole: Row, part: Row) -> Row | None:
    """Return a slice's row with the change that is made of the whole's; None where the slice has another row.

    A slice may forget variables: then the changed row forgets them too.
    """
    if part is whole or (_spelt(part) == _spelt(whole)):
        return change(whole)
    forgotten = _written(whole) - _written(part)
    if part.when is not whole.when or _spelt(replace(whole, effects_=without(whole.effects, forgotten))) != _spelt(
        part
    ):
        return None
    other = change(whole)
    return None if other is None else replace(other, effects_=without(other.effects, forgotten))


def _spelt(row: Row) -> tuple[Any, ...]:
    digest = Digest()
    return row.when, digest.of(row.stages), row.say, row.throws


def _written(row: Row) -> frozenset[Any]:
    return frozenset(update.target.state for stage in row.stages for update in stage.updates)


__all__ = ["like"]
