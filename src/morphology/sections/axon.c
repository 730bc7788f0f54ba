/* axon.c - what published models put in the place of an axon.
 *
 * All rules are rows of one table: two sections of 30 um, end to end, and where
 * their diameters come from, on which place of soma[0] they hang and how many
 * compartments they have.  The published code is that of AllenSDK
 * (generate_morphology), BMTK (fix_axon_peri, fix_axon_allactive), BluePyOpt
 * (replace_axon, in Python and in hoc), EModelRunner (replace_axon of SSCX and
 * of the thalamus) and BluePyEModel (replace_axon_with_taper); SONATA has names
 * for some (model_processing).
 *
 *   ONE_UM       1 um, whatever the file says; an axon is not needed
 *   FIRST_FAR    that of axon[0]; that of the first axon section whose middle
 *                is more than 60 um of path away from a place of soma[0], else
 *                axon[0] again.  'per': the diameter of a section is that of
 *                its middle compartment when it has 1 + 2 int(L / per)
 *   FIRST_LAST   that of axon[0]; that of the last axon section
 *   STEPS        the axon sections in their order, each cut into 1 + 2 int(L /
 *                12) pieces: the first ten diameters are those of ten
 *                compartments, five a section
 *
 * As in NEURON's hoc all axon sections go, whatever they hang on; what hangs on
 * them becomes a root section; the new sections are axon[0] and axon[1] and
 * come behind all others, then myelin[0].
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/sections/edit.h"

typedef enum diameter_source {
    ONE_UM,
    FIRST_FAR,
    FIRST_LAST,
    STEPS
} diameter_source;

enum { STUBS = 2, STEPS_EACH = 5, STEPS_ALL = STUBS * STEPS_EACH };

static const double STUB = 30, FAR = 60; /* um */
static const double STEP = 6;            /* um */
static const double MYELIN = 1000;       /* um */
static const int32_t MYELIN_COMPARTMENTS = 5;

typedef struct axon_rule {
    diameter_source from;
    double origin; /* FIRST_FAR: x on soma[0] where distances begin */
    double per;    /* um; 0: one compartment */
    int least;     /* axon sections that the file must have */
    bosc_attach at;
    int compartments; /* of each section; 0: as the policy says */
    bool pads;        /* STEPS: where the axon is too short the last but one
                         diameter stands for what is missing */
    bool myelin;
    bool floats; /* define_shape() gives the stub points, whose diameters are
                    floats */
} axon_rule;

static const axon_rule rules[BOSC_N_AXON_RULES] = {
    [BOSC_AXON_STUB] = {ONE_UM, .at = BOSC_ATTACH_MIDDLE, .compartments = 1},
    [BOSC_AXON_ALLEN_PERISOMATIC] = {ONE_UM, .at = BOSC_ATTACH_MIDDLE,
                                     .compartments = 1},
    [BOSC_AXON_AIBS_PERISOMATIC] = {ONE_UM, .at = BOSC_ATTACH_MIDDLE},
    [BOSC_AXON_ALLEN_TRUNCATED] = {FIRST_FAR, .origin = 0, .per = 40,
                                   .least = 1, .at = BOSC_ATTACH_END,
                                   .compartments = 1, .floats = true},
    [BOSC_AXON_AIBS_ALLACTIVE] = {FIRST_LAST, .least = 1, .at = BOSC_ATTACH_END,
                                  .floats = true},
    [BOSC_AXON_BLUEPYOPT] = {FIRST_FAR, .origin = 0.5, .per = 40,
                             .at = BOSC_ATTACH_END, .compartments = 1},
    [BOSC_AXON_BBP_V5] = {FIRST_FAR, .origin = 0, .per = 40,
                          .at = BOSC_ATTACH_END, .compartments = 1},
    [BOSC_AXON_BBP_V6] = {STEPS, .least = 3, .at = BOSC_ATTACH_END,
                          .compartments = STEPS_EACH, .myelin = true},
    [BOSC_AXON_BBP_V6_NOMYELIN] = {STEPS, .least = 3, .at = BOSC_ATTACH_END,
                                   .compartments = STEPS_EACH},
    [BOSC_AXON_THALAMUS] = {STEPS, .least = 1, .at = BOSC_ATTACH_END,
                            .compartments = STEPS_EACH, .pads = true},
};

/* A section to be appended: cylinders of equal length, end to end. */
typedef struct new_section {
    double length;
    int32_t type;
    int32_t compartments; /* 0: as the policy says */
    int32_t n;            /* cylinders */
    double diameter[STEPS_EACH];
} new_section;

enum { MOST_NEW = BOSC_MOST_NUMBERS };

/* What replaces the axon of one neuron. */
typedef struct plan {
    const char *name; /* of the neuron, in messages */
    const bosc_axon_spec *spec;
    axon_rule rule;
    const bosc_sections *all; /* as they are now */
    int32_t soma;             /* soma[0], -1: none */
    int32_t n_axon;           /* sections that go */
    int32_t *axon;            /* [n_axon] in the order of their numbers */
    int32_t n;                /* sections to append */
    new_section new[MOST_NEW];
} plan;

static bool is_axon(const bosc_section *sec)
{
    return sec->region == BOSC_AXON;
}

/* --- diameters ----------------------------------------------------------- */

static double middle_diameter(const plan *p, int32_t s)
{
    const double per = p->rule.per, length = p->all->section[s].length;
    const double n = per > 0 ? 1 + 2 * floor(length / per) : 1;
    const int32_t count = n < 1e9 ? (int32_t)n : 999999999;

    return bosc_sections_diameter(p->all, s, count / 2, count);
}

static bosc_status first_far(const plan *p, double *diameter, bosc_error *err)
{
    double *middle;
    bosc_status st;

    diameter[0] = diameter[1] = 1;
    if (p->n_axon == 0)
        return BOSC_OK;
    middle = bosc_alloc((size_t)p->all->n, sizeof *middle);
    if (middle == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", p->name);
    st = bosc_sections_distances(p->all, p->soma, p->rule.origin, middle, err);
    if (st == BOSC_OK) {
        int32_t k = 0;

        while (k < p->n_axon && !(middle[p->axon[k]] > FAR))
            ++k;
        diameter[0] = middle_diameter(p, p->axon[0]);
        diameter[1] =
            k < p->n_axon ? middle_diameter(p, p->axon[k]) : diameter[0];
    }
    free(middle);
    return st;
}

/* The first diameters along the axon, at most STEPS_ALL; returns how many. */
static int32_t walk_steps(const plan *p, double diameter[STEPS_ALL])
{
    int32_t n = 0;

    for (int32_t k = 0; k < p->n_axon; ++k) {
        const double length = p->all->section[p->axon[k]].length;
        const double pieces = 1 + 2 * floor(length / STEP / 2);

        for (int32_t i = 0; i < pieces && n < STEPS_ALL; ++i)
            diameter[n++] = bosc_sections_diameter(
                p->all, p->axon[k], i,
                pieces < 1e9 ? (int32_t)pieces : 999999999);
    }
    return n;
}

static bosc_status steps(const plan *p, double diameter[STEPS_ALL],
                         bosc_error *err)
{
    const int32_t n = walk_steps(p, diameter),
                  least = p->rule.pads ? 2 : STEPS_ALL;

    if (n < least)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: its axon (%d sections) gives %d diameters in "
                         "steps of %g um, axon rule '%s' needs %d; take "
                         "another rule, such as bluepyopt",
                         p->name, (int)p->n_axon, (int)n, STEP,
                         bosc_axon_names[p->spec->rule], (int)least);
    for (int32_t i = n; i < STEPS_ALL; ++i)
        diameter[i] = diameter[n - 2];
    return BOSC_OK;
}

/* --- the sections -------------------------------------------------------- */

/* The diameters of both stubs: one of each, or STEPS_EACH. */
static bosc_status find_diameters(const plan *p, double diameter[STEPS_ALL],
                                  bosc_error *err)
{
    diameter[0] = diameter[1] = 1;
    if (p->rule.from == FIRST_FAR)
        return first_far(p, diameter, err);
    if (p->rule.from == STEPS)
        return steps(p, diameter, err);
    if (p->rule.from == FIRST_LAST) {
        diameter[0] = middle_diameter(p, p->axon[0]);
        diameter[1] = middle_diameter(p, p->axon[p->n_axon - 1]);
    }
    return BOSC_OK;
}

static bosc_status plan_rule(plan *p, bosc_error *err)
{
    const int32_t each = p->rule.from == STEPS ? STEPS_EACH : 1;
    double diameter[STEPS_ALL];
    bosc_status st;

    if (p->n_axon < p->rule.least)
        return bosc_fail(
            err, BOSC_EVALUE,
            "%s: the number of axon sections is %d, axon rule '%s' needs %d; "
            "take another rule, such as %s, which needs none",
            p->name, (int)p->n_axon, bosc_axon_names[p->spec->rule],
            p->rule.least,
            bosc_axon_names[p->rule.at == BOSC_ATTACH_END ? BOSC_AXON_BLUEPYOPT
                                                          : BOSC_AXON_STUB]);
    if ((st = find_diameters(p, diameter, err)) != BOSC_OK)
        return st;
    for (p->n = 0; p->n < STUBS; ++p->n) {
        new_section *to = &p->new[p->n];

        *to =
            (new_section){STUB, BOSC_SWC_AXON, p->rule.compartments, each, {0}};
        for (int32_t i = 0; i < each; ++i) {
            const double d = diameter[p->n * each + i];

            to->diameter[i] = p->rule.floats ? (float)d : d;
        }
    }
    if (p->rule.myelin)
        p->new[p->n++] = (new_section){MYELIN,
                                       BOSC_SWC_MYELIN,
                                       MYELIN_COMPARTMENTS,
                                       1,
                                       {diameter[STEPS_ALL - 1]}};
    return BOSC_OK;
}

static bosc_status plan_given(plan *p, bosc_error *err)
{
    const bosc_axon_spec *spec = p->spec;
    const int32_t n = spec->lengths.n, cuts = spec->compartments.n;

    if (n < 1 || n > MOST_NEW || spec->diameters.n != n ||
        (cuts != 0 && cuts != n))
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: the axon has %d lengths, %d diameters and %d "
                         "compartments; give one of each for every section",
                         p->name, (int)n, (int)spec->diameters.n, (int)cuts);
    for (p->n = 0; p->n < n; ++p->n) {
        const double length = spec->lengths.at[p->n],
                     diameter = spec->diameters.at[p->n],
                     count = cuts > 0 ? spec->compartments.at[p->n] : 0;

        if (!(length > 0 && diameter > 0 && isfinite(length) &&
              isfinite(diameter) && count >= 0 && count <= 32767))
            return bosc_fail(err, BOSC_EVALUE,
                             "%s: axon section %d: length %g, diameter %g, %g "
                             "compartments; they must be positive, with at "
                             "most 32767 compartments",
                             p->name, (int)p->n, length, diameter, count);
        p->new[p->n] =
            (new_section){length, BOSC_SWC_AXON, (int32_t)count, 1, {diameter}};
    }
    return BOSC_OK;
}

static bosc_status make_plan(plan *p, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    p->rule = rules[p->spec->rule];
    p->soma = bosc_sections_soma(p->all);
    for (int32_t s = 0; s < p->all->n; ++s)
        if (is_axon(&p->all->section[s]))
            p->axon[p->n_axon++] = s; /* in the order of the file, all but a
                                         root that was moved to the front */
    if (p->spec->rule == BOSC_AXON_REMOVE)
        return BOSC_OK;
    if (p->soma < 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: has no soma, on which axon rule '%s' hangs its "
                         "sections; write 'axon: {replace: none}', or remove",
                         p->name, bosc_axon_names[p->spec->rule]);
    st = p->spec->rule == BOSC_AXON_GIVEN ? plan_given(p, err)
                                          : plan_rule(p, err);
    return st;
}

/* --- the result ---------------------------------------------------------- */

/* Copy what stays; index[s] is where section s is in 'to', -1: nowhere. */
static bosc_status copy_kept(const plan *p, bosc_sections *to, int32_t *index,
                             bosc_warnings *notes, bosc_error *err)
{
    char name[BOSC_SECTION_NAME];
    int32_t n = 0;

    for (int32_t s = 0; s < p->all->n; ++s) {
        const bosc_section *from = &p->all->section[s];
        const size_t at = (size_t)from->first_point,
                     points = (size_t)from->n_points;
        bosc_section *sec = &to->section[n];

        index[s] = is_axon(from) ? -1 : n;
        if (index[s] < 0)
            continue;
        *sec = *from;
        sec->first_point = to->n_points;
        memcpy(to->xyz + 3 * (size_t)to->n_points, p->all->xyz + 3 * at,
               3 * points * sizeof *to->xyz);
        memcpy(to->diam + to->n_points, p->all->diam + at,
               points * sizeof *to->diam);
        memcpy(to->arc + to->n_points, p->all->arc + at,
               points * sizeof *to->arc);
        to->n_points += from->n_points;
        ++n;
        if (from->parent < 0)
            continue;
        sec->parent = index[from->parent];
        if (sec->parent >= 0)
            continue;
        sec->parent_x = 0;
        if (notes != NULL &&
            bosc_warn(notes, NULL,
                      "%s: %s hangs on the axon that is removed, left "
                      "unconnected",
                      p->name,
                      bosc_section_name((bosc_region)from->region, from->number,
                                        name)) != BOSC_OK)
            return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", p->name);
    }
    return BOSC_OK;
}

/* A unit vector: from the middle of the soma towards the middle of the points
 * of the axon that goes, or where there is none along -y.  Only positions
 * depend on it. */
static void find_direction(const plan *p, double way[3])
{
    double soma[3], sum[3] = {0}, length = 0;
    int64_t n = 0;

    for (int32_t k = 0; k < p->n_axon; ++k) {
        const bosc_section *sec = &p->all->section[p->axon[k]];

        for (int32_t i = 0; i < 3 * sec->n_points; ++i)
            sum[i % 3] += p->all->xyz[3 * (size_t)sec->first_point + (size_t)i];
        n += sec->n_points;
    }
    bosc_sections_point(p->all, p->soma, 0.5, soma);
    for (int k = 0; k < 3; ++k) {
        way[k] = n > 0 ? sum[k] / (double)n - soma[k] : 0;
        length += way[k] * way[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; ++k)
        way[k] = length > 1e-6 ? way[k] / length : k == 1 ? -1 : 0;
}

static void add_point(bosc_sections *to, bosc_section *sec, double arc,
                      double diameter, const double at[3])
{
    const size_t i = (size_t)to->n_points++;

    for (int k = 0; k < 3; ++k)
        to->xyz[3 * i + (size_t)k] = (float)at[k];
    to->diam[i] = diameter;
    to->arc[i] = arc;
    sec->n_points++;
}

static int32_t count_custom(const bosc_sections *all, int32_t n)
{
    int32_t custom = 0;

    for (int32_t s = 0; s < n; ++s)
        custom += all->section[s].region == BOSC_CUSTOM;
    return custom;
}

/* Append the new sections behind n others; the first hangs on section
 * 'soma'. */
static void append(const plan *p, bosc_sections *to, int32_t n, int32_t soma)
{
    const bosc_attach attach =
        p->spec->attach != BOSC_ATTACH_FILE ? p->spec->attach
        : p->spec->rule == BOSC_AXON_GIVEN  ? BOSC_ATTACH_END
                                            : p->rule.at;
    double way[3], at[3];

    find_direction(p, way);
    bosc_sections_point(p->all, p->soma, bosc_attach_x(attach), at);
    for (int32_t k = 0; k < p->n; ++k) {
        const new_section *new = &p->new[k];
        const bool myelin = new->type == BOSC_SWC_MYELIN;
        bosc_section *sec = &to->section[n + k];

        *sec = (bosc_section){.parent = k > 0 ? n + k - 1 : soma,
                              .parent_x = k > 0 ? 1 : bosc_attach_x(attach),
                              .region = myelin ? BOSC_CUSTOM : BOSC_AXON,
                              .type = new->type,
                              .number = myelin ? count_custom(to, n + k) : k,
                              .first_point = to->n_points,
                              .n_compartments = new->compartments,
                              .fixed = new->compartments,
                              .stepped = true,
                              .length = new->length};
        for (int32_t i = 0; i < 2 * new->n; ++i) { /* ends of cylinders */
            const double arc = new->length *((i + 1) / 2) / new->n;
            double point[3];

            for (int c = 0; c < 3; ++c)
                point[c] = at[c] + arc * way[c];
            add_point(to, sec, arc, new->diameter[i / 2], point);
        }
        for (int c = 0; c < 3; ++c)
            at[c] += new->length *way[c];
    }
}

static bosc_status carry_out(const plan *p, bosc_sections **out, int32_t *index,
                             bosc_warnings *notes, bosc_error *err)
{
    const int32_t kept = p->all->n - p->n_axon;
    size_t points = (size_t)p->all->n_points;
    bosc_sections *made;
    bosc_status st;

    if (kept + p->n < 1)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: has nothing but axon, and nothing is left "
                         "without it; write 'axon: {replace: none}'",
                         p->name);
    for (int32_t k = 0; k < p->n; ++k)
        points += 2 * (size_t)p->new[k].n;
    if ((made = bosc_sections_alloc(kept + p->n, points)) == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", p->name);
    memcpy(made->differs, p->all->differs, sizeof made->differs);
    if ((st = copy_kept(p, made, index, notes, err)) != BOSC_OK) {
        bosc_sections_destroy(made);
        return st;
    }
    if (p->n > 0)
        append(p, made, kept, index[p->soma]);
    bosc_sections_set_levels(made);
    *out = made;
    return BOSC_OK;
}

bosc_status bosc_axon_replace(bosc_sections **all, const bosc_axon_spec *axon,
                              const char *name, bosc_warnings *notes,
                              bosc_error *err)
{
    plan p = {.name = name, .spec = axon, .all = *all};
    int32_t *index;
    const bosc_array arrays[] = {BOSC_ARRAY(p.axon, (*all)->n),
                                 BOSC_ARRAY(index, (*all)->n)};
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);
    bosc_sections *made = NULL;
    bosc_status st =
        room != NULL ? make_plan(&p, err)
                     : bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", name);

    if (st == BOSC_OK)
        st = carry_out(&p, &made, index, notes, err);
    if (st == BOSC_OK) {
        bosc_sections_destroy(*all);
        *all = made;
    }
    free(room);
    return st;
}
