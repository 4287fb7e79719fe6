"""Part 2 of KIP-46: the partitions of a failed broker are moved in chunks, one after the other (S1:35-92)."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.vocabulary import *

from .state import *

number = SEQUENCE.var("chunk")
partitions = set_of(PARTITION).var("partitions")
goal = set_of(BROKER).var("target")


@definition
def head_(k: Term[int]) -> Term[bool]:
    """The task is the first of the queue, and none runs."""
    return queued[k] & forall(j, (j < k).implies(~queued[j])) & forall(j, ~running[j])


@definition
def satisfied(k: Term[int]) -> Term[bool]:
    """Every partition of the task has its desired number of live replicas, whether they have caught up or not."""
    return forall(q, q.in_(chunk[k]).implies(at_least(replicas[q] & known_live(), desired[q])))


@definition
def complete(k: Term[int]) -> Term[bool]:
    """Every replica that the task is to lead to has been in the ISR once since it was started."""
    return forall(q, q.in_(chunk[k]).implies(target[k, q] <= caught[q]))


@procedure(b)
def begins_healing(b: Term[Broker]) -> list[Any]:
    """The broker's partitions are listed, and new replicas are to be found for each."""
    return [
        timer[b].becomes(-1), healing[b].becomes(TRUE), listed[b].becomes(on(b)),
        wanted[b].becomes(on(b)), persisted[b].becomes(nobody(PARTITION)),
    ]  # fmt: skip


@procedure(k)
def deletes_task(k: Term[int]) -> list[Any]:
    """The znode of the task is deleted."""
    return [
        queued[k].becomes(FALSE), running[k].becomes(FALSE), automatic[k].becomes(FALSE), heals[k].becomes(none_of(BROKER)),
        chunk[k].becomes(nobody(PARTITION)), every(q, TRUE, target[k, q].becomes(nobody(BROKER))),
    ]  # fmt: skip


placeable = (goal <= known_live()) & ~b.in_(goal) & ((replicas[p] & known_live()) - just(b) <= goal)
few = let("few", ~empty(partitions) & ~at_least(partitions, chunk_limit), partitions)
again = let("written_before", exists(k, queued[k] & heals[k].is_(some(b))), b)

fire = event("TimerFires", b, given=controller & (timer[b] >= 0) & (timer[b] <= now), source="S1:31,67")
place = event("PlaceReplicas", b, p, goal, environment=True, source="S1:67")
write = event("PersistChunk", b, number, partitions, environment=True, source="S1:67")
finish = event("DeleteFailedBroker", b, environment=True, source="S1:83")
HEALING = table(
    "healing of a failed broker",
    fire("SH3", missed(b) & ~again, begins_healing(b)),
    fire("SH9", missed(b) & again, begins_healing(b), source="S1:89-94"),
    place("SH3a", controller & healing[b] & p.in_(listed[b]) & placeable & at_least(goal, desired[p]),
          listed[b].becomes(listed[b] - just(p)), placed[b].becomes(placed[b] | just(p)), plan[b, p].becomes(goal)),
    write("SH3b", controller & healing[b] & empty(listed[b]) & number.is_(next_chunk) & (partitions <= placed[b]) & few,
          queued[number].becomes(TRUE), automatic[number].becomes(TRUE), heals[number].becomes(some(b)),
          chunk[number].becomes(partitions), started[number].becomes(FALSE),
          every(q, q.in_(partitions), target[number, q].becomes(plan[b, q]), plan[b, q].becomes(nobody(BROKER))),
          placed[b].becomes(placed[b] - partitions), persisted[b].becomes(persisted[b] | partitions),
          next_chunk.becomes(next_chunk + 1)),
    finish("SH3c", controller & healing[b] & empty(listed[b]) & empty(placed[b]),
           failed[b].becomes(-1), healing[b].becomes(FALSE)),
    total=True,
    about="The timer fires, new replicas are found for every partition of the broker, the list is cut into chunks and written "
          "as sequential znodes; then the entry is deleted. A controller may die between any two of these.",
    why={
        "SH3a": "Which brokers a replica goes to is left open: any live ones. The live replicas stay.",
        "SH9": "Option 2: the tasks that an earlier controller wrote are written again, with new replica lists.",
        "SH3c": "Now the tasks themselves are persisted.",
    },
)  # fmt: skip

start = event("StartTask", number, environment=True, source="S1:68")
skip = event("DropTask", number, environment=True, source="S1:76,92")
end = event("CompleteTask", number, environment=True, source="S1:72")
submit = event("SubmitReassignment", number, partitions, goal, environment=True, source="S1:50-54")
TASKS = table(
    "tasks",
    start("SH4", controller & head_(number) & ~(automatic[number] & satisfied(number)),
          running[number].becomes(TRUE), started[number].becomes(TRUE),
          every(q, q.in_(chunk[number]), replicas[q].becomes(replicas[q] | target[number, q]), caught[q].becomes(isr[q]),
                settled[q].becomes(FALSE))),
    skip("SH5", controller & head_(number) & automatic[number] & satisfied(number), deletes_task(number)),
    end("SH6", controller & running[number] & complete(number),
        every(q, q.in_(chunk[number]), replicas[q].becomes(target[number, q]), isr[q].becomes(isr[q] & target[number, q]),
              caught[q].becomes(nobody(BROKER)), settled[q].becomes(automatic[number] & (target[number, q] <= known_live()))),
        deletes_task(number)),
    submit("MT1", number.is_(next_chunk) & few & ~empty(goal),
           queued[number].becomes(TRUE), chunk[number].becomes(partitions), started[number].becomes(FALSE),
           every(q, q.in_(partitions), target[number, q].becomes(goal)), next_chunk.becomes(next_chunk + 1)),
    about="The queue: sequential znodes under /admin/reassign_partitions, of which one is worked on at a time.",
    why={
        "SH4": "As any reassignment: the replicas of the target are added, those from before stay until it is complete.",
        "SH5": "Reading a: desired number of replicas, of which some may be catching up (contradiction 36).",
        "MT1": "The tool breaks a large reassignment down into chunks too (S1:52).",
    },
)  # fmt: skip
