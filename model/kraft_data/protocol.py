"""`kraft-data` as one protocol; `slices.py` has the bounds at which it is explored."""

from __future__ import annotations

from fencepost.model.language import Protocol, protocol

from .controller import ASSUMED as ASSUMED_OF_CONTROLLER
from .controller import CONTROLLER
from .crashes import ASSUMED as ASSUMED_OF_CRASHES
from .crashes import CRASHES
from .followers import ASSUMED as ASSUMED_OF_FOLLOWERS
from .followers import FOLLOWERS
from .leaders import ASSUMED as ASSUMED_OF_LEADERS
from .leaders import LEADERS, METADATA
from .lemmas import LEMMAS
from .log_lemmas import LOG_LEMMAS
from .more_properties import MORE
from .properties import PROPERTIES

KRAFT_DATA: Protocol = protocol(
    "kraft-data",
    CONTROLLER,
    METADATA,
    LEADERS,
    FOLLOWERS,
    CRASHES,
    properties=(*PROPERTIES, *MORE, *LOG_LEMMAS, *LEMMAS),
    assumptions=(*ASSUMED_OF_CONTROLLER, *ASSUMED_OF_LEADERS, *ASSUMED_OF_CRASHES, *ASSUMED_OF_FOLLOWERS),
    about="Replication of one partition of kraft: a record acknowledged with acks=all survives, short of an unclean election.",
)
