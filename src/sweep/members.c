#include "src/sweep/members.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/signals.h"
#include "src/text/number.h"
#include "src/text/print.h"

static bosc_status no_memory(bosc_error *err)
{
    return bosc_no_memory(err, "the members of the sweep");
}

/* The number of a text, which may carry its unit. */
static bool read_number(const char *text, const char *unit, double *x)
{
    const char *end = text + strlen(text);
    const char *rest = bosc_number_parse(text, end, x);

    if (rest == NULL || !isfinite(*x))
        return false;
    rest += strspn(rest, " ");
    return *rest == '\0' || (unit[0] != '\0' && strcmp(rest, unit) == 0);
}

/* The value of key k of a member. */
static const bosc_yaml *value_of(const bosc_sweep_axes *axes, int member, int k)
{
    int a = 0;

    while (k >= axes->axis[a].first_key + axes->axis[a].n_keys)
        ++a;

    const bosc_sweep_axis *axis = &axes->axis[a];

    return axis->value[bosc_sweep_point(axes, a, member) * axis->n_keys + k -
                       axis->first_key];
}

/* A value in one line. */
static char *line_of(const bosc_yaml *value)
{
    char *text = bosc_yaml_line(value);

    for (char *p = text; p != NULL && *p != '\0'; ++p)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = ' ';
    return text;
}

/* --- the job of a member ------------------------------------------------- */

/* "job.yaml:31: member 3, clamps.0.amplitude=0.1" */
static char *name_source(const bosc_yaml *value, int number, const char *key)
{
    char *where = bosc_yaml_where(value), *text = line_of(value),
         *source = where == NULL || text == NULL
                       ? NULL
                       : bosc_format("%s: member %d, %s=%.60s", where, number,
                                     key, text);

    free(where);
    free(text);
    return source;
}

static bosc_status set_values(const bosc_sweep_axes *axes, int number,
                              bosc_yaml *root, char **sources, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; st == BOSC_OK && k < axes->n_keys; ++k) {
        const bosc_yaml *value = value_of(axes, number, k);
        const char *key = axes->key[k]->key;
        bosc_yaml *copy = bosc_yaml_copy(value);

        sources[k] = name_source(value, number, key);
        if (sources[k] == NULL || copy == NULL) {
            bosc_yaml_destroy(copy);
            return no_memory(err);
        }
        st = bosc_yaml_put(root, key, key + strlen(key), copy, sources[k],
                           bosc_entry_name, err);
    }
    return st;
}

/* A copy of a job's tree without its sweep, which has as many values as there
 * are members.  NULL without memory. */
static bosc_yaml *copy_rest(const bosc_yaml *root)
{
    bosc_yaml *rest =
        bosc_yaml_create(BOSC_YAML_MAP, root->source, root->line, NULL, 0);
    bool whole = rest != NULL;

    for (size_t i = 0; whole && i < root->n; ++i) {
        if (strcmp(root->child[i]->key, "sweep") == 0)
            continue;

        bosc_yaml *child = bosc_yaml_copy(root->child[i]);

        whole = child != NULL && bosc_yaml_append(rest, child);
        if (!whole)
            bosc_yaml_destroy(child);
    }
    if (whole)
        return rest;
    bosc_yaml_destroy(rest);
    return NULL;
}

/* Hand the tree of a member to 'visit'; a signal ends that. */
static bosc_status visit_member(const bosc_sweep_axes *axes,
                                const bosc_job_tree *tree, int number,
                                bosc_root_visitor *visit, void *to,
                                bosc_error *err)
{
    bosc_yaml *root = copy_rest(tree->root);
    char **sources = bosc_alloc((size_t)axes->n_keys, sizeof *sources);
    bosc_status st = root == NULL || sources == NULL
                         ? no_memory(err)
                         : bosc_signals_in_setup(err);

    if (st == BOSC_OK)
        st = set_values(axes, number, root, sources, err);
    if (st == BOSC_OK)
        st = visit(root, to, err);
    bosc_yaml_destroy(root);
    for (int k = 0; sources != NULL && k < axes->n_keys; ++k)
        free(sources[k]);
    free(sources);
    return st == BOSC_EUSAGE ? BOSC_EFORMAT : st; /* the file has said it */
}

typedef struct member_job {
    const bosc_schema *schema;
    const bosc_job_tree *tree;
    const char *path;
    bosc_job **out;
} member_job;

static bosc_status read_member(const bosc_yaml *root, void *to, bosc_error *err)
{
    const member_job *m = to;

    return bosc_job_of_tree(m->schema, m->tree, root, m->path, m->out, err);
}

bosc_status bosc_sweep_member_job(const bosc_sweep_axes *axes,
                                  const bosc_job_tree *tree, const char *path,
                                  int number, bosc_job **out, bosc_error *err)
{
    member_job m = {axes->schema, tree, path, out};

    return visit_member(axes, tree, number, read_member, &m, err);
}

bosc_status bosc_sweep_visit(const bosc_mechs *mechs, const bosc_job_tree *tree,
                             bosc_root_visitor *visit, void *to,
                             bosc_error *err)
{
    const bosc_yaml *sweep = bosc_yaml_get(tree->root, "sweep");
    bosc_schema schema = bosc_job_schema;
    bosc_sweep_axes axes;
    bosc_status st;

    schema.mechs = mechs;
    if (sweep == NULL || bosc_yaml_is_null(sweep))
        return visit(tree->root, to, err);
    st = bosc_sweep_axes_read(&schema, tree->root, &axes, err);
    for (int i = 0; st == BOSC_OK && i < axes.n_members; ++i)
        st = visit_member(&axes, tree, i, visit, to, err);
    bosc_sweep_axes_clear(&axes);
    return st;
}

/* --- what it is called --------------------------------------------------- */

/* The parts of the names that axes give, or else "key=value, key=value". */
static char *name_member(const bosc_sweep_axes *axes, int number,
                         const bosc_swept *keys, const bosc_member *member)
{
    bosc_print text;
    FILE *file = bosc_print_begin(&text);
    int n = 0;

    if (file == NULL)
        return NULL;
    for (int a = 0; a < axes->n; ++a) {
        const bosc_sweep_axis *axis = &axes->axis[a];
        const int point = bosc_sweep_point(axes, a, number);

        if (axis->name != NULL && axis->name[point] != NULL) {
            fprintf(file, "%s%s", n++ > 0 ? ", " : "",
                    axis->name[point]->kind == BOSC_YAML_SCALAR
                        ? axis->name[point]->text
                        : "?");
            continue;
        }
        for (int k = axis->first_key; k < axis->first_key + axis->n_keys; ++k)
            fprintf(file, "%s%s=%s", n++ > 0 ? ", " : "", keys[k].name,
                    member->value[k]);
    }
    return bosc_print_end(&text);
}

bosc_status bosc_sweep_member_describe(const bosc_sweep_axes *axes, int number,
                                       const bosc_swept *keys,
                                       bosc_member *member, bosc_error *err)
{
    member->number = number;
    if (!BOSC_ARRAYS(BOSC_ARRAY(member->value, axes->n_keys),
                     BOSC_ARRAY(member->x, axes->n_keys)))
        return no_memory(err);
    for (int k = 0; k < axes->n_keys; ++k) {
        if ((member->value[k] = line_of(value_of(axes, number, k))) == NULL)
            return no_memory(err);
        if (keys[k].numbers)
            read_number(member->value[k], keys[k].unit, &member->x[k]);
    }
    member->name = name_member(axes, number, keys, member);
    return member->name != NULL ? BOSC_OK : no_memory(err);
}

/* --- groups -------------------------------------------------------------- */

/* Does a line of a job's values say what members of a group share?  All but
 * entries of lists, among which probes are shared, and what these have of the
 * job. */
static bool is_common(const char *line)
{
    static const char *const own[] = {
        "name",    "seed",           "populations", "synapses",
        "sources", "projections",    "couplings",   "clamps",
        "stimuli", "point_processes"};
    const size_t n = strcspn(line, ":");

    if (memchr(line, '[', n) != NULL)
        return strncmp(line, "probes[", 7) == 0;
    for (size_t i = 0; i < BOSC_LEN(own); ++i)
        if (strlen(own[i]) == n && strncmp(line, own[i], n) == 0)
            return false;
    return true;
}

char *bosc_sweep_common(const bosc_job *job, const char *values)
{
    bosc_print text;
    FILE *file = bosc_print_begin(&text);

    if (file == NULL)
        return NULL;
    fprintf(file, "%s %s\n", job->compute.backend, job->compute.method);
    for (const char *line = values; *line != '\0';) {
        const size_t n = strcspn(line, "\n");

        if (is_common(line))
            fprintf(file, "%.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    return bosc_print_end(&text);
}

/* --- keys ---------------------------------------------------------------- */

/* How many steps a path has; steps are apart by '.' or '['. */
static int count_steps(const char *path)
{
    int n = 1;

    for (; *path != '\0'; ++path)
        n += (*path == '.' || *path == '[') && path[1] != '\0';
    return n;
}

/* The last n steps of a path, as a name of the result: letters, digits, '_'. */
static char *last_steps(const char *path, int n)
{
    int skip = count_steps(path) - n;

    while (skip > 0) {
        skip -= *path == '.' || *path == '[';
        ++path;
    }

    char *name = bosc_strdup(path), *to = name;

    for (const char *p = name; p != NULL && *p != '\0'; ++p)
        if (isalnum((unsigned char)*p) || *p == '_')
            *to++ = *p;
        else if (*p != ']' && p[1] != '\0')
            *to++ = '_';
    if (to != NULL)
        *to = '\0';
    return name;
}

/* As short as no other key ends in. */
static char *name_key(const bosc_sweep_axes *axes, int k)
{
    const char *path = axes->key[k]->key;
    char *name = NULL;
    bool clash = true;

    for (int n = 1; clash && n <= count_steps(path); ++n) {
        free(name);
        if ((name = last_steps(path, n)) == NULL)
            return NULL;
        clash = false;
        for (int j = 0; j < axes->n_keys; ++j) {
            char *other = j == k ? NULL : last_steps(axes->key[j]->key, n);

            clash = clash || (other != NULL && strcmp(other, name) == 0);
            free(other);
        }
    }
    return name;
}

/* The entry of a list of the top level that a path is about, by its name or
 * number; NULL: there is none. */
static const bosc_yaml *entry_of(const bosc_yaml *root, const char *path)
{
    const size_t first = strcspn(path, ".[");
    const char *own = path[first] != '\0' ? path + first + 1 : "";
    const size_t n = strcspn(own, ".]");
    const bosc_yaml *list = NULL;
    char number[24];

    for (size_t i = 0; i < root->n; ++i)
        if (strlen(root->child[i]->key) == first &&
            strncmp(root->child[i]->key, path, first) == 0)
            list = root->child[i];
    for (size_t i = 0; list != NULL && i < list->n; ++i) {
        const bosc_yaml *name = bosc_yaml_get(list->child[i], "name");
        const char *text = name != NULL && name->text != NULL ? name->text : "";

        snprintf(number, sizeof number, "%zu", i);
        if ((strlen(text) == n && strncmp(text, own, n) == 0) ||
            (strlen(number) == n && strncmp(number, own, n) == 0))
            return list->child[i];
    }
    return NULL;
}

/* Is the mechanism of another type than the entry's? */
static bool is_other(const bosc_yaml *entry, const bosc_mech *mech)
{
    const bosc_yaml *type = entry != NULL ? bosc_yaml_get(entry, "type") : NULL;

    return type != NULL && type->text != NULL &&
           strcmp(type->text, mech->name) != 0;
}

/* The unit of the key of a mechanism's parameter, or of any key of the table
 * that begins and ends as the path does. */
static void find_unit(const bosc_sweep_axes *axes, const char *path,
                      char unit[32])
{
    const bosc_mechs *mechs = axes->schema->mechs;
    const char *end = strrchr(path, '.'), *middle = end;
    const size_t first = strcspn(path, ".[");
    const char *found = "";
    const bosc_yaml *entry = entry_of(axes->root, path);
    const bosc_yaml *group =
        entry != NULL ? bosc_yaml_get(entry, "extracellular") : NULL;
    const bool is_field =
        group != NULL && bosc_yaml_get(group, "direction") != NULL;
    const bool outside = strstr(path, ".extracellular.") != NULL;

    while (middle != NULL && middle > path && middle[-1] != '.')
        --middle;
    for (int m = 0; end != NULL && !outside && m < mechs->n; ++m)
        for (int j = 0; j < mechs->mech[m]->n_params; ++j) {
            const size_t n = strlen(mechs->mech[m]->name);

            if (strcmp(mechs->mech[m]->params[j].name, end + 1) == 0 &&
                !is_other(entry, mechs->mech[m]) &&
                (strncmp(path, "synapses", first) == 0 ||
                 strncmp(path, "point_processes", first) == 0 ||
                 strncmp(path, "stimuli", first) == 0 ||
                 ((size_t)(end - middle) == n &&
                  strncmp(middle, mechs->mech[m]->name, n) == 0)))
                found = mechs->mech[m]->params[j].unit;
        }
    for (int i = 0; i < bosc_job_schema.n_keys && found[0] == '\0'; ++i) {
        const bosc_key *key = &bosc_job_schema.keys[i];

        if (strncmp(key->path, path, first) == 0 &&
            strcspn(key->path, ".[") == first &&
            strcmp(bosc_key_leaf(key), end != NULL ? end + 1 : path) == 0)
            found = key->unit;
    }
    snprintf(unit, 32, "%s", is_field ? bosc_unit_of_field(found) : found);
}

static bool is_number(const bosc_yaml *value, const char *unit)
{
    double x;

    return value->kind == BOSC_YAML_SCALAR && !value->quoted &&
           read_number(value->text, unit, &x);
}

/* Reads an integer from 0 to 2^64 - 1. */
static bool read_whole(const char *text, uint64_t *x)
{
    char *end;

    errno = 0;
    *x = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

/* Are all values of key k whole, and is one not exact as a double? */
static bool needs_integers(const bosc_sweep_axis *axis, int k)
{
    bool needed = false;

    for (int i = k; i < axis->n_points * axis->n_keys; i += axis->n_keys) {
        uint64_t x;

        if (!read_whole(axis->value[i]->text, &x))
            return false;
        needed = needed || (double)x >= 0x1p64 || (uint64_t)(double)x != x;
    }
    return needed;
}

bosc_status bosc_sweep_keys(const bosc_sweep_axes *axes, bosc_swept *keys,
                            bosc_error *err)
{
    for (int k = 0; k < axes->n_keys; ++k) {
        keys[k].path = bosc_strdup(axes->key[k]->key);
        keys[k].name = name_key(axes, k);
        if (keys[k].path == NULL || keys[k].name == NULL)
            return no_memory(err);
        keys[k].numbers = true;
        find_unit(axes, keys[k].path, keys[k].unit);
    }
    for (int a = 0; a < axes->n; ++a) {
        const bosc_sweep_axis *axis = &axes->axis[a];

        for (int i = 0; i < axis->n_points * axis->n_keys; ++i) {
            bosc_swept *key = &keys[axis->first_key + i % axis->n_keys];

            key->numbers = key->numbers && is_number(axis->value[i], key->unit);
        }
        for (int k = 0; k < axis->n_keys; ++k) {
            bosc_swept *key = &keys[axis->first_key + k];

            key->whole = key->numbers && needs_integers(axis, k);
        }
    }
    return BOSC_OK;
}
