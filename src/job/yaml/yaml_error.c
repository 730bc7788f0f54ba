/* yaml_error.c - messages for texts that are not YAML: libyaml's own, with what
 * to do.
 *
 * A tab or a no-break space for a blank, and a colon or a blank behind one that
 * is missing, are the usual slips, and libyaml blames another line for them:
 * these are looked for.
 */
#include "src/job/yaml/yaml_error.h"

#include <stdio.h>
#include <string.h>

/* A slip that is certain enough to replace libyaml's message. */
typedef struct slip {
    int line;
    char text[200];
} slip;

/* The length of the value at p without comment and blanks behind it. */
static int value_length(const char *p)
{
    int n = (int)bosc_yaml_rest(p);
    const char *comment = strstr(p, " #");

    if (comment != NULL && comment - p < n)
        n = (int)(comment - p);
    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t'))
        --n;
    return n;
}

/* True if the value could be that of a key, and is no 'key: value' itself. */
static bool is_value(const char *p, int n)
{
    if (n == 0)
        return true; /* a group follows on the next lines */
    if (strchr("-|>:#=", *p) != NULL || p[n - 1] == ':')
        return false;
    for (int i = 0; i + 1 < n && *p != '{' && *p != '['; ++i)
        if (p[i] == ':' && p[i + 1] == ' ')
            return false;
    return true;
}

/* "tstop 100", "tstop:100" and "regions", perhaps behind "- ". */
static bool lacks_colon(const char *p, slip *out)
{
    p += strspn(p, " ");
    if (p[0] == '-' && p[1] == ' ')
        p += 1 + strspn(p + 1, " ");

    const int word = (int)strspn(p, "abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const bool colon = p[word] == ':';
    const char *value = p + word + colon;
    const int blanks = (int)strspn(value, " \t");
    const int n = value_length(value + blanks);

    if (word == 0 || (*p >= '0' && *p <= '9') ||
        (n > 0 && (blanks == 0) != colon) || (n == 0 && colon) ||
        !is_value(value + blanks, n))
        return false;
    snprintf(out->text, sizeof out->text, "%s is missing: '%.*s:%s%.*s'",
             colon ? "a blank behind the colon" : "a colon", word, p,
             n > 0 ? " " : "", n, value + blanks);
    return true;
}

/* A blank that is none, from a web page or a word processor. */
static bool has_no_break_space(const char *p, slip *out)
{
    const char *found = strstr(p, "\xc2\xa0");

    snprintf(out->text, sizeof out->text,
             "a no-break space (U+00A0) is there; write a plain blank");
    return found != NULL && found - p < value_length(p);
}

/* The last line before 'line' with content; 0: none. */
static int line_before(const char *text, int line)
{
    int last = 0;

    for (int i = 1; i < line && *text != '\0'; ++i) {
        const char *p = text + strspn(text, " \t");

        if (*p != '#' && *p != '\0' && bosc_yaml_break(p) == 0)
            last = i;
        text = bosc_yaml_next_line(p);
    }
    return last;
}

/* A slip where a key began, in the line of the problem, or in the one before:
 * for those messages of libyaml that come of missing colons. */
static bool find_slip(const yaml_parser_t *parser, const char *text, int line,
                      slip *out)
{
    static const char *const of_colons[] = {
        "mapping values are not allowed", "could not find expected ':'",
        "did not find expected <document start>", "did not find expected key"};
    const bool in_key = parser->context != NULL &&
                        strstr(parser->context, "simple key") != NULL;
    const int lines[] = {in_key ? (int)parser->context_mark.line + 1 : line,
                         line, line_before(text, line)};

    for (size_t i = 0; i < BOSC_LEN(of_colons); ++i)
        for (size_t k = 0; k < BOSC_LEN(lines); ++k)
            if (strstr(parser->problem, of_colons[i]) != NULL && lines[k] > 0 &&
                (has_no_break_space(bosc_yaml_line_at(text, lines[k]), out) ||
                 lacks_colon(bosc_yaml_line_at(text, lines[k]), out))) {
                out->line = lines[k];
                return true;
            }
    return false;
}

static bool indented_by_tab(const char *text, int line)
{
    text = bosc_yaml_line_at(text, line);
    return memchr(text, '\t', strspn(text, " \t")) != NULL;
}

/* What to do; 'lines' as below. */
static const char *remedy_for(const char *problem, bool lines)
{
    static const struct {
        const char *part, *remedy;
    } known[] = {
        {"UTF-8", "save the file as UTF-8 text"},
        {"control characters",
         "remove the control character; is this a text file?"},
        {"expected alphabetic or numeric character",
         "put quotes around a value that begins with * or &: \"*.swc\""},
        {"',' or '",
         "add the comma or bracket that is missing, and put quotes around "
         "values with brackets: \"dend[3](0.5)\""},
        {"unexpected end of stream", "close the quotes"},
    };

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (strstr(problem, known[i].part) != NULL)
            return known[i].remedy;
    return lines ? "check colons, indentation, brackets and quotes, here and "
                   "above"
                 : "put quotes around the value, and others around all for the "
                   "shell: --set 'name=\"a: b\"'";
}

bosc_status bosc_yaml_complain(const yaml_parser_t *parser, const char *text,
                               const char *source, bool lines, bosc_error *err)
{
    if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL)
        return bosc_no_memory(err, source);
    const bool bytes = parser->error == YAML_READER_ERROR;
    const int line = bytes ? bosc_yaml_line_of(text, parser->problem_offset)
                           : (int)parser->problem_mark.line + 1;
    const bosc_yaml here = {.source = source, .line = lines ? line : 0};
    char column[40] = "", context[120] = "";
    slip found;

    if (lines && !bytes && find_slip(parser, text, line, &found)) {
        const bosc_yaml there = {.source = source, .line = found.line};

        return bosc_yaml_fail(err, &there, "not valid YAML: %s", found.text);
    }
    if (lines && !bytes)
        snprintf(column, sizeof column, " in column %zu",
                 parser->problem_mark.column + 1);
    /* "while parsing a block mapping", and where that began */
    if (lines && !bytes && parser->context != NULL &&
        (int)parser->context_mark.line + 1 != line)
        snprintf(context, sizeof context, " (%s that began on line %zu)",
                 parser->context, parser->context_mark.line + 1);
    return bosc_yaml_fail(err, &here, "not valid YAML: %s%s%s; %s",
                          parser->problem, column, context,
                          indented_by_tab(text, line)
                              ? "indent with blanks, not with tabs"
                              : remedy_for(parser->problem, lines));
}
