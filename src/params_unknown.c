/* params_unknown.c - what was meant by a key that a job cannot have.
 *
 * Words of other simulators come first, since the spelling of a short one may
 * be nearest to a key of another meaning; then keys of other groups; then what
 * is spelt nearly so.
 */
#include "src/params_keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "src/suggest.h"

/* 'ours' stands in the group 'group', where that is not empty; 'how' is what
 * becomes of the value.  Where several rows fit, the first one counts. */
typedef struct translation {
    const char *theirs, *group, *ours, *how;
} translation;

static const translation words[] = {
    /* times and temperature */
    {"steps_per_ms", "", "dt", "dt = 1 / steps_per_ms"},
    {"duration_ms", "", "tstop", NULL},
    {"tfinal", "", "tstop", NULL},
    {"simtime", "", "tstop", NULL},
    {"temperature", "", "celsius", NULL},
    {"temperature-kelvin", "", "celsius", "kelvin - 273.15"},
    {"secondorder", "", "second_order", "true where it is 2"},
    {"nthread", "", "threads", NULL},
    {"voltage", "", "v_init", NULL},
    {"v_rest", "", "v_init", NULL},
    {"membrane-potential", "", "v_init", NULL},
    /* cells and their cutting */
    {"cells", "", "populations", NULL},
    {"swc", "", "morphologies", NULL},
    {"files", "", "morphologies", NULL},
    {"nseg", "discretisation", "per_section", NULL},
    {"lambda_f", "discretisation", "frequency", NULL},
    {"max_extent", "discretisation", "max_length", NULL},
    {"cv_policy", "", "discretisation", NULL},
    {"dend", "", "dendrite", NULL},
    {"basal", "", "dendrite", NULL},
    {"apic", "", "apical", NULL},
    {"default", "", "all", NULL},
    {"axial-resistivity", "", "Ra", NULL},
    {"membrane-capacitance", "", "cm", "uF/cm2 = 100 F/m2"},
    /* mechanisms */
    {"passive", "", "pas", NULL},
    {"leak", "", "pas", NULL},
    {"g_pas", "pas", "g", NULL},
    {"e_pas", "pas", "e", NULL},
    {"gbar", "pas", "g", NULL},
    {"Rm", "pas", "g", "g = 1 / Rm"},
    {"tau", "pas", "g", "g = cm / tau"},
    {"tau_m", "pas", "g", "g = cm / tau_m"},
    {"g_leak", "pas", "g", NULL},
    {"e_leak", "pas", "e", NULL},
    {"e_rev", "pas", "e", NULL},
    {"gl", "hh", "gl", NULL},
    {"gl", "pas", "g", NULL},
    {"el", "hh", "el", NULL},
    {"el", "pas", "e", NULL},
    {"g_leak", "hh", "gl", NULL},
    {"e_leak", "hh", "el", NULL},
    {"g_l", "hh", "gl", NULL},
    {"e_l", "hh", "el", NULL},
    {"gl_hh", "hh", "gl", NULL},
    {"el_hh", "hh", "el", NULL},
    {"gna", "hh", "gnabar", NULL},
    {"g_na", "hh", "gnabar", NULL},
    {"gna_hh", "hh", "gnabar", NULL},
    {"gnabar", "hh", "gnabar", NULL},
    {"gnabar_hh", "hh", "gnabar", NULL},
    {"gk", "hh", "gkbar", NULL},
    {"g_k", "hh", "gkbar", NULL},
    {"gk_hh", "hh", "gkbar", NULL},
    {"gkbar", "hh", "gkbar", NULL},
    {"gkbar_hh", "hh", "gkbar", NULL},
    {"ena", "hh", "ena", NULL},
    {"e_na", "hh", "ena", NULL},
    {"ek", "hh", "ek", NULL},
    {"e_k", "hh", "ek", NULL},
    /* clamps and probes */
    {"stimuli", "", "clamps", NULL},
    {"iclamps", "", "clamps", NULL},
    {"del", "", "delay", NULL},
    {"dur", "", "duration", NULL},
    {"amp", "", "amplitude", NULL},
    {"current", "", "amplitude", NULL},
    {"recordings", "", "probes", NULL},
    {"dt_io", "", "interval", NULL},
    {"location", "", "at", NULL},
    {"loc", "", "at", NULL},
    {"section", "", "at", NULL},
    {"gids", "", "neurons", NULL},
    {"outpath", "", "output", NULL},
    /* networks */
    {"connections", "", "projections", NULL},
    {"netcons", "", "projections", NULL},
    {"edges", "", "projections", NULL},
    {"inputs", "", "sources", NULL},
    {"netstims", "", "sources", NULL},
    {"generators", "", "sources", NULL},
    {"pre", "", "from", NULL},
    {"post", "", "to", NULL},
    {"target", "", "to", NULL},
    {"receptor", "", "synapse", NULL},
    {"conn_spec", "", "rule", NULL},
    {"freq", "", "rate", NULL},
    {"frequency", "", "rate", NULL},
    {"allow_autapses", "", "autapses", NULL},
    {"tau_rise", "", "tau1", NULL},
    {"tau_decay", "", "tau2", NULL},
    {"tau_syn", "", "tau", NULL},
};

static bool is_among(const char *name, size_t n, const char *const *names)
{
    for (size_t i = 0; i < n; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* "gnabar" where that may stand, "hh: {gnabar: ...}" where hh may; false where
 * neither. */
static bool fit(const translation *word, size_t n, const char *const *names,
                char *ours, size_t size)
{
    if (is_among(word->ours, n, names))
        snprintf(ours, size, "%s", word->ours);
    else if (is_among(word->group, n, names))
        snprintf(ours, size, "%s: {%s: ...}", word->group, word->ours);
    else
        return false;
    return true;
}

/* Which of the names 'word' of another simulator is, as a message says it;
 * false: none. */
static bool translate_here(const char *word, size_t n, const char *const *names,
                           char *out, size_t size)
{
    char ours[80];

    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (strcasecmp(word, words[i].theirs) == 0 &&
            fit(&words[i], n, names, ours, sizeof ours)) {
            snprintf(out, size, "did you mean '%s'%s%s%s?", ours,
                     words[i].how != NULL ? " (" : "",
                     words[i].how != NULL ? words[i].how : "",
                     words[i].how != NULL ? ")" : "");
            return true;
        }
    return false;
}

/* The same where it stands somewhere else. */
static bool translate(const char *word, char *out, size_t size)
{
    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (strcasecmp(word, words[i].theirs) == 0) {
            const bool alone = words[i].group[0] == '\0';

            snprintf(out, size,
                     "here it is called '%s%s%s%s', and stands elsewhere",
                     words[i].group, alone ? "" : ": {", words[i].ours,
                     alone ? "" : ": ...}");
            return true;
        }
    return false;
}

/* The shortest path of a key of that name; NULL: there is none. */
static const char *key_path(const char *name)
{
    const char *best = NULL;

    for (int i = 0; i < bosc_n_keys; ++i)
        if (strcmp(bosc_key_leaf(&bosc_keys[i]), name) == 0 &&
            (best == NULL || strlen(bosc_keys[i].path) < strlen(best)))
            best = bosc_keys[i].path;
    return best;
}

/* The path of a key of that name somewhere else; NULL: there is none. */
static const char *elsewhere(const char *name, char *buffer, size_t size)
{
    if (key_path(name) != NULL)
        return key_path(name);
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        if (strcmp(bosc_region_names[r], name) == 0) {
            snprintf(buffer, size, "populations[].regions.%s", name);
            return buffer;
        }
    const int mech = bosc_mech_find(name);

    if (mech < 0)
        return NULL;
    if (bosc_mechs[mech].receive != NULL)
        snprintf(buffer, size, "synapses[].type: %s", name);
    else
        snprintf(buffer, size, BOSC_REGION_PATH ".%s", name);
    return buffer;
}

bosc_status bosc_key_unknown(const bosc_yaml *node, size_t n,
                             const char *const *names, bosc_error *err)
{
    char meant[700], path[80];
    const char *other = elsewhere(node->key, path, sizeof path);
    const bool here = translate_here(node->key, n, names, meant, sizeof meant);

    if (!here && other != NULL && bosc_suggest(node->key, n, names) == NULL)
        return bosc_yaml_fail(err, node,
                              "key '%s' does not belong here; its place is "
                              "'%s'",
                              node->key, other);
    if (node->key[0] >= '0' && node->key[0] <= '9')
        snprintf(meant, sizeof meant,
                 "put quotes around numbers with commas: \"0-9,20\"");
    else if (!here && !translate(node->key, meant, sizeof meant))
        bosc_did_you_mean(node->key, n, names, "allowed here:", meant,
                          sizeof meant);
    return bosc_yaml_fail(err, node, "unknown key '%s'; %s", node->key, meant);
}
