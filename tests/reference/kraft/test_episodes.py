"""Episodes of the reference: each leaves the cluster as it was, and names what is relative."""

import dataclasses
from collections.abc import Iterator

import pytest

from fencepost.reference.kraft.episodes import happenings
from fencepost.reference.kraft.episodes.happenings import EpisodeError, recorded
from fencepost.reference.kraft.episodes.recorder import Recorder
from fencepost.traces.scale.episodes import Episode, Relative
from fencepost.traces.scale.templates import Numbering, Template


def test_an_episode_that_leaves_another_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a broker stays fenced no episode could follow, so nothing is recorded."""

    def leaving(brokers: int) -> Iterator[object]:
        yield "silence", lambda recorder, _: recorder.silent(1)

    monkeypatch.setattr(happenings, "_happenings", leaving)
    with pytest.raises(EpisodeError, match="silence: the state is another than before"):
        recorded(4, 3, 1)


def test_what_is_recorded_depends_on_the_seed_alone() -> None:
    """Recording again gives equal episodes; another seed gives others."""
    assert recorded(4, 3, 1) == recorded(4, 3, 1) != recorded(4, 3, 2)


def test_every_kind_of_record_that_it_promises_is_recorded() -> None:
    """Among the records of the episodes are those of topics, fences, registrations, ISRs, settings, ACLs and ids."""
    _, episodes = recorded(4, 3, 1)
    types = {record.type for episode in episodes for _, _, record in episode.positions()}
    assert types >= {
        "TOPIC_RECORD", "PARTITION_RECORD", "PARTITION_CHANGE_RECORD", "REMOVE_TOPIC_RECORD", "CONFIG_RECORD",
        "REGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD", "PRODUCER_IDS_RECORD", "CLIENT_QUOTA_RECORD",
        "ACCESS_CONTROL_ENTRY_RECORD", "REMOVE_ACCESS_CONTROL_ENTRY_RECORD", "LeaderChange",
    }  # fmt: skip


def test_a_fence_reaches_every_standing_partition_of_the_broker() -> None:
    """A silent broker is fenced in one result with a change of each partition that has it in its ISR."""
    beginning, episodes = recorded(4, 40, 1)
    standing = [record for _, _, record in beginning.positions() if record.type == "PARTITION_RECORD"]
    silence = next(one for one in episodes if one.kind == "silence")
    fence = next(
        batch for batch in silence.batches if batch.records[-1].data.get("fenced") == 1 and len(batch.records) > 1
    )
    changed = [record for record in fence.records if record.data.get("topicId") in silence.standing]
    assert len(changed) == sum(1 in record.data["isr"] for record in standing) > 20


def test_the_place_of_an_episode_is_all_that_its_bytes_depend_on() -> None:
    """Written where it was recorded, with the ids and names that it had, an episode has the bytes of its records."""
    recorder = Recorder(1)
    happenings._beginning(recorder, 4, 3)
    start, epochs = recorder.offset, dict(recorder.epochs)
    recorder.register_controllers()
    recorder.silent(2)
    recorder.register(2, clean=False)
    episode = recorder.episode("crash")
    carried = {f"broker {broker}": epoch for broker, epoch in epochs.items()}
    numbers = Numbering(start, 3, 5, carried)

    def literal(value: object) -> object:
        return numbers.value(value) if isinstance(value, Relative) else value

    plain = dataclasses.replace(
        episode,
        ends={},
        batches=tuple(
            dataclasses.replace(batch, records=tuple(
                dataclasses.replace(one, data={name: literal(value) for name, value in one.data.items()})
                for one in batch.records
            ))
            for batch in episode.batches
        ),
    )  # fmt: skip

    def written(one: Episode) -> bytes:
        from numpy import frombuffer, uint8

        from fencepost.traces.primitives import uuid_bytes

        ids = frombuffer(b"".join(map(uuid_bytes, one.ids)), uint8).reshape(-1, 16)
        return Template(one).written(numbers, ids, frombuffer(b"", uint8).reshape(0, 0))

    assert any(isinstance(value, Relative) for _, _, one in episode.positions() for value in one.data.values())
    assert written(plain) == written(episode)


def test_numbers_move_along_where_a_record_is_left_out() -> None:
    """A broker's epoch is the offset of its registration also where a record in front of it is left out."""
    _, episodes = recorded(4, 3, 1)
    crash = next(one for one in episodes if one.kind == "crash")
    at = next(n for n, (_, _, one) in enumerate(crash.positions()) if one.type == "REGISTER_BROKER_RECORD")
    epoch = crash.batches[next(crash_at for n, (crash_at, _, _) in enumerate(crash.positions()) if n == at)]
    first = at - len([one for one in epoch.records if one.type != "REGISTER_BROKER_RECORD"])
    fewer = crash.without(frozenset({0}))
    moved = [one.data["brokerEpoch"] for _, _, one in fewer.positions() if one.type == "REGISTER_BROKER_RECORD"]
    assert moved == [Relative("", first - 1)]
    assert fewer.ends["broker 1"] == Relative("", first - 1)
    assert fewer.records == crash.records - 1
