#!/bin/bash
# regions.t - regions of a job's own and numbers that vary: what they mean, the
# same bits on every engine and number of ranks, and mistakes that are told.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

need_ncdump
need_launcher
own_folder
diagnose="cat out"
emulated=$BOSC_BUILD/tests/emulate/bosc

# A soma with an apical dendrite of 300 um that forks, and one of 100 um.
cat >cell.swc <<'END'
1 1 0 0 0 8 -1
2 1 0 8 0 8 1
3 4 0 8 0 2 2
4 4 0 158 0 1.5 3
5 4 0 308 0 1 4
6 4 50 400 0 0.5 5
7 4 -50 450 0 0.5 5
8 3 0 -100 0 1 1
END

# values FILE: voltages, and nothing else.
values() { ncdump -p 17,17 -v p_v "$1" | sed '1,/^data:/d'; }
# is_same FILE FILE
is_same() { [ -s "$1" ] && [ "$(values "$1")" = "$(values "$2")" ]; }

head='tstop: 8
clamps: [{delay: 1, duration: 5, amplitude: 0.4}]
probes: [{name: p, at: everywhere, interval: 0.5}]
populations:
  - name: a
    morphologies: cell.swc
    count: 3
    discretisation: {max_length: 12}
    regions:
      all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}
      soma: {hh: {}}'

# job NAME LINE...: a job with these regions besides.
job() {
    local name=$1
    shift
    { echo "$head" && printf '      %s\n' "$@"; } >"$name.yaml"
}
# compute NAME [ARGUMENT...]: its result is NAME.nc.
compute() {
    local name=$1
    shift
    alone "$name.yaml" -q -o "$name.nc" "$@" >out 2>&1
}
# pair WHAT NAME NAME: both run and have one result.
pair() {
    compute "$2" && compute "$3"
    ok "$1" is_same "$2.nc" "$3.nc"
}

# ---- what they mean ----

job type 'apical: {pas: {g: 3e-4}, cm: 2, Ra: 150}'
job own 'tuft: {where: {region: apical}, pas: {g: 3e-4}, cm: 2, Ra: 150}'
pair "a region of one's own is as good as one by type" type own
job listed '"apical, dendrite": {pas: {g: 3e-4}}'
job each 'apical: {pas: {g: 3e-4}}' 'dendrite: {pas: {g: 3e-4}}'
pair "a key that names two regions writes each" listed each
job over 'apical: {cm: 2}' \
    'tuft: {where: {sections: "apic[1], apic[2]"}, cm: 3, pas: false, hh: {}}' \
    'tip: {where: {region: tuft, tip: true}, hh: {gnabar: 0.2}, pas: {}}'
job cut 'apical: {cm: 2}' \
    'tip: {where: {type: 4, order: 1}, cm: 3, hh: {gnabar: 0.2}, pas: {g: 0.001, e: -70}}'
pair "later regions override earlier ones key by key" over cut
compute type
cp type.nc before.nc
job type 'apical: {pas: {g: 3e-4}, cm: 2.1, Ra: 150}'
compute type
ok "and another number is another result" eval '! is_same type.nc before.nc'

# A formula, a list of sections' numbers and a step say the same.
job formula 'apical: {hh: {gnabar: {formula: "value*(distance > 200)", value: 0.1}}}'
job step 'apical: {hh: {gnabar: {step: [200.00001, 1e6, 0.1, 0]}}}'
job where 'apical: {hh: {gnabar: 0}}' \
    'far: {where: {region: apical, distance: [200.00001, .inf]}, hh: {gnabar: 0.1}}'
pair "a formula with a condition is a step" formula step
pair "and a region by distance" formula where
job linear 'dendrite: {pas: {e: {linear: [-65, -0.05]}}}'
job text 'dendrite: {pas: {e: {formula: "-65 + {distance}*slope", slope: -0.05}}}'
pair "linear is a formula, and a named number a number" linear text
job exponential 'apical: {hh: {gkbar: {exponential: [-0.8696, 2.087, 0.0031], value: 0.01}}}'
job blue 'apical: {hh: {gkbar: {formula: "(-0.8696 + 2.087*math.exp(({distance})*0.0031))*{value}", value: 0.01}}}'
compute exponential && compute blue
ok "the text of BluePyOpt is understood" eval '[ -s exponential.nc ] && [ -s blue.nc ]'

# A table of compartments that a formula would give: 25 compartments of apic[0].
{
    printf 'section\tx\tgnabar (S/cm2)\n'
    for s in 0 1 2; do
        awk -v s=$s 'BEGIN { for (k = 0; k < 51; k++)
            printf "apic[%d]\t%.17g\t%.17g\n", s, (k + 0.5) / 51, 0.1 }'
    done
} >many.tsv
printf 'section\tgnabar\napic[0]\t0.1\napic[1]\t0.1\napic[2]\t0.1\n' >few.tsv
job table 'apical: {hh: {gnabar: {table: few.tsv}}}'
job number 'apical: {hh: {gnabar: 0.1}}'
pair "a table of sections has their numbers" table number
printf 'neuron\tg (S/cm2)\n0\t1e-4\n1\t2e-4\n2\t4e-4\n' >neurons.tsv
# dend[0] has 9 compartments; Ra is of a section, cm of each of them
awk 'BEGIN { print "section\tx\tRa\tcm"
    for (i = 0; i < 9; ++i)
        printf "dend[0]\t%.9f\t170\t1.5\n", (i + 0.5) / 9 }' >cable.tsv
job cable 'far: {where: {region: dendrite}, Ra: {table: cable.tsv}, cm: {table: cable.tsv}}'
job plain 'dendrite: {Ra: 170, cm: 1.5}'
pair "a table of compartments has what the cable needs of sections" cable plain
job neurons 'dendrite: {pas: {g: {table: neurons.tsv, column: g}}}'
compute neurons
ok "a table of neurons gives each its own" eval \
    '[ "$(values neurons.nc | tr -d " " | tr "," "\n" | sort -u | wc -l)" -gt 400 ]'

# Draws of two populations are not the same.
cat >draws.yaml <<'END'
tstop: 5
clamps: [{delay: 1, duration: 4, amplitude: 0.3}]
probes: [{name: p, population: a}, {name: q, population: b}]
populations:
  - {name: a, morphologies: cell.swc, count: 2, regions: {all: {pas: {g: {uniform: [1e-4, 1e-3]}}}}}
  - {name: b, morphologies: cell.swc, count: 2, regions: {all: {pas: {g: {uniform: [1e-4, 1e-3]}}}}}
END
alone draws.yaml -q -o draws.nc >out 2>&1
# of_probe NAME: its voltages.
of_probe() { ncdump -p 17,17 -v "$1_v" draws.nc | sed '1,/^data:/d' | tr -d pq; }
ok "two populations draw other numbers" eval \
    '[ -s draws.nc ] && [ "$(of_probe p)" != "$(of_probe q)" ]'

# v_init: a compartment without current stays where it begins.
cat >rest.yaml <<'END'
tstop: 2
probes: [{name: p, at: everywhere, interval: 1}]
populations:
  - name: a
    morphologies: cell.swc
    discretisation: {max_length: 12}
    regions:
      all: {v_init: -70, pas: {g: 1e-4, e: -70}}
END
alone rest.yaml -q -o rest.nc >out 2>&1
ok "v_init of a region is where its voltage begins" eval \
    '[ -s rest.nc ] && ! values rest.nc | grep -qE -- "-6[0-8]"'

# ---- on every engine ----

cat >all.yaml <<'END'
tstop: 6
clamps: [{delay: 1, duration: 5, amplitude: 0.3}]
probes: [{name: p, at: everywhere, interval: 0.5}]
populations:
  - name: shaped
    morphologies: cell.swc
    count: 40
    discretisation: {max_length: 25}
    regions:
      all: {Ra: {normal: [100, 20]}, cm: {uniform: [0.8, 1.2]}, v_init: {linear: [-66, 0.01]},
            pas: {g: {formula: "value/(1 + diam)", value: {lognormal: [1e-4, 2e-5]}}, e: -65}}
      soma: {hh: {gnabar: {uniform: [0.1, 0.2]}}}
      far: {where: {or: [{distance: [200, .inf]}, {not: {region: apical}}]}, hh: {}}
  - name: plain
    morphologies: cell.swc
    count: 40
    regions: {all: {pas: {}}, soma: {hh: {}}}
  - name: drawn
    synthetic: {compartments: [70, 90], sections: 31}
    count: 5
    regions:
      all: {pas: {g: {step: [50, 100, 1e-4, 2e-4]}}}
      near: {where: {between: [soma, "dend[0](1)"]}, hh: {}}
END
alone all.yaml -q -o all.nc --set backend=ref >out 2>&1
ok "ref computes all of it" test -s all.nc
for set in backend=cpu method=hines-interleaved method=level-schedule-cp threads=2; do
    alone all.yaml -q -o other.nc --set $set >out 2>&1
    ok "$set has the same bits" is_same all.nc other.nc
done
run 3 all.yaml -q -o other.nc >out 2>&1
ok "3 ranks have the same bits" is_same all.nc other.nc
if [ -x "$emulated" ]; then
    for method in cell-blocks depth-first; do
        "$emulated" run all.yaml -q -o other.nc --set backend=cuda \
            --set method=$method >out 2>&1
        ok "an emulated GPU has the same bits, $method" is_same all.nc other.nc
    done
else
    skip 2 "no emulated GPU"
fi
alone all.yaml -q -o one.nc --set tstop=3 --set checkpoint.at_end=true >out 2>&1
alone all.yaml -q -o one.nc --continue >out 2>&1 || true
alone all.yaml -q -o other.nc --set verify=20 >out 2>&1
ok "verify computes them again" is_same all.nc other.nc

# ---- spines ----

far='{region: apical, distance: [50, .inf]}'
cuts='populations[0].discretisation={d_lambda: 0.02, frequency: 300}'
job spiny "spiny: {where: $far, spines: {cm: 2, g: 4}}"
job written "spiny: {where: $far, cm: 2, pas: {g: 4e-4}}"
pair "spines multiply cm and the leak" spiny written
compute spiny --set "$cuts" && compute written --set "$cuts"
ok "d_lambda cuts with their cm" is_same spiny.nc written.nc
job spiny 'apical: {cm: {formula: "1 + distance/1000"}, pas: {g: {linear: [1e-4, 1e-7]}}}' \
    'apical, dendrite: {spines: {cm: 3}}' "spiny: {where: $far, spines: {cm: 4, g: 2}}"
job written 'apical: {cm: {formula: "3*(1 + distance/1000)"}, pas: {g: {linear: [1e-4, 1e-7]}}}' \
    'dendrite: {cm: 3}' \
    "spiny: {where: $far, cm: {formula: \"4*(1 + distance/1000)\"}, pas: {g: {formula: \"2*(1e-4 + 1e-7*distance)\"}}}"
pair "what varies too, later regions in the place of earlier ones" spiny written
compute spiny --set "$cuts" && compute written --set "$cuts"
ok "d_lambda cuts with what varies" is_same spiny.nc written.nc
compute spiny --set populations[0].regions.spiny.spines.g=3
ok "a factor matters" [ "$(values spiny.nc)" != "$(values written.nc)" ]

# ---- mistakes ----

# refused WHAT TEXT LINE...
refused() {
    local what=$1 text=$2
    shift 2
    job bad "$@"
    compute bad && echo "no failure" >>out
    ok "$what" grep -qF -- "$text" out
}
refused "a name without 'where' is told what lacks" "a region of your own has a key 'where'" \
    'tuft: {cm: 2}'
refused "an unknown name in a formula, with its column" "column 7: there is no name 'distanc'; did you mean 'distance'?" \
    'apical: {hh: {gnabar: {formula: "value*distanc", value: 1}}}'
refused "a number out of range, with its region and place" \
    "bad.yaml:12: apical.hh.gnabar is -0.006" \
    'apical: {hh: {gnabar: {linear: [0.1, -0.001]}}}'
refused "a number that is none" "gnabar is nan" \
    'apical: {hh: {gnabar: {formula: "log(-distance)"}}}'
refused "a number that its formula does not use" "'vlaue' is not in the formula" \
    'apical: {hh: {gnabar: {formula: "distance/1e6", vlaue: 3}}}'
refused "two ways to say a number" "keep one" \
    'apical: {hh: {gnabar: {linear: [0.1, 0], uniform: [0, 1]}}}'
refused "a table that is not there" "few.tsx" \
    'apical: {hh: {gnabar: {table: few.tsx}}}'
refused "a column that is not there" "gnaba" \
    'apical: {hh: {gnabar: {table: few.tsv, column: gnaba}}}'
refused "a section without a row" "has no row for" \
    'dendrite: {hh: {gnabar: {table: few.tsv}}}'
refused "a section that the neuron does not have" "apic[9]" \
    'x: {where: {sections: "apic[9]"}, cm: 2}'
refused "a region that stands later" "stands below" \
    'x: {where: {region: y}, cm: 2}' 'y: {where: {tip: true}, cm: 3}'
refused "a factor of 0" "cm: '0' is out of range" 'apical: {spines: {cm: 0}}'
refused "spines of another number" "key 'gl' does not belong here" 'apical: {spines: {gl: 2}}'
refused "a factor that is no group" "spines is a group of keys" 'apical: {spines: 2}'
job bad 'apical: {spines: {g: 2}}'
sed -i 's/, pas: {g: 1e-4, e: -65}//' bad.yaml
compute bad && echo "no failure" >>out
ok "a factor for no leak, with its line" says '^bosc run: bad.yaml:12: spines: g is a factor for the leak'
printf 'section\tgnabar (mS/cm2)\napic[0]\t0.1\n' >few.tsv
refused "a column in another unit" "is in mS/cm2, and the key takes S/cm2" \
    'apical: {hh: {gnabar: {table: few.tsv}}}'

# ---- plans ----

# loop FIRST SECOND: the expected time of two populations of one file.
loop() {
    printf '%s\n' 'tstop: 8' 'populations:' "  - {name: a, count: 50, $1}" \
        "  - {name: b, count: 50, $2}" >plan.yaml
    "$BOSC" plan --tsv plan.yaml 2>out | awk -F '\t' 'NR == 2 { print $7 }'
}
cut='morphologies: cell.swc, discretisation: {max_length: 1}'
# shellcheck disable=SC2034  # eval uses them
few="$cut, regions: {all: {pas: {}}}"
# shellcheck disable=SC2034
much="$cut, regions: {all: {pas: {}}, far: {where: {distance: [9, .inf]}, hh: {}}}"
ok "a plan counts regions of each population, though another one has the same file" \
    eval 't=$(loop "$few" "$much") && [ -n "$t" ] && is "$t" "$(loop "$much" "$few")"'
done_testing
