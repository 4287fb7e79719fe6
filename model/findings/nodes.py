"""The finding about nodes: the configuration of the active controller's own node decides unclean elections (D31)."""

from __future__ import annotations

from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.brokers import FENCING, HEARTBEAT, REGISTRATION, want_down, want_fence
from fencepost.model.kraft.configurations import CONFIGURATIONS, SEVERAL, elr_forbids, node_asked, permitted, valid
from fencepost.model.kraft.state import NAME, allows_unclean, live, node_unclean, t
from fencepost.model.kraft.topics import TOPICS
from fencepost.model.language.vocabulary import *

from .finding import Finding

n = NAME.var("n")
UNSET: Always = always(
    "D31n",
    forall(n, absent(node_unclean[n])),
    "No node has an unclean.leader.election.enable of its own.",
    "ConfigurationControlManager.incrementalAlterConfigs",
)
"""Claim that the repaired rows keep: topics have the cluster's value under every controller."""


def _d31(base: Protocol) -> Protocol:
    why = "a node's unclean.leader.election.enable is refused, as its min.insync.replicas is with eligible leader replicas"
    edited = base.but("CF28", effects=(), say=Error.INVALID_CONFIG, why=why)
    if any(table.name == SEVERAL.name for table in edited.tables):
        refused = elr_forbids | exists(n, node_asked[n])
        edited = edited.but("CM1", when=~refused, why=why).but("CM2", when=refused, why=why)
    return edited.claiming(UNSET)


NODES: tuple[Finding, ...] = (
    Finding(
        "D31",
        "The configuration of the active controller's own node decides unclean elections",
        step(
            "D31",
            forall(t, live[t].implies(next_(allows_unclean(t)).is_(allows_unclean(t)))),
            "Two controllers that have the same log elect alike: a failover does not change which topics may get an unclean "
            "leader.",
            "ConfigurationControlManager.currentControllerConfig",
            AT_RESULT_BOUNDARIES,
            rows=("FO1",),
        ),
        (REGISTRATION.name, HEARTBEAT.name, TOPICS.name, CONFIGURATIONS.name, FENCING.name),
        ("R1", "HB2", "CT3", "CF28", "FO1"),
        _d31,
        ("FO1",),
        keeps=(UNSET,),
        sizes={"Name": 2},
        given={
            "Heartbeat": ~want_fence & ~want_down,
            "AlterTopicMinInsync": FALSE,
            "AlterTopicUnclean": FALSE,
            "AlterClusterMinInsync": FALSE,
            "AlterClusterUnclean": FALSE,
            "AlterNodeUnclean": valid & permitted,
            "AlterConfig": FALSE,
        },
    ),
)
