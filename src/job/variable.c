#include "src/job/variable.h"

#include <stdio.h>
#include <string.h>

#include "src/base/status.h"
#include "src/text/did_you_mean.h"

/* What else stands behind a probe's name in the file. */
static const char *const columns[] = {"gid",
                                      "x",
                                      "compartment",
                                      "section",
                                      "x3d",
                                      "y3d",
                                      "z3d",
                                      "diam",
                                      "area",
                                      "parent",
                                      "distance",
                                      "section_length",
                                      "potential",
                                      "x0",
                                      "y0",
                                      "z0",
                                      "x1",
                                      "y1",
                                      "z1",
                                      "cm",
                                      "parent_x",
                                      "Ra",
                                      "parent_compartment"};

/* The variables of a compartment. */
#define STATE(name, unit, meaning, terms)                                      \
    {#name, unit, meaning, false, false, false},
static const bosc_mech_state of_compartment[] = {
    BOSC_COMPARTMENT_VARIABLES(STATE)};

static const bosc_mech_state *state_of(const bosc_mechs *mechs,
                                       bosc_variable variable)
{
    return variable.mech == BOSC_COMPARTMENT
               ? &of_compartment[variable.state]
               : &mechs->mech[variable.mech]->states[variable.state];
}

bool bosc_variable_at(const bosc_mechs *mechs, int i, bosc_variable *out)
{
    *out = (bosc_variable){.mech = BOSC_COMPARTMENT, .state = i};
    if (i < BOSC_COMPARTMENT_potential)
        return true;
    i -= BOSC_COMPARTMENT_potential;
    for (int m = 0; m < mechs->n; i -= mechs->mech[m++]->n_states)
        if (i < mechs->mech[m]->n_states) {
            *out = (bosc_variable){.mech = m, .state = i};
            return true;
        }
    return false;
}

int bosc_variable_terms(bosc_variable variable)
{
#define TERMS(name, unit, meaning, terms) terms,
    static const int n[] = {BOSC_COMPARTMENT_VARIABLES(TERMS)};

    return variable.mech == BOSC_COMPARTMENT ? n[variable.state] : 1;
}

bool bosc_variable_same(bosc_variable a, bosc_variable b)
{
    return a.mech == b.mech && a.state == b.state &&
           strcmp(a.synapse, b.synapse) == 0;
}

/* Is it called by its mechanism's name, too, whoever else has its own: what is
 * kept for a probe, and the count of random numbers of a mechanism that is
 * built in, which every job has? */
static bool is_apart(const bosc_mechs *mechs, bosc_variable variable)
{
    const bosc_mech_state *state = state_of(mechs, variable);

    return state->shown || (variable.mech != BOSC_COMPARTMENT &&
                            !mechs->mech[variable.mech]->made &&
                            strcmp(state->name, "drawn") == 0);
}

/* True if nothing else has the state's own name. */
static bool is_enough(const bosc_mechs *mechs, bosc_variable variable)
{
    const char *name = state_of(mechs, variable)->name;
    bosc_variable other;

    if (is_apart(mechs, variable))
        return false;
    for (int i = 0; bosc_variable_at(mechs, i, &other); ++i)
        if (!bosc_variable_same(other, variable) && !is_apart(mechs, other) &&
            strcmp(state_of(mechs, other)->name, name) == 0)
            return false;
    return !bosc_is_among(name, BOSC_LEN(columns), columns);
}

const char *bosc_variable_own_name(const bosc_mechs *mechs,
                                   bosc_variable variable)
{
    return state_of(mechs, variable)->name;
}

/* "hh.m", "excite.g" */
static void full_name(const bosc_mechs *mechs, bosc_variable variable,
                      char between, char *buffer)
{
    snprintf(buffer, BOSC_VARIABLE_NAME, "%.70s%c%.70s",
             variable.synapse[0] != '\0' ? variable.synapse
                                         : mechs->mech[variable.mech]->name,
             between, state_of(mechs, variable)->name);
}

const char *bosc_variable_name(const bosc_mechs *mechs, bosc_variable variable,
                               char between, char *buffer)
{
    if (variable.mech == BOSC_OF_SYNAPSE)
        snprintf(buffer, BOSC_VARIABLE_NAME, "%s", variable.synapse);
    else if (variable.mech == BOSC_COMPARTMENT ||
             (variable.synapse[0] == '\0' && is_enough(mechs, variable)))
        snprintf(buffer, BOSC_VARIABLE_NAME, "%s",
                 state_of(mechs, variable)->name);
    else
        full_name(mechs, variable, between, buffer);
    return buffer;
}

bool bosc_variable_find(const bosc_mechs *mechs, const char *name,
                        bosc_variable *out)
{
    char own[BOSC_VARIABLE_NAME];

    for (int i = 0; bosc_variable_at(mechs, i, out); ++i) {
        if (strcmp(bosc_variable_name(mechs, *out, '.', own), name) == 0)
            return true;
        if (out->mech == BOSC_COMPARTMENT)
            continue;
        full_name(mechs, *out, '.', own);
        if (strcmp(own, name) == 0)
            return true;
    }
    return false;
}

bool bosc_variable_of_synapse(const bosc_job *job, bosc_variable *out)
{
    const bosc_variable asked = *out;
    const size_t n = strcspn(asked.synapse, ".");

    for (int k = 0; asked.synapse[n] == '.' && k < job->network.n_synapses;
         ++k) {
        const char *name = job->network.synapses[k].name;
        const int number = job->network.synapses[k].type.mech;
        const bosc_mech *mech = job->mechs->mech[number];

        if (strncmp(name, asked.synapse, n) != 0 || name[n] != '\0')
            continue;
        *out = (bosc_variable){.mech = number};
        snprintf(out->synapse, sizeof out->synapse, "%s", name);
        for (; out->state < mech->n_states; ++out->state)
            if (strcmp(mech->states[out->state].name, asked.synapse + n + 1) ==
                0)
                return true;
    }
    return false;
}

const char *bosc_variable_unit(const bosc_mechs *mechs, bosc_variable variable)
{
    return state_of(mechs, variable)->unit;
}

const char *bosc_variable_meaning(const bosc_mechs *mechs,
                                  bosc_variable variable, char *buffer,
                                  size_t size)
{
    const char *meaning = state_of(mechs, variable)->meaning;

    if (variable.mech == BOSC_COMPARTMENT)
        snprintf(buffer, size, "%s", meaning);
    else
        snprintf(buffer, size, "%s (%s%s%s)", meaning, variable.synapse,
                 variable.synapse[0] != '\0' ? ", " : "",
                 mechs->mech[variable.mech]->name);
    return buffer;
}

bool bosc_variable_is_part(const bosc_mechs *mechs, const char *name)
{
    char own[BOSC_VARIABLE_NAME];
    bosc_variable variable;

    for (int i = 0; bosc_variable_at(mechs, i, &variable); ++i)
        if (strcmp(bosc_variable_name(mechs, variable, '_', own), name) == 0)
            return true;
    return bosc_is_among(name, BOSC_LEN(columns), columns);
}
