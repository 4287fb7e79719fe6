"""Rows of `kraft-data` that a run of the reference does not exercise, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "DC13": "a proposed member must be fenced or have restarted while its proposal is under way",
    "DC14": "a leader must be alone in the ISR beside one that is eligible and runs, and be fenced",
    "DC15": "a leader must be alone in the ISR beside one that is eligible and runs, and register before it is fenced",
    "DC16": "the reference elects in the result of a proposal only where a reassignment ends with it, or in a shutdown",
    "DC20": "the last broker that may lead must register where unclean elections are enabled and another runs",
    "DL4": "a follower must lag for replica.lag.time.max.ms, 30 s, and not be fenced",
    "DL5": "a proposed member must be fenced or have restarted while its proposal is under way",
    "DF1": "an election must find a follower with records that the new leader has not",
}
"""Why a row may stay out of a run, by its id."""
