#!/bin/bash
# install.t - what 'make install' puts where shells and Lmod look for it, and the
# recipes of packages.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
own_folder
diagnose="tail -n 20 out"

version=$("$BOSC" --version)
version=${version#bosc }
MAKEFLAGS='' make -C "$BOSC_BUILD" install-data DESTDIR="$work/root" >out 2>&1
ok "the data are installed" is $? 0
prefix=$(sed -n 's/^prefix = //p' "$BOSC_BUILD/Makefile")
share=$work/root$prefix/share
ok "the completion of bash is there" cmp -s "$share/bash-completion/completions/bosc" "$BOSC_SRC/build-aux/completion.bash"
ok "also for bosc-bench" cmp -s "$share/bash-completion/completions/bosc-bench" "$BOSC_SRC/build-aux/completion.bash"
ok "with its manual" cmp -s "$share/man/man1/bosc-bench.1" "$BOSC_SRC/bench/bosc-bench.1"
ok "and that of libbosc-tridiag" cmp -s "$share/man/man3/bosc_tridiag.3" "$BOSC_SRC/src/tridiag/bosc_tridiag.3"
ok "with an example" cmp -s "$share/doc/bosc/tridiag-example.c" "$BOSC_SRC/src/tridiag/tridiag-example.c"
ok "and that of zsh" cmp -s "$share/zsh/site-functions/_bosc" "$BOSC_SRC/build-aux/completion.zsh"
module=$share/modulefiles/bosc/$version.lua
ok "and a module with the prefix" eval "grep -qxF 'prepend_path(\"PATH\", \"$prefix/bin\")' '$module' && ! grep -q @ '$module'"
ok "and of this version" grep -qxF "whatis(\"Version: $version\")" "$module"
if lua=$(command -v lua lua5.4 lua5.3 | head -n 1) && [ -n "$lua" ]; then
    cat >lmod.lua <<'END'
said = {}
for _, name in ipairs({"help", "whatis", "conflict"}) do _G[name] = function() end end
function prepend_path(name, path) print(name, path) end
append_path = prepend_path
dofile(arg[1])
END
    "$lua" lmod.lua "$module" >out 2>&1
    ok "Lua reads it" says '^MANPATH.*/share/man$'
    # An empty part stands for the folders that man searches without it.
    ok "and other manuals are found as before" eval 'tail -n 1 out | grep -qx "MANPATH."'
else
    skip "Lua is not installed"
fi
ok "and models of methods" cmp -s "$share/bosc/methods.model" "$BOSC_SRC/src/select/data/methods.model"
ok "a job that is installed runs from there" "$BOSC" run "$share/bosc/jobs/demo.yaml" --dry-run -q

{ MAKEFLAGS='' make -C "$BOSC_BUILD" install DESTDIR="$work/root" &&
    MAKEFLAGS='' make -C "$BOSC_BUILD" uninstall DESTDIR="$work/root"; } >out 2>&1
ok "all is installed, and uninstalled" is $? 0
ok "and no file is left" is "$(find "$work/root" ! -type d)" ""
ok "and no folder of its own" is "$(find "$work/root$prefix" -name 'bosc*' 2>&1)" ""

# --- recipes ----------------------------------------------------------------

needed=$(sed -n '/^needed=/,/"$/p' "$BOSC_SRC/quickstart" | tr -d '"\n' | sed 's/needed=//')
mpich=$(sed -n 's/^mpich="\(.*\)"/\1/p' "$BOSC_SRC/quickstart")
definition=$BOSC_SRC/build-aux/apptainer.def
report "the Apptainer definition installs what quickstart does" "$(
    for package in $needed $mpich; do
        grep -qE "(^| )$package( |\$)" "$definition" || echo "$package"
    done
)"
ok "it builds this version" grep -qx "    Version $version" "$definition"
sed -n '/^%post/,/^%env/{//!p;}' "$definition" >post.sh
ok "its commands are sound" bash -n post.sh
if command -v apptainer >/dev/null; then
    skip "building the container takes minutes"
else
    skip "Apptainer is not installed"
fi
if command -v python3 >/dev/null; then
    # Spack's names, as far as a recipe is read and asked for its arguments.
    recipe=$BOSC_SRC/build-aux/spack/packages/bosc/package.py
    ok "the recipe lies in a repository of Spack" grep -qx '  namespace: bosc' "${recipe%/*/*/*}/repo.yaml"
    mkdir -p spack && touch spack/__init__.py
    cat >spack/package.py <<'END'
calls = []
def directive(name):
    return lambda *words, **options: calls.append((name, words, options))
license, version, variant, depends_on = map(directive, ("license", "version", "variant", "depends_on"))
join_path = lambda *parts: "/".join(map(str, parts))
class AutotoolsPackage: pass
def which(program, required):
    return lambda *words: print(program, *words)
END
    cat >read.py <<'END'
import importlib.util, sys
from types import SimpleNamespace as Box
recipe = importlib.util.spec_from_file_location("recipe", sys.argv[1])
module = importlib.util.module_from_spec(recipe)
sys.dont_write_bytecode = True
recipe.loader.exec_module(module)
class Spec(dict):
    def __contains__(self, word): return word == "+cuda" and "cuda" in self.keys()
bosc = module.Bosc()
for spec in ({}, {"cuda": Box(prefix=Box(bin="/c/bin"))}):
    bosc.spec = Spec(mpi=Box(mpicc="/m/mpicc"), **spec)
    print(" ".join(bosc.configure_args()))
bosc.autoreconf(bosc.spec, "/prefix")
print("version", *[words[0] for name, words, _ in module.calls if name == "version"])
END
    python3 read.py "$recipe" >out 2>&1
    ok "the recipe for Spack says how to configure" eval \
        "says '^CC=/m/mpicc NVCC=no$' && says '^CC=/m/mpicc NVCC=/c/bin/nvcc$'"
    ok "makes configure as the project does" says '^sh ./bootstrap$'
    ok "and builds this version" says "^version $version$"
else
    skip "Python is not installed"
    skip "Python is not installed"
    skip "Python is not installed"
    skip "Python is not installed"
fi
done_testing
