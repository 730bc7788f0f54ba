#include "kernels/mech/registry.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

struct bosc_mech_refusal {
    char *name, *why;
    struct bosc_mech_refusal *next;
};

struct bosc_mech_owned {
    void *what;
    void (*release)(void *what);
    struct bosc_mech_owned *next;
};

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

/* For some instruction set; which, is for who loads it to know. */
static bool has_loops(const bosc_mech *mech)
{
    for (int i = 0; i < BOSC_MECH_ISAS; ++i)
        if (mech->loops[i] != NULL)
            return true;
    return false;
}

static bool is_whole(const bosc_mech *mech)
{
    return mech->formula.constant != NULL &&
           (mech->formula.current == NULL ||
            (mech->formula.init != NULL && mech->formula.prepare != NULL &&
             mech->formula.advance != NULL && has_loops(mech)));
}

static bosc_status check_size(const bosc_mech *mech, bosc_error *err)
{
    const struct {
        int n, most;
        const char *what;
    } sizes[] = {
        {mech->n_params, BOSC_MECH_MOST, "parameters"},
        {mech->n_states, BOSC_MECH_MOST, "states"},
        {mech->n_constants, BOSC_MECH_MOST, "constants of a step"},
        {mech->n_ions, BOSC_MECH_MAX_IONS, "variables of ions"},
    };

    for (size_t i = 0; i < BOSC_LEN(sizes); ++i)
        if (sizes[i].n > sizes[i].most)
            return bosc_fail(
                err, BOSC_ENOSUP, "mechanism %s has %d %s, and %d is the most",
                mech->name, sizes[i].n, sizes[i].what, sizes[i].most);
    return BOSC_OK;
}

bosc_status bosc_mechs_add(bosc_mechs *mechs, const bosc_mech *mech,
                           bosc_error *err)
{
    bosc_status st = check_size(mech, err);

    if (st == BOSC_OK)
        st = check_params(mech, err);
    if (st != BOSC_OK)
        return st;
    if (bosc_mechs_find(mechs, mech->name) >= 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "there is a mechanism %s already; rename one",
                         mech->name);
    if (!is_whole(mech))
        return bosc_fail(err, BOSC_EVALUE,
                         "mechanism %s lacks some of its formulas", mech->name);
    if (mechs->n == BOSC_MAX_MECHS)
        return bosc_fail(err, BOSC_EVALUE,
                         "no room for mechanism %s: there are %d, which is the "
                         "most",
                         mech->name, BOSC_MAX_MECHS);
    mechs->mech[mechs->n++] = mech;
    return BOSC_OK;
}

void bosc_mechs_replace(bosc_mechs *mechs, const bosc_mech *mech)
{
    mechs->mech[bosc_mechs_find(mechs, mech->name)] = mech;
}

bosc_status bosc_mechs_create(bosc_mechs **out, bosc_error *err)
{
    bosc_mechs *mechs = calloc(1, sizeof *mechs);
    bosc_status st =
        mechs == NULL ? bosc_no_memory(err, "mechanisms") : BOSC_OK;

    for (int m = 0; st == BOSC_OK && bosc_mechs_builtin[m] != NULL; ++m)
        st = bosc_mechs_add(mechs, bosc_mechs_builtin[m], err);
    if (st == BOSC_OK)
        *out = mechs;
    else
        bosc_mechs_destroy(mechs);
    return st;
}

void bosc_mechs_destroy(bosc_mechs *mechs)
{
    if (mechs == NULL)
        return;
    for (struct bosc_mech_refusal *x; (x = mechs->refusals) != NULL; free(x)) {
        mechs->refusals = x->next;
        free(x->name);
        free(x->why);
    }
    for (struct bosc_mech_owned *x; (x = mechs->owned) != NULL; free(x)) {
        mechs->owned = x->next;
        x->release(x->what);
    }
    free(mechs);
}

bosc_status bosc_mechs_own(bosc_mechs *mechs, void *what,
                           void (*release)(void *what), bosc_error *err)
{
    struct bosc_mech_owned *x = malloc(sizeof *x);

    if (x == NULL) {
        release(what);
        return bosc_no_memory(err, "mechanisms");
    }
    *x = (struct bosc_mech_owned){what, release, mechs->owned};
    mechs->owned = x;
    return BOSC_OK;
}

int bosc_mechs_find(const bosc_mechs *mechs, const char *name)
{
    for (int m = 0; m < mechs->n; ++m)
        if (strcmp(mechs->mech[m]->name, name) == 0)
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

bosc_status bosc_mechs_refuse(bosc_mechs *mechs, const char *name,
                              const char *why, bosc_error *err)
{
    struct bosc_mech_refusal *x = calloc(1, sizeof *x);

    if (x == NULL || (x->name = bosc_strdup(name)) == NULL ||
        (x->why = bosc_strdup(why)) == NULL) {
        if (x != NULL)
            free(x->name);
        free(x);
        return bosc_no_memory(err, name);
    }
    x->next = mechs->refusals;
    mechs->refusals = x;
    return BOSC_OK;
}

const char *bosc_mechs_refused(const bosc_mechs *mechs, const char *name)
{
    for (const struct bosc_mech_refusal *x = mechs->refusals; x != NULL;
         x = x->next)
        if (strcmp(x->name, name) == 0)
            return x->why;
    return NULL;
}
