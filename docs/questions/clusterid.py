"""KIP-1262's ClusterIdRecord (apache/kafka pull request 21632) as edits of KRaft's tables, and four faulty variants."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft.cluster import elr_target, mv_level, static_min, to
from fencepost.model.kraft.cluster_records import ABORT, METADATA_VERSION
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.slices import SLICES
from fencepost.model.kraft.state import LEVEL, f, in_transaction, metadata_version, mv
from fencepost.model.language.effects import Together, flat
from fencepost.model.language.vocabulary import (
    ANY,
    AT_RESULT_BOUNDARIES,
    NONE,
    TRUE,
    Effect,
    Entity,
    Lit,
    Row,
    Term,
    Threshold,
    always,
    any_of,
    cell,
    definition,
    lemma,
    maybe,
    next_,
    none_of,
    only_if,
    present,
    record,
    required,
    some,
    sort,
    step,
    together,
)
from fencepost.model.releases.edits import OfEvent, Other, Redefine, Writing, edited
from fencepost.model.releases.fork import betrayed

LEVEL_OF_IDS = 34
"""The first metadata.version that is in no release of Kafka (4.5-IV0); the pull request has not settled its own."""


class Cluster(Entity):
    """A cluster id: a string, which need not be a UUID."""


CLUSTER = sort(Cluster)
SOURCE = "apache/kafka pull request 21632"
WHY = "the cluster id is in the metadata log (KIP-1262)"

# -- state and records -------------------------------------------------------------------------------------------------
cluster_id = cell("cluster_id", maybe(CLUSTER), NONE, about="the cluster id that the metadata log says")
formatted_id = cell(
    "formatted_id", CLUSTER, ANY, what="fixed", about="cluster.id in meta.properties of the controllers"
)
_id = required("id", CLUSTER, "clusterId")
CLUSTER_ID = record(
    "CLUSTER_ID_RECORD",
    fields=(_id,),
    replay=cluster_id.becomes(some(_id.value)),
    version=Lit(0, LEVEL),
    name="ClusterId",
    source=SOURCE,
    own=True,
)
ABORT_WITH_ID = replace(ABORT, replay=(*ABORT.replay, cluster_id.becomes(none_of(CLUSTER))))


@definition
def supports(at: Term[int]) -> Term[bool]:
    """Whether a level of metadata.version has the record."""
    return at >= LEVEL_OF_IDS


# -- rows --------------------------------------------------------------------------------------------------------------
def formats(row: Row) -> Row:
    """AC1, which writes the id among the features, at whichever place."""
    said = only_if(supports(mv_level), CLUSTER_ID(id=formatted_id))
    effects = (replace(one, body=(*one.body, said)) if isinstance(one, Together) else one for one in row.effects)
    return replace(row, effects_=tuple(effects))


def upgrades(id: Term[Cluster]) -> tuple[Effect, ...]:
    """Return what FE5 writes: the level, and an id in front of it or behind it."""
    return flat(together(METADATA_VERSION(level=to), only_if(supports(to), CLUSTER_ID(id=id))))


EDITS = (
    Writing(ABORT, ABORT_WITH_ID),
    # A log at a lower level must not have the record, so that the way back is closed.
    Redefine("crosses", lambda body: body | supports(mv) & ~supports(to)),
    Other("AC1", formats),
    Other("FE5", lambda row: replace(row, effects_=upgrades(formatted_id))),
    OfEvent("Activate", betrayed(formatted_id, CLUSTER_ID.field("id"))),
    OfEvent("UpdateFeature", betrayed(formatted_id, CLUSTER_ID.field("id"))),
)
CLAIMS = (
    always(
        "CI1",
        present(cluster_id).implies(supports(mv)),
        "Where the metadata.version does not have the record, the log has none.",
        SOURCE,
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "CI2",
        (present(cluster_id) & next_(present(cluster_id))).implies(next_(cluster_id).is_(cluster_id)),
        "The log has one cluster id, which may be written again.",
        SOURCE,
    ),
    always(
        "CI3",
        (supports(mv) & ~in_transaction).implies(present(cluster_id)),
        "Where the metadata.version has the record, the log has one, from the format or the upgrade on.",
        SOURCE,
        scope=AT_RESULT_BOUNDARIES,
    ),
    lemma("CI2l", present(cluster_id).implies(cluster_id.is_(some(formatted_id)))),
)


WITH_IDS = replace(
    KRAFT,
    name="kraft+cluster-id",
    tables=edited(KRAFT.tables, EDITS),
    properties=(*KRAFT.properties, *CLAIMS),
    base=KRAFT,
    why=WHY,
)
"""The whole controller: proved, and compared with logs."""

# -- explored ----------------------------------------------------------------------------------------------------------
_CUT = next(one for one in SLICES if "lower" in one.bounds)
_LOWER = _CUT.bounds["lower"]
_BOUND = replace(
    _LOWER,
    about="metadata.version goes up to the record's level, and back where it may; the log is formatted at any of three",
    sizes={**_LOWER.sizes, "level": LEVEL_OF_IDS, "Cluster": 2},
    given={
        **_LOWER.given,
        "Activate": any_of(*(mv_level.is_(one) for one in (12, LEVEL_OF_IDS - 1, LEVEL_OF_IDS)))
        & elr_target.is_(1)
        & static_min.is_(Threshold(1)),
        "LoseActivation": mv_level.is_(LEVEL_OF_IDS),
        "UpdateFeature": f.is_(metadata_version) & any_of(to.is_(LEVEL_OF_IDS - 1), to.is_(LEVEL_OF_IDS)),
    },
    not_for={},
)
CUT = replace(
    _CUT,
    name="kraft+cluster-id",
    tables=edited(_CUT.tables, EDITS, slice_=True),
    properties=CLAIMS,
    bounds={"upgrade": _BOUND},
    base=_CUT,
    why=WHY,
)
"""Activation and features, at the bound `upgrade`."""

# -- faulty variants ---------------------------------------------------------------------------------------------------
_another = CLUSTER.var("another")
BELOW = CUT.redefine(
    "supports", lambda body: TRUE, rows=("AC1", "FE5"), why="no level is asked", name="kraft+cluster-id-below"
)
"""The record is written at every level."""
FORGOTTEN = CUT.but(
    "FE5",
    effects=METADATA_VERSION(level=to),
    why="the upgrade writes the level alone",
    name="kraft+cluster-id-forgotten",
)
"""The upgrade writes no record."""
ANOTHER = CUT.but(
    "FE5",
    effects=upgrades(_another),
    choose=(_another,),
    why="the upgrade writes an id that the log does not have",
    name="kraft+cluster-id-another",
)
"""The upgrade writes any id."""
REOPENED = CUT.redefine(
    "crosses",
    lambda body: body.terms[0],
    why="the level is not one at which metadata changed its form",
    name="kraft+cluster-id-reopened",
)
"""The level may be lowered below the record's."""
