#!/bin/bash
# geometry.t - the result says where its columns are: a straight cable against
# what is known of it, trees against their areas and sections, on any ranks.
# shellcheck disable=SC2016  # awk's programs
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_ncdump
own_folder
diagnose="cat out"

# A soma of 20 um along x, a dendrite of 100 um behind it, a second soma that
# nothing connects.
cat >cable.swc <<END
1 1 0 0 0 5 -1
2 1 20 0 0 5 1
3 3 120 0 0 5 2
END
sed '$a 4 1 0 90 0 1 -1\n5 1 0 130 0 1 4' cable.swc >apart.swc
cat >job.yaml <<END
name: places
tstop: 0.5
populations:
  - {name: cable, morphologies: cable.swc, count: 2, regions: {all: {pas: {}}},
     discretisation: {policy: per_section, per_section: 5}}
  - {name: apart, morphologies: apart.swc, regions: {all: {pas: {}}},
     discretisation: {policy: per_section, per_section: 1}}
  - {name: real, morphologies: "$BOSC_SRC/morphologies/small-high.swc",
     count: 2, regions: {all: {pas: {}}}}
  - {name: forest, synthetic: {compartments: 76, sections: 29}, count: 3,
     regions: {all: {pas: {}}}}
probes:
  - {name: soma, at: soma}
  - {name: mid, population: cable, at: "dend[0](0.5)"}
  - {name: tree, at: everywhere}
  - {name: forest, population: forest, at: everywhere}
END
alone job.yaml -o one.nc
ok "a job records everywhere" [ -f one.nc ]

# lists FILE NAME...: columns of the file side by side, one row a column.
lists() {
    local file=$1 name
    shift
    for name; do
        ncdump -p 7,15 -v "$name" "$file" | sed -n '/^data:/,$p' |
            tr -d '\n ' | sed "s/.*$name=//; s/;.*//" | tr ',' '\n' >"$name.list"
        echo >>"$name.list"
    done
    paste "${@/%/.list}"
}
first() { awk "NR <= $1"; }
# awk's END block decides; c() compares to 6 digits
test_with() { # PROGRAM
    awk 'function near(a, b) { return (a - b) ^ 2 <= 1e-12 * (b * b + 1e-6) }
         BEGIN { pi = 3.14159265358979 } '"$1"' END { exit NR == 0 || wrong > 0 }'
}

lists one.nc tree_x3d tree_y3d tree_z3d tree_diam tree_area tree_distance \
    tree_parent tree_gid >tree
cp tree out
ok "a cable along x has its compartments at their centres" eval \
    'first 13 <tree | test_with "{
        i = NR - 2
        x = NR == 1 ? 0 : NR == 7 ? 20 : NR == 13 ? 120 : i < 5 ? 2 + 4 * i : 30 + 20 * (i - 6)
        wrong += !near(\$1, x) || \$2 != 0 || \$3 != 0 }"'
ok "its path counts from the middle of the soma" eval \
    'first 13 <tree | test_with "{
        d = \$1 - 10; wrong += !near(\$6, d < 0 ? -d : d) }"'
ok "its diameter is the cable'\''s" eval \
    'first 13 <tree | test_with "{ wrong += !near(\$4, 10) }"'
ok "areas are those of cylinders, of ends 0" eval \
    'first 13 <tree | test_with "{
        a = NR == 1 || NR == 7 || NR == 13 ? 0 : NR < 7 ? 40 * pi : 200 * pi
        wrong += !near(\$5, a) }"'
ok "parents are the columns before" eval \
    'first 26 <tree | test_with "{ wrong += \$7 != (NR == 1 || NR == 14 ? -1 : NR - 2) }"'
ok "what is not connected with the soma has no path to it, and no parent" eval \
    'test_with "\$8 == 2 && \$2 >= 90 { n++; wrong += \$6 != \"NaNf\" && \$6 != \"NaN\" && \$6 != \"nan\"
        roots += \$7 == -1 } END { wrong += n != 3 || roots != 1 }" <tree'
ok "parents are of the same neuron, and come first" eval \
    'test_with "{ gid[NR - 1] = \$8
        wrong += \$7 >= NR - 1 || (\$7 >= 0 && gid[\$7] != \$8) }" <tree'
ok "neurons of one file have one shape" eval \
    '[ "$(awk "\$8 == 3" tree | cut -f 1-6)" = "$(awk "\$8 == 4" tree | cut -f 1-6)" ]'
ok "synthetic neurons each have another" eval \
    '[ "$(awk "\$8 == 5" tree | cut -f 1-6)" != "$(awk "\$8 == 6" tree | cut -f 1-6)" ]'
lists one.nc neuron_area >areas
ok "the areas of columns sum to those of neurons" eval \
    'awk "{ print \$5, \$8 }" tree | cat areas - | test_with "
        NF == 1 { area[n++] = \$1 } NF == 2 { sum[\$2] += \$1 }
        END { for (i in area) wrong += (sum[i] / area[i] - 1) ^ 2 > 1e-12 }"'
# How far a column is from its parent is at most the path between them.
ok "no step in space is longer than the path" eval \
    'test_with "{ x[NR-1] = \$1; y[NR-1] = \$2; z[NR-1] = \$3; d[NR-1] = \$6 }
        \$7 > 0 && d[\$7] > 20 { r = sqrt((\$1 - x[\$7]) ^ 2 + (\$2 - y[\$7]) ^ 2 + (\$3 - z[\$7]) ^ 2)
            n++; wrong += r > \$6 - d[\$7] + 1e-3 } END { wrong += n < 100 }" <tree'
lists one.nc soma_x3d soma_diam soma_area soma_distance soma_parent \
    soma_gid soma_compartment >soma
cp soma out
lists one.nc tree_x3d tree_diam tree_area tree_distance tree_gid \
    tree_compartment >tree
ok "a probe of somata alone says the same of them" eval \
    'awk "NR == FNR { at[\$6, \$7] = \$1 \" \" \$2 \" \" \$3 \" \" \$4; next }
        (\$5, \$6) in at { n++; wrong += at[\$5, \$6] != \$1 \" \" \$2 \" \" \$3 \" \" \$4 }
        END { exit n != 8 || wrong > 0 }" soma tree'
ok "and its columns have no parents" eval '[ "$(cut -f 5 soma | sort -u)" = -1 ]'
lists one.nc mid_x3d mid_distance mid_parent mid_area >mid
ok "so does one in the middle of a dendrite" eval \
    '[ "$(sort -u mid | cut -f 1-3)" = "$(printf "70\t60\t-1")" ]'
lists one.nc forest_parent >forest
ok "parents are numbered within their probe" eval \
    '[ "$(head -n 2 forest | tr "\n" " ")" = "-1 0 " ] && [ "$(sed -n 77p forest)" = -1 ]'

# A network whose synapses are found on the tree keeps synthetic templates.
sed '$a synapses: [{name: s, type: ExpSyn, tau: 2, e: 0}]\
projections: [{from: cable, to: forest, rule: all_to_all, synapse: s, weight: 0, delay: 1, at: {region: dendrite}}]' job.yaml >kept.yaml
alone kept.yaml -o kept.nc
ok "with other ways of making neurons they are where they were" eval \
    '[ -f kept.nc ] && ncdump -p 9,17 one.nc >one && ncdump -p 9,17 kept.nc >kept &&
     cmp -s <(sed -n "/^ tree_x3d/,/tree_distance/p" one) <(sed -n "/^ tree_x3d/,/tree_distance/p" kept)'
if [ -n "${MPIEXEC:-}" ]; then
    run 3 job.yaml -o three.nc
    ok "three ranks write the same" nc_same one.nc three.nc
else
    skip "no MPI launcher"
fi
units() { ncdump -h one.nc | grep -qF "tree_$1:units = \"$2\""; }
ok "positions, areas and paths have units" eval \
    'units x3d um && units diam um && units area um2 && units distance um && units parent 1'
done_testing
