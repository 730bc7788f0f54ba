#include "src/import/source.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/import/json.h"
#include "src/text/file_kind.h"
#include "src/text/lines.h"
#include "src/text/number.h"

/* --- failures and memory ---------------------------------------------------
 */

/* What an option of 'bosc import' is called in a job that names a model. */
static const char *const keys[][2] = {
    {"behind the fit: bosc import allen FIT.json CELL.swc",
     "with 'morphologies' beside 'model'"},
    {"--morphology", "'morphologies' beside 'model'"},
    {"--mechanisms", "'mechanisms' of the job"},
    {"--values", "'model_values' beside 'model'"},
    {"--model", "'model_name' beside 'model'"},
    {"--axon", "'axon: {replace: RULE}' beside 'model'"},
};

/* A message with the keys of a job in place of options; freed and made anew;
 * NULL without memory. */
static char *with_keys(char *text)
{
    for (size_t i = 0; i < BOSC_LEN(keys); ++i) {
        char *at = text != NULL ? strstr(text, keys[i][0]) : NULL, *longer;

        if (at == NULL)
            continue;
        longer = bosc_format("%.*s%s%s", (int)(at - text), text, keys[i][1],
                             at + strlen(keys[i][0]));
        free(text);
        text = longer;
    }
    return text;
}

static void keep(bosc_import *imp, bosc_status st, const char *where,
                 const char *format, va_list args)
{
    char *text;

    if (imp->st != BOSC_OK)
        return;
    text = bosc_vformat(format, args);
    if (imp->how->of_job)
        text = with_keys(text);
    imp->st = text == NULL ? bosc_no_memory(imp->err, "a message")
                           : bosc_fail(imp->err, st, "%s%s", where, text);
    free(text);
}

void bosc_import_fail(bosc_import *imp, bosc_status st, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    keep(imp, st, "", format, args);
    va_end(args);
}

void bosc_import_fail_at(bosc_import *imp, bosc_item item, const char *format,
                         ...)
{
    const char *where;
    va_list args;

    if (imp->st != BOSC_OK)
        return;
    where = bosc_import_print(imp, "%s:%d: %s%s", item.file, item.line,
                              item.path, item.path[0] == '\0' ? "" : ": ");
    va_start(args, format);
    keep(imp, BOSC_EFORMAT, where, format, args);
    va_end(args);
}

const char *bosc_import_print(bosc_import *imp, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = bosc_vformat(format, args);
    va_end(args);
    text = bosc_pool_own(&imp->pool, text);
    if (text != NULL)
        return text;
    bosc_import_fail(imp, BOSC_ENOMEM, "out of memory for a model");
    return "";
}

void *bosc_import_alloc(bosc_import *imp, size_t n, size_t size)
{
    void *memory = bosc_pool_own(&imp->pool, bosc_alloc(n, size));

    if (memory == NULL)
        bosc_import_fail(imp, BOSC_ENOMEM, "out of memory for a model");
    return memory;
}

bool bosc_import_grow(bosc_import *imp, void *array, size_t *capacity,
                      size_t want, size_t size)
{
    void **at = array, *larger;
    size_t room = *capacity < 8 ? 8 : 2 * *capacity;

    if (want <= *capacity)
        return true;
    room = room < want ? want : room;
    larger = bosc_import_alloc(imp, room, size);
    if (larger == NULL)
        return false;
    if (*capacity > 0)
        memcpy(larger, *at, *capacity * size);
    *at = larger;
    *capacity = room;
    return true;
}

void bosc_import_add(bosc_import *imp, bosc_import_list *list, const char *text)
{
    if (bosc_import_grow(imp, &list->item, &list->capacity, list->n + 1,
                         sizeof *list->item))
        list->item[list->n++] = text;
}

void bosc_import_note(bosc_import *imp, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = bosc_vformat(format, args);
    va_end(args);
    if (bosc_pool_own(&imp->pool, text) == NULL) {
        bosc_import_fail(imp, BOSC_ENOMEM, "out of memory for a model");
        return;
    }
    for (size_t i = 0; i < imp->notes.n; ++i)
        if (strcmp(imp->notes.item[i], text) == 0)
            return;
    bosc_import_add(imp, &imp->notes, text);
}

void bosc_import_clear(bosc_import *imp)
{
    for (int i = 0; i < imp->n_files; ++i)
        bosc_yaml_destroy(imp->file[i]);
    bosc_pool_clear(&imp->pool);
}

/* --- files of text ---------------------------------------------------------
 */

const char *bosc_import_read(bosc_import *imp, const char *path)
{
    const bosc_file_kind *kind;
    size_t bytes = 0;
    char *text;
    FILE *file;
    int why;

    if (imp->st != BOSC_OK)
        return "";
    file = bosc_is_folder(path) ? NULL : fopen(path, "rb");
    if (file == NULL) {
        bosc_import_fail(imp, BOSC_EIO, "%s: %s", path,
                         bosc_is_folder(path) ? "is a folder, not a file"
                                              : strerror(errno));
        return "";
    }
    text = bosc_pool_own(
        &imp->pool, bosc_lines_all(file, BOSC_IMPORT_LONGEST_FILE, &bytes));
    why = ferror(file) ? errno : 0;
    fclose(file);
    if (text == NULL) {
        bosc_import_fail(imp, BOSC_ENOMEM, "out of memory for %s", path);
        return "";
    }
    kind = bosc_file_kind_of(text, bytes);
    if (why != 0)
        bosc_import_fail(imp, BOSC_EIO, "%s: %s", path, strerror(why));
    else if (bytes > BOSC_IMPORT_LONGEST_FILE)
        bosc_import_fail(imp, BOSC_EFORMAT,
                         "%s: has over %d MB, more than any known model; is it "
                         "the file of a model?",
                         path, BOSC_IMPORT_LONGEST_FILE >> 20);
    else if (kind != NULL)
        bosc_import_fail(imp, BOSC_EFORMAT, "%s: is %s, no text of a model",
                         path, kind->what);
    else if (memchr(text, '\0', bytes) != NULL)
        bosc_import_fail(imp, BOSC_EFORMAT,
                         "%s: has a NUL character, so it is no text of a model",
                         path);
    return imp->st == BOSC_OK ? text : "";
}

bosc_item bosc_import_json(bosc_import *imp, const char *path)
{
    const char *text = bosc_import_read(imp, path), *own;
    bosc_item item = {.path = "", .file = path, .line = 1};
    bosc_yaml *tree = NULL;
    const char *p = text;

    if (imp->st != BOSC_OK)
        return item;
    if (memcmp(p, "\xef\xbb\xbf", strnlen(p, 3)) == 0)
        p += strnlen(p, 3);
    p += strspn(p, " \t\r\n");
    if (*p != '{' && *p != '[')
        bosc_import_fail(imp, BOSC_EFORMAT,
                         "%s: begins with neither '{' nor '[', so it is no "
                         "JSON; is it the file of a model?",
                         path);
    if (imp->n_files == BOSC_IMPORT_FILES)
        bosc_import_fail(imp, BOSC_EFORMAT, "%s: is one file too many", path);
    own = bosc_pool_own(&imp->pool, bosc_json_as_yaml(text));
    if (own == NULL)
        bosc_import_fail(imp, BOSC_ENOMEM, "out of memory for %s", path);
    if (imp->st != BOSC_OK)
        return item;
    imp->st = bosc_yaml_parse(own, path, true, &tree, imp->err);
    if (imp->st != BOSC_OK)
        return item;
    imp->file[imp->n_files++] = tree;
    bosc_import_add(imp, &imp->files, path);
    item.node = tree;
    return item;
}

/* --- items -----------------------------------------------------------------
 */

bool bosc_item_has(bosc_item item)
{
    return item.node != NULL && !bosc_yaml_is_null(item.node);
}

bool bosc_item_is_list(bosc_item item)
{
    return item.node != NULL && item.node->kind == BOSC_YAML_LIST;
}

bool bosc_item_is(bosc_item item, const char *text)
{
    return item.node != NULL && item.node->kind == BOSC_YAML_SCALAR &&
           strcmp(item.node->text, text) == 0;
}

bosc_item bosc_item_get(bosc_import *imp, bosc_item item, const char *key)
{
    bosc_item own = {.file = item.file, .line = item.line, .path = ""};

    own.path = bosc_import_print(imp, "%s%s%s", item.path,
                                 item.path[0] == '\0' ? "" : ".", key);
    if (imp->st != BOSC_OK || item.node == NULL ||
        item.node->kind != BOSC_YAML_MAP)
        return own;
    own.node = bosc_yaml_get(item.node, key);
    if (own.node != NULL)
        own.line = own.node->line;
    return own;
}

bosc_item bosc_item_at(bosc_import *imp, bosc_item item, size_t i)
{
    bosc_item own = {.file = item.file, .line = item.line, .path = ""};
    const bosc_yaml *node = item.node;

    if (imp->st != BOSC_OK || node == NULL || node->kind == BOSC_YAML_SCALAR ||
        i >= node->n) {
        own.path = bosc_import_print(imp, "%s[%zu]", item.path, i);
        return own;
    }
    own.node = node->child[i];
    own.line = own.node->line;
    own.path =
        node->kind == BOSC_YAML_MAP
            ? bosc_import_print(imp, "%s%s%s", item.path,
                                item.path[0] == '\0' ? "" : ".", own.node->key)
            : bosc_import_print(imp, "%s[%zu]", item.path, i);
    return own;
}

static size_t entries(bosc_import *imp, bosc_item item, bosc_yaml_kind kind)
{
    char shown[80];

    if (imp->st != BOSC_OK || !bosc_item_has(item))
        return 0;
    if (item.node->kind == kind)
        return item.node->n;
    bosc_import_fail_at(imp, item, "is %s where %s is expected",
                        bosc_yaml_show(item.node, shown, sizeof shown),
                        kind == BOSC_YAML_LIST ? "a list, [...],"
                                               : "a group, {...},");
    return 0;
}

size_t bosc_item_list(bosc_import *imp, bosc_item item)
{
    return entries(imp, item, BOSC_YAML_LIST);
}

size_t bosc_item_map(bosc_import *imp, bosc_item item)
{
    return entries(imp, item, BOSC_YAML_MAP);
}

const char *bosc_item_text(bosc_import *imp, bosc_item item)
{
    char shown[80];

    if (imp->st != BOSC_OK)
        return "";
    if (item.node == NULL)
        bosc_import_fail_at(imp, item, "is missing; is the file complete?");
    else if (item.node->kind != BOSC_YAML_SCALAR ||
             bosc_yaml_is_null(item.node))
        bosc_import_fail_at(imp, item, "is %s where a text is expected",
                            bosc_yaml_show(item.node, shown, sizeof shown));
    return imp->st == BOSC_OK ? item.node->text : "";
}

const char *bosc_item_number(bosc_import *imp, bosc_item item)
{
    const char *text, *end;
    char shown[80];
    double value = 0;

    if (imp->st == BOSC_OK && item.node == NULL)
        bosc_import_fail_at(imp, item, "is missing; is the file complete?");
    if (imp->st != BOSC_OK)
        return "0";
    text = item.node->kind == BOSC_YAML_SCALAR ? item.node->text : "";
    text += strspn(text, " \t");
    end = text + strlen(text);
    while (end > text && strchr(" \t", end[-1]) != NULL)
        --end;
    if (end == text || bosc_number_parse(text, end, &value) != end ||
        !isfinite(value)) {
        bosc_import_fail_at(imp, item, "is %s where a number is expected",
                            bosc_yaml_show(item.node, shown, sizeof shown));
        return "0";
    }
    return bosc_import_print(imp, "%.*s", (int)(end - text), text);
}
