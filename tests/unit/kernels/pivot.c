/* pivot.c - elimination without divisions on its way, against quadruple
 * precision: random trees whose numbers are decades apart, and what is beyond
 * the range of numbers.
 */
#include <math.h>
#include <string.h>

#include "kernels/hines/pivot.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

enum { MAX = 300, TREES = 4000 };

/* A system, with u <= 0, d >= 0 and b >= 0, and its solution. */
typedef struct problem {
    int32_t n, parent[MAX];
    double u[MAX], d[MAX], b[MAX];
    double r[MAX], v[MAX];
} problem;

/* From 10^-decades to 10^decades. */
static double log_uniform(uint64_t *seed, double decades)
{
    return pow(10, decades * (2 * forest_uniform(seed) - 1));
}

/* branch: the share of rows whose parent is not the row before. */
static void draw(problem *p, uint64_t *seed, double decades, double branch)
{
    p->n = 1 + (int32_t)(MAX * forest_uniform(seed));
    for (int32_t i = 0; i < p->n; ++i) {
        const bool branches = i > 1 && forest_uniform(seed) < branch;

        /* Depth-first: a branch begins in an ancestor of the row before. */
        p->parent[i] = i - 1;
        for (int32_t k = 0; branches && k < 1 + i % 5 && p->parent[i] > 0; ++k)
            p->parent[i] = p->parent[p->parent[i]];
        p->u[i] = i == 0 ? 0 : -log_uniform(seed, decades);
        p->d[i] = forest_uniform(seed) < 0.2 && i > 0
                      ? 0
                      : log_uniform(seed, decades);
        p->b[i] = forest_uniform(seed);
    }
}

/* As an engine does it that brings den near 1 in every so many rows. */
static void solve(problem *p, int32_t every)
{
    double d[MAX], w[MAX] = {0}, f[MAX], b[MAX];
    bosc_pivot next = bosc_pivot_none();

    memcpy(d, p->d, sizeof d);
    memcpy(b, p->b, sizeof b);
    for (int32_t i = p->n - 1; i >= 0; --i) {
        const int32_t up = p->parent[i];

        bosc_pivot_row(d[i], p->u[i], b[i], &next);
        p->r[i] = next.below * next.inverse;
        f[i] = next.f;
        w[i] = next.w;
        if (up == i - 1) {
            if (i % every == 0)
                bosc_pivot_rescale(&next);
            continue;
        }
        d[up] += next.num * next.inverse;
        b[up] -= next.f * next.b;
        bosc_pivot_leave(&next);
    }
    p->v[0] = w[0] * BOSC_PIVOT_CHECK(next.den);
    for (int32_t i = 1; i < p->n; ++i)
        p->v[i] = bosc_substitute(f[i], w[i], p->v[p->parent[i]]);
}

/* Greatest relative errors. */
typedef struct errors {
    double r, v;
} errors;

static double relative(double x, __float128 exact)
{
    const double e = (double)((x - exact) / exact);

    return isnan(e) ? INFINITY : fabs(e);
}

static void look(const problem *p, errors *worst)
{
    __float128 d[MAX], b[MAX], r[MAX], v[MAX];

    for (int32_t i = 0; i < p->n; ++i) {
        d[i] = p->d[i];
        b[i] = p->b[i];
    }
    for (int32_t i = p->n - 1; i >= 0; --i) {
        r[i] = 1 / (d[i] - p->u[i]);
        if (i == 0)
            break;
        d[p->parent[i]] -= p->u[i] * r[i] * d[i];
        b[p->parent[i]] -= p->u[i] * r[i] * b[i];
    }
    for (int32_t i = 0; i < p->n; ++i) {
        v[i] = r[i] * b[i] - (i > 0 ? p->u[i] * r[i] * v[p->parent[i]] : 0);
        worst->r = fmax(worst->r, relative(p->r[i], r[i]));
        worst->v = fmax(worst->v, relative(p->v[i], v[i]));
    }
}

static void test_accuracy(double decades, double branch)
{
    static problem p, again;
    uint64_t seed = 11;
    errors worst = {0};
    bool same = true;

    for (int t = 0; t < TREES; ++t) {
        draw(&p, &seed, decades, branch);
        solve(&p, BOSC_PIVOT_ROWS);
        look(&p, &worst);
        again = p;
        solve(&again, 1);
        same = same && memcmp(&p, &again, sizeof p) == 0;
    }
    ok(worst.r < 2e-15 && worst.v < 4e-15,
       "%g of rows branch, numbers from 1e-%g to 1e%g: r within %.2g, v within "
       "%.2g",
       branch, decades, decades, worst.r, worst.v);
    ok(same, "the same bits with powers of two in every row");
}

/* A tip without membrane hands on what no child does. */
static void test_tip(void)
{
    bosc_pivot tip = bosc_pivot_none();

    bosc_pivot_row(0, -0.3, 0, &tip);
    ok(tip.num == 0 && tip.den == 1 && tip.w == 0 && fabs(tip.f + 1) < 1e-15,
       "a tip without membrane hands on nothing, and has its parent's voltage");
}

/* No row of a chain may be silently wrong where one d is beyond the range. */
static void test_beyond(void)
{
    problem p = {.n = 40};
    int wrong = 0;

    for (int32_t i = 0; i < p.n; ++i) {
        p.parent[i] = i - 1;
        p.u[i] = i == 0 ? 0 : -1;
    }
    for (int32_t at = 0; at < p.n; ++at)
        for (int e = 60; e <= 300; e += 20) {
            errors worst = {0};
            bool finite = true;

            for (int32_t i = 0; i < p.n; ++i)
                p.d[i] = p.b[i] = i == at || i + 1 == at ? pow(10, e) : 0.1;
            solve(&p, BOSC_PIVOT_ROWS);
            for (int32_t i = 0; i < p.n; ++i)
                finite = finite && isfinite(p.v[i]);
            look(&p, &worst);
            wrong += finite && worst.v > 1e-13;
        }
    ok(wrong == 0,
       "conductances to 1e300: right, or not finite; %d runs are wrong", wrong);
}

int main(void)
{
    test_accuracy(7, 0);
    test_accuracy(7, 0.1);
    test_accuracy(30, 0);
    test_accuracy(30, 0.1);
    test_tip();
    test_beyond();
    return done_testing();
}
