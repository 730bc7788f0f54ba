/* where.c - which compartments a predicate holds. */
#include "src/morphology/where/where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/morphology/cable.h"
#include "src/morphology/section.h"
#include "src/morphology/swc.h"
#include "src/text/print.h"
#include "tests/lib/tap.h"

/* A soma of 20 um (x = 0 to 20), a dendrite of 60 that forks into 30 and 50,
 * that of 50 into two of 10; an axon at the soma's start; an apical dendrite of
 * 40 um and 4 um thick at the soma's end, which goes on as custom, type 7, for
 * 25.  Dendrites are 2 um thick. */
static const char tree[] = "1 1 0 0 0 5 -1\n2 1 20 0 0 5 1\n"
                           "3 3 50 0 0 1 2\n4 3 80 0 0 1 3\n"
                           "5 3 80 30 0 1 4\n6 3 80 -50 0 1 4\n"
                           "7 3 80 -60 0 1 6\n8 3 90 -50 0 1 6\n"
                           "9 2 -30 0 0 0.5 1\n"
                           "10 4 20 0 40 2 2\n11 7 20 0 65 2 10\n";

static bosc_sections *sections_of(const char *text)
{
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;

    if (bosc_swc_parse(text, strlen(text), "t", false, &swc, NULL) == BOSC_OK)
        bosc_sections_create(swc, &all, NULL);
    bosc_swc_destroy(swc);
    return all;
}

static bosc_cable *cable_of(const bosc_sections *all, int32_t n)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *cable = NULL;

    spec.policy = BOSC_PER_SECTION;
    spec.per_section = n;
    if (all != NULL)
        bosc_cable_create(all, &spec, "t", &cable, NULL);
    return cable;
}

#define SOMA                                                                   \
    {                                                                          \
        0                                                                      \
    }
#define AT(r, n, x)                                                            \
    {                                                                          \
        true, BOSC_##r, n, x                                                   \
    }
#define KIND(r)                                                                \
    {                                                                          \
        .kind = BOSC_WHERE_KIND, .region = BOSC_##r                            \
    }
#define DISTANCE(a, b)                                                         \
    {                                                                          \
        .kind = BOSC_WHERE_DISTANCE, .low = a, .high = b                       \
    }
#define DIAMETER(a, b)                                                         \
    {                                                                          \
        .kind = BOSC_WHERE_DIAMETER, .low = a, .high = b                       \
    }
#define ORDER(a, b)                                                            \
    {                                                                          \
        .kind = BOSC_WHERE_ORDER, .low = a, .high = b                          \
    }
#define BETWEEN(...)                                                           \
    {                                                                          \
        .kind = BOSC_WHERE_BETWEEN, .place = { __VA_ARGS__ }                   \
    }
#define SECTIONS(r, a, b)                                                      \
    {                                                                          \
        .kind = BOSC_WHERE_SECTIONS, .region = BOSC_##r, .first = a, .last = b \
    }
#define TYPE(t)                                                                \
    {                                                                          \
        .kind = BOSC_WHERE_TYPE, .index = t                                    \
    }
#define REGION(r)                                                              \
    {                                                                          \
        .kind = BOSC_WHERE_REGION, .index = r                                  \
    }
#define TIP                                                                    \
    {                                                                          \
        .kind = BOSC_WHERE_TIP                                                 \
    }
#define AND(n)                                                                 \
    {                                                                          \
        .kind = BOSC_WHERE_AND, .n_below = n                                   \
    }
#define OR(n)                                                                  \
    {                                                                          \
        .kind = BOSC_WHERE_OR, .n_below = n                                    \
    }
#define NOT                                                                    \
    {                                                                          \
        .kind = BOSC_WHERE_NOT, .n_below = 1                                   \
    }

enum { MOST = 8 };

/* 'is' lists the sections' compartments that are in, of 4 each: "dend0:0123".
 * 'print': as canonical text, NULL: not looked at. */
typedef struct test {
    const char *name;
    int n;
    bosc_where_node node[MOST];
    const char *is, *print;
} test;

static const test tests[] = {
    {"a kind of section", 1, {KIND(AXON)}, "axon0:0123 ", "axon"},
    {"a type code", 1, {TYPE(7)}, "custom0:0123 ", "type 7"},
    {"the sections of a range",
     1,
     {SECTIONS(DENDRITE, 1, 2)},
     "dend1:0123 dend2:0123 ",
     "dend[1-2]"},
    {"the sections from one on",
     1,
     {SECTIONS(DENDRITE, 3, INT32_MAX)},
     "dend3:0123 dend4:0123 ",
     "dend[3-]"},
    {"all sections of a name",
     1,
     {SECTIONS(APICAL, 0, INT32_MAX)},
     "apic0:0123 ",
     "apic[0-]"},
    /* the middle of the soma is that of its third compartment, 12.5 um from its
       start */
    {"distances from the compartment with the middle of the soma, ends "
     "included",
     1,
     {DISTANCE(5, 12.5)},
     "soma0:013 apic0:0 ",
     "distance 5 to 12.5"},
    {"distances beyond the first fork",
     1,
     {DISTANCE(100, INFINITY)},
     "dend2:3 dend3:0123 dend4:0123 ",
     "distance 100 to inf"},
    {"distances from another place, both ways",
     1,
     {{.kind = BOSC_WHERE_DISTANCE,
       .low = 0,
       .high = 10,
       .place = {AT(DENDRITE, 0, 1)}}},
     "dend0:3 dend1:0 dend2:0 ",
     "distance 0 to 10 from dend[0](1)"},
    {"a distance, on each branch",
     1,
     {{.kind = BOSC_WHERE_AT, .low = 70}},
     "dend1:0 dend2:0 custom0:3 ",
     "at 70"},
    {"a border is part of the farther compartment",
     1,
     {{.kind = BOSC_WHERE_AT, .low = 22.5}},
     "axon0:1 dend0:1 apic0:1 ",
     NULL},
    {"the compartment of the place",
     1,
     {{.kind = BOSC_WHERE_AT, .low = 1, .place = {AT(DENDRITE, 0, 0.4)}}},
     "dend0:1 ",
     "at 1 from dend[0](0.4)"},
    {"a point, which a list has beside a region",
     3,
     {OR(2),
      {.kind = BOSC_WHERE_POINT, .place = {AT(DENDRITE, 2, 0.1)}},
      KIND(AXON)},
     "axon0:0123 dend2:0 ",
     "(dend[2](0.1) or axon)"},
    {"diameters, ends included",
     2,
     {AND(1), DIAMETER(2, 4)},
     "dend0:0123 dend1:0123 dend2:0123 dend3:0123 dend4:0123 apic0:0123 "
     "custom0:0123 ",
     "(diameter 2 to 4)"},
    {"no branch point between",
     1,
     {ORDER(0, 0)},
     "soma0:0123 axon0:0123 dend0:0123 apic0:0123 custom0:0123 ",
     "order 0 to 0"},
    {"one branch point", 1, {ORDER(1, 1)}, "dend1:0123 dend2:0123 ", NULL},
    {"two or more", 1, {ORDER(2, 99)}, "dend3:0123 dend4:0123 ", NULL},
    {"tips",
     1,
     {TIP},
     "axon0:0123 dend1:0123 dend3:0123 dend4:0123 custom0:0123 ",
     "tip"},
    {"the path from the soma to a place",
     1,
     {BETWEEN(SOMA, AT(DENDRITE, 2, 0.4))},
     "soma0:23 dend0:0123 dend2:01 ",
     "between soma and dend[2](0.4)"},
    {"the path over a fork, to an end",
     1,
     {BETWEEN(AT(DENDRITE, 1, 0.3), AT(DENDRITE, 3, 1))},
     "dend1:01 dend2:0123 dend3:0123 ",
     NULL},
    {"the path through the soma",
     1,
     {BETWEEN(AT(AXON, 0, 0), AT(APICAL, 0, 0))},
     "soma0:0123 axon0:0 apic0:0 ",
     NULL},
    {"the path within one compartment",
     1,
     {BETWEEN(AT(DENDRITE, 0, 0.3), AT(DENDRITE, 0, 0.49))},
     "dend0:1 ",
     NULL},
    {"the path over an end",
     1,
     {BETWEEN(AT(DENDRITE, 0, 1), AT(DENDRITE, 1, 0))},
     "dend0:3 dend1:0 ",
     NULL},
    {"an earlier region", 1, {REGION(1)}, "dend0:0 dend2:1 ", "region 1"},
    {"and",
     3,
     {AND(2), KIND(DENDRITE), DISTANCE(0, 40)},
     "dend0:01 ",
     "(dendrite and distance 0 to 40)"},
    {"or",
     3,
     {OR(2), KIND(AXON), KIND(APICAL)},
     "axon0:0123 apic0:0123 ",
     "(axon or apical)"},
    {"not",
     4,
     {NOT, OR(2), KIND(DENDRITE), KIND(SOMA)},
     "axon0:0123 apic0:0123 custom0:0123 ",
     "not ((dendrite or soma))"},
    {"all of these within each other",
     7,
     {AND(6), NOT, TIP, OR(3), AND(2), KIND(DENDRITE), ORDER(1, 9)},
     "dend2:0123 ",
     "(not (tip) and ((dendrite and order 1 to 9)))"},
    {"and of nothing",
     3,
     {AND(2), AND(0), KIND(AXON)},
     "axon0:0123 ",
     "((all) and axon)"},
    {"or of nothing", 1, {OR(0)}, "", "(none)"},
};

/* The nodes of a test as they are built: those above before those below. */
static bosc_where where_of(int n, const bosc_where_node *node)
{
    bosc_where where = {0};
    char *source = malloc(20);

    where.source = strcpy(source, "job.yaml");
    for (int i = 0; i < n; ++i) {
        bosc_where_add(&where, &node[i], NULL);
        where.node[i].line = 12;
        for (int k = 0; k <= i; ++k)
            if (k + node[k].n_below == i)
                bosc_where_close(&where, (size_t)k);
    }
    return where;
}

static char *text_of(const bosc_where *where)
{
    bosc_print text;

    bosc_where_print(where, bosc_print_begin(&text));
    return bosc_print_end(&text);
}

/* "dend0:01 " of each section that has some. */
static void list(const bosc_cable *c, const bool *in, char text[400])
{
    char *p = text;

    *p = '\0';
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        for (int32_t s = 0; s < c->n_sections; ++s) {
            const bosc_cable_section *sec = &c->sections[s];
            bool any = false;

            for (int32_t k = 0; k < sec->n && sec->region == r; ++k) {
                if (!in[sec->first + k])
                    continue;
                if (!any)
                    p += sprintf(p, "%s%d:", bosc_region_prefixes[r],
                                 (int)sec->number);
                any = true;
                *p++ = (char)('0' + k);
            }
            if (any)
                p += sprintf(p, " ");
        }
}

/* Nodes without area are never in. */
static bool only_compartments(const bosc_cable *c, const bool *in)
{
    for (int32_t i = 0; i < c->n; ++i)
        if (in[i] && !(c->area[i] > 0))
            return false;
    return true;
}

static void test_one(const bosc_cable *c, const test *t, bool *in,
                     const bool *const *earlier)
{
    bosc_where where = where_of(t->n, t->node), copy = where_of(t->n, t->node);
    bosc_error err = {{0}};
    char got[400], *text = text_of(&where);
    const bosc_status st =
        bosc_where_mark(&where, c, "t.swc", earlier, in, &err);

    list(c, in, got);

    if (!ok(st == BOSC_OK && strcmp(got, t->is) == 0 &&
                only_compartments(c, in),
            "%s", t->name))
        diag("%s '%s' instead of '%s'", err.text, got, t->is);
    if (t->print != NULL && !ok(strcmp(text, t->print) == 0, "... as text"))
        diag("'%s' instead of '%s'", text, t->print);
    for (size_t i = 0; i < copy.n; ++i)
        copy.node[i].line = 99;

    const bool same = bosc_where_same(&where, &copy);

    copy.node[copy.n - 1].index += 1;
    ok(same && !bosc_where_same(&where, &copy),
       "... is the same as a copy of other lines, not with another number");
    bosc_where_clear(&copy);
    bosc_where_clear(&where);
    free(text);
}

static void test_compartments(void)
{
    bosc_sections *all = sections_of(tree);
    bosc_cable *c = cable_of(all, 4);

    if (!ok(c != NULL && c->n_sections == 9, "the tree is made")) {
        diag("%d sections", c == NULL ? 0 : (int)c->n_sections);
        return;
    }

    bool *in = calloc((size_t)c->n, 1), *one = calloc((size_t)c->n, 1);
    const bool *const earlier[] = {NULL, one};

    one[bosc_cable_node(c, BOSC_DENDRITE, 0, 0.1)] = true;
    one[bosc_cable_node(c, BOSC_DENDRITE, 2, 0.3)] = true;
    one[bosc_cable_node(c, BOSC_DENDRITE, 2, 1)] = true; /* has no area */
    for (size_t i = 0; i < BOSC_LEN(tests); ++i)
        test_one(c, &tests[i], in, earlier);

    const bosc_where none = {0};
    char *text = text_of(&none);
    int32_t n = 0;

    bosc_where_mark(&none, c, "t.swc", NULL, in, NULL);
    for (int32_t i = 0; i < c->n; ++i)
        n += in[i];
    ok(n == 4 * 9 && strcmp(text, "all") == 0 && only_compartments(c, in),
       "no predicate holds every compartment");
    free(text);
    free(in);
    free(one);
    bosc_cable_destroy(c);
    bosc_sections_destroy(all);
}

/* --- what a neuron does not have ----------------------------------------- */

static const struct {
    const char *name;
    bosc_where_node node;
    const char *is;
} missing[] = {
    {"a section", SECTIONS(DENDRITE, 7, 7),
     "job.yaml:12: where: t.swc has no section dend[7], it has 5 of that kind, "
     "up to dend[4]; name one that every neuron of the population has"},
    {"the end of a range", SECTIONS(DENDRITE, 2, 5),
     "job.yaml:12: where: t.swc has no section dend[5], it has 5"},
    {"the beginning of a range", SECTIONS(APICAL, 1, INT32_MAX),
     "job.yaml:12: where: t.swc has no section apic[1], it has only apic[0];"},
    {"where to count from",
     {.kind = BOSC_WHERE_DISTANCE, .high = 9, .place = {AT(AXON, 3, 0.5)}},
     "job.yaml:12: where: t.swc has no section axon[3], it has only axon[0];"},
    {"an end of a path", BETWEEN(SOMA, AT(DENDRITE, 12, 0.5)),
     "job.yaml:12: where: t.swc has no section dend[12]"},
};

static void test_missing(void)
{
    bosc_sections *all = sections_of(tree);
    bosc_cable *c = cable_of(all, 2);
    bool *in = c == NULL ? NULL : calloc((size_t)c->n, 1);

    for (size_t i = 0; in != NULL && i < BOSC_LEN(missing); ++i) {
        bosc_where where = where_of(1, &missing[i].node);
        bosc_error err = {{0}};

        if (!ok(bosc_where_mark(&where, c, "t.swc", NULL, in, &err) ==
                        BOSC_EVALUE &&
                    strncmp(err.text, missing[i].is, strlen(missing[i].is)) ==
                        0,
                "%s that is not there", missing[i].name))
            diag("'%s'", err.text);
        bosc_where_clear(&where);
    }
    free(in);
    bosc_cable_destroy(c);
    bosc_sections_destroy(all);
}

/* Two parts, without a soma. */
static void test_parts(void)
{
    bosc_sections *all =
        sections_of("1 3 0 0 0 1 -1\n2 3 40 0 0 1 1\n3 3 40 9 0 1 2\n"
                    "4 3 50 0 0 1 2\n5 2 500 0 0 1 -1\n6 2 530 0 0 1 5\n");
    bosc_cable *c = cable_of(all, 2);
    bool in[40];
    bosc_error err = {{0}};
    char got[400];
    bosc_where apart =
        where_of(1, &(const bosc_where_node)BETWEEN(SOMA, AT(AXON, 0, 1)));
    bosc_where near = where_of(1, &(const bosc_where_node)DISTANCE(0, 1e9));
    bosc_where all_of =
        where_of(1, &(const bosc_where_node)DISTANCE(11, INFINITY));
    bosc_where order = where_of(1, &(const bosc_where_node)ORDER(1, 1));
    bosc_where axon =
        where_of(1, &(const bosc_where_node)SECTIONS(SOMA, 0, INT32_MAX));

    if (!ok(c != NULL && c->n_sections == 4 && c->n < 40,
            "a neuron of two parts is made"))
        return;
    if (!ok(bosc_where_mark(&apart, c, "t", NULL, in, &err) == BOSC_EVALUE &&
                strcmp(err.text,
                       "job.yaml:12: between: no cable connects the two places "
                       "in t; name places in one part of the neuron") == 0,
            "there is no path between parts"))
        diag("%s", err.text);
    bosc_where_mark(&near, c, "t", NULL, in, NULL);
    list(c, in, got);
    ok(strcmp(got, "dend0:01 dend1:01 dend2:01 ") == 0,
       "the other part is infinitely far");
    bosc_where_mark(&all_of, c, "t", NULL, in, NULL);
    list(c, in, got);
    ok(strcmp(got, "axon0:01 dend0:0 dend1:01 dend2:01 ") == 0,
       "... which an infinite distance holds");
    bosc_where_mark(&order, c, "t", NULL, in, NULL);
    list(c, in, got);
    if (!ok(strcmp(got, "dend1:01 dend2:01 ") == 0,
            "without a soma, orders count from the root section"))
        diag("%s", got);
    bosc_where_mark(&axon, c, "t", NULL, in, NULL);
    list(c, in, got);
    ok(got[0] == '\0', "no section of a name needs to be there");
    bosc_where_clear(&apart);
    bosc_where_clear(&near);
    bosc_where_clear(&all_of);
    bosc_where_clear(&order);
    bosc_where_clear(&axon);
    bosc_cable_destroy(c);
    bosc_sections_destroy(all);
}

/* The root is the tip of a dendrite (order 0 is what touches the soma). */
static void test_soma_in_the_middle(void)
{
    bosc_sections *all =
        sections_of("1 3 0 0 0 1 -1\n2 3 20 0 0 1 1\n3 3 20 9 0 1 2\n"
                    "4 3 40 0 0 1 2\n5 1 60 0 0 5 4\n6 3 85 0 0 1 5\n");
    bosc_cable *c = cable_of(all, 1);
    int32_t order[9] = {0}, n[3] = {0};

    if (!ok(c != NULL && c->n_sections == 5 &&
                c->sections[0].region == BOSC_DENDRITE &&
                bosc_branch_orders(c, order, NULL) == BOSC_OK,
            "a neuron with its root at the tip of a dendrite is made")) {
        diag("%d sections", c == NULL ? 0 : (int)c->n_sections);
        return;
    }
    for (int s = 0; s < 5; ++s)
        n[order[s] > 1 ? 2 : order[s]]++;
    if (!ok(n[0] == 3 && n[1] == 2 && order[0] == 1,
            "orders count from its soma, up to the root as well"))
        diag("%d %d %d", n[0], n[1], n[2]);
    bosc_cable_destroy(c);
    bosc_sections_destroy(all);
}

/* A chain of 50000 forks, each with a side branch: 100001 sections. */
static void test_speed(void)
{
    enum { FORKS = 50000 };
    bosc_print text;
    FILE *file = bosc_print_begin(&text);
    int id = 2;

    fprintf(file, "1 1 0 0 0 5 -1\n2 3 10 0 0 1 1\n");
    for (int i = 0, from = 2; i < FORKS; ++i, from = id) {
        fprintf(file, "%d 3 %d 5 0 1 %d\n", id + 1, 10 + i, from);
        fprintf(file, "%d 3 %d 0 0 1 %d\n", id + 2, 11 + i, from);
        id += 2;
    }

    char *swc = bosc_print_end(&text);
    bosc_sections *all = sections_of(swc);
    bosc_cable *c = cable_of(all, 1);
    bosc_where_node node[] = {AND(7),
                              KIND(DENDRITE),
                              {.kind = BOSC_WHERE_DISTANCE,
                               .high = INFINITY,
                               .place = {AT(DENDRITE, 99999, 0.5)}},
                              DIAMETER(0, 9),
                              ORDER(0, 1e9),
                              BETWEEN(SOMA, AT(DENDRITE, 99999, 1)),
                              NOT,
                              KIND(AXON)};
    bosc_where where = where_of((int)BOSC_LEN(node), node);
    bool *in = c == NULL ? NULL : calloc((size_t)c->n, 1);
    const clock_t start = clock();
    int32_t n = 0;

    if (!ok(in != NULL && c->n > 2 * FORKS, "a neuron of %d forks is made",
            FORKS))
        return;

    const bosc_status st = bosc_where_mark(&where, c, "t", NULL, in, NULL);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;

    for (int32_t i = 0; i < c->n; ++i)
        n += in[i];
    ok(st == BOSC_OK && n >= FORKS && n < FORKS + 3,
       "its longest path is found");
    if (!ok(seconds < 1, "... in less than a second"))
        diag("%g s", seconds);
    free(swc);
    free(in);
    bosc_where_clear(&where);
    bosc_cable_destroy(c);
    bosc_sections_destroy(all);
}

int main(void)
{
    test_compartments();
    test_missing();
    test_parts();
    test_soma_in_the_middle();
    test_speed();
    return done_testing();
}
