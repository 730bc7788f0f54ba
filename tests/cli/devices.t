#!/bin/bash
# devices.t - 'bosc devices' as users call it, with GPUs or without.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# What is wrong with a command that should fail with that code and message.
failing() {
    local want=$1 say=$2 got
    shift 2
    timeout 300 "$@" >out 2>err
    got=$?
    if [ "$got" -ne "$want" ] || [ "$(grep -cE "$say" err)" != 1 ]; then
        echo "exit code $got"
        cat out err
    fi
}

export CUDA_VISIBLE_DEVICES=
report "without a GPU it fails, and tells on which node, and why" \
    "$(failing 69 '^bosc devices: rank 0 on .+ sees no GPU: .+' "$BOSC" devices)"
report "arguments are refused" \
    "$(failing 2 "unexpected argument 'a'; see bosc devices --help" "$BOSC" devices a)"
report "ranks cannot both share a GPU and do without" \
    "$(failing 2 'share and --mix: .* give one of the two' "$BOSC" devices --share --mix)"
report "without any GPU there is nothing to mix" \
    "$(failing 69 'rank 0 on .+ sees no GPU: .+' "$BOSC" devices --mix)"
report "so are four worlds of one rank" \
    "$(PMI_SIZE=4 failing 65 'the launcher does not fit' "$BOSC" devices)"
if [ -n "${MPIEXEC:-}" ]; then
    report "under a launcher all ranks fail, with one message" \
        "$(failing 69 'sees no GPU' "$MPIEXEC" -n 3 "$BOSC" devices)"
    report "so they do for a wrong option" \
        "$(failing 2 "did you mean '--share'" "$MPIEXEC" -n 3 "$BOSC" devices --shar1)"
fi

# With a GPU: ranks beside it, and the same results.
export CUDA_VISIBLE_DEVICES=0
if [ -z "${MPIEXEC:-}" ] || ! command -v ncdump >/dev/null ||
    ! timeout 300 "$BOSC" devices >out 2>&1; then
    skip "there is no GPU, launcher or ncdump: ranks beside a GPU"
    done_testing
    exit
fi
cat >job.yaml <<'END'
tstop: 20
populations:
  - name: cells
    synthetic: {compartments: [76, 691], sections: [7, 341]}
    count: 100
    regions: {all: {pas: {}}, soma: {hh: {}}}
synapses: [{name: s, type: ExpSyn}]
sources: [{name: x, type: poisson, count: 100, rate: 20}]
projections:
  - {from: x, to: cells, synapse: s, rule: fixed_indegree, indegree: 50, weight: 0.05, delay: 0}
  - {from: cells, to: cells, synapse: s, rule: fixed_indegree, indegree: 20, weight: 0.002, delay: 2}
probes: [{name: soma}]
END
costs='{neuron: 8, equal: 1.5, different: 1.5, alone: 4.6, section: .7, level: 0, wait: 5.6,
           visit: 10, fetch: 2.5, event: 25, sample: 1.6}'
for backend in cuda,cell-blocks cpu,depth-first; do
    printf '  - {name: x, backend: %s, method: %s, ranks: 1, lanes: 8, threads: 1, speedup: 1,\n' "${backend%,*}" "${backend#*,}"
    printf '     base: 1e7, step: %s,\n     setup: {read: 1, make: 1, pack: 1, connect: 1}}\n' "$costs"
done | cat <(printf 'host: x\nprocessors: 4\nmemory: 1e10\ndevices:\n') - >machine.yaml
export BOSC_MACHINE=$work/machine.yaml
results() { ncdump -p 17 -v spike_time,spike_gid,soma_v "$1" | sed '1,/^data:/d'; }
run_on() {
    local ranks=$1 result=$2
    shift 2
    timeout 300 "$MPIEXEC" -n "$ranks" "$BOSC" run job.yaml -q -o "$result" "$@" >out 2>&1
}
export diagnose="cat out"
ok "one rank runs on CPUs" run_on 1 cpu.nc
results cpu.nc >want
ok "neurons spike" grep -q 'spike_gid = [0-9]' want
for ranks in 2 3; do
    ok "$ranks ranks run with one GPU" \
        run_on $ranks mix$ranks.nc --set backend=cuda --mix
    results mix$ranks.nc >got
    ok "with all bits of one on CPUs" cmp -s want got
    ok "and all of them have neurons" eval \
        "! ncdump -v rank_neurons mix$ranks.nc | sed '1,/^data:/d' | grep -qw 0"
done
done_testing
