/* contour.h, term by term as Import3d adds them up. */
#include "src/morphology/read/contour.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/search.h"

static const double PI = 3.14159265358979323846;
static const double epsilon = 1e-11; /* of comparisons in hoc */

enum { N = 101 };

/* Points at equal distances along an outline. */
typedef struct outline {
    double x[3][N];
} outline;

/* Vector.interpolate(): y at 'x' of a line through (xs, ys), constant beyond
 * its ends; points of no new xs are left out. */
static void interpolate(int32_t n, const double *x, double *y, int32_t m,
                        const double *xs, const double *ys)
{
    int32_t i = 0;

    while (i < n && x[i] <= xs[0])
        y[i++] = ys[0];
    for (int32_t k = 1; k < m && i < n; ++k) {
        if (xs[k] <= xs[k - 1])
            continue;
        for (; i < n && x[i] <= xs[k]; ++i) {
            const double t = (x[i] - xs[k - 1]) / (xs[k] - xs[k - 1]);

            y[i] = (1. - t) * ys[k - 1] + t * ys[k];
        }
    }
    while (i < n)
        y[i++] = ys[m - 1];
}

static double mean(const double *x)
{
    double sum = 0;

    for (int i = 0; i < N; ++i)
        sum += x[i];
    return sum / N;
}

/* contourcenter() */
static bosc_status resample(const bosc_draft_point *points,
                            const bosc_contour *c, const bosc_mending *m,
                            outline *out)
{
    const bosc_draft_point *p = points + c->first;
    double *along, *value, at[N];
    const bosc_array arrays[] = {BOSC_ARRAY(along, c->n),
                                 BOSC_ARRAY(value, c->n)};
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);

    if (room == NULL)
        return bosc_mend_no_memory(m);
    along[0] = 0;
    for (int32_t i = 1; i < c->n; ++i) {
        const double x = p[i].xyz[0] - p[i - 1].xyz[0];
        const double y = p[i].xyz[1] - p[i - 1].xyz[1];

        along[i] = along[i - 1] + sqrt(x * x + y * y);
    }
    for (int i = 0; i < N; ++i)
        at[i] = i * (along[c->n - 1] / 100);
    for (int k = 0; k < 3; ++k) {
        for (int32_t i = 0; i < c->n; ++i)
            value[i] = p[i].xyz[k];
        interpolate(N, at, out->x[k], c->n, along, value);
    }
    free(room);
    return BOSC_OK;
}

bosc_status bosc_contour_measure(const bosc_draft_point *points,
                                 bosc_contour *c, const bosc_mending *m)
{
    const bosc_draft_point *p = points + c->first;
    outline o;
    double radius[N], perimeter = 0;
    const bosc_status st = resample(points, c, m, &o);

    if (st != BOSC_OK)
        return st;
    for (int32_t i = 0; i < c->n; ++i)
        perimeter += bosc_swc_distance(p[i].xyz, p[(i + 1) % c->n].xyz);
    for (int k = 0; k < 3; ++k)
        c->center[k] = mean(o.x[k]);
    for (int i = 0; i < N; ++i)
        radius[i] = bosc_swc_distance(
            (double[]){o.x[0][i], o.x[1][i], o.x[2][i]}, c->center);
    c->diam = mean(radius) + perimeter / (2 * PI);
    return BOSC_OK;
}

/* ---- the long axis ---- */

/* Eigenvectors of a symmetric matrix, the columns of v, by Jacobi's rotations;
 * eigenvalues on the diagonal of a. */
static void diagonalise(double a[3][3], double v[3][3])
{
    memset(v, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; ++k)
        v[k][k] = 1;
    for (int sweep = 0; sweep < 60; ++sweep) {
        const int p = sweep % 3 == 2 ? 1 : 0, q = sweep % 3 == 0 ? 1 : 2;
        const double apq = a[p][q];

        if (fabs(apq) < DBL_MIN)
            continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * apq);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;

        for (int k = 0; k < 3; ++k) {
            const double kp = a[k][p], kq = a[k][q];

            a[k][p] = c * kp - s * kq;
            a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
            const double pk = a[p][k], qk = a[q][k];

            a[p][k] = c * pk - s * qk;
            a[q][k] = s * pk + c * qk;
        }
        a[p][q] = a[q][p] = 0;
        for (int k = 0; k < 3; ++k) {
            const double kp = v[k][p], kq = v[k][q];

            v[k][p] = c * kp - s * kq;
            v[k][q] = s * kp + c * kq;
        }
    }
}

/* The long axis and, in the plane of x and y, the one across; false where there
 * is none. */
static bool find_axes(const outline *o, double major[3], double minor[3])
{
    double a[3][3], v[3][3], length;
    int most = 0, least = 0, longest = 0;

    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            a[r][c] = 0;
            for (int i = 0; i < N; ++i)
                a[r][c] += o->x[r][i] * o->x[c][i];
        }
    diagonalise(a, v);
    for (int k = 1; k < 3; ++k) {
        most = a[k][k] > a[most][most] ? k : most;
        least = a[k][k] <= a[least][least] ? k : least;
    }
    if (most == least || !(a[most][most] > 0))
        return false;
    for (int k = 0; k < 3; ++k) {
        major[k] = v[k][most];
        minor[k] = k < 2 ? v[k][3 - most - least] : 0;
    }
    for (int k = 1; k < 3; ++k)
        longest = fabs(major[k]) > fabs(major[longest]) ? k : longest;
    for (int k = 0; k < 3; ++k)
        major[k] *= v[longest][most] < 0 ? -1 : 1;
    length = hypot(minor[0], minor[1]);
    for (int k = 0; k < 2; ++k)
        minor[k] /= length > 0 ? length : 1;
    return length >= 1e-6;
}

/* ---- slices ---- */

/* One side of an outline: how far across it is at places along the axis, which
 * grow. */
typedef struct side {
    int n;
    double along[N], across[N];
} side;

/* Leave out the points at which a side goes back. */
static void make_convex(side *s)
{
    for (int j = s->n - 1; j > 0; --j) {
        if (!(s->along[j] <= s->along[j - 1] + epsilon))
            continue;
        const size_t rest = (size_t)(s->n - 1 - j) * sizeof *s->along;

        memmove(&s->along[j], &s->along[j + 1], rest);
        memmove(&s->across[j], &s->across[j + 1], rest);
        if (j != --s->n)
            ++j;
    }
}

/* From the farthest end of the axis around to it: the way to the near end, in
 * reverse, and the way back. */
static bool split(const double *along, const double *across, side *back,
                  side *forth)
{
    int far = 0, near = 0;

    for (int i = 1; i < N; ++i)
        far = along[i] > along[far] ? i : far;
    for (int i = 1; i < N; ++i)
        if (along[(far + i) % N] < along[(far + near) % N])
            near = i;
    back->n = near;
    for (int i = 0; i < near; ++i) {
        back->along[i] = along[(far + near - 1 - i) % N];
        back->across[i] = across[(far + near - 1 - i) % N];
    }
    forth->n = N - near;
    for (int i = near; i < N; ++i) {
        forth->along[i - near] = along[(far + i) % N];
        forth->across[i - near] = across[(far + i) % N];
    }
    return near > 0;
}

/* Places along the axis where both sides are known, and the widths there. */
static bool measure_widths(side *back, side *forth,
                           double along[BOSC_SOMA_POINTS],
                           double diam[BOSC_SOMA_POINTS])
{
    enum { LAST = BOSC_SOMA_POINTS - 1 };
    double all[N], a[BOSC_SOMA_POINTS], b[BOSC_SOMA_POINTS];
    int n = 0;

    make_convex(back);
    make_convex(forth);
    for (int i = 0; i < back->n; ++i)
        all[n++] = back->along[i];
    for (int i = 0; i < forth->n; ++i)
        all[n++] = forth->along[i];
    qsort(all, (size_t)n, sizeof *all, bosc_by_double);
    if (n < 3 || !(all[n - 2] > all[1]))
        return false;
    for (int i = 0; i <= LAST; ++i)
        along[i] = i * ((all[n - 2] - all[1]) / LAST) + all[1];
    interpolate(LAST + 1, along, a, back->n, back->along, back->across);
    interpolate(LAST + 1, along, b, forth->n, forth->along, forth->across);
    for (int i = 0; i <= LAST; ++i)
        diam[i] = fabs(a[i] - b[i]);
    diam[0] = (diam[0] + diam[1]) / 2;
    diam[LAST] = (diam[LAST] + diam[LAST - 1]) / 2;
    return true;
}

bosc_status bosc_contour_slice(const bosc_draft_point *points,
                               const bosc_contour *c, const bosc_mending *m,
                               bosc_draft_point out[BOSC_SOMA_POINTS])
{
    outline o;
    side back, forth;
    double major[3], minor[3], along[N], across[N];
    double place[BOSC_SOMA_POINTS], diam[BOSC_SOMA_POINTS];
    const bosc_status st = resample(points, c, m, &o);

    if (st != BOSC_OK)
        return st;
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < N; ++i)
            o.x[k][i] -= c->center[k];

    bool found = find_axes(&o, major, minor);

    for (int i = 0; i < N && found; ++i) {
        along[i] =
            o.x[0][i] * major[0] + o.x[1][i] * major[1] + o.x[2][i] * major[2];
        across[i] = o.x[0][i] * minor[0] + o.x[1][i] * minor[1];
    }
    found = found && split(along, across, &back, &forth) &&
            measure_widths(&back, &forth, place, diam);
    if (!found)
        return bosc_fail_at(m->err, BOSC_EFORMAT, m->name, c->line,
                            "the outline of the soma encloses no area in x and "
                            "y; correct it, or delete it");
    for (int i = 0; i < BOSC_SOMA_POINTS; ++i) {
        out[i] = (bosc_draft_point){.diam = diam[i], .line = c->line};
        for (int k = 0; k < 3; ++k)
            out[i].xyz[k] = major[k] * place[i] + c->center[k];
    }
    return BOSC_OK;
}

void bosc_contour_middle(const bosc_contour *c, int32_t n, double middle[3])
{
    double whole = 0, before = 0;
    int32_t i = 0;

    for (int32_t k = 1; k < n; ++k)
        whole += bosc_swc_distance(c[k].center, c[k - 1].center);
    memcpy(middle, c[0].center, sizeof c[0].center);
    if (!(whole / 2 > 0))
        return;
    while (++i < n) {
        const double step = bosc_swc_distance(c[i].center, c[i - 1].center);

        if (before + step > whole / 2) {
            const double t = (whole / 2 - before) / step;

            for (int k = 0; k < 3; ++k)
                middle[k] = t * c[i].center[k] + (1 - t) * c[i - 1].center[k];
            return;
        }
        before += step;
    }
}
