#!/bin/bash
# progress.t - what is seen of a run while it runs: a bar on a terminal, lines
# in a log, nothing with --quiet.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive LC_ALL=C

own_folder
diagnose="cat -v out"
bar='^\[#*\.*\] +[0-9]+ %  t = [^ ]+ of [^ ]+ ms, .* left(.\[K)?$'

# in_terminal COMMAND...: what a terminal is sent, in 'out'.
in_terminal() {
    if script -qec true /dev/null >out 2>&1 </dev/null; then
        timeout 300 script -qec "$(printf '%q ' "$@")" /dev/null
    else
        timeout 300 python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@"
    fi >out 2>&1 </dev/null
}

# The states of the bar, a line each; each begins at the left border.
bars() { tr '\r' '\n' <out | grep -aE '^\['; }
percents() { sed -E 's/^[^%]*[^0-9%]([0-9]+) %.*/\1/'; }
rising() { awk '$1 < last { bad = 1 } { last = $1 } END { exit bad || last != 100 }'; }
other_characters() {
    sed -E "s/$(printf '\033')\\[K//g" out | tr -d '\r' | grep -naE '[^[:print:]]'
}
lacks_bar() { ! grep -qaE $'[\r\033]|^\\[' out; }
apart() { # is the text after the bar on lines of its own?
    ! tr '\r' '\n' <out | grep -aE '^\[' | grep -qaE "$1" && grep -qaE "^$1" out
}

# Does a line that the terminal shows begin so?
begins() { tr '\r' '\n' <out | sed "s/$(printf '\033')\[K//g" | grep -qE "^$1"; }

cat >job.yaml <<'END_JOB'
tstop: 200
populations:
  - {name: cells, synthetic: {compartments: 200, sections: 31}, count: 16,
     regions: {all: {pas: {}}, soma: {hh: {}}}}
END_JOB

if in_terminal sh -c 'test -t 2 && echo is one' && says 'is one'; then
    in_terminal "$BOSC" run --overwrite job.yaml
    ok "a terminal is shown a bar" eval 'bars | grep -q .'
    ok "each state of it has percent, model time and time left" \
        [ -z "$(bars | grep -avE "$bar")" ]
    ok "it is always of one length" \
        is "$(bars | sed 's/\].*//' | awk '{ print length }' | sort -u | wc -l)" 1
    ok "it begins empty" eval 'bars | head -n 1 | grep -qE "^\[\.+\] +[01] %"'
    ok "it only grows, to 100 %" eval 'bars | percents | rising'
    ok "then it is full" eval 'bars | tail -n 1 | grep -qE "^\[#+\] 100 %"'
    ok "no other character moves the cursor or is left over" \
        eval '! other_characters'
    ok "what comes next is on a line of its own" apart 'wrote '
    in_terminal "$BOSC" run --overwrite job.yaml --set 'clamps=[{at: soma, delay: 20, duration: 9, amplitude: 90}]'
    ok "a warning in the middle of a run takes the bar's line, which is cleared" begins 'warning: neuron'
    in_terminal timeout -s TERM 4 "$BOSC" run --overwrite job.yaml --set tstop=1000000
    ok "so is the message of a run that is stopped" apart 'bosc.*stopped'
    in_terminal "$BOSC" run --overwrite job.yaml --quiet
    ok "--quiet shows a terminal nothing" [ ! -s out ]
else
    skip "neither script nor python3 makes a terminal here"
fi

"$BOSC" run --overwrite job.yaml >stdout 2>out </dev/null
grep -E '^ *[0-9]+ %  t = [^ ]+ ms, .* left$' out >lines
ok "a log has a line for every tenth of the time" is \
    "$(percents <lines | awk '$1 >= 10 { print int($1 / 10) }' | sort -nu | wc -l)" 10
ok "hardly more" [ "$(wc -l <lines)" -le 13 ]
ok "in order, to 100 %" eval 'percents <lines | rising'
ok "a log has no bar" lacks_bar
"$BOSC" run --overwrite job.yaml --quiet >out 2>&1 </dev/null
ok "--quiet writes nothing to a log" [ ! -s out ]
done_testing
