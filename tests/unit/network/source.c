/* Sources of events: exact steps without noise, the right distributions with
 * it, and the same spikes whoever listens and whenever they are asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/network/source.h"
#include "tests/lib/tap.h"

enum { MAX_SPECS = 3 };

/* A regular train with these; poisson and file below. */
#define REGULAR(NAME, COUNT, START, STOP, NUMBER, INTERVAL, NOISE)             \
    {                                                                          \
        .line = 7, .name = NAME, .type = BOSC_SOURCE_REGULAR, .count = COUNT,  \
        .start = START, .stop = STOP, .number = NUMBER, .interval = INTERVAL,  \
        .noise = NOISE                                                         \
    }
#define POISSON(NAME, COUNT, START, STOP, RATE)                                \
    {                                                                          \
        .line = 8, .name = NAME, .type = BOSC_SOURCE_POISSON, .count = COUNT,  \
        .start = START, .stop = STOP, .rate = RATE                             \
    }

/* A job with sources, and who listens to them. */
typedef struct scene {
    bosc_job job;
    bosc_batch batch; /* of nothing */
    int64_t first_id[MAX_SPECS + 1];
    bosc_connection_table *connection_table;
    bosc_sources *sources;
    bosc_error err;
} scene;

/* All spikes by (source, step). */
typedef struct spikes {
    bool failed;
    size_t n, capacity;
    bosc_spike *spike;
} spikes;

/* Only every 'nth' source is listened to, from the first on. */
static bool set_up(scene *s, int n, bosc_source_spec *specs, double dt,
                   int64_t n_steps, int nth)
{
    const bosc_connection connection = {0, 40, 1};

    memset(s, 0, sizeof *s);
    s->job = (bosc_job){.path = "job.yaml",
                        .dt = dt,
                        .n_steps = n_steps,
                        .seed = 11,
                        .network.n_sources = n,
                        .network.sources = specs};
    s->first_id[0] = 5; /* neurons have 0 to 4 */
    for (int k = 0; k < n; ++k)
        s->first_id[k + 1] = s->first_id[k] + specs[k].count;

    const int64_t end = s->first_id[n];

    if (bosc_connection_table_create(&s->batch, end, &s->connection_table,
                                     &s->err) != BOSC_OK)
        return false;
    for (int64_t id = s->first_id[0]; id < end; id += nth)
        bosc_connection_table_count(s->connection_table, id);
    if (bosc_connection_table_reserve(s->connection_table, &s->err) != BOSC_OK)
        return false;
    for (int64_t id = s->first_id[0]; id < end; id += nth)
        bosc_connection_table_add(s->connection_table, id, &connection);
    return bosc_connection_table_seal(s->connection_table, &s->err) ==
               BOSC_OK &&
           bosc_sources_create(&s->job, s->first_id, s->connection_table,
                               &s->sources, &s->err) == BOSC_OK;
}

static void tear_down(scene *s)
{
    bosc_sources_destroy(s->sources);
    bosc_connection_table_destroy(s->connection_table);
}

static int by_source(const void *a, const void *b)
{
    const bosc_spike *x = a, *y = b;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return bosc_spike_compare(x, y);
}

/* Emit up to 'end' in epochs of 'epoch' steps; false for a spike that is not of
 * its epoch. */
static bool collect(scene *s, int64_t end, int64_t epoch, spikes *all)
{
    bool fine = true;

    for (int64_t from = 0; from < end; from += epoch) {
        const bosc_spike *some = NULL;
        size_t n = 0;

        fine = fine && bosc_sources_emit(s->sources, from + epoch, &some, &n,
                                         &s->err) == BOSC_OK;
        fine = fine && bosc_grow(&all->spike, &all->capacity, all->n + n,
                                 sizeof *all->spike);
        for (size_t i = 0; fine && i < n; ++i) {
            const int64_t step = bosc_spike_step(&some[i]);

            fine = step >= from && step < from + epoch;
            all->spike[all->n++] = some[i];
        }
    }
    if (all->n > 1)
        qsort(all->spike, all->n, sizeof *all->spike, by_source);
    return fine;
}

/* The spikes of a job. */
static spikes run(int n, bosc_source_spec *specs, double dt, int64_t n_steps,
                  int64_t epoch)
{
    scene s;
    spikes all = {0};

    all.failed = !set_up(&s, n, specs, dt, n_steps, 1) ||
                 !collect(&s, n_steps, epoch, &all);
    tear_down(&s);
    return all;
}

/* --- exact steps --------------------------------------------------------- */

static const struct {
    const char *name, *want; /* steps */
    bosc_source_spec spec;
} exact[] = {
    {"a regular train has its number of events", "200 600 1000",
     REGULAR("a", 1, 5, INFINITY, 3, 10, 0)},
    {"a train may start at 0", "0 100 200",
     REGULAR("a", 1, 0, INFINITY, 3, 2.5, 0)},
    {"an event just before a middle falls on that step", "0",
     REGULAR("a", 1, 0.0124, INFINITY, 1, 1, 0)},
    {"an event just behind a middle falls on the next step", "1 3",
     REGULAR("a", 1, 0.0126, INFINITY, 2, 0.05, 0)},
    {"a train ends before its stop", "200 600",
     REGULAR("a", 1, 5, 25, 9, 10, 0)},
    {"a train ends with the job", "1200 1600",
     REGULAR("a", 1, 30, INFINITY, INT64_MAX, 10, 0)},
    {"several events may fall on a step", "0 0 0 1 1",
     REGULAR("a", 1, 0, INFINITY, 5, 0.005, 0)},
    {"a number of 0 is silence", "", REGULAR("a", 1, 5, INFINITY, 0, 10, 0)},
    {"a start behind the end is silence", "",
     REGULAR("a", 1, 51, INFINITY, 5, 10, 1)},
    {"a start beyond all integers is silence", "",
     REGULAR("a", 1, 1e300, INFINITY, 5, 10, 1)},
    {"an interval beyond all integers ends a train", "200",
     REGULAR("a", 1, 5, INFINITY, INT64_MAX, 1e308, 0)},
    {"a stop before the start is silence", "", POISSON("a", 1, 5, 4, 100)},
    {"a rate of 0 is silence", "", POISSON("a", 1, 0, INFINITY, 0)},
    {"the smallest rate is silence", "",
     POISSON("a", 1, 0, INFINITY, 4.9e-324)},
};

static void test_exact(void)
{
    for (size_t i = 0; i < BOSC_LEN(exact); ++i) {
        bosc_source_spec spec = exact[i].spec;
        const spikes all = run(1, &spec, 0.025, 2000, 33);
        char text[100] = "";
        size_t at = 0;

        for (size_t k = 0; k < all.n && at < sizeof text; ++k)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%lld",
                                   k > 0 ? " " : "",
                                   (long long)bosc_spike_step(&all.spike[k]));
        if (!ok(!all.failed && strcmp(text, exact[i].want) == 0, "%s",
                exact[i].name))
            diag("steps %s, not %s", text, exact[i].want);
        free(all.spike);
    }
}

static const struct {
    const char *name, *want;
    bosc_source_spec spec;
} refused[] = {
    {"an interval of 0 is refused",
     "job.yaml:7: each source of 'a' has an event every 0 ms, over 1000 in a "
     "step of 0.025 ms; make the interval longer",
     REGULAR("a", 1, 0, INFINITY, 9, 0, 0.5)},
    {"a rate that would fill the memory is refused",
     "job.yaml:8: each source of 'b' has an event every 1e-09 ms, over 1000 in "
     "a step of 0.025 ms; make the rate lower",
     POISSON("b", 1, 0, INFINITY, 1e12)},
};

static void test_refused(void)
{
    for (size_t i = 0; i < BOSC_LEN(refused); ++i) {
        bosc_source_spec spec = refused[i].spec;
        scene s;

        ok(!set_up(&s, 1, &spec, 0.025, 2000, 1) &&
               strcmp(s.err.text, refused[i].want) == 0,
           "%s", refused[i].name);
        tear_down(&s);
    }
}

/* --- distributions ------------------------------------------------------- */

/* Moments of the intervals of one train with 'noise'; the bounds are five
 * standard errors of 20,000 draws. */
static void test_intervals(double noise)
{
    enum { NUMBER = 20000 };
    const double dt = 0.01, mean = 10, deviation = noise * mean;
    bosc_source_spec spec =
        REGULAR("noisy", 1, 0, INFINITY, NUMBER, mean, noise);
    const spikes all = run(1, &spec, dt, 100000000, 10000000);
    double sum = 0, squares = 0, least = INFINITY;
    int long_ones = 0;

    for (size_t i = 1; i < all.n; ++i) {
        const double interval = (double)(bosc_spike_step(&all.spike[i]) -
                                         bosc_spike_step(&all.spike[i - 1])) *
                                dt;

        sum += interval - mean;
        squares += (interval - mean) * (interval - mean);
        least = fmin(least, interval);
        long_ones += interval > mean;
    }
    ok(!all.failed && all.n == NUMBER, "noise %g: all %d events happen", noise,
       NUMBER);
    ok(fabs(sum / NUMBER) < 5 * deviation / sqrt(NUMBER),
       "noise %g: intervals are %g ms in the mean (%g more)", noise, mean,
       sum / NUMBER);
    ok(fabs(squares / NUMBER / (deviation * deviation) - 1) <
           5 * sqrt(8.0 / NUMBER),
       "noise %g: their variance is %g ms2 (%g times that)", noise,
       deviation * deviation, squares / NUMBER / (deviation * deviation));
    ok(fabs(long_ones / (double)NUMBER - exp(-1)) <
           5 * sqrt(exp(-1) * (1 - exp(-1)) / NUMBER),
       "noise %g: a share of 1/e is longer than the mean (%g)", noise,
       long_ones / (double)NUMBER);
    ok(least > (1 - noise) * mean - 2 * dt &&
           least < (1 - noise) * mean + 0.1 * deviation,
       "noise %g: the shortest are %g ms (%g)", noise, (1 - noise) * mean,
       least);
    free(all.spike);
}

/* Of many trains with noise. */
static void test_first_events(void)
{
    enum { COUNT = 4000 };
    bosc_source_spec spec = REGULAR("many", COUNT, 20, INFINITY, 1, 10, 0.5);
    const spikes all = run(1, &spec, 0.01, 100000, 100000);
    double sum = 0;

    for (size_t i = 0; i < all.n; ++i)
        sum += (double)bosc_spike_step(&all.spike[i]) * 0.01;
    ok(!all.failed && all.n == COUNT &&
           fabs(sum / COUNT - 25) < 5 * 5 / sqrt(COUNT),
       "first events come at start + noise * interval in the mean (%g of 25)",
       sum / COUNT);
    free(all.spike);
}

static void test_poisson(void)
{
    enum { COUNT = 100, MEAN = 1000 };
    bosc_source_spec spec = POISSON("poisson", COUNT, 100, 600, 20);
    const spikes all = run(1, &spec, 0.025, 40000, 40000);
    bool inside = !all.failed && all.n > 0;
    size_t early = 0;
    double squares = 0, each[COUNT] = {0};

    for (size_t i = 0; i < all.n; ++i) {
        inside = inside && bosc_spike_step(&all.spike[i]) >= 4000 &&
                 bosc_spike_step(&all.spike[i]) <= 24000;
        early += bosc_spike_step(&all.spike[i]) < 14000;
        ++each[all.spike[i].source - 5];
    }
    for (int k = 0; k < COUNT; ++k)
        squares += (each[k] - 10) * (each[k] - 10);
    ok(inside, "Poisson events come between start and stop");
    ok(fabs((double)all.n - MEAN) < 5 * sqrt(MEAN),
       "their number is the rate times the time (%zu of %d)", all.n, MEAN);
    ok(fabs((double)early - MEAN / 2) < 5 * sqrt(MEAN / 2),
       "half of them come in half of the time (%zu)", early);
    ok(fabs(squares / COUNT / 10 - 1) < 5 * sqrt(2.1 / COUNT),
       "the numbers of sources vary as their mean (Fano factor %g)",
       squares / COUNT / 10);
    free(all.spike);
}

/* --- the same for all ---------------------------------------------------- */

static bosc_source_spec mixed[MAX_SPECS] = {
    REGULAR("noisy", 20, 5, INFINITY, 1000, 2, 0.7),
    POISSON("poisson", 30, 0, 90, 300),
    REGULAR("clock", 10, 1, 50, 1000, 5, 0),
};

/* Is b what a has of sources 5, 5 + nth, ..., their ids less by 'shift'? */
static bool same(const spikes *a, const spikes *b, int nth, int64_t shift)
{
    size_t k = 0;

    for (size_t i = 0; i < a->n; ++i) {
        const bosc_spike *x = &a->spike[i];

        if (x->source < 5 + shift || (x->source - 5) % nth != 0)
            continue;
        if (k == b->n || b->spike[k].order != x->order ||
            b->spike[k].source != x->source - shift)
            return false;
        ++k;
    }
    return !a->failed && !b->failed && k > 0 && k == b->n;
}

static void test_subsets(void)
{
    const spikes whole = run(3, mixed, 0.025, 4000, 4000);
    static const int nth[] = {1, 2, 3, 7};
    static const int64_t epoch[] = {1, 7, 40, 1999};

    for (size_t i = 0; i < BOSC_LEN(nth); ++i) {
        scene s;
        spikes some = {0};

        ok(set_up(&s, 3, mixed, 0.025, 4000, nth[i]) &&
               collect(&s, 4000, epoch[i], &some) &&
               same(&whole, &some, nth[i], 0),
           "one of %d sources, %lld steps at a time: the same spikes", nth[i],
           (long long)epoch[i]);
        tear_down(&s);
        free(some.spike);
    }

    /* The specs behind the first one alone. */
    const spikes alone = run(2, mixed + 1, 0.025, 4000, 40);

    ok(same(&whole, &alone, 1, mixed[0].count),
       "sources do not depend on others before them");
    free(alone.spike);
    free(whole.spike);
}

/* Steps that two trains share, of those of the first. */
static double shared(const spikes *all, int64_t a, int64_t b)
{
    int n = 0, both = 0;

    for (size_t i = 0; i < all->n; ++i)
        for (size_t k = 0; all->spike[i].source == a && k < all->n; ++k)
            both += all->spike[k].source == b &&
                    bosc_spike_step(&all->spike[k]) ==
                        bosc_spike_step(&all->spike[i]);
    for (size_t i = 0; i < all->n; ++i)
        n += all->spike[i].source == a;
    return n > 0 ? both / (double)n : 1;
}

static void test_streams(void)
{
    bosc_source_spec two[] = {POISSON("a", 2, 0, INFINITY, 100),
                              POISSON("b", 1, 0, INFINITY, 100)};
    spikes all = run(2, two, 0.025, 40000, 40000);

    ok(shared(&all, 5, 6) < 0.2, "two sources have trains of their own");
    ok(shared(&all, 5, 7) < 0.2, "sources of two names have trains of their "
                                 "own");
    free(all.spike);

    scene s;
    spikes other = {0};

    all = run(1, two, 0.025, 40000, 40000);
    set_up(&s, 1, two, 0.025, 40000, 1);
    bosc_sources_destroy(s.sources);
    s.sources = NULL;
    for (int i = 0; i < s.job.network.n_sources; ++i)
        s.job.network.sources[i].seed += UINT64_C(1) << 32;
    ok(bosc_sources_create(&s.job, s.first_id, s.connection_table, &s.sources,
                           &s.err) == BOSC_OK &&
           collect(&s, 40000, 40000, &other) && !same(&all, &other, 1, 0),
       "every bit of the seed counts");
    tear_down(&s);
    free(all.spike);
    free(other.spike);
}

/* --- files --------------------------------------------------------------- */

static void test_files(void)
{
    static const struct {
        int64_t id;
        double time;
    } times[] = {{9, 7.5},  {5, 2.385}, {7, 2.385}, {5, 0},     {6, 1},
                 {9, -3.5}, {5, 49.99}, {5, 49.98}, {5, 1e300}, {9, 7.5}};
    const bosc_spike want[] = {
        bosc_spike_detected(0, 5),    bosc_spike_detected(95, 5),
        bosc_spike_detected(1999, 5), bosc_spike_detected(95, 7),
        bosc_spike_detected(0, 9),    bosc_spike_detected(300, 9),
        bosc_spike_detected(300, 9)};
    bosc_source_spec spec = {
        .name = "file", .type = BOSC_SOURCE_FILE, .count = 6};
    scene s;
    spikes all = {0};
    bool fine = set_up(&s, 1, &spec, 0.025, 2000, 2);

    for (size_t i = 0; fine && i < BOSC_LEN(times); ++i)
        fine = bosc_sources_add(s.sources, times[i].id, times[i].time,
                                &s.err) == BOSC_OK;
    if (fine)
        bosc_sources_seal(s.sources);
    ok(fine && collect(&s, 2000, 40, &all) && all.n == BOSC_LEN(want) &&
           memcmp(all.spike, want, sizeof want) == 0,
       "times from files come in their steps, in whatever order they were "
       "added");
    tear_down(&s);
    free(all.spike);
}

int main(void)
{
    test_exact();
    test_refused();
    test_intervals(1);
    test_intervals(0.5);
    test_first_events();
    test_poisson();
    test_subsets();
    test_streams();
    test_files();
    return done_testing();
}
