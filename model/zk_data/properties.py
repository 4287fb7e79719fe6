"""The theorem of `kraft-data`, word for word, with the brokers that may come to lead in the ZooKeeper era."""

from __future__ import annotations

from fencepost.model.kraft_data.properties import CLAIMS as KRAFT_CLAIMS
from fencepost.model.kraft_data.properties import WITNESSES
from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.kraft_data.state import b, crashed, e, has, high_watermark, o
from fencepost.model.language import Always, Sometimes, Step, Term, always, step

from .state import candidate

_CANDIDATES: tuple[str, Term[bool], str, str] = (
    "CandidatesHaveAcknowledged",
    for_all(b, e, o, (candidate(b, e) & ~crashed[b] & (o < high_watermark[e])).implies(has(b, e, o))),
    "A broker that runs and is in the ISR, or has been elected and was not told yet, has every record that was acknowledged.",
    "KIP-101",
)
CLAIMS: tuple[tuple[str, Term[bool], str, str], ...] = tuple(
    _CANDIDATES if one[0] == _CANDIDATES[0] else one for one in KRAFT_CLAIMS
)
THEOREM: tuple[Step, ...] = tuple(step(id, term, about, source) for id, term, about, source in CLAIMS)
STATES: tuple[Always, ...] = tuple(always(id, term, about, source) for id, term, about, source in CLAIMS)
"""The same claims of every state, as exploration asks them."""
PROPERTIES: tuple[Step | Sometimes, ...] = (*THEOREM, *WITNESSES)
