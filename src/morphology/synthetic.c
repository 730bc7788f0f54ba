/* synthetic.c - grow a tree of sections, then give it a shape.
 *
 * Three passes, each linear in the size.  grow() makes the tree: the soma's
 * stems are the first tips, and a tip drawn at random turns into two or three
 * until there are enough sections (a Yule process).  share_out() divides the
 * compartments over the sections.  Then shape() walks the tree depth first and
 * writes samples, in the order of the SWC file.
 *
 * Sections and frusta: a stem's first sample lies on the soma's surface and its
 * n frusta need n + 1 samples (Import3d leaves the soma's own point out);
 * any other section starts at its parent's last sample and needs n.
 */
#include "src/morphology/synthetic.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <Random123/philox.h>

#include "src/base/mem.h"

const bosc_synthetic_class bosc_synthetic_classes[BOSC_N_SYNTHETIC_CLASSES] = {
    {"small-low", 76, 7},      {"small-high", 76, 29}, {"medium-low", 305, 30},
    {"medium-high", 319, 157}, {"big-low", 695, 66},   {"big-high", 691, 341},
};

enum {
    STREAM = 0x73776331, /* keeps these draws apart from others of the seed */
    SIZES = 0x73697a65,  /* the same for sizes */
    AHEAD = 8,           /* blocks of random words that are made together */
    HEADER_LINES = 3,    /* of the SWC file */
    MAX_STEMS = 8
};

/* What a kind of neurite looks like; lengths and diameters in um. */
typedef struct kind {
    int32_t type;
    double shortest, longest; /* frusta */
    double thickest, tip;     /* diameters of a stem and of a tip */
    double up;                /* preference of a stem for +y */
} kind;

static const kind kinds[] = {
    {BOSC_SWC_DENDRITE, 5, 30, 2.5, 0.5, 0},
    {BOSC_SWC_AXON, 10, 40, 1.5, 0.4, -2},
    {BOSC_SWC_APICAL, 5, 30, 3, 0.6, 3},
};
static const double thinnest = 0.3; /* diameter, um */

/* A section on its way.  Children have consecutive numbers. */
typedef struct piece {
    int32_t parent, child, n_children;
    int32_t tips; /* of the subtree */
    int32_t n;    /* compartments */
    int32_t end;  /* sample it starts from, then its last one */
    const kind *kind;
    double diam; /* where it starts (um) */
    double direction[3];
} piece;

/* Words are taken from each block's last to its first.  Several blocks are made
 * at once, for then none waits for another. */
typedef struct draws {
    philox4x32_key_t key;
    philox4x32_ctr_t next;
    uint32_t word[4 * AHEAD]; /* the first block is the last here */
    uint32_t left;
} draws;

typedef struct maker {
    draws draws;
    int32_t n;     /* sections, the soma is 0 */
    piece *piece;  /* [n] */
    int32_t *list; /* [n] tips while growing, then the stack of the walk */
    bosc_swc *swc;
} maker;

static void start_draws(draws *d, uint32_t stream, uint64_t seed,
                        int64_t number)
{
    d->left = 0;
    d->key.v[0] = (uint32_t)seed;
    d->key.v[1] = (uint32_t)(seed >> 32);
    d->next.v[0] = 0;
    d->next.v[1] = stream;
    d->next.v[2] = (uint32_t)number;
    d->next.v[3] = (uint32_t)((uint64_t)number >> 32);
}

static void make_words(draws *d)
{
    for (int b = AHEAD; b-- > 0; d->next.v[0]++) {
        const philox4x32_ctr_t block = philox4x32(d->next, d->key);

        memcpy(d->word + 4 * b, block.v, sizeof block.v);
    }
    d->left = 4 * AHEAD;
}

static inline uint32_t draw(draws *d)
{
    if (d->left == 0)
        make_words(d);
    return d->word[--d->left];
}

static int32_t draw_below(draws *d, int32_t n)
{
    return (int32_t)((uint64_t)draw(d) * (uint64_t)n >> 32);
}

static double draw_between(draws *d, double low, double high)
{
    return low + (high - low) * ((draw(d) + 0.5) * 0x1p-32);
}

/* A random vector in the shell between radius 0.1 and 1, made a unit one. */
static void draw_direction(draws *d, double v[3])
{
    double square;

    do {
        for (int k = 0; k < 3; ++k)
            v[k] = draw_between(d, -1, 1);
        square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    } while (square > 1 || square < 0.01);
    const double length = sqrt(square);

    for (int k = 0; k < 3; ++k)
        v[k] /= length;
}

/* To whole nanometres: what three decimals in a file are read back as. */
static double milli(double x)
{
    return floor(x * 1000 + 0.5) / 1000;
}

/* x^(2/3) by Newton's method from above, the same bits everywhere (pow's last
 * ones depend on the library). */
static double find_two_thirds(double x)
{
    const double square = x * x;
    double y = square > 1 ? square : 1;

    for (;;) {
        const double next = (2 * y + square / (y * y)) / 3;

        if (next >= y)
            return y;
        y = next;
    }
}

/* (a / b)^(2/3), of numbers of tips: mostly of few, so each thread remembers
 * those that it has found. */
static double two_thirds(int32_t a, int32_t b)
{
    enum { FEW = 64 };
    static _Thread_local double found[FEW][FEW];
    const double x = (double)a / b;

    if (a >= FEW || b >= FEW)
        return find_two_thirds(x);
    if (found[b][a] == 0)
        found[b][a] = find_two_thirds(x);
    return found[b][a];
}

/* v + w * u, as a unit vector, into v. */
static void lean(double v[3], double w, const double u[3])
{
    double square = 0;

    for (int k = 0; k < 3; ++k) {
        v[k] += w * u[k];
        square += v[k] * v[k];
    }
    const double length = sqrt(square);

    for (int k = 0; k < 3; ++k)
        v[k] /= length;
}

bosc_status bosc_synthetic_check(const bosc_synthetic *what, bosc_error *err)
{
    const int32_t c = what->compartments, s = what->sections;

    if (s < 1)
        return bosc_fail(err, BOSC_EVALUE,
                         "sections %" PRId32
                         ": a neuron has at least 1 section, its soma",
                         s);
    if (s == 1 && c != 3)
        return bosc_fail(err, BOSC_EVALUE,
                         "compartments %" PRId32 " with sections 1: a soma "
                         "alone has 3 compartments; use compartments 3, or "
                         "at least 2 sections with at least 5 compartments",
                         c);
    if (s > 1 && c < 2 * (int64_t)s + 1) {
        const int32_t most = c >= 5 ? (c - 1) / 2 : 1;

        return bosc_fail(err, BOSC_EVALUE,
                         "compartments %" PRId32 " with sections %" PRId32
                         ": too few, for each section has a compartment and "
                         "a zero-area end, and the root is one more; use "
                         "at least %" PRId64
                         " compartments, or sections %" PRId32
                         " with compartments %" PRId32,
                         c, s, 2 * (int64_t)s + 1, most, most == 1 ? 3 : c);
    }
    return BOSC_OK;
}

bosc_status bosc_synthetic_check_range(const bosc_synthetic_range *range,
                                       bosc_error *err)
{
    const int32_t *c = range->compartments, *s = range->sections;
    bosc_synthetic what = {.compartments = c[0], .sections = s[0]};
    bosc_status st = bosc_synthetic_check(&what, err);

    what.compartments = c[1];
    if (st == BOSC_OK)
        st = bosc_synthetic_check(&what, err);
    if (st == BOSC_OK && s[1] > (c[1] - 1) / 2)
        st = bosc_fail(err, BOSC_EVALUE,
                       "sections up to %" PRId32
                       " with compartments up to %" PRId32
                       ": no neuron can have so many, for each section has a "
                       "compartment and a zero-area end, and the root is one "
                       "more; use sections up to %" PRId32,
                       s[1], c[1], (c[1] - 1) / 2);
    return st;
}

static int32_t between(uint32_t word, int32_t low, int32_t high)
{
    return low + (int32_t)(word * ((uint64_t)(high - low) + 1) >> 32);
}

bosc_synthetic bosc_synthetic_draw(const bosc_synthetic_range *range,
                                   int64_t number)
{
    const int32_t *c = range->compartments, *s = range->sections;
    bosc_synthetic size = {c[0], s[0], range->seed};
    draws d;
    int32_t most;

    if (c[0] == c[1] && s[0] == s[1])
        return size;
    start_draws(&d, SIZES, range->seed, number);

    /* its words in the order of draw() */
    const philox4x32_ctr_t block = philox4x32(d.next, d.key);

    size.compartments = between(block.v[3], c[0], c[1]);
    most = (size.compartments - 1) / 2;
    size.sections = between(block.v[2], s[0], s[1] < most ? s[1] : most);
    return size;
}

/* Give section 'parent' n children, numbered from m->n on. */
static void branch(maker *m, int32_t parent, int32_t n)
{
    m->piece[parent].child = m->n;
    m->piece[parent].n_children = n;
    for (int32_t i = 0; i < n; ++i)
        m->piece[m->n++] = (piece){.parent = parent};
}

/* The soma's stems: about three, more in a neuron of many sections; one more
 * where a single section would be left, which cannot be a branch. */
static int32_t draw_stems(draws *d, int32_t sections)
{
    const int32_t others = sections - 1;
    int32_t n = 2 + draw_below(d, 3) + others / 50;

    if (n > MAX_STEMS)
        n = MAX_STEMS - draw_below(d, 3);
    if (n > others)
        n = others;
    return others - n == 1 ? n + 1 : n;
}

/* How many of the branch points that add 'more' sections are threefold, about
 * one in twenty: 3 a + 2 b == more. */
static int32_t draw_triples(draws *d, int32_t more)
{
    const int32_t most = more / 3;
    const int32_t n = draw_below(d, more / 20 + 1) / 2 * 2 + more % 2;

    return n <= most ? n : more % 2;
}

static void grow(maker *m, int32_t sections)
{
    draws *d = &m->draws;
    const int32_t stems = sections > 1 ? draw_stems(d, sections) : 0;
    const int32_t more = sections - 1 - stems;
    int32_t triples = draw_triples(d, more), pairs = (more - 3 * triples) / 2;
    int32_t n_tips = stems;

    m->n = 1;
    m->piece[0] = (piece){.parent = -1};
    branch(m, 0, stems);
    for (int32_t i = 0; i < stems; ++i)
        m->list[i] = i + 1;
    while (pairs + triples > 0) {
        const bool triple = draw_below(d, pairs + triples) < triples;
        const int32_t n = triple ? 3 : 2;
        const int32_t at = draw_below(d, n_tips), child = m->n;

        *(triple ? &triples : &pairs) -= 1;
        branch(m, m->list[at], n);
        m->list[at] = child;
        for (int32_t i = 1; i < n; ++i)
            m->list[n_tips++] = child + i;
    }
    for (int32_t i = m->n - 1; i >= 0; --i) {
        if (m->piece[i].n_children == 0)
            m->piece[i].tips = 1;
        if (i > 0)
            m->piece[m->piece[i].parent].tips += m->piece[i].tips;
    }
}

/* Divide the neurites' compartments: one for each section, the others in
 * proportion to random weights, carrying the remainder along, so that the sum
 * is exact.  Tips are longer than sections between branch points. */
static void share_out(maker *m, int64_t compartments)
{
    const int64_t spare = compartments - (m->n - 1);
    int64_t sum = 0, carry = 0;

    for (int32_t i = 1; i < m->n; ++i) {
        const int32_t weight = 100 + draw_below(&m->draws, 900);

        m->piece[i].n = m->piece[i].n_children == 0 ? 2 * weight : weight;
        sum += m->piece[i].n;
    }
    for (int32_t i = 1; i < m->n; ++i) {
        carry += m->piece[i].n * spare;
        m->piece[i].n = (int32_t)(1 + carry / sum);
        carry %= sum;
    }
}

static int32_t add_sample(bosc_swc *swc, int32_t parent, int32_t type,
                          const double xyz[3], double diam)
{
    const int32_t i = swc->n++;

    swc->parent[i] = parent;
    swc->type[i] = type;
    swc->line[i] = HEADER_LINES + 1 + i;
    swc->radius[i] = milli(diam / 2);
    for (int k = 0; k < 3; ++k)
        swc->xyz[3 * (size_t)i + (size_t)k] = milli(xyz[k]);
    return i;
}

/* Add a sample 'length' um from section p's last one, which it becomes. */
static void step(maker *m, piece *p, double length, double diam)
{
    const double *from = m->swc->xyz + 3 * (size_t)p->end;
    double xyz[3];

    for (int k = 0; k < 3; ++k)
        xyz[k] = from[k] + length * p->direction[k];
    p->end = add_sample(m->swc, p->end, p->kind->type, xyz,
                        diam > thinnest ? diam : thinnest);
}

/* The frusta of a section: wandering, and tapering by up to a sixth, or by up
 * to a half towards a tip. */
static void shape_section(maker *m, piece *p)
{
    draws *d = &m->draws;
    const kind *k = p->kind;
    const double taper =
        draw_between(d, 0, p->n_children == 0 ? 0.5 : 0.16) / p->n;

    for (int32_t i = 1; i <= p->n; ++i) {
        const double u = draw_between(d, 0, 1);
        const double length = k->shortest + (k->longest - k->shortest) * u * u;
        double bend[3];

        draw_direction(d, bend);
        lean(p->direction, 0.35, bend);
        step(m, p, length,
             p->diam * (1 - i * taper) * draw_between(d, 0.96, 1.04));
    }
}

/* Directions of the children in the plane across their parent's end, as parts
 * of one random unit vector and of the one perpendicular to both. */
static const double spread[4][3][2] = {
    [1] = {{1, 0}},
    [2] = {{1, 0}, {-1, 0}},
    [3] = {{1, 0}, {-0.5, 0.866}, {-0.5, -0.866}},
};

static void aim_children(maker *m, const piece *p)
{
    const double *a = p->direction;
    double b[3], along;

    do {
        draw_direction(&m->draws, b);
        along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    } while (along * along > 0.99);
    lean(b, -along, a);

    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};

    for (int32_t i = 0; i < p->n_children; ++i) {
        piece *child = &m->piece[p->child + i];
        const double *part = spread[p->n_children][i];
        const double angle = draw_between(&m->draws, 0.35, 0.9);
        double aside[3];

        for (int k = 0; k < 3; ++k) {
            child->direction[k] = a[k];
            aside[k] = part[0] * b[k] + part[1] * c[k];
        }
        lean(child->direction, angle, aside);
    }
}

/* Daughters share their parent's d^(3/2) by the number of tips they feed. */
static void size_children(maker *m, const piece *p)
{
    const double diam = 2 * m->swc->radius[p->end];

    for (int32_t i = 0; i < p->n_children; ++i) {
        piece *child = &m->piece[p->child + i];
        const double d = diam * two_thirds(child->tips, p->tips) *
                         draw_between(&m->draws, 0.9, 1.15);

        child->kind = p->kind;
        child->end = p->end;
        child->diam = d < diam ? d : diam;
    }
}

/* Stem number i: where and how thick it leaves the soma. */
static void start_stem(maker *m, piece *p, int32_t i)
{
    static const double y[3] = {0, 1, 0};
    draws *d = &m->draws;
    const kind *k = p->kind = &kinds[i < (int32_t)BOSC_LEN(kinds) ? i : 0];

    p->end = 0;
    draw_direction(d, p->direction);
    lean(p->direction, k->up, y);

    p->diam = k->tip * two_thirds(p->tips, 1) * draw_between(d, 0.9, 1.15);
    p->diam = fmin(fmax(p->diam, k->thickest * draw_between(d, 0.35, 0.5)),
                   k->thickest * draw_between(d, 0.8, 1));
    step(m, p, m->swc->radius[0], p->diam);
}

static void shape(maker *m)
{
    static const double centre[3] = {0, 0, 0};
    const int32_t stems = m->piece[0].n_children;
    int32_t depth = 0;

    add_sample(m->swc, -1, BOSC_SWC_SOMA, centre,
               draw_between(&m->draws, 8, 20));
    for (int32_t i = stems; i > 0; --i)
        m->list[depth++] = i;
    while (depth > 0) {
        const int32_t i = m->list[--depth];
        piece *p = &m->piece[i];

        if (p->parent == 0)
            start_stem(m, p, i - 1);
        shape_section(m, p);
        if (p->n_children == 0)
            continue;
        aim_children(m, p);
        size_children(m, p);
        for (int32_t c = p->n_children - 1; c >= 0; --c)
            m->list[depth++] = p->child + c;
    }
}

static void count(const maker *m, bosc_swc *swc)
{
    bosc_swc_counts *c = &swc->file;

    c->samples = swc->n;
    c->roots = 1;
    for (int32_t i = 0; i < m->n; ++i) {
        c->branch_points += m->piece[i].n_children > 1;
        c->tips += m->piece[i].n_children == 0;
    }
    for (int32_t i = 1; i < swc->n; ++i)
        c->length += bosc_swc_distance(swc->xyz + 3 * (size_t)i,
                                       swc->xyz + 3 * (size_t)swc->parent[i]);
}

/* Room for 'n' samples; swc->n counts them as they are added. */
static bosc_swc *create_swc(int64_t number, int32_t n)
{
    bosc_swc *swc = calloc(1, sizeof *swc);

    if (swc == NULL ||
        bosc_swc_alloc(swc, bosc_format("synthetic %" PRId64, number), n))
        return swc;
    bosc_swc_destroy(swc);
    return NULL;
}

bosc_status bosc_synthetic_create(const bosc_synthetic *what, int64_t number,
                                  bosc_swc **swc, bosc_error *err)
{
    bosc_status st = bosc_synthetic_check(what, err);
    maker m = {0};

    if (st != BOSC_OK)
        return st;
    const int32_t sections = what->sections;
    /* all nodes but the ends, the root and the soma's own compartment */
    const int32_t neurites = what->compartments - sections - 2;

    const bosc_array arrays[] = {BOSC_ARRAY(m.piece, sections),
                                 BOSC_ARRAY(m.list, sections)};
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);

    if (room != NULL) {
        start_draws(&m.draws, STREAM, what->seed, number);
        grow(&m, sections);
        share_out(&m, neurites);
        m.swc = create_swc(number, 1 + m.piece[0].n_children + neurites);
    }
    if (m.swc == NULL) {
        st = bosc_fail(err, BOSC_ENOMEM,
                       "synthetic neuron %" PRId64 " of %" PRId32
                       " compartments: out of memory",
                       number, what->compartments);
    } else {
        shape(&m);
        count(&m, m.swc);
        *swc = m.swc;
    }
    free(room);
    return st;
}

/* x, a whole number of thousandths, without the locale's decimal point. */
static void put_milli(FILE *file, double x)
{
    const long long k = (long long)floor(fabs(x) * 1000 + 0.5);

    fprintf(file, "%s%lld.%03lld ", x < 0 ? "-" : "", k / 1000, k % 1000);
}

bosc_status bosc_synthetic_write(const bosc_synthetic *what, int64_t number,
                                 const bosc_swc *swc, FILE *file,
                                 const char *path, bosc_error *err)
{
    fprintf(file,
            "# bosc generate --compartments %" PRId32 " --sections %" PRId32
            " --seed %" PRIu64 " --number %" PRId64 "\n"
            "# synthetic morphology; cut into one compartment a frustum "
            "(policy per_sample) it has these numbers\n"
            "# id type x y z radius parent (um)\n",
            what->compartments, what->sections, what->seed, number);
    for (int32_t i = 0; i < swc->n; ++i) {
        fprintf(file, "%" PRId32 " %" PRId32 " ", i + 1, swc->type[i]);
        for (size_t k = 0; k < 3; ++k)
            put_milli(file, swc->xyz[3 * (size_t)i + k]);
        put_milli(file, swc->radius[i]);
        fprintf(file, "%" PRId32 "\n",
                swc->parent[i] < 0 ? -1 : swc->parent[i] + 1);
    }
    if (ferror(file))
        return bosc_fail(err, BOSC_EIO, "%s: cannot write: %s", path,
                         strerror(errno));
    return BOSC_OK;
}
