/* yaml_tree.h - a YAML text as a tree whose nodes remember where they stood.
 *
 * Serial code: no MPI; the only place that knows libyaml.  Anchors are copied
 * out; a key given twice, several documents, bottomless aliases and more than
 * BOSC_YAML_DEPTH levels are errors, found where they are, in time by the
 * length of the text.  Values stay text: what they mean is the reader's
 * business.
 */
#ifndef BOSC_SRC_JOB_YAML_YAML_TREE_H
#define BOSC_SRC_JOB_YAML_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/status.h"

/* Most groups and lists within each other: far more than any job needs. */
enum { BOSC_YAML_DEPTH = 32 };

typedef enum bosc_yaml_kind {
    BOSC_YAML_SCALAR,
    BOSC_YAML_LIST,
    BOSC_YAML_MAP
} bosc_yaml_kind;

typedef struct bosc_yaml {
    bosc_yaml_kind kind;
    const char *source; /* file, or "--set key=value"; the caller's string */
    int line;           /* of the key, or of the list item; 0: no lines */
    char *key;          /* name in the parent map; NULL in a list, at the top */
    char *text;         /* of a scalar, else NULL */
    bool quoted;        /* scalar in quotes: never null */
    size_t added_to;    /* entries that its list had when an assignment added
                           it; else 0 */
    size_t n, capacity; /* children */
    struct bosc_yaml **child; /* [n] in the order of the text */
} bosc_yaml;

/* Parse a text whose messages begin with "source:line: ", or "source: " where
 * lines make no sense.  source must outlive the tree.  A text without any
 * content gives an empty scalar. */
bosc_status bosc_yaml_parse(const char *text, const char *source, bool lines,
                            bosc_yaml **out, bosc_error *err);

/* Free a tree; NULL is allowed. */
void bosc_yaml_destroy(bosc_yaml *node);

/* An empty node at a place, called 'key' (of 'length' bytes, NULL: none); NULL
 * without memory. */
bosc_yaml *bosc_yaml_create(bosc_yaml_kind kind, const char *source, int line,
                            const char *key, size_t length);

/* Hang 'child' into 'parent', which owns it then; false, with nothing changed,
 * without memory. */
bool bosc_yaml_append(bosc_yaml *parent, bosc_yaml *child);

/* The value of a key, NULL when the map has none. */
bosc_yaml *bosc_yaml_get(const bosc_yaml *map, const char *key);

/* A copy that is the caller's; NULL without memory. */
bosc_yaml *bosc_yaml_copy(const bosc_yaml *node);

/* The value in one line of YAML, without its key: "[0, 200]"; to be freed, NULL
 * without memory. */
char *bosc_yaml_line(const bosc_yaml *node);

/* True for nothing at all, '~' and 'null'. */
bool bosc_yaml_is_null(const bosc_yaml *node);

/* "map", "list" or the text in quotes: how a message shows a value. */
const char *bosc_yaml_show(const bosc_yaml *node, char *buffer, size_t size);

/* "file:line" or "--set key=value": how a message about a node begins; NULL
 * without memory. */
char *bosc_yaml_where(const bosc_yaml *node);

/* Write the name of a list's entry, cut where it is too long; false where it
 * has none. */
enum { BOSC_YAML_NAME = 160 };
typedef bool bosc_yaml_namer(const bosc_yaml *entry, char name[BOSC_YAML_NAME]);

/* Apply "key.path=value" to the tree: the value is YAML, missing maps are made
 * on the way, list items are named by index, "list[0]" or "list.0" (the next
 * free index appends), or as 'namer' does.  'source' (must outlive the tree) is
 * where the new nodes say they come from. */
bosc_status bosc_yaml_assign(bosc_yaml *root, const char *assignment,
                             const char *source, bosc_yaml_namer *namer,
                             bosc_error *err);

/* The same with the path before 'end' and a value that is taken over, whatever
 * is returned. */
bosc_status bosc_yaml_put(bosc_yaml *root, const char *path, const char *end,
                          bosc_yaml *value, const char *source,
                          bosc_yaml_namer *namer, bosc_error *err);

/* Fail with the place of the node in front of the message; BOSC_EFORMAT, or
 * BOSC_EUSAGE for a node of the command line. */
bosc_status bosc_yaml_fail(bosc_error *err, const bosc_yaml *node,
                           const char *format, ...) BOSC_PRINTF(3, 4);

/* --- the lines of a text ------------------------------------------------- */

/* As libyaml counts them: a line ends with LF, CR, CR LF, NEL (U+0085), LS
 * (U+2028) or PS (U+2029) in UTF-8; a NUL ends the text. */

/* Bytes of the line break at p; 0: none is there. */
size_t bosc_yaml_break(const char *p);

/* Bytes from p to the end of its line, the break not counted. */
size_t bosc_yaml_rest(const char *p);

/* The beginning of the line after p's, or the end of the text. */
const char *bosc_yaml_next_line(const char *p);

/* The beginning of a line, counted from 1; the end of the text where it has
 * fewer. */
const char *bosc_yaml_line_at(const char *text, int line);

/* The line, counted from 1, of the byte at 'offset', at most the last one. */
int bosc_yaml_line_of(const char *text, size_t offset);

#endif
