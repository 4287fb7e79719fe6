"""The properties of KRaft's tables that SQL does not state, each with the reason."""

from collections.abc import Mapping

_NO_ROW = (
    "It is claimed of a row, in results that this row alone explains. Which row wrote a result is what the tables "
    "tell: to say it in SQL is to write the guards down again."
)
_NO_RECORD = (
    "It is about what no record holds: heartbeats, sessions, offsets that brokers reported, the offset of a "
    "registration that the controller remembers, or requests in flight."
)
_INDEX = (
    "It is about an index in the controller's memory, whose faults are made again from entry to entry: a recursion, "
    "where an entry depends on what the one before it left, and no window."
)
_NOT_YET = "It can be said by the same means, and is not said."

UNSAID: Mapping[str, tuple[str, ...]] = {
    _NO_ROW: (
        "K2", "K4", "K8", "K11", "P10p", "P14", "P16", "P21", "P21r", "P25", "P26", "P28", "P31", "P35", "P35u", "P36",
        "P38", "P39", "P40", "P41", "B1", "B2", "B4", "B6", "B6f", "B6s", "B8", "B9", "B10", "B12", "B13", "B15", "B16",
        "B17", "B20", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C11", "C12", "C13", "C14", "C15", "C16",
        "C17", "C18", "C20", "C21", "C22", "C23", "L11", "L17", "L18", "L22n", "L24", "L25", "L26", "L29", "L11k", "G4",
        "G5", "G6", "G7", "G10", "G11", "G12", "G13", "G14", "G16", "G17", "G18", "G19", "G20", "G21", "G22", "G23",
        "G24", "G25", "G26", "G27", "G28", "G29", "G30", "G31", "G32", "G33", "G34", "G35", "G36", "G37",
    ),
    _NO_RECORD: ("K12", "P29", "B3", "B7", "B11", "B14", "L22"),
    _INDEX: ("P18", "P18d"),
    _NOT_YET: (
        "P6", "P32", "P34", "P37", "K7", "K7c", "C10", "L9", "L20", "L21", "G1", "G2", "G3", "G8", "G9",
        "G15", "MV",
    ),
}  # fmt: skip
"""Ids by the reason. Of B7 a part is in the log; the rest is a session."""
