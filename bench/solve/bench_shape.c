#include "bench/solve/bench_shape.h"

#include <Random123/philox.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/cable.h"
#include "src/morphology/morphology.h"
#include "src/text/did_you_mean.h"
#include "src/text/number.h"

enum {
    LONGEST = 1 << 27, /* chain, as cable.h allows */
    FORKED = 512,      /* compartments of levels:L and rooted:L */
    MOST_LEVELS = 9,   /* 511 sections */
    MOST_ROOTED = 8,   /* 254 sections of a compartment below the root's */
    LEAST_TREE = 5,    /* a soma, and a dendrite of two compartments */
    DRAWS = 0x73686170 /* keeps these draws apart from others */
};

typedef bosc_status make_tree(const bosc_bench_shape *shape, int32_t k,
                              bosc_tree *out, bosc_error *err);

/* A family of shapes: what its words begin with, the reader of what follows
 * (false: nonsense), and what makes its trees. */
typedef struct bosc_bench_kind {
    const char *word;
    bool (*read)(const char *rest, bosc_bench_shape *out);
    make_tree *make;
    const char *unit; /* for refusals; NULL: what follows is no number */
    int32_t least, most;
    const char *example;
} kind;

/* Number k of a stream of random numbers below n. */
static int32_t draw_below(int32_t k, uint32_t stream, int32_t n)
{
    const philox4x32_ctr_t at = {{(uint32_t)k, stream, 0, 0}};
    const philox4x32_key_t key = {{DRAWS, 0}};

    return (int32_t)((uint64_t)philox4x32(at, key).v[0] * (uint64_t)n >> 32);
}

static bosc_status allocate(int32_t n, bosc_tree *out, int32_t **parent,
                            bosc_error *err)
{
    *parent = bosc_alloc((size_t)n, sizeof **parent);
    if (*parent == NULL)
        return bosc_no_memory(err, "a tree");
    *out = (bosc_tree){n, *parent};
    return BOSC_OK;
}

/* ---- chains ---- */

static bool read_count(const char *text, const char *end, int32_t most,
                       int32_t *out)
{
    int64_t n = 0;

    if (!bosc_number_whole(text, end, &n) || n < 1 || n > most)
        return false;
    *out = (int32_t)n;
    return true;
}

/* "512", or "256-512" */
static bool read_range(const char *rest, int32_t *least, int32_t *most)
{
    const char *dash = strchr(rest, '-'), *end = strchr(rest, '\0');

    if (!read_count(rest, dash != NULL ? dash : end, LONGEST, least))
        return false;
    *most = *least;
    return dash == NULL ||
           (read_count(dash + 1, end, LONGEST, most) && *most >= *least);
}

static bool read_chain(const char *rest, bosc_bench_shape *out)
{
    return read_range(rest, &out->least, &out->most);
}

static bosc_status make_chain(const bosc_bench_shape *shape, int32_t k,
                              bosc_tree *out, bosc_error *err)
{
    const int32_t n =
        shape->least + draw_below(k, 0, shape->most - shape->least + 1);
    int32_t *parent;

    if (allocate(n, out, &parent, err) != BOSC_OK)
        return BOSC_ENOMEM;
    for (int32_t i = 0; i < n; ++i)
        parent[i] = i - 1;
    return BOSC_OK;
}

/* ---- sections that fork in two ---- */

static bool read_levels(const char *rest, bosc_bench_shape *out)
{
    const bool good =
        read_count(rest, strchr(rest, '\0'), MOST_LEVELS, &out->least);

    out->most = out->least;
    return good;
}

/* A section of 'each' that hangs on 'up', and all below it; the next free
 * compartment is returned. */
static int32_t grow(int32_t *parent, int32_t next, int32_t up, int32_t each,
                    int32_t levels)
{
    for (int32_t i = 0; i < each; ++i, up = next++)
        parent[next] = up;
    for (int child = 0; child < 2 && levels > 1; ++child)
        next = grow(parent, next, up, each, levels - 1);
    return next;
}

static bool read_rooted(const char *rest, bosc_bench_shape *out)
{
    const bool good =
        read_count(rest, strchr(rest, '\0'), MOST_ROOTED, &out->least);

    out->most = out->least;
    return good && out->least > 1;
}

/* The root's section has half of the neuron, and what the others do not share
 * evenly. */
static bosc_status make_rooted(const bosc_bench_shape *shape, int32_t k,
                               bosc_tree *out, bosc_error *err)
{
    const int32_t sections = (1 << shape->least) - 2;
    const int32_t each = FORKED / 2 / sections, root = FORKED - each * sections;
    int32_t *parent, next = root;

    (void)k;
    if (allocate(FORKED, out, &parent, err) != BOSC_OK)
        return BOSC_ENOMEM;
    for (int32_t i = 0; i < root; ++i)
        parent[i] = i - 1;
    for (int child = 0; child < 2; ++child)
        next = grow(parent, next, root - 1, each, shape->least - 1);
    return BOSC_OK;
}

/* What the sections do not share evenly goes to the root's. */
static bosc_status make_levels(const bosc_bench_shape *shape, int32_t k,
                               bosc_tree *out, bosc_error *err)
{
    const int32_t sections = (1 << shape->least) - 1;
    const int32_t each = FORKED / sections, rest = FORKED % sections;
    int32_t *parent;

    (void)k;
    if (allocate(FORKED, out, &parent, err) != BOSC_OK)
        return BOSC_ENOMEM;
    for (int32_t i = 0; i < rest; ++i)
        parent[i] = i - 1;
    grow(parent, rest, rest - 1, each, shape->least);
    return BOSC_OK;
}

/* ---- neurons ---- */

/* The tree of a template, which is freed. */
static bosc_status keep(bosc_cable *cable, bosc_tree *out, bosc_error *err)
{
    int32_t *parent;
    const bosc_status st = allocate(cable->n, out, &parent, err);

    if (st == BOSC_OK)
        memcpy(parent, cable->parent, (size_t)cable->n * sizeof *parent);
    bosc_cable_destroy(cable);
    return st;
}

static bool read_class(const char *word, bosc_bench_shape *out)
{
    for (size_t i = 0; i < BOSC_LEN(bosc_synthetic_classes); ++i) {
        const bosc_synthetic_class *class = &bosc_synthetic_classes[i];

        if (strcmp(class->name, word) == 0) {
            out->size =
                (bosc_synthetic){class->compartments, class->sections, 1};
            return true;
        }
    }
    return false;
}

static bool read_mix(const char *rest, bosc_bench_shape *out)
{
    out->trees[0] = 76;
    out->trees[1] = 691;
    return *rest == '\0';
}

static bool read_trees(const char *rest, bosc_bench_shape *out)
{
    return read_range(rest, &out->trees[0], &out->trees[1]) &&
           out->trees[0] >= LEAST_TREE;
}

/* A section begins with one compartment and ends with another, so sections are
 * half as many as the compartments that do. */
static bosc_synthetic draw_size(const int32_t range[2], int32_t k)
{
    const int32_t n = range[0] + draw_below(k, 1, range[1] - range[0] + 1);
    const int32_t percent = 10 + draw_below(k, 2, 98 - 10 + 1);
    const int32_t sections = (int32_t)((int64_t)n * percent / 200);

    return (bosc_synthetic){n, sections > 2 ? sections : 2, 1};
}

static bosc_status make_synthetic(const bosc_bench_shape *shape, int32_t k,
                                  bosc_tree *out, bosc_error *err)
{
    const bosc_synthetic size =
        shape->size.compartments > 0 ? shape->size : draw_size(shape->trees, k);
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_swc *swc = NULL;
    bosc_cable *cable = NULL;
    bosc_status st = bosc_synthetic_create(&size, k, &swc, err);

    spec.policy = BOSC_PER_SAMPLE; /* exactly the size asked for */
    if (st == BOSC_OK)
        st = bosc_cable_cut(swc, &spec, "a synthetic neuron", &cable, err);
    bosc_swc_destroy(swc);
    return st == BOSC_OK ? keep(cable, out, err) : st;
}

/* ---- files ---- */

static bosc_status open_files(const char *path, bosc_bench_shape *out,
                              bosc_error *err)
{
    bosc_population_spec all = {.name = "bench",
                                .morphologies = bosc_strdup(path),
                                .every_row = true,
                                .count = 1};
    const bosc_job job = {.path = "--shape",
                          .folder = ".",
                          .n_populations = 1,
                          .populations = &all};
    const bosc_status st =
        all.morphologies != NULL
            ? bosc_gid_table_create(&job, &out->gid_table, err)
            : bosc_no_memory(err, path);

    free(all.morphologies);
    return st;
}

static bosc_status make_file(const bosc_bench_shape *shape, int32_t k,
                             bosc_tree *out, bosc_error *err)
{
    const char *path = shape->gid_table->files[k];
    const bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *cable = NULL;
    const bosc_status st = bosc_morphology_cut(path, false, &spec, &cable, err);

    return st == BOSC_OK ? keep(cable, out, err) : st;
}

/* ---- words ---- */

static const kind kinds[] = {
    {"chain:", read_chain, make_chain, "compartments", 1, LONGEST,
     "chain:512, or the fewest and the most, as in chain:256-512"},
    {"levels:", read_levels, make_levels, "levels", 1, MOST_LEVELS, "levels:3"},
    {"rooted:", read_rooted, make_rooted, "levels", 2, MOST_ROOTED, "rooted:3"},
    {"tree:", read_trees, make_synthetic, "compartments", LEAST_TREE, LONGEST,
     "tree:600, or the fewest and the most, as in tree:600-700"},
    {"mix", read_mix, make_synthetic, NULL, 0, 0, NULL},
    {"", read_class, make_synthetic, NULL, 0, 0, NULL},
};
static const kind files = {.make = make_file};

/* What is no shape, or begins as a family's word but goes on wrongly. */
static bosc_status refuse(const char *word, bosc_error *err)
{
    const char *names[BOSC_N_SYNTHETIC_CLASSES + 6];
    char meant[400];
    size_t n = 0;

    for (const kind *k = kinds; k->unit != NULL; ++k)
        if (strncmp(word, k->word, strlen(k->word)) == 0)
            return bosc_fail(err, BOSC_EUSAGE,
                             "--shape %s: give %s from %d to %d, as in %s",
                             word, k->unit, k->least, k->most, k->example);
    for (; n < BOSC_N_SYNTHETIC_CLASSES; ++n)
        names[n] = bosc_synthetic_classes[n].name;
    names[n++] = "mix";
    names[n++] = "chain:512";
    names[n++] = "levels:3";
    names[n++] = "rooted:3";
    names[n++] = "tree:600";
    names[n++] = "LIST.tsv";
    return bosc_fail(
        err, BOSC_EUSAGE, "--shape %s: there is no such shape; %s", word,
        bosc_did_you_mean(word, n, names, "available:", meant, sizeof meant));
}

bosc_status bosc_bench_shape_create(const char *word, bosc_bench_shape *out,
                                    bosc_error *err)
{
    *out = (bosc_bench_shape){0};
    for (size_t i = 0; i < BOSC_LEN(kinds); ++i) {
        const size_t length = strlen(kinds[i].word);

        if (strncmp(word, kinds[i].word, length) == 0 &&
            kinds[i].read(word + length, out)) {
            out->kind = &kinds[i];
            return BOSC_OK;
        }
    }
    if (strpbrk(word, "./*") == NULL)
        return refuse(word, err);
    out->kind = &files;
    return open_files(word, out, err);
}

void bosc_bench_shape_clear(bosc_bench_shape *shape)
{
    bosc_gid_table_destroy(shape->gid_table);
    *shape = (bosc_bench_shape){0};
}

bosc_status bosc_bench_shape_tree(const bosc_bench_shape *shape, int32_t k,
                                  bosc_tree *out, bosc_error *err)
{
    return shape->kind->make(shape, k, out, err);
}
