"""Stories of corners: what takes several rare things one after the other, put to one controller."""

from fencepost.reference.kraft import messages as m

from .watched import Watched


def _manual(node: Watched, name: str, *replicas: int, **configs: str) -> None:
    """Create a topic of one partition with these replicas."""
    keys = {"unclean": "unclean.leader.election.enable"}
    pairs = tuple((keys[key], value) for key, value in configs.items())
    node.ask(m.CreateTopicsRequest(topics=(m.TopicRequest(name, assignments=((0, replicas),), configs=pairs),)))


def _begun() -> Watched:
    node = Watched()
    node.lead()
    for broker in (1, 2, 3, 4):
        node.start(broker)
        node.heartbeat(broker)
    node.all_beat()
    return node


def cancelled() -> Watched:
    """A reassignment with only the added replica in sync is cancelled, refused first; a replica's directory is gone."""
    node = _begun()
    _manual(node, "m", 1, 2)
    node.reassign("m", 0, (3, 4))
    node.propose("m", 0, (1, 2, 3))
    node.assign(2, 9, "m", 0)
    node.heartbeat(4, offline_log_dirs=(f"{4:011d}{9:011d}",))
    for broker in (1, 2):
        node.heartbeat(broker, want_fence=True)
    node.reassign("m", 0, None)
    node.configure(m.TOPIC_RESOURCE, "m", "unclean.leader.election.enable", "true")
    node.reassign("m", 0, None)
    return node


def unhosted() -> Watched:
    """A new controller finds a broker in controlled shutdown as the only one that is not fenced, and places there."""
    node = _begun()
    _manual(node, "one", 1)
    _manual(node, "led", 2, 1)
    node.heartbeat(2, want_shut_down=True)
    for broker in (1, 3, 4):
        node.heartbeat(broker, want_fence=True)
    node.lose()
    node.lead()
    node.create("two", 1, 1)
    node.ask(m.CreatePartitionsRequest(topics=(m.PartitionsRequest("one", 2),)))
    return node


def haunted(stays_fenced: bool = False) -> Watched:
    """A directory fails that an index still names a deleted partition in (D5), of a broker that is to be unfenced."""
    node = _begun()
    _manual(node, "s", 1)
    node.heartbeat(1, want_fence=True)
    node.ask(m.DeleteTopicsRequest(topic_ids=(node.topic_id("s"),)))
    node.heartbeat(1, want_fence=stays_fenced, offline_log_dirs=(f"{1:011d}{1:011d}",))
    return node


def haunted_alone() -> Watched:
    """The same of a broker that stays fenced: the heartbeat has no other part."""
    return haunted(stays_fenced=True)


def own_node() -> Watched:
    """What the controller's own node is configured as decides who is elected, and a broker's decides nothing (D31)."""
    node, key = _begun(), "unclean.leader.election.enable"
    _manual(node, "m", 1, 2)
    node.propose("m", 0, (1, 2))
    for broker in (1, 2):
        node.heartbeat(broker, want_fence=True)
    for name, value in (("3000", "x" * 40_000), ("3001", "true"), ("1", "true"), ("3000", "false"), ("", "true")):
        node.configure(m.BROKER_RESOURCE, name, key, value)
    node.heartbeat(1)
    node.ask(m.IncrementalAlterConfigsRequest(resources=(_change("3000", key, "true"),), validate_only=True))
    node.configure(m.BROKER_RESOURCE, "", key, "false")
    node.configure(m.BROKER_RESOURCE, "3000", key, "true")
    node.heartbeat(1, want_fence=True)
    node.heartbeat(1)
    node.ask(m.LegacyAlterConfigsRequest(resources=((m.ConfigResource(m.BROKER_RESOURCE, "3000"), ()),)))
    return node


def _change(node: str, key: str, value: str) -> m.ConfigChanges:
    return m.ConfigChanges(m.ConfigResource(m.BROKER_RESOURCE, node), ((key, m.SET, value),))


def uneven() -> Watched:
    """Partitions with other numbers of replicas: a hash table decides which of them says how many a new one gets."""
    node = _begun()
    for count in range(2, 7):
        for other in range(count):
            name = f"t{count}{other}"
            topic = m.TopicRequest(name, assignments=tuple((p, (1, 2)) for p in range(count)))
            node.ask(m.CreateTopicsRequest(topics=(topic,)))
            node.reassign(name, other, (1,))
            for placed in ((3, 4), (3,)):
                node.ask(m.CreatePartitionsRequest(topics=(m.PartitionsRequest(name, count + 1, (placed,)),)))
            node.ask(m.CreatePartitionsRequest(topics=(m.PartitionsRequest(name, count + 3),)))
    return node


CORNERS = (cancelled, unhosted, haunted, haunted_alone, own_node, uneven)
