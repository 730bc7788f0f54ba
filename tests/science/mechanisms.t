#!/bin/bash
# mechanisms.t - a job with mechanisms of mod files that share calcium, with
# synapses that remember, and electrodes, is what NEURON makes of it.
#
# BOSC_PYTHON is a Python that has NEURON (default: python3).
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
python=${BOSC_PYTHON:-python3}
folder=$(dirname "$(command -v "$python" || echo .)")
PATH=$folder:$PATH
command -v nrnivmodl >/dev/null || skip_all "NEURON is not installed"
"$python" -c 'import neuron' 2>/dev/null >&2 ||
    skip_all "NEURON is not installed for $python"
need_ncdump
own_folder
diagnose="cat out err"
export XDG_CACHE_HOME=$work/cache

# The largest difference of VARIABLE is at most a share of its largest value.
agrees() {
    awk -F'\t' -v name="$1" -v share="$2" '
        $1 == name && NF == 3 { found = $2 <= share * $3 }
        END { exit !found }' out
}

"$python" "$BOSC_SRC/tests/science/compare-mods.py" "$BOSC" >out 2>err
# slopes of currents are derived here, and differences of v there
ok "voltages are those of NEURON, but for slopes" agrees v 1e-7
ok "the calcium that one mechanism keeps" agrees cai 1e-7
ok "its reversal potential" agrees eca 1e-7
ok "the currents of two mechanisms and a synapse" agrees ica 1e-7
ok "a state of one that reads it" agrees kca_m 1e-7
ok "the current of a voltage clamp" agrees Hold_i 1e-7
done_testing
