"""Ways in which controllers would spoil what the tables of `kraft` promise, each of which only the composed whole shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fencepost.model.kraft.state import Contact
from fencepost.model.kraft_loop.state import n
from fencepost.model.kraft_whole.lifting import HARD
from fencepost.model.kraft_whole.state import on_node, pending, sets, soft_on
from fencepost.model.language import Protocol, Term
from fencepost.model.language.effects import Assign, Every
from fencepost.model.language.state import State
from fencepost.model.language.walk import without

from .entry import Entry, Expected

_RENOUNCES = ("QK3", "QK4")
_fenced, _isr, _leader, *_epochs = (on_node.of[one] for one in HARD)
_contact = next(one for one in soft_on.values() if one.name == "node_contact")


def _keeps(base: Protocol, why: str, *states: State[object]) -> Protocol:
    """Return a variant in which a node that renounces leaves some variables as they are."""
    for id in _RENOUNCES:
        base = base.but(id, effects=without(base.row(id).effects, frozenset(states)), why=why)
    return base


def reverts_but_the_fence(base: Protocol) -> Protocol:
    """A revert keeps who is fenced."""
    return _keeps(base, "who is fenced is kept in a plain map", _fenced)


def reverts_but_the_partition(base: Protocol) -> Protocol:
    """A revert takes back the fence and keeps what became of the partition."""
    return _keeps(base, "partitions are kept in plain maps", _isr, _leader, *_epochs)


def goes_on_with_half_a_result(base: Protocol) -> Protocol:
    """A node that renounces keeps what it has not written of its result, and writes that when it leads again."""
    return _keeps(base, "what is left of a result is not dropped", *(one for slot in pending for one in slot.cells()))


def fences_first(base: Protocol) -> Protocol:
    """The fence is the first record of its result: the whole of it does the same."""
    first, second = (slot.cells() for slot in pending)
    other = dict(zip((*first, *second), (*second, *first), strict=True))
    swapped = tuple(
        sets(other[one.target.state].at(*one.target.keys), one.value)
        if isinstance(one, Assign) and one.target.state in other
        else one
        for one in base.row("F1").effects
    )
    return base.but("F1", effects=swapped, why="the broker is fenced before its partitions move")


def replays_with_contacts(base: Protocol) -> Protocol:
    """A standby replays a fence for brokers of which it has an expired session only: it has no sessions."""
    row = base.row("QC2f")
    changed = tuple(
        replace(one, when=one.when & soft_on_contact(one).is_(Contact.EXPIRED))
        if isinstance(one, Every) and isinstance(one.body[0], Assign) and one.body[0].target.state is _fenced
        else one
        for one in row.effects
    )
    return base.but("QC2f", effects=changed, why="replaying a fence looks at the broker's session")


def soft_on_contact(effect: Every) -> Term[Contact]:
    """Return the session of the broker that an update of every broker is about."""
    return _contact.at(n, effect.var)


def claims_without_sessions(base: Protocol) -> Protocol:
    """A new controller begins without the sessions of unfenced brokers."""
    return base.but(
        "QK1", effects=without(base.row("QK1").effects, frozenset((_contact,))), why="the tracker begins empty"
    )


def _entry(
    name: str,
    edit: Callable[[Protocol], Protocol],
    known_as: str,
    why: str,
    length: int,
    row: str,
    broken: str,
    bound: str = "cut-fence",
) -> Entry:
    """Return what must not be, with the shortest run that shows it."""
    return Entry(name, "kraft-whole", known_as, why, edit, (Expected(broken, length, bound, row=row),))


KRAFT_WHOLE_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "reverts-but-the-fence", reverts_but_the_fence, "S3:171",
        "A revert keeps that a broker is fenced, though no log says so: no node fences it any more.",
        9, "QK4", "DW3",
    ),
    _entry(
        "reverts-but-the-partition", reverts_but_the_partition, "S3:171",
        "Half a fence is taken back, and the partition stays moved: its epochs run ahead of the log.",
        8, "QK4", "DW3",
    ),
    _entry(
        "goes-on-with-half-a-result", goes_on_with_half_a_result, "S3:171",
        "The second half of a fence is written by a controller whose state does not have the first: a fenced broker leads.",
        13, "QW12f", "P7rn",
    ),
    _entry(
        "fences-first", fences_first, "S3:222-224",
        "The fence is written before the partitions move: half of it leaves a fenced leader, although the whole result does not.",
        8, "QR3", "P7c",
    ),
    _entry(
        "replays-with-contacts", replays_with_contacts, "S3:323",
        "Replaying a fence looks at the session: a standby has none, so that its state is not that of the log.",
        12, "QC2f", "DW1",
    ),
    _entry(
        "claims-without-sessions", claims_without_sessions, "KAFKA-18138",
        "A new controller knows of no session of an unfenced broker: one that has died is never fenced.",
        4, "QA5", "B11a",
    ),
)  # fmt: skip
