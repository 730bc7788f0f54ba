#include "src/job/yaml/yaml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/print.h"

void bosc_yaml_destroy(bosc_yaml *node)
{
    if (node == NULL)
        return;
    for (size_t i = 0; i < node->n; ++i)
        bosc_yaml_destroy(node->child[i]);
    free(node->child);
    free(node->text);
    free(node->key);
    free(node);
}

bosc_yaml *bosc_yaml_get(const bosc_yaml *map, const char *key)
{
    for (size_t i = 0; map->kind == BOSC_YAML_MAP && i < map->n; ++i)
        if (strcmp(map->child[i]->key, key) == 0)
            return map->child[i];
    return NULL;
}

bool bosc_yaml_is_null(const bosc_yaml *node)
{
    return node->kind == BOSC_YAML_SCALAR && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0 ||
            strcmp(node->text, "Null") == 0 || strcmp(node->text, "NULL") == 0);
}

const char *bosc_yaml_show(const bosc_yaml *node, char *buffer, size_t size)
{
    if (node->kind != BOSC_YAML_SCALAR)
        return node->kind == BOSC_YAML_LIST ? "a list" : "a group of keys";
    if (node->text[0] == '\0' && !node->quoted)
        return "no value";
    const int n = snprintf(buffer, size, "'%s'", node->text);

    if (n >= (int)size)
        strcpy(buffer + size - 5, "...'");
    return buffer;
}

char *bosc_yaml_where(const bosc_yaml *node)
{
    return node->line == 0 ? bosc_strdup(node->source)
                           : bosc_format("%s:%d", node->source, node->line);
}

bosc_status bosc_yaml_fail(bosc_error *err, const bosc_yaml *node,
                           const char *format, ...)
{
    char text[sizeof err->text];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *p = text; *p != '\0'; ++p)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?'; /* of a key or value: a message is one line */
    if (node->line == 0)
        return bosc_fail(err, BOSC_EUSAGE, "%s: %s", node->source, text);
    return bosc_fail(err, BOSC_EFORMAT, "%s:%d: %s", node->source, node->line,
                     text);
}

bosc_yaml *bosc_yaml_create(bosc_yaml_kind kind, const char *source, int line,
                            const char *key, size_t length)
{
    bosc_yaml *node = calloc(1, sizeof *node);

    if (node == NULL)
        return NULL;
    node->kind = kind;
    node->source = source;
    node->line = line;
    node->key = key != NULL ? strndup(key, length) : NULL;
    node->text = kind == BOSC_YAML_SCALAR ? bosc_strdup("") : NULL;
    if ((key != NULL && node->key == NULL) ||
        (kind == BOSC_YAML_SCALAR && node->text == NULL)) {
        bosc_yaml_destroy(node);
        return NULL;
    }
    return node;
}

bosc_yaml *bosc_yaml_copy(const bosc_yaml *node)
{
    bosc_yaml *copy =
        bosc_yaml_create(BOSC_YAML_MAP, node->source, node->line, node->key,
                         node->key != NULL ? strlen(node->key) : 0);
    bool whole = copy != NULL;

    if (whole) {
        copy->kind = node->kind;
        copy->quoted = node->quoted;
        copy->added_to = node->added_to;
        copy->text = node->text != NULL ? bosc_strdup(node->text) : NULL;
        whole = (copy->text == NULL) == (node->text == NULL);
    }
    for (size_t i = 0; whole && i < node->n; ++i) {
        bosc_yaml *child = bosc_yaml_copy(node->child[i]);

        whole = child != NULL && bosc_yaml_append(copy, child);
        if (!whole)
            bosc_yaml_destroy(child);
    }
    if (whole)
        return copy;
    bosc_yaml_destroy(copy);
    return NULL;
}

static void put_line(FILE *file, const bosc_yaml *node)
{
    const bool list = node->kind == BOSC_YAML_LIST;

    if (node->kind == BOSC_YAML_SCALAR) {
        fputs(node->text, file);
        return;
    }
    fputc(list ? '[' : '{', file);
    for (size_t i = 0; i < node->n; ++i) {
        fputs(i > 0 ? ", " : "", file);
        if (!list)
            fprintf(file, "%s: ", node->child[i]->key);
        put_line(file, node->child[i]);
    }
    fputc(list ? ']' : '}', file);
}

char *bosc_yaml_line(const bosc_yaml *node)
{
    bosc_print text;
    FILE *file = bosc_print_begin(&text);

    if (file == NULL)
        return NULL;
    put_line(file, node);
    return bosc_print_end(&text);
}

bool bosc_yaml_append(bosc_yaml *parent, bosc_yaml *child)
{
    if (!bosc_grow(&parent->child, &parent->capacity, parent->n + 1,
                   sizeof *parent->child))
        return false;
    parent->child[parent->n++] = child;
    return true;
}

/* --- the lines of a text ------------------------------------------------- */

static const char *const breaks[] = {
    "\r\n", "\r", "\n", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
static const char firsts[] = "\r\n\xc2\xe2"; /* their first bytes */

size_t bosc_yaml_break(const char *p)
{
    for (size_t i = 0; i < BOSC_LEN(breaks); ++i) {
        const size_t n = strlen(breaks[i]);

        if (strncmp(p, breaks[i], n) == 0)
            return n;
    }
    return 0;
}

size_t bosc_yaml_rest(const char *p)
{
    size_t n = strcspn(p, firsts);

    while (p[n] != '\0' && bosc_yaml_break(p + n) == 0)
        n += 1 + strcspn(p + n + 1, firsts);
    return n;
}

const char *bosc_yaml_next_line(const char *p)
{
    p += bosc_yaml_rest(p);
    return p + bosc_yaml_break(p);
}

const char *bosc_yaml_line_at(const char *text, int line)
{
    while (--line > 0 && *text != '\0')
        text = bosc_yaml_next_line(text);
    return text;
}

int bosc_yaml_line_of(const char *text, size_t offset)
{
    const char *p = text;

    for (int line = 1;; ++line) {
        const char *end = p + bosc_yaml_rest(p);

        p = end + bosc_yaml_break(end);
        if (p == end || (size_t)(p - text) > offset)
            return line;
    }
}
