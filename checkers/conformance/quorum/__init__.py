"""The logs of a quorum's controllers checked together: one committed prefix, one writer an epoch, what they logged.

`members.py` finds the files of a log, `epochs.py` its leaders, `committed.py` what is known to be committed, and by
what. `agreement.py` compares logs, `reported.py` reads the lines of controllers' own logs, `replays.py` compares
snapshots, `voter_changes.py` checks the voters that logs name.
"""

from .judge import judge_quorum
from .results import QuorumResult, QuorumViolation, Tail

__all__ = ["QuorumResult", "QuorumViolation", "Tail", "judge_quorum"]
