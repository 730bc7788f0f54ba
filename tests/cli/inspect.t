#!/bin/bash
# inspect.t - 'bosc inspect': the counts of files, and what becomes of them.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"

own_folder
diagnose="cat out err differences"

# A soma and a fork; the same with flaws; three files that are none.
cat >good.swc <<'END'
1 1 0 0 0 6.5 -1
2 3 0 106.5 0 0.75 1
3 3 0 206.5 0 0.6 2
4 3 30 246.5 0 0.5 3
5 3 -30 246.5 0 0.5 3
END
cat >flawed.swc <<'END'
1 1 0 0 0 6.5 -1
2 3 0 106.5 0 -0.75 1
3 3 0 206.5 0 -0.6 2
5 3 -30 246.5 0 0 3
4 3 30 246.5 0 0 3 8
hello
END
printf '1 1 0 0 0 5 -1\n2 3 0 0 1 1 3\n3 3 0 0 2 1 2\n' >ring.swc
: >empty.swc
awk 'BEGIN {
    print "1 1 0 0 0 5 -1"
    for (i = 2; i <= 1234; ++i)
        print i, 3, 0, 0, 5 + i, 0.5, i - 1
}' >long.swc

inspect() {
    timeout 300 "$BOSC" inspect "$@" >out 2>err </dev/null
    rc=$?
}
warns() { grep -qE -- "$1" err; }
lines() { [ "$(wc -l <"$1")" = "$2" ]; }
# The TSV column of this name in the first row.
cell() {
    awk -F'\t' -v name="$1" '
        NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) column = k }
        NR == 2 { print $column }' out
}

inspect --tsv good.swc
ok "a good file is shown" is $rc 0
ok "the first line names the columns" says "^$(printf '%s\t' file samples \
    roots branch_points tips length_um sections levels compartments area_um2 repairs)differs\$"
ok "the counts are those of the file" says \
    "^$(printf '%s\t' good.swc 5 1 1 2 306.5)4"
ok "nothing is said on standard error" lines err 0
inspect --tsv --policy per_section good.swc
ok "one compartment a section, an end each, and the root" is "$(cell compartments)" 9
inspect --tsv --per-section 3 good.swc
ok "three compartments a section" is "$(cell compartments)" 17
ok "a fork below the soma makes three levels" is "$(cell levels)" 3
inspect --tsv --max-length 25 good.swc
fine=$(cell compartments)
inspect --tsv --policy max_length --max-length 50 good.swc
ok "shorter compartments are more" [ "$fine" -gt "$(cell compartments)" ]
inspect --tsv --d-lambda 0.02 good.swc
thin=$(cell compartments)
inspect --tsv --d-lambda 0.02 --Ra 354 good.swc
ok "d_lambda cuts finer where the axial resistance is large" \
    [ "$thin" -lt "$(cell compartments)" ]
inspect --tsv --policy per_sample long.swc
# 1232 frusta and the 2 of the soma, 2 ends, the root.
ok "per_sample makes a compartment of every frustum, and one of the soma" is "$(cell compartments)" 1236

inspect --tsv flawed.swc
ok "a flawed file is repaired" is $rc 0
ok "its counts are of the file as it stands" says \
    "^$(printf '%s\t' flawed.swc 5 1 1 2 306.5)4"
ok "its repairs are counted" is "$(cell repairs)" 6
inspect flawed.swc
ok "the table shows the first repair of each kind" says \
    '^  flawed.swc:2: radius is -0.75, sign ignored \(and 1 more like this\)$'
ok "a repair tells line, defect and remedy" says \
    '^  flawed.swc:6: only 1 of 7 columns, line dropped$'
ok "a table of one file has no total" lines out 9
inspect --repairs flawed.swc
ok "all repairs are shown on request" lines out 11
inspect --strict flawed.swc
ok "strict mode refuses the file" is $rc 65
ok "with its line and what to do" warns '^bosc inspect: flawed.swc:6: .*; correct'

inspect long.swc good.swc
ok "the table separates thousands" says '^ +1,234 +1,239 .* long.swc$'
ok "two files have a total" says '^ +1,239 +1,54[56] .* total of 2 files$'
ok "the columns are aligned" [ "$(awk 'NR > 1 && !/total/ { $0 = substr($0, 1,
    index($0, ".swc")); sub(/[a-z]+\.$/, ""); print length($0) }' out | sort -u | wc -l)" = 2 ]

cp good.swc a-file-with-a-long-name.swc
inspect long.swc ./a-file-with-a-long-name.swc
ok "long names are above their numbers" eval \
    "says '^long.swc\$' && says '^./a-file-with-a-long-name.swc\$' && says '^total of 2 files\$'"

inspect --tsv ring.swc good.swc empty.swc none.swc . good.swc
ok "refused files end in exit code 65" is $rc 65
ok "the others are shown all the same" lines out 3
ok "a ring is refused with its line" warns '^bosc inspect: ring.swc:2: .* ring of 2'
ok "an empty file is refused" warns 'empty.swc:1: no sample'
ok "a missing file is refused" warns 'none.swc: cannot be opened: No such'
ok "a folder is refused" warns '\.: is a folder; name its files: \./\*\.swc'
ok "the refused are counted at the end" is "$(tail -n 1 err)" \
    "bosc inspect: 4 of 6 files refused"
cat >axon.swc <<'END'
1 1 0 0 0 5 -1
2 2 0 20 0 1 1
3 2 0 60 0 1 2
4 2 20 90 0 0.5 3
5 2 -20 90 0 0.5 3
6 3 0 -40 0 1 1
7 3 0 -90 0 1 6
END
inspect --sections --tsv --odd-per 40 --axon stub axon.swc
ok "sections are listed" is "$rc: $(sed 's/.swc//' out | tr '\t' ' ')" "0: $(
    cat <<'END'
file section type parent parent_x length_um diameter_um area_um2 compartments distance_um order
axon soma[0] 1 - 0 10 10 314.159265358979 1 0 0
axon dend[0] 3 soma[0] 0.5 50 2 314.159265358979 3 25 0
axon axon[0] 2 soma[0] 0.5 30 1 94.2477796076938 1 15 0
axon axon[1] 2 axon[0] 1 30 1 94.2477796076938 1 45 0
END
)"
inspect --sections axon.swc
ok "for people, too, with branch orders" eval \
    "says '^ axon\[0\] +2 soma\[0\] +0.5 +40.000 .* 0\$' && says '^ axon\[2\] +2 axon\[0\] +1 +36.056 .* 1\$'"
inspect --axon bbp_v6 good.swc
ok "a rule that needs more axon names file and remedy" warns \
    "good.swc: the number of axon sections is 0, axon rule 'bbp_v6' needs 3; take another rule"
inspect --axon given axon.swc
ok "an axon by hand is of jobs alone" is $rc 2
inspect --sections --tsv --attach 'soma(1)' axon.swc
ok "sections are attached elsewhere" is "$(cut -f 5 out | tr '\n' ' ')" "parent_x 0 1 1 1 1 "

cp good.swc "$(printf 'tab\there.swc')"
inspect --tsv "$(printf 'tab\there.swc')"
ok "a tab in a name does not add a column" says '^tab\?here\.swc'
timeout 300 "$BOSC" inspect --tsv /dev/stdin <good.swc >out 2>err
ok "standard input can be inspected" says "^/dev/stdin$(printf '\t')5"
if [ -w /dev/full ]; then
    timeout 300 "$BOSC" inspect good.swc >/dev/full 2>err
    ok "a full disk is an error" is $? 74
    ok "and said" warns 'standard output: cannot be written: No space'
else
    skip "no /dev/full"
    skip "no /dev/full"
fi

# The other formats: one neuron, a cylinder of 10 um and a fork.
printf '( (Axon) (0 0 0 1) (10 0 0 1) ( (20 0 0 1) | (10 9 0 1) ) )\n' >a.asc
gzip -c a.asc >b.ASC.GZ
printf '1 2 0 0 0 0.5 -1\n2 2 10 0 0 0.5 1\n3 2 20 0 0 0.5 2\n4 2 10 9 0 0.5 2\n' |
    gzip >c.swc.gz
printf 'section\tlength\tdiameter\tparent\n%s' "$(printf '%s\t%d\t1\t%s\n' \
    axon 10 - axon1 10 axon axon2 9 axon)" >d.cylinders.tsv
printf '<morphology>%s</morphology>\n' "$(
    printf '<segment id="%s">%s<distal x="%s" y="%s" z="0" diameter="1"/></segment>' \
        0 '<proximal x="0" y="0" z="0" diameter="1"/>' 10 0 \
        1 '<parent segment="0"/>' 20 0 2 '<parent segment="0"/>' 10 9
)<segmentGroup id=\"axon_group\"><member segment=\"0\"/></segmentGroup>" \
    >e.nml
formats='a.asc b.ASC.GZ c.swc.gz d.cylinders.tsv'
inspect e.nml
warns 'without expat' || formats="$formats e.nml"
for file in $formats; do
    inspect --tsv "$file"
    ok "$file is read" is $rc 0
    ok "$file has 3 sections" is "$(cell sections)" 3
    ok "$file has the area of its cylinders" is "$(cell area_um2)" 91.106
done
inspect b.ASC.GZ a.asc/
ok "a path behind a file is refused" warns 'a.asc/: cannot be opened: Not a'
head -c 40 b.ASC.GZ >cut.asc.gz
inspect cut.asc.gz
ok "a compressed file that is cut off is refused" warns 'cut.asc.gz: .* cut off'

# Files that NEURON's Import3d reads differently, each with the row of the table
# in src/morphology/README.md that describes it: NAME, ROW, LINE, SAMPLES.
differs() {
    printf '%s\n' "${@:4}" >"$1.swc"
    inspect "$1.swc"
    ok "NEURON reads a file differently: $2" eval "unwrapped out |
        grep -qE ' $1.swc:$3: NEURON reads this differently: $2( \\(|  ?\$)'"
    ok "the table has the row: $2" \
        grep -qE "^\| $2[ ,|]" "$BOSC_SRC/src/morphology/README.md"
}
differs order 'order of lines' 5 '1 1 0 0 0 5 -1' '2 3 0 9 0 1 1' \
    '3 3 0 19 0 1 2' '4 2 0 -9 0 1 1' '5 3 0 29 0 1 3'
differs fork 'first soma sample forks' 1 '1 1 0 0 0 5 -1' '2 3 0 9 0 1 1' \
    '3 3 0 19 0 1 2' '4 1 4 0 0 5 1'
differs three 'three-point soma not on consecutive lines' 1 '1 1 0 0 0 5 -1' \
    '2 1 0 5 0 5 1' '3 3 9 0 0 1 1' '4 1 0 -5 0 5 1'
differs place 'section without length' 1 '1 1 0 0 0 5 -1' '2 1 0 0 0 5 1' \
    '3 3 9 0 0 1 2'
differs stem 'stem of one sample where the soma forks' 4 '1 1 0 0 0 5 -1' \
    '2 1 0 5 0 5 1' '3 1 0 -5 0 4 1' '4 3 9 0 0 1 1'
differs zero 'radius of zero' 3 '1 1 0 0 0 5 -1' '2 3 9 0 0 1 1' '3 3 19 0 0 0 2'
differs roots 'second root' 2 '1 1 0 0 0 5 -1' '2 1 40 0 0 5 -1'
inspect --tsv order.swc fork.swc
ok "programs read in how many ways it differs" is "$(cell differs)" 1
inspect good.swc
ok "of a file that NEURON reads alike nothing is said" eval '! says NEURON'

# SENTENCE, MESSAGE, ARGUMENTS...
misuse() {
    inspect "${@:3}"
    ok "$1: wrong use" is $rc 2
    ok "$1: says how" warns "$2"
}
misuse "no file" 'FILE is missing; usage: bosc inspect FILE'
misuse "an unknown option" '--frob: no such option.*--help' --frob good.swc
misuse "a missing value" '--policy: needs a value' good.swc --policy
misuse "an unknown policy" 'd_lambda, max_length, per_section, per_sample' \
    --policy fine good.swc
misuse "contradicting policies" '--max-length means.*--policy means per_sample' \
    --policy per_sample --max-length 20 good.swc
misuse "a word for a number" '--max-length wide: not a number from 0.001' \
    --max-length wide good.swc
misuse "a length of zero" '--max-length 0: not a number' --max-length 0 good.swc
misuse "half a compartment" '--per-section 0.5: not a whole number from 1' \
    --per-section 0.5 good.swc
inspect --help
ok "the help is shown on request" is $rc 0
ok "on standard output" says '^usage: bosc inspect'

# agrees FOLDER OUT: every row of OUT has its counts in FOLDER/INDEX.tsv.
agrees() {
    awk -F'\t' '
        FNR == 1 { delete at; for (k = 1; k <= NF; ++k) at[$k] = k }
        { row = "" ; n = split("samples roots branch_points tips length_um", name, " ")
          for (k = 1; k <= n; ++k) row = row " " $(at[name[k]]) }
        FNR == 1 { next }
        { sub(/.*\//, "", $1) }
        NR == FNR { index_of[$1] = row; next }
        { rows++ }
        index_of[$1] != row { print $1 ":" row " is not" index_of[$1]; bad = 1 }
        END { exit bad || rows == 0 }' "$1/INDEX.tsv" "$2" >differences
}
shared=${BOSC_SHARED:-$BOSC_SRC/../shared}
for folder in "$shared/morphologies-real" "$shared/morphologies-bad"; do
    case $folder in *-bad) kind=malformed ;; *) kind=published ;; esac
    if [ ! -r "$folder/INDEX.tsv" ]; then
        skip "$kind morphologies are not at hand"
        skip "$kind morphologies are not at hand"
        continue
    fi
    inspect --tsv "$folder"/*.swc
    ok "${folder##*/} counts as in its index" agrees "$folder" out
    total=$(($(wc -l <"$folder/INDEX.tsv") - 1))
    ok "each file of ${folder##*/} is shown or refused" is $total \
        $(($(wc -l <out) - 1 + $(grep -c 'swc:[0-9]*: ' err)))
done

# Files of which NEURON 8.2.2 and 9.0.2 make other sections, areas or
# attachments (tests/science/compare-neuron.py).
cat >differing <<'END'
754538881
H15-06-016-01-03-02_549378277_m.CNG
HSN-fluoro05.CNG
HSN-fluoro08.CNG
Image001-005-01.CNG
Layer-5-Sucrose-1.CNG
cb7c.CNG
control-14-wt.CNG
cr22b.CNG
knock-in-5.CNG
morph_ca1_n120
n20fts.CNG
n3fts.CNG
pv22e.CNG
traub2005_stellate
traub2005_suppyr
traub2005_tufted
v_e_purk2.CNG
v_e_purk3.CNG
END
if [ -r "$shared/morphologies-real/INDEX.tsv" ]; then
    inspect --tsv "$shared/morphologies-real"/*.swc
    awk -F'\t' 'NR > 1 && $NF > 0 { sub(/.*\//, "", $1); sub(/\.swc$/, "", $1)
        print $1 }' out | LC_ALL=C sort | diff differing - >differences
    ok "the published files that NEURON reads differently are named, no others" \
        is $? 0
else
    skip "no published files"
fi
done_testing
