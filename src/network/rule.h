/* rule.h - the connections that a rule makes onto one target.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_NETWORK_RULE_H
#define BOSC_SRC_NETWORK_RULE_H

#include "src/model/model.h"
#include "src/network/expected.h"

/* What each draw is for: the 'use' of bosc_random() is 4 index + one of these,
 * with the connection's index among its target's. */
enum { USE_SOURCE, USE_PLACE, USE_WEIGHT, USE_DELAY, USES };

/* One projection, or coupling, onto one neuron of this rank. */
typedef struct bosc_in_edges {
    const bosc_model *model;
    const bosc_projection_spec *spec;
    uint32_t name;    /* hash of the projection's */
    int32_t neuron;   /* of this rank; -1: only who the sources are matters */
    int64_t target;   /* its number among the targets of the link */
    int64_t n_source; /* how many sources there are */
    int64_t self;     /* its number among these; -1: it is none */
    const bosc_edge_list *list; /* NULL: of another rule, or without files */
    int64_t n_edges;
    const bosc_edge *edges; /* [n_edges] of the list, for this target */
} bosc_in_edges;

/* Link number 'link' of the job onto number 'target' of its targets;
 * of a list only with the scene's files (rule.c). */
bosc_in_edges bosc_in_edges_onto(const bosc_model *model, int link,
                                 int64_t target);

/* The same onto a neuron of this rank (rule.c). */
bosc_in_edges bosc_in_edges_of(const bosc_model *model, int link,
                               int32_t neuron);

/* A connection: which source, the how-manyeth of its target. */
typedef struct bosc_link {
    int64_t source; /* number among the sources */
    uint32_t index;
    double weight, delay;  /* of a list; NAN: as the projection says */
    const bosc_edge *edge; /* of a list; NULL */
} bosc_link;

typedef void bosc_visit(void *what, const bosc_link *link);

/* Visit the connections of a target, in a fixed order (rule.c). */
void bosc_in_edges_visit(const bosc_in_edges *in_edges, bosc_visit *visit,
                         void *what);

/* True if every target gets the same number of connections (rule.c). */
bool bosc_rule_fixes_indegree(bosc_rule rule);

/* Sources that a visit examines for one target, on average (rule.c). */
double bosc_rule_examined(const bosc_projection_spec *spec, double n_sources);

/* What link number 'link' of the job is expected to make.  'rows' are those of
 * its file where it is a list, < 0: unknown.  The files of the model are not
 * needed (rule.c). */
bosc_expected bosc_rule_expect(const bosc_model *model, int link, double rows);

/* BOSC_EVALUE where the rule of a link does not fit the numbers of its sources
 * and targets (rule.c). */
bosc_status bosc_in_edges_check(const bosc_model *model, int link,
                                bosc_error *err);

/* The value of a draw for a link (rule.c). */
double bosc_in_edges_draw(const bosc_in_edges *in_edges, const bosc_draw *draw,
                          const bosc_link *link, uint32_t use);

/* Its weight (uS) and delay (ms), listed or drawn (rule.c). */
double bosc_in_edges_weight(const bosc_in_edges *in_edges,
                            const bosc_link *link);
double bosc_in_edges_delay(const bosc_in_edges *in_edges,
                           const bosc_link *link);

/* The kind of its synapse, and the value of draw number i of the parameters of
 * its projection (rule.c). */
int bosc_in_edges_kind(const bosc_in_edges *in_edges, const bosc_link *link);
double bosc_in_edges_param(const bosc_in_edges *in_edges, int i,
                           const bosc_link *link);

#endif
