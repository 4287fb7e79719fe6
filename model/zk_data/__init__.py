"""Replication of one partition in the ZooKeeper era: leader, leader epoch and ISR in a znode, which controllers and leaders write.

`controller.py` has what is written into the znode, `brokers.py` the brokers' steps, by rows of `kraft_data`.
`properties.py` states the theorem, `lemmas.py` what its proof needs; `interface.py` has what other designs keep of
its assumptions about a controller.
"""

from .protocol import ZK_DATA

__all__ = ["ZK_DATA"]
