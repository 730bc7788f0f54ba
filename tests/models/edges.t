#!/bin/bash
# edges.t - lists of edges with places, kinds of synapses and parameters: a list is
# the same, bit for bit, as single projections with 'at', from text and NetCDF, on
# any number of ranks, on a GPU and after a checkpoint; populations of a list are
# counted through; parameters are drawn; a wrong file gives one message.
# shellcheck disable=SC2034
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

need_ncdump
need_launcher
own_folder
diagnose="cat out"
emulated=$BOSC_BUILD/tests/emulate/bosc
cp "$BOSC_SRC/tests/random/mods/depress.mod" .

# compute NAME [ARGUMENT...]: NAME.yaml, and with TO=x its result is x.nc.
compute() {
    local name=$1
    shift
    alone "$name.yaml" -q -o "${TO:-$name}.nc" "$@"
    [ "$rc" = 0 ]
}
# is_same NAME NAME: voltages and spikes of two results.
is_same() {
    for file in "$@"; do
        ncdump -p 9,17 -v soma_v,ends_v,spike_time,spike_gid "$file.nc" |
            sed '1,/^data:/d' >"$file.text"
    done
    [ -s "$1.text" ] && cmp -s "$1.text" "$2.text"
}
spikes() { [ "$(values_of "$1.nc" spike_time | wc -l)" -ge "$2" ]; }

# A soma; dend[0] with two branches; apic[0] with two.
cat >cell.swc <<'END'
1 1 0 0 0 8 -1
2 3 0 8 0 1 1
3 3 0 108 0 1 2
4 3 60 188 0 0.6 3
5 3 -60 188 0 0.5 3
6 4 8 0 0 1.4 1
7 4 208 0 0 1.2 6
8 4 288 60 0 0.6 7
9 4 288 -60 0 0.6 7
END
# population NAME COUNT
population() {
    cat <<END
  - name: $1
    morphologies: cell.swc
    count: $2
    positions: {box: [100, 100, 100]}
    discretisation: {policy: max_length, max_length: 20}
    regions: {all: {pas: {g: 0.0001}}, soma: {hh: {}}}
END
}
{
    printf 'tstop: 20\nmechanisms: depress.mod\npopulations:\n'
    population a 3
    population b 2
    cat <<'END'
sources:
  - {name: s, type: regular, count: 2, start: 1, interval: 4}
synapses:
  - {name: tires, type: Depress, tau: 2}
  - {name: plain, type: ExpSyn, tau: 2}
probes:
  - {name: soma, at: soma}
  - {name: ends, at: ["dend[1](0.9)", "apic[2](0.3)"]}
END
} >cells

# --- a list, and the same one by one ----------------------------------------

{
    cat cells
    echo 'projections:'
    echo '  - {name: l, from: s, to: a, synapse: tires, rule: list, file: l.tsv}'
} >list.yaml
cat >l.tsv <<'END'
source target weight (nS) delay section x synapse tau use
0      0      40          1.5   dend[1] 0.9 tires 3 0.6
1      0      20          1.0   apic[2] 0.3 plain - -
1      1      150         2.5   soma    -   -     2.5 0.2
0      2      60          0.5   6       0.5 plain - -
0      1      180         3     -       -   tires - -
END
{
    cat cells
    cat <<'END'
projections:
  - {name: l0, from: s, to: a, synapse: tires, rule: list, file: 0.tsv, weight: 0.04,
     delay: 1.5, at: {section: "dend[1]", x: 0.9}, parameters: {tau: 3, use: 0.6}}
  - {name: l1, from: s, to: a, synapse: plain, rule: list, file: 1.tsv, weight: 0.02,
     delay: 1, at: "apic[2](0.3)"}
  - {name: l2, from: s, to: a, synapse: tires, rule: list, file: 2.tsv, weight: 0.15,
     delay: 2.5, parameters: {tau: 2.5, use: 0.2}}
  - {name: l3, from: s, to: a, synapse: plain, rule: list, file: 3.tsv, weight: 0.06,
     delay: 0.5, at: "apic[2]"}
  - {name: l4, from: s, to: a, synapse: tires, rule: list, file: 4.tsv, weight: 0.18,
     delay: 3}
END
} | sed 's/"apic\[2\]"/"apic[2](0.5)"/' >single.yaml
echo 0 0 >0.tsv
echo 1 0 >1.tsv
echo 1 1 >2.tsv
echo 0 2 >3.tsv
echo 0 1 >4.tsv
ok "a list has places, kinds and parameters" compute list
ok "and cells that spike" spikes list 3
ok "the same one by one" compute single
ok "gives the same bits" is_same list single
run 3 -q list.yaml -o ranks.nc
ok "and on 3 ranks" is_same list ranks
if [ -x "$emulated" ]; then
    BOSC=$emulated TO=gpu compute list --set backend=cuda
    ok "and on a GPU" is_same list gpu
else
    skip "there is no emulated GPU"
fi
TO=base BOSC_ISA=base compute list
ok "and without vectors" is_same list base

# --- NetCDF -------------------------------------------------------------------

if command -v ncgen >/dev/null; then
    ncgen -4 -o l.nc - <<'END'
netcdf l {
dimensions: edge = 5 ;
variables:
  int source(edge) ; int target(edge) ;
  double weight(edge) ; weight:units = "nS" ;
  double delay(edge) ;
  string section(edge) ; double x(edge) ;
  int synapse(edge) ; synapse:flag_values = 7, 5 ;
    synapse:flag_meanings = "tires plain" ;
  double tau(edge) ; double use(edge) ;
data:
  source = 0, 1, 1, 0, 0 ; target = 0, 0, 1, 2, 1 ; weight = 40, 20, 150, 60, 180 ;
  delay = 1.5, 1, 2.5, 0.5, 3 ; section = "dend[1]", "apic[2]", "soma", "6", "-" ;
  x = 0.9, 0.3, _, 0.5, _ ; synapse = 7, 5, _, 5, 7 ;
  tau = 3, NaN, 2.5, _, _ ; use = 0.6, _, 0.2, _, _ ;
}
END
    sed 's/l.tsv/l.nc/' list.yaml >netcdf.yaml
    ok "a NetCDF file, with units and words" compute netcdf
    ok "gives the same bits" is_same list netcdf
else
    skip "ncgen is not installed"
    skip "ncgen is not installed"
fi

# --- SONATA -------------------------------------------------------------------

# sonata WEIGHT FACTOR [MORE]: a file of edges as h5py writes it.
sonata() {
    cat <<END
netcdf s {
group: edges { group: s_to_a {
  dimensions: n = 3 ;
  variables:
    uint64 source_node_id(n) ; uint64 target_node_id(n) ;
    int64 edge_type_id(n) ; int64 edge_group_id(n) ; int64 edge_group_index(n) ;
  data:
    source_node_id = 0, 1, 0 ; target_node_id = 0, 1, 2 ; edge_type_id = 1, 1, 1 ;
    edge_group_id = 0, 0, 0 ; edge_group_index = 0, 1, 2 ;
  group: \\0 {
    variables:
      double $1(n) ; double delay(n) ; uint afferent_section_id(n) ;
      double afferent_section_pos(n) ; double efferent_center_x(n) ; ${3-}
    data:
      $1 = $(for w in 40 150 60; do printf '%s%s' "$w" "$2"; done | sed 's/,$//') ;
      delay = 1.5, 2.5, 0.5 ; afferent_section_id = 2, 0, 6 ;
      afferent_section_pos = 0.9, 0.5, 0.5 ;
    group: dynamics_params { variables: double use(n) ; data: use = 0.6, 0.2, 0.4 ; }
  }
} } }
END
}
if command -v ncgen >/dev/null; then
    sonata conductance , | ncgen -4 -o nS.h5 -
    sonata syn_weight e-3, | ncgen -4 -o uS.h5 -
    sonata conductance , "double u_syn(n) ;" | ncgen -4 -o unknown.h5 -
    cat >s.tsv <<'END'
source target weight delay section x use
0 0 0.04 1.5 dend[1] 0.9 0.6
1 1 0.15 2.5 soma 0.5 0.2
0 2 0.06 0.5 6 0.5 0.4
END
    for file in s.tsv nS.h5 uS.h5 unknown.h5; do
        sed "s/l.tsv/$file/" list.yaml >sonata.yaml
        TO=${file%.*} compute sonata
        cp out "said-$file"
    done
    ok "edges of SONATA, in nS, are those of a text" is_same s nS
    ok "and in uS, told apart by their name" is_same s uS
    ok "an attribute that no synapse has is refused" grep -q \
        "unknown.h5:/edges/s_to_a/0: attribute 'u_syn' of the edges is no parameter" said-unknown.h5
else
    for i in 1 2 3; do skip "ncgen is not installed"; done
fi

# --- several populations ------------------------------------------------------

{
    cat cells
    cat <<'END'
projections:
  - {name: in, from: s, to: a, synapse: plain, rule: all_to_all, weight: 0.2}
END
} >two
{
    cat two
    echo '  - {name: all, from: [a, b], to: [a, b], synapse: tires, rule: list,'
    echo '     file: all.tsv, weight: 0.2, source: {at: "dend[0](1)", threshold: -50}}'
} >union.yaml
printf '0 1\n1 3\n0 4\n4 2\n3 1\n' >all.tsv
{
    cat two
    for ends in "a a aa" "a b ab" "b a ba"; do
        read -r from to file <<<"$ends"
        echo "  - {name: $file, from: $from, to: $to, synapse: tires, rule: list,"
        echo "     file: $file.tsv, weight: 0.2, source: {at: \"dend[0](1)\", threshold: -50}}"
    done
} >apart.yaml
printf '0 1\n' >aa.tsv
printf '1 0\n0 1\n' >ab.tsv
printf '1 2\n0 1\n' >ba.tsv
ok "populations of a list are counted through" compute union
ok "their cells spike" spikes union 5
ok "as projections of each" compute apart
ok "with the same bits" is_same union apart

# --- parameters that are drawn --------------------------------------------------

drawn='parameters: {use: {uniform: [0.2, 0.5]}, tau: {distance: [2, 0.01], max: 4}}'
{
    cat two
    i=0
    for rule in "fixed_indegree, indegree: 3, autapses: false" all_to_all \
        "fixed_probability, probability: 0.6" "distance, length: 100" "ring"; do
        i=$((i + 1))
        echo "  - {name: r$i, from: [a, b], to: [a, b], synapse: tires, rule: $rule,"
        echo "     weight: 0.01, delay: {uniform: [1, 3]}, at: {region: all}, $drawn}"
    done
    echo "  - {name: one, from: a, to: a, synapse: tires, rule: one_to_one, weight: 0.1,"
    echo "     $drawn}"
} >drawn.yaml
ok "parameters are drawn in every rule" compute drawn
run 2 -q drawn.yaml -o drawn2.nc
ok "the same on 2 ranks" is_same drawn drawn2
sed 's/use: {[^}]*}/use: 0.4/g; s/tau: {[^}]*}/tau: 2/g' drawn.yaml >constant.yaml
sed 's/, parameters.*}/}/; s/     parameters.*}/}/' constant.yaml >kind.yaml
ok "numbers that are those of the kind" compute constant
ok "as without" compute kind
ok "give the same bits" is_same constant kind
ok "those that are drawn do not" eval '! is_same drawn kind'

# --- mistakes -------------------------------------------------------------------

is_refused() { [ "$rc" != 0 ] && says "$1" && [ "$(wc -l <out)" = 1 ]; }
# refuses NAME 'PATTERN': l.tsv from standard input; one message.
refuses() {
    sed 's/l.tsv/bad.tsv/' list.yaml >bad.yaml
    cat >bad.tsv
    rm -f bad.nc
    compute bad
    ok "refuses $1" is_refused "$2"
}
refuses "a section that is not there" 'bad.tsv:2: neuron 0 .* no section dend\[77\]; it has' <<'END'
source target weight section x
0 0 1 dend[77] 0.5
END
refuses "a number of a section that is not there" 'bad.tsv:3: section 7: neuron 1 .* 0 to 6' <<'END'
source target weight section x
0 0 1 6 0.5
0 1 1 7 0.5
END
refuses "a position outside" "bad.tsv:2: x '1.5' is out of range; allowed: 0 to 1" <<'END'
source target weight section x
0 0 1 soma 1.5
END
refuses "an unknown parameter" "bad.tsv:1: column 'tua' is unknown .* did you mean 'tau'" <<'END'
source target weight tua
0 0 1 3
END
refuses "a parameter of another kind" "bad.tsv:2: use 0.5: synapses of kind 'plain' are of type ExpSyn" <<'END'
source target weight synapse use
0 0 1 plain 0.5
END
refuses "a parameter out of range" 'bad.tsv:2: use 2 is out of range; allowed: 0 to 1' <<'END'
source target weight use
0 0 1 2
END
refuses "a weight that is no number" "bad.tsv:2: weight 'nan' is not a finite number" <<'END'
source target weight section
0 0 nan soma
END
refuses "another unit" "bad.tsv:1: column 'weight': 'mV' is a unit that bosc cannot convert to uS" <<'END'
source target weight (mV)
0 0 1
END
refuses "more columns than there are names for" 'bad.tsv:1: 6 columns; there may be 4: .*; name the columns' <<'END'
0 0 1 1 dend[1] 0.5
END
refuses "a target that is not there" "bad.tsv:2: target '3' is out of range; allowed: 0 to 2" <<'END'
source target weight
0 3 1
END
refuses "a source below 0" "bad.tsv:1: source '-1' is out of range" <<'END'
-1 0 1
END
refuses "an unknown kind" "bad.tsv:2: synapse 'plan' is no kind of 'synapses'; did you mean 'plain'" <<'END'
source target weight synapse
0 0 1 plan
END
refuses "x without a section" "has a column 'x', a position in a section, and none 'section'" <<'END'
source target weight x
0 0 1 0.5
END
# refused 'KEYS' 'PATTERN': of union.yaml, whose list is replaced.
refused() {
    sed "s/from: \[a, b\], to: \[a, b\]/$1/" union.yaml >bad.yaml
    ! compute bad && says "$2" && [ "$(wc -l <out)" = 1 ]
}
ok "populations of a list follow each other" refused \
    'from: [b, a], to: a' "from: 'a' does not follow 'b' in 'populations'"
ok "and are no sources" refused \
    'from: [a, s], to: a' "from: 's' is a source"
ok "synapses that share an instance have no parameters of their own" eval \
    "sed 's/synapse: tires, rule: list/parameters: {tau: 3}, synapse: plain, rule: list/' union.yaml >bad.yaml; ! compute bad && says 'ExpSyn at one compartment are one instance'"

done_testing
