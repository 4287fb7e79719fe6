"""The ZooKeeper-era controller (S4, and Kafka 3.9): two state machines, the operations that call them, ZooKeeper below.

`partitions.py` and `replicas.py` are the state machines; `operations.py`, `reassignment.py`, `deletion.py` and
`alter.py` call them, by the calls of `calls.py`. `sessions.py` and `znodes.py` have ZooKeeper, `requests.py` the
brokers' side, `twelve_steps.py` the reassignment of the page. Claims are in `properties.py`, `written.py`,
`answers.py`, `beginnings.py`, `phases.py`, `messages.py` and `liveness.py`; `lemmas.py` has what only induction
needs.
"""

from .protocol import ZK

__all__ = ["ZK"]
