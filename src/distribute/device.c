#include "src/distribute/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"

/* What a rank sends to rank 0; its GPUs follow. */
typedef struct sight {
    char node[64];
    int32_t local, n;
    char why[400]; /* it sees none */
} sight;

/* The message of this rank, new, and its size. */
static bosc_status make_message(const bosc_comm *node, bosc_gpu_lister *list,
                                char **message, size_t *bytes, bosc_error *err)
{
    sight s = {.local = node->rank};
    bosc_gpu *gpus = NULL;
    bosc_error why = {""};
    const bosc_status st = list(&gpus, &s.n, &why);

    if (st != BOSC_OK)
        s.n = 0;
    snprintf(s.node, sizeof s.node, "%s", node->host);
    snprintf(s.why, sizeof s.why, "%.399s", why.text);
    *bytes = sizeof s + (size_t)s.n * sizeof *gpus;
    *message = bosc_alloc(*bytes, 1);
    if (*message == NULL || (st != BOSC_OK && st != BOSC_ENOSUP)) {
        free(gpus);
        return bosc_no_memory(err, "the list of GPUs");
    }
    memcpy(*message, &s, sizeof s);
    if (s.n > 0)
        memcpy(*message + sizeof s, gpus, (size_t)s.n * sizeof *gpus);
    free(gpus);
    return BOSC_OK;
}

/* Rank 0 while it decides. */
typedef struct council {
    int ranks;
    const char *block;    /* messages */
    const size_t *offset; /* [ranks + 1] */
    bosc_view *views;     /* [ranks] */
    bosc_uuid *uuids;     /* of all views */
    int32_t *number;      /* [ranks] */
} council;

static const sight *sight_of(const council *c, int r)
{
    return (const sight *)(c->block + c->offset[r]);
}

static const bosc_gpu *gpus_of(const council *c, int r)
{
    return (const bosc_gpu *)(sight_of(c, r) + 1);
}

static bosc_status make_views(council *c, bosc_error *err)
{
    size_t n = 0, at = 0;

    for (int r = 0; r < c->ranks; ++r)
        n += (size_t)sight_of(c, r)->n;
    if (!BOSC_ARRAYS(BOSC_ARRAY(c->views, c->ranks),
                     BOSC_ARRAY(c->number, c->ranks), BOSC_ARRAY(c->uuids, n)))
        return bosc_no_memory(err, "the list of GPUs");
    for (int r = 0; r < c->ranks; ++r) {
        const sight *s = sight_of(c, r);

        c->views[r] = (bosc_view){.node = s->node,
                                  .local = s->local,
                                  .n = s->n,
                                  .uuid = c->uuids + at,
                                  .why = s->why[0] != '\0' ? s->why : NULL};
        for (int32_t k = 0; k < s->n; ++k)
            memcpy(c->uuids[at++].text, gpus_of(c, r)[k].uuid, BOSC_UUID_SIZE);
    }
    return BOSC_OK;
}

static int by_uuid(const void *a, const void *b)
{
    const bosc_device *const *x = a, *const *y = b;

    return strcmp((*x)->gpu.uuid, (*y)->gpu.uuid);
}

static bosc_status count_sharing(int ranks, bosc_device *all, bosc_error *err)
{
    bosc_device **sorted = bosc_alloc((size_t)ranks, sizeof *sorted);

    if (sorted == NULL)
        return bosc_no_memory(err, "the list of GPUs");
    for (int r = 0; r < ranks; ++r)
        sorted[r] = &all[r];
    qsort(sorted, (size_t)ranks, sizeof *sorted, by_uuid);
    for (int r = 0, end; r < ranks; r = end) {
        for (end = r + 1;
             end < ranks && by_uuid(&sorted[r], &sorted[end]) == 0;)
            ++end;
        for (int k = r; k < end && sorted[k]->gpu.number >= 0; ++k)
            sorted[k]->sharing = end - r;
    }
    free(sorted);
    return BOSC_OK;
}

/* At rank 0: who gets what. */
static bosc_status decide(council *c, bosc_gpu_rule rule, bosc_device *all,
                          bosc_error *err)
{
    bosc_status st = make_views(c, err);

    if (st == BOSC_OK)
        st = bosc_gpu_assign(c->ranks, c->views, rule, c->number, err);
    for (int r = 0; r < c->ranks && st == BOSC_OK; ++r) {
        const sight *s = sight_of(c, r);

        memcpy(all[r].node, s->node, sizeof s->node);
        all[r].local = s->local;
        all[r].gpu = c->number[r] < 0 ? (bosc_gpu){.number = -1}
                                      : gpus_of(c, r)[c->number[r]];
    }
    if (st == BOSC_OK)
        st = count_sharing(c->ranks, all, err);
    free(c->views);
    free(c->uuids);
    free(c->number);
    return st;
}

bosc_status bosc_device_rule(bool share, bool mix, bosc_gpu_rule *rule,
                             bosc_error *err)
{
    *rule = share ? BOSC_GPU_SHARE : mix ? BOSC_GPU_MIX : BOSC_GPU_OWN;
    return share && mix
               ? bosc_fail(err, BOSC_EUSAGE,
                           "--share and --mix: ranks without a GPU of their "
                           "own either share one or compute on CPUs; give one "
                           "of the two")
               : BOSC_OK;
}

bosc_status bosc_device_find(const bosc_comm *comm, bosc_gpu_lister *list,
                             bosc_gpu_rule rule, bosc_device **all,
                             bosc_error *err)
{
    const int ranks = comm->ranks;
    bosc_comm *node = NULL;
    char *message = NULL;
    size_t bytes = 0, *offset = NULL;
    void *block = NULL;
    bosc_device *made = bosc_alloc((size_t)ranks, sizeof *made);
    bosc_status st = bosc_comm_node(comm, &node, err);

    if (st == BOSC_OK)
        st = make_message(node, list, &message, &bytes, err);
    if (st == BOSC_OK && made == NULL)
        st = bosc_no_memory(err, "the list of GPUs");
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_gather(comm, message, bytes, &block, &offset, err);
    if (st == BOSC_OK) {
        council c = {.ranks = ranks, .block = block, .offset = offset};

        if (comm->rank == 0)
            st = decide(&c, rule, made, err);
        st = bosc_agree(comm, st, err);
    }
    if (st == BOSC_OK) {
        bosc_bcast(comm, made, (size_t)ranks * sizeof *made, 0);
        *all = made;
        made = NULL;
    }
    bosc_comm_destroy(node);
    free(message);
    free(block);
    free(offset);
    free(made);
    return st;
}

static void print_tsv(FILE *file, int ranks, const bosc_device *all)
{
    fputs("rank\tnode\tlocal_rank\tgpu\tuuid\tname\tmemory_bytes\tsharing\n",
          file);
    for (int r = 0; r < ranks; ++r) {
        const bosc_device *d = &all[r];

        fprintf(file, "%d\t%s\t%d\t%d\t%s\t%s\t%" PRId64 "\t%d\n", r, d->node,
                d->local, d->gpu.number, d->gpu.uuid, d->gpu.name,
                d->gpu.memory, d->sharing);
    }
}

static bool same_kind(const bosc_gpu *a, const bosc_gpu *b)
{
    return strcmp(a->name, b->name) == 0 && a->memory == b->memory;
}

/* Name and memory are above the ranks that have GPUs of a kind. */
static void print_table(FILE *file, int ranks, const bosc_device *all)
{
    int node = 4;

    for (int r = 0; r < ranks; ++r) {
        const int n = (int)strlen(all[r].node);

        node = n > node ? n : node;
    }
    fprintf(file, "%6s  %-*s  GPU  ranks on it  UUID\n", "rank", node, "node");
    for (int r = 0; r < ranks; ++r) {
        const bosc_device *d = &all[r];

        if (r == 0 || !same_kind(&d->gpu, &all[r - 1].gpu)) {
            if (d->gpu.number >= 0)
                fprintf(file, "%s, %.1f GB:\n", d->gpu.name,
                        1e-9 * (double)d->gpu.memory);
            else
                fputs("CPUs:\n", file);
        }
        if (d->gpu.number < 0) {
            fprintf(file, "%6d  %-*s    -            -  -\n", r, node, d->node);
            continue;
        }
        fprintf(file, "%6d  %-*s  %3d  %11d  %s\n", r, node, d->node,
                d->gpu.number, d->sharing, d->gpu.uuid);
    }
}

void bosc_device_print(FILE *file, int ranks, const bosc_device *all, bool tsv)
{
    if (tsv)
        print_tsv(file, ranks, all);
    else
        print_table(file, ranks, all);
}
