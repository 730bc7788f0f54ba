/* varying_parts.h - what a varying number is made of.  Internal to
 * src/job/region/. */
#ifndef BOSC_SRC_JOB_REGION_VARYING_PARTS_H
#define BOSC_SRC_JOB_REGION_VARYING_PARTS_H

#include "src/formula/formula.h"
#include "src/job/job.h"

enum { BOSC_MOST_NAMED = 16 }; /* named numbers of a formula, 'value' too */

struct bosc_varying {
    enum {
        BOSC_VARYING_NUMBER, /* 'typical'; of a named number alone */
        BOSC_VARYING_DRAW,
        BOSC_VARYING_TABLE,
        BOSC_VARYING_FORMULA,
        BOSC_VARYING_SCALED /* another one times a factor; texts are its */
    } kind;
    double typical;   /* where no neuron is known, and for estimates */
    double low, high; /* range of its key */
    char name[100];   /* "gnabar" */
    char unit[32];
    char *where;    /* "job.yaml:12" */
    char *text;     /* all that it is but the named numbers */
    char path[300]; /* "all.pas.g", also the name of its random numbers, */
    uint32_t what;  /* and its hash */
    bosc_draw draw;
    char *file, *column; /* as the job says it */
    bosc_varying_column table;
    bosc_formula *formula;
    int n_named;
    char **names;        /* [n_named] the first is "value" */
    bosc_varying *named; /* [n_named] */
    const bosc_varying *of;
    double factor;
};

/* A number that is another one, which outlives it, times a factor > 0.
 * BOSC_ENOMEM. */
bosc_status bosc_varying_scale(const bosc_varying *of, double factor,
                               bosc_varying **out, bosc_error *err);
bool bosc_varying_is_scaled(const bosc_varying *v);

/* "distance" */
const char *bosc_place_name(bosc_place_number which);

#endif
