/* job_draw.c - values of several numbers: what is drawn, spans, boxes. */
#include "src/job/job_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/random.h"

/* Read the n numbers of a list, each as 'keys' say; 'parts' is how a message
 * shows the list. */
static bosc_status read_numbers(const bosc_yaml *node, const bosc_key *keys,
                                size_t n, const char *parts, double *out,
                                bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_LIST || node->n != n)
        return bosc_yaml_fail(err, node, "%s: write %s numbers, '%s: [%s]'",
                              node->key, n == 2 ? "two" : "three", node->key,
                              parts);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        st = bosc_real_read(node->child[i], &keys[i], &out[i], err);
    return st;
}

static bosc_status check_order(const bosc_yaml *node, const double *pair,
                               const char *unit, bosc_error *err)
{
    if (pair[0] <= pair[1])
        return BOSC_OK;
    return bosc_yaml_fail(err, node,
                          "%s: %.15g is more than %.15g%s%s; write the smaller "
                          "number first",
                          node->key, pair[0], pair[1],
                          unit[0] != '\0' ? " " : "", unit);
}

/* A number of the same unit and range. */
static bosc_key number_like(const bosc_key *key, const char *name)
{
    bosc_key number = *key;

    number.path = name;
    number.type = BOSC_KEY_REAL;
    return number;
}

bosc_status bosc_range_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err)
{
    const bosc_key number = number_like(key, bosc_key_leaf(key)),
                   both[] = {number, number};
    double span[2] = {0, INFINITY};
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_SCALAR || strcmp(node->text, "any") != 0) {
        st = read_numbers(node, both, 2, "nearest, farthest", span, err);
        if (st == BOSC_OK)
            st = check_order(node, span, key->unit, err);
    }
    if (st == BOSC_OK)
        memcpy(field, span, sizeof span);
    return st;
}

bosc_status bosc_box_read(const bosc_yaml *node, const bosc_key *key,
                          void *field, bosc_error *err)
{
    const bosc_key side = number_like(key, "box"), sides[] = {side, side, side};

    return read_numbers(node, sides, 3, "x, y, z", field, err);
}

/* "319" or "[76, 691]". */
bosc_status bosc_counts_read(const bosc_yaml *node, const bosc_key *key,
                             void *field, bosc_error *err)
{
    bosc_key number = *key;
    int32_t counts[2] = {0, 0};
    bosc_status st = BOSC_OK;

    number.type = BOSC_KEY_INT;
    if (node->kind == BOSC_YAML_LIST && node->n != 2)
        return bosc_yaml_fail(err, node,
                              "%s: write one number, or two, '%s: [least, "
                              "most]'",
                              node->key, node->key);
    for (size_t i = 0; i < 2 && st == BOSC_OK; ++i)
        st = bosc_int_read(node->kind == BOSC_YAML_LIST ? node->child[i] : node,
                           &number, &counts[i], err);
    if (st == BOSC_OK)
        st = check_order(node, (const double[]){counts[0], counts[1]}, "", err);
    if (st == BOSC_OK)
        memcpy(field, counts, sizeof counts);
    return st;
}

/* --- draws --------------------------------------------------------------- */

/* Lognormal: standard deviation over mean; its square must be finite. */
static const double most_spread = 1e6;

typedef struct distribution {
    const char *name, *parts, *first, *second; /* as messages call them */
    int kind;
} distribution;

static const distribution distributions[] = {
    {"uniform", "lower end, upper end", "lower end of uniform",
     "upper end of uniform", BOSC_DRAW_UNIFORM},
    {"normal", "mean, standard deviation", "mean of normal",
     "standard deviation of normal", BOSC_DRAW_NORMAL},
    {"lognormal", "mean, standard deviation", "mean of lognormal",
     "standard deviation of lognormal", BOSC_DRAW_LOGNORMAL},
    {"distance", "value at 0 um, change per um", "value at 0 um",
     "change per um", BOSC_DRAW_DISTANCE},
};

/* The one that the group has. */
static bosc_status find_distribution(const bosc_yaml *node,
                                     const distribution **out, bosc_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < BOSC_LEN(distributions); ++i) {
        const bosc_yaml *own = bosc_yaml_get(node, distributions[i].name);

        if (own == NULL)
            continue;
        if (*out != NULL)
            return bosc_yaml_fail(err, own,
                                  "%s: both %s and %s say how it is drawn; "
                                  "keep one",
                                  node->key, (*out)->name,
                                  distributions[i].name);
        *out = &distributions[i];
    }
    if (*out != NULL)
        return BOSC_OK;
    return bosc_yaml_fail(err, node,
                          "%s: how is it drawn? give one of uniform, normal, "
                          "lognormal and distance",
                          node->key);
}

static bosc_status read_two(const bosc_yaml *node, const bosc_key *key,
                            const distribution *how, bosc_draw *draw,
                            bosc_error *err)
{
    bosc_key keys[] = {number_like(key, how->first),
                       number_like(key, how->second)};
    double pair[2];
    char unit[40];

    snprintf(unit, sizeof unit, "%s/um", key->unit);
    if (draw->kind == BOSC_DRAW_DISTANCE) {
        keys[1].unit = unit;
        keys[1].low = -keys[1].high;
    }
    if (draw->kind == BOSC_DRAW_NORMAL || draw->kind == BOSC_DRAW_LOGNORMAL)
        keys[1].low = 0;
    bosc_status st = read_numbers(node, keys, 2, how->parts, pair, err);

    if (st == BOSC_OK && draw->kind == BOSC_DRAW_UNIFORM)
        st = check_order(node, pair, key->unit, err);
    if (st == BOSC_OK && draw->kind == BOSC_DRAW_LOGNORMAL && pair[0] <= 0)
        st = bosc_yaml_fail(err, node,
                            "lognormal: its numbers are positive, so a mean of "
                            "%.15g %s cannot be",
                            pair[0], key->unit);
    if (st == BOSC_OK && draw->kind == BOSC_DRAW_LOGNORMAL &&
        pair[1] > most_spread * pair[0])
        st =
            bosc_yaml_fail(err, node,
                           "lognormal: a standard deviation of %.15g %s is "
                           "over %g times the mean, %.15g %s: nearly all "
                           "numbers would be 0; write a smaller one",
                           pair[1], key->unit, most_spread, pair[0], key->unit);
    if (st == BOSC_OK) {
        draw->a = pair[0];
        draw->b = pair[1];
    }
    return st;
}

/* Without other words what is random keeps the sign of its mean. */
static void keep_sign(bosc_draw *draw)
{
    if (draw->a > 0)
        draw->low = fmax(draw->low, 0);
    if (draw->a < 0)
        draw->high = fmin(draw->high, 0);
}

static bosc_status read_limits(const bosc_yaml *node, const bosc_key *key,
                               bosc_draw *draw, bosc_error *err)
{
    const struct {
        const char *name;
        double *limit;
    } limits[] = {{"min", &draw->low}, {"max", &draw->high}};
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < BOSC_LEN(limits); ++i) {
        const bosc_yaml *own = bosc_yaml_get(node, limits[i].name);
        const bosc_key limit = number_like(key, limits[i].name);

        if (own != NULL)
            st = bosc_real_read(own, &limit, limits[i].limit, err);
    }
    return st;
}

/* What the distribution itself does not go beyond. */
static bosc_status narrow(const bosc_yaml *node, const bosc_key *key,
                          bosc_draw *draw, bosc_error *err)
{
    if (draw->kind == BOSC_DRAW_LOGNORMAL)
        draw->low = fmax(draw->low, 0);
    if (draw->kind == BOSC_DRAW_UNIFORM) {
        draw->low = fmax(draw->low, draw->a);
        draw->high = fmin(draw->high, draw->b);
    }
    if (draw->low <= draw->high)
        return BOSC_OK;
    return bosc_yaml_fail(err, node,
                          "%s: nothing is left, its least value would be %.15g "
                          "%s and its greatest %.15g %s; change min or max",
                          node->key, draw->low, key->unit, draw->high,
                          key->unit);
}

static bosc_status read_drawn(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_key *key, bosc_draw *draw,
                              bosc_error *err)
{
    const distribution *how = NULL;
    bosc_status st = bosc_group_check(schema, node, BOSC_DRAW_PATH, err);

    if (st == BOSC_OK)
        st = find_distribution(node, &how, err);
    if (st != BOSC_OK)
        return st;
    memcpy(&draw->kind, &how->kind, sizeof draw->kind);
    st = read_two(bosc_yaml_get(node, how->name), key, how, draw, err);
    if (st != BOSC_OK)
        return st;
    if (draw->kind == BOSC_DRAW_NORMAL || draw->kind == BOSC_DRAW_DISTANCE)
        keep_sign(draw);
    st = read_limits(node, key, draw, err);
    return st == BOSC_OK ? narrow(node, key, draw, err) : st;
}

bosc_status bosc_draw_read(const bosc_schema *schema, const bosc_yaml *node,
                           const bosc_key *key, void *field, bosc_error *err)
{
    const bosc_key number = number_like(key, bosc_key_leaf(key));
    bosc_draw draw = {
        .kind = BOSC_DRAW_CONSTANT, .low = key->low, .high = key->high};
    bosc_status st;

    if (node->kind == BOSC_YAML_LIST)
        return bosc_yaml_fail(err, node,
                              "%s is one number, or drawn, not a list; write "
                              "'%s: {uniform: [0.5, 1]}' or another "
                              "distribution",
                              number.path, number.path);
    if (node->kind == BOSC_YAML_MAP) {
        st = read_drawn(schema, node, key, &draw, err);
    } else {
        st = bosc_real_read(node, &number, &draw.a, err);
        draw.low = draw.high = draw.a;
    }
    if (st == BOSC_OK)
        *(bosc_draw *)field = draw;
    return st;
}

/* A lognormal number with this mean and deviation. */
static double lognormal(double mean, double deviation, double normal)
{
    const double spread = log1p(deviation / mean * (deviation / mean));

    return exp(log(mean) - spread / 2 + sqrt(spread) * normal);
}

double bosc_draw_number(const bosc_draw *draw, const uint32_t words[4])
{
    double x = draw->a;

    if (draw->kind == BOSC_DRAW_UNIFORM)
        x += (draw->b - draw->a) * bosc_uniform(words);
    if (draw->kind == BOSC_DRAW_NORMAL)
        x += draw->b * bosc_normal(words);
    if (draw->kind == BOSC_DRAW_LOGNORMAL)
        x = lognormal(draw->a, draw->b, bosc_normal(words));
    return x < draw->low ? draw->low : x > draw->high ? draw->high : x;
}
