/* job_unknown.c - suggestions for unknown keys of a job.
 *
 * Features that bosc lacks come first, then words of other simulators, since
 * the spelling of a short one may be nearest to a key of another meaning; then
 * keys of other groups; then similar spellings.
 */
#include "src/job/job_keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "src/text/csv.h"
#include "src/text/did_you_mean.h"
#include "src/text/lookalike.h"

/* Advice for some words in a group, or at the top (""): in small letters, '_'
 * for '-'. */
static const struct {
    const char *path, *words, *instead;
} advice[] = {
#define NO_VOLTAGE_CLAMP                                                       \
    "a clamp injects a current (amplitude, in nA), and bosc has no voltage "   \
    "clamp but that of a mod file, in 'point_processes:'; nearest to one is "  \
    "a strong leak in a region, 'soma: {pas: {g: 1, e: -40}}', which holds "   \
    "the voltage near e"
    {"", "vclamp,vclamps,voltage_clamp,voltage_clamps,seclamp,seclamps",
     NO_VOLTAGE_CLAMP},
    {"clamps[]",
     "voltage,v,vclamp,v_clamp,voltage_clamp,seclamp,command,v_command,"
     "command_voltage,holding,holding_potential,hold,v_hold,vhold,potential,"
     "level,target,rs,amp1,amp2,amp3,dur1,dur2,dur3",
     NO_VOLTAGE_CLAMP},
    {"clamps[].amplitude", "v,mv,uv", NO_VOLTAGE_CLAMP},
    {"clamps[]", "type,kind,mode", "remove it: " NO_VOLTAGE_CLAMP},
    {"clamps[]", "name,label,id",
     "clamps have no names; remove it: messages and --set number them from 0, "
     "as in 'clamps[0].amplitude'"},
    {"clamps[]", "start,onset,begin,t_start", "did you mean 'delay'?"},
    {"clamps[]", "stop,end,t_stop,tstop",
     "did you mean 'duration' (from delay on)?"},
    {"clamps[]", "frequency,freq,interval,period,number,waveform,noise",
     "a clamp is one step of current; write one for each step, where several "
     "flow at once they add up"},
    {"", "electrodes,electrode,point_process,pointprocesses",
     "did you mean 'point_processes' (of mod files), or 'clamps'?"},
    {"", "host,processors,memory,devices",
     "this is of a machine's file, which 'bosc plan --machine' takes, not of a "
     "job"},
    {"", "manifest,components,node_sets,target_simulator",
     "this is of SONATA, which bosc does not read; 'bosc run --help-keys' "
     "lists the keys of a job"},
    {BOSC_REGION_PATH,
     "mechanism,mechanisms,mech,mechs,channel,channels,insert,density,paint",
     "write each mechanism as a key of its own: 'pas: {}', 'hh: {}'"},
    {"sources[]", "times,spikes,spike_times",
     "write them into a table of time (ms) and number of the source, and "
     "'type: file' and 'file: spikes.tsv' here"},
};

/* Words of other simulators.  'ours' stands in the group 'group', where that is
 * not empty; 'how' converts the value.  Of several rows that fit the first
 * counts. */
typedef struct translation {
    const char *foreign, *group, *ours, *how;
} translation;

static const translation words[] = {
    /* times and temperature */
    {"steps_per_ms", "", "dt", "dt = 1 / steps_per_ms"},
    {"timestep,time_step,delta_t", "", "dt", NULL},
    {"duration,time,t_end,sim_time,duration_ms,tfinal,simtime", "", "tstop",
     NULL},
    {"temperature", "", "celsius", NULL},
    {"temperature-kelvin", "", "celsius", "kelvin - 273.15"},
    {"secondorder", "", "second_order", "true where it is 2"},
    {"nthread", "", "threads", NULL},
    {"gpu,device", "", "backend", NULL},
    {"voltage,v_rest,membrane-potential", "", "v_init", NULL},
    /* cells and their cutting */
    {"cells", "", "populations", NULL},
    {"swc,files", "", "morphologies", NULL},
    {"nseg", "discretisation", "per_section", NULL},
    {"lambda_f", "discretisation", "frequency", NULL},
    {"max_extent", "discretisation", "max_length", NULL},
    {"cv_policy", "", "discretisation", NULL},
    {"dend,basal", "", "dendrite", NULL},
    {"apic", "", "apical", NULL},
    {"somatic", "", "soma", NULL},
    {"axonal", "", "axon", NULL},
    {"default", "", "all", NULL},
    {"axial-resistivity", "", "Ra", NULL},
    {"membrane-capacitance", "", "cm", "uF/cm2 = 100 F/m2"},
    /* mechanisms */
    {"passive,leak", "", "pas", NULL},
    {"hodgkin_huxley", "", "hh", NULL},
    {"g,g_pas,gbar,g_leak", "pas", "g", NULL},
    {"e,e_pas,e_leak,e_rev", "pas", "e", NULL},
    {"Rm", "pas", "g", "g = 1 / Rm"},
    {"tau", "pas", "g", "g = cm / tau"},
    {"tau_m", "pas", "g", "g = cm / tau_m"},
    {"gl,g_leak,g_l,gl_hh", "hh", "gl", NULL},
    {"el,e_leak,e_l,el_hh", "hh", "el", NULL},
    {"gl", "pas", "g", NULL},
    {"el", "pas", "e", NULL},
    {"gna,g_na,gna_hh,gnabar,gnabar_hh", "hh", "gnabar", NULL},
    {"gk,g_k,gk_hh,gkbar,gkbar_hh", "hh", "gkbar", NULL},
    {"ena,e_na", "hh", "ena", NULL},
    {"ek,e_k", "hh", "ek", NULL},
    /* clamps and probes */
    {"stimuli,stimulus,stim,current_clamp,current_clamps,iclamps", "", "clamps",
     NULL},
    {"del", "", "delay", NULL},
    {"dur", "", "duration", NULL},
    {"amp,current", "", "amplitude", NULL},
    {"recordings", "", "probes", NULL},
    {"record", "", "variables", NULL},
    {"dt_io,dt,sampling", "", "interval", NULL},
    {"location,loc,section", "", "at", NULL},
    {"gids", "", "neurons", NULL},
    {"outpath,outfile,output_file", "", "output", NULL},
    /* networks */
    {"connections,netcons,edges", "", "projections", NULL},
    {"inputs,netstims,generators", "", "sources", NULL},
    {"pre", "", "from", NULL},
    {"post,target", "", "to", NULL},
    {"receptor", "", "synapse", NULL},
    {"conn_spec", "", "rule", NULL},
    {"p", "", "probability", NULL},
    {"gaussian", "", "normal", NULL},
    {"weight", "", "conductance", NULL},
    {"conductance", "", "weight", NULL},
    {"gap,gaps,gap_junction,gap_junctions", "", "couplings", NULL},
    {"freq,frequency", "", "rate", NULL},
    {"allow_autapses", "", "autapses", NULL},
    {"tau_rise", "", "tau1", NULL},
    {"tau_decay", "", "tau2", NULL},
    {"tau_syn", "", "tau", NULL},
};

/* "gnabar" where that may stand, "hh: {gnabar: ...}" where hh may; false where
 * neither. */
static bool fit(const translation *word, size_t n, const char *const *names,
                char *ours, size_t size)
{
    if (bosc_is_among(word->ours, n, names))
        snprintf(ours, size, "%s", word->ours);
    else if (bosc_is_among(word->group, n, names))
        snprintf(ours, size, "%s: {%s: ...}", word->group, word->ours);
    else
        return false;
    return true;
}

/* Which of the names 'word' of another simulator means, for a message; false:
 * none. */
static bool translate_here(const char *word, size_t n, const char *const *names,
                           char *out, size_t size)
{
    char ours[80];

    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (bosc_csv_has(words[i].foreign, word) &&
            fit(&words[i], n, names, ours, sizeof ours)) {
            snprintf(out, size, "did you mean '%s'%s%s%s?", ours,
                     words[i].how != NULL ? " (" : "",
                     words[i].how != NULL ? words[i].how : "",
                     words[i].how != NULL ? ")" : "");
            return true;
        }
    return false;
}

enum { MAX_PATHS = 3 };

/* The paths of keys of that name: "its path is 'a.b'"; false: there is none. */
static bool find_paths(const bosc_mechs *mechs, const char *name, char *out,
                       size_t size)
{
    const char *paths[MAX_PATHS + 1];
    char other[80];
    size_t n = 0, used;

    for (int i = 0; i < bosc_job_schema.n_keys && n <= MAX_PATHS; ++i)
        if (strcmp(bosc_key_leaf(&bosc_job_schema.keys[i]), name) == 0)
            paths[n++] = bosc_job_schema.keys[i].path;
    for (int r = 0; n == 0 && r < BOSC_N_REGIONS; ++r)
        if (strcmp(bosc_region_names[r], name) == 0) {
            snprintf(other, sizeof other, "populations[].regions.%s", name);
            paths[n++] = other;
        }
    const int mech = n == 0 ? bosc_mechs_find(mechs, name) : -1;

    if (mech >= 0) {
        const bosc_mech *of = mechs->mech[mech];

        snprintf(other, sizeof other,
                 bosc_point_fits(BOSC_SYNAPSE_PATH, of) ? BOSC_SYNAPSE_PATH
                     ".type: %s"
                 : bosc_point_fits(BOSC_POINT_PATH, of)
                     ? BOSC_POINT_PATH ".type: %s"
                     : BOSC_REGION_PATH ".%s",
                 name);
        paths[n++] = other;
    }
    if (n == 1 && strchr(paths[0], '.') == NULL) {
        snprintf(out, size,
                 "it belongs to the top level of the job: '%s' without "
                 "indentation",
                 name);
        return true;
    }
    used = (size_t)snprintf(out, size, n > 1 ? "its paths are" : "its path is");
    for (size_t i = 0; i < n && i < MAX_PATHS && used < size; ++i)
        used += (size_t)snprintf(out + used, size - used, "%s '%s'",
                                 i > 0 ? "," : "", paths[i]);
    if (n > MAX_PATHS && used < size)
        snprintf(out + used, size - used, ", ...");
    return n > 0;
}

/* The same for a word of another simulator; not where its key is below 'path',
 * which the caller has searched. */
static bool translate(const bosc_mechs *mechs, const char *word,
                      const char *path, char *out, size_t size)
{
    char where[300];

    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (bosc_csv_has(words[i].foreign, word) &&
            strncmp(path, words[i].ours, strlen(words[i].ours)) != 0) {
            const char *group = words[i].group, *ours = words[i].ours;
            const bool alone = group[0] == '\0';

            find_paths(mechs, alone ? ours : group, where, sizeof where);
            snprintf(out, size, "bosc calls it '%s%s%s%s'; %s", group,
                     alone ? "" : ": {", ours, alone ? "" : ": ...}", where);
            return true;
        }
    return false;
}

const char *bosc_key_advice(const char *path, const char *word)
{
    char plain[40];
    size_t n = 0;

    for (; word[n] != '\0' && n + 1 < sizeof plain; ++n)
        plain[n] = word[n] == '-' ? '_' : (char)tolower((unsigned char)word[n]);
    plain[n] = '\0';
    for (size_t i = 0; i < BOSC_LEN(advice); ++i)
        if (strcmp(advice[i].path, path) == 0 &&
            bosc_csv_has(advice[i].words, plain))
            return advice[i].instead;
    return NULL;
}

/* Text that YAML took as a key: "at:soma", or "m" of "[v, m]" without its
 * brackets.  NULL: none of these. */
static const char *no_key(const bosc_mechs *mechs, const bosc_yaml *node,
                          size_t n, const char *const *names, char *buffer,
                          size_t size)
{
    const char *key = node->key, *colon = strchr(key, ':');
    bosc_variable variable;
    char word[80];

    if (key[0] >= '0' && key[0] <= '9')
        return "put quotes around numbers with commas: \"0-9,20\"";
    if (colon != NULL) {
        snprintf(word, sizeof word, "%.*s", (int)(colon - key), key);
        if (bosc_is_among(word, n, names)) {
            snprintf(buffer, size,
                     "a blank behind the colon is missing: '%s: %s'", word,
                     colon + 1);
            return buffer;
        }
    }
    if (bosc_yaml_is_null(node) && bosc_variable_find(mechs, key, &variable))
        return "put brackets around variables with commas: [v, m]";
    return NULL;
}

/* Only mechanisms of a region have keys of their own. */
static bool is_mech(const bosc_yaml *node, const char *path)
{
    return strcmp(path, BOSC_REGION_PATH) == 0 && node->kind == BOSC_YAML_MAP &&
           isalpha((unsigned char)node->key[0]);
}

/* The keys of such a mechanism are words of its author. */
static bool is_of_mod_file(const bosc_mechs *mechs, const char *path)
{
    const int mech = bosc_mechs_find(mechs, path);

    return strcmp(path, BOSC_POINT_PATH) == 0 ||
           (mech >= 0 && mechs->mech[mech]->made != NULL);
}

/* A parameter of a point process that there is not. */
static bool lacks_points(const bosc_mechs *mechs, const char *path)
{
    for (int m = 0; m < mechs->n; ++m)
        if (bosc_point_fits(BOSC_POINT_PATH, mechs->mech[m]))
            return false;
    return strcmp(path, BOSC_POINT_PATH) == 0;
}

static bosc_status mech_unknown(const bosc_mechs *mechs, const bosc_yaml *node,
                                size_t n, const char *const *names,
                                bosc_error *err)
{
    const char *known[BOSC_MAX_KEYS];
    size_t n_known = 0;

    for (size_t i = 0; i < n; ++i)
        if (bosc_mechs_find(mechs, names[i]) >= 0)
            known[n_known++] = names[i];
    return bosc_yaml_fail(err, node, "unknown mechanism '%s'; %s", node->key,
                          bosc_did_you_mean(node->key, n_known, known,
                                            "available:", (char[500]){0}, 500));
}

bosc_status bosc_job_key_unknown(const bosc_schema *schema,
                                 const bosc_yaml *node, const char *path,
                                 size_t n, const char *const *names,
                                 bosc_error *err)
{
    const bosc_mechs *mechs = schema->mechs;
    const char *key = node->key, *instead = bosc_key_advice(path, key);
    char meant[700];

    if (instead == NULL && lacks_points(mechs, path))
        instead = "the job has no point process that acts without events; "
                  "name its mod file with 'mechanisms:'";
    if (instead != NULL)
        return bosc_yaml_fail(err, node, "unknown key '%s'; %s", key, instead);
    if ((instead = bosc_lookalike(key, strlen(key), true)) != NULL)
        return bosc_yaml_fail(err, node, "unknown key '%s': %s", key, instead);
    for (size_t i = 0; i < n; ++i)
        if (strcasecmp(key, names[i]) == 0)
            return bosc_yaml_fail(err, node,
                                  "unknown key '%s'; did you mean '%s'?", key,
                                  names[i]);
    if (translate_here(key, n, names, meant, sizeof meant))
        return bosc_yaml_fail(err, node, "unknown key '%s'; %s", key, meant);
    if (bosc_suggest(key, n, names) == NULL) {
        if (find_paths(mechs, key, meant, sizeof meant))
            return bosc_yaml_fail(
                err, node, "key '%s' does not belong here; %s", key, meant);
        instead = no_key(mechs, node, n, names, meant, sizeof meant);
    }
    if (instead == NULL && !is_of_mod_file(mechs, path) &&
        translate(mechs, key, path, meant, sizeof meant))
        instead = meant;
    if (instead == NULL && is_mech(node, path))
        return mech_unknown(mechs, node, n, names, err);
    if (instead == NULL)
        return bosc_key_unknown(node, path, n, names, err);
    return bosc_yaml_fail(err, node, "unknown key '%s'; %s", key, instead);
}
