-- Intervals of state, made of the table `decoded` by windows. An interval [since, until) counts places of records.

CREATE MACRO forever() AS 1000000000000000;

-- Batches in the order of the files. One that ends before what was read is not read again.
CREATE TABLE batch AS
WITH whole AS (
    SELECT log, batch_place, any_value(batch) AS base, any_value(batch_last) AS last, any_value(epoch) AS epoch,
           any_value(control) AS control, count(*) AS size, bool_or(type = 'LeaderChange') AS opens
    FROM decoded WHERE NOT snapshot GROUP BY log, batch_place
), known AS (
    SELECT *, max(last) OVER (PARTITION BY log ORDER BY batch_place
                              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM whole
), read AS (
    SELECT *, coalesce(last <= before, false) AS again FROM known
)
SELECT *, lag(epoch) OVER (PARTITION BY log, again ORDER BY batch_place) AS epoch_before FROM read;

-- A unit is a batch that is no control batch, or several where all but the last are full: the end of a result.
CREATE TABLE unit_of AS
WITH told AS (
    SELECT log, batch_place, size, control, sum(opens::INT) OVER w AS term
    FROM batch WHERE NOT again WINDOW w AS (PARTITION BY log ORDER BY batch_place)
)
SELECT log, batch_place,
       sum((coalesce(lag_size, 0) < 10000)::INT) OVER (PARTITION BY log ORDER BY batch_place) AS unit
FROM (SELECT log, batch_place, lag(size) OVER (PARTITION BY log, term ORDER BY batch_place) AS lag_size
      FROM told WHERE NOT control);

CREATE TABLE record AS
SELECT d.* EXCLUDE (place), CASE WHEN d.snapshot THEN -1 ELSE d.place END AS place, coalesce(u.unit, 0) AS unit
FROM decoded d LEFT JOIN unit_of u USING (log, batch_place)
WHERE d.snapshot OR u.unit IS NOT NULL;

-- Where units end; of a snapshot its end.
CREATE TABLE boundary AS
SELECT log, unit, max(place) AS place, max("offset") AS "offset",
       row_number() OVER (PARTITION BY log ORDER BY unit) AS ordinal
FROM record GROUP BY log, unit;

-- Topics: who has which name from where to where.
CREATE TABLE topic_span AS
SELECT log, topic, place AS since, coalesce(lead(place) OVER w, forever()) AS until, name,
       type = 'TOPIC_RECORD' AS live
FROM record WHERE type IN ('TOPIC_RECORD', 'REMOVE_TOPIC_RECORD')
WINDOW w AS (PARTITION BY log, topic ORDER BY place);

-- Brokers: what is registered of each, from its first record on, and nothing before.
CREATE TABLE broker_event AS
SELECT log, place, "offset", unit, snapshot, broker, type, broker_epoch,
       CASE type WHEN 'REGISTER_BROKER_RECORD' THEN true WHEN 'UNREGISTER_BROKER_RECORD' THEN false END AS registered,
       CASE type WHEN 'REGISTER_BROKER_RECORD' THEN broker_epoch WHEN 'UNREGISTER_BROKER_RECORD' THEN -1 END AS epoch,
       CASE type WHEN 'REGISTER_BROKER_RECORD' THEN incarnation END AS incarnation,
       CASE WHEN type = 'REGISTER_BROKER_RECORD' THEN coalesce(fenced, 0) = 1
            WHEN type = 'UNREGISTER_BROKER_RECORD' THEN false
            WHEN coalesce(fenced, 0) <> 0 THEN fenced = 1 END AS fenced,
       CASE WHEN type = 'REGISTER_BROKER_RECORD' THEN coalesce(shutdown, 0) = 1
            WHEN type = 'UNREGISTER_BROKER_RECORD' THEN false
            WHEN coalesce(shutdown, 0) <> 0 THEN shutdown = 1 END AS shutdown,
       CASE WHEN type = 'REGISTER_BROKER_RECORD' THEN coalesce(directories, [])
            WHEN type = 'UNREGISTER_BROKER_RECORD' THEN []
            WHEN len(directories) > 0 THEN directories END AS directories
FROM record
WHERE type IN ('REGISTER_BROKER_RECORD', 'BROKER_REGISTRATION_CHANGE_RECORD', 'UNREGISTER_BROKER_RECORD');

CREATE TABLE broker_span AS
SELECT log, broker, place AS since, coalesce(lead(place) OVER w, forever()) AS until, "offset", unit, snapshot, type,
       broker_epoch,
       coalesce(last_value(registered IGNORE NULLS) OVER w, false) AS registered,
       coalesce(last_value(epoch IGNORE NULLS) OVER w, -1) AS epoch,
       last_value(incarnation IGNORE NULLS) OVER w AS incarnation,
       coalesce(last_value(fenced IGNORE NULLS) OVER w, false) AS fenced,
       coalesce(last_value(shutdown IGNORE NULLS) OVER w, false) AS shutdown,
       coalesce(last_value(directories IGNORE NULLS) OVER w, []) AS directories
FROM broker_event WINDOW w AS (PARTITION BY log, broker ORDER BY place);
INSERT INTO broker_span
SELECT log, broker, -forever(), coalesce(min(place) FILTER (WHERE place IS NOT NULL), forever()),
       NULL, NULL, false, '', NULL, false, -1, NULL, false, false, []
FROM (SELECT log, broker, place FROM broker_event
      UNION ALL SELECT DISTINCT log, unnest(isr || replicas), NULL::BIGINT
                FROM (SELECT log, coalesce(isr, []) AS isr, coalesce(replicas, []) AS replicas FROM record))
GROUP BY log, broker;

-- Partitions: what changes each. A removed topic takes its partitions along; who may lead cleanly can be cleared.
CREATE TABLE partition_key AS
SELECT log, topic, number, bool_or(len(elr) > 0 OR last_known IS NOT NULL) AS has_elr
FROM record WHERE type IN ('PARTITION_RECORD', 'PARTITION_CHANGE_RECORD') GROUP BY ALL;

CREATE TABLE partition_event AS
SELECT log, place, "offset", unit, snapshot, topic, number, type = 'PARTITION_CHANGE_RECORD' AS changes,
       CASE type WHEN 'PARTITION_RECORD' THEN 'record' ELSE 'change' END AS kind,
       replicas, isr, CASE WHEN leader <> -2 THEN leader END AS leader,
       CASE type WHEN 'PARTITION_RECORD' THEN leader_epoch END AS leader_epoch,
       CASE type WHEN 'PARTITION_RECORD' THEN partition_epoch END AS partition_epoch,
       removing, adding,
       CASE WHEN type = 'PARTITION_RECORD' THEN coalesce(recovery, 0) WHEN recovery <> -1 THEN recovery END AS recovery,
       elr, list_filter(last_known, lambda one: one <> -1) AS last_known, directories
FROM record WHERE type IN ('PARTITION_RECORD', 'PARTITION_CHANGE_RECORD')
UNION ALL
SELECT r.log, r.place, r."offset", r.unit, r.snapshot, r.topic, p.number, false, 'removed',
       [], [], -1, 0, 0, [], [], 0, [], [], []
FROM record r JOIN partition_key p USING (log, topic) WHERE r.type = 'REMOVE_TOPIC_RECORD'
UNION ALL
SELECT r.log, r.place, r."offset", r.unit, r.snapshot, p.topic, p.number, false, 'cleared',
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, [], [], NULL
FROM record r JOIN partition_key p ON p.log = r.log AND p.has_elr
WHERE r.type = 'CLEAR_ELR_RECORD' AND (r.name = '' OR EXISTS (
    SELECT 1 FROM topic_span t
    WHERE t.log = r.log AND t.topic = p.topic AND t.live AND t.name = r.name AND t.since < r.place AND r.place < t.until));

-- A life of a partition begins with its record, and what is not alive begins with nothing.
CREATE TABLE partition_said AS
WITH lives AS (
    SELECT *, count(*) FILTER (WHERE kind IN ('record', 'removed')) OVER w AS life
    FROM partition_event WINDOW w AS (PARTITION BY log, topic, number ORDER BY place ROWS UNBOUNDED PRECEDING)
)
SELECT log, place, "offset", unit, snapshot, topic, number, kind, life, changes,
       leader IS NOT NULL AS says_leader, last_known IS NOT NULL AS says_last,
       leader_epoch AS said_leader_epoch, partition_epoch AS said_partition_epoch,
       first_value(kind) OVER w = 'record' AS alive,
       coalesce(last_value(replicas IGNORE NULLS) OVER w, []) AS replicas,
       coalesce(last_value(isr IGNORE NULLS) OVER w, []) AS isr,
       coalesce(last_value(leader IGNORE NULLS) OVER w, -1) AS leader,
       list_distinct(coalesce(last_value(removing IGNORE NULLS) OVER w, [])) AS removing,
       list_distinct(coalesce(last_value(adding IGNORE NULLS) OVER w, [])) AS adding,
       coalesce(last_value(recovery IGNORE NULLS) OVER w, 0) AS recovery,
       list_sort(list_distinct(coalesce(last_value(elr IGNORE NULLS) OVER w, []))) AS elr,
       coalesce(last_value(last_known IGNORE NULLS) OVER w, []) AS last_known,
       CASE WHEN directories IS NOT NULL OR kind = 'record' THEN coalesce(directories, []) END AS says_directories
FROM lives WINDOW w AS (PARTITION BY log, topic, number, life ORDER BY place ROWS UNBOUNDED PRECEDING);

-- A last known leader that is none counts too; epochs count changes.
CREATE TABLE partition_span AS
WITH nobody AS (
    SELECT *, CASE WHEN kind IN ('cleared', 'removed') THEN false
                   WHEN says_last THEN len(last_known) = 0 AND (kind = 'record' OR leader = -1)
                   WHEN kind = 'record' THEN false END AS says_nobody
    FROM partition_said
), settled AS (
    SELECT *, coalesce(last_value(says_nobody IGNORE NULLS) OVER w, false) AS last_nobody,
           last_value(says_directories IGNORE NULLS) OVER w AS told,
           last_value(CASE WHEN says_directories IS NOT NULL THEN replicas END IGNORE NULLS) OVER w AS told_of
    FROM nobody
    WINDOW w AS (PARTITION BY log, topic, number, life ORDER BY place ROWS UNBOUNDED PRECEDING)
), spoken AS (
    SELECT *, CASE kind WHEN 'change' THEN 1
                        WHEN 'cleared' THEN (alive AND (coalesce(len(lag(elr) OVER w), 0) > 0
                                                        OR coalesce(len(lag(last_known) OVER w), 0) > 0
                                                        OR coalesce(lag(last_nobody) OVER w, false)))::INT
                        ELSE 0 END AS step
    FROM settled WINDOW w AS (PARTITION BY log, topic, number, life ORDER BY place)
), counted AS (
    SELECT *,
           coalesce(first_value(said_leader_epoch) OVER w, 0)
               + sum((changes AND says_leader)::INT) OVER w AS leader_epoch,
           coalesce(first_value(said_partition_epoch) OVER w, 0) + sum(step) OVER w AS partition_epoch
    FROM spoken
    WINDOW w AS (PARTITION BY log, topic, number, life ORDER BY place ROWS UNBOUNDED PRECEDING)
), state AS (
    SELECT log, topic, number, place AS since, "offset", unit, snapshot, kind, alive,
           {'replicas': replicas, 'isr': isr, 'leader': leader, 'leader_epoch': leader_epoch,
            'partition_epoch': partition_epoch, 'removing': list_sort(removing), 'adding': list_sort(adding),
            'recovery': recovery, 'elr': elr, 'last_known': last_known, 'last_nobody': last_nobody,
            'location': list_sort(list_distinct([
                one || ' in ' || coalesce(told[list_position(told_of, one)], 'AAAAAAAAAAAAAAAAAAAAAA')
                for one in replicas]))} AS is_
    FROM counted
)
SELECT *, coalesce(lead(since) OVER w, forever()) AS until,
       coalesce(lag(alive) OVER w, false) AS was_alive, lag(is_) OVER w AS was,
       count(*) OVER (PARTITION BY log, topic, number, unit) AS events
FROM state WINDOW w AS (PARTITION BY log, topic, number ORDER BY since);
