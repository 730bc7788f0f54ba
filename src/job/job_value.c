/* job_value.c - values that are one number, word or text. */
#include "src/job/job_keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/text/did_you_mean.h"
#include "src/text/number.h"
#include "src/text/quantity.h"

bosc_status bosc_value_text(const bosc_yaml *node, const bosc_key *key,
                            const char **text, bosc_error *err)
{
    if (node->kind != BOSC_YAML_SCALAR)
        return bosc_yaml_fail(err, node, "%s takes one value (%s), not %s",
                              bosc_key_leaf(key), key->meaning,
                              BOSC_SHOW(node));
    if (bosc_yaml_is_null(node) || node->text[0] == '\0')
        return bosc_yaml_fail(err, node,
                              "%s has no value; write one, or remove the key",
                              bosc_key_leaf(key));
    *text = node->text;
    return BOSC_OK;
}

bosc_status bosc_value_unknown(const bosc_yaml *node, const char *key,
                               const char *noun, const char *name, size_t n,
                               const char *const *names, bosc_error *err)
{
    return bosc_yaml_fail(
        err, node, "%s: unknown %s '%s'; %s", key, noun, name,
        bosc_did_you_mean(name, n, names, "available:", (char[500]){0}, 500));
}

/* "KEY: 'value' " and why it cannot be. */
static bosc_status refuse(const bosc_yaml *node, const bosc_key *key,
                          const char *why, bosc_error *err)
{
    return bosc_yaml_fail(err, node, "%s: %s %s", bosc_key_leaf(key),
                          BOSC_SHOW(node), why);
}

/* --- numbers ------------------------------------------------------------- */

/* "010" is ten to people, eight to YAML 1.1: neither is guessed. */
static bool looks_octal(const char *text)
{
    text += *text == '-' || *text == '+';
    return text[0] == '0' && bosc_is_digit(text[1]);
}

static bosc_status wrong_unit(const bosc_yaml *node, const bosc_key *key,
                              double value, const char *unit, bosc_error *err)
{
    const char *leaf = bosc_key_leaf(key);
    char number[80];

    if (bosc_quantity_convert(&value, unit, key->unit))
        snprintf(number, sizeof number, "write %.15g", value);
    else
        snprintf(number, sizeof number, "write a number in %s", key->unit);
    return bosc_yaml_fail(err, node,
                          "%s: %s has the unit '%s', but %s is in %s; %s", leaf,
                          BOSC_SHOW(node), unit, leaf, key->unit, number);
}

/* Why the text behind a number is no unit; NULL: it may be one. */
static const char *no_unit(const char *rest)
{
    if (*rest == '#')
        return "is not a number; put a blank before the '#' of a comment";
    if (*rest == ',' || *rest == '_' || *rest == '.')
        return "is not a number; write a decimal point and no separators, such "
               "as 1234.5";
    if (strchr("0123456789-+:;*/=()[]{}\"'", *rest) != NULL)
        return "is not one number; write one, in digits";
    if (rest[-1] == '0' && strchr("xXoObB", *rest) != NULL)
        return "is no decimal number; write it in decimal";
    return NULL;
}

/* What stands behind the number: nothing, or the key's unit. */
static bosc_status check_rest(const bosc_yaml *node, const bosc_key *key,
                              double value, const char *rest, bosc_error *err)
{
    const char *leaf = bosc_key_leaf(key);

    rest += strspn(rest, " \t\r\n");
    if (*rest == '\0')
        return BOSC_OK;
    if (no_unit(rest) != NULL)
        return refuse(node, key, no_unit(rest), err);
    if (key->unit[0] == '\0')
        return bosc_yaml_fail(err, node,
                              "%s: %s is not a number; %s has no unit", leaf,
                              BOSC_SHOW(node), leaf);
    if (bosc_quantity_same(rest, key->unit))
        return BOSC_OK;
    return wrong_unit(node, key, value, rest, err);
}

static bosc_status check_range(const bosc_yaml *node, const bosc_key *key,
                               double value, bosc_error *err)
{
    if (value >= key->low && value <= key->high)
        return BOSC_OK;
    return bosc_yaml_fail(
        err, node, "%s: %s is out of range; allowed: %.15g to %.15g%s%s",
        bosc_key_leaf(key), BOSC_SHOW(node), key->low, key->high,
        key->unit[0] != '\0' ? " " : "", key->unit);
}

static bosc_status get_number(const bosc_yaml *node, const bosc_key *key,
                              double *value, const char **rest, bosc_error *err)
{
    const char *text, *leaf = bosc_key_leaf(key);
    bosc_status st = bosc_value_text(node, key, &text, err);

    if (st != BOSC_OK)
        return st;
    *rest = bosc_number_parse(text, text + strlen(text), value);
    if (*rest == NULL)
        return bosc_yaml_fail(err, node,
                              "%s: %s is not a number; write digits, such as "
                              "'%s: %s'",
                              leaf, BOSC_SHOW(node), leaf,
                              key->standard != NULL        ? key->standard
                              : key->type == BOSC_KEY_REAL ? "0.5"
                                                           : "10");
    if (looks_octal(text))
        return refuse(node, key,
                      "begins with 0, which may mean octal; write it without "
                      "the leading zero",
                      err);
    return isfinite(*value) ? BOSC_OK
                            : refuse(node, key, "is not a finite number", err);
}

bosc_status bosc_real_read(const bosc_yaml *node, const bosc_key *key,
                           void *field, bosc_error *err)
{
    double value;
    const char *rest;
    bosc_status st = get_number(node, key, &value, &rest, err);

    if (st == BOSC_OK)
        st = check_rest(node, key, value, rest, err);
    if (st == BOSC_OK)
        st = check_range(node, key, value, err);
    if (st == BOSC_OK)
        *(double *)field = value;
    return st;
}

bosc_status bosc_int64_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err)
{
    double real;
    const bosc_status st = bosc_real_read(node, key, &real, err);

    if (st == BOSC_OK &&
        !bosc_number_whole(node->text, node->text + strlen(node->text), field))
        return refuse(node, key, "is not a whole number", err);
    return st;
}

bosc_status bosc_int_read(const bosc_yaml *node, const bosc_key *key,
                          void *field, bosc_error *err)
{
    int64_t value;
    const bosc_status st = bosc_int64_read(node, key, &value, err);

    if (st == BOSC_OK)
        *(int32_t *)field = (int32_t)value; /* the range is within int's */
    return st;
}

/* All 64 bits, so not by way of a double. */
bosc_status bosc_seed_read(const bosc_yaml *node, const bosc_key *key,
                           void *field, bosc_error *err)
{
    double value;
    const char *rest, *p;
    bosc_status st = get_number(node, key, &value, &rest, err);
    uint64_t seed = 0;

    if (st == BOSC_OK)
        st = check_rest(node, key, value, rest, err);
    if (st != BOSC_OK)
        return st;
    for (p = node->text; bosc_is_digit(*p); ++p)
        if (__builtin_mul_overflow(seed, 10, &seed) ||
            __builtin_add_overflow(seed, (uint64_t)(*p - '0'), &seed))
            break;
    if (*p != '\0')
        return refuse(node, key,
                      "is not a whole number from 0 to 18446744073709551615",
                      err);
    *(uint64_t *)field = seed;
    return BOSC_OK;
}

/* --- words --------------------------------------------------------------- */

bosc_status bosc_bool_read(const bosc_yaml *node, const bosc_key *key,
                           void *field, bosc_error *err)
{
    static const char *const words[] = {"false", "true", "no",
                                        "yes",   "off",  "on"};
    const char *text;
    const bosc_status st = bosc_value_text(node, key, &text, err);

    if (st != BOSC_OK)
        return st;
    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (strcasecmp(text, words[i]) == 0) {
            *(bool *)field = i % 2 == 1;
            return BOSC_OK;
        }
    /* NEURON's secondorder is a number, and 2 where this is true */
    return bosc_yaml_fail(err, node, "%s: %s is neither true nor false; %s",
                          bosc_key_leaf(key), BOSC_SHOW(node),
                          strcmp(text, "2") == 0   ? "write true"
                          : strcmp(text, "0") == 0 ? "write false"
                                                   : "write one of them");
}

bosc_status bosc_text_read(const bosc_yaml *node, const bosc_key *key,
                           void *field, bosc_error *err)
{
    const char *text;
    const bosc_status st = bosc_value_text(node, key, &text, err);

    if (st != BOSC_OK)
        return st;
    for (const char *p = text; *p != '\0'; ++p)
        if ((unsigned char)*p < ' ' || *p == 127)
            return bosc_yaml_fail(err, node,
                                  "%s: a line break, tab or other control "
                                  "character is in %s; remove it, and write "
                                  "backslashes in single quotes",
                                  bosc_key_leaf(key), BOSC_SHOW(node));
    char *copy = bosc_strdup(text);

    if (copy == NULL)
        return bosc_no_memory(err, node->source);
    free(*(char **)field);
    *(char **)field = copy;
    return BOSC_OK;
}

bosc_status bosc_paths_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err)
{
    const bool list = node->kind == BOSC_YAML_LIST;
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < (list ? node->n : 1); ++i) {
        char **all = field, *one = NULL, *more = NULL;

        st = bosc_text_read(list ? node->child[i] : node, key, &one, err);
        if (st == BOSC_OK) {
            more = bosc_format("%s%s\n", *all != NULL ? *all : "", one);
            if (more == NULL)
                st = bosc_no_memory(err, node->source);
        }
        if (st == BOSC_OK) {
            free(*all);
            *all = more;
        }
        free(one);
    }
    return st;
}

bosc_status bosc_names_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err)
{
    char **all = field;
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_LIST)
        return bosc_text_read(node, key, field, err);
    if (node->n == 0)
        return bosc_yaml_fail(err, node, "%s: the list names nothing",
                              bosc_key_leaf(key));
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        char *one = NULL, *more = NULL;

        st = bosc_text_read(node->child[i], key, &one, err);
        if (st == BOSC_OK)
            more = bosc_format("%s%s%s", *all != NULL ? *all : "",
                               *all != NULL ? ", " : "", one);
        free(one);
        if (st == BOSC_OK && more == NULL)
            st = bosc_no_memory(err, node->source);
        if (st == BOSC_OK) {
            free(*all);
            *all = more;
        }
    }
    return st;
}

bosc_status bosc_name_read(const bosc_yaml *node, const bosc_key *key,
                           void *field, bosc_error *err)
{
    const char *const letters = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *text;
    const bosc_status st = bosc_value_text(node, key, &text, err);

    if (st != BOSC_OK)
        return st;
    size_t length = strspn(text, letters) > 0 ? 1 : 0;
    while (length > 0 && text[length] != '\0' &&
           (strchr(letters, text[length]) != NULL ||
            bosc_is_digit(text[length]) || text[length] == '_' ||
            text[length] == '-'))
        ++length;
    if (text[length] != '\0' || length == 0 || length > 64)
        return bosc_yaml_fail(err, node,
                              "name: %s is no name; begin with a letter, then "
                              "letters, digits, '_' and '-', at most 64",
                              BOSC_SHOW(node));
    return bosc_text_read(node, key, field, err);
}
