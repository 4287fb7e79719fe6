-- Where invariants are false. `falsity` has those of states, by interval; `broken` those of steps, by place.
-- `p` is topic and number of a partition; `x` and `y` are brokers, or a topic; null where the invariant has none.

CREATE TABLE falsity AS
WITH part AS (
    SELECT log, topic || '-' || number AS p, since, until, is_.* FROM partition_span WHERE alive
), in_sync AS (
    SELECT log, p, since, until, unnest(list_distinct(isr)) AS x, leader, isr FROM part
), alone AS (
    SELECT *, leader = -1 AND isr = [x] AS last FROM in_sync
), met AS (
    SELECT a.log, a.p, a.x, greatest(a.since, b.since) AS since, least(a.until, b.until) AS until,
           b.registered, b.fenced, b.shutdown
    FROM alone a JOIN broker_span b ON b.log = a.log AND b.broker = a.x AND b.since < a.until AND a.since < b.until
    WHERE NOT a.last AND (b.fenced OR b.shutdown OR NOT b.registered)
), numbered AS (
    SELECT log, topic, number, since, until, alive FROM partition_span
), moment AS (
    -- Whenever a partition or the one numbered before it begins or ends.
    SELECT log, topic, number, since FROM numbered
    UNION SELECT a.log, a.topic, a.number, b.since FROM (SELECT DISTINCT log, topic, number FROM numbered) a
    JOIN numbered b ON b.log = a.log AND b.topic = a.topic AND b.number = a.number - 1
), stretch AS (
    SELECT *, coalesce(lead(since) OVER (PARTITION BY log, topic, number ORDER BY since), forever()) AS until FROM moment
), beside AS (
    SELECT s.log, s.topic, s.number, s.since, s.until,
           coalesce(a.alive, false) AS alive, coalesce(b.alive, false) AS preceded
    FROM stretch s
    LEFT JOIN numbered a ON a.log = s.log AND a.topic = s.topic AND a.number = s.number
                        AND a.since <= s.since AND s.since < a.until
    LEFT JOIN numbered b ON b.log = s.log AND b.topic = s.topic AND b.number = s.number - 1
                        AND b.since <= s.since AND s.since < b.until
), topic_moment AS (
    SELECT log, topic, since FROM topic_span UNION SELECT log, topic, since FROM numbered WHERE number = 0
), topic_stretch AS (
    SELECT *, coalesce(lead(since) OVER (PARTITION BY log, topic ORDER BY since), forever()) AS until FROM topic_moment
), first_of AS (
    SELECT s.log, s.topic, s.since, s.until, coalesce(t.live, false) AS live, coalesce(a.alive, false) AS alive
    FROM topic_stretch s
    LEFT JOIN topic_span t ON t.log = s.log AND t.topic = s.topic AND t.since <= s.since AND s.since < t.until
    LEFT JOIN numbered a ON a.log = s.log AND a.topic = s.topic AND a.number = 0
                        AND a.since <= s.since AND s.since < a.until
), owns AS (
    SELECT log, broker, since, until, registered, unnest(directories) AS directory FROM broker_span
)
-- P1: the leader is in the ISR (record).
SELECT log, 'P1' AS property, 'record' AS scope, p, NULL::VARCHAR AS x, NULL::VARCHAR AS y, since, until
FROM part WHERE leader <> -1 AND NOT list_contains(isr, leader)
UNION ALL
-- P2: the ISR is within the replicas, and there are replicas (record).
SELECT log, 'P2', 'record', p, NULL, NULL, since, until FROM part
WHERE NOT list_has_all(replicas, isr) OR len(replicas) = 0
UNION ALL
-- P3: a partition whose ISR is empty has no leader (record).
SELECT log, 'P3', 'record', p, NULL, NULL, since, until FROM part WHERE len(isr) = 0 AND leader <> -1
UNION ALL
-- P4: no broker is in the ISR and eligible beside it (record).
SELECT log, 'P4', 'record', p, unnest(list_intersect(isr, elr))::VARCHAR, NULL, since, until FROM part
UNION ALL
-- P5: eligible leader replicas are replicas (record).
SELECT log, 'P5', 'record', p, NULL, NULL, since, until FROM part WHERE NOT list_has_all(replicas, elr)
UNION ALL
-- P7: no fenced or unregistered broker is in an ISR, but the last of a leaderless partition (result).
SELECT log, 'P7', 'result', p, x::VARCHAR, NULL, since, until FROM met WHERE fenced OR NOT registered
UNION ALL
-- P7s: no broker that shuts down is in an ISR, but the last of a leaderless partition (result).
SELECT log, 'P7s', 'result', p, x::VARCHAR, NULL, since, until FROM met WHERE shutdown
UNION ALL
-- P7r: no fenced broker is in an ISR, but the last of a leaderless partition (record).
SELECT log, 'P7r', 'record', p, x::VARCHAR, NULL, since, until FROM met WHERE fenced
UNION ALL
-- P12: a leader that recovers is alone in the ISR (record).
SELECT a.log, 'P12', 'record', a.p, a.x::VARCHAR, b.x::VARCHAR, a.since, a.until
FROM in_sync a JOIN in_sync b USING (log, p, since) JOIN part USING (log, p, since)
WHERE part.recovery = 1 AND a.x <> b.x
UNION ALL
-- P13: who is being added or removed is a replica (record).
SELECT log, 'P13', 'record', p, NULL, NULL, since, until FROM part WHERE NOT list_has_all(replicas, adding || removing)
UNION ALL
-- P13b: no replica is being added and removed at once (record).
SELECT log, 'P13b', 'record', p, NULL, NULL, since, until FROM part WHERE list_has_any(adding, removing)
UNION ALL
-- P17: no two topics have one name (record).
SELECT a.log, 'P17', 'record', NULL, a.topic, NULL, greatest(a.since, b.since), least(a.until, b.until)
FROM topic_span a JOIN topic_span b
  ON b.log = a.log AND b.name = a.name AND b.topic <> a.topic AND a.since < b.until AND b.since < a.until
WHERE a.live AND b.live
UNION ALL
-- K6: each directory belongs to at most one broker (record).
SELECT a.log, 'K6', 'record', NULL, a.broker::VARCHAR, b.broker::VARCHAR,
       greatest(a.since, b.since), least(a.until, b.until)
FROM owns a JOIN owns b
  ON b.log = a.log AND b.directory = a.directory AND b.broker <> a.broker AND a.since < b.until AND b.since < a.until
WHERE a.registered AND b.registered
UNION ALL
-- C19: a topic's partitions are numbered from 0 on, none is left out, and there is one at least (result).
SELECT log, 'C19', 'result', topic || '-' || number, NULL, NULL, since, until FROM beside
WHERE alive AND number > 0 AND NOT preceded
UNION ALL
SELECT log, 'C19', 'result', topic, NULL, NULL, since, until FROM first_of WHERE live AND NOT alive
UNION ALL
-- B5: no broker has a directory under a reserved id (record).
SELECT log, 'B5', 'record', NULL, broker::VARCHAR, NULL, since, until FROM owns
WHERE directory IN ('AAAAAAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAQ', 'AAAAAAAAAAAAAAAAAAAAAg');

-- At results only boundaries count: intervals of their ordinals, of both scopes closed at either end.
CREATE TABLE held AS
WITH near AS (
    SELECT f.*, b.ordinal AS first FROM falsity f ASOF LEFT JOIN boundary b ON f.log = b.log AND f.since <= b.place
), both_ends AS (
    SELECT n.*, b.ordinal AS last FROM near n ASOF LEFT JOIN boundary b ON n.log = b.log AND n.until > b.place
)
SELECT log, property, scope, p, x, y,
       CASE scope WHEN 'record' THEN since ELSE first END AS first,
       CASE scope WHEN 'record' THEN until - 1 ELSE last END AS last
FROM both_ends WHERE scope = 'record' OR (first IS NOT NULL AND last IS NOT NULL AND first <= last);

-- An invariant of states is reported where it begins to be false.
CREATE TABLE begins AS
WITH marked AS (
    SELECT *, max(last) OVER (PARTITION BY log, property, p, x, y ORDER BY first, last
                              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS so_far
    FROM held
)
SELECT log, property, scope, p, x, y, first FROM marked WHERE so_far IS NULL OR first > so_far + 1;

-- What was created, and which of its replicas are active there.
CREATE TABLE created AS
WITH member AS (
    SELECT log, topic, number, since, unnest(is_.replicas) AS broker, generate_subscripts(is_.replicas, 1) AS at
    FROM partition_span WHERE kind = 'record' AND NOT was_alive AND NOT snapshot
)
SELECT m.log, m.topic, m.number, m.since, bool_and(b.registered) AS registered,
       coalesce(list(m.broker ORDER BY m.at)
                FILTER (WHERE b.registered AND NOT b.fenced AND NOT b.shutdown), []) AS active
FROM member m JOIN broker_span b
  ON b.log = m.log AND b.broker = m.broker AND b.since < m.since AND m.since <= b.until
GROUP BY ALL;

-- metadata.version as records say it.
CREATE TABLE version_span AS
SELECT log, place AS since, coalesce(lead(place) OVER w, forever()) AS until,
       CASE type WHEN 'ABORT_TRANSACTION_RECORD' THEN 0 ELSE level END AS level
FROM record
WHERE (type = 'FEATURE_LEVEL_RECORD' AND name = 'metadata.version') OR type = 'ABORT_TRANSACTION_RECORD'
WINDOW w AS (PARTITION BY log ORDER BY place);

CREATE TABLE broken AS
WITH step AS (
    SELECT s.log, topic || '-' || number AS p, topic, number, s.since, unit, events, was, is_, v.level,
           is_.leader <> -1 AND is_.leader <> was.leader AS elected,
           list_contains(was.isr || was.elr, is_.leader) AS was_safe,
           (len(was.removing) > 0 OR len(was.adding) > 0) AND len(is_.removing) = 0 AND len(is_.adding) = 0 AS ended
    FROM partition_span s LEFT JOIN version_span v ON v.log = s.log AND v.since < s.since AND s.since <= v.until
    WHERE alive AND was_alive AND NOT snapshot
), registration AS (
    SELECT log, broker, since, unit, type, registered, epoch, incarnation, broker_epoch, fenced, shutdown,
           lag(registered) OVER w AS was_registered, lag(epoch) OVER w AS was_epoch,
           lag(incarnation) OVER w AS was_incarnation, lag(fenced) OVER w AS was_fenced,
           lag(shutdown) OVER w AS was_shutdown, snapshot
    FROM broker_span WINDOW w AS (PARTITION BY log, broker ORDER BY since)
), epochs AS (
    SELECT *, max(epoch) FILTER (WHERE registered) OVER (PARTITION BY log ORDER BY since
                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest
    FROM registration WHERE type = 'REGISTER_BROKER_RECORD'
), version_unit AS (
    SELECT log, unit, max(place) AS since, bool_or(snapshot) AS snapshot,
           arg_max(CASE type WHEN 'ABORT_TRANSACTION_RECORD' THEN 0 ELSE level END, place) AS level
    FROM record
    WHERE (type = 'FEATURE_LEVEL_RECORD' AND name = 'metadata.version') OR type = 'ABORT_TRANSACTION_RECORD'
    GROUP BY log, unit
), version_step AS (
    SELECT *, lag(level) OVER (PARTITION BY log ORDER BY since) AS was FROM version_unit
), blocks AS (
    SELECT log, place, next_id, lag(next_id) OVER (PARTITION BY log ORDER BY place) AS was, snapshot
    FROM record WHERE type = 'PRODUCER_IDS_RECORD'
)
-- P8: a change raises the partition epoch by one, and the leader epoch by one or not at all (record).
SELECT log, 'P8' AS property, 'record' AS scope, p, NULL::VARCHAR AS x, since AS place, 1 AS events FROM step
WHERE NOT (is_.partition_epoch = was.partition_epoch AND is_.leader_epoch = was.leader_epoch AND is_.isr = was.isr
           AND is_.leader = was.leader AND is_.elr = was.elr AND is_.replicas = was.replicas
           AND is_.recovery = was.recovery)
  AND NOT (is_.partition_epoch = was.partition_epoch + 1
           AND is_.leader_epoch IN (was.leader_epoch, was.leader_epoch + 1))
UNION ALL
-- P9: another leader has another leader epoch (record).
SELECT log, 'P9', 'record', p, NULL, since, 1 FROM step
WHERE is_.leader <> was.leader AND is_.leader_epoch = was.leader_epoch
UNION ALL
-- P10: who was elected cleanly was safe, or proposed by the leader, or put into the ISR by what ended (record).
SELECT log, 'P10', 'record', p, NULL, since, 1 FROM step
WHERE elected AND is_.recovery = 0 AND NOT was_safe
  AND NOT ((ended OR was.leader <> -1) AND list_contains(is_.isr, is_.leader))
UNION ALL
-- P11: a leader from outside the ISR that was not proposed is its only member and recovers (record).
SELECT log, 'P11', 'record', p, NULL, since, 1 FROM step
WHERE elected AND NOT was_safe AND NOT ended AND was.leader = -1
  AND NOT (is_.isr = [is_.leader] AND is_.recovery = 1)
UNION ALL
-- P15: when a replica leaves, or before 3.6-IV0 a member of the ISR, the leader epoch rises (record).
SELECT log, 'P15', 'record', p, NULL, since, 1 FROM step
WHERE (NOT list_has_all(is_.replicas, was.replicas) OR (level < 12 AND NOT list_has_all(is_.isr, was.isr)))
  AND is_.leader_epoch <> was.leader_epoch + 1
UNION ALL
-- P8r: a change changes something (result).
SELECT log, 'P8r', 'result', p, NULL, since, events FROM step
WHERE is_.partition_epoch <> was.partition_epoch AND is_.isr = was.isr AND is_.leader = was.leader
  AND is_.elr = was.elr AND is_.last_known = was.last_known AND is_.last_nobody = was.last_nobody
  AND is_.replicas = was.replicas AND is_.removing = was.removing AND is_.adding = was.adding
  AND is_.recovery = was.recovery AND is_.location = was.location
UNION ALL
-- P30: only members of the ISR become eligible leader replicas (result).
SELECT log, 'P30', 'result', p, x::VARCHAR, since, events
FROM (SELECT *, unnest(list_filter(is_.elr, lambda one: NOT list_contains(was.elr || was.isr, one))) AS x FROM step)
UNION ALL
-- L19: metadata.version never goes back across a level at which metadata changed its form (result).
SELECT log, 'L19', 'result', NULL, NULL, since, 1 FROM version_step
WHERE was >= 1 AND NOT snapshot
  AND len(list_filter([8, 11, 13, 14, 15, 17, 23, 30, 32, 33], lambda gate: level < gate AND gate <= was)) > 0
UNION ALL
-- P27: a partition is created on registered brokers (record).
SELECT log, 'P27', 'record', topic || '-' || number, NULL, since, 1 FROM created WHERE NOT registered
UNION ALL
-- P33: a partition begins at epochs 0, its active replicas in sync, led by the first of them (record).
SELECT s.log, 'P33', 'record', s.topic || '-' || s.number, NULL, s.since, 1
FROM partition_span s LEFT JOIN created c USING (log, topic, number, since)
WHERE s.kind = 'record' AND NOT s.was_alive AND NOT s.snapshot
  AND NOT (is_.leader_epoch = 0 AND is_.partition_epoch = 0 AND len(coalesce(active, [])) > 0
           AND is_.leader = active[1] AND is_.isr = active AND is_.recovery = 0 AND len(is_.removing) = 0
           AND len(is_.adding) = 0 AND len(is_.elr) = 0 AND len(is_.last_known) = 0)
UNION ALL
-- K1: epochs of registrations with a new incarnation increase, over all brokers (row).
SELECT log, 'K1', 'row', NULL, broker::VARCHAR, since, 1 FROM epochs
WHERE epoch <= highest AND NOT (was_registered AND was_incarnation = incarnation) AND NOT snapshot
UNION ALL
-- K3: registering again as the same incarnation keeps epoch, fencing and controlled shutdown (row).
SELECT log, 'K3', 'row', NULL, broker::VARCHAR, since, 1 FROM epochs
WHERE was_registered AND was_incarnation = incarnation AND NOT snapshot
  AND NOT (epoch = was_epoch AND fenced = was_fenced AND shutdown = was_shutdown)
UNION ALL
-- K5: what changes or ends a registration names a registered broker with its current epoch (row).
SELECT log, 'K5', 'row', NULL, broker::VARCHAR, since, 1 FROM registration
WHERE type IN ('BROKER_REGISTRATION_CHANGE_RECORD', 'UNREGISTER_BROKER_RECORD') AND NOT snapshot
  AND NOT (was_registered AND was_epoch = broker_epoch)
UNION ALL
-- P17c: what changes a partition names one that there is (row).
SELECT log, 'P17c', 'row', topic || '-' || number, NULL, since, 1 FROM partition_span WHERE kind = 'change' AND NOT alive
UNION ALL
-- L10: producer ids rise, so that each block has one owner (row).
SELECT log, 'L10', 'row', NULL, NULL, place, 1 FROM blocks WHERE next_id <= was AND NOT snapshot
UNION ALL
-- gap: no offset is missing (log).
SELECT log, 'gap', 'log', NULL, NULL, base, 1 FROM batch WHERE NOT again AND base > before + 1
UNION ALL
-- order: no offset comes twice (log).
SELECT log, 'order', 'log', NULL, NULL, base, 1 FROM batch WHERE base <= before
UNION ALL
-- epoch: the leader epoch never falls, and rises with one leader change, the first record of every epoch (log).
SELECT log, 'epoch', 'log', NULL, NULL, base, 1 FROM batch
WHERE NOT again AND (epoch < epoch_before OR (epoch = epoch_before AND opens) OR (epoch > epoch_before AND NOT opens));

-- All of it: what is false from an offset on, or in the step to it. Of results the offset is the end of the unit.
CREATE TABLE violation AS
SELECT b.log, property, scope, p, x, y, r."offset", r.unit, 1 AS events
FROM begins b JOIN (SELECT log, place, any_value("offset") AS "offset", any_value(unit) AS unit FROM record GROUP BY ALL) r
  ON r.log = b.log AND r.place = b.first WHERE scope = 'record'
UNION ALL
SELECT b.log, property, scope, p, x, y, e."offset", e.unit, 1
FROM begins b JOIN boundary e ON e.log = b.log AND e.ordinal = b.first WHERE scope = 'result'
UNION ALL
SELECT b.log, property, scope, p, x, NULL, CASE scope WHEN 'result' THEN e."offset" ELSE r."offset" END, r.unit, events
FROM broken b JOIN record r USING (log, place) JOIN boundary e ON e.log = r.log AND e.unit = r.unit WHERE scope <> 'log'
UNION ALL
SELECT log, property, scope, NULL, NULL, NULL, place, NULL, 1 FROM broken WHERE scope = 'log';
