/* gpu_assign.c - ranks and devices are matched like any bipartite graph.
 *
 * Rank after rank takes a device that is free; if there is none, it asks those
 * who have one of its devices to take another (Kuhn's augmenting paths).  A
 * rank that gets none this way has found ranks that see fewer devices between
 * them than they are (Hall's theorem), which the message says.  To
 * share, every device is there several times.
 */
#include "partition/gpu_assign.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* What one rank sees, once more: of which device is it a sight? */
typedef struct sight {
    const char *text;
    int32_t at; /* in 'device' */
} sight;

typedef struct matching {
    int32_t ranks, n_devices;
    const bosc_view *views;
    int32_t *first;  /* [ranks + 1] of each rank in 'device' */
    int32_t *device; /* [first[ranks]] what it sees */
    int32_t places;  /* of each device */
    int32_t *taken;  /* [n_devices * places] rank, or -1 */
    int32_t *number; /* [ranks] */
    int32_t search;  /* counted from 1 */
    int32_t *asked;  /* [n_devices] in which search, the last time */
} matching;

static int by_text(const void *pa, const void *pb)
{
    const sight *a = pa, *b = pb;
    const int order = strcmp(a->text, b->text);

    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

/* Number the devices; equal UUIDs are one. */
static bosc_status name_devices(matching *m, bosc_error *err)
{
    const int32_t n = m->first[m->ranks];
    sight *sights;

    if (BOSC_ALLOC(err, "the list of GPUs", BOSC_ARRAY(sights, n),
                   BOSC_ARRAY(m->device, n)) != BOSC_OK) {
        free(sights);
        return BOSC_ENOMEM;
    }
    for (int32_t r = 0; r < m->ranks; ++r)
        for (int32_t k = m->first[r]; k < m->first[r + 1]; ++k)
            sights[k] = (sight){m->views[r].uuid[k - m->first[r]].text, k};
    if (n > 0)
        qsort(sights, (size_t)n, sizeof *sights, by_text);
    for (int32_t k = 0; k < n; ++k) {
        if (k == 0 || strcmp(sights[k - 1].text, sights[k].text) != 0)
            ++m->n_devices;
        m->device[sights[k].at] = m->n_devices - 1;
    }
    free(sights);
    return BOSC_OK;
}

static int32_t *taken_of(const matching *m, int32_t device)
{
    return &m->taken[(ptrdiff_t)device * m->places];
}

/* Places of a device that are taken; they are filled from the first on. */
static int32_t n_taken(const matching *m, int32_t device)
{
    int32_t n = 0;

    while (n < m->places && taken_of(m, device)[n] >= 0)
        ++n;
    return n;
}

/* Of what the rank sees, from its own number among the node's ranks on, the
 * device with the fewest ranks; false: all are full. */
static bool take_free(matching *m, int32_t rank)
{
    const bosc_view *view = &m->views[rank];
    int32_t best = -1, least = m->places;

    for (int32_t i = 0; i < view->n && least > 0; ++i) {
        const int32_t k = (view->local + i) % view->n;
        const int32_t n = n_taken(m, m->device[m->first[rank] + k]);

        if (n < least) {
            least = n;
            best = k;
        }
    }
    if (best < 0)
        return false;
    taken_of(m, m->device[m->first[rank] + best])[least] = rank;
    m->number[rank] = best;
    return true;
}

/* Take a device, if need be one that another rank can leave.  Every device is
 * asked once in a search, so this ends. */
static bool take(matching *m, int32_t rank)
{
    if (take_free(m, rank))
        return true;
    for (int32_t k = 0; k < m->views[rank].n; ++k) {
        const int32_t device = m->device[m->first[rank] + k];
        int32_t *taken = taken_of(m, device);

        if (m->asked[device] == m->search)
            continue;
        m->asked[device] = m->search;
        for (int32_t p = 0; p < m->places; ++p)
            if (take(m, taken[p])) {
                taken[p] = rank;
                m->number[rank] = k;
                return true;
            }
    }
    return false;
}

/* The first rank that gets no device, -1: all have one, or need none. */
static int32_t match(matching *m, bool all)
{
    for (int32_t k = 0; k < m->n_devices * m->places; ++k)
        m->taken[k] = -1;
    for (int32_t r = 0; r < m->ranks; ++r) {
        ++m->search;
        if (take(m, r))
            continue;
        if (all)
            return r;
        m->number[r] = -1;
    }
    return -1;
}

/* ---- refusals ---- */

static bosc_status see_none(const matching *m, bosc_gpu_rule rule,
                            bosc_error *err)
{
    for (int32_t r = 0; r < m->ranks; ++r) {
        const bosc_view *view = &m->views[r];

        if (view->n == 0 && (rule != BOSC_GPU_MIX || m->first[m->ranks] == 0))
            return bosc_fail(err, BOSC_ENOSUP, "rank %d on %s sees no GPU%s%s",
                             r, view->node, view->why != NULL ? ": " : "",
                             view->why != NULL ? view->why : "");
    }
    return BOSC_OK;
}

/* Does the rank see nothing but what was asked for? */
static bool is_among(const matching *m, int32_t rank)
{
    for (int32_t k = m->first[rank]; k < m->first[rank + 1]; ++k)
        if (m->asked[m->device[k]] != m->search)
            return false;
    return true;
}

static bosc_status refuse(const matching *m, int32_t rank, bosc_error *err)
{
    const bosc_view *view = &m->views[rank];
    int32_t n_ranks = 0, n_devices = 0;

    for (int32_t r = 0; r < m->ranks; ++r)
        n_ranks += is_among(m, r);
    for (int32_t d = 0; d < m->n_devices; ++d)
        n_devices += m->asked[d] == m->search;
    return bosc_fail(err, BOSC_EVALUE,
                     "rank %d on %s gets no GPU of its own: %d ranks see %d "
                     "GPU%s between them (%s%s); start no more than %d of "
                     "them, make more GPUs visible, let ranks share them with "
                     "--share, or let others compute on CPUs with --mix",
                     rank, view->node, n_ranks, n_devices,
                     n_devices == 1 ? "" : "s", view->uuid[0].text,
                     n_devices == 1 ? "" : ", ...", n_devices);
}

/* Room for what each search needs. */
static bosc_status get_places(matching *m, int32_t places, bosc_error *err)
{
    free(m->taken);
    m->places = places;
    return BOSC_ALLOC(
        err, "the ranks of GPUs",
        BOSC_ARRAY(m->taken, (size_t)m->n_devices * (size_t)places));
}

static bosc_status find_all(matching *m, bosc_gpu_rule rule, bosc_error *err)
{
    bosc_status st = see_none(m, rule, err);
    int32_t places = 0, without = 0;

    if (st == BOSC_OK)
        st = name_devices(m, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the ranks of GPUs",
                        BOSC_ARRAY(m->asked, m->n_devices));
    if (st != BOSC_OK)
        return st;
    do {
        if ((st = get_places(m, ++places, err)) != BOSC_OK)
            return st;
        without = match(m, rule != BOSC_GPU_MIX);
    } while (without >= 0 && rule == BOSC_GPU_SHARE);
    return without < 0 ? BOSC_OK : refuse(m, without, err);
}

bosc_status bosc_gpu_assign(int32_t ranks, const bosc_view *views,
                            bosc_gpu_rule rule, int32_t *number,
                            bosc_error *err)
{
    matching m = {.ranks = ranks, .views = views, .number = number};
    bosc_status st;

    m.first = bosc_alloc((size_t)ranks + 1, sizeof *m.first);
    if (m.first == NULL)
        return bosc_no_memory(err, "the list of GPUs");
    for (int32_t r = 0; r < ranks; ++r)
        m.first[r + 1] = m.first[r] + views[r].n;
    st = find_all(&m, rule, err);
    free(m.first);
    free(m.device);
    free(m.taken);
    free(m.asked);
    return st;
}
