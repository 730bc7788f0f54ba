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
        BOSC_VARYING_FORMULA
    } kind;
    double typical;   /* where no neuron is known, and for estimates */
    double low, high; /* range of its key */
    char name[100];   /* "gnabar" */
    char unit[32];
    char *where;     /* "job.yaml:12" */
    char *text;      /* all that it is but the named numbers */
    char drawn[300]; /* the name of its random numbers, "all.pas.g" */
    uint32_t what;   /* and its hash */
    bosc_draw draw;
    char *file, *column; /* as the job says it */
    bosc_varying_column table;
    bosc_formula *formula;
    int n_named;
    char **names;        /* [n_named] the first is "value" */
    bosc_varying *named; /* [n_named] */
};

/* "distance" */
const char *bosc_place_name(bosc_place_number which);

#endif
