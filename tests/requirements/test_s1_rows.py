"""S1 (KIP-46) sentence by sentence, checked against the rows: who has failed, what is moved, what lives on."""

import pytest

from fencepost.model.kip46 import KIP46

from .tables import Tables

INTERVAL = 3
PARTITIONS = frozenset({0, 1, 2})


def cluster(*, chunk: int = 2, interval: int = INTERVAL) -> Tables:
    """Return four brokers, three partitions on brokers 0 and 1, and tasks of at most `chunk` partitions."""
    tables = Tables(KIP46, Broker=4, Partition=3, size=4)
    tables["interval"], tables["chunk_limit"] = interval, chunk + 1
    for p in PARTITIONS:
        tables["desired", p], tables["replicas", p], tables["isr", p] = 2, frozenset({0, 1}), frozenset({0, 1})
    return tables


def fail(tables: Tables, b: int = 0, at: int = 1) -> None:
    """Let a broker die, and the controller hear of it."""
    tables.do("TimePasses", to=at)
    tables.do("BrokerFails", b=b)
    tables.do("OnBrokerFailure", b=b)


def return_(tables: Tables, b: int = 0) -> None:
    """Let a broker come back, and the controller hear of it."""
    tables.do("BrokerReturns", b=b)
    tables.do("OnBrokerStartup", b=b)


def plan(tables: Tables, b: int = 0) -> None:
    """Let the broker's timer fire, and new replicas be found for its partitions."""
    tables.do("TimePasses", to=max(tables["now"] + 1, tables["failed", b] + INTERVAL))
    tables.do("TimerFires", b=b)
    for p in sorted(tables["listed", b]):
        tables.do("PlaceReplicas", b=b, p=p, target=frozenset({1, 2}))


def queue(tables: Tables, b: int = 0) -> None:
    """Let the broker's tasks be written: partitions 0 and 1, then 2; and its entry be deleted."""
    plan(tables, b)
    first = tables["next_chunk"]
    tables.do("PersistChunk", b=b, chunk=first, partitions=frozenset({0, 1}))
    tables.do("PersistChunk", b=b, chunk=first + 1, partitions=frozenset({2}))
    tables.do("DeleteFailedBroker", b=b)


def catch_up(tables: Tables, *partitions: int, b: int = 2) -> None:
    """Let a broker's replicas of these partitions get into the ISR."""
    for p in partitions:
        tables.do("CatchUp", p=p, b=b)


def test_a_failure_is_written_down_with_its_time() -> None:
    """The callback writes the entry with the time and sets the timer by it; the callback alone does."""
    tables = cluster()
    tables.do("TimePasses", to=1)
    tables.do("BrokerFails", b=0)
    assert (tables["failed", 0], tables["timer", 0]) == (-1, -1)
    tables.do("OnBrokerFailure", b=0)
    assert (tables["failed", 0], tables["timer", 0], tables["live", 0]) == (1, 1 + INTERVAL, False)


def test_nothing_happens_before_the_interval_is_over() -> None:
    """The timer fires at failure time and interval, and not a tick before."""
    tables = cluster()
    fail(tables)
    tables.do("TimePasses", to=INTERVAL)
    assert tables.row("TimerFires", b=0) is None
    tables.do("TimePasses", to=INTERVAL + 1)
    tables.do("TimerFires", b=0)
    assert tables["listed", 0] == PARTITIONS


def test_a_bounced_broker_is_no_failed_one() -> None:
    """Who is back in time has no entry and no timer any more, and its timer does not fire."""
    tables = cluster()
    fail(tables)
    return_(tables)
    tables.do("TimePasses", to=20)
    assert (tables["failed", 0], tables["timer", 0], tables.row("TimerFires", b=0)) == (-1, -1, None)


def test_the_list_is_cut_into_chunks() -> None:
    """Tasks have at most as many partitions as set, all of the broker's together, in the order of their numbers."""
    tables = cluster()
    fail(tables)
    plan(tables)
    assert tables.row("PersistChunk", b=0, chunk=0, partitions=PARTITIONS) is None
    tables.do("PersistChunk", b=0, chunk=0, partitions=frozenset({0, 1}))
    assert tables.row("PersistChunk", b=0, chunk=0, partitions=frozenset({2})) is None
    assert tables.row("DeleteFailedBroker", b=0) is None
    tables.do("PersistChunk", b=0, chunk=1, partitions=frozenset({2}))
    assert [tables["chunk", k] for k in (0, 1)] == [{0, 1}, {2}]
    assert all(tables["queued", k] and tables["automatic", k] and tables["heals", k] == 0 for k in (0, 1))
    assert [tables["target", k, p] for k, p in ((0, 0), (0, 1), (1, 2))] == [{1, 2}] * 3


def test_the_entry_goes_once_the_tasks_are_written() -> None:
    """While tasks are missing the entry stays; with the last one written it can be deleted, and the tasks stay."""
    tables = cluster()
    fail(tables)
    plan(tables)
    assert (tables["failed", 0], tables.row("DeleteFailedBroker", b=0)) == (1, None)
    tables = cluster()
    fail(tables)
    queue(tables)
    assert (tables["failed", 0], tables["queued", 0], tables["queued", 1]) == (-1, True, True)


def test_tasks_run_one_after_the_other() -> None:
    """The second is not started before the first is complete; each is a reassignment, its znode goes at the end."""
    tables = cluster()
    fail(tables)
    queue(tables)
    assert tables.row("StartTask", chunk=1) is None
    tables.do("StartTask", chunk=0)
    assert [tables["replicas", p] for p in (0, 1, 2)] == [{0, 1, 2}, {0, 1, 2}, {0, 1}]
    assert tables.row("StartTask", chunk=1) is None
    catch_up(tables, 0, 1)
    tables.do("CompleteTask", chunk=0)
    assert (tables["replicas", 0], tables["isr", 0], tables["queued", 0]) == ({1, 2}, {1, 2}, False)
    assert tables.row("StartTask", chunk=1) == "SH4"


def test_a_task_is_complete_when_all_have_been_in_the_isr() -> None:
    """Not before every replica of every partition was in the ISR; once is enough."""
    tables = cluster()
    fail(tables)
    queue(tables)
    tables.do("StartTask", chunk=0)
    catch_up(tables, 0)
    assert tables.row("CompleteTask", chunk=0) is None
    catch_up(tables, 1)
    tables.do("BrokerFails", b=2)
    tables.do("OnBrokerFailure", b=2)
    assert tables["isr", 0] == {1}
    assert tables.row("CompleteTask", chunk=0) == "SH6"


def test_tasks_that_are_no_longer_needed_are_dropped() -> None:
    """The broker is back: what runs goes on, what has not begun is dropped, though replicas are catching up."""
    tables = cluster()
    fail(tables)
    queue(tables)
    tables.do("StartTask", chunk=0)
    return_(tables)
    assert (tables["running", 0], tables.row("DropTask", chunk=0)) == (True, None)
    catch_up(tables, 0, 1)
    tables.do("CompleteTask", chunk=0)
    assert tables["isr", 2] == {1}
    assert tables.row("StartTask", chunk=1) is None
    tables.do("DropTask", chunk=1)
    assert (tables["queued", 1], tables["replicas", 2]) == (False, {0, 1})


def test_a_task_of_an_operator_is_never_dropped() -> None:
    """It has no mark, has its turn in the queue, and runs though its partitions lack nothing; it is chunked too."""
    tables = cluster()
    assert tables.row("SubmitReassignment", chunk=0, partitions=PARTITIONS, target=frozenset({2, 3})) is None
    tables.do("SubmitReassignment", chunk=0, partitions=frozenset({0}), target=frozenset({2, 3}))
    assert not tables["automatic", 0]
    assert tables.row("DropTask", chunk=0) is None
    assert tables.row("StartTask", chunk=0) == "SH4"


def test_entries_and_tasks_outlive_the_controller() -> None:
    """The next one has the entries with their first time, timers by it, and the queue with what runs."""
    tables = cluster()
    fail(tables, 0)
    queue(tables)
    tables.do("StartTask", chunk=0)
    tables.do("BrokerFails", b=3)
    tables.do("OnBrokerFailure", b=3)
    first = tables["failed", 3]
    tables.do("ControllerFails")
    assert tables["timer", 3] == -1
    tables.do("TimePasses", to=first + 2)
    tables.do("ControllerFailover")
    assert (tables["failed", 3], tables["timer", 3]) == (first, first + INTERVAL)
    assert (tables["queued", 0], tables["running", 0], tables["queued", 1]) == (True, True, True)


@pytest.mark.parametrize("late", [INTERVAL, INTERVAL + 5])
def test_a_timer_that_is_due_at_the_failover_fires(late: int) -> None:
    """What came due without a controller is done at once by the next one."""
    tables = cluster()
    fail(tables)
    tables.do("ControllerFails")
    tables.do("TimePasses", to=1 + late)
    tables.do("ControllerFailover")
    assert tables.row("TimerFires", b=0) == "SH3"


def test_what_was_written_before_a_failover_is_written_again() -> None:
    """A controller that dies with the entry still there: the next one schedules anew, and drops what is satisfied."""
    tables = cluster(chunk=3)
    fail(tables)
    plan(tables)
    tables.do("PersistChunk", b=0, chunk=0, partitions=PARTITIONS)
    tables.do("ControllerFails")
    tables.do("ControllerFailover")
    assert tables.row("TimerFires", b=0) == "SH9"
    plan(tables)
    tables.do("PersistChunk", b=0, chunk=1, partitions=PARTITIONS)
    tables.do("DeleteFailedBroker", b=0)
    tables.do("StartTask", chunk=0)
    catch_up(tables, 0, 1, 2)
    tables.do("CompleteTask", chunk=0)
    assert tables.row("StartTask", chunk=1) is None
    tables.do("DropTask", chunk=1)
    assert [tables["replicas", p] for p in (0, 1, 2)] == [{1, 2}] * 3


def test_an_interval_of_minus_one_is_the_old_behaviour() -> None:
    """The broker leaves the ISRs, and nothing is written down or planned."""
    tables = cluster(interval=-1)
    fail(tables)
    assert (tables.ran[-1], tables["failed", 0], tables["timer", 0], tables["isr", 0]) == ("SH10", -1, -1, {1})


def test_a_replica_is_moved_to_a_live_broker() -> None:
    """The live replicas stay, the failed broker is none of the new ones, and there are as many as there are to be."""
    tables = cluster()
    fail(tables)
    tables.do("BrokerFails", b=3)
    tables.do("OnBrokerFailure", b=3)
    tables.do("TimePasses", to=1 + INTERVAL)
    tables.do("TimerFires", b=0)
    for goal in (frozenset({1}), frozenset({0, 1}), frozenset({1, 3}), frozenset({2})):
        assert tables.row("PlaceReplicas", b=0, p=0, target=goal) is None
    assert tables.row("PlaceReplicas", b=0, p=0, target=frozenset({1, 2})) == "SH3a"


def test_who_dies_without_a_controller_is_not_written_down() -> None:
    """No process has the callback; as written, the next controller takes the broker for absent and writes no entry."""
    tables = cluster()
    tables.do("ControllerFails")
    tables.do("BrokerFails", b=0)
    tables.do("ControllerFailover")
    assert (tables["live", 0], tables["failed", 0], tables.row("OnBrokerFailure", b=0)) == (False, -1, None)
