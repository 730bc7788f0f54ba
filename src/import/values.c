#include "src/import/values.h"

#include <stdlib.h>
#include <string.h>

static void add(bosc_import *imp, bosc_import_values *values, const char *name,
                bosc_item at)
{
    if (imp->st == BOSC_OK &&
        bosc_import_grow(imp, &values->value, &values->capacity, values->n + 1,
                         sizeof *values->value))
        values->value[values->n++] = (bosc_import_value){name, at, false};
}

/* {"gbar_x.somatic": 0.1} */
static void read_map(bosc_import *imp, bosc_item map,
                     bosc_import_values *values)
{
    const size_t n = bosc_item_map(imp, map);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item item = bosc_item_at(imp, map, i);

        add(imp, values, item.node->key, item);
    }
}

/* [{"name": "gbar_x.somatic", "value": 0.1}] */
static void read_list(bosc_import *imp, bosc_item list,
                      bosc_import_values *values)
{
    const size_t n = bosc_item_list(imp, list);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item item = bosc_item_at(imp, list, i);
        const bosc_item name = bosc_item_get(imp, item, "name");

        add(imp, values, bosc_item_text(imp, name),
            bosc_item_get(imp, item, "value"));
    }
}

/* The values of a model; missing where the item is no model. */
static bosc_item params_of(bosc_import *imp, bosc_item item)
{
    const bosc_item params = bosc_item_get(imp, item, "params");

    return bosc_item_has(params) ? params
                                 : bosc_item_get(imp, item, "parameters");
}

/* Is the entry the model of that name?  'by_key': its key says so, else its
 * "emodel". */
static bool is_model(bosc_import *imp, bosc_item item, const char *model,
                     bool by_key)
{
    if (model == NULL)
        return true;
    return by_key ? strcmp(item.node->key, model) == 0
                  : bosc_item_is(bosc_item_get(imp, item, "emodel"), model);
}

/* One of several models of a file: the one whose key is its name, else the only
 * one whose "emodel" is. */
static bosc_item choose(bosc_import *imp, bosc_item top, const char *model)
{
    bosc_item found = {.path = "", .file = top.file, .line = 1};
    const size_t n = bosc_item_map(imp, top);
    const char *names = "";
    size_t n_found = 0;

    for (int pass = 0; pass < 2 && n_found == 0; ++pass)
        for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
            const bosc_item item = bosc_item_at(imp, top, i);

            if (!bosc_item_has(params_of(imp, item)))
                continue;
            if (pass == 0)
                names = bosc_import_print(imp, "%s%s%s", names,
                                          names[0] == '\0' ? "" : ", ",
                                          item.node->key);
            if (!is_model(imp, item, model, pass == 0))
                continue;
            found = params_of(imp, item);
            ++n_found;
        }
    if (n_found > 1 || (n_found == 0 && names[0] != '\0'))
        bosc_import_fail_at(imp, top,
                            "has %s%s; choose one of these with --model: %s",
                            n_found > 1 ? "several models" : "no model ",
                            n_found > 1 || model == NULL ? "" : model, names);
    return found;
}

void bosc_import_values_read(bosc_import *imp, const char *path,
                             const char *model, bosc_import_values *values)
{
    const bosc_item top = bosc_import_json(imp, path);
    const bosc_item list = bosc_item_get(imp, top, "parameter");
    bosc_item map;

    values->path = path;
    if (bosc_item_is_list(top) || bosc_item_has(list)) {
        read_list(imp, bosc_item_is_list(top) ? top : list, values);
        return;
    }
    map = params_of(imp, top);
    if (!bosc_item_has(map))
        map = choose(imp, top, model);
    read_map(imp, bosc_item_has(map) ? map : top, values);
}

static bosc_import_value *find(bosc_import *imp,
                               const bosc_import_values *values,
                               const char *name, const char *location)
{
    const char *full = bosc_import_print(imp, "%s.%s", name, location);

    for (size_t i = 0; i < values->n; ++i)
        if (strcmp(values->value[i].name, full) == 0)
            return &values->value[i];
    return NULL;
}

const char *bosc_import_value_of(bosc_import *imp, bosc_import_values *values,
                                 const char *name, const char *location,
                                 bosc_item item)
{
    bosc_import_value *own = find(imp, values, name, location);
    const char *fixed;

    if (own != NULL)
        own->used = true;
    if (bosc_item_is_list(item)) {
        if (own == NULL)
            bosc_import_fail_at(
                imp, item,
                "%s.%s is free, within [%s, %s], and has no value%s%s; give "
                "a JSON file with the values of free parameters with --values",
                name, location,
                bosc_item_number(imp, bosc_item_at(imp, item, 0)),
                bosc_item_number(imp, bosc_item_at(imp, item, 1)),
                values->path == NULL ? "" : " in ",
                values->path == NULL ? "" : values->path);
        return own == NULL ? "0" : bosc_item_number(imp, own->at);
    }
    fixed = bosc_item_number(imp, item);
    if (own != NULL && strcmp(bosc_item_number(imp, own->at), fixed) != 0)
        bosc_import_note(imp,
                         "%s.%s is fixed at %s; its value %s in %s is not used",
                         name, location, fixed, bosc_item_number(imp, own->at),
                         bosc_import_relative(imp, own->at.file));
    return fixed;
}

void bosc_import_values_end(bosc_import *imp, const bosc_import_values *values)
{
    for (size_t i = 0; i < values->n; ++i)
        if (!values->value[i].used)
            bosc_import_fail_at(imp, values->value[i].at,
                                "'%s' is no parameter of the model; is this "
                                "the file of its values?",
                                values->value[i].name);
}

const char *bosc_import_formula(bosc_import *imp, const char *text,
                                const char *value, const char *more)
{
    const char *quoted = bosc_import_quote(imp, text);
    const bool scales = strstr(text, "{value}") != NULL;

    if (!scales)
        bosc_import_note(imp,
                         "value %s is left out: formula '%s' does not use "
                         "it",
                         value, text);
    return bosc_import_print(
        imp, "{formula: %s%s%s%s%s%s}", quoted[0] == '"' ? "" : "\"", quoted,
        quoted[0] == '"' ? "" : "\"", scales ? ", value: " : "",
        scales ? value : "", more);
}

const char *bosc_import_quote(bosc_import *imp, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                                "uvwxyz0123456789_./+-";
    const size_t n = strlen(text);
    char *quoted, *to;

    if (n > 0 && strspn(text, plain) == n &&
        (strchr("-+.0123456789", *text) == NULL ||
         strncmp(text, "../", 3) == 0))
        return text;
    quoted = bosc_import_alloc(imp, 4 * n + 3, 1);
    if (quoted == NULL)
        return "";
    to = quoted;
    *to++ = '"';
    for (const char *p = text; *p != '\0'; ++p)
        if ((unsigned char)*p < ' ') {
            static const char hex[] = "0123456789abcdef";

            *to++ = '\\';
            *to++ = 'x';
            *to++ = hex[(unsigned char)*p >> 4];
            *to++ = hex[*p & 15];
        } else {
            if (*p == '"' || *p == '\\')
                *to++ = '\\';
            *to++ = *p;
        }
    *to++ = '"';
    *to = '\0';
    return quoted;
}
