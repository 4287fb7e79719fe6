"""The events of a metadata log between two moments."""

from __future__ import annotations

import os
from collections.abc import Iterable

from fencepost.checkers.conformance.printed_rows.stored import save, use
from fencepost.checkers.operations.about import about_of
from fencepost.checkers.operations.moments import END, When, moment, require_order, when, whole
from fencepost.checkers.operations.story import ASKED
from fencepost.checkers.operations.story import story as story_of
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces.forks import Fork
from fencepost.traces.zk_recordings import names_a_recording

from .answers import Story
from .given import Log, Static, fork_given, settings_of, source_of


def story(
    log: Log,
    begin: str = "0",
    end: str = END,
    *,
    at: str | None = None,
    partition: str | None = None,
    broker: int | None = None,
    topic: str | None = None,
    types: Iterable[str] = (),
    most: int | None = ASKED,
    static: Static = None,
    fork: str | Fork | None = None,
    skip_unknown: bool = False,
    lanes: bool = True,
    partitions: bool = True,
) -> Story:
    """Return what happened in a log between two moments: of everything, or of one partition, broker, topic or type.

    With `at` it is what happened at one moment, in place of the two. Without `lanes` the document leaves the states of
    brokers, terms and partitions over time out; without `partitions` of each event those that its words do not name.
    Of small batches rows are evaluated for the first `most` records of the story, None for all. Raises `Refusal` where
    there is nothing at all to tell, where the log has no such moment, or says nothing of what is asked about;
    `TraceError` where it cannot be read.
    """
    declared = fork_given(fork)
    about = about_of(partition, broker, topic, types, declared)
    if names_a_recording(os.fspath(log)):
        from fencepost.checkers.operations.zk_cluster import zk_story

        return Story({"ends": None, **zk_story(os.fspath(log), at or begin, at or end, about)})
    source, settings = source_of(log, declared, skip_unknown), settings_of(static)
    use()
    if at is not None:
        first = moment(at, source)
        told = story_of(
            source, first, When(END), about, settings, most,
            until=whole(first), with_lanes=False, with_partitions=partitions,
        )  # fmt: skip
    else:
        first, last = when(begin, source, "--from"), when(end, source, "--to")
        require_order(first, last)
        told = story_of(source, first, last, about, settings, most, with_lanes=lanes, with_partitions=partitions)
    save()
    return Story(told, KRAFT.hash)


__all__ = ["story"]
