#!/bin/bash
# sweep.t - sweeps: each member as it is alone, groups, merging, refusals.
# shellcheck disable=SC2016,SC2154
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_ncdump
need_launcher
own_folder
diagnose="cat out"

# All that is drawn: shapes, positions, connections, weights, places, noise; and
# what couples neurons.
cat >net.yaml <<'END'
tstop: 25
seed: 7
populations:
  - {name: a, synthetic: {compartments: [30, 60], sections: [7, 13]}, count: 6,
     positions: {box: [200, 200, 100]},
     regions: {all: {Ra: 100, pas: {g: 1e-4}}, soma: {hh: {}}}}
  - {name: b, synthetic: {compartments: 40, sections: 9}, count: 5,
     positions: {box: [100, 200, 100]},
     regions: {all: {Ra: 100, pas: {g: 1e-4}}, soma: {hh: {}}}}
synapses:
  - {name: fast, type: ExpSyn, tau: 2, e: 0}
  - {name: slow, type: Exp2Syn, tau1: 1, tau2: 8, e: -75}
sources:
  - {name: noise, type: poisson, count: 30, rate: 40}
projections:
  - {from: noise, to: a, rule: fixed_indegree, indegree: 10, synapse: fast,
     weight: {lognormal: [0.004, 0.002]}, at: {region: [dendrite, apical]}}
  - {from: a, to: b, rule: fixed_probability, probability: 0.5, synapse: fast,
     weight: 0.02, delay: {uniform: [1, 3]}}
  - {from: b, to: a, rule: distance, length: 100, synapse: slow,
     weight: {normal: [0.004, 0.001]}, delay: 2, at: {by: area}}
  - {from: a, to: a, rule: ring, synapse: fast, weight: 0.02, delay: 2,
     source: {at: "dend[0](0.5)", threshold: -30}}
couplings:
  - {type: gap, from: a, to: a, rule: fixed_probability, probability: 0.3,
     conductance: 0.001}
probes:
  - {name: soma, at: soma, interval: 0.5}
sweep:
  grid: {seed: [7, 8]}
  zip:
    name: [few, many]
    populations.a.count: [6, 8]
    sources.noise.rate: [40, 80]
    synapses.fast.tau: [2, 3]
END

# numbers FILE VARIABLE: its values, one a line.
numbers() {
    ncdump -p 9,17 -v "$2" "$1" | awk '
        /^data:/ { inside = 1; next }
        inside { sub(/^.*=/, ""); gsub(/[,;}]/, " ")
            for (k = 1; k <= NF; k++) print $k }'
}
# of_member FILE MEMBER: voltages of its columns, then its spikes by neurons
# counted from its first.
of_member() {
    { numbers "$1" soma_member | sed 's/^/m /'
      numbers "$1" neuron_member | sed 's/^/n /'
      numbers "$1" soma_v | sed 's/^/v /'
      numbers "$1" spike_time | sed 's/^/t /'
      numbers "$1" spike_gid | sed 's/^/g /'; } | awk -v member="$2" '
        $1 == "m" { mine[columns++] = $2 == member }
        $1 == "n" { if ($2 == member && !(seen++)) first = n; of[n++] = $2 }
        $1 == "v" { if (mine[i++ % columns]) print $2 }
        $1 == "t" { time[spikes++] = $2 }
        $1 == "g" { if (of[$2] == member) print time[s + 0], $2 - first; s++ }'
}
# The same of a job without a sweep.
of_all() {
    numbers "$1" soma_v
    paste -d ' ' <(numbers "$1" spike_time) <(numbers "$1" spike_gid)
}
same_member() {
    of_member "$1" "$2" >swept && of_all alone.nc >single && [ -s single ] &&
        cmp -s swept single
}

run 2 net.yaml
ok "a sweep runs" is $rc 0
cp net.nc two.nc
run 1 net.yaml
ok "one rank or two: the same bits" nc_same net.nc two.nc
member=0
for seed in 7 8; do
    for values in 6,40,2 8,80,3; do
        IFS=, read -r neurons rate tau <<<"$values"
        alone net.yaml -q -o alone.nc --set sweep=null --set seed=$seed \
            --set populations.a.count="$neurons" \
            --set sources.noise.rate="$rate" --set synapses.fast.tau="$tau"
        ok "member $member has the voltages and spikes that it has alone" \
            same_member net.nc $member
        member=$((member + 1))
    done
done
ok "and it has some spikes" eval '[ "$(numbers net.nc spike_gid | wc -l)" -gt 20 ]'
alone net.yaml -q --member 3
ok "a member runs by itself" eval 'is $rc 0 && [ -s net.member3.nc ]'
ok "to the same bits" eval 'of_member net.member3.nc 0 >swept && cmp -s swept single'
ok "and keeps its number" is "$(numbers net.member3.nc member)" 3
header=$(ncdump -h net.nc)
for line in 'member = 4 ;' 'double sweep_seed\(member\)' 'double sweep_tau\(member\)' \
    'sweep_tau:units = "ms"' 'sweep_tau:key = "synapses.fast.tau"' \
    'int neuron_member\(neuron\)' 'int population_member\(population\)' \
    'int soma_member\(soma\)' 'string member_name\(member\)'; do
    ok "the result says: $line" grep -qE "$line" <<<"$header"
done
ok "names are those of the sweep" is \
    "$(ncdump -v member_name net.nc | tr -d '\n' | grep -oE 'member_name = [^;]*' | tr -s ' ')" \
    'member_name = "seed=7, few", "seed=7, many", "seed=8, few", "seed=8, many" '

# --- mechanisms ---------------------------------------------------------------

if command -v cc >/dev/null; then
    cat >prob.mod <<'END'
NEURON { POINT_PROCESS Prob NONSPECIFIC_CURRENT i RANGE tau, e, p }
PARAMETER { tau = 3 (ms) e = 0 (mV) p = 0.5 }
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT { SOLVE s METHOD cnexp
    i = g * (v - e) }
DERIVATIVE s { g' = -g / tau }
NET_RECEIVE(weight (uS)) { IF (scop_random() < p) { g = g + weight } }
END
    mods=(--set 'mechanisms=[prob.mod]' --set 'synapses.fast={name: fast, type: Prob}'
        --set tstop=10)
    run 2 net.yaml -o mods.nc "${mods[@]}" \
        --set 'sweep={grid: {seed: [7, 8], populations.a.count: [6, 7]}}'
    alone net.yaml -q -o alone.nc "${mods[@]}" --set sweep=null --set seed=8 \
        --set populations.a.count=7
    ok "mechanisms draw the numbers that they draw alone" same_member mods.nc 3
else
    skip "no C compiler"
fi

# --- groups and merging ---------------------------------------------------------

cat >group.yaml <<'END'
tstop: 10
populations:
  - {name: a, synthetic: {compartments: 30, sections: 7}, count: 2,
     regions: {all: {Ra: 100, pas: {g: 1e-4}}, soma: {hh: {}}}}
clamps: [{at: soma, delay: 1, duration: 20, amplitude: 0.2}]
probes: [{name: soma, interval: 0.5}]
sweep:
  list: [{dt: 0.025, tstop: 10}, {dt: 0.0125, tstop: 10}, {dt: 0.025, tstop: 8}]
  grid: {clamps.0.amplitude: [0.2, 0.3]}
END
run 2 group.yaml
ok "groups run one after another" eval 'is $rc 0 && says "6 members of 3 groups"'
ok "each into its file" is "$(echo group.*nc)" \
    'group.group0.nc group.group1.nc group.group2.nc group.nc'
ok "members are in their order" is "$(numbers group.nc member | tr '\n' ' ')" '0 1 2 3 4 5 '
ok "with their neurons" is "$(numbers group.nc neuron_member | tr '\n' ' ')" \
    '0 0 1 1 2 2 3 3 4 4 5 5 '
ok "and spikes in the order of time" eval 'numbers group.nc spike_time >t && sort -cg t'

# The first group is finished, with a member that failed: the other is still run.
cp "$BOSC_SRC"/tests/random/mods/steep.mod .
cat >failing.yaml <<'END'
tstop: 2
mechanisms: [steep.mod]
populations: [{name: c, synthetic: {compartments: 3, sections: 1}, count: 1, regions: {all: {pas: {}}, soma: {hh: {}, steep: {g: 1e-6}}}}]
probes: [{name: soma, at: soma}]
sweep: {zip: {celsius: [6.3, 10], populations.c.regions.soma.steep.g: [2e6, 1e-6]}}
END
timeout 300 "$BOSC" run failing.yaml -q -o failing.nc >out 2>&1 </dev/null
rm -f failing.nc failing.group1.nc
timeout 300 "$BOSC" run failing.yaml -q -o failing.nc >out 2>&1 </dev/null
rc=$?
ok "a finished group with a failed member does not end the others" eval \
    'is $rc 65 && [ -s failing.group1.nc ] && is "$(numbers failing.nc member | tr "\n" " ")" "0 1 "'
alone group.yaml -q -o alone.nc --set sweep=null --set dt=0.0125 --set clamps.0.amplitude=0.3
ok "a member of a second group is as alone" same_member group.nc 3
alone group.yaml -q -o alone.nc --set sweep=null --set tstop=8 --set clamps.0.amplitude=0.2
of_member group.nc 4 | grep -v NaN >swept
of_all alone.nc >single
ok "one that ends earlier has NaN behind its end" cmp -s swept single

cp alone.nc taken.nc
timeout 300 "$BOSC" run group.yaml -o taken.nc >out 2>&1 </dev/null
ok "a result of another job is not merged into" eval \
    'says "^bosc run: taken.nc: holds the finished result of another job" && [ ! -e taken.group0.nc ]'
rm -f group*.nc
for k in 0 2; do alone group.yaml -q --group $k; done
# merge ARGUMENTS...
merge() {
    timeout 300 "$BOSC" merge "$@" >out 2>&1 </dev/null
    rc=$?
}
merge group.nc
ok "what tasks of an array have left is merged" eval 'is $rc 65 && says "wrote group.nc: 4 of 6 members"'
ok "and what is missing is named" says '^bosc merge: group.nc: of 6 members, missing: 2, 3;'
ok "in the file, too" grep -q 'sweep_missing = "2, 3"' <<<"$(ncdump -h group.nc)"
alone group.yaml -q --member 2,3
merge group.nc group.member2,3.nc
ok "with those run again it is complete" eval 'is $rc 0 && says "6 of 6 members"'
mv group.nc again.nc
alone group.yaml -q --group 1
merge group.nc
ok "merged from all it has the same bits" nc_same again.nc group.nc
merge group.nc nothing.nc
ok "what cannot be read is told" eval 'is $rc 0 && says "nothing.nc is left out: No such file"'
merge group.nc net.nc
ok "another sweep is refused" eval 'is $rc 65 && says "are of different sweeps"'
merge alone.nc group.group0.nc
ok "and so is a result of another job to write to" eval 'is $rc 73 && says "holds something else"'
merge nowhere/group.nc group.group0.nc
ok "a result in no folder is refused" eval 'is $rc 73 && says "nowhere/group.nc: .*; make its folder"'
merge none.nc
ok "without parts it says how to name them" eval 'is $rc 66 && says "no part beside it"'
if command -v ncgen >/dev/null; then
    ncdump group.group0.nc | sed 's/^ soma_section = [0-9]*/ soma_section = 9999/' >index.cdl
    ncgen -4 -o index.group0.nc index.cdl
    merge index.nc
    ok "a section beyond those of its file is refused" eval \
        'is $rc 74 && says "index.group0.nc: .soma_section.: " && [ ! -e index.nc ]'
else
    skip "no ncgen"
fi
ok "no other file is left" is "$(echo *.merging *.lock)" '*.merging *.lock'

# --- files that change between the groups ------------------------------------------

# parts ARGUMENTS...: the files, and the first group with them.
parts() {
    rm -f files*.nc
    cp "$BOSC_SRC/morphologies/small-low.swc" cell.swc
    printf 'cell.swc\t2\n' >cells.tsv
    printf '1 0\n2.5 0\n' >times.tsv
    alone "$@" -q --group 0
}
cat >files.yaml <<'END'
tstop: 5
populations:
  - {name: a, morphologies: cells.tsv, regions: {all: {pas: {}}, soma: {hh: {}}}}
synapses: [{name: fast, type: ExpSyn}]
sources: [{name: input, type: file, file: times.tsv}]
projections: [{from: input, to: a, synapse: fast, rule: all_to_all, weight: 0.001}]
probes: [{name: soma, interval: 0.5}]
sweep: {grid: {dt: [0.025, 0.0125]}}
END
changed() { # WHAT THAN
    is $rc 65 && once "^bosc merge: files.group1.nc: $1 was another one than when $2 was computed; run the older of them again" &&
        [ ! -e files.nc.merging ]
}
while IFS='|' read -r change what; do
    parts files.yaml
    eval "$change"
    alone files.yaml -q --group 1
    merge files.nc
    ok "groups with other contents are refused: $change" changed "$what" files.group0.nc
    ok "and nothing is merged" [ ! -e files.nc ]
done <<'END'
sed -i "s/^# .*/# again/;\$a # end" cell.swc|the file cell.swc
echo "3 0" >>times.tsv|the file times.tsv
sed -i s/2/1/ cells.tsv|the list of population a: cells.tsv .count 1.
END
parts files.yaml
echo '# of no importance' >>cells.tsv
alone files.yaml -q --group 1
merge files.nc
ok "a comment in a list changes nothing" is $rc 0
echo '3 0' >>times.tsv
alone files.yaml -q --group 1
merge files.nc
ok "what is merged already keeps its contents, too" eval \
    'changed "the file times.tsv" files.group0.nc && says "and merge with --overwrite, for files.nc has them, too$"'
alone files.yaml -q --group 0
merge files.nc --overwrite
ok "with both run again they are merged" is $rc 0
mkdir -p elsewhere
(cd elsewhere && alone ../files.yaml -q --group 1 -o ../files.nc)
merge files.nc
ok "from another folder the same files are the same" is $rc 0
if command -v cc >/dev/null; then
    mkdir own
    cat >own/leak.mod <<'END'
NEURON { SUFFIX leak NONSPECIFIC_CURRENT i RANGE g }
PARAMETER { g = 0.001 }
ASSIGNED { v i }
BREAKPOINT { i = g * (v + 70) }
END
    own=(--set 'mechanisms=[own/]' --set 'populations.a.regions.soma={leak: {}}')
    parts files.yaml "${own[@]}"
    sed -i 's/70/60/' own/leak.mod
    alone files.yaml -q --group 1 "${own[@]}"
    merge files.nc
    ok "nor of groups with another mechanism" changed 'the mechanism leak' files.group0.nc
else
    skip "no C compiler"
fi

# --- a member that fails ----------------------------------------------------------

wild=(--set 'sweep={grid: {clamps.0.amplitude: [0.2, -1e6, 0.3]}}' --set tstop=8)
for ranks in 1 2; do
    run $ranks group.yaml -o wild.nc "${wild[@]}"
    ok "$ranks ranks: a member that breaks is named" eval \
        'is $rc 65 && says "1 of 3 members failed: member 1 \(amplitude=-1e6\)"'
done
ok "in the file, too" is "$(numbers wild.nc member_status | tr '\n' ' ')" '0 1 0 '
ok "the others are as alone" same_member wild.nc 0
again() { # RANKS ARGUMENTS...: without --overwrite
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run "${@:2}" >out 2>&1 </dev/null
    rc=$?
}
told() { # HOW-MANY WHO LIST
    is $rc 65 && ! says 'nothing to do' &&
        once "^bosc run: nothing was run: the job is finished, and $1 of [34] members failed: $2.*these alone with 'bosc run group.yaml --member $3'$"
}
cp wild.nc before.nc
for ranks in 1 2; do
    again $ranks group.yaml -o wild.nc "${wild[@]}"
    ok "$ranks ranks: run again, nothing is, but the failure stays one" eval \
        'told 1 "member 1 \(amplitude=-1e6\); wild.nc has" 1 && cmp -s wild.nc before.nc'
done
again 1 group.yaml -o wild.nc "${wild[@]}" --dry-run
ok "a dry run says the same" told 1 'member 1 \(amplitude=-1e6\)' 1
wilder=(--set 'sweep={grid: {clamps.0.amplitude: [-9e5, 0.2, -1e6, -8e5]}}' --set tstop=8)
run 1 group.yaml -o many.nc "${wilder[@]}"
again 1 group.yaml -o many.nc "${wilder[@]}"
ok "several are listed as --member takes them" \
    told 3 'member 0 \(amplitude=-9e5\) and 2 others' '0,2-3'
alone group.yaml -o many.nc -q --member 1 "${wild[@]}"
ok "a member alone that fails is known by its number" eval \
    'is $rc 65 && says "1 of 1 members failed: member 1 "'

# --- refusals -----------------------------------------------------------------------

# refused WHAT MESSAGE ARGUMENTS...
refuses() { [ "$rc" != 0 ] && says "$1" && is "$(wc -l <out)" 1; }
refused() {
    alone group.yaml -n "${@:3}"
    ok "$1 is refused" refuses "$2"
}
sweep() { refused "$1" "$2" --set "sweep=$3"; }
sweep "a key that does not exist" "member 0, clamps.0.amplitud=1: unknown key 'amplitud'; did you mean" \
    '{grid: {clamps.0.amplitud: [1]}}'
sweep "an entry that does not exist" "member 0, clamps.4.amplitude=1: no entry '4' in clamps" \
    '{grid: {clamps.4.amplitude: [1]}}'
sweep "an empty list" 'the list of clamps.0.amplitude is empty' '{grid: {clamps.0.amplitude: []}}'
sweep "a value alone" "has '1', not a list of values" '{grid: {clamps.0.amplitude: 1}}'
sweep "a word for a number" "member 1, clamps.0.amplitude=x: amplitude: 'x' is not a number" \
    '{grid: {clamps.0.amplitude: [1, x]}}'
sweep "a value out of range" 'member 1, clamps.0.amplitude=1e9: .* out of range' \
    '{grid: {clamps.0.amplitude: [1, 1e9]}}'
sweep "lists of several lengths" 'celsius has 1 values, and dt has 2' \
    '{zip: {dt: [0.1, 0.2], celsius: [6]}}'
sweep "an entry with other keys" 'entry 1 of list does not set dt' \
    '{list: [{dt: 0.1}, {tstop: 5}]}'
sweep "a key twice" "'dt' is swept already" '{grid: {dt: [0.1]}, zip: {dt: [0.1]}}'
sweep "a key of the whole run" "'output.file' is the same in all members" \
    '{grid: {output.file: [a, b]}}'
sweep "nothing to sweep" 'no key is swept' '{}'
sweep "a draw that is none" 'is not drawn' '{draws: {n: 2, keys: {celsius: 6}}}'
sweep "draws without a number" 'draws needs n and keys' '{draws: {keys: {celsius: {uniform: [1, 2]}}}}'
refused "a member out of range" "'6' is no member; the sweep has 6" --member 6
refused "a member that is no number" "'x' is no member" --member 1,x
refused "a group out of range" 'the sweep has 3 groups' --group 3
refused "a swept key after --set" 'the sweep gives clamps.0.amplitude its values' \
    --set clamps.0.amplitude=1
refused "a member of a job without a sweep" "has no key 'sweep'" --set sweep=null --member 0

# --- what else there is ---------------------------------------------------------------

alone group.yaml -q -o drawn.nc --set tstop=1 --set \
    'sweep={draws: {n: 4, keys: {clamps.0.amplitude: {uniform: [0.1, 0.2]}}}}'
ok "values are drawn within their bounds, each another" is \
    "$(numbers drawn.nc sweep_amplitude | sort -u | awk '$1 >= 0.1 && $1 <= 0.2' | wc -l)" 4
timeout 300 "$BOSC" plan group.yaml >out 2>&1
ok "a plan tells how many groups there are" says '6 members in 3 groups'

# Whole numbers that a double cannot hold stay what they are, merged as well.
for group in 0 1; do
    alone group.yaml -q -o seeds.nc --group $group --set tstop=1 --set \
        'sweep={grid: {dt: [0.025, 0.05]}, zip: {seed: [9007199254740993, 18446744073709551615]}}'
done
"$BOSC" merge seeds.nc >out 2>&1
ok "seeds beyond 2^53 are kept as integers" is \
    "$(ncdump -v sweep_seed seeds.nc | grep -E 'uint64 sweep_seed|sweep_seed =' | tr -d '\t')" \
    "$(printf '%s\n' 'uint64 sweep_seed(member) ;' ' sweep_seed = 9007199254740993, 18446744073709551615, 9007199254740993, ')"

# Stopped and continued, on another number of ranks.
run 2 net.yaml -q -o whole.nc --set tstop=1000
# The reference has the same bits, and takes long enough to be met by a signal.
"$BOSC" run net.yaml -o part.nc --set tstop=1000 --set backend=ref >out 2>&1 </dev/null &
process=$!
in_time 60 reached part.nc 50
kill -TERM $process
wait $process
rc=$?
ok "a sweep that is stopped leaves a checkpoint" eval 'is $rc 75 && [ -s part.nc.checkpoint ]'
timeout 300 "$MPIEXEC" -n 2 "$BOSC" run net.yaml -o part.nc --set tstop=1000 >out 2>&1 </dev/null
ok "and goes on to the same bits" nc_same whole.nc part.nc

done_testing
