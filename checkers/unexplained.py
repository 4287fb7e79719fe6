"""How it is said that no row explains something, or applies: the name of the rule, and the sentences."""

from __future__ import annotations

UNEXPLAINED = "unexplained"
"""The rule of a violation that is no property's: no row explains what was recorded, or two recordings contradict."""

NO_ROW = "no row explains"
"""The words for it, in front of what is not explained."""


def no_row_explains(what: str) -> str:
    """Return a sentence's beginning: that no row explains something."""
    return sentence(f"{NO_ROW} {what}")


def head(protocol: str, where: str) -> str:
    """Return the first line of a screen: by which tables it is not explained, and what."""
    return f"{protocol}: {NO_ROW} {where}"


def no_row_applies(request: str) -> str:
    """Return the sentence about a request that no row decides."""
    return f"No row of the tables applies to this {request}."


def no_row_of(event: str) -> str:
    """Return the words for an event that no row takes in the state at hand."""
    return f"no row of {event} applies"


def sentence(words: str) -> str:
    """Return words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]
