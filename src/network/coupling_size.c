#include "src/network/coupling_size.h"

#include <math.h>

/* Different ones among 'cells' that n draws meet. */
static double different(double cells, double n)
{
    return cells > 0 ? cells * -expm1(-n / cells) : 0;
}

/* The compartments of n targets that are coupled to any of the sources. */
static double target_places(const bosc_expected *e, double places, double n,
                            double sources)
{
    return places > 1
               ? different(n * places, n * e->indegree * sources / e->sources)
               : n * bosc_expected_receivers(e, sources);
}

/* A pair of compartments that is drawn twice is one entry: entries of an end.
 */
static double entries_of(const bosc_expected *e, double places)
{
    return e->kind == BOSC_DRAWN
               ? different(e->sources * places, e->indegree) / e->indegree
               : 1;
}

/* The longest of some rows that share the entries: the mean where
 * they are all alike, else about where one row is expected to be as long. */
static double longest(double rows, double columns, double entries, bool alike)
{
    const double mean = rows > 0 ? entries / rows : 0;
    const double far = rows > 3 && !alike ? sqrt(2 * log(rows / 3)) : 0;
    const double variance = mean * (1 - fmin(1, mean / columns));

    return fmin(columns, mean + far * sqrt(variance) + far * far / 6);
}

/* One coupling, and its ends on the rank. */
typedef struct local_coupling {
    const bosc_coupling_spec *spec;
    const bosc_expected *e;
    double places, targets, sources;
} local_coupling;

static bool is_gap(const local_coupling *at)
{
    return at->spec->type == BOSC_COUPLING_GAP;
}

/* Are the compartments of sources those of targets? */
static bool one_place(const local_coupling *at)
{
    const bosc_projection_spec *link = &at->spec->link;

    return link->from_index == link->to_index &&
           link->at.kind == BOSC_TARGET_PLACE &&
           link->at.place.kind == link->source_at.kind;
}

/* Targets receive current from sources. */
static void add_targets(const local_coupling *at, bosc_coupling_size *s)
{
    const bool alike =
        at->e->alike && (at->e->kind != BOSC_DRAWN || at->places == 1);
    bosc_spmv_size *m = &s->matrix;

    m->rows = target_places(at->e, at->places, at->targets, at->e->sources);
    m->columns = at->e->sources * bosc_expected_senders(at->e, at->targets);
    m->entries = s->pairs * entries_of(at->e, at->places);
    m->width = longest(m->rows, m->columns, m->entries, alike);
}

/* So do sources from targets; a compartment that is both has a longer row. */
static void add_sources(const local_coupling *at, bosc_coupling_size *s)
{
    const bosc_expected *e = at->e;
    const bool alike = e->alike && e->kind != BOSC_DRAWN;
    const double rows = at->sources * bosc_expected_senders(e, e->targets);
    const double columns =
        target_places(e, at->places, e->targets, at->sources);
    const double entries = s->outgoing * entries_of(e, at->places);
    const bool joined = one_place(at) && at->sources > 0;
    bosc_spmv_size *m = &s->matrix;

    m->rows += rows - (joined ? m->rows * rows / at->sources : 0);
    m->columns += columns;
    m->entries += entries;
    m->width = joined ? longest(m->rows, m->columns, m->entries, alike)
                      : fmax(m->width, longest(rows, columns, entries, alike));
}

/* What other ranks need.  Rings and pairs are kept together
 * (coupling_clusters.h). */
static void add_messages(const local_coupling *at, bosc_coupling_size *s)
{
    const bosc_expected *e = at->e;
    const double from_remote = e->sources - at->sources;
    const double onto_remote = e->targets - at->targets;
    const double sends = bosc_expected_senders(e, onto_remote);

    if (e->kind == BOSC_PAIRED)
        return;
    s->remote = at->sources * bosc_expected_outdegree(e, onto_remote);
    s->endpoints = at->sources * sends;
    s->received = e->sources * sends;
    if (!is_gap(at))
        return;
    s->remote += s->pairs * from_remote / e->sources;
    s->endpoints += target_places(e, at->places, at->targets, from_remote);
    s->received += target_places(e, at->places, e->targets, from_remote);
}

bosc_coupling_size bosc_coupling_expect(const bosc_coupling_share *share,
                                        int coupling)
{
    const bosc_coupling_spec *spec = &share->job->network.couplings[coupling];
    const bosc_expected *e = &share->links[coupling];
    const local_coupling at = {.spec = spec,
                               .e = e,
                               .places = share->places[coupling],
                               .targets = share->here[spec->link.to_index],
                               .sources = share->here[spec->link.from_index]};
    bosc_coupling_size s = {.format = spec->format};

    if (e->indegree <= 0)
        return s;
    s.pairs = at.targets * e->indegree;
    s.outgoing = at.sources * bosc_expected_outdegree(e, e->targets);
    s.ends = s.pairs + (is_gap(&at) ? s.outgoing : 0);
    add_targets(&at, &s);
    if (is_gap(&at))
        add_sources(&at, &s);
    add_messages(&at, &s);
    if (s.format == BOSC_SPMV_AUTO)
        s.format = spec->chosen;
    if (s.format == BOSC_SPMV_AUTO)
        s.format = bosc_spmv_usual(&s.matrix);
    return s;
}
