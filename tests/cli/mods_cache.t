#!/bin/bash
# mods_cache.t - what is built of mod files is code: only files that nobody else
# can write are loaded, and what is kept is written without following links.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"

own_folder
diagnose="cat out; ls -laR shared"
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no C compiler"
umask 022

cat >leak.mod <<'END'
NEURON { SUFFIX leak NONSPECIFIC_CURRENT i RANGE g, e }
PARAMETER { g = 0.001 (S/cm2) e = -70 (mV) }
ASSIGNED { v (mV) i (mA/cm2) }
BREAKPOINT { i = g * (v - e) }
END
cat >job.yaml <<'END'
tstop: 1
mechanisms: [leak.mod]
populations: [{name: c, synthetic: {compartments: 3, sections: 1}, regions: {all: {leak: {}}}}]
probes: [{name: soma}]
END
sed 's/leak.mod/named.bmod/' job.yaml >named.yaml
mkdir shared && chmod 1777 shared
export XDG_CACHE_HOME=$work/shared BOSC
built() { says '^built 1 mechanism '; }
kept() { find shared/bosc -name '*.bmod' 2>/dev/null; }
mode() { stat -c %a "$1"; }

alone job.yaml -o a.nc
file=$(kept)
ok "a job's mechanisms are kept in a folder of the user alone" is "$(mode shared/bosc)" 700
alone job.yaml -o a.nc
ok "and loaded from there" eval '! built && [ "$rc" = 0 ]'

# --- files that others can write ---

chmod 666 "$file"
alone job.yaml -o a.nc
ok "a file that all can write is built again" eval 'built && [ "$rc" = 0 ]'
ok "which is told, with owner and mode" says \
    "^warning: .*$file: it is code, and .* of user $(id -un) \(mode 0666\) can be written by all users"
ok "and replaced" is "$(mode "$file")" 644
chmod 777 shared/bosc
alone -q job.yaml -o a.nc
ok "so is a folder that all can write" says \
    '^warning: .*shared/bosc: it is code, and folder .* \(mode 0777\).*XDG_CACHE_HOME$'
touch -d '2020-01-01' "$file"
alone job.yaml -o a.nc
ok "from which nothing is loaded, and where nothing is kept" eval \
    'built && [ "$(stat -c %Y "$file")" = "$(date -d 2020-01-01 +%s)" ]'
chmod 1777 shared/bosc
alone job.yaml -o a.nc
ok "a folder with the sticky bit is as one's own" eval '! built && ! says warning'
chmod 700 shared/bosc

if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
    chown nobody "$file"
    alone job.yaml -o a.nc
    ok "a file of another user is built again" eval 'built && [ "$rc" = 0 ]'
    ok "which is told" says '^warning: .* of user nobody \(mode 0644\) can be written by that user'
    chown nobody shared/bosc
    alone job.yaml -o a.nc
    ok "so is one in a folder of another user" eval 'built && says "folder .* of user nobody"'
    chown root shared/bosc
else
    skip "files of another user: only root can make them"
fi

# --- links ---

echo precious >victim
rm "$file"
ln -s "$work/victim" "$file"
alone job.yaml -o a.nc
ok "a link in the place of a file is replaced" [ ! -L "$file" ]
ok "and what it leads to is left alone" is "$(cat victim)" precious
rm "$file"
sh -c 'ln -s "$0/victim" "$1.$$.part"; exec "$BOSC" run job.yaml -q -o a.nc --overwrite' \
    "$work" "$file" >out 2>&1
ok "no link is followed when a file is made" is "$(cat victim)" precious
mkfifo fifo && rm "$file" && mv fifo "$file"
alone job.yaml -o a.nc
ok "a pipe is not waited for" eval 'built && [ "$rc" = 0 ]'

# --- files that a job names ---

"$BOSC" mods build leak.mod -o new/sub/named.bmod >out 2>&1
ok "a file is built into a new folder" is "$?-$(mode new/sub/named.bmod)" 0-644
cp new/sub/named.bmod named.bmod
alone named.yaml -o b.nc
ok "a file that a job names is loaded" is "$rc" 0
chmod 666 named.bmod
alone named.yaml -o b.nc
ok "unless all can write it" is "$rc" 65
ok "with owner, mode and remedy" says \
    "named.bmod: it is code, and named.bmod of user $(id -un) \(mode 0666\) can be written by all users, whose code would run as user $(id -un); build it with"
chmod 644 named.bmod
if [ "$(id -gn)" = "$(id -un)" ] && [ "$(getent group "$(id -gn)" | cut -d: -f4)" = "" ]; then
    chmod 664 named.bmod
    alone named.yaml -o b.nc
    ok "a group of the user alone may write it" is "$rc" 0
    chmod 644 named.bmod
else
    skip "this user has no group alone"
fi
mkdir -m 777 open && cp named.bmod open/ && chmod 777 open
alone named.yaml -o b.nc --set mechanisms=open/named.bmod
ok "or its folder" says 'and folder open of user .* \(mode 0777\) can be written by all users'
rm named.bmod && ln -s new/sub/named.bmod named.bmod
alone named.yaml -o b.nc
ok "a link is followed" is "$rc" 0
rm named.bmod && ln -s open/named.bmod named.bmod
alone named.yaml -o b.nc
ok "but not into a folder that others can write" says 'folder .*open of user'
"$BOSC" mods build leak.mod -o open/named.bmod >out 2>&1
ok "who builds into such a folder is told" eval \
    '[ $? = 0 ] && says "^warning: jobs will refuse open/named.bmod"'
alone named.yaml -o b.nc --set mechanisms=missing.bmod
ok "one that is missing is missing" says 'missing.bmod: No such file'
done_testing
