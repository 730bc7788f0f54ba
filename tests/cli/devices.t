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
    timeout 60 "$@" >out 2>err
    got=$?
    if [ "$got" -ne "$want" ] || [ "$(grep -cE "$say" err)" != 1 ]; then
        echo "exit code $got"
        cat out err
    fi
}

export CUDA_VISIBLE_DEVICES=
report "without a GPU it fails, and tells on which node, and why" \
    "$(failing 1 '^bosc devices: rank 0 on .+ sees no GPU: .+' "$BOSC" devices)"
report "arguments are refused" \
    "$(failing 2 "unexpected argument 'a'; see bosc devices --help" "$BOSC" devices a)"
report "so are four worlds of one rank" \
    "$(PMI_SIZE=4 failing 1 'the launcher does not fit' "$BOSC" devices)"
if [ -n "${MPIEXEC:-}" ]; then
    report "under a launcher all ranks fail, with one message" \
        "$(failing 1 'sees no GPU' "$MPIEXEC" -n 3 "$BOSC" devices)"
    report "so they do for a wrong option" \
        "$(failing 2 "did you mean '--share'" "$MPIEXEC" -n 3 "$BOSC" devices --shar1)"
fi
done_testing
