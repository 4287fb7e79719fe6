"""Elections in KRaft: asked for, and by the controller itself."""

from __future__ import annotations

from fencepost.model.language import absent, event, head, let, literal, present, table, when

from .answers import Error
from .builder import Election, change, writes
from .state import allows_unclean, electable, exists_, isr, leader, p, replicas, topic

_PREFERRED, _UNCLEAN = literal(Election.PREFERRED), literal(Election.UNCLEAN)
led_by_first = let("led_by_preferred", present(leader[p]) & head(replicas[p]).is_(leader[p]))
prefer = change(p, isr[p], electable(p), election=_PREFERRED)
force = change(p, isr[p], electable(p), election=_UNCLEAN)


elect = event("ElectPreferred", p, source="S3:268-276", code="ReplicationControlManager.electLeaders")
elect_unclean = event("ElectUnclean", p, source="S3:268-276", code="ReplicationControlManager.electLeaders")
balance = event(
    "Balance", p, environment=True, source="S3:268-276", code="ReplicationControlManager.maybeBalancePartitionLeaders"
)
rescue = event(
    "Rescue", p, environment=True, source="S3:268-276", code="ReplicationControlManager.maybeElectUncleanLeaders"
)
ELECTIONS = table(
    "elections",
    elect("EL1", ~exists_[p], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    elect("EL2", exists_[p] & led_by_first, say=Error.ELECTION_NOT_NEEDED),
    elect("EL3", exists_[p] & ~led_by_first, prefer,
          say=when(writes(p, _PREFERRED), literal(Error.NONE), literal(Error.PREFERRED_LEADER_NOT_AVAILABLE))),
    elect_unclean("EU1", ~exists_[p], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    elect_unclean("EU2", exists_[p] & present(leader[p]), say=Error.ELECTION_NOT_NEEDED),
    elect_unclean("EU3", exists_[p] & absent(leader[p]), force,
                  say=when(writes(p, _UNCLEAN), literal(Error.NONE), literal(Error.ELIGIBLE_LEADERS_NOT_AVAILABLE))),
    balance("BA1", exists_[p] & ~led_by_first, prefer),
    rescue("UE1", exists_[p] & absent(leader[p]) & allows_unclean(topic[p]), force),
    total=True,
    about="A request asks for the preferred leader or for any, or the controller looks after both by itself.",
    why={
        "EL3": "A leaderless partition may get another leader than the preferred one (D18).",
        "EU3": "A request for an unclean election elects one, whatever the topic's configuration allows.",
        "UE1": "Every five minutes, where topic, node, cluster or server.properties, in this order, allow unclean leaders (D31).",
    },
)  # fmt: skip
