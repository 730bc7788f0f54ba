/* component.c - from chosen neurons to the whole components of couplings that
 * they are in: round after round each rank gives the pairs that lead from
 * neurons found in the round before, and all ranks follow them alike.
 */
#include "src/verify/component.h"

#include <stdlib.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"
#include "src/network/coupling_build.h"

/* Two neurons that a coupling joins. */
typedef struct joined {
    int64_t from, to; /* gids */
} joined;

typedef struct search {
    const bosc_comm *comm;
    bosc_pairs pairs; /* of the targets of this rank */
    bool *chosen;     /* [neurons] */
    int32_t *round;   /* [neurons] in which it was found, from 1; 0: not yet */
    int64_t *leader;  /* [neurons] of the same component; itself for one */
    int32_t *size;    /* [neurons] of the component that it leads */
    joined *found;    /* of a round, here */
    size_t n, capacity;
} search;

static int64_t leader_of(const search *s, int64_t gid)
{
    while (s->leader[gid] != gid)
        gid = s->leader[gid] = s->leader[s->leader[gid]];
    return gid;
}

/* BOSC_ENOSUP where the component becomes too large. */
static bosc_status join(search *s, const joined *pair, bosc_error *err)
{
    const int64_t a = leader_of(s, pair->from), b = leader_of(s, pair->to);

    if (a == b)
        return BOSC_OK;
    s->leader[b] = a;
    s->size[a] += s->size[b];
    if (s->size[a] <= BOSC_COMPONENT_MOST)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOSUP,
                     "verify: neuron %lld is coupled with more than %d others, "
                     "directly or through these; so many are not computed "
                     "again: run with verify: 0",
                     (long long)pair->from, BOSC_COMPONENT_MOST - 1);
}

/* The pairs that lead from neurons of that round. */
static bool follow(search *s, int32_t round)
{
    s->n = 0;
    for (size_t i = 0; i < s->pairs.n; ++i) {
        const bosc_pair *pair = &s->pairs.pair[i];
        const bool from = s->round[pair->source] == round;

        if (!from && s->round[pair->target] != round)
            continue;
        if (!bosc_grow(&s->found, &s->capacity, s->n + 1, sizeof *s->found))
            return false;
        s->found[s->n++] = from ? (joined){pair->source, pair->target}
                                : (joined){pair->target, pair->source};
    }
    return true;
}

/* Those of all ranks; *more: some neuron is new.  Collective. */
static bosc_status take_round(search *s, int32_t round, bool *more,
                              bosc_error *err)
{
    void *all = NULL;
    size_t *offset = NULL;
    int ranks;
    bosc_status st = follow(s, round)
                         ? BOSC_OK
                         : bosc_no_memory(err, "what neurons are coupled with");

    *more = false;
    if ((st = bosc_agree(s->comm, st, err)) != BOSC_OK)
        return st;
    ranks = s->comm->ranks;
    st = bosc_allgather(s->comm, s->found, s->n * sizeof *s->found, &all,
                        &offset, err);
    for (size_t i = 0; st == BOSC_OK && i < offset[ranks] / sizeof(joined);
         ++i) {
        const joined *pair = (const joined *)all + i;

        st = join(s, pair, err);
        if (s->round[pair->to] == 0) {
            s->round[pair->to] = round + 1;
            s->chosen[pair->to] = *more = true;
        }
    }
    free(all);
    free(offset);
    return st;
}

bosc_status bosc_component_complete(const bosc_comm *comm,
                                    const bosc_model *model, bool *chosen,
                                    bosc_error *err)
{
    const int64_t n = model->gid_table->n_neurons;
    search s = {.comm = comm, .chosen = chosen};
    bool more = true;
    bosc_status st =
        BOSC_ALLOC(err, "what neurons are coupled with", BOSC_ARRAY(s.round, n),
                   BOSC_ARRAY(s.leader, n), BOSC_ARRAY(s.size, n));

    if (st == BOSC_OK)
        st = bosc_coupling_find_pairs(model, &s.pairs, err);
    st = bosc_agree(comm, st, err);
    for (int64_t gid = 0; st == BOSC_OK && gid < n; ++gid) {
        s.round[gid] = chosen[gid];
        s.leader[gid] = gid;
        s.size[gid] = 1;
    }
    for (int32_t round = 1; st == BOSC_OK && more; ++round)
        st = take_round(&s, round, &more, err);
    free(s.pairs.pair);
    free(s.round);
    free(s.leader);
    free(s.size);
    free(s.found);
    return st;
}
