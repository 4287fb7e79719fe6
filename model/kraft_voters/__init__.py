"""The voters of the controller quorum as state: elections and commits by majorities of the voters that the log has.

`raft.py` has elections, replication and the high watermark, `changes.py` AddRaftVoter, RemoveRaftVoter, UpdateRaftVoter, the
upgrade of kraft.version and auto-join. Claims are in `properties.py`, `lemmas.py` has what the proof needs, `slices.py` the
bounds, at which the assumptions of the proof are claims.
"""

from .protocol import KRAFT_VOTERS

__all__ = ["KRAFT_VOTERS"]
