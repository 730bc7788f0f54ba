/* job_types.c - all types of values, and which function reads each. */
#include "src/job/job_keys.h"

#include <string.h>

const char *const bosc_coupling_names[BOSC_N_COUPLING_TYPES] = {"gap",
                                                                "graded"};
static const char *const by_names[] = {"length", "area"};
static const char *const parallel_names[] = {"auto", "yes", "no"};
static const char *const precision_names[] = {"double", "float"};
static const char *const current_names[] = {"line", "point"};
static const char *const level_names[] = {"tips", "root"};
static const char *const tune_names[] = {"predict", "measure"};
const char *const bosc_source_names[BOSC_N_SOURCE_TYPES] = {"regular",
                                                            "poisson", "file"};

static bosc_status read_word(const bosc_yaml *node, const bosc_key *key,
                             void *field, bosc_error *err)
{
    const bosc_value_type *type = &bosc_value_types[key->type];
    const char *text;
    const bosc_status st = bosc_value_text(node, key, &text, err);

    if (st != BOSC_OK)
        return st;
    for (size_t i = 0; i < type->n_words; ++i)
        if (strcmp(text, type->words[i]) == 0) {
            const int value = type->first + (int)i;

            memcpy(field, &value, sizeof value); /* an enum */
            return BOSC_OK;
        }
    return bosc_value_unknown(node, bosc_key_leaf(key), type->noun, text,
                              type->n_words, type->words, err);
}

#define WORD(noun, names, n, first)                                            \
    {                                                                          \
        "word", read_word, NULL, noun, names, n, first                         \
    }

static bosc_status leave(const bosc_yaml *node, const bosc_key *key,
                         void *field, bosc_error *err)
{
    (void)node;
    (void)key;
    (void)field;
    (void)err;
    return BOSC_OK;
}

const bosc_value_type bosc_value_types[BOSC_N_KEY_TYPES] = {
    [BOSC_KEY_REAL] = {.name = "number", .read = bosc_real_read},
    [BOSC_KEY_INT] = {.name = "whole number", .read = bosc_int_read},
    [BOSC_KEY_INT64] = {.name = "whole number", .read = bosc_int64_read},
    [BOSC_KEY_SEED] = {.name = "64-bit number", .read = bosc_seed_read},
    [BOSC_KEY_BOOL] = {.name = "true or false", .read = bosc_bool_read},
    [BOSC_KEY_TEXT] = {.name = "text", .read = bosc_text_read},
    [BOSC_KEY_NAMES] = {.name = "name or list", .read = bosc_names_read},
    [BOSC_KEY_PATHS] = {.name = "list", .read = bosc_paths_read},
    [BOSC_KEY_NAME] = {.name = "name", .read = bosc_name_read},
    [BOSC_KEY_POLICY] = WORD("policy", bosc_policy_names, BOSC_N_POLICIES, 0),
    [BOSC_KEY_LOCATION] = {.name = "location", .read = bosc_location_read},
    [BOSC_KEY_PLACES] = {.name = "location, group or list",
                         .read = bosc_places_read},
    [BOSC_KEY_NEURONS] = {.name = "numbers", .read = bosc_neurons_read},
    [BOSC_KEY_VARIABLES] = {.name = "list", .read_in = bosc_variables_read},
    [BOSC_KEY_POINT_PROCESS] = {.name = "word",
                                .read_in = bosc_point_type_read},
    [BOSC_KEY_POINTERS] = {.name = "group", .read_in = bosc_pointers_read},
    [BOSC_KEY_SOURCE] = WORD("type", bosc_source_names, BOSC_N_SOURCE_TYPES, 0),
    [BOSC_KEY_RULE] = WORD("rule", bosc_rule_names, BOSC_N_RULES, 0),
    [BOSC_KEY_COUPLING] =
        WORD("type", bosc_coupling_names, BOSC_N_COUPLING_TYPES, 0),
    [BOSC_KEY_FORMAT] =
        WORD("format", bosc_spmv_format_names, BOSC_N_SPMV_FORMATS, 0),
    [BOSC_KEY_PARALLEL] = WORD("value", parallel_names,
                               BOSC_LEN(parallel_names), BOSC_PARALLEL_AUTO),
    [BOSC_KEY_PRECISION] =
        WORD("type", precision_names, BOSC_LEN(precision_names), 0),
    [BOSC_KEY_POSITIONS] = {.name = "positions", .read = bosc_positions_read},
    [BOSC_KEY_CURRENTS] =
        WORD("source", current_names, BOSC_LEN(current_names), 0),
    [BOSC_KEY_LEVELS] = WORD("levels", level_names, BOSC_LEN(level_names), 0),
    [BOSC_KEY_TUNE] = WORD("tune", tune_names, BOSC_LEN(tune_names), 0),
    [BOSC_KEY_MEASURE] =
        WORD("measure", by_names, BOSC_LEN(by_names), BOSC_TARGET_LENGTH),
    [BOSC_KEY_RANGE] = {.name = "two numbers", .read = bosc_range_read},
    [BOSC_KEY_BOX] = {.name = "three numbers", .read = bosc_box_read},
    [BOSC_KEY_COUNTS] = {.name = "whole numbers", .read = bosc_counts_read},
    [BOSC_KEY_REGION_LIST] = {.name = "list", .read = bosc_region_list_read},
    [BOSC_KEY_DRAW] = {.name = "number or group", .read_in = bosc_draw_read},
    [BOSC_KEY_PARAMETERS] = {.name = "group", .read = leave},
    [BOSC_KEY_PAIR] = {.name = "two numbers"},
    [BOSC_KEY_NUMBERS] = {.name = "numbers", .read = bosc_number_list_read},
    [BOSC_KEY_BY_REGION] = {.name = "number or group",
                            .read_in = bosc_by_region_read},
    [BOSC_KEY_SCALE] = {.name = "group", .read_in = bosc_scale_read},
    [BOSC_KEY_AXON] = WORD("rule", bosc_axon_names, BOSC_N_AXON_RULES, 0),
    [BOSC_KEY_ATTACH] = WORD("place", bosc_attach_names, BOSC_N_ATTACH, 0),
    [BOSC_KEY_ATTACH_STUB] =
        WORD("place", bosc_attach_names + 1, BOSC_N_ATTACH - 1, 1),
    [BOSC_KEY_TARGET] = {.name = "location or group", .read = bosc_target_read},
    [BOSC_KEY_SWEPT] = {.name = "values of keys", .read = leave},
    [BOSC_KEY_GROUP] = {.name = "group"},
    [BOSC_KEY_LIST] = {.name = "list"},
    [BOSC_KEY_REGIONS] = {.name = "group", .read_in = bosc_regions_read},
    [BOSC_KEY_WHERE] = {.name = "group", .read = leave},
    [BOSC_KEY_VARYING] = {.name = "number or group", .read = bosc_real_read},
};

bosc_status bosc_value_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err)
{
    return bosc_value_types[key->type].read(node, key, field, err);
}

bosc_status bosc_value_read_in(const bosc_schema *schema, const bosc_yaml *node,
                               const bosc_key *key, void *field,
                               bosc_error *err)
{
    const bosc_value_type *type = &bosc_value_types[key->type];

    return type->read_in != NULL ? type->read_in(schema, node, key, field, err)
                                 : type->read(node, key, field, err);
}
