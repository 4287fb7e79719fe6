"""Recordings of ZooKeeper-era clusters checked against the tables: state-change.log, alone or with znode histories.

No log has all of the state: there are the lines of processes (`state-change.log`) and the history of ZooKeeper's
znodes. `traces.zk` sorts the lines into terms of controllers; `history.py` finds the term of each write,
`term_lines.py` the write of each line. `znodes.py` walks the history in zxid order, `terms.py` the lines before each
write; both make an `Observation`: an event, the known parameters, the cells around it. `rows.py` finds the rows that
explain it, `checker.py` applies its changes and evaluates properties, `brokers.py` checks each broker's own lines.
Inferred state is counted. `facts.py` lists the rows that leave neither line nor znode.
"""

from .judge import ZkJudge, conform_recordings
from .results import ZkResult

__all__ = ["ZkJudge", "ZkResult", "conform_recordings"]
