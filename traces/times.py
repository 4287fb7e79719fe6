"""Times of logs, milliseconds since 1970, as dates of UTC: a damaged or hostile log has some that are no date."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def utc(milliseconds: int) -> datetime | None:
    """Return a time as a date, None for one outside the years 1 to 9999."""
    try:
        return _BEGINNING + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None


__all__ = ["utc"]
