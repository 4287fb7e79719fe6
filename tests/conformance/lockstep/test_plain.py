"""The compiled rows against the plain interpreter: the same steps, the same rows, findings and divergences."""

import re
from dataclasses import replace

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fencepost.traces.steps import Step

from .watched import MOVES, judged, played, story

NUMBERS = st.integers(0, 15)
ALL = st.lists(st.tuples(st.sampled_from(sorted(MOVES)), NUMBERS, NUMBERS, NUMBERS), max_size=25)
AGREED = st.lists(st.tuples(st.sampled_from(sorted(MOVES)), NUMBERS, NUMBERS, NUMBERS), min_size=5, max_size=40)
SLOW = settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))


def told(steps: list[Step], plain: bool) -> object:
    """Return all that lock step says of steps."""
    judge, divergences = judged(steps, plain=plain)
    return judge.out.as_json(), [one.text() for one in divergences]


def test_both_say_the_same_of_the_story() -> None:
    """The plain interpreter evaluates every step of the story as the compiled rows do."""
    steps = story().steps
    assert told(steps, plain=False) == told(steps, plain=True)


@given(moves=ALL, data=st.data())
@settings(SLOW)
def test_both_say_the_same_of_random_moves(moves: list[tuple[str, int, int, int]], data: st.DataObject) -> None:
    """So it is for random moves, one of whose steps loses its records."""
    steps = played(moves).steps
    place = data.draw(st.integers(0, len(steps) - 1))
    steps[place] = replace(steps[place], records=())
    assert told(steps[:160], plain=False) == told(steps[:160], plain=True)


def test_both_name_a_cell_that_has_no_value() -> None:
    """Where records are lost, later rows may need a value that nothing reported: it is called by its variable."""
    steps = played([("fence", 0, 0, 0), ("create", 0, 0, 0)]).steps
    steps[11] = replace(steps[11], records=())
    for plain in (False, True):
        judge, _ = judged(steps, plain=plain)
        [(_, why)] = [one for one in judge.out.not_judged if "value" in one[1]]
        assert re.search(r"\(topic\[\('[\w-]{22}', 0\)\] has no value\)$", why)


UNFENCES_WITH_A_FAILED_DIRECTORY = [*[("all beat", 0, 0, 0)] * 3, ("wait", 0, 0, 10), ("offline", 2, 0, 0)]
"""One heartbeat does both, each computed from the state before: what P36 promises of OD3 alone, the two do not keep."""


@given(moves=AGREED)
@example(moves=UNFENCES_WITH_A_FAILED_DIRECTORY)
@settings(SLOW, max_examples=40)
def test_the_reference_does_what_the_tables_say(moves: list[tuple[str, int, int, int]]) -> None:
    """Whatever is done to a small cluster, every step of its controller is a row, or has a name of its own."""
    judge, divergences = judged(played(moves).steps)
    assert [one.text() for one in divergences] == []
    assert judge.out.steps == judge.out.steps_judged + sum(judge.out.not_judged.values())
