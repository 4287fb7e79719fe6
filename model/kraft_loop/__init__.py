"""The event loop of the KRaft controller: what every node of the quorum does between a request and its committed records.

`raft.py` has what the loop assumes of Raft, `leadership.py` claim, activation and renunciation, `requests.py` the
queue and the writes, `commits.py` what Raft delivers, `steps.py` definitions that rows share. Claims are in
`properties.py` and `answers.py`, claims about runs without end in `liveness.py`, `lemmas.py` has what the proof
needs.
"""

from .protocol import KRAFT_LOOP

__all__ = ["KRAFT_LOOP"]
