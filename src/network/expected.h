/* expected.h - how many connections the rule of a link makes on average,
 * before any of them is made.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_NETWORK_EXPECTED_H
#define BOSC_SRC_NETWORK_EXPECTED_H

#include <stdbool.h>

/* How connections are spread over the sources. */
typedef enum bosc_expected_kind {
    BOSC_PAIRED, /* each source has as many as the others */
    BOSC_APART,  /* each pair is connected once at most */
    BOSC_DRAWN   /* every connection draws its source anew */
} bosc_expected_kind;

/* What a rule is expected to make (bosc_rule_expect() in rule.h). */
typedef struct bosc_expected {
    bool known;              /* false: a file lists them, and was not read */
    double sources, targets; /* of the link */
    double indegree;         /* connections onto each target */
    bosc_expected_kind kind;
    bool alike; /* every target has the same indegree */
} bosc_expected;

/* The connections of each source onto this number of targets. */
double bosc_expected_outdegree(const bosc_expected *e, double targets);

/* The share of the sources that have a connection onto any of n targets, and
 * of the targets that have one from any of n sources. */
double bosc_expected_senders(const bosc_expected *e, double targets);
double bosc_expected_receivers(const bosc_expected *e, double sources);

#endif
