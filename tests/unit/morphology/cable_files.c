/* Templates of published neurons: NEURON's own nodes, and what every template
 * must fulfil. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "tests/lib/cable_file.h"
#include "tests/lib/shared.h"
#include "tests/lib/tap.h"
#include "tests/lib/tsv.h"

/* ---- NEURON's own nodes ---- */

static const struct {
    const char *name, *swc;
    bosc_policy policy;
} references[] = {{"c6a_swc100", "syn100.swc", BOSC_D_LAMBDA},
                  {"c6a_swc100_nseg1", "syn100.swc", BOSC_PER_SECTION},
                  {"c6b_swc400", "syn400.swc", BOSC_D_LAMBDA},
                  {"c6c_allen_pvalb", "Pvalb_469628681_m.swc", BOSC_D_LAMBDA}};

static bosc_cable *read_cable(const char *path, bosc_policy policy)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_cable *c = NULL;
    bosc_error err;

    spec.policy = policy;
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        spec.Ra[r] = 120;
    spec.cm[BOSC_APICAL] = 1.5;
    if (cable_file_read(path, &spec, &c, &err) != BOSC_OK)
        diag("%s", err.text);
    return c;
}

/* The largest relative difference of areas and resistances; infinite where
 * the trees differ. */
static double compare_nodes(const bosc_cable *c, const tsv *rows)
{
    const size_t section = tsv_column(rows, "section");
    const size_t x = tsv_column(rows, "x"), ri = tsv_column(rows, "ri");
    const size_t area = tsv_column(rows, "area");
    const size_t zero = tsv_column(rows, "zero_area");
    int32_t *ours = bosc_alloc(rows->n, sizeof *ours);
    double worst = rows->n == (size_t)c->n && ours != NULL ? 0 : INFINITY;

    for (size_t i = 0; worst < INFINITY && i < rows->n; ++i) {
        const int p = (int)tsv_number(rows, i, 1);
        const int32_t k = cable_file_node(c, tsv_text(rows, i, section),
                                          tsv_number(rows, i, x));

        ours[i] = k;
        if (k < 0 || c->parent[k] != (p < 0 ? -1 : ours[p]) ||
            (c->area[k] == 0) != (tsv_number(rows, i, zero) == 1))
            worst = INFINITY;
        else if (c->area[k] > 0)
            worst =
                fmax(worst, fabs(c->area[k] / tsv_number(rows, i, area) - 1));
        if (k > 0 && p >= 0)
            worst =
                fmax(worst, fabs(c->g_axial[k] * tsv_number(rows, i, ri) - 1));
    }
    free(ours);
    return worst;
}

static void test_reference(size_t which, const char *folder, const char *swc)
{
    const char *name = references[which].name;
    tsv rows;

    if (!tsv_read(folder, "nodes.tsv", &rows)) {
        skip("%s: recorded NEURON sections are not at hand", name);
        return;
    }
    bosc_cable *c = read_cable(swc, references[which].policy);
    const double worst = c == NULL ? INFINITY : compare_nodes(c, &rows);

    ok(worst < 1e-12, "%s has NEURON's nodes, areas and resistances", name);
    diag("largest relative difference %.1e", worst);
    bosc_cable_destroy(c);
    tsv_clear(&rows);
}

static void test_references(void)
{
    char *reference = shared_folder("reference");

    for (size_t i = 0; reference != NULL && i < BOSC_LEN(references); ++i) {
        char *folder = bosc_format("%s/%s", reference, references[i].name);
        char *swc = bosc_format("%s/swc/%s", reference, references[i].swc);

        if (folder != NULL && swc != NULL)
            test_reference(i, folder, swc);
        free(folder);
        free(swc);
    }
    free(reference);
}

/* ---- every published file ---- */

/* The properties, in the order in which they are checked. */
enum {
    TREE,
    SECTIONS,
    DEPTH_FIRST,
    FIRST_DEEPEST,
    CONDUCTANCE,
    AREA,
    PACKING,
    N_PROPERTIES
};

static const char *const properties[N_PROPERTIES] = {
    "every parent comes before its children",
    "the nodes of a section follow each other, its end has no area",
    "the nodes below a child follow it at once",
    "of the branches at a node the deepest comes first",
    "axial conductances are positive, but 0 between separate parts",
    "areas and lengths sum up to those of the sections",
    "a template is the same after packing and unpacking",
};

static bool is_tree(const bosc_cable *c)
{
    for (int32_t i = 1; i < c->n; ++i)
        if (c->parent[i] < 0 || c->parent[i] >= i)
            return false;
    return c->parent[0] == -1 && c->soma >= 0 && c->soma < c->n;
}

static bool has_sections(const bosc_cable *c)
{
    int32_t nodes = 0;

    for (int32_t s = 0; s < c->n_sections; ++s) {
        const bosc_cable_section *sec = &c->sections[s];
        const int32_t first = sec->first - (sec->parent < 0);

        for (int32_t i = first; i <= sec->first + sec->n; ++i) {
            const bool inside = i >= sec->first && i < sec->first + sec->n;

            if (c->section[i] != s || (c->area[i] > 0) != inside ||
                (i > first && c->parent[i] != i - 1))
                return false;
        }
        nodes += sec->n + 1 + (sec->parent < 0);
    }
    return nodes == c->n;
}

/* What a downward walk, the order of an elimination, finds about each node. */
struct walked {
    int32_t *size;     /* nodes below and itself */
    int32_t *children; /* how many */
    int32_t *need;     /* places of stack of its subtree */
    int32_t *before;   /* the last branch so far of an upward walk */
};

static void walk(const bosc_cable *c, struct walked *w)
{
    for (int32_t i = c->n - 1; i >= 0; --i) {
        const int32_t p = c->parent[i];

        w->size[i]++;
        if (p < 0)
            continue;
        if (w->children[p] + w->need[i] > w->need[p])
            w->need[p] = w->children[p] + w->need[i];
        w->size[p] += w->size[i];
        w->children[p]++;
    }
}

/* The subtree of i is i .. i + size - 1, inside that of its parent. */
static bool is_depth_first(const bosc_cable *c, const struct walked *w)
{
    for (int32_t i = 0; i < c->n; ++i) {
        const int32_t p = c->parent[i];

        if (p >= 0 && i + w->size[i] > p + w->size[p])
            return false;
        if (w->children[i] > 0 && c->parent[i + 1] != i)
            return false;
    }
    return true;
}

/* Branches of a node; the continuation of its section is none. */
static bool deepest_is_first(const bosc_cable *c, const struct walked *w)
{
    bool sorted = true;

    for (int32_t i = 0; i < c->n; ++i)
        w->before[i] = -1;
    for (int32_t i = 1; i < c->n; ++i) {
        const int32_t p = c->parent[i], before = w->before[p];

        if (c->section[i] == c->section[p])
            continue;
        sorted = sorted && (before < 0 || w->need[before] >= w->need[i]);
        w->before[p] = i;
    }
    return sorted;
}

static bool conducts(const bosc_cable *c)
{
    for (int32_t i = 1; i < c->n; ++i) {
        const bosc_cable_section *sec = &c->sections[c->section[i]];
        const bool apart = sec->parent < 0 && i == sec->first - 1;

        if (apart ? c->g_axial[i] != 0 || c->parent[i] != 0
                  : !(c->g_axial[i] > 0 && isfinite(c->g_axial[i])))
            return false;
    }
    return c->g_axial[0] == 0;
}

static bool sums_up(const bosc_cable *c, const bosc_sections *all)
{
    double area = 0, length = 0, sum = 0;

    for (int32_t s = 0; s < all->n; ++s) {
        const bosc_section *sec = &all->section[s];
        const double *d = all->diam + sec->first_point;
        const double *arc = all->arc + sec->first_point;

        for (int32_t k = 1; k < sec->n_points; ++k)
            area += acos(-1) / 2 * ((double)d[k] + d[k - 1]) *
                    hypot(arc[k] - arc[k - 1], ((double)d[k] - d[k - 1]) / 2);
        length += sec->length;
        sum += c->sections[s].length;
    }
    return fabs(c->area_total - area) <= 1e-9 * area && sum == length;
}

static bool packs(const bosc_cable *c)
{
    const size_t size = bosc_cable_packed_size(c);
    char *bytes = bosc_alloc(2 * size, 1);
    bosc_cable *copy = NULL;
    bool same = false;

    if (bytes == NULL)
        return false;
    bosc_cable_pack(c, bytes);
    if (bosc_cable_unpack(bytes, &copy, NULL) == BOSC_OK) {
        bosc_cable_pack(copy, bytes + size);
        same = memcmp(bytes, bytes + size, size) == 0;
    }
    bosc_cable_destroy(copy);
    free(bytes);
    return same;
}

/* Over all templates of a folder. */
struct findings {
    int templates, failed[N_PROPERTIES];
    int32_t stack; /* the largest, and its file */
    char file[128];
};

static void check(const bosc_cable *c, const bosc_sections *all,
                  const char *file, struct findings *found)
{
    const size_t n = (size_t)c->n;
    struct walked w = {
        bosc_alloc(n, sizeof(int32_t)), bosc_alloc(n, sizeof(int32_t)),
        bosc_alloc(n, sizeof(int32_t)), bosc_alloc(n, sizeof(int32_t))};
    bool holds[N_PROPERTIES] = {false};

    if (w.size != NULL && w.children != NULL && w.need != NULL &&
        w.before != NULL && is_tree(c)) {
        walk(c, &w);
        holds[TREE] = true;
        holds[SECTIONS] = has_sections(c);
        holds[DEPTH_FIRST] = is_depth_first(c, &w);
        holds[FIRST_DEEPEST] = deepest_is_first(c, &w);
        holds[CONDUCTANCE] = conducts(c);
        holds[AREA] = sums_up(c, all);
        holds[PACKING] = packs(c);
        if (w.need[0] > found->stack) {
            found->stack = w.need[0];
            snprintf(found->file, sizeof found->file, "%s", file);
        }
    }
    for (int k = 0; k < N_PROPERTIES; ++k)
        if (!holds[k]) {
            diag("%s: not so: %s", file, properties[k]);
            found->failed[k]++;
        }
    free(w.before);
    free(w.need);
    free(w.children);
    free(w.size);
}

/* One template of each policy. */
static void check_file(const char *path, const char *file,
                       struct findings *found)
{
    bosc_cable_spec spec = bosc_cable_defaults();
    bosc_swc *swc = NULL;
    bosc_sections *all = NULL;

    spec.per_section = 2;
    if (swc_file_read(path, false, &swc, NULL) == BOSC_OK &&
        bosc_sections_create(swc, &all, NULL) == BOSC_OK)
        for (int policy = 0; policy < BOSC_N_POLICIES; ++policy) {
            bosc_cable *c = NULL;
            bosc_error err;

            spec.policy = (bosc_policy)policy;
            if (bosc_cable_create(all, &spec, file, &c, &err) == BOSC_OK) {
                check(c, all, file, found);
                found->templates++;
            } else {
                diag("%s", err.text);
            }
            bosc_cable_destroy(c);
        }
    bosc_sections_destroy(all);
    bosc_swc_destroy(swc);
}

static void test_folder(const char *name, int least)
{
    char *folder = shared_folder(name);
    struct findings found = {0};
    tsv index;

    if (folder == NULL || !tsv_read(folder, "INDEX.tsv", &index)) {
        skip("%s morphologies are not at hand",
             strstr(name, "bad") != NULL ? "malformed" : "published");
        free(folder);
        return;
    }
    for (size_t i = 0; i < index.n; ++i) {
        const char *file = tsv_text(&index, i, 0);
        char *path = bosc_format("%s/%s", folder, file);

        if (path != NULL)
            check_file(path, file, &found);
        free(path);
    }
    ok(found.templates >= least * BOSC_N_POLICIES,
       "at least %d files in %s give a template by each policy", least, name);
    for (int k = 0; k < N_PROPERTIES; ++k)
        ok(found.failed[k] == 0, "in all of them %s", properties[k]);
    diag("deepest stack: %d, %s", found.stack, found.file);
    tsv_clear(&index);
    free(folder);
}

int main(void)
{
    test_references();
    test_folder("morphologies-real", 180);
    test_folder("morphologies-bad", 110);
    return done_testing();
}
