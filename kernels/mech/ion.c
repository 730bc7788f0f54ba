#include "kernels/mech/ion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* --- descriptions --------------------------------------------------------- */

/* As in NEURON; others begin with 0 mV and 1 mM. */
static const struct {
    const char *name;
    double valence, e, inside, outside; /* mV, mM */
} known[] = {
    {"na", 1, 50, 10, 140},
    {"k", 1, -77, 54.4, 2.5},
    {"ca", 2, 132.4579341637009, 5e-5, 2},
    {"cl", -1, 0, 1, 1},
};

static void nothing(const double *p, double *g, double *ge)
{
    (void)p;
    *g = *ge = 0;
}

/* k[0]: mV for a ratio of e; R and F are those of CODATA 2018. */
static void prepare(const double *p, double celsius, double dt, double *k)
{
    (void)p, (void)dt;
    k[0] = 1000. * 8.31446261815324 * (celsius + 273.15) / 96485.3321233100184;
}

typedef struct entry {
    bosc_mech mech;
    double valence;
    bosc_mech_param param[3];
    bosc_mech_state state[BOSC_N_ION_VARIABLES];
} entry;

static void destroy_entry(void *what)
{
    entry *x = what;

    free((char *)x->mech.name);
    for (int i = 0; i < BOSC_N_ION_VARIABLES; ++i)
        free((char *)x->state[i].name);
    free(x);
}

static bosc_status describe(const char *ion, double valence, entry *x,
                            bosc_error *err)
{
    static const char *const forms[] = {"e%s", "i%s", "%si", "%so"};
    static const char *const units[] = {"mV", "mA/cm2", "mM", "mM"};
    static const char *const meanings[] = {
        "reversal potential", "current, outward, of all mechanisms",
        "concentration inside", "concentration outside"};
    static const bosc_ion_variable of[] = {BOSC_ION_E, BOSC_ION_INSIDE,
                                           BOSC_ION_OUTSIDE};
    double values[] = {0, 1, 1};

    x->mech.name = bosc_format("%s_ion", ion);
    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (strcmp(known[i].name, ion) == 0) {
            values[0] = known[i].e;
            values[1] = known[i].inside;
            values[2] = known[i].outside;
        }
    x->valence = valence;
    for (int i = 0; i < BOSC_N_ION_VARIABLES; ++i) {
        char *text = bosc_format(forms[i], ion);

        x->state[i] =
            (bosc_mech_state){text, units[i], meanings[i], false, false, false};
        if (x->mech.name == NULL || text == NULL)
            return bosc_no_memory(err, "an ion");
    }
    for (int i = 0; i < 3; ++i)
        x->param[i] = (bosc_mech_param){
            .name = x->state[of[i]].name,
            .unit = units[of[i]],
            .meaning = of[i] == BOSC_ION_E
                           ? "reversal potential, where no mechanism uses "
                             "concentrations; {value: ..., fixed: true} holds "
                             "it everywhere"
                           : meanings[of[i]],
            .standard = values[i],
            .low = of[i] == BOSC_ION_E ? -1e3 : 1e-12,
            .high = of[i] == BOSC_ION_E ? 1e3 : 1e6};
    x->mech = (bosc_mech){.name = x->mech.name,
                          .kind = BOSC_MECH_ION,
                          .n_params = 3,
                          .n_states = BOSC_N_ION_VARIABLES,
                          .n_constants = 1,
                          .params = x->param,
                          .states = x->state,
                          .ns = 0.5,
                          .formula.constant = nothing,
                          .formula.prepare = prepare};
    return BOSC_OK;
}

int bosc_ion_find(const bosc_mechs *mechs, const char *ion)
{
    const size_t n = strlen(ion);

    for (int m = 0; m < mechs->n; ++m) {
        const bosc_mech *mech = mechs->mech[m];

        if (mech->kind == BOSC_MECH_ION && strncmp(mech->name, ion, n) == 0 &&
            strcmp(mech->name + n, "_ion") == 0)
            return m;
    }
    return -1;
}

/* A bosc_mech of this kind is the first member of an entry. */
static double valence_of(const bosc_mech *mech)
{
    return ((const entry *)(const void *)mech)->valence;
}

bosc_status bosc_ion_add(bosc_mechs *mechs, const char *ion, double valence,
                         bosc_error *err)
{
    const int there = bosc_ion_find(mechs, ion);
    entry *x;

    for (size_t i = 0; isnan(valence) && i < BOSC_LEN(known); ++i)
        if (strcmp(known[i].name, ion) == 0)
            valence = known[i].valence;
    if (there >= 0) {
        const double other = valence_of(mechs->mech[there]);

        return isnan(valence) || valence == other
                   ? BOSC_OK
                   : bosc_fail(err, BOSC_EVALUE,
                               "ion %s has the valence %g in one mod file and "
                               "%g in another; correct one",
                               ion, other, valence);
    }
    if (isnan(valence))
        return bosc_fail(err, BOSC_EVALUE,
                         "ion %s has no valence; add it to its USEION: "
                         "'VALENCE 1'",
                         ion);
    x = calloc(1, sizeof *x);
    if (x == NULL)
        return bosc_no_memory(err, "an ion");

    bosc_status st = bosc_mechs_own(mechs, x, destroy_entry, err);

    if (st == BOSC_OK)
        st = describe(ion, valence, x, err);
    return st == BOSC_OK ? bosc_mechs_add(mechs, &x->mech, err) : st;
}

/* --- values --------------------------------------------------------------- */

double bosc_ion_per_e(const bosc_mech_block *block)
{
    const double valence = valence_of(block->mech);

    return valence == 0 ? 0 : block->k.all[0] / valence;
}

void bosc_ion_potentials(const bosc_mech_block *block, int style,
                         ptrdiff_t from, ptrdiff_t to)
{
    double *const *state = block->state;
    const double per_e = bosc_ion_per_e(block);

    for (ptrdiff_t i = from; i < to; ++i)
        if (block->style[i] >= style)
            state[BOSC_ION_E][i] = bosc_nernst(per_e, state[BOSC_ION_INSIDE][i],
                                               state[BOSC_ION_OUTSIDE][i]);
}

void bosc_ion_begin(const bosc_mech_block *block, ptrdiff_t from, ptrdiff_t to)
{
    memset(block->state[BOSC_ION_CURRENT] + from, 0,
           (size_t)(to - from) * sizeof(double));
    bosc_ion_potentials(block, BOSC_ION_ALWAYS, from, to);
}

static bool uses(const bosc_mech *mech, const char *ion, bool written)
{
    for (int j = 0; j < mech->n_ions; ++j) {
        const bosc_mech_ion *use = &mech->ions[j];

        if ((use->variable == BOSC_ION_INSIDE ||
             use->variable == BOSC_ION_OUTSIDE) &&
            (ion == NULL || strcmp(use->ion, ion) == 0) &&
            (written ? use->writes : use->reads))
            return true;
    }
    return false;
}

bool bosc_ion_is_written(const bosc_mech *mech, const char *ion)
{
    return uses(mech, ion, true);
}

bool bosc_ion_is_read(const bosc_mech *mech, const char *ion)
{
    return uses(mech, ion, false);
}
