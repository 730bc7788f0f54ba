/* job_place.c - values that name a point of a neuron, or sections. */
#include "src/job/job_keys.h"

#include <string.h>

#include "src/text/number.h"

const char *bosc_section_word(const char *p, bosc_region *region)
{
    const size_t length = strcspn(p, "[(");

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        if ((strlen(bosc_region_prefixes[r]) == length &&
             strncmp(p, bosc_region_prefixes[r], length) == 0) ||
            (strlen(bosc_region_names[r]) == length &&
             strncmp(p, bosc_region_names[r], length) == 0)) {
            *region = (bosc_region)r;
            return p + length;
        }
    return NULL;
}

bool bosc_section_is_myelin(const char *p)
{
    return strncmp(p, "myelin", 6) == 0 && strchr("[(", p[6]) != NULL;
}

const char *bosc_section_number(const char *p, int32_t *number)
{
    const size_t n = strspn(p, "0123456789");
    int64_t value;

    if (n == 0 || n > 18 || !bosc_number_whole(p, p + n, &value) ||
        value > INT32_MAX)
        return NULL;
    *number = (int32_t)value;
    return p + n;
}

/* "[3]"; left out it is 0. */
static const char *place_number(const char *p, int32_t *number)
{
    *number = 0;
    if (*p != '[')
        return p;
    p = bosc_section_number(p + 1, number);
    return p != NULL && *p == ']' ? p + 1 : NULL;
}

/* "(0.5)"; left out it is the middle. */
static const char *place_x(const char *p, const char *end, double *x)
{
    *x = 0.5;
    if (*p != '(')
        return p;
    p = bosc_number_parse(p + 1, end, x);
    return p != NULL && *p == ')' ? p + 1 : NULL;
}

/* "dend[3](0.5)" */
static bool parse_place(const char *text, bosc_location *place)
{
    const char *end = text + strlen(text), *p = text + strcspn(text, "[(");
    const bool myelin = bosc_section_is_myelin(text);

    if (!myelin && (p = bosc_section_word(text, &place->region)) == NULL)
        return false;
    if ((p = place_number(p, &place->number)) == NULL)
        return false;
    if (myelin) {
        place->region = BOSC_CUSTOM;
        place->number = -1 - place->number; /* bosc_section_name() */
    }
    return place_x(p, end, &place->x) == end;
}

static bosc_status check_place(const bosc_yaml *node, const bosc_key *key,
                               const char *text, const bosc_location *place,
                               bosc_error *err)
{
    const char *name = bosc_key_leaf(key);
    const char *prefix =
        place->number < 0 ? "myelin" : bosc_region_prefixes[place->region];

    if (!(place->x >= 0 && place->x <= 1))
        return bosc_yaml_fail(err, node,
                              "%s: position %g in %s is outside the section; "
                              "0 is its start, 1 its end",
                              name, place->x, BOSC_SHOW(node));
    if (place->region == BOSC_SOMA || strchr(text, '[') != NULL)
        return BOSC_OK;
    if (key->type == BOSC_KEY_TARGET)
        return bosc_yaml_fail(err, node,
                              "%s: which section is meant by %s? number it, "
                              "such as \"%s[0](%g)\", or write '{region: "
                              "%s}' for places at random",
                              name, BOSC_SHOW(node), prefix, place->x,
                              bosc_region_names[place->region]);
    return bosc_yaml_fail(err, node,
                          "%s: which section is meant by %s? number it, such "
                          "as \"%s[0](%g)\"",
                          name, BOSC_SHOW(node), prefix, place->x);
}

/* "{section: dend[12], x: 0.5}" */
static bosc_status read_pair(const bosc_yaml *node, const bosc_key *key,
                             bosc_location *to, bosc_error *err)
{
    static const bosc_key own = {.path = "x",
                                 .type = BOSC_KEY_REAL,
                                 .unit = "",
                                 .low = 0,
                                 .high = 1,
                                 .meaning = "position in the section"};
    const bosc_yaml *section = bosc_yaml_get(node, "section"),
                    *x = bosc_yaml_get(node, "x");
    bosc_status st = BOSC_OK;

    if (section == NULL || node->n != (x != NULL ? 2 : 1) ||
        section->kind != BOSC_YAML_SCALAR)
        return bosc_yaml_fail(err, node,
                              "%s: write '{section: \"dend[12]\", x: 0.5}' for "
                              "a point of a neuron; x is 0.5 if left out",
                              bosc_key_leaf(key));
    if (strchr(section->text, '(') != NULL || !parse_place(section->text, to))
        return bosc_yaml_fail(err, section,
                              "section: %s names no section; write soma, axon, "
                              "dend, apic, custom or myelin and a number, such "
                              "as \"dend[12]\"",
                              BOSC_SHOW(section));
    if (x != NULL)
        st = bosc_real_read(x, &own, &to->x, err);
    return st == BOSC_OK ? check_place(section, key, section->text, to, err)
                         : st;
}

/* A place that may be everywhere, or a point. */
static bosc_status read_place(const bosc_yaml *node, const bosc_key *key,
                              bool everywhere, bosc_location *to,
                              bosc_error *err)
{
    const char *text;
    bosc_location place = {.kind = BOSC_AT_SECTION, .x = 0.5};
    bosc_status st;

    if (node->kind == BOSC_YAML_MAP) {
        if ((st = read_pair(node, key, &place, err)) == BOSC_OK)
            *to = place;
        return st;
    }
    if ((st = bosc_value_text(node, key, &text, err)) != BOSC_OK)
        return st;
    if (strcmp(text, "soma") == 0)
        place.kind = BOSC_AT_SOMA;
    else if (everywhere && strcmp(text, "everywhere") == 0)
        place.kind = BOSC_AT_EVERYWHERE;
    else if (!parse_place(text, &place))
        return bosc_yaml_fail(err, node,
                              "%s: %s is no %s; write soma, %sor a position in "
                              "a section of soma, axon, dend, apic, custom or "
                              "myelin, such as \"dend[12](0.5)\"",
                              bosc_key_leaf(key), BOSC_SHOW(node),
                              everywhere ? "place" : "point of a neuron",
                              everywhere ? "everywhere, " : "");
    else
        st = check_place(node, key, text, &place, err);
    if (st == BOSC_OK)
        *to = place;
    return st;
}

bosc_status bosc_location_read(const bosc_yaml *node, const bosc_key *key,
                               void *field, bosc_error *err)
{
    return read_place(node, key, true, field, err);
}

bosc_status bosc_point_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err)
{
    return read_place(node, key, false, field, err);
}
