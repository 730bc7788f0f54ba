/* where.h - which compartments of a neuron a region of the user's own holds, or
 * a probe records.
 *
 * Serial code: no MPI.  A 'where' is a predicate: a tree of tests that each
 * compartment passes or not, for itself.  It is written down as one array, each
 * node before those below it, so that it is copied, compared and printed
 * without recursion into pointers.
 *
 * Example: {region: apical, or: [{distance: [685, 885]}, {tip: true}]} is
 *     AND 4   KIND apical   OR 2   DISTANCE 685 885   TIP
 * where the number is that of the nodes below.
 */
#ifndef BOSC_SRC_MORPHOLOGY_WHERE_WHERE_H
#define BOSC_SRC_MORPHOLOGY_WHERE_WHERE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/status.h"
#include "src/morphology/spec.h"

struct bosc_cable; /* src/morphology/cable.h */

typedef enum bosc_where_kind {
    BOSC_WHERE_AND,      /* all below; nothing below: every compartment */
    BOSC_WHERE_OR,       /* any below; nothing below: no compartment */
    BOSC_WHERE_NOT,      /* not all below; it has one */
    BOSC_WHERE_REGION,   /* in region 'index', which stands before */
    BOSC_WHERE_KIND,     /* its section is of this 'region' */
    BOSC_WHERE_TYPE,     /* the type code of its section is 'index' */
    BOSC_WHERE_SECTIONS, /* its section is 'region' number first .. last */
    BOSC_WHERE_DISTANCE, /* low <= path from place[0] to its middle <= high, um;
                            what is not connected with it is infinitely far */
    BOSC_WHERE_AT,       /* it holds a point 'low' um along the path from
                            place[0]; a border is part of the farther one */
    BOSC_WHERE_POINT, /* it is the node of place[0], which may have no area */
    BOSC_WHERE_DIAMETER, /* low <= diameter of the compartment <= high, um */
    BOSC_WHERE_ORDER,    /* low <= bosc_branch_orders() <= high */
    BOSC_WHERE_BETWEEN,  /* on the path from the compartment of place[0] to that
                            of place[1], these included; x = 0 and 1 are in
                            the first and the last of the section */
    BOSC_WHERE_TIP,      /* nothing hangs on its section but at the start of
                            that */
    BOSC_N_WHERE_KINDS
} bosc_where_kind;

/* A point of a neuron. */
typedef struct bosc_where_place {
    bool in_section; /* false: the middle of the soma, or of the root section
                        where there is no soma; the rest is 0 then */
    bosc_region region;
    int32_t number;
    double x; /* 0 to 1 */
} bosc_where_place;

/* What a kind does not need is 0. */
typedef struct bosc_where_node {
    bosc_where_kind kind;
    int32_t n_below; /* nodes below this one: those that follow it */
    int line;        /* of the source, for messages; 0: that has no lines */
    int32_t index;
    bosc_region region;
    int32_t first, last; /* last == INT32_MAX: to the end */
    double low, high;    /* high may be infinite */
    bosc_where_place place[2];
} bosc_where_node;

/* All zero is none, which holds every compartment. */
typedef struct bosc_where {
    char *source; /* "job.yaml", or "--set key=value"; NULL: none */
    size_t n, capacity;
    bosc_where_node *node; /* [n] */
} bosc_where;

/* Append a node with nothing below it.  BOSC_ENOMEM. */
bosc_status bosc_where_add(bosc_where *where, const bosc_where_node *node,
                           bosc_error *err);

/* All nodes added behind node 'at' are below it. */
void bosc_where_close(bosc_where *where, size_t at);

/* Free what it holds; it is empty then. */
void bosc_where_clear(bosc_where *where);

/* Do both test the same?  Sources and lines do not count. */
bool bosc_where_same(const bosc_where *a, const bosc_where *b);

/* Its text in one line, the same for those that are the same and no others:
 * "(apical and (distance 685 to 885 or tip))". */
void bosc_where_print(const bosc_where *where, FILE *file);

/* in[i] for each of cable->n nodes: is the compartment in?  False for nodes
 * without area, but those of BOSC_WHERE_POINT.  'name' stands for the neuron in
 * messages; earlier[r], [n] each, is the same of region r for all that the
 * predicate refers to.  O(n) for each node of the predicate.  BOSC_EVALUE, with
 * "job.yaml:12: ", for a section or a place that the neuron does not have;
 * BOSC_ENOMEM. */
bosc_status bosc_where_mark(const bosc_where *where,
                            const struct bosc_cable *cable, const char *name,
                            const bool *const *earlier, bool *in,
                            bosc_error *err);

#endif
