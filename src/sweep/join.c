/* join.c - several jobs, those of members of a sweep, become one.
 *
 * Entries of a member follow those of the one before it, and indices move along
 * with them; probes are the same in all members and stay as they are.  Kinds of
 * synapses that are equal are shared, and the rest are in the order in which
 * each member has them: currents are added up in that order.
 */
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/sweep/members.h"

/* A list of the job, whose entries have 'size' bytes. */
typedef struct list {
    size_t entries, n; /* offsets of pointer and int in bosc_job */
    size_t size;
} list;

/* Of a part of it: "network." */
#define LIST(part, name)                                                       \
    {                                                                          \
        offsetof(bosc_job, part name), offsetof(bosc_job, part n_##name),      \
            sizeof *((bosc_job *)0)->part name                                 \
    }

enum {
    POPULATIONS,
    CLAMPS,
    STIMULI,
    POINT_PROCESSES,
    SOURCES,
    PROJECTIONS,
    COUPLINGS,
    N_LISTS
};

static const list lists[N_LISTS] = {
    [POPULATIONS] = LIST(, populations),
    [CLAMPS] = LIST(points., clamps),
    [STIMULI] = LIST(points., stimuli),
    [SOURCES] = LIST(network., sources),
    [PROJECTIONS] = LIST(network., projections),
    [COUPLINGS] = LIST(network., couplings),
    [POINT_PROCESSES] = LIST(points., point_processes),
};

static int *count_of(bosc_job *job, const list *l)
{
    return (int *)(void *)((char *)job + l->n);
}

static char *entries_of(const bosc_job *job, const list *l)
{
    char *entries;

    memcpy(&entries, (const char *)job + l->entries, sizeof entries);
    return entries;
}

/* --- synapses ------------------------------------------------------------ */

static bool same_kind(const bosc_mechs *mechs, const bosc_synapse_spec *a,
                      const bosc_synapse_spec *b)
{
    const int n = mechs->mech[a->type.mech]->n_params;

    return a->type.mech == b->type.mech && strcmp(a->name, b->name) == 0 &&
           (n == 0 ||
            memcmp(a->type.p, b->type.p, (size_t)n * sizeof *a->type.p) == 0) &&
           bosc_pointers_same(&a->type.pointers, &b->type.pointers);
}

/* The kinds of all members: number k of each, then number k + 1. */
typedef struct kinds {
    int n;
    bosc_synapse_spec *kind;
    int **number; /* [jobs][its synapses] where they are among these */
} kinds;

static void add_kind(const bosc_mechs *mechs, kinds *all,
                     bosc_synapse_spec *own, int *number)
{
    int like = 0;

    for (int i = 0; i < all->n; ++i) {
        if (same_kind(mechs, &all->kind[i], own)) {
            *number = i;
            return;
        }
        like += strcmp(all->kind[i].name, own->name) == 0;
    }
    *number = all->n;
    all->kind[all->n] = *own;
    all->kind[all->n++].like = like;
    own->name = NULL; /* it is theirs now */
    own->type.p = NULL;
    own->type.pointers = (bosc_pointers){0};
}

static void kinds_clear(int n, kinds *all)
{
    for (int j = 0; all->number != NULL && j < n; ++j)
        free(all->number[j]);
    free(all->number);
}

static bosc_status share_kinds(int n, bosc_job **own, kinds *all,
                               bosc_error *err)
{
    int most = 0, sum = 0;

    all->number = bosc_alloc((size_t)n, sizeof *all->number);
    for (int j = 0; all->number != NULL && j < n; ++j) {
        const int mine = own[j]->network.n_synapses;

        sum += mine;
        most = mine > most ? mine : most;
        all->number[j] = bosc_alloc((size_t)mine, sizeof *all->number[j]);
        if (all->number[j] == NULL)
            return bosc_no_memory(err, "the synapses of a sweep");
    }
    all->kind = bosc_alloc((size_t)sum, sizeof *all->kind);
    if (all->number == NULL || all->kind == NULL)
        return bosc_no_memory(err, "the synapses of a sweep");
    for (int k = 0; k < most; ++k)
        for (int j = 0; j < n; ++j)
            if (k < own[j]->network.n_synapses)
                add_kind(own[j]->mechs, all, &own[j]->network.synapses[k],
                         &all->number[j][k]);
    return BOSC_OK;
}

/* --- entries ------------------------------------------------------------- */

/* Entries of job j are about what precedes them in the whole job. */
static void renumber(bosc_job *job, int j, const int first[N_LISTS],
                     const int *synapse)
{
    for (int p = 0; p < job->n_populations; ++p) {
        job->populations[p].member = j;
        if (job->populations[p].is_artificial)
            job->populations[p].kind = synapse[job->populations[p].kind];
    }
    for (int i = 0; i < bosc_points_n(&job->points); ++i)
        bosc_points_at(&job->points, i)->neurons.of_member = j + 1;
    for (int k = 0; k < bosc_network_n_links(&job->network); ++k) {
        bosc_projection_spec *link = bosc_network_link(&job->network, k);

        link->to_index += first[POPULATIONS];
        if (link->from_index < 0)
            link->from_index -= first[SOURCES];
        else
            link->from_index += first[POPULATIONS];
        if (k < job->network.n_projections)
            link->synapse_index = synapse[link->synapse_index];
        for (int i = 0; i < link->params.n_kinds; ++i)
            link->params.kinds[i] = synapse[link->params.kinds[i]];
    }
}

/* Room for the entries of all jobs in the first. */
static bosc_status make_room(int n, bosc_job **own, const list *l,
                             bosc_error *err)
{
    size_t sum = 0;

    for (int j = 0; j < n; ++j)
        sum += (size_t)*count_of(own[j], l);

    char *all = bosc_alloc(sum, l->size), *mine = entries_of(own[0], l);

    if (all == NULL)
        return bosc_no_memory(err, "the members of the sweep");
    if (*count_of(own[0], l) > 0)
        memcpy(all, mine, (size_t)*count_of(own[0], l) * l->size);
    free(mine);
    memcpy((char *)own[0] + l->entries, &all, sizeof all);
    return BOSC_OK;
}

/* Give the entries of a job to another one, which has room for them. */
static void move_entries(bosc_job *to, bosc_job *from, const list *l)
{
    const size_t n = (size_t)*count_of(from, l);

    if (n > 0)
        memcpy(entries_of(to, l) + (size_t)*count_of(to, l) * l->size,
               entries_of(from, l), n * l->size);
    *count_of(to, l) += (int)n;
    *count_of(from, l) = 0;
}

/* Those that are not there yet. */
static bosc_status add_notes(bosc_warnings *to, const bosc_warnings *from,
                             bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; st == BOSC_OK && i < from->n; ++i) {
        bool known = false;

        for (int k = 0; k < to->n && !known; ++k)
            known = strcmp(to->text[k], from->text[i]) == 0;
        if (!known)
            st = bosc_warn(to, err, "%s", from->text[i]);
    }
    return st;
}

bosc_status bosc_sweep_join(int n, bosc_job **own, bosc_job **out,
                            bosc_error *err)
{
    bosc_job *all = own[0];
    kinds shared = {0};
    bosc_status st = share_kinds(n, own, &shared, err);

    for (int i = 0; st == BOSC_OK && i < N_LISTS; ++i)
        st = make_room(n, own, &lists[i], err);
    for (int j = 0; st == BOSC_OK && j < n; ++j) {
        int first[N_LISTS] = {0};

        for (int i = 0; j > 0 && i < N_LISTS; ++i)
            first[i] = *count_of(all, &lists[i]);
        renumber(own[j], j, first, shared.number[j]);
        for (int i = 0; j > 0 && i < N_LISTS; ++i)
            move_entries(all, own[j], &lists[i]);
        if (j > 0)
            st = add_notes(&all->notes, &own[j]->notes, err);
        if (j > 0 && st == BOSC_OK)
            st = add_notes(&all->models, &own[j]->models, err);
    }
    /* the first job has the shared kinds, or, after a failure, each its own */
    if (st == BOSC_OK) {
        for (int k = 0; k < all->network.n_synapses; ++k) {
            free(all->network.synapses[k].name);
            free(all->network.synapses[k].type.p);
            bosc_pointers_clear(&all->network.synapses[k].type.pointers);
        }
        free(all->network.synapses);
        all->network.synapses = shared.kind;
        all->network.n_synapses = shared.n;
    } else {
        for (int k = 0; k < shared.n; ++k) {
            free(shared.kind[k].name);
            free(shared.kind[k].type.p);
            bosc_pointers_clear(&shared.kind[k].type.pointers);
        }
        free(shared.kind);
    }
    kinds_clear(n, &shared);
    for (int j = st == BOSC_OK; j < n; ++j)
        bosc_job_destroy(own[j]);
    if (st == BOSC_OK)
        *out = all;
    return st;
}
