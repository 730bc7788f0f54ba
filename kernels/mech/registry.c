#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "src/base/mem.h"

static const bosc_mech *mechs[BOSC_MAX_MECHS];
static int n_mechs;
static bosc_mech_program program;

static bosc_status check_params(const bosc_mech *mech, bosc_error *err)
{
    for (int j = 0; j < mech->n_params; ++j) {
        const bosc_mech_param *p = &mech->params[j];

        if (!(p->low <= p->standard && p->standard <= p->high))
            return bosc_fail(err, BOSC_EVALUE,
                             "mechanism %s: the default of %s, %g, is not "
                             "between %g and %g",
                             mech->name, p->name, p->standard, p->low, p->high);
        for (int i = 0; i < j; ++i)
            if (strcmp(mech->params[i].name, p->name) == 0)
                return bosc_fail(err, BOSC_EVALUE,
                                 "mechanism %s has two parameters %s",
                                 mech->name, p->name);
    }
    return BOSC_OK;
}

static bool is_whole(const bosc_mech *mech)
{
    const bosc_mech_full *full = mech->full;

    if (mech->n_params > BOSC_MECH_MOST || mech->n_states > BOSC_MECH_MOST ||
        mech->n_constants > BOSC_MECH_MOST)
        return false;
    return full->n_ions <= BOSC_MECH_MAX_IONS && full->n_own >= 0 &&
           full->init != NULL && full->current != NULL &&
           full->advance != NULL && full->loops[0] != NULL;
}

bosc_status bosc_mech_register(const bosc_mech *mech, bosc_error *err)
{
    const bosc_status st = check_params(mech, err);

    if (st != BOSC_OK)
        return st;
    if (bosc_mech_find(mech->name) >= 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "there is a mechanism %s already; rename one",
                         mech->name);
    if (mech->constant == NULL || (mech->full != NULL && !is_whole(mech)) ||
        (mech->current != NULL &&
         (mech->init == NULL || mech->prepare == NULL ||
          mech->advance == NULL || mech->loops[0] == NULL)))
        return bosc_fail(err, BOSC_EVALUE,
                         "mechanism %s lacks some of its formulas", mech->name);
    if (n_mechs == BOSC_MAX_MECHS)
        return bosc_fail(err, BOSC_EVALUE,
                         "no room for mechanism %s: there are %d, which is the "
                         "most",
                         mech->name, BOSC_MAX_MECHS);
    mechs[n_mechs++] = mech;
    return BOSC_OK;
}

#define REGISTER(name, kind)                                                   \
    st = bosc_mech_register(&bosc_##name, NULL);                               \
    assert(st == BOSC_OK);

__attribute__((constructor)) static void register_builtin(void)
{
    bosc_status st = BOSC_OK;

    BOSC_BUILTIN_MECHS(REGISTER)
    (void)st;
}

int bosc_n_mechs(void)
{
    return n_mechs;
}

const bosc_mech *bosc_mech_at(int m)
{
    assert(m >= 0 && m < n_mechs);
    return mechs[m];
}

int bosc_mech_find(const char *name)
{
    for (int m = 0; m < n_mechs; ++m)
        if (strcmp(mechs[m]->name, name) == 0)
            return m;
    return -1;
}

int bosc_mech_param_find(const bosc_mech *mech, const char *name)
{
    for (int j = 0; j < mech->n_params; ++j)
        if (strcmp(mech->params[j].name, name) == 0)
            return j;
    return -1;
}

/* --- those that there are not --------------------------------------------- */

/* As long as the program, as what is registered. */
typedef struct refused {
    char *name, *why;
    struct refused *next;
} refused;

static refused *all_refused;

bosc_status bosc_mech_refuse(const char *name, const char *why, bosc_error *err)
{
    refused *x = calloc(1, sizeof *x);

    if (x == NULL || (x->name = bosc_strdup(name)) == NULL ||
        (x->why = bosc_strdup(why)) == NULL) {
        if (x != NULL)
            free(x->name);
        free(x);
        return bosc_no_memory(err, name);
    }
    x->next = all_refused;
    all_refused = x;
    return BOSC_OK;
}

const char *bosc_mech_refused(const char *name)
{
    for (const refused *x = all_refused; x != NULL; x = x->next)
        if (strcmp(x->name, name) == 0)
            return x->why;
    return NULL;
}

void bosc_mech_set_program(const bosc_mech_program *of)
{
    program = *of;
}

const bosc_mech_program *bosc_mech_get_program(void)
{
    return &program;
}
