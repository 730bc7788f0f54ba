/* job_edit.c - values of keys that edit morphologies: lists of numbers, numbers
 * of regions. */
#include "src/job/job_keys.h"

#include <string.h>

/* The key as messages about one of its numbers call it. */
static bosc_key one_of(const bosc_key *key)
{
    bosc_key one = *key;

    one.type = BOSC_KEY_REAL;
    return one;
}

bosc_status bosc_number_list_read(const bosc_yaml *node, const bosc_key *key,
                                  void *field, bosc_error *err)
{
    const bosc_key number = one_of(key);
    bosc_number_list numbers = {0};
    bosc_status st = BOSC_OK;

    if (node->kind == BOSC_YAML_LIST &&
        (node->n < 1 || node->n > BOSC_MOST_NUMBERS))
        return bosc_yaml_fail(err, node, "%s: %zu numbers; give 1 to %d",
                              bosc_key_leaf(key), node->n, BOSC_MOST_NUMBERS);
    numbers.n = node->kind == BOSC_YAML_LIST ? (int32_t)node->n : 1;
    for (int32_t i = 0; st == BOSC_OK && i < numbers.n; ++i) {
        const bosc_yaml *own =
            node->kind == BOSC_YAML_LIST ? node->child[i] : node;
        int whole;

        if (key->unit[0] != '\0') {
            st = bosc_real_read(own, &number, &numbers.at[i], err);
        } else if ((st = bosc_int_read(own, &number, &whole, err)) == BOSC_OK) {
            numbers.at[i] = whole;
        }
    }
    if (st == BOSC_OK)
        *(bosc_number_list *)field = numbers;
    return st;
}

/* Call 'read' for the value of each region that the group names, that of 'all'
 * first. */
typedef bosc_status region_reader(const bosc_schema *schema,
                                  const bosc_yaml *node, int region, void *to,
                                  bosc_error *err);

static bosc_status each_region(const bosc_schema *schema, const bosc_yaml *node,
                               const bosc_key *key, region_reader *read,
                               void *to, bosc_error *err)
{
    const char *names[BOSC_N_REGIONS + 1] = {"all"};
    const bosc_yaml *all = bosc_yaml_get(node, "all");
    bosc_status st = BOSC_OK;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        names[r + 1] = bosc_region_names[r];
    for (int r = 0; st == BOSC_OK && all != NULL && r < BOSC_N_REGIONS; ++r)
        st = read(schema, all, r, to, err);
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *own = node->child[i];
        int r = -1;

        while (r < BOSC_N_REGIONS && strcmp(own->key, names[r + 1]) != 0)
            ++r;
        if (r == BOSC_N_REGIONS)
            st = bosc_job_key_unknown(schema, own, key->path, BOSC_LEN(names),
                                      names, err);
        else if (r >= 0)
            st = read(schema, own, r, to, err);
    }
    return st;
}

/* --- a number of each region ---------------------------------------------- */

typedef struct by_region {
    bosc_key number;
    double *value; /* [BOSC_N_REGIONS] */
} by_region;

static bosc_status read_number(const bosc_schema *schema, const bosc_yaml *node,
                               int region, void *to, bosc_error *err)
{
    const by_region *all = to;

    (void)schema;
    return bosc_real_read(node, &all->number, &all->value[region], err);
}

bosc_status bosc_by_region_read(const bosc_schema *schema,
                                const bosc_yaml *node, const bosc_key *key,
                                void *field, bosc_error *err)
{
    by_region all = {one_of(key), field};
    bosc_status st = BOSC_OK;

    for (int r = 0; st == BOSC_OK && r < BOSC_N_REGIONS; ++r)
        st = node->kind == BOSC_YAML_MAP
                 ? bosc_real_read(&(bosc_yaml){.source = node->source,
                                               .line = node->line,
                                               .text = (char *)key->standard},
                                  &all.number, &all.value[r], err)
                 : read_number(schema, node, r, &all, err);
    if (st == BOSC_OK && node->kind == BOSC_YAML_MAP)
        st = each_region(schema, node, key, read_number, &all, err);
    return st;
}

/* --- scale ---------------------------------------------------------------- */

static bosc_status read_factors(const bosc_schema *schema,
                                const bosc_yaml *node, int region, void *to,
                                bosc_error *err)
{
    static const char path[] = "populations[].scale.REGION";
    bosc_edit_spec *edit = to;
    bosc_status st = bosc_group_expect(node, "length: 1.2", err);

    if (st == BOSC_OK)
        st = bosc_group_check(schema, node, path, err);
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *own = node->child[i];
        double *factors =
            strcmp(own->key, "length") == 0 ? edit->length : edit->diameter;

        st = bosc_real_read(own, bosc_key_find(schema, path, own->key),
                            &factors[region], err);
    }
    return st;
}

bosc_status bosc_scale_read(const bosc_schema *schema, const bosc_yaml *node,
                            const bosc_key *key, void *field, bosc_error *err)
{
    bosc_edit_spec *edit = field;
    const bosc_status st =
        bosc_group_expect(node, "apical: {length: 1.2}", err);

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        edit->length[r] = edit->diameter[r] = 1;
    return st == BOSC_OK
               ? each_region(schema, node, key, read_factors, edit, err)
               : st;
}
