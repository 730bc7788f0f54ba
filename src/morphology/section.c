/* section.c - from samples to sections, by the rules of NEURON's Import3d.
 *
 * Six passes over the samples or the sections, none recursive:
 *   read_somata   count soma children, find the main root and 3-point somata
 *   link_samples  next[i]: the child that goes on with i's section, or -1
 *   draft         a section starts where no sample goes on into it
 *   attach        where on its parent each section hangs, and from which point
 *   compare       count where Import3d goes on otherwise (import3d.c)
 *   emit          drop what has no length, number, write the points
 *
 * Import3d's rules, for a section whose first sample f hangs on sample p:
 *
 *   p in a root soma of one sample        x = 0.5, by wire
 *   p first of a root section             x = 0, by wire where p forks the soma
 *   p inside a soma                       x = 0.5, by wire
 *   p last of a soma                      x = 1, by wire where p forks the soma
 *   p first of a forking stem             x = 0, but 1 for p's first child
 *   else                                  x = 1
 *
 * "By wire": the points start at f.  Otherwise they start at p, with f's
 * diameter where p is soma and f is not.  A section of one sample or of soma
 * never hangs by wire.
 *
 * Worked example: samples 0 soma, 1 dendrite on 0, 2 on 1, 3 and 4 on 2.  The
 * sections are {0}, {1, 2}, {3}, {4}; the first becomes a cylinder, the second
 * hangs on its middle by wire, the others start at sample 2's point.
 */
#include "src/morphology/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* um; a picometre.  A shorter section would have conductances without
 * meaning. */
static const double NO_LENGTH = 1e-6;

/* um; Import3d drops sections of two points so near to each other. */
static const double EQUAL = 1e-11;

/* A section while its place is being found. */
struct draft {
    int32_t first, last; /* samples */
    int32_t n;           /* samples from first to last along next */
    int32_t from;        /* sample whose point comes before, -1: none */
    int32_t parent;      /* draft, -1 for a root section */
    double parent_x;
    double length;
    bool point;    /* a root section that becomes a cylinder */
    bool dropped;  /* no length: its children hang on its parent */
    int32_t index; /* in the result */
};

struct builder {
    bosc_swc *swc;
    int32_t root;           /* sample: a soma where there is one */
    bool ball;              /* the NeuroMorpho 3-point soma */
    int32_t *soma_children; /* [swc->n] how many */
    int32_t *first_child;   /* [swc->n] -1: none */
    int32_t *last_child;    /* [swc->n] */
    int32_t *next;          /* [swc->n] */
    int32_t *draft_of;      /* [swc->n] */
    int32_t *theirs;        /* [swc->n] Import3d's next */
    int32_t n;
    struct draft *draft; /* [n] in the order of their first samples */
    bosc_occurrence differs[BOSC_N_IMPORT3D_ROWS];
};

static bool is_soma(const struct builder *b, int32_t i)
{
    return b->swc->type[i] == BOSC_SWC_SOMA;
}

/* Count that Import3d reads otherwise what begins at sample i. */
static void differ(struct builder *b, bosc_import3d_row row, int32_t i)
{
    bosc_occurrence_add(&b->differs[row], b->swc->line[i]);
}

static double distance(const bosc_swc *swc, int32_t i, int32_t j)
{
    return bosc_swc_distance(swc->xyz + 3 * (ptrdiff_t)i,
                             swc->xyz + 3 * (ptrdiff_t)j);
}

/* NeuroMorpho's way to write a ball: a root, and two samples without children
 * one radius away on either side, all of one radius. */
static bool is_ball(const struct builder *b, const int32_t side[2])
{
    const bosc_swc *swc = b->swc;
    const int32_t r = b->root;
    double length = 0;

    for (int k = 0; k < 2; ++k) {
        if (swc->parent[side[k]] != r || swc->radius[side[k]] != swc->radius[r])
            return false;
        length += distance(swc, side[k], r);
    }
    for (int32_t i = 0; i < swc->n; ++i)
        if (swc->parent[i] == side[0] || swc->parent[i] == side[1])
            return false;
    return fabs(length / (2 * swc->radius[r]) - 1) < 0.01;
}

static void read_somata(struct builder *b)
{
    const bosc_swc *swc = b->swc;
    int32_t n = 0, n_sides = 0, side[2];

    b->root = -1;
    memset(b->soma_children, 0, (size_t)swc->n * sizeof *b->soma_children);
    for (int32_t i = 0; i < swc->n; ++i) {
        const int32_t p = swc->parent[i];

        if (!is_soma(b, i))
            continue;
        if (p < 0 && b->root < 0)
            b->root = i;
        else if (n_sides < 2)
            side[n_sides++] = i;
        if (p >= 0 && is_soma(b, p))
            b->soma_children[p]++;
        ++n;
    }
    b->ball = n == 3 && n_sides == 2 && is_ball(b, side);
    for (int32_t i = 0; b->root < 0; ++i)
        if (swc->parent[i] < 0)
            b->root = i;
}

/* The first sample of a neuron or of a stem may fork and still go on (else,
 * sections of one sample would appear).  The second sample of a file is no
 * stem to Import3d. */
static bool may_go_on(const struct builder *b, int32_t i)
{
    const int32_t p = b->swc->parent[i];

    return p < 0 || (i > 1 && !is_soma(b, i) && is_soma(b, p));
}

/* Soma goes on into its only soma child, other samples into an only child of
 * their own type.  At a fork that may go on, soma does so into the first soma
 * child; others into the first child of their type, but only where the last
 * child has that type too. */
static int32_t find_next(const struct builder *b, int32_t i, int32_t same)
{
    const bosc_swc *swc = b->swc;
    const bool forks = is_soma(b, i) ? b->soma_children[i] > 1
                                     : b->first_child[i] != b->last_child[i];

    if (same < 0 || !forks)
        return same;
    if (!may_go_on(b, i))
        return -1;
    return is_soma(b, i) || swc->type[b->last_child[i]] == swc->type[i] ? same
                                                                        : -1;
}

static void link_samples(struct builder *b)
{
    const bosc_swc *swc = b->swc;

    for (int32_t i = 0; i < swc->n; ++i)
        b->first_child[i] = b->last_child[i] = b->next[i] = -1;
    for (int32_t i = swc->n - 1; i >= 0; --i) {
        const int32_t p = swc->parent[i];

        /* All children of i are known by now. */
        b->next[i] = i == b->root && b->ball ? -1 : find_next(b, i, b->next[i]);
        if (p < 0)
            continue;
        if (b->last_child[p] < 0)
            b->last_child[p] = i;
        b->first_child[p] = i;
        if (swc->type[i] == swc->type[p])
            b->next[p] = i;
    }
}

static bool make_drafts(struct builder *b)
{
    const bosc_swc *swc = b->swc;
    size_t most = 0;

    for (int32_t i = 0; i < swc->n; ++i)
        most += swc->parent[i] < 0 || b->next[swc->parent[i]] != i;
    if ((b->draft = malloc(most * sizeof *b->draft)) == NULL)
        return false;
    for (int32_t i = 0; i < swc->n; ++i) {
        const int32_t p = swc->parent[i];
        const bool goes_on = p >= 0 && b->next[p] == i;
        const bool side = b->ball && p == b->root && is_soma(b, i);

        b->draft_of[i] = goes_on || side ? b->draft_of[p] : b->n++;
        struct draft *d = &b->draft[b->draft_of[i]];

        if (!goes_on && !side)
            *d = (struct draft){.first = i, .from = p, .parent = -1};
        if (!side) {
            d->last = i;
            d->n++;
        }
    }
    return true;
}

/* Length of the points: those of the samples, after that of 'from'. */
static double draft_length(const struct builder *b, const struct draft *d)
{
    double length = d->from < 0 ? 0 : distance(b->swc, d->from, d->first);

    for (int32_t i = d->first; i != d->last; i = b->next[i])
        length += distance(b->swc, i, b->next[i]);
    return length;
}

static bool note(struct builder *b, const struct draft *d, const char *text)
{
    return bosc_warn(&b->swc->repairs, NULL, "%s:%lld: %s", b->swc->path,
                     (long long)b->swc->line[d->first], text) == BOSC_OK;
}

/* A root sample hangs on nothing; Import3d hangs it on the middle of the soma,
 * but draws a cable to it where that soma is no soma, or the part is.  There,
 * and where the part is one sample, parts stay apart here. */
static bool attach_root(struct builder *b, struct draft *d)
{
    const int32_t main = b->draft_of[b->root];

    d->point = d->n == 1 || draft_length(b, d) <= NO_LENGTH;
    if (d->n > 1 && d->point) {
        differ(b, BOSC_NO_LENGTH, d->first);
        if (!note(b, d,
                  "root section without length, made a cylinder of length = "
                  "diameter"))
            return false;
    }
    if (d == &b->draft[main])
        return true;
    if (d->point || is_soma(b, d->first) || !is_soma(b, b->root)) {
        differ(b, BOSC_SECOND_ROOT, d->first);
        return note(b, d, "separate part, left unconnected");
    }
    d->parent = main;
    d->parent_x = 0.5;
    if (b->root != 0)
        differ(b, BOSC_SECOND_ROOT, b->root);
    return note(b, d, "separate part, attached to the middle of the soma");
}

/* The table at the top of this file. */
static void attach_branch(struct builder *b, struct draft *d)
{
    const int32_t p = d->from, f = d->first;
    const struct draft *up = &b->draft[b->draft_of[p]];
    const bool root = b->swc->parent[up->first] < 0;
    const bool stem = is_soma(b, p) && !is_soma(b, f);
    const bool forks = b->soma_children[p] > 1;
    const int32_t first = b->next[p] >= 0 ? b->next[p] : b->first_child[p];
    bool wire = false;

    d->parent = b->draft_of[p];
    d->parent_x = 1;
    if (root && stem && up->point) {
        d->parent_x = 0.5;
        wire = true;
    } else if (root && p == up->first) {
        d->parent_x = 0;
        wire = forks;
        if (forks && d->n == 1 && !is_soma(b, f) &&
            distance(b->swc, p, f) > EQUAL)
            differ(b, BOSC_LONE_STEM, f);
    } else if (is_soma(b, p)) {
        d->parent_x = p != up->last ? 0.5 : 1;
        wire = p != up->last || forks;
    } else if (may_go_on(b, p) && f != first) {
        d->parent_x = 0;
    } else if (may_go_on(b, p) && f != p + 1) {
        differ(b, BOSC_LINE_ORDER, f); /* Import3d: x = 0 */
    }
    if (wire && d->n > 1 && !is_soma(b, f))
        d->from = -1;
}

/* Import3d drops sections of two equal points; here all without length. */
static bool drop_short(struct builder *b, struct draft *d)
{
    const struct draft *up = &b->draft[d->parent];

    if (up->dropped) {
        d->parent = up->parent;
        d->parent_x = up->parent_x;
    }
    d->dropped = d->length <= NO_LENGTH;
    if (d->dropped && (d->n + (d->from >= 0) > 2 || d->length > EQUAL))
        differ(b, BOSC_NO_LENGTH, d->first);
    return !d->dropped || note(b, d,
                               "section without length, dropped; its branches "
                               "hang on its parent");
}

static bosc_status attach(struct builder *b, bosc_error *err)
{
    for (int32_t s = 0; s < b->n; ++s) {
        struct draft *d = &b->draft[s];
        bool noted = true;

        if (d->from < 0)
            noted = attach_root(b, d);
        else
            attach_branch(b, d);
        d->length = draft_length(b, d);
        if (noted && d->parent >= 0)
            noted = drop_short(b, d);
        if (!noted)
            return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory",
                             b->swc->path);
    }
    return BOSC_OK;
}

/* A three-point soma that Import3d does not know, or a section that goes on
 * where Import3d ends one, or the other way round.  Where ids are in disorder,
 * Import3d stops. */
static void compare(struct builder *b)
{
    const bosc_swc *swc = b->swc;
    const bool lines = b->root == 0 && swc->n > 2 && is_soma(b, 1) &&
                       is_soma(b, 2); /* a ball has no other soma */

    b->differs[BOSC_NO_RADIUS] = swc->file.no_radius;
    if (swc->file.disorder.n > 0) {
        b->differs[BOSC_LINE_ORDER] = swc->file.disorder;
        return;
    }
    if (b->ball && !lines)
        differ(b, BOSC_THREE_POINTS, b->root);
    bosc_import3d_follow(swc, b->soma_children, b->theirs);
    for (int32_t i = 0; i < swc->n; ++i) {
        const int32_t ours = b->next[i], theirs = b->theirs[i];
        const struct draft *d = &b->draft[b->draft_of[i]];

        if (ours == theirs || (b->ball && i == b->root) ||
            (d->point && d->n > 1))
            continue;
        if (i == 0 && i == b->root && is_soma(b, i) && theirs < 0)
            differ(b, BOSC_SOMA_FORK, i);
        else
            differ(b, BOSC_LINE_ORDER, theirs < 0 ? ours : theirs);
    }
}

bosc_region bosc_region_of_type(int32_t type)
{
    return type >= BOSC_SWC_SOMA && type <= BOSC_SWC_APICAL
               ? (bosc_region)(type - BOSC_SWC_SOMA)
               : BOSC_CUSTOM;
}

void bosc_sections_add_point(bosc_sections *all, bosc_section *sec,
                             const float xyz[3], float diam)
{
    const ptrdiff_t at = all->n_points++;
    float *to = all->xyz + 3 * at;

    memcpy(to, xyz, 3 * sizeof *to);
    all->diam[at] = diam;
    if (sec->n_points++ == 0) {
        all->arc[at] = 0;
    } else {
        /* differences of floats, lengths in double: NEURON's way again */
        const double dx = to[0] - to[-3], dy = to[1] - to[-2];
        const double dz = to[2] - to[-1];

        all->arc[at] = all->arc[at - 1] + sqrt(dx * dx + dy * dy + dz * dz);
    }
    sec->length = all->arc[at];
}

static void add_point(bosc_sections *out, bosc_section *sec, const double *xyz,
                      double shift, double diam)
{
    /* of a soma's cylinder NEURON rounds centre and radius before the sum */
    const float to[3] = {(float)((double)(float)xyz[0] + (double)(float)shift),
                         (float)xyz[1], (float)xyz[2]};

    bosc_sections_add_point(out, sec, to, (float)diam);
}

static void emit_points(const struct builder *b, const struct draft *d,
                        bosc_sections *out, bosc_section *sec)
{
    const bosc_swc *swc = b->swc;
    const double *xyz = swc->xyz + 3 * (ptrdiff_t)d->first;
    const double radius = swc->radius[d->first];

    if (d->point) {
        sec->n_compartments = 1; /* one sample, for all its three points */
        for (int k = -1; k <= 1; ++k)
            add_point(out, sec, xyz, k * radius, 2 * radius);
        return;
    }
    if (d->from >= 0) {
        const bool stem = is_soma(b, d->from) && !is_soma(b, d->first);

        add_point(out, sec, swc->xyz + 3 * (ptrdiff_t)d->from, 0,
                  2 * (stem ? radius : swc->radius[d->from]));
    }
    for (int32_t i = d->first; i >= 0; i = i == d->last ? -1 : b->next[i])
        add_point(out, sec, swc->xyz + 3 * (ptrdiff_t)i, 0, 2 * swc->radius[i]);
}

/* The main root section is 0, the others follow in file order. */
static int32_t index_sections(struct builder *b)
{
    const int32_t main = b->draft_of[b->root];
    int32_t n = 1;

    for (int32_t s = 0; s < b->n; ++s)
        if (!b->draft[s].dropped)
            b->draft[s].index = s == main ? 0 : n++;
    return n;
}

void bosc_sections_set_levels(bosc_sections *all)
{
    all->n_levels = 0;
    for (int32_t s = 0; s < all->n; ++s) {
        bosc_section *sec = &all->section[s];

        sec->level = sec->parent < 0 ? 0 : all->section[sec->parent].level + 1;
        if (sec->level >= all->n_levels)
            all->n_levels = sec->level + 1;
    }
}

static void emit(struct builder *b, bosc_sections *out)
{
    int32_t number[BOSC_N_REGIONS] = {0};

    for (int32_t s = 0; s < b->n; ++s) {
        struct draft *d = &b->draft[s];
        bosc_section *sec = &out->section[d->index];
        const int32_t type = b->swc->type[d->first];
        const bosc_region region = bosc_region_of_type(type);

        if (d->dropped)
            continue;
        *sec = (bosc_section){.parent = -1,
                              .region = (int32_t)region,
                              .type = type,
                              .number = number[region]++,
                              .first_point = out->n_points};
        if (d->parent >= 0) {
            sec->parent = b->draft[d->parent].index;
            sec->parent_x = d->parent_x;
        }
        emit_points(b, d, out, sec);
    }
    bosc_sections_set_levels(out);
}

bosc_sections *bosc_sections_alloc(int32_t n, size_t points)
{
    bosc_sections *out = calloc(1, sizeof *out);

    if (out == NULL)
        return NULL;
    out->n = n;

    const bosc_array arrays[] = {
        BOSC_ARRAY(out->section, n), BOSC_ARRAY(out->xyz, 3 * points),
        BOSC_ARRAY(out->diam, points), BOSC_ARRAY(out->arc, points)};

    out->room = bosc_arrays_room(BOSC_LEN(arrays), arrays);
    if (out->room != NULL)
        return out;
    bosc_sections_destroy(out);
    return NULL;
}

bosc_bytes bosc_sections_bytes(double samples, double sections)
{
    const struct builder b = {0};
    const bosc_sections s = {0};
    const bosc_swc swc = {0};
    const double points = samples + 2 * sections;

    return (bosc_bytes){
        samples * (sizeof *swc.parent + sizeof *swc.type + sizeof *swc.line +
                   3 * sizeof *swc.xyz + sizeof *swc.radius) +
            sections * sizeof *s.section +
            points * (3 * sizeof *s.xyz + sizeof *s.diam + sizeof *s.arc),
        samples * (sizeof *b.soma_children + sizeof *b.first_child +
                   sizeof *b.last_child + sizeof *b.next + sizeof *b.theirs +
                   sizeof *b.draft_of) +
            sections * sizeof *b.draft};
}

static bosc_status build(struct builder *b, bosc_sections **out,
                         bosc_error *err)
{
    bosc_status st;

    read_somata(b);
    link_samples(b);
    if (!make_drafts(b))
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", b->swc->path);
    if ((st = attach(b, err)) != BOSC_OK)
        return st;
    compare(b);

    /* a section has its samples and one more, or three */
    bosc_sections *made = bosc_sections_alloc(
        index_sections(b), (size_t)b->swc->n + 2 * (size_t)b->n);

    if (made == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", b->swc->path);
    emit(b, made);
    memcpy(made->differs, b->differs, sizeof made->differs);
    *out = made;
    return BOSC_OK;
}

bosc_status bosc_sections_create(bosc_swc *swc, bosc_sections **out,
                                 bosc_error *err)
{
    if (swc->n < 1 || swc->n > INT32_MAX / 3)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: %ld samples; a neuron has 1 to %d", swc->path,
                         (long)swc->n, INT32_MAX / 3);

    const int32_t n = swc->n;
    struct builder b = {.swc = swc};
    const bosc_array arrays[] = {
        BOSC_ARRAY(b.soma_children, n), BOSC_ARRAY(b.first_child, n),
        BOSC_ARRAY(b.last_child, n),    BOSC_ARRAY(b.next, n),
        BOSC_ARRAY(b.theirs, n),        BOSC_ARRAY(b.draft_of, n)};
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);
    const bosc_status st =
        room != NULL
            ? build(&b, out, err)
            : bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", swc->path);

    free(b.draft);
    free(room);
    return st;
}

void bosc_sections_destroy(bosc_sections *sections)
{
    if (sections == NULL)
        return;
    free(sections->room);
    free(sections);
}

/* --- distances ------------------------------------------------------------
 *
 * Every section has one point nearest to the origin, its anchor: of the section
 * of the origin that itself, of sections between it and the root where its
 * branch leaves them, of all others their start.  The rest of a section is as
 * much farther as it is away from the anchor. */

double bosc_joint_distance(const bosc_joint *joint, double x)
{
    return joint->distance + fabs(x - joint->anchor) * joint->length;
}

static void set_anchor(bosc_joint *joint, double x, double distance)
{
    joint->known = true;
    joint->anchor = x;
    joint->distance = distance;
}

void bosc_joints_anchor(bosc_joint *joints, int32_t n, int32_t origin, double x)
{
    set_anchor(&joints[origin], x, 0);
    for (int32_t s = origin; joints[s].parent >= 0; s = joints[s].parent)
        set_anchor(&joints[joints[s].parent], joints[s].parent_x,
                   bosc_joint_distance(&joints[s], 0));
    for (int32_t s = 0; s < n; ++s)
        if (!joints[s].known)
            set_anchor(&joints[s], 0,
                       joints[s].parent < 0
                           ? INFINITY
                           : bosc_joint_distance(&joints[joints[s].parent],
                                                 joints[s].parent_x));
}
