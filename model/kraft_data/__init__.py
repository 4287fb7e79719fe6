"""Replication of one partition of `kraft`: from the controller's decisions to the records in the logs of its brokers.

`controller.py` has the decisions under each partition epoch, `leaders.py`, `followers.py` and `crashes.py` the
brokers' steps. `properties.py` states the theorem, `log_lemmas.py` and `lemmas.py` what its proof needs,
`interface.py` what it assumes of the controller. `any_controller.py` replaces the controller by eight rows;
`late_fetches.py` has fetches of earlier lives;
`refinement.py` maps each row of `kraft` to one of them.
"""

from .protocol import KRAFT_DATA

__all__ = ["KRAFT_DATA"]
