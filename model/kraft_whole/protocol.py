"""`kraft-whole`: rows of `kraft` as what controllers of `kraft-loop` write, over one Raft log; `slices.py` has its bounds."""

from __future__ import annotations

from fencepost.model.kraft_loop.state import n, transactions
from fencepost.model.language import Protocol, forall, protocol

from .properties import PROPERTIES, same
from .rows import DOMAIN, LOOP_TABLES
from .state import at_start, on_node

START = ~transactions & forall(n, same(on_node.at(n), at_start.at()))
KRAFT_WHOLE: Protocol = protocol(
    "kraft-whole",
    *LOOP_TABLES,
    DOMAIN,
    properties=PROPERTIES,
    start=START,
    ends=True,
    about="Two brokers and one partition on controllers with a Raft log: results are cut in the middle, and reverted.",
)
