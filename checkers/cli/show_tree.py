"""`fencepost show LOG --at OFFSET --tree PATH`: the content of Kafka's metadata shell at a path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode

from .outcome import Outcome
from .show_state import log_at, own_state, read_past
from .terminal import Unfolded

if TYPE_CHECKING:
    from fencepost.checkers.conformance.explain.tree import Node
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.traces.forks import Fork

TREE_HELP = (
    "With --at: what Kafka's metadata shell shows at this path. A directory lists its names, directories with a slash "
    "at their end; a leaf prints its text; a path that ends in /** lists everything below; * and ? stand for parts of "
    "a name. As in the shell of Kafka 4: /image/{provenance, features, cluster/{brokers, controllers}/ID, "
    "topics/{byName, byId}/TOPIC/N, configs/TYPE:NAME/KEY, clientQuotas, producerIds, acls, scram, delegationToken}, "
    "/local/version; as in KIP-631: /brokers/ID/{registration, isFenced, inControlledShutdown}, /topics/NAME/N/FIELD, "
    "/topicIds/ID/N/FIELD, /features, /configs/{broker, topic}/NAME/KEY, /controllers, /producerIds, /metadataQuorum. "
    "What the records of a fork keep is under its name: /automq/streams/0. Secrets are not printed."
)


def show_tree(
    path: str, offset: int, where: str, static: StaticSettings | None = None, fork: Fork | None = None
) -> Outcome:
    """Return the content of a path of the tree of a log at an offset."""
    from fencepost import __version__
    from fencepost.checkers.conformance.explain.tree import Tree, below, children

    past, table_hash = read_past(log_at(path), offset, static=static, fork=fork)
    tree = Tree(past, __version__)
    own = own_state(past, fork)
    if own is not None:
        tree.add(own.fork.name.lower(), {path: one.value for path, one in own.entries.items()})
    everything = where.rstrip("/").endswith("/**") or where.strip("/") == "**"
    found = tree.find(where.rstrip("/").removesuffix("**") if everything else where)
    fields: dict[str, Any] = {"path": past.log.path, "offset": offset, "tree": where, "notes": list(past.notes)}
    if everything:
        fields["paths"] = [one for here, node in found for one in below(here, node)]
        lines = fields["paths"]
    else:
        fields["nodes"] = [
            {"path": here, "text": node}
            if isinstance(node, str)
            else {"path": here, "children": _listed(node, children)}
            for here, node in found
        ]
        lines = []
        for here, node in found:
            shown = [node] if isinstance(node, str) else _listed(node, children)
            alone = len(found) == 1 and not any(sign in where for sign in "*?")
            lines += shown if alone else [f"{here}:", *(f"  {line}" for one in shown for line in one.split("\n"))]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, [Unfolded(line) for line in lines], table_hash)


def _listed(node: Node, children: Any) -> list[str]:
    assert not isinstance(node, str)
    return [name if isinstance(node[name], str) else f"{name}/" for name in children(node)]
