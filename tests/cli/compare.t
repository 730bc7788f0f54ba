#!/bin/bash
# compare.t - jobs/compare runs a ring in the simulators that are installed.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
need_ncdump
python3=$(command -v python3) || skip_all "python3 is not installed"
own_folder
diagnose="cat out err"

compare() { # in $python
    PYTHONPATH=$work/modules timeout 300 "$python" "$BOSC_SRC/jobs/compare" \
        "$@" >out 2>err </dev/null
}
small() { compare --bosc "$BOSC" --cells 8 --tstop 20 --rounds 1 "$@"; }
says() { grep -qE -- "$1" out; }
warns() { grep -qE -- "$1" err; }
refuses() { # WORDS ARGUMENTS...
    local words=$1
    shift
    ! compare --bosc "$BOSC" "$@" && [ ! -s out ] &&
        warns "^compare: .*$words" && ! warns Traceback
}
module() { # NAME PROGRAM
    mkdir -p modules && printf '%s\n' "$2" >"modules/$1.py"
}

# A Python without packages but those in modules/.
printf '#!/bin/sh\nexec "%s" -S "$@"\n' "$python3" >bare
chmod +x bare
python=./bare

ok "it shows its options" eval 'compare --help && says "--everywhere"'
for option in "--cells 0" "--shapes x" "--rounds -1" "--tstop 5" \
    "--tstop 20.01" "--threads 1.5"; do
    # shellcheck disable=SC2086  # option and value
    ok "$option is refused" \
        refuses "argument ${option% *}.*'${option#* }' is no" $option
done
ok "a simulator that it does not know is refused, with those that it does" \
    refuses "there is no 'brian'; there is bosc, neuron" --only bosc,brian
ok "so is a program that is not there" \
    refuses "none/bosc: there is no such program" --bosc none/bosc
ok "so is one that is not bosc" refuses "false generate" --bosc false

ok "without other simulators bosc runs alone" small
ok "its cells fire" says '^bosc: [1-9][0-9]* spikes$'
ok "every simulator that is missing has one line, which says what to install" \
    is "$(grep -cE '^(NEURON|CoreNEURON|Arbor): left out: not installed; .* -m pip install (neuron|arbor)$' out)" 3
# A bosc that notes which result it leaves.
cat >noting <<END
#!/bin/sh
"$BOSC" "\$@" || exit
for last; do :; done
[ "\$1" != run ] || stat -c '%i %y' "\$last" >>results
END
chmod +x noting
compare --bosc ./noting --cells 8 --tstop 20 --rounds 3
ok "each round has a result of its own" is "$(sort -u results | wc -l)" 3
small --everywhere --shapes 3 --threads 2 --tsv
ok "a table has a line a simulator, with a value for each column" \
    is "$(awk -F'\t' '{ print NF }' out | uniq -c | tr -s ' ')" " 2 21"
ok "what is missing is not in the table" warns '^Arbor: left out'
ok "nothing but what is missing is a failure" eval \
    '! small --only arbor && warns "^compare: no simulator ran"'
mkdir -p modules/neuron
ok "a folder of that name is no simulator" eval \
    'small && says "^NEURON: left out: not installed"'
rmdir modules/neuron
module arbor 'raise ImportError("an old one")'
module neuron 'import os; os.write(2, b"out of order\n"); os._exit(3)'
ok "a simulator that does not start is left out" small
ok "with its message" says '^Arbor: left out: ImportError: an old one$'
ok "or its last words" says '^CoreNEURON: left out: out of order$'
mkdir temporary
TMPDIR=$work/temporary small
TMPDIR=$work/temporary small --bosc false
ok "no file is left behind" rmdir temporary

module spikes "
from importlib import machinery, util
loader = machinery.SourceFileLoader('compare', '$BOSC_SRC/jobs/compare')
compare = util.module_from_spec(util.spec_from_loader('compare', loader))
loader.exec_module(compare)
class ring: tstop, tables = 20.0, False
ours = [(0, 6.5), (1, 12.5), (2, 18.5)]
for name, theirs in (
        ('neuron', [(2, 18.5), (1, 12.5), (0, 6.5)]),
        ('neuron', [(0, 6.5), (1, 12.525), (2, 18.5)]),
        ('neuron', ours[:2]), ('neuron', ours + [(3, 19.9)]),
        ('arbor', [(0, 6.6), (1, 12.8), (2, 18.9)]),
        ('arbor', [(0, 6.6), (1, 13.8), (2, 18.9)]),
        ('arbor', ours + [(3, 19.9)]), ('arbor', ours[1:])):
    runs = {'bosc': [{'spikes': ours}], name: [{'spikes': theirs}]}
    print(*compare.compare_spikes(name, 'bosc', runs, ring)[:2])
"
PYTHONPATH=$work/modules PYTHONDONTWRITEBYTECODE=1 ./bare -c 'import spikes' \
    >out 2>err
cat >expected <<'END'
True every spike in the same step as bosc's
False as many spikes of every cell, but up to 0.025 ms from bosc's
False 1 cell with more or fewer spikes than bosc's
False 1 cell with more or fewer spikes than bosc's
True as many spikes of every cell, at most 0.4 ms from bosc's
False as many spikes of every cell, but up to 1.3 ms from bosc's
True as many spikes of every cell, at most 0 ms from bosc's
False 1 cell with more or fewer spikes than bosc's
END
diagnose="diff expected out" ok "spikes agree with NEURON's in the same step, with Arbor's within 1 ms" \
    cmp -s expected out

rm -r modules
for name in neuron coreneuron arbor; do
    python=
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -c "import ${name#core}" >/dev/null 2>&1 &&
            python=$candidate && break
    done
    if [ -z "$python" ]; then
        skip "$name is not installed"
        skip "and does not take part"
    else
        ok "spikes of bosc and $name agree" \
            small --only "bosc,$name" --everywhere
        ok "and $name took part" eval '! says "left out"'
    fi
done
done_testing
