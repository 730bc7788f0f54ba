#!/bin/bash
# keys.t - jobs/reference.yaml and the manual page say of each key what the
# program's own table says.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
own_folder
diagnose="cat out"
export PYTHONDONTWRITEBYTECODE=1
[ -n "$(find_python re)" ] || skip_all "python3 is not installed"
document=$BOSC_SRC/build-aux/document-keys
reference=$BOSC_SRC/jobs/reference.yaml

"$BOSC" run --help-keys >keys
for file in jobs/reference.yaml src/bosc.1; do
    report "$file is what 'make reference' makes" "$(
        "$document" "$BOSC_SRC/$file" <keys 2>&1 | diff "$BOSC_SRC/$file" - | head
    )"
done

# made_of FILE: the reference that is made of it.
made_of() { "$document" "$1" <keys >made.yaml 2>out && cmp -s "$reference" made.yaml; }
grep -v '^ \{26,\}# ' "$reference" | sed -E 's/^(dt|tstop|    tau):.*/\1: 7/' >bare.yaml
sed -i 's/^tstop: 7/tstop: 10/' bare.yaml
ok "comments and defaults that are wrong or missing are written" made_of bare.yaml
grep -v '  celsius:\|^celsius:' "$reference" >lacking.yaml
refuses() { ! "$document" lacking.yaml <keys >/dev/null 2>out; }
ok "a reference that lacks a key is refused" refuses
ok "and the key is named" grep -q 'lacks celsius$' out

"$BOSC" run --dry-run "$reference" >out 2>&1 </dev/null
ok "the reference is a valid job" is $? 0
done_testing
