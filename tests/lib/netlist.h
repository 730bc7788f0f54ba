/* netlist.h - for tests: the connections of a job as a list, whatever parts its
 * neurons are dealt to.
 *
 * Every neuron is the same small cell: a soma, an axon, a dendrite that forks.
 * What cannot be made ends the test.
 */
#ifndef BOSC_TESTS_LIB_NETLIST_H
#define BOSC_TESTS_LIB_NETLIST_H

#include "src/batch/batch_build.h"

/* Population a has 12 neurons, b 9, c 200; source beat has 6; positions are in
 * boxes.  They are numbered in this order. */
enum {
    NETLIST_A = 0,
    NETLIST_N_A = 12,
    NETLIST_B = NETLIST_A + NETLIST_N_A,
    NETLIST_N_B = 9,
    NETLIST_C = NETLIST_B + NETLIST_N_B,
    NETLIST_N_C = 200,
    NETLIST_BEAT = NETLIST_C + NETLIST_N_C, /* where nothing is watched */
    NETLIST_N_BEAT = 6
};

typedef struct netlist_arc {
    int64_t source, target; /* id; gid */
    int mech;
    int32_t node, delay; /* of the target; steps */
    double weight;
} netlist_arc;

typedef struct netlist {
    bosc_job *job;
    bosc_gid_table *gid_table;
    bosc_cable *cable; /* of every neuron */
    size_t n, capacity;
    netlist_arc *arc; /* [n] sorted by all their parts */
    size_t bytes;     /* held for them by all parts */
    int64_t made;     /* connections, as the net counts them */
} netlist;

/* The job with these lines as its projections.  Neuron gid goes to part gid
 * modulo 'parts'.  'files' may be NULL. */
netlist netlist_create(const char *projections, int parts,
                       const bosc_network_files *files);
void netlist_clear(netlist *list);

/* The same, to be refused: the message. */
bosc_error netlist_refused(const char *projections);

/* How often 'source' reaches 'target'. */
int netlist_count(const netlist *list, int64_t source, int64_t target);

/* Do two lists have the same arcs, bit for bit? */
bool netlist_same(const netlist *a, const netlist *b);

#endif
