/* cable_create.c - from sections to a template.
 *
 *   count    compartments of each section, by the policy
 *   order    bosc_cable_order: the depth-first numbers
 *   fill     areas and axial conductances, one walk along each section
 *
 * The walk of a section with two compartments over points P (the numbers are
 * half compartments; each gets an area and a resistance):
 *
 *     x = 0            0.25            0.5             0.75           x = 1
 *     P----------P------|------P--------|---------P-----|--------------P
 *     '------ 0 --------'------ 1 ------'------ 2 ------'------ 3 -----'
 *
 * Compartment k has the area of halves 2k and 2k + 1.  Its resistance to the
 * node before is that of half 2k and, where that node is a compartment of the
 * same section, of half 2k - 1; the end node's is that of the last half.
 */
#include "src/morphology/cable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/cable_order.h"
#include "src/morphology/section.h"
#include "src/morphology/sections/edit.h"

static const double PI = 3.14159265358979323846;

/* Nodes of one template; it has 3 GiB then, and a mistake in its policy. */
enum { MAX_NODES = 1 << 27 };

/* ---- one block of memory ---- */

static size_t round_up(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Where the arrays lie in a block, in bytes from its start. */
struct places {
    size_t area, g_axial, diameter, sections, parent, section, point, end;
};

static struct places places(const bosc_cable *c)
{
    const size_t n = (size_t)c->n, m = (size_t)c->n_sections;
    struct places at = {.area = round_up(sizeof *c)};

    at.g_axial = at.area + round_up(n * sizeof *c->area);
    at.diameter = at.g_axial + round_up(n * sizeof *c->g_axial);
    at.sections = at.diameter + round_up(n * sizeof *c->diameter);
    at.parent = at.sections + round_up(m * sizeof *c->sections);
    at.section = at.parent + round_up(n * sizeof *c->parent);
    at.point = at.section + round_up(n * sizeof *c->section);
    at.end = at.point + round_up(BOSC_CABLE_POINT * (size_t)c->n_points *
                                 sizeof *c->point);
    return at;
}

/* A new block for the sizes in 'head'. */
static bosc_cable *allocate(const bosc_cable *head)
{
    const struct places at = places(head);
    char *block = bosc_alloc(at.end, 1);

    if (block == NULL)
        return NULL;

    bosc_cable *cable = (bosc_cable *)(void *)block;

    *cable = *head;
    cable->area = (double *)(void *)(block + at.area);
    cable->g_axial = (double *)(void *)(block + at.g_axial);
    cable->diameter = (double *)(void *)(block + at.diameter);
    cable->sections = (bosc_cable_section *)(void *)(block + at.sections);
    cable->parent = (int32_t *)(void *)(block + at.parent);
    cable->section = (int32_t *)(void *)(block + at.section);
    cable->point =
        head->n_points > 0 ? (float *)(void *)(block + at.point) : NULL;
    return cable;
}

bosc_status bosc_cable_cut(bosc_swc *swc, const bosc_cable_spec *spec,
                           const char *name, bosc_cable **out, bosc_error *err)
{
    bosc_sections *sections = NULL;
    bosc_status st = bosc_sections_create(swc, &sections, err);

    if (st == BOSC_OK)
        st = bosc_sections_edit(&sections, &spec->edit, name, &swc->repairs,
                                err);
    if (st == BOSC_OK)
        st = bosc_cable_create(sections, spec, name, out, err);
    bosc_sections_destroy(sections);
    return st;
}

void bosc_cable_destroy(bosc_cable *cable)
{
    free(cable);
}

size_t bosc_cable_packed_size(const bosc_cable *cable)
{
    return places(cable).end;
}

double bosc_cable_bytes(double compartments, double sections, bool points)
{
    const bosc_cable c = {0};

    return sizeof c +
           compartments *
               (sizeof *c.area + sizeof *c.g_axial + sizeof *c.diameter +
                sizeof *c.parent + sizeof *c.section +
                (points ? BOSC_CABLE_POINT * sizeof *c.point : 0)) +
           sections * sizeof *c.sections;
}

/* The packed form is the block with null pointers, so that equal templates
 * have equal bytes. */
void bosc_cable_pack(const bosc_cable *cable, void *bytes)
{
    bosc_cable head = *cable;

    memcpy(bytes, cable, bosc_cable_packed_size(cable));
    head.parent = head.section = NULL;
    head.area = head.g_axial = head.diameter = NULL;
    head.sections = NULL;
    head.point = NULL;
    memcpy(bytes, &head, sizeof head);
}

bosc_status bosc_cable_unpack(const void *bytes, bosc_cable **out,
                              bosc_error *err)
{
    bosc_cable head;

    memcpy(&head, bytes, sizeof head);

    bosc_cable *cable = allocate(&head);

    if (cable == NULL)
        return bosc_fail(err, BOSC_ENOMEM,
                         "out of memory for a template of %d compartments",
                         head.n);
    memcpy((char *)cable + sizeof head, (const char *)bytes + sizeof head,
           places(&head).end - sizeof head);
    *out = cable;
    return BOSC_OK;
}

/* ---- how many compartments ---- */

static double Ra_of(const bosc_sections *all, const bosc_section *sec,
                    const bosc_cable_spec *spec)
{
    return spec->section_Ra != NULL ? spec->section_Ra[sec - all->section]
                                    : spec->Ra[sec->region];
}

static double cm_of(const bosc_sections *all, const bosc_section *sec,
                    const bosc_cable_spec *spec)
{
    return spec->section_cm != NULL ? spec->section_cm[sec - all->section]
                                    : spec->cm[sec->region];
}

/* Frequency-dependent length constant (um), NEURON's lambda_f: the points'
 * lengths in units of their own constants, added up. */
static double lambda_f(const bosc_sections *all, const bosc_section *sec,
                       const bosc_cable_spec *spec)
{
    const double *arc = all->arc + sec->first_point;
    const double *diam = all->diam + sec->first_point;
    double sum = 0;

    for (int32_t i = 1; i < sec->n_points; ++i)
        sum += (arc[i] - arc[i - 1]) / sqrt(diam[i - 1] + diam[i]);
    return sec->length /
           (sum * (sqrt(2) * 1e-5 *
                   sqrt(4 * PI * spec->frequency * Ra_of(all, sec, spec) *
                        cm_of(all, sec, spec))));
}

/* The counts are doubles: they may be too large for an integer. */
typedef double count_fn(const bosc_sections *, const bosc_section *,
                        const bosc_cable_spec *);

static double by_d_lambda(const bosc_sections *all, const bosc_section *sec,
                          const bosc_cable_spec *spec)
{
    const double piece = spec->d_lambda * lambda_f(all, sec, spec);

    return floor((sec->length / piece + 0.9) / 2) * 2 + 1;
}

static double by_max_length(const bosc_sections *all, const bosc_section *sec,
                            const bosc_cable_spec *spec)
{
    (void)all;
    return floor(ceil(sec->length / spec->max_length) / 2) * 2 + 1;
}

static double by_section(const bosc_sections *all, const bosc_section *sec,
                         const bosc_cable_spec *spec)
{
    (void)all, (void)sec;
    return spec->per_section;
}

static double by_sample(const bosc_sections *all, const bosc_section *sec,
                        const bosc_cable_spec *spec)
{
    (void)all, (void)spec;
    return sec->file_count > 0       ? sec->file_count
           : sec->n_compartments > 0 ? sec->n_compartments
                                     : sec->n_points - 1;
}

static double by_odd_per(const bosc_sections *all, const bosc_section *sec,
                         const bosc_cable_spec *spec)
{
    (void)all;
    return 1 + 2 * floor(sec->length / spec->odd_per[sec->region]);
}

static const struct {
    count_fn *count;
    const char *remedy;
} policies[BOSC_N_POLICIES] = {
    [BOSC_D_LAMBDA] = {by_d_lambda, "a larger d_lambda"},
    [BOSC_MAX_LENGTH] = {by_max_length, "a larger max_length"},
    [BOSC_PER_SECTION] = {by_section, "a smaller per_section"},
    [BOSC_PER_SAMPLE] = {by_sample, "another policy"},
    [BOSC_ODD_PER] = {by_odd_per, "a larger odd_per"},
};

/* Fill count[] and *n, the number of nodes. */
static bosc_status count_nodes(const bosc_sections *all,
                               const bosc_cable_spec *spec, const char *name,
                               int32_t *count, int32_t *n, bosc_error *err)
{
    double total = 0;

    for (int32_t s = 0; s < all->n; ++s) {
        const bosc_section *sec = &all->section[s];
        const double c = sec->fixed > 0 ? sec->fixed
                         : spec->file_counts && sec->file_count > 0
                             ? sec->file_count
                             : policies[spec->policy].count(all, sec, spec);

        total += c + 1 + (sec->parent < 0);
        if (!(total <= MAX_NODES))
            return bosc_fail(
                err, BOSC_EVALUE,
                "%s: %.4g compartments in the first %d of %d sections; a "
                "neuron has at most %d: choose %s",
                name, total, s + 1, all->n, MAX_NODES,
                policies[spec->policy].remedy);
        count[s] = (int32_t)c;
    }
    *n = (int32_t)total;
    return BOSC_OK;
}

static bosc_status check_positive(double value, bool zero_too, const char *what,
                                  const char *name, bosc_error *err)
{
    if (isfinite(value) && (value > 0 || (zero_too && value == 0)))
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE, "%s: %s is %g; it must be %s", name,
                     what, value, zero_too ? "0 or more" : "more than 0");
}

static bosc_status check_spec(const bosc_cable_spec *spec, const char *name,
                              bosc_error *err)
{
    const struct {
        double value;
        bool used;
        const char *what;
    } numbers[] = {
        {spec->d_lambda, spec->policy == BOSC_D_LAMBDA, "d_lambda"},
        {spec->frequency, spec->policy == BOSC_D_LAMBDA, "frequency"},
        {spec->max_length, spec->policy == BOSC_MAX_LENGTH, "max_length"},
        {spec->per_section, spec->policy == BOSC_PER_SECTION, "per_section"},
    };
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < BOSC_LEN(numbers); ++i)
        if (numbers[i].used)
            st = check_positive(numbers[i].value, false, numbers[i].what, name,
                                err);
    for (int r = 0; st == BOSC_OK && r < BOSC_N_REGIONS; ++r) {
        st = check_positive(spec->Ra[r], false, "Ra", name, err);
        if (st == BOSC_OK && spec->policy == BOSC_ODD_PER)
            st = check_positive(spec->odd_per[r], false, "odd_per", name, err);
        if (st == BOSC_OK)
            st = check_positive(spec->cm[r], true, "cm", name, err);
    }
    return st;
}

/* ---- areas and resistances ---- */

/* Where the walk along a section's points has come to. */
struct walk {
    const double *arc;
    const double *diam;
    int32_t n;    /* points */
    int32_t j;    /* the frustum from point j to j + 1 */
    bool stepped; /* no area of frusta without length */
    double x, d;
};

struct half {
    double area; /* um2 */
    double ri;   /* Mohm for Ra = 1 ohm cm */
    double sum;  /* of diameters along it (um2) */
};

static void add_frustum(struct walk *w, struct half *h, double x, double d)
{
    const double dl = x - w->x, taper = (d - w->d) / 2;

    if (!w->stepped || dl > 0)
        h->area += PI / 2 * (d + w->d) * sqrt(dl * dl + taper * taper);
    h->sum += (d + w->d) / 2 * dl;
    h->ri += 1e-2 * 4 / PI * dl / (d * w->d);
    w->x = x;
    w->d = d;
}

/* Integrate up to x; points at x itself belong to it, like those before. */
static struct half walk_to(struct walk *w, double x)
{
    struct half h = {0, 0, 0};

    while (w->j + 1 < w->n && w->arc[w->j + 1] <= x) {
        w->j++;
        add_frustum(w, &h, w->arc[w->j], w->diam[w->j]);
    }
    if (w->j + 1 < w->n) {
        const double *arc = w->arc + w->j;
        const double *diam = w->diam + w->j;
        const double t = (x - arc[0]) / (arc[1] - arc[0]);

        add_frustum(w, &h, x, (1 - t) * diam[0] + t * diam[1]);
    }
    return h;
}

/* What of a node the walk has come to: the first of its numbers. */
enum { NODE = 0, BEGIN = 3, END = 6 };

/* That of node i is where the walk has come to. */
static void put_point(bosc_cable *c, int32_t i, int what,
                      const bosc_sections *all, const bosc_section *sec,
                      const struct walk *w)
{
    const float *from =
        all->xyz + 3 * ((size_t)sec->first_point + (size_t)w->j);
    const double *arc = w->arc + w->j;
    const bool last = w->j + 1 == w->n;
    const double t = last ? 0 : (w->x - arc[0]) / (arc[1] - arc[0]);

    if (c->point == NULL)
        return;
    for (int k = 0; k < 3; ++k)
        c->point[BOSC_CABLE_POINT * (size_t)i + (size_t)(what + k)] =
            last ? from[k] : (float)((1 - t) * from[k] + t * from[3 + k]);
}

static void put_end(bosc_cable *c, int32_t i, const bosc_sections *all,
                    const bosc_section *sec, const struct walk *w)
{
    for (int what = NODE; what <= END; what += BEGIN)
        put_point(c, i, what, all, sec, w);
}

/* Nodes first .. first + n of a section; 'parent' is the first one's. */
static void fill_section(bosc_cable *c, const bosc_sections *all, int32_t s,
                         double Ra, int32_t parent)
{
    const bosc_section *sec = &all->section[s];
    const bosc_cable_section *to = &c->sections[s];
    struct walk w = {.arc = all->arc + sec->first_point,
                     .diam = all->diam + sec->first_point,
                     .n = sec->n_points,
                     .stepped = sec->stepped};
    double before = 0; /* ri between the node before and the border */

    w.d = w.diam[0];
    if (sec->parent < 0)
        put_end(c, to->first - 1, all, sec, &w);
    for (int32_t k = 0; k < to->n; ++k) {
        const int32_t i = to->first + k;
        const double n = 2.0 * to->n;

        put_point(c, i, BEGIN, all, sec, &w);
        const struct half left = walk_to(&w, (2 * k + 1) / n * sec->length);
        put_point(c, i, NODE, all, sec, &w);
        const struct half right = walk_to(&w, (2 * k + 2) / n * sec->length);
        put_point(c, i, END, all, sec, &w);

        c->parent[i] = k > 0 ? i - 1 : parent;
        c->section[i] = s;
        c->area[i] = left.area + right.area;
        c->diameter[i] = (left.sum + right.sum) / (sec->length / to->n);
        c->g_axial[i] = 1 / (Ra * (before + left.ri));
        before = right.ri;
    }
    c->parent[to->first + to->n] = to->first + to->n - 1;
    c->section[to->first + to->n] = s;
    c->g_axial[to->first + to->n] = 1 / (Ra * before);
    c->diameter[to->first + to->n] = c->diameter[to->first + to->n - 1];
    if (sec->parent < 0)
        c->diameter[to->first - 1] = c->diameter[to->first];
    w.j = w.n - 1;
    put_end(c, to->first + to->n, all, sec, &w);
}

static void fill(bosc_cable *c, const bosc_sections *all,
                 const bosc_cable_spec *spec, const int32_t *count,
                 const bosc_cable_order *order)
{
    c->n_levels = all->n_levels;
    for (int32_t s = 0; s < all->n; ++s) {
        const bosc_section *sec = &all->section[s];
        int32_t parent = order->host[s];

        c->sections[s] = (bosc_cable_section){.parent = sec->parent,
                                              .region = sec->region,
                                              .type = sec->type,
                                              .number = sec->number,
                                              .level = sec->level,
                                              .parent_x = sec->parent_x,
                                              .first = order->first[s],
                                              .n = count[s],
                                              .length = sec->length};
        if (sec->parent < 0) { /* the node at x = 0 */
            const int32_t i = order->first[s] - 1;

            c->parent[i] = parent;
            c->section[i] = s;
            parent = i;
        }
        fill_section(c, all, s, Ra_of(all, sec, spec), parent);
    }
    for (int32_t i = 0; i < c->n; ++i)
        c->area_total += c->area[i];
    c->soma = bosc_cable_node(c, BOSC_SOMA, 0, 0.5);
    if (c->soma < 0)
        c->soma = bosc_cable_section_node(c, 0, 0.5);
}

/* Axial conductances (uS) and areas (um2) that the elimination takes without
 * leaving the range of numbers (kernels/hines/pivot.h). */
static bool is_usable(double x)
{
    return x >= 1e-30 && x <= 1e30;
}

/* Extreme diameters or lengths leave no usable numbers. */
static bosc_status check_numbers(const bosc_cable *c, const char *name,
                                 bosc_error *err)
{
    for (int32_t s = 0; s < c->n_sections; ++s) {
        const bosc_cable_section *sec = &c->sections[s];

        for (int32_t i = sec->first; i <= sec->first + sec->n; ++i)
            if (!is_usable(c->g_axial[i]) ||
                !(i == sec->first + sec->n || is_usable(c->area[i])))
                return bosc_fail(
                    err, BOSC_EVALUE,
                    "%s: %s at x = %g: area %g um2, axial conductance %g "
                    "uS, where 1e-30 to 1e30 are possible; check its diameters "
                    "and lengths",
                    name,
                    bosc_cable_section_name(c, s, (char[BOSC_SECTION_NAME]){0}),
                    bosc_cable_x(c, i), c->area[i], c->g_axial[i]);
    }
    return BOSC_OK;
}

static bosc_status build(const bosc_sections *all, const bosc_cable_spec *spec,
                         const char *name, int32_t *count, bosc_cable **out,
                         bosc_error *err)
{
    bosc_cable head = {.n_sections = all->n};
    bosc_cable_order order;
    bosc_status st = count_nodes(all, spec, name, count, &head.n, err);

    if (st != BOSC_OK)
        return st;
    if ((st = bosc_cable_order_create(all, count, name, &order, err)) !=
        BOSC_OK)
        return st;

    head.n_points = spec->points ? head.n : 0;

    bosc_cable *cable = allocate(&head);

    if (cable == NULL)
        st = bosc_fail(err, BOSC_ENOMEM,
                       "%s: out of memory for %d compartments", name, head.n);
    else
        fill(cable, all, spec, count, &order);
    bosc_cable_order_free(&order);
    if (st == BOSC_OK)
        st = check_numbers(cable, name, err);
    if (st == BOSC_OK)
        *out = cable;
    else
        bosc_cable_destroy(cable);
    return st;
}

bosc_status bosc_cable_create(const bosc_sections *sections,
                              const bosc_cable_spec *spec, const char *name,
                              bosc_cable **out, bosc_error *err)
{
    bosc_status st = check_spec(spec, name, err);

    if (st != BOSC_OK)
        return st;

    int32_t *count = bosc_alloc((size_t)sections->n, sizeof *count);

    if (count == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", name);
    st = build(sections, spec, name, count, out, err);
    free(count);
    return st;
}

/* ---- places ---- */

int32_t bosc_cable_section_node(const bosc_cable *cable, int32_t s, double x)
{
    const bosc_cable_section *sec = &cable->sections[s];

    if (x <= 0)
        return sec->parent < 0 ? sec->first - 1 : cable->parent[sec->first];
    if (x >= 1)
        return sec->first + sec->n;

    const int32_t k = (int32_t)(x * sec->n);

    return sec->first + (k < sec->n ? k : sec->n - 1);
}

int32_t bosc_cable_node(const bosc_cable *cable, bosc_region region,
                        int32_t number, double x)
{
    int32_t myelin = 0;

    for (int32_t s = 0; s < cable->n_sections; ++s) {
        const bosc_cable_section *sec = &cable->sections[s];

        if (number < 0
                ? sec->type == BOSC_SWC_MYELIN && --myelin == number
                : sec->region == (int32_t)region && sec->number == number)
            return bosc_cable_section_node(cable, s, x);
    }
    return -1;
}

int32_t bosc_cable_section_number(const bosc_cable *cable, int32_t s)
{
    int32_t number = -1;

    if (cable->sections[s].type != BOSC_SWC_MYELIN)
        return cable->sections[s].number;
    for (int32_t i = 0; i < s; ++i)
        number -= cable->sections[i].type == BOSC_SWC_MYELIN;
    return number;
}

const char *bosc_cable_section_name(const bosc_cable *cable, int32_t s,
                                    char name[BOSC_SECTION_NAME])
{
    return bosc_section_name((bosc_region)cable->sections[s].region,
                             bosc_cable_section_number(cable, s), name);
}

double bosc_cable_x(const bosc_cable *cable, int32_t i)
{
    const bosc_cable_section *sec = &cable->sections[cable->section[i]];
    const int32_t k = i - sec->first;

    return k < 0 ? 0 : k == sec->n ? 1 : (k + 0.5) / sec->n;
}
