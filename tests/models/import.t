#!/bin/bash
# import.t - 'bosc import': models of others become jobs; what has no place in a
# job is named with file, line, path and value.
# shellcheck disable=SC2016  # of "ok", eval gets what it is to expand
set -u
export LC_ALL=C
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
own_folder
diagnose='cat out err'

# imports ARGUMENTS...: into 'out', without the comments at its top in 'job'.
imports() {
    "$BOSC" import "$@" -o - >out 2>err </dev/null || return 1
    grep -v '^#' out >job
}
has() { grep -qxF -- "$1" out; }
notes() { grep '^#' out | sed 's/^#  *//' | tr '\n' ' ' | grep -qF -- "$1"; }
# What 'regions:' has, as standard input has it.
regions_are() {
    sed -n '/^    regions:$/,/^$/p' job | sed '1d;/^$/d' >regions
    diff - regions >err
}
# refuses SENTENCE PATTERN ARGUMENTS...
refuses() {
    local sentence=$1 pattern=$2
    shift 2
    # shellcheck disable=SC2317,SC2329  # called by ok
    refused() {
        ! "$BOSC" import "$@" -o - >out 2>err </dev/null &&
            [ ! -s out ] && grep -q -- "$pattern" err
    }
    ok "$sentence" refused "$@"
}

# --- mechanisms ---------------------------------------------------------------

mkdir mods
channel() { # NAME ION PARAMETERS: a current of an ion
    cat >"mods/$1.mod" <<END_MOD
NEURON { SUFFIX $1 USEION $2 READ e$2 WRITE i$2 RANGE $3 GLOBAL tauscale }
PARAMETER { ${3//,/ = 1 } = 1 tauscale = 1 }
ASSIGNED { v (mV) e$2 (mV) i$2 (mA/cm2) }
BREAKPOINT { i$2 = ${3##*,}*tauscale*(v - e$2) }
END_MOD
}
channel NaTs na gbar
channel Na_Ts na gbar
channel Kv3 k vshift,gbar
channel Ih_x h gbar
cat >mods/ca.mod <<'END_MOD'
NEURON { SUFFIX CaDynamics USEION ca READ ica WRITE cai RANGE gamma, decay }
PARAMETER { gamma = 0.05 decay = 80 (ms) }
ASSIGNED { ica (mA/cm2) }
STATE { cai (mM) }
BREAKPOINT { SOLVE states METHOD cnexp }
DERIVATIVE states { cai' = -ica*gamma - (cai - 1e-4)/decay }
END_MOD
cat >mods/odd.mod <<'END_MOD'
NEURON { SUFFIX Odd NONSPECIFIC_CURRENT i }
ASSIGNED { i (mA/cm2) v (mV) }
BREAKPOINT { i = strange_function(v) }
END_MOD
cat >mods/point.mod <<'END_MOD'
NEURON { POINT_PROCESS Dot NONSPECIFIC_CURRENT i RANGE g }
PARAMETER { g = 0 }
ASSIGNED { i (nA) v (mV) }
BREAKPOINT { i = g*v }
END_MOD
printf '1 1 0 0 0 5 -1\n2 3 5 0 0 1 1\n3 3 100 0 0 1 2\n4 2 0 -5 0 1 1\n5 2 0 -200 0 1 4\n' >cell.swc

# --- Allen ----------------------------------------------------------------------

# A perisomatic fit with everything that such files have, and what JSON may have
# but YAML not: tabs, "\/", pairs of surrogates.
printf '\t{\n\t"passive": [{"ra":\t138.28, "cm": [{"section": "soma", "cm": 1.5},
 {"section": "axon", "cm": 1}, {"section": "apic", "cm": 2.12},
 {"section": "dend", "cm": 2.12}], "e_pas": -92.5}],
 "axon_morph": [{"delete_axon": ["forsec \\"axon\\" {}", "a\\/b \\ud83d\\ude00"]}],
 "fitting": [{"junction_potential": -14.0, "sweeps": [38]}],
 "conditions": [{"celsius": 34.0, "v_init": -92.5,
   "erev": [{"ena": 53.0, "section": "soma", "ek": -107.0}]}],
 "extra": {"x": null},
 "genome": [
 {"value": 0.00120, "section": "soma", "name": "gbar_NaTs", "mechanism": "NaTs"},
 {"value": "1e-05", "section": "soma", "name": "gbar_Kv3", "mechanism": "Kv3"},
 {"value": 0.0012, "section": "soma", "name": "gamma_CaDynamics", "mechanism": "CaDynamics"},
 {"value": 717.9, "section": "soma", "name": "decay_CaDynamics", "mechanism": "CaDynamics"},
 {"value": 5.7e-06, "section": "soma", "name": "g_pas", "mechanism": ""},
 {"value": 3.2E-06, "section": "dend", "name": "g_pas", "mechanism": ""},
 {"value": 9.5e-05, "section": "apic", "name": "g_pas", "mechanism": ""}]}\n' >1_fit.json

ok "a perisomatic fit becomes a job" imports allen 1_fit.json cell.swc
ok "with its values per section, in the order passive, genome, erev" regions_are <<'END_JOB'
      all:
        Ra: 138.28
        pas: {e: -92.5}
      soma:
        cm: 1.5
        NaTs: {gbar: 0.00120}
        Kv3: {gbar: 1e-05}
        CaDynamics: {gamma: 0.0012, decay: 717.9}
        pas: {g: 5.7e-06}
        na_ion: {ena: 53.0}
        k_ion: {ek: -107.0}
      axon:
        cm: 1
      dendrite:
        cm: 2.12
        pas: {g: 3.2E-06}
      apical:
        cm: 2.12
        pas: {g: 9.5e-05}
END_JOB
ok "with temperature" has 'celsius: 34.0'
ok "and first voltage" has 'v_init: -92.5'
ok "with the mod files that it needs, which lie beside it" eval 'is "$(sed -n "/^mechanisms:/,/^$/p" job | tr -d "\n")" "mechanisms:  - mods/NaTs.mod  - mods/Kv3.mod  - mods/ca.mod"'
ok "with the morphology" has '    morphologies: cell.swc'
ok "with the axon of perisomatic models" grep -q '^    axon: .*allen_perisomatic' out
ok "and compartments as many as the tools make" has '    discretisation: {odd_per: 40}'
ok "a comment says that it is perisomatic" notes "the model is perisomatic"
ok "that the junction potential is not applied" notes "the junction potential, -14.0 mV, is not applied"
ok "that text for hoc is left out" notes "'axon_morph', text for hoc, is left out"
ok "that an unknown key is left out" notes "'extra' is left out"
ok "that there is no licence" notes "no file of a licence lies beside the source"

# edit SCRIPT [FILE]: a fit changed by sed, in 2_fit.json
edit() { sed "$1" "${2:-1_fit.json}" >2_fit.json; }

edit 's/"name": "g_pas", "mechanism": ""}]/"name": "g_pas", "mechanism": ""},{"section": "glob", "name": "tauscale_NaTs", "value": 3, "mechanism": ""},{"section": "glob", "name": "celsius", "value": 30, "mechanism": ""}]/'
ok "a value of section 'glob' is of the whole model" imports allen 2_fit.json cell.swc
ok "where its mechanism is" has '        NaTs: {gbar: 0.00120, tauscale: 3}'
ok "which a comment tells" notes "BMTK leaves it out"

cat >3_fit.json <<'END_JSON'
{"passive": [{"ra": 100}], "fitting": [{"junction_potential": -14.0}],
 "conditions": [{"celsius": 34, "v_init": -90, "erev": [
  {"ena": 53.0, "section": "soma", "ek": -107.0},
  {"ena": 53.0, "section": "dend", "ek": -107.0}]}],
 "genome": [
 {"section": "soma", "name": "g_pas", "value": "0.000115204", "mechanism": ""},
 {"section": "soma", "name": "e_pas", "value": "-60.8666", "mechanism": ""},
 {"section": "soma", "name": "cm", "value": " 5.74988 ", "mechanism": ""},
 {"section": "dend", "name": "Ra", "value": "80.4", "mechanism": ""},
 {"section": "dend", "name": "gbar_Kv3", "value": "0.1", "mechanism": "Kv3"}]}
END_JSON
ok "an all-active fit becomes a job" imports allen 3_fit.json cell.swc
ok "whose ions have potentials only where mechanisms use them" regions_are <<'END_JOB'
      all:
        Ra: 100
        pas: {}
      soma:
        cm: 5.74988
        pas: {g: 0.000115204, e: -60.8666}
      dendrite:
        Ra: 80.4
        Kv3: {gbar: 0.1}
        k_ion: {ek: -107.0}
END_JOB
ok "which a comment tells" notes "ena is left out in dendrite, where no mechanism uses na"
ok "with the axon of all-active models" grep -q '^    axon: .*allen_truncated' out
ok "--axon chooses another rule" imports allen 3_fit.json cell.swc --axon aibs_allactive
ok "which the job has" grep -q '^    axon: .*aibs_allactive' out
ok "--axon none keeps the axon" imports allen 3_fit.json cell.swc --axon none
ok "and says so" notes "--axon chose rule none"
ok "then the job has no rule" eval '! grep -q "^    axon:" out'

mkdir aa && cp 3_fit.json aa/ && cp -r mods aa/modfiles && cp cell.swc aa/one.swc && cp cell.swc aa/two.swc
cat >aa/manifest.json <<'END_JSON'
{"biophys": [{"model_file": ["manifest.json", "3_fit.json"],
  "model_type": "Biophysical - all active"}, {"axon_type": "stub"}],
 "manifest": [{"key": "MORPHOLOGY", "type": "file", "spec": "two.swc"}]}
END_JSON
echo 'Permission is granted' >aa/LICENSE.txt
ok "a folder with a manifest needs no more" imports allen aa
ok "the manifest names the morphology" has '    morphologies: aa/two.swc'
ok "and the axon" grep -q '^    axon: .*allen_perisomatic' out
ok "a licence beside the fit is named" notes "licence of the source: see aa/LICENSE.txt"
rm aa/manifest.json
refuses "two morphologies beside a fit are one too many" "several morphologies lie beside it (one.swc, two.swc)" allen aa

mkdir bare && cp 1_fit.json bare
refuses "a fit without morphology is told how to give it" "bosc import allen FIT.json CELL.swc" allen bare/1_fit.json
edit 's/"1e-05"/"1e-05 S"/'
refuses "a value that is no number" "^bosc import: 2_fit.json:12: genome\[1\].value: is '1e-05 S' where a number is expected" allen 2_fit.json cell.swc
edit 's/"1e-05"/1e999/'
refuses "nor is an infinite one" "genome\[1\].value: is '1e999' where a number" allen 2_fit.json cell.swc
edit 's/"1e-05"/[1, 2]/'
refuses "nor a list" "genome\[1\].value: is " allen 2_fit.json cell.swc
edit 's/"value": "1e-05", //'
refuses "a value that is missing" "2_fit.json:12: genome\[1\].value: is missing" allen 2_fit.json cell.swc
edit 's/"section": "soma", "name": "gbar_NaTs"/"section": "tuft", "name": "gbar_NaTs"/'
refuses "a section of another name" "genome\[0\].section: 'tuft' is no section" allen 2_fit.json cell.swc
edit 's/"mechanism": "Kv3"/"mechanism": "Kv4"/'
refuses "a parameter of another mechanism" "genome\[1\].mechanism: is 'Kv4', but the name of the parameter, 'gbar_Kv3', does not end in '_Kv4'" allen 2_fit.json cell.swc
edit 's/Kv3/Kv4/g'
refuses "a mechanism that no mod file has" "genome\[1\].mechanism: mechanism 'Kv4' is in no mod file of mods; give" allen 2_fit.json cell.swc
edit 's/gbar_Kv3/ghar_Kv3/g'
refuses "a parameter that the mechanism has not" "genome\[1\].value: Kv3 has no parameter 'ghar'; did you mean 'gbar'" allen 2_fit.json cell.swc
edit 's/gbar_Kv3", "mechanism": "Kv3/x_Odd", "mechanism": "Odd/'
refuses "a mechanism that bosc cannot use" "genome\[1\].mechanism: mechanism 'Odd' cannot be used: mods/odd.mod:3: " allen 2_fit.json cell.swc
edit 's/gbar_Kv3", "mechanism": "Kv3/g_Dot", "mechanism": "Dot/'
refuses "a point process in a membrane" "genome\[1\].mechanism: 'Dot' is a point process" allen 2_fit.json cell.swc
edit 's/gbar_Kv3", "mechanism": "Kv3/gbar_Kv3", "mechanism": "/'
refuses "a parameter of what is not inserted" "'gbar_Kv3' is a parameter of Kv3, which is inserted nowhere" allen 2_fit.json cell.swc
edit 's/gbar_Kv3", "mechanism": "Kv3/temper", "mechanism": "/'
refuses "a parameter of nothing" "genome\[1\].value: 'temper' is no parameter that is known" allen 2_fit.json cell.swc
edit 's/"v_init": -92.5,//'
refuses "no first voltage" "conditions\[0\].v_init: is missing" allen 2_fit.json cell.swc
edit 's/"genome"/"genom"/'
refuses "a fit without genome" "2_fit.json:1: has no 'genome'" allen 2_fit.json cell.swc
edit 's/"section": "soma", "name": "gbar_NaTs"/"section": "soma", "section": "soma", "name": "gbar_NaTs"/'
refuses "a key given twice" "2_fit.json:11: 'section' is given twice" allen 2_fit.json cell.swc
head -c 700 1_fit.json >2_fit.json
refuses "a file that ends early" "2_fit.json:" allen 2_fit.json cell.swc
printf '%0100d' 0 | tr 0 '[' >2_fit.json
refuses "groups within groups without end" "2_fit.json" allen 2_fit.json cell.swc
echo 'passive: [{ra: 100}]' >2_fit.json
refuses "a file that is no JSON" "begins with neither '{' nor '\['" allen 2_fit.json cell.swc
: >2_fit.json
refuses "an empty file" "begins with neither" allen 2_fit.json cell.swc
printf '{"genome": [\0]}' >2_fit.json
refuses "a file with a NUL" "2_fit.json: " allen 2_fit.json cell.swc
{ printf '{"x": "' && head -c 17000000 /dev/zero | tr '\0' x && printf '"}'; } >2_fit.json
refuses "a file larger than any model" "has over 16 MB" allen 2_fit.json cell.swc
refuses "a file that is not there" "no_fit.json: No such file" allen no_fit.json cell.swc
refuses "a morphology that is not there" "no.swc: there is no such morphology" allen 1_fit.json no.swc
refuses "a folder of mod files that is not there" "nowhere: is no folder that can be read" allen 1_fit.json cell.swc --mechanisms nowhere
mkdir -p apart/two && cp 1_fit.json apart/two
refuses "no folder of mod files, where none is beside the fit or above it" "genome\[0\].mechanism: mechanism 'NaTs' is not built in, and no folder of mod files lies beside the source; give it with --mechanisms" allen apart/two/1_fit.json cell.swc
refuses "a kind that is none" "'alen' is no kind of source; did you mean 'allen'" alen 1_fit.json
refuses "no source" "allen: no source" allen
refuses "a word too many" "'third' is one word too many" allen 1_fit.json cell.swc third

# --- where it is written ------------------------------------------------------------

mkdir elsewhere
ok "a job is written beside its source" eval '"$BOSC" import allen 1_fit.json cell.swc >out 2>err && is "$(<out)" 1_fit.yaml && [ -s 1_fit.yaml ]'
ok "but does not replace a file there" eval '! "$BOSC" import allen 1_fit.json cell.swc >out 2>err && grep -q "1_fit.yaml: is there already; choose another file with -o" err'
ok "one that -o names is replaced" eval '"$BOSC" import allen 1_fit.json cell.swc -o 1_fit.yaml >out 2>err'
ok "paths are those from the folder of the job" eval '"$BOSC" import allen 1_fit.json cell.swc -o elsewhere/my.yaml >out 2>err && grep -qx "    morphologies: ../cell.swc" elsewhere/my.yaml && grep -qx "  - ../mods/NaTs.mod" elsewhere/my.yaml'
ok "a folder that is not there is an error" eval '! "$BOSC" import allen 1_fit.json cell.swc -o none/my.yaml >out 2>err && grep -q "none/my.yaml: No such file" err'

# --- EModelRunner ---------------------------------------------------------------------

mkdir -p pack/config/params pack/mechanisms pack/morphology
cp mods/*.mod pack/mechanisms && cp cell.swc pack/morphology/ && echo x >pack/LICENSE_CC
cat >pack/config/config.ini <<'END_INI'
# as Python's configparser reads it
[Package]
type = sscx

[Paths]
unoptimized_params_path = config/params/pyr.json
memodel_dir = .
params_path = %(memodel_dir)s/config/params/final.json
morph_path: morphology/cell.swc
syn_data_file = synapses.tsv

[Morphology]
do_replace_axon = True
[Cell]
celsius = 34
v_init = -80
emodel = cADpyr
[Sim]
dt = 0.025
END_INI
cat >pack/config/params/pyr.json <<'END_JSON'
{"mechanisms": {
  "all": {"mech": ["pas"]},
  "allact": {"mech": ["CaDynamics"]},
  "somaxon": {"mech": ["Kv3"]},
  "somatic": {"mech": ["NaTs", "Na_Ts"]},
  "alldend": {"mech": ["Kv3"]},
  "somadend": {"mech": ["Ih_x"]}},
 "distributions": {
  "exp": {"fun": "(-0.8696 + 2.087*math.exp(({distance})*0.0031))*{value}", "__comment": "Kole"},
  "decay": {"fun": "math.exp({distance}*{constant})*{value}", "parameters": ["constant"]}},
 "parameters": {
  "__comment": "bounds are [lower, upper]",
  "global": [{"name": "v_init", "val": -70}, {"name": "celsius", "val": 20}],
  "distribution_decay": [{"name": "constant", "val": [-0.1, 0.0]}],
  "myelinated": [{"name": "cm", "val": 0.02}],
  "all": [{"name": "Ra", "val": 100}, {"name": "g_pas", "val": [1e-5, 6e-5]},
          {"name": "e_pas", "val": [-95, -60]}],
  "somadend": [{"name": "gbar_Ih_x", "val": [0, 2e-4], "dist": "exp"}],
  "axonal": [{"name": "cm", "val": 1}, {"name": "ek", "val": -90}],
  "somatic": [{"name": "cm", "val": 1}, {"name": "ena", "val": 50},
              {"name": "gbar_Na_Ts", "val": [0, 0.3]}, {"name": "gbar_NaTs", "val": 0.25}],
  "alldend": [{"name": "gbar_Kv3", "val": [0, 1], "dist": "decay"}],
  "basal": [{"name": "cm", "val": 2}, {"name": "gamma_CaDynamics", "val": [0.005, 0.05]}]}}
END_JSON
cat >pack/config/params/final.json <<'END_JSON'
{"other": {"params": {"g_pas.all": 1}},
 "cADpyr": {"seed": 1, "params": {"g_pas.all": 2.9406907117360732e-05, "e_pas.all": -83.8,
  "gbar_Ih_x.somadend": 0.00016, "gbar_Na_Ts.somatic": 0.274, "gbar_Kv3.alldend": 0.03,
  "constant.distribution_decay": -0.0055, "gamma_CaDynamics.basal": 0.0379}}}
END_JSON
ok "a package of EModelRunner becomes a job" imports bbp pack
ok "with locations of several regions, formulas, and the numbers of these" regions_are <<'END_JOB'
      all:
        Ra: 100
        pas: {g: 2.9406907117360732e-05, e: -83.8}
      "soma, axon, dendrite, apical":
        CaDynamics: {}
      "soma, dendrite, apical":
        Ih_x:
          gbar: {formula: "(-0.8696 + 2.087*math.exp(({distance})*0.0031))*{value}", value: 0.00016}
      "soma, axon":
        Kv3: {}
      "dendrite, apical":
        Kv3:
          gbar: {formula: "math.exp({distance}*{constant})*{value}", value: 0.03, constant: -0.0055}
      soma:
        cm: 1
        NaTs: {gbar: 0.25}
        Na_Ts: {gbar: 0.274}
        na_ion: {ena: 50}
      axon:
        cm: 1
        k_ion: {ek: -90}
      dendrite:
        cm: 2
        CaDynamics: {gamma: 0.0379}
      custom: # the myelin
        cm: 0.02
END_JOB
ok "the configuration overrides the first voltage" has 'v_init: -80'
ok "and the temperature" has 'celsius: 34'
ok "the axon gets myelin" grep -q '^    axon: .*bbp_v6' out
ok "the job is named after the model" has 'name: cADpyr'
ok "its licence is named" notes "licence of the source: see pack/LICENSE_CC"
ok "what else the package has is told" notes "left out: synapses (Paths.syn_data_file)"

sed -i 's/type = sscx/type = thalamus/' pack/config/config.ini
ok "the thalamus has no myelin" imports bbp pack/config/config.ini
ok "so the axon is the axon" has '      axon:'
ok "and the myelin's parameters are told" notes "cm of the myelin is left out, since the axon has none"
sed -i 's/do_replace_axon = True/do_replace_axon = False/' pack/config/config.ini
ok "an axon that stays" imports bbp pack
ok "gets no rule" eval '! grep -q "^    axon:" out'

cp pack/config/params/pyr.json good.json
cp pack/config/params/final.json good_final.json
# change SCRIPT: the model changed by sed; afterwards it is as it was
change() { sed "$1" good.json >pack/config/params/pyr.json; }
change 's/"somatic": {"mech"/"tuft": {"mech"/'
refuses "a location that is none" "pyr.json:5: mechanisms.tuft: 'tuft' is no location" bbp pack
change 's/"dist": "exp"/"dist": "gauss"/'
refuses "a distribution that is none" "parameters.somadend\[0\].dist: distribution 'gauss' is not among" bbp pack
change 's/"parameters": \["constant"\]/"parameters": ["slope"]/'
refuses "a number of a formula without value" "distributions.decay.parameters\[0\]: 'slope' has no value; add it to the parameters of 'distribution_decay'" bbp pack
change 's/"name": "gbar_NaTs", "val": 0.25/"name": "gbar_Kv3", "val": 0.25, "dist": "uniform"/'
ok "distribution 'uniform' is a number" imports bbp pack
change 's/"axonal": \[/"axonal": [{"name": "gbar_NaTs", "val": 1}, /'
refuses "a parameter where its mechanism is not" "'gbar_NaTs' is set in axon, but NaTs is inserted only in soma" bbp pack
change 's/{distance}\*{constant}/{distance}\/-200/'
ok "a number that a formula does not use is told" imports bbp pack
ok "and is not in the job" eval 'notes "constant'"'"' of distribution decay is left out" && ! grep -q "constant:" job'
change 's/"mech": \["Kv3"\]/"mech": "Kv3"/'
refuses "a text for a list" "mechanisms.somaxon.mech: is 'Kv3' where a list" bbp pack
cp good.json pack/config/params/pyr.json
sed 's/"gbar_Kv3.alldend": 0.03,//' good_final.json >pack/config/params/final.json
refuses "a free parameter without value" "pyr.json:22: parameters.alldend\[0\].val: gbar_Kv3.alldend is free, within \[0, 1\], and has no value in pack/config/params/final.json; give a JSON file" bbp pack
sed 's/gbar_Kv3.alldend/gbar_Kv3.allden/' good_final.json >pack/config/params/final.json
refuses "and a value without parameter" "has no value" bbp pack
sed 's/"gbar_Kv3.alldend"/"gbar_Kv9.alldend": 1, &/' good_final.json >pack/config/params/final.json
refuses "a value of no parameter" "'gbar_Kv9.alldend' is no parameter of the model" bbp pack
cp good_final.json pack/config/params/final.json
refuses "a model that final.json has not" "has no model none; choose one of these with --model: other, cADpyr" bbp pack --model none
cp pack/config/config.ini good.ini
sed 's/%(memodel_dir)s/%(folder)s/' good.ini >pack/config/config.ini
refuses "a value of the configuration that is none" "config.ini:8: Paths.params_path: .*'%(folder)s' is no value of \[Paths\]" bbp pack
sed 's/^memodel_dir = ./memodel_dir = %(memodel_dir)s/' good.ini >pack/config/config.ini
refuses "a value within itself" "'%(memodel_dir)s' is no value" bbp pack
sed 's/^celsius = 34/celsius = warm/' good.ini >pack/config/config.ini
refuses "a temperature that is no number" "config.ini:15: Cell.celsius: is 'warm' where a number" bbp pack
sed 's/^emodel.*//' good.ini >pack/config/config.ini
refuses "no name of the model" "'emodel' is missing in \[Cell\]" bbp pack
sed 's/type = thalamus/type = cortex/; s/False/True/' good.ini >pack/config/config.ini
refuses "a package of another type" "Package.type 'cortex' is neither" bbp pack
sed 's/^\[Sim\]/[Sim/' good.ini >pack/config/config.ini
refuses "a line that is nothing" "config.ini:18: is neither" bbp pack
mv pack/config/config.ini pack/config/config_step.ini
cp good.ini pack/config/config_step.ini
ok "the only configuration needs no name" imports bbp pack
sed 's/^syn_data_file.*/prot_path = p.json/' good.ini >pack/config/config_all.ini
ok "nor do several of one cell" imports bbp pack
ok "which comments tell" notes "config_all.ini, config_step.ini say the same of the cell; the first is taken"
sed 's/^celsius.*/celsius = 20/' good.ini >pack/config/config_step.ini
refuses "several of different cells do" "has several configurations of different cells: config_all.ini, config_step.ini; give one of them" bbp pack
refuses "a folder without any" "has no config.ini and no recipes.json" bbp mods

# --- BluePyEModel --------------------------------------------------------------------

mkdir -p bpem/mechanisms && cp mods/*.mod bpem/mechanisms && cp cell.swc bpem/
cat >bpem/emc.json <<'END_JSON'
{"mechanisms": [{"name": "pas", "stochastic": false, "location": "all"},
  {"name": "NaTs", "stochastic": true, "location": "somatic"}],
 "distributions": [{"name": "uniform", "function": null, "soma_ref_location": 0.5},
  {"name": "decay", "function": "math.exp({distance}*{constant})*{value}",
   "soma_ref_location": 0.5, "parameters": ["constant"]}],
 "parameters": [{"name": "v_init", "value": -80, "location": "global"},
  {"name": "tauscale_NaTs", "value": 2, "location": "global"},
  {"name": "constant", "value": [-0.1, 0.0], "location": "distribution_decay"},
  {"name": "g_pas", "value": [1e-05, 6e-05], "location": "all", "distribution": "decay", "mechanism": "pas"},
  {"name": "gbar_NaTs", "value": 0.1, "location": "somatic", "distribution": "uniform", "mechanism": "NaTs"}],
 "morphology": {"name": "cell"}}
END_JSON
cat >bpem/em.json <<'END_JSON'
{"fitness": 1.5, "parameter": [{"name": "constant.distribution_decay", "value": -0.01, "unitCode": ""},
 {"name": "g_pas.all", "value": 5e-05, "unitCode": ""}]}
END_JSON
recipe() { # MODIFIERS
    cat >bpem/recipes.json <<END_JSON
{"L5PC": {"morph_path": ".", "morphology": [["cell", "cell.swc"]], "params": "emc.json",
  "final": "em.json", "features": "f.json", "pipeline_settings": {"morph_modifiers": $1}},
 "other": {"params": "none.json"}}
END_JSON
}
recipe null
refuses "several recipes" "choose one of the models with --model: L5PC, other" bbp bpem
ok "JSON as Nexus has it becomes a job" imports bbp bpem --model L5PC
ok "with its lists of mechanisms, distributions and values" regions_are <<'END_JOB'
      all:
        pas:
          g: {formula: "math.exp({distance}*{constant})*{value}", value: 5e-05, constant: -0.01}
      soma:
        NaTs: {tauscale: 2, gbar: 0.1}
      custom: {} # the myelin
END_JOB
ok "without modifiers the axon is tapered" grep -q '^    axon: .*bbp_v6}' out
ok "a key that is no part of the model is told" notes "'morphology' of bpem/emc.json is left out"
ok "a stochastic mechanism is told" notes "NaTs is marked as stochastic"
recipe '["bluepyopt_replace_axon"]'
ok "a modifier is a rule" imports bbp bpem --model L5PC
ok "which the axon has" grep -q '^    axon: .*bluepyopt}' out
recipe '[]'
ok "no modifiers leave the axon" imports bbp bpem --model L5PC
ok "as it is" eval '! grep -q "^    axon:" out'
recipe '[["module", "function"]]'
refuses "a modifier in Python" "recipes.json:2: L5PC.pipeline_settings.morph_modifiers\[0\]: is none of the modifiers" bbp bpem --model L5PC
recipe 'null}, "multiloc_map": {"alldend": ["basal"]'
refuses "locations of the recipe's own" "L5PC.multiloc_map: locations of the recipe's own are not read" bbp bpem --model L5PC
recipe null
sed -i 's/"soma_ref_location": 0.5, "par/"soma_ref_location": 1, "par/' bpem/emc.json
refuses "distances from elsewhere" "distributions\[1\].soma_ref_location: distances from 1 of the soma have no counterpart" bbp bpem --model L5PC
sed -i 's/"soma_ref_location": 1, "par/"soma_ref_location": 0.5, "par/' bpem/emc.json
ok "a file of parameters alone needs its values and a morphology" imports bbp bpem/emc.json --values bpem/em.json --morphology cell.swc
refuses "and tells which" "names no morphology; give it with --morphology" bbp bpem/emc.json

# --- BluePyOpt ------------------------------------------------------------------------

mkdir -p l5/config l5/mechanisms l5/morphology && cp mods/*.mod l5/mechanisms && cp cell.swc l5/morphology
echo x >l5/morphology/LICENSE
echo '{"all": ["pas"], "somatic": ["NaTs", "hh"], "apical": ["Ih_x"]}' >l5/config/mechanisms.json
cat >l5/config/parameters.json <<'END_JSON'
[{"param_name": "cm", "sectionlist": "somatic", "type": "section", "dist_type": "uniform", "value": 3},
 {"param_name": "cm", "sectionlist": "all", "type": "section", "dist_type": "uniform", "value": 1},
 {"param_name": "cm", "sectionlist": "basal", "type": "section", "dist_type": "uniform", "value": 2},
 {"param_name": "v_init", "type": "global", "value": -65},
 {"param_name": "ena", "sectionlist": "somatic", "type": "section", "dist_type": "uniform", "value": 50},
 {"param_name": "gbar_NaTs", "sectionlist": "somatic", "type": "range", "bounds": [0, 1], "dist_type": "uniform"},
 {"param_name": "gbar_Ih_x", "sectionlist": "apical", "type": "range", "value": 8e-05, "dist_type": "exp",
  "dist": "math.exp({distance}*{slope})*{value}"}]
END_JSON
echo '{"gbar_NaTs.somatic": 0.9839550, "slope.distribution_exp": 0.003}' >values.json
ok "a folder of BluePyOpt becomes a job" imports bluepyopt l5 --values values.json
ok "in which a later statement overrides an earlier one; hh has a potential of its own" regions_are <<'END_JOB'
      all:
        cm: 1
        pas: {}
      soma:
        NaTs: {gbar: 0.9839550}
        hh: {ena: 50}
        na_ion: {ena: 50}
      dendrite:
        cm: 2
      apical:
        Ih_x:
          gbar: {formula: "math.exp({distance}*{slope})*{value}", value: 8e-05, slope: 0.003}
END_JOB
ok "the folder of the JSON files will do, too" imports bluepyopt l5/config --values values.json
ok "the axon is BluePyOpt's" grep -q '^    axon: .*bluepyopt' out
ok "the licence of the morphology is named" notes "licence of the source: see l5/morphology/LICENSE"
refuses "a free parameter without value" "parameters.json:6: \[5\].bounds: gbar_NaTs.somatic is free, within \[0, 1\]" bluepyopt l5
echo '{"gbar_NaTs.somatic": 1}' >values.json
refuses "a number of a formula without value" "\[6\].dist: '{slope}' has no value" bluepyopt l5 --values values.json
sed -i 's/"type": "range", "bounds"/"type": "metapar", "bounds"/' l5/config/parameters.json
refuses "a type that is none" "\[5\].type: is 'metapar'" bluepyopt l5 --values values.json
rm l5/config/parameters.json
echo '{"global": [["v_init", -65], ["celsius", 34]], "all": [["g_pas", 3e-05, "uniform"]]}' >l5/config/fixed_params.json
echo '{"somatic": [["NaTs", "gbar", 0, 1, "uniform"]], "apical": [["Ih_x", "gbar", 1, 2, "exp"]]}' >l5/config/params.json
echo '{"gbar_NaTs.somatic": 0.9, "gbar_Ih_x.apical": 8e-5}' >values.json
ok "the older files of such a folder will do" imports bluepyopt l5 --values values.json
ok "with their values" has '        pas: {g: 3e-05}'
ok "and the formula that they mean" grep -q 'gbar: {formula: "(-0.8696 + 2.087.*, value: 8e-5}' out
refuses "they, too, need values of free parameters" "params.json:1: somatic\[0\]\[2\]: gbar_NaTs.somatic is free" bluepyopt l5
rm l5/config/*params.json
refuses "a folder without parameters" "has neither parameters.json nor fixed_params.json" bluepyopt l5
refuses "nor mechanisms" "has no mechanisms.json" bluepyopt mods
refuses "a file for a folder" "is no folder; give the one that has parameters.json" bluepyopt cell.swc

# --- the jobs run ------------------------------------------------------------------------

mkdir -p plain/morphology && cp cell.swc plain/morphology/
echo '{"all": ["pas"], "somatic": ["hh"], "axonal": ["hh"]}' >plain/mechanisms.json
cat >plain/parameters.json <<'END_JSON'
[{"param_name": "cm", "sectionlist": "all", "type": "section", "dist_type": "uniform", "value": 1},
 {"param_name": "g_pas", "sectionlist": "alldend", "type": "range", "value": 8e-05, "dist_type": "exp",
  "dist": "(-0.8696 + 2.087*math.exp(({distance})*{slope}))*{value}"},
 {"param_name": "ena", "sectionlist": "somaxon", "type": "section", "dist_type": "uniform", "value": 52},
 {"param_name": "celsius", "type": "global", "value": 16},
 {"param_name": "gnabar_hh", "sectionlist": "somatic", "type": "range", "dist_type": "uniform", "value": 0.2}]
END_JSON
echo '{"slope.distribution_exp": 0.0031}' >values.json
sed -i '2i {"param_name": "e_pas", "sectionlist": "all", "type": "range", "value": 7, "dist_type": "exp", "dist": "-65 - {distance}/100"},\
 {"param_name": "cm", "sectionlist": "basal", "type": "range", "value": 8, "dist_type": "exp", "dist": "1.5"},' plain/parameters.json
ok "a model of built-in mechanisms becomes a job without mod files" imports bluepyopt plain --values values.json --axon none
ok "a formula may do without its value" has '        pas: {e: {formula: "-65 - {distance}/100"}}'
ok "and be a number" has '        cm: {formula: "1.5"}'
ok "which comments tell" notes "value 8 is left out: formula '1.5' does not use it"
sed 's/^tstop:.*/tstop: 2/; s/delay: 200, duration: 600/delay: 0.5, duration: 1/' out >job.yaml
"$BOSC" run --help-keys | grep -q odd_per || sed -i '/odd_per/d' job.yaml
ok "which runs" eval 'timeout 120 "$BOSC" run --overwrite job.yaml -o job.nc >out 2>err </dev/null'
done_testing
