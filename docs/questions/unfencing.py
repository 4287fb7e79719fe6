"""KRaft without the rule that a broker catches up before it is unfenced: a variant for `fencepost whatif`."""

from __future__ import annotations

from fencepost.model.kraft.brokers import caught_up
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import TRUE
from fencepost.model.language.walk import rewrite

WHY = "a broker is unfenced as soon as it asks, however far its log of metadata has come"
AT_ONCE = KRAFT
for _id in ("HB2", "HB2t", "HB3"):
    _when = rewrite(KRAFT.row(_id).when, lambda node: TRUE if node is caught_up else None)
    AT_ONCE = AT_ONCE.but(_id, when=_when, why=WHY, name="kraft+at-once")
