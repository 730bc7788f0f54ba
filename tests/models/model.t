#!/bin/bash
# model.t - populations that name a published model are those of the job that
# 'bosc import' writes; keys beside 'model' override it; what does not go
# together is told.
# shellcheck disable=SC2016  # of "ok", eval gets what it is to expand
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

need_ncdump
need_launcher
own_folder
diagnose="cat out"

# --- three models, of built-in mechanisms but for one of the first ---------------

printf '1 1 0 0 0 5 -1\n2 3 5 0 0 1 1\n3 3 100 0 0 1 2\n4 2 0 -5 0 1 1\n5 2 0 -200 0 1 4\n6 4 0 5 0 1 1\n7 4 0 150 0 1 6\n' >cell.swc
mkdir -p allen/mods pack/config/params pack/morphology l5/morphology
cp cell.swc allen && cp cell.swc pack/morphology && cp cell.swc l5/morphology
cat >allen/mods/Kx.mod <<'END_MOD'
NEURON { SUFFIX Kx USEION k READ ek WRITE ik RANGE gbar }
PARAMETER { gbar = 1e-4 }
ASSIGNED { v (mV) ek (mV) ik (mA/cm2) }
BREAKPOINT { ik = gbar*(v - ek) }
END_MOD
cat >allen/1_fit.json <<'END_JSON'
{"passive": [{"ra": 138.28, "cm": [{"section": "soma", "cm": 1.5}], "e_pas": -82.5}],
 "conditions": [{"celsius": 34.0, "v_init": -82.5, "erev": [{"section": "soma", "ek": -97.0}]}],
 "genome": [
 {"value": 1.2e-04, "section": "soma", "name": "gbar_Kx", "mechanism": "Kx"},
 {"value": 5.7e-05, "section": "soma", "name": "g_pas", "mechanism": ""},
 {"value": 3.2e-05, "section": "dend", "name": "g_pas", "mechanism": ""}]}
END_JSON
printf '[Package]\ntype = sscx\n[Paths]\nunoptimized_params_path = config/params/p.json\nparams_path = config/params/final.json\nmorph_path = morphology/cell.swc\n[Cell]\ncelsius = 34\nv_init = -80\nemodel = cADpyr\n[Morphology]\ndo_replace_axon = False\n[Sim]\ndt = 0.05\n' >pack/config/config.ini
cat >pack/config/params/p.json <<'END_JSON'
{"mechanisms": {"all": {"mech": ["pas"]}, "somatic": {"mech": ["hh"]}},
 "distributions": {"exp": {"fun": "(-0.8696 + 2.087*math.exp(({distance})*0.0031))*{value}"}},
 "parameters": {"all": [{"name": "e_pas", "val": -75}], "somatic": [{"name": "cm", "val": 2}],
  "alldend": [{"name": "g_pas", "val": [1e-5, 1e-3], "dist": "exp"}]}}
END_JSON
echo '{"cADpyr": {"params": {"g_pas.alldend": 1e-4}}}' >pack/config/params/final.json
echo '{"all": ["pas"], "somatic": ["hh"]}' >l5/mechanisms.json
cat >l5/parameters.json <<'END_JSON'
[{"param_name": "celsius", "type": "global", "value": 16},
 {"param_name": "g_pas", "sectionlist": "alldend", "type": "range", "bounds": [0, 1], "dist_type": "uniform"}]
END_JSON
echo '{"g_pas.alldend": 1e-4}' >l5/values.json

rest='tstop: 5
clamps: [{at: soma, delay: 1, duration: 2, amplitude: 0.4}]
probes: [{name: p, at: everywhere, interval: 0.5}]'
# job NAME KEYS [LINE...]: a population of two neurons with these keys, and more
# lines of the job.
job() {
    local name=$1 keys=$2
    shift 2
    { echo "$rest" && printf '%s\n' "$@" && echo 'populations:' &&
        echo "  - {name: cell, count: 2, $keys}"; } >"$name.yaml"
}
# written NAME ARGUMENT...: the same, as 'bosc import' writes it.
written() {
    local name=$1
    shift
    "$BOSC" import "$@" -o - 2>out >imported &&
        { sed '/^# A step of current/,$d; /^tstop/d; s/^  - name: cell/&\n    count: 2/' imported &&
            echo "$rest"; } >"$name.yaml"
}
values() { ncdump -p 17,17 -v p_v,spike_time "$1" | sed '1,/^data:/d'; }
is_same() { [ -s "$1" ] && [ "$(values "$1")" = "$(values "$2")" ]; }
compute() { # NAME [ARGUMENT...]
    local name=$1
    shift
    timeout 120 "$BOSC" run "$name.yaml" -o "$name.nc" "$@" >out 2>&1 </dev/null
}
same_bits() {
    compute "$1" && compute "$2" && is_same "$1.nc" "$2.nc"
}

job allen 'model: allen/1_fit.json'
written allen_job allen allen/1_fit.json
ok "a fit of the Allen Cell Types Database: the bits of the written job" same_bits allen allen_job
ok "a folder that has one, too" eval 'job folder "model: allen" && compute folder && is_same folder.nc allen.nc'
job pack 'model: pack'
written pack_job bbp pack
ok "a package of EModelRunner" same_bits pack pack_job
job l5 'model: l5, model_values: l5/values.json'
written l5_job bluepyopt l5 --values l5/values.json
ok "a folder of BluePyOpt" same_bits l5 l5_job
mkdir apart && sed 's,model: ,model: ../,' allen.yaml >apart/job.yaml
ok "paths are relative to the job" eval 'compute apart/job && is_same apart/job.nc allen.nc'
ok "ranks change nothing" eval '"$MPIEXEC" -n 2 "$BOSC" run allen.yaml -q -o two.nc >out 2>&1 && is_same two.nc allen.nc'

# --- what people see ----------------------------------------------------------------

compute allen --overwrite
ok "a run tells what it has of the model" eval 'tr -s " \n" " " <out | grep -qF "model cell: allen/1_fit.json, morphology allen/cell.swc, celsius 34.0 degC, v_init -82.5 mV, axon allen_perisomatic, Kx.mod"'
ok "so does a plan" eval '"$BOSC" plan allen.yaml >out 2>&1 && grep -q "model  *cell: allen/1_fit.json" out'
ok "the result keeps all that it says" eval 'ncdump -h allen.nc >out && grep -qF "#             Kx: {gbar: 1.2e-04}" out'
ok "keys of its mechanisms are listed" eval '"$BOSC" run --help-keys allen.yaml >out && grep -q "\.Kx\.gbar" out'
ok "a package with a time step gives it where the job has none" eval 'ncdump -h pack.nc >out && grep -q "dt_ms = 0.05" out'
ok "but the job's own counts" eval 'compute pack --overwrite --set dt=0.025 && ncdump -h pack.nc >out && grep -q "dt_ms = 0.025" out'

# --- keys beside it -------------------------------------------------------------------

job over "model: allen, morphologies: '*.swc', axon: {replace: none}, discretisation: {max_length: 9},
     regions: {all: {v_init: -70}, soma: {pas: {g: 1e-3}}, 'soma, dendrite': {cm: 3}}"
sed '/^    axon/d; s/{odd_per: 40}/{max_length: 9}/; s/^v_init:.*/v_init: -70/
    s,allen/cell.swc,"*.swc",; s/g: 5.7e-05/g: 1e-3/; s/^ *cm: 1.5/        cm: 3/
    s/^      dendrite:/&\n        cm: 3/' allen_job.yaml >over_job.yaml
ok "morphologies, axon, compartments, and numbers of regions, others of which stay" same_bits over over_job
mkdir own && sed 's/gbar\*/2*&/' allen/mods/Kx.mod >own/Kx.mod
ok "and mechanisms of the job those of the model" eval 'job own "model: allen" "mechanisms: own" && sed "s,allen/mods/Kx.mod,own," allen_job.yaml >own_job.yaml && same_bits own own_job && ! is_same own.nc allen.nc'

# --- several --------------------------------------------------------------------------

cp -r allen other && sed -i 's/5.7e-05/1e-05/; s/82.5/72.5/g' other/1_fit.json
cat >several.yaml <<END
$rest
populations:
  - {name: a, model: allen}
  - {name: b, model: other}
  - {name: c, synthetic: {compartments: 9, sections: 3}, regions: {all: {pas: {}}}}
END
ok "two models with copies of a mod file, each with its first voltage, and cells of the job's" eval 'compute several && ncdump -v p_v several.nc | tr -d " \n" | grep -qE "p_v=-82.5,-82.5.*,-72.5,-72.5,.*,-65,-65,"'
job swept 'model: allen' 'sweep: {list: [{populations.cell.model: allen}, {populations.cell.model: other}]}'
ok "a sweep over models" compute swept
ok "has a member of each" eval 'ncdump -v sweep_model,member_name swept.nc >out 2>&1; grep -q other out'

# --- a model that changes ---------------------------------------------------------------

job long 'model: allen/1_fit.json' 'checkpoint: {at_end: true}'
compute long
sed -i 's/1.2e-04/1.3e-04/' allen/1_fit.json
ok "a fit that was changed is another job" eval '! compute long && grep -qF "long.nc: holds the finished result of another job (populations[cell].regions.soma.Kx.gbar is 0.00013, there 0.00012)" out'
ok "nor does it go on from a checkpoint" eval 'mv long.nc was.nc; compute long; ! grep -q resuming out'
sed -i 's/1.3e-04/1.2e-04/' allen/1_fit.json
ok "changed back it is the same again" eval 'mv was.nc long.nc && compute long && grep -q "long.nc" out && ! grep -q another out'

# --- mistakes ---------------------------------------------------------------------------

# refuses SENTENCE MESSAGE KEYS [LINE...]
refuses() {
    local sentence=$1 message=$2
    shift 2
    job bad "$@"
    # shellcheck disable=SC2317,SC2329  # called by ok
    refused() {
        rm -f bad.nc
        ! compute bad && [ ! -e bad.nc ] && grep -qF -- "$message" out
    }
    ok "$sentence" refused
}
refuses "a model that is not there" "bad.yaml:6: model: none.json: No such file or directory; check the path" 'model: none.json'
refuses "a file that is no model" "bad.yaml:6: model: l5/values.json:1: is no model: it has neither 'genome'" 'model: l5/values.json'
refuses "a folder that is none" "bad.yaml:6: model: apart: is no model: it has neither *_fit.json" 'model: apart'
refuses "a morphology for a model" "bad.yaml:6: model: cell.swc: is a morphology (SWC)" 'model: cell.swc'
mkdir bare && cp allen/1_fit.json bare
refuses "a fit without its morphology" "bad.yaml:6: model: bare/1_fit.json: no morphology lies beside it; give the morphology with 'morphologies' beside 'model'" 'model: bare'
refuses "a mechanism without mod file" "bare/1_fit.json:4: genome[0].mechanism: mechanism 'Kx' is not built in, and no folder of mod files lies beside the source; give it with 'mechanisms' of the job" 'model: bare, morphologies: cell.swc'
refuses "free parameters without values" "l5/parameters.json:2: [1].bounds: g_pas.alldend is free, within [0, 1], and has no value; give a JSON file with the values of free parameters with 'model_values' beside 'model'" 'model: l5'
sed 's/"5.7e-05"/"x"/; s/5.7e-05/[]/' allen/1_fit.json >allen/2_fit.json
refuses "a value that is none" "bad.yaml:6: model: allen/2_fit.json:5: genome[1].value: is a list where a number is expected" 'model: allen/2_fit.json'
sed 's/"cm": 1.5/"cm": -1/' allen/1_fit.json >allen/2_fit.json
refuses "or one that a job cannot have" "bad.yaml:6: model allen/2_fit.json: cm: '-1' is out of range" 'model: allen/2_fit.json'
rm allen/2_fit.json
refuses "another temperature" "bad.yaml:4: celsius: is '30' here, but 34.0 in model allen/1_fit.json (bad.yaml:6); remove it, or" 'model: allen/1_fit.json' 'celsius: 30'
refuses "another first voltage" "bad.yaml:4: v_init: is '-70' here, but -82.5 in model allen of a population; remove it, or override the model: 'regions: {all: {v_init: -70}}' beside 'model'" 'model: allen' 'v_init: -70'
refuses "two models that want two temperatures" "bad.yaml:7: model: l5 has celsius: 16, but bad.yaml:6: model allen has 34.0, and a job has one; compute them in two jobs, or" 'model: allen}
  - {name: b, model: l5, model_values: l5/values.json'
sed -i 's/gbar\*/3*&/' other/mods/Kx.mod
refuses "two mod files of one mechanism that differ" "Kx.mod: mechanism Kx is in allen/mods/Kx.mod, too; rename one, or keep one of the files" 'model: allen}
  - {name: b, model: other'
refuses "a model of synthetic neurons" "bad.yaml:6: synthetic: the population is of model allen, whose neurons come from files; remove one of them" 'model: allen, synthetic: {compartments: 9, sections: 3}'
refuses "values without a model" "bad.yaml:6: model_values has no effect without a model" 'morphologies: cell.swc, model_values: x.json'
refuses "no population's cells at all" "'model: fit.json'" 'positions: {box: [1, 1, 1]}'
ok "a member of a sweep that names no model" eval 'sed "s/model: other/model: none/" swept.yaml >bad.yaml; ! compute bad && grep -qF "bad.yaml:4: member 1, populations.cell.model=none: model: none: No such file" out'
done_testing
