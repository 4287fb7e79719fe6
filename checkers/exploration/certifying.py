"""Certificates written: every state of a closed exploration, with its counts and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from fencepost.checkers.certificates import Certificate, Numbering, write
from fencepost.checkers.verdicts import Refusal
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.files import whole
from fencepost.model.language import Protocol, Valuation, World

from .lanes import CHUNK
from .layout import Layout
from .result import Exploration
from .store import Store


def states_of(store: Store, layout: Layout) -> Iterator[Valuation]:
    """Yield every state that a search stored."""
    for start in range(0, store.count, CHUNK):
        for row in store.unpacked(start, min(start + CHUNK, store.count)):
            yield layout.valuation(row)


def certify(path: Path, protocol: Protocol, found: Exploration, deadlock: bool, states: Iterable[Valuation]) -> None:
    """Write the certificate of an exploration that saw every state.

    Raises `Refusal` where a stage writes a cell twice, which has no meaning, and for a file that is there already or
    cannot be written.
    """
    claims = {one.id: one.verdict.value for one in found.properties}
    if WRITTEN_ONCE in claims:
        raise Refusal(f"--certificate {path}: a stage writes a cell twice, so that there is no state to certify")
    made = Certificate(
        protocol=found.protocol,
        table_hash=protocol.hash,
        bound=found.bound,
        sizes=dict(found.sizes),
        distinct=found.distinct,
        transitions=found.transitions,
        depth=found.depth,
        fired=dict(found.rows_fired),
        out_of_range=dict(found.out_of_range),
        claims=claims,
        deadlock=deadlock,
    )
    numbering = Numbering(protocol, World.of(found.sizes, protocol.kinds))
    try:
        with whole(path, new=True) as file:
            write(file, made, map(numbering.number, states))
    except FileExistsError as error:
        raise Refusal(f"--certificate {path}: is there already; name another file") from error
    except OSError as error:
        raise Refusal(f"--certificate {path}: {error.strerror}; name another file") from error
