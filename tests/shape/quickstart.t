#!/bin/bash
# quickstart.t - what quickstart says and refuses, with a pretended system.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# pretend NAME: a program of that name, its text on standard input.
pretend() {
    { echo '#!/bin/sh' && cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}

# A copy, in a folder with blanks, that sees only the programs of $bin.
quickstart() {
    (cd / && PATH=$bin CI='' CC='' "$work/a folder/quickstart" "$@") \
        >"$work/out" 2>&1 </dev/null
    rc=$?
}

says() { grep -qE -- "$1" "$work/out"; }
lines() { [ "$(grep -cE -- "$2" "$work/out")" = "$1" ]; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bin=$work/bin
diagnose="cat $work/out"
mkdir "$bin" "$work/a folder"
cp "$BOSC_SRC/quickstart" "$work/a folder/"
for program in sh sed dirname mkdir getconf cat tail grep env head sleep; do
    ln -s "$(command -v $program)" "$bin/"
done

quickstart
ok "without a task it shows its usage" says '^usage: ./quickstart demo'
ok "and ends with 2" is $rc 2
quickstart --help
ok "--help shows the usage and ends with 0" is $rc 0
quickstart demo --now
ok "an argument it does not know is refused" says 'takes no arguments'

quickstart demo
ok "another system is told what bosc needs" says 'netCDF-C 4.6 or newer'
ok "and what of it was not found" says 'not found: make pkg-config autoconf'
ok "and it ends with 1" is $rc 1

pretend id <<<'echo 1000'
pretend sudo <<<'exit 1'
pretend dpkg-query <<<'exit 1'
pretend apt-get <<<'echo apt-get was called >&2; exit 100'
quickstart demo
ok "without rights the missing packages are one line to copy" \
    lines 1 '^ *sudo apt-get install --no-install-recommends gcc .*libnetcdf-dev'
ok "the line names what only the plot needs" says 'python3-matplotlib'
ok "the line leaves out what only tests need" lines 0 'shellcheck'
ok "nothing is installed or built" lines 0 'apt-get was called|configur'
ok "and it ends with 1" is $rc 1
quickstart check
ok "for the tests the line names their tools" says 'shellcheck'
ok "SLURM is for CI only" lines 0 'slurm'

pretend dpkg-query <<'EOT'
for package; do :; done
case $package in python3-*) exit 1 ;; *) printf installed ;; esac
EOT
quickstart demo
ok "what can be done without is named" says 'sudo apt-get .* python3-netcdf4 '
ok "and the build begins without it" says '^== making configure'
ok "a step that fails shows its command and its log" \
    says "'./bootstrap' failed; all of its output is in .*a folder/build/quickstart.log"

pretend id <<<'echo 0'
pretend apt-get <<'EOT'
case " $* " in
*" update "*) : >"${0%/*}/updated" ;;
*) [ -e "${0%/*}/updated" ] && echo "$*" >"${0%/*}/installed" ;;
esac
EOT
quickstart demo
ok "root installs what is missing, after fetching the lists once it must" \
    grep -q -- '--no-install-recommends python3-netcdf4' "$bin/installed"

# A project of three files, whose build goes on when it is seen that the first
# is made.
cd "$work/a folder" || exit 1
printf '#!/bin/sh\n: >Makefile.in\ncp ../configured configure\n' >bootstrap
cat >../configured <<'EOT'
#!/bin/sh
echo "abs_top_builddir = $PWD" >Makefile
: >config.status
EOT
chmod +x bootstrap ../configured
ln -s "$(command -v cp)" "$bin/"
cat >"$bin/make" <<EOT
#!/bin/sh
case " \$* " in
*" -n "*) for file in a b c; do echo "echo \\"  CC      \\" \$file.o"; done; exit ;;
esac
echo "  CC       a.o"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q '1 of 3 files' "$work/out" && exit 1
    sleep 1
done
exit 2
EOT
chmod +x "$bin/make"
quickstart demo
ok "while it builds it shows how many files are made" says '^   1 of 3 files$'
ok "then what make said" says '^  CC       a.o$'
if command -v script >/dev/null && script -qec true /dev/null >"$work/out" 2>&1 </dev/null; then
    rm -rf build configure
    (cd / && PATH=$bin CI='' CC='' "$(command -v script)" -qefc "'$work/a folder/quickstart' demo" \
        /dev/null) >"$work/out" 2>&1 </dev/null
    ok "on a terminal, in one line" eval "tr '\r' '\n' <'$work/out' | grep -q '^   1 of 3 files$'"
else
    skip "script makes no terminal here"
fi
cd / || exit 1

cat >"$work/one.log" <<'EOT'
# TOTAL: 6
# PASS:  6

Testsuite summary for bosc
# TOTAL: 5
# PASS:  3
# SKIP:  1
# XFAIL: 1
# FAIL:  0
# XPASS: 0
# ERROR: 0
EOT
printf '%s\n' 'FAIL: it.t 7 - that' 'Testsuite summary for it' '# PASS: 2' '# FAIL: 1' \
    '# ERROR: 1' 'stage failed' >"$work/two.log"
printf '%s\n' 'no rule to make it' 'stage failed' >"$work/three.log"
tally() { sh "$BOSC_SRC/tests/lib/tally.sh" "$@" >"$work/out"; rc=$?; }
tally "$work/one.log"
ok "the tally adds up tests, once" says '^4 passed, 0 failed, 1 skipped$'
ok "and is content when none failed" is $rc 0
tally "$work/one.log" "$work/two.log"
ok "a failed stage with failed tests counts just these" \
    says '^6 passed, 2 failed, 1 skipped$'
ok "and names them" says '/two.log: FAIL: it.t 7 - that$'
tally "$work/one.log" "$work/three.log"
ok "a failed stage without a failed test counts as one" \
    says '^4 passed, 1 failed, 1 skipped$'
ok "whose last lines are shown" says '/three.log: no rule to make it$'
ok "and the tally ends with 1" is $rc 1
: >"$work/none.log"
tally "$work/none.log"
ok "no test at all is a failure too" is $rc 1
done_testing
