#include "src/sweep/axes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/job/job_keys.h"

/* What holds for a whole run, however many members it has. */
static const char *const of_the_run[] = {"name",   "threads",    "verify",
                                         "strict", "mechanisms", "cost_from",
                                         "output", "checkpoint", "sweep"};

static bool begins_with(const char *path, const char *word)
{
    const size_t n = strlen(word);

    return strncmp(path, word, n) == 0 &&
           (path[n] == '\0' || path[n] == '.' || path[n] == '[');
}

/* --- keys and axes ------------------------------------------------------- */

static bosc_status add_key(bosc_sweep_axes *axes, const bosc_yaml *node,
                           bosc_error *err)
{
    for (size_t i = 0; i < BOSC_LEN(of_the_run); ++i)
        if (begins_with(node->key, of_the_run[i]))
            return bosc_yaml_fail(err, node,
                                  "sweep: '%s' is the same in all members; "
                                  "sweep other keys",
                                  node->key);
    for (int k = 0; k < axes->n_keys; ++k)
        if (begins_with(node->key, axes->key[k]->key) ||
            begins_with(axes->key[k]->key, node->key))
            return bosc_yaml_fail(err, node,
                                  "sweep: '%s' is swept already, by '%s'; keep "
                                  "one of them",
                                  node->key, axes->key[k]->key);
    if (!bosc_grow(&axes->key, &axes->key_room, (size_t)axes->n_keys + 1,
                   sizeof *axes->key))
        return bosc_no_memory(err, "the sweep");
    axes->key[axes->n_keys++] = node;
    return BOSC_OK;
}

/* Another axis, of the keys that are added next. */
static bosc_status add_axis(bosc_sweep_axes *axes, const bosc_yaml *node,
                            size_t n_keys, size_t n_points, bosc_error *err)
{
    bosc_sweep_axis axis = {axes->n_keys, (int)n_keys, (int)n_points, NULL,
                            NULL};

    if ((double)axes->n_members * (double)n_points > BOSC_MOST_MEMBERS)
        return bosc_yaml_fail(err, node,
                              "sweep: more than %d members; sweep fewer values",
                              BOSC_MOST_MEMBERS);
    if (!bosc_grow(&axes->axis, &axes->room, (size_t)axes->n + 1,
                   sizeof *axes->axis) ||
        (axis.value = bosc_alloc(n_points * n_keys, sizeof *axis.value)) ==
            NULL)
        return bosc_no_memory(err, "the sweep");
    axes->axis[axes->n++] = axis;
    axes->n_members *= (int)n_points;
    return BOSC_OK;
}

static const bosc_yaml **value_of(const bosc_sweep_axis *axis, size_t point,
                                  int k)
{
    return &axis->value[point * (size_t)axis->n_keys + (size_t)k];
}

int bosc_sweep_point(const bosc_sweep_axes *axes, int axis, int member)
{
    for (int a = axes->n - 1; a > axis; --a)
        member /= axes->axis[a].n_points;
    return member % axes->axis[axis].n_points;
}

/* --- the parts ----------------------------------------------------------- */

static bosc_status expect_values(const bosc_yaml *node, bosc_error *err)
{
    if (node->kind != BOSC_YAML_LIST)
        return bosc_yaml_fail(err, node,
                              "sweep: %s has %s, not a list of values; write "
                              "'%s: [0.1, 0.2]'",
                              node->key, BOSC_SHOW(node), node->key);
    if (node->n == 0)
        return bosc_yaml_fail(err, node,
                              "sweep: the list of %s is empty; give it values, "
                              "or remove the key",
                              node->key);
    return BOSC_OK;
}

static bosc_status expect_keys(const bosc_yaml *node, const char *example,
                               bosc_error *err)
{
    if (node->kind == BOSC_YAML_MAP && node->n > 0)
        return BOSC_OK;
    return bosc_yaml_fail(
        err, node, "sweep: %s has %s, not keys; write '%s: {%s}'", node->key,
        node->kind == BOSC_YAML_MAP ? "nothing" : BOSC_SHOW(node), node->key,
        example);
}

static bosc_status read_grid(const bosc_yaml *node, bosc_sweep_axes *axes,
                             bosc_error *err)
{
    bosc_status st = expect_keys(node, "clamps.0.amplitude: [0.1, 0.2]", err);

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *own = node->child[i];

        st = expect_values(own, err);
        if (st == BOSC_OK)
            st = add_axis(axes, own, 1, own->n, err);
        for (size_t p = 0; st == BOSC_OK && p < own->n; ++p)
            *value_of(&axes->axis[axes->n - 1], p, 0) = own->child[p];
        if (st == BOSC_OK)
            st = add_key(axes, own, err);
    }
    return st;
}

/* Keys besides the name of a member. */
static size_t count_keys(const bosc_yaml *map)
{
    return map->n - (bosc_yaml_get(map, "name") != NULL);
}

static bosc_status name_points(bosc_sweep_axis *axis, bosc_error *err)
{
    axis->name = bosc_alloc((size_t)axis->n_points, sizeof *axis->name);
    return axis->name != NULL ? BOSC_OK : bosc_no_memory(err, "the sweep");
}

static bosc_status read_zip(const bosc_yaml *node, bosc_sweep_axes *axes,
                            bosc_error *err)
{
    bosc_status st =
        expect_keys(node, "dt: [0.025, 0.0125], celsius: [6.3, 16]", err);
    int k = 0;

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        st = expect_values(node->child[i], err);
        if (st == BOSC_OK && node->child[i]->n != node->child[0]->n)
            st = bosc_yaml_fail(
                err, node->child[i],
                "sweep: %s has %zu values, and %s has %zu; those of zip go "
                "together: give each as many",
                node->child[i]->key, node->child[i]->n, node->child[0]->key,
                node->child[0]->n);
    }
    if (st == BOSC_OK && count_keys(node) == 0)
        st = bosc_yaml_fail(err, node,
                            "sweep: zip has names, but no key to give values; "
                            "add one");
    if (st == BOSC_OK)
        st = add_axis(axes, node, count_keys(node), node->child[0]->n, err);
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *own = node->child[i];
        bosc_sweep_axis *axis = &axes->axis[axes->n - 1];
        const bool names = strcmp(own->key, "name") == 0;

        st = names ? name_points(axis, err) : add_key(axes, own, err);
        for (size_t p = 0; st == BOSC_OK && p < own->n; ++p)
            if (names)
                axis->name[p] = own->child[p];
            else
                *value_of(axis, p, k) = own->child[p];
        k += !names;
    }
    return st;
}

/* The values of one entry of 'list', which has the keys of the first. */
static bosc_status read_entry(const bosc_yaml *list, size_t p,
                              bosc_sweep_axes *axes, bosc_error *err)
{
    const bosc_yaml *entry = list->child[p];
    bosc_sweep_axis *axis = &axes->axis[axes->n - 1];

    for (int k = 0; k < axis->n_keys; ++k) {
        const char *key = axes->key[axis->first_key + k]->key;

        if ((*value_of(axis, p, k) = bosc_yaml_get(entry, key)) == NULL)
            return bosc_yaml_fail(err, entry,
                                  "sweep: entry %zu of list does not set %s, "
                                  "which entry 0 does; each sets the same keys",
                                  p, key);
    }
    for (size_t i = 0; i < entry->n && count_keys(entry) > (size_t)axis->n_keys;
         ++i)
        if (strcmp(entry->child[i]->key, "name") != 0 &&
            bosc_yaml_get(list->child[0], entry->child[i]->key) == NULL)
            return bosc_yaml_fail(err, entry->child[i],
                                  "sweep: entry %zu of list sets %s, which "
                                  "entry 0 does not; each sets the same keys",
                                  p, entry->child[i]->key);
    axis->name[p] = bosc_yaml_get(entry, "name");
    return BOSC_OK;
}

static bosc_status read_list(const bosc_yaml *node, bosc_sweep_axes *axes,
                             bosc_error *err)
{
    bosc_status st = expect_values(node, err);

    for (size_t p = 0; st == BOSC_OK && p < node->n; ++p)
        if (node->child[p]->kind != BOSC_YAML_MAP ||
            count_keys(node->child[p]) == 0)
            st = bosc_yaml_fail(err, node->child[p],
                                "sweep: entry %zu of list is not keys and "
                                "values; write '- {name: strong, "
                                "clamps.0.amplitude: 0.2}'",
                                p);
    if (st == BOSC_OK)
        st = add_axis(axes, node, count_keys(node->child[0]), node->n, err);
    if (st == BOSC_OK)
        st = name_points(&axes->axis[axes->n - 1], err);
    for (size_t i = 0; st == BOSC_OK && i < node->child[0]->n; ++i)
        if (strcmp(node->child[0]->child[i]->key, "name") != 0)
            st = add_key(axes, node->child[0]->child[i], err);
    for (size_t p = 0; st == BOSC_OK && p < node->n; ++p)
        st = read_entry(node, p, axes, err);
    return st;
}

/* --- draws --------------------------------------------------------------- */

static bosc_status read_draw(const bosc_schema *schema, const bosc_yaml *node,
                             bosc_draw *draw, bosc_error *err)
{
    const bosc_key key = {.path = node->key,
                          .type = BOSC_KEY_DRAW,
                          .unit = "",
                          .low = -1e300,
                          .high = 1e300};
    const bosc_status st = bosc_draw_read(schema, node, &key, draw, err);

    if (st != BOSC_OK ||
        (draw->kind != BOSC_DRAW_CONSTANT && draw->kind != BOSC_DRAW_DISTANCE))
        return st;
    return bosc_yaml_fail(err, node,
                          "sweep: %s of draws is not drawn; write '%s: "
                          "{uniform: [0.5, 1]}', or normal, or lognormal",
                          node->key, node->key);
}

/* Of few digits: people write them again after --set. */
static bosc_status add_drawn(bosc_sweep_axes *axes, const bosc_yaml *node,
                             const bosc_draw *draw, double x,
                             const bosc_yaml **out, bosc_error *err)
{
    bosc_yaml *value =
        bosc_yaml_create(BOSC_YAML_SCALAR, node->source, node->line, NULL, 0);
    char text[40];

    snprintf(text, sizeof text, "%.6g", x);
    if (strtod(text, NULL) < draw->low || strtod(text, NULL) > draw->high)
        snprintf(text, sizeof text, "%.17g", x);
    if (value == NULL || !bosc_grow(&axes->drawn, &axes->drawn_room,
                                    axes->n_drawn + 1, sizeof *axes->drawn)) {
        bosc_yaml_destroy(value);
        return bosc_no_memory(err, "the sweep");
    }
    axes->drawn[axes->n_drawn++] = value;
    free(value->text);
    value->text = bosc_strdup(text);
    *out = value;
    return value->text != NULL ? BOSC_OK : bosc_no_memory(err, "the sweep");
}

static bosc_status draw_values(const bosc_yaml *node, uint64_t seed, int k,
                               bosc_sweep_axes *axes, bosc_error *err)
{
    const bosc_sweep_axis *axis = &axes->axis[axes->n - 1];
    bosc_draw draw;
    bosc_status st = read_draw(axes->schema, node, &draw, err);

    for (int p = 0; st == BOSC_OK && p < axis->n_points; ++p) {
        uint32_t words[4];

        bosc_random(seed, bosc_hash(node->key), (uint64_t)p, 0x73776570, words);
        st = add_drawn(axes, node, &draw, bosc_draw_number(&draw, words),
                       value_of(axis, (size_t)p, k), err);
    }
    return st == BOSC_OK ? add_key(axes, node, err) : st;
}

static bosc_status read_draws(const bosc_yaml *root, const bosc_yaml *node,
                              bosc_sweep_axes *axes, bosc_error *err)
{
    const bosc_key number = {.path = "n",
                             .type = BOSC_KEY_INT,
                             .unit = "",
                             .low = 1,
                             .high = BOSC_MOST_MEMBERS,
                             .meaning = "how many values are drawn"};
    const bosc_yaml *n_node = bosc_yaml_get(node, "n"),
                    *keys = bosc_yaml_get(node, "keys"),
                    *seed_node = bosc_yaml_get(root, "seed");
    uint64_t seed = 1;
    int n = 0;
    bosc_status st = bosc_group_check(axes->schema, node, "sweep.draws", err);

    if (st == BOSC_OK && (n_node == NULL || keys == NULL))
        st = bosc_yaml_fail(err, node,
                            "sweep: draws needs n and keys; write 'draws: {n: "
                            "20, keys: {clamps.0.amplitude: {uniform: [0.1, "
                            "0.2]}}}'");
    if (st == BOSC_OK)
        st = bosc_value_read(n_node, &number, &n, err);
    if (st == BOSC_OK && seed_node != NULL)
        st = bosc_value_read(seed_node, bosc_key_find(axes->schema, "", "seed"),
                             &seed, err);
    if (st == BOSC_OK)
        st =
            expect_keys(keys, "clamps.0.amplitude: {uniform: [0.1, 0.2]}", err);
    if (st == BOSC_OK)
        st = add_axis(axes, node, keys->n, (size_t)n, err);
    for (size_t k = 0; st == BOSC_OK && k < keys->n; ++k)
        st = draw_values(keys->child[k], seed, (int)k, axes, err);
    return st;
}

/* --- all of it ----------------------------------------------------------- */

bosc_status bosc_sweep_axes_read(const bosc_schema *schema,
                                 const bosc_yaml *root, bosc_sweep_axes *axes,
                                 bosc_error *err)
{
    const bosc_yaml *sweep = bosc_yaml_get(root, "sweep");

    *axes = (bosc_sweep_axes){
        .schema = schema, .root = root, .node = sweep, .n_members = 1};
    bosc_status st = bosc_group_check(schema, sweep, "sweep", err);

    for (size_t i = 0; st == BOSC_OK && i < sweep->n; ++i) {
        const bosc_yaml *part = sweep->child[i];

        if (strcmp(part->key, "grid") == 0)
            st = read_grid(part, axes, err);
        else if (strcmp(part->key, "zip") == 0)
            st = read_zip(part, axes, err);
        else if (strcmp(part->key, "list") == 0)
            st = read_list(part, axes, err);
        else
            st = read_draws(root, part, axes, err);
    }
    if (st == BOSC_OK && axes->n_keys == 0)
        st = bosc_yaml_fail(err, sweep,
                            "sweep: no key is swept; write 'sweep: {grid: "
                            "{clamps.0.amplitude: [0.1, 0.2]}}', or remove it");
    return st;
}

void bosc_sweep_axes_clear(bosc_sweep_axes *axes)
{
    for (int a = 0; a < axes->n; ++a) {
        free(axes->axis[a].value);
        free(axes->axis[a].name);
    }
    for (size_t i = 0; i < axes->n_drawn; ++i)
        bosc_yaml_destroy(axes->drawn[i]);
    free(axes->axis);
    free(axes->key);
    free(axes->drawn);
    *axes = (bosc_sweep_axes){0};
}
