#!/bin/bash
# checkpoint.t - a run that is interrupted goes on with the same bits: on other
# numbers of ranks and threads, by another method, after any end.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_ncdump
need_launcher
own_folder
diagnose="cat out"

# Spikes are on their way all the time, some for 40 ms; detectors elsewhere than
# at somata; sources of all kinds.
printf '%s\n' 0,0 130,0.1 600,-0.05 1e9,0.1 >wave.csv
printf '# time source\n2.5 0\n60 1\n61 0\n140 1\n499.5 0\n950 1\n' >times.tsv
cat >net.yaml <<'END'
tstop: 1000
seed: 5
populations:
  - {name: a, synthetic: {compartments: 60, sections: 13}, count: 60,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
  - {name: b, synthetic: {compartments: [30, 90], sections: [7, 11]}, count: 43,
     regions: {all: {pas: {}, hh: {}}}}
synapses: [{name: fast, type: ExpSyn, tau: 2}, {name: slow, type: Exp2Syn, tau1: 1, tau2: 8}]
sources:
  - {name: noise, type: poisson, rate: 80, count: 20}
  - {name: beat, type: regular, interval: 7, noise: 0.5, count: 5}
  - {name: listed, type: file, file: times.tsv, count: 2}
projections:
  - {from: noise, to: a, synapse: fast, rule: fixed_indegree, indegree: 10, weight: 0.01, delay: {uniform: [1, 30]}}
  - {from: beat, to: b, synapse: slow, rule: all_to_all, weight: 0.002, delay: 12}
  - {from: listed, to: a, synapse: slow, rule: all_to_all, weight: 0.01, delay: 35}
  - {from: a, to: b, synapse: slow, rule: fixed_indegree, indegree: 8, weight: 0.005, delay: {uniform: [1, 40]}}
  - {from: b, to: a, synapse: fast, rule: fixed_probability, probability: 0.2, weight: 0.004, delay: 2.5,
     source: {at: "dend[0](0.5)", threshold: -30}}
clamps: [{population: b, neurons: "3-9", at: soma, delay: 5, duration: 950, amplitude: 0.2}]
stimuli:
  - {name: held, type: SEClamp, population: b, neurons: "10-12", rs: 20, dur1: 300, amp1: -70, dur2: 1e6, amp2: -50}
  - {name: current, type: OUCurrent, population: a, neurons: "0-19", mean: 0.02, sigma: 0.02, tau: 5}
  - {name: leak, type: OUConductance, population: b, neurons: "20-30", mean: 0.001, sigma: 0.001, tau: 3, reversal: 0}
  - {name: wave, type: CurrentPlayback, population: a, neurons: "30-40", table: wave.csv}
probes:
  - {name: soma, at: soma, variables: [v, i_mem, hh.m], interval: 1}
  - {name: all, population: b, neurons: "2-4", at: everywhere, interval: 5}
END
# In reach of spikes, and not at rest: neurons in a circle, half by half step.
cat >gap.yaml <<'END'
tstop: 1500
second_order: true
populations:
  - {name: c, synthetic: {compartments: 200, sections: 31}, count: 40, regions: {all: {pas: {}}, soma: {hh: {}}}}
couplings:
  - {from: c, to: c, type: gap, rule: ring, conductance: 0.002}
  - {from: c, to: c, type: graded, rule: ring, offset: 3, conductance: 0.001, e: -80, half: -40, slope: 5, at: "dend[0](0.5)"}
clamps: [{neurons: "0-19", at: soma, delay: 5, duration: 1400, amplitude: 0.3}]
probes: [{name: soma, variables: [v, i_mem], interval: 1}]
END

# Mechanisms with ions, with memory of their connections, with events to
# themselves on their way.
mkdir mods
cat >mods/cal.mod <<'END'
NEURON { SUFFIX cal USEION ca READ eca WRITE ica RANGE gbar }
PARAMETER { gbar = 0.0005 (S/cm2) }
ASSIGNED { v (mV) eca (mV) ica (mA/cm2) }
STATE { m }
INITIAL { m = 1 / (1 + exp(-(v + 20) / 8)) }
BREAKPOINT {
    SOLVE states METHOD cnexp
    ica = gbar * m * (v - eca)
}
DERIVATIVE states { m' = (1 / (1 + exp(-(v + 20) / 8)) - m) / 3 }
END
cat >mods/cad.mod <<'END'
NEURON { SUFFIX cad USEION ca READ ica WRITE cai RANGE tau }
PARAMETER { tau = 80 (ms) }
ASSIGNED { ica (mA/cm2) }
STATE { cai (mM) }
INITIAL { cai = 0.0001 }
BREAKPOINT { SOLVE states METHOD cnexp }
DERIVATIVE states { cai' = -0.01 * ica + (0.0001 - cai) / tau }
END
cat >mods/echo.mod <<'END'
NEURON { POINT_PROCESS Echo NONSPECIFIC_CURRENT i RANGE tau, lag }
PARAMETER { tau = 3 (ms) lag = 25 (ms) }
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * v
}
DERIVATIVE states { g' = -g / tau }
NET_RECEIVE (w (uS), n) {
    INITIAL { n = 0 }
    if (flag == 0) {
        n = n + 1
        g = g + w * exp(-n / 40)
        net_send(lag, 1)
    } else {
        g = g + w / 2
    }
}
END
cat >mods/jitter.mod <<'END'
TITLE An electrode whose current is drawn
NEURON { POINT_PROCESS Jitter ELECTRODE_CURRENT i RANGE amp, i RANDOM r }
PARAMETER { amp = 0.01 (nA) }
ASSIGNED { i (nA) }
INITIAL { i = 0 }
BREAKPOINT { i = i / 2 + amp * random_normal(r) }
END
cat >mod.yaml <<'END'
tstop: 1000
mechanisms: [mods]
populations:
  - {name: c, synthetic: {compartments: 60, sections: 13}, count: 30,
     regions: {all: {pas: {}, cal: {}, cad: {}}, soma: {hh: {}}}}
synapses: [{name: echo, type: Echo}]
sources: [{name: noise, type: poisson, rate: 30, count: 20}]
projections:
  - {from: noise, to: c, synapse: echo, rule: fixed_indegree, indegree: 6, weight: 0.02, delay: {uniform: [1, 30]},
     at: {region: all}}
  - {from: c, to: c, synapse: echo, rule: fixed_indegree, indegree: 4, weight: 0.01, delay: 20}
point_processes: [{type: Jitter, neurons: 0-20}, {type: Jitter, neurons: 0-9, at: soma, amp: 0.02}]
probes: [{name: soma, variables: [v, hh.m, Jitter.i], interval: 1}]
END
jobs="net gap"
if command -v "${BOSC_CC:-cc}" >/dev/null; then
    export XDG_CACHE_HOME=$work/cache
    jobs+=" mod"
fi

# How often a checkpoint is written by the clock.
often=(--set checkpoint.every=0.005)
# The reference has the same bits, and takes long enough to be met by a signal.
slowly=(--set backend=ref)

# start RANKS JOB OUTPUT ARGUMENTS...: in the background; its number in 'job'.
start() {
    local launch=("$BOSC")
    [ "$1" = 1 ] || launch=("$MPIEXEC" -n "$1" "$BOSC")
    : >out
    timeout 300 "${launch[@]}" run "$2" -o "$3" "${@:4}" >out 2>&1 </dev/null &
    job=$!
}
# stop SIGNAL OUTPUT WORDS: when the run has said these, to one of its ranks, but
# KILL to all of them; its exit code in rc.
stop() {
    local ranks=()
    for ((i = 0; i < 1000; i++)); do
        grep -q ' result ' out && mapfile -t ranks < <(writers "$2")
        [ ${#ranks[@]} = 0 ] || break
        sleep 0.02
    done
    for ((; i < 3000; i++)); do
        grep -q "$3" out && break
        kill -0 "$job" 2>/dev/null || break
        sleep 0.02
    done
    [ "$1" = KILL ] || ranks=("${ranks[-1]}")
    kill -"$1" "${ranks[@]}" 2>/dev/null
    wait "$job" 2>/dev/null
    rc=$?
}
# finish RANKS JOB OUTPUT ARGUMENTS...
finish() {
    start "$@"
    wait "$job"
    rc=$?
}
events() { sed -n 's/^  network  *\([0-9,]* events\);.*/\1/p' "$1"; }
flying() { ncdump -h "$1" | sed -n 's/.*flight = \([0-9]*\) ;/\1/p'; }
none_left() { is "$(echo "$1"*)" "$1"; }

# --- interrupted twice, by signals ----------------------------------------

for name in $jobs; do
    finish 1 "$name.yaml" one.nc --overwrite
    ok "$name: a run without interruption" is $rc 0
    cp out whole.out
    [ "$name" != mod ] || ok "mod: spikes come and go" says '[0-9]{2,} spikes'
    for _ in 1 2 3 4 5; do # one may be over before it gets the signal
        start 1 "$name.yaml" legs.nc --overwrite
        stop TERM legs.nc '^ 10 %'
        [ $rc = 0 ] || break
    done
    ok "$name: SIGTERM ends a run with 75" is $rc 75
    ok "$name: after a checkpoint, which is told" says '^checkpoint at t = [0-9.]+ ms, [0-9.]+ kB in '
    ok "$name: and what to do" once '^bosc run: stopped by signal 15 \(.*\) at t = .*; the results until then are in legs.nc.partial; run the job again to go on from there$'
    [ "$name" = gap ] || ok "$name: spikes are on their way" [ "$(flying legs.nc.checkpoint)" -gt 0 ]
    [ "$name" != mod ] || ok "mod: events to themselves are on their way" eval \
        'ncdump -h legs.nc.checkpoint | grep -q "double self.time"'
    start 2 "$name.yaml" legs.nc --set threads=1 "${slowly[@]}"
    stop USR1 legs.nc '^ [2-9]0 %'
    ok "$name: 2 ranks go on there" says '^  resuming  *at t = [0-9.]+ ms from a checkpoint'
    ok "$name: until SIGUSR1 ends them, with one message" once '^bosc run: stopped by signal 10 .*run the job again'
    ok "$name: the checkpoint before is kept" [ -s legs.nc.checkpoint.old ]
    finish 1 "$name.yaml" legs.nc --continue --set threads=2 --set method=hines-flat
    ok "$name: 1 rank of 2 threads ends it, by another method" is $rc 0
    ok "$name: nothing else is left" none_left legs.nc
    ok "$name: the result has the bits of the run without interruption" nc_same one.nc legs.nc
    ok "$name: and as many events" is "$(events out)" "$(events whole.out)"
    ok "$name: it has the commands of all three" is 3 \
        "$(ncdump -h legs.nc | grep :history | grep -o ' -o legs.nc' | wc -l)"
    rm -f legs.nc*
done

# --- killed again and again -------------------------------------------------

long=(--set tstop=3000) # it is told a little after it is written
finish 2 net.yaml long.nc "${long[@]}"
legs=0
for ((ranks = 1; legs < 3; ranks = ranks % 3 + 1)); do
    start $ranks net.yaml kill.nc "${often[@]}" "${long[@]}"
    stop KILL kill.nc '^checkpoint.*$'
    [ ! -s kill.nc ] || break
    legs=$((legs + 1))
    [ -s kill.nc.checkpoint ] || break
done
ok "runs that are killed at a checkpoint, on 1, 2 and 3 ranks, leave it" [ -s kill.nc.checkpoint ]
finish 2 net.yaml kill.nc "${long[@]}"
ok "after $legs of them one ends the job" is $rc 0
ok "nothing else is left" none_left kill.nc
ok "and it has the bits of the run without interruption" nc_same long.nc kill.nc

# --- another run's file ------------------------------------------------------

finish 1 net.yaml ended.nc --set celsius=20
start 1 net.yaml end.nc "${slowly[@]}"
stop TERM end.nc '^ 10 %'
cp ended.nc end.nc.partial
finish 2 net.yaml end.nc
ok "results of another run are not gone on with" eval 'is $rc 0 && ! says "^  resuming "'
ok "which is told" once '^bosc run: end.nc.partial: the first [0-9]+ rows of [a-z_.]+ are not those that were written; the file is damaged, or of another run$'
ok "they are kept as they were" cmp ended.nc end.nc.partial.1
finish 1 net.yaml one.nc --overwrite
ok "and the job begins anew, to the same bits" nc_same one.nc end.nc
rm -f end.nc* ended.nc

# --- as the job says --------------------------------------------------------

start 1 net.yaml no.nc "${slowly[@]}" --set checkpoint.on_signal=false
stop TERM no.nc '^ 10 %'
ok "where the job wants none, a signal ends it with 130" is $rc 130
ok "and there is no checkpoint" [ ! -e no.nc.checkpoint ]
start 1 net.yaml no.nc "${slowly[@]}"
stop HUP no.nc '^ 10 %'
ok "nor after SIGHUP, as when nobody waits for it any more" eval 'is $rc 130 && [ ! -e no.nc.checkpoint ]'
finish 2 net.yaml end.nc --set tstop=20 --set checkpoint.at_end=true
ok "one at the end is kept where it is asked for" eval 'is $rc 0 && [ -s end.nc.checkpoint ]'
ok "it is of the end" eval 'ncdump -h end.nc.checkpoint | grep -q ":step = 800"'
finish 1 net.yaml end.nc --set tstop=20 --continue
ok "and the job is finished all the same" says 'finished result of this job: nothing to do'
rm -f one.nc
finish 2 net.yaml one.nc
finish 2 net.yaml many.nc "${often[@]}"
ok "checkpoints by the clock are counted in the end" says '^  checkpoints  *[0-9]+ of .*, written in '
ok "they change nothing" nc_same one.nc many.nc
done_testing
