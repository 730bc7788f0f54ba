/* yaml_error.c - messages for texts that are not YAML.
 *
 * libyaml notices some slips long after they were made, and blames a line that
 * is right: quotes that are not closed, a colon or a blank that is missing,
 * blanks that are none.  These are looked for in the text first; the rest is
 * libyaml's message, and a remedy.
 */
#include "src/job/yaml_error.h"

#include <stdio.h>
#include <string.h>

#include "src/text/lookalike.h"

/* A slip that is certain enough to replace libyaml's message. */
typedef struct slip {
    int line;
    char text[200];
} slip;

/* --- quotes -------------------------------------------------------------- */

/* From the quotes at p to behind those that close them, if *ends, or to the
 * end of the text; *line is counted on. */
static const char *skip_quoted(const char *p, int *line, bool *ends)
{
    const char mark = *p++;

    while (*p != '\0' && *p != mark) {
        const size_t n = bosc_yaml_break(p);

        *line += n > 0;
        if (mark == '"' && *p == '\\' && p[1] != '\0' &&
            bosc_yaml_break(p + 1) == 0)
            ++p;
        p += n > 0 ? n : 1;
    }
    *ends = *p == mark;
    return p + *ends;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* True if a value may begin behind 'last', the last character on its line
 * that is no blank; 0: there is none. */
static bool may_begin_behind(char last)
{
    return last == '\0' || strchr(":-,[{?", last) != NULL;
}

static bool report_quotes(int first, int end, slip *out)
{
    out->line = first;
    if (end > 0)
        snprintf(out->text, sizeof out->text,
                 "the quoted text that begins here ends only on line %d; close "
                 "the quotes where it should end",
                 end);
    else
        snprintf(out->text, sizeof out->text,
                 "the quoted text that begins here never ends; close the "
                 "quotes");
    return true;
}

/* Quotes that close only near the line where the parser gave up, or never. */
static bool find_open_quotes(const char *text, int problem_line, slip *out)
{
    char last = '\0';
    int line = 1;
    bool apart = true; /* a comment may begin here */

    for (const char *p = text; *p != '\0' && line <= problem_line;) {
        const size_t end = bosc_yaml_break(p);
        const int first = line;
        bool ends = true;

        if (end > 0) {
            last = '\0';
            ++line;
            p += end;
        } else if (*p == '#' && apart) {
            p += bosc_yaml_rest(p);
        } else if ((*p == '"' || *p == '\'') && may_begin_behind(last)) {
            p = skip_quoted(p, &line, &ends);
            last = '"';
        } else {
            last = is_blank(*p) ? last : *p;
            ++p;
        }
        apart = end > 0 || is_blank(p[-1]);
        if (!ends || (last == '"' && line > first && line >= problem_line - 1))
            return report_quotes(first, ends ? line : 0, out);
    }
    return false;
}

/* --- keys ---------------------------------------------------------------- */

/* The length of the value at p without comment and blanks behind it. */
static int value_length(const char *p)
{
    int n = (int)bosc_yaml_rest(p);
    const char *comment = strstr(p, " #");

    if (comment != NULL && comment - p < n)
        n = (int)(comment - p);
    while (n > 0 && is_blank(p[n - 1]))
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

/* Bytes of the word at p. */
static int word_length(const char *p)
{
    return (int)strspn(p, "abcdefghijklmnopqrstuvwxyz"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

/* Behind the blanks, and the "- " if there is one, that begin a line. */
static const char *key_at(const char *p)
{
    p += strspn(p, " ");
    return p + (p[0] == '-' && p[1] == ' ' ? 1 + strspn(p + 1, " ") : 0);
}

/* "tstop 100", "tstop:100" and "regions", perhaps behind "- ". */
static bool lacks_colon(const char *p, slip *out)
{
    p = key_at(p);

    const int word = word_length(p);
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

/* "tstop = 100" */
static bool has_equals(const char *p, slip *out)
{
    p = key_at(p);

    const int word = word_length(p);
    const char *sign = p + word + strspn(p + word, " \t");

    if (word == 0 || sign[0] != '=' || sign[1] == '=')
        return false;

    const char *value = sign + 1 + strspn(sign + 1, " \t");

    snprintf(out->text, sizeof out->text,
             "a colon should stand where '=' does: '%.*s: %.*s'", word, p,
             value_length(value), value);
    return true;
}

/* "-name: cells" */
static bool lacks_blank(const char *p, slip *out)
{
    p += strspn(p, " ");

    const int word = *p == '-' ? word_length(p + 1) : 0;

    if (word == 0 || p[1 + word] != ':')
        return false;
    snprintf(out->text, sizeof out->text,
             "a blank behind the '-' is missing: '- %.*s'", value_length(p + 1),
             p + 1);
    return true;
}

/* Blanks that are none; dashes and colons that are none where these belong. */
static bool has_lookalike(const char *p, slip *out)
{
    enum { LONGEST = 3 }; /* bytes of one */
    const char *first = p + strspn(p, " "), *key = key_at(p);
    const char *sign = key + word_length(key);
    const char *odd = bosc_lookalike(p, (size_t)value_length(p), true);

    if (odd == NULL)
        odd = bosc_lookalike(first, strnlen(first, LONGEST), false);
    if (odd == NULL && sign > key)
        odd = bosc_lookalike(sign, strnlen(sign, LONGEST), false);
    if (odd != NULL)
        snprintf(out->text, sizeof out->text, "%s", odd);
    return odd != NULL;
}

/* Signs of other languages and programs where a line begins. */
static bool begins_otherwise(const char *p, slip *out)
{
    static const struct {
        const char *begin, *message;
    } others[] = {
        {"//", "a comment begins with '#', not with '//'"},
        {";", "a comment begins with '#', not with ';'"},
        {"%", "a comment begins with '#', not with '%'"},
        {"* ", "entries of a list begin with '- ', not with '* '"},
        {"(", "a group of keys is in braces: '{key: value, ...}'"},
        {"<<<<<<<", "git left a conflict here; keep one of the two versions"},
        {"=======", "git left a conflict here; keep one of the two versions"},
        {">>>>>>>", "git left a conflict here; keep one of the two versions"},
    };

    p = key_at(p);
    for (size_t i = 0; i < BOSC_LEN(others); ++i)
        if (strncmp(p, others[i].begin, strlen(others[i].begin)) == 0) {
            snprintf(out->text, sizeof out->text, "%s", others[i].message);
            return true;
        }
    return false;
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

/* A closing bracket where the parser does not expect one. */
static bool has_extra_bracket(const yaml_parser_t *parser, const char *text,
                              slip *out)
{
    const yaml_mark_t *at = &parser->problem_mark;
    const char *p = bosc_yaml_line_at(text, (int)at->line + 1);

    for (size_t i = 0; i < at->column && *p != '\0'; ++i) /* characters */
        do
            ++p;
        while ((*p & 0xc0) == 0x80);
    if ((*p != '}' && *p != ']') || strstr(parser->problem, "',' or '") != NULL)
        return false;
    out->line = (int)at->line + 1;
    snprintf(out->text, sizeof out->text,
             "this '%c' closes nothing; remove it, or open it before", *p);
    return true;
}

/* A slip in the line of the problem, in that where a key began, or in the one
 * before. */
static bool find_slip(const yaml_parser_t *parser, const char *text, int line,
                      slip *out)
{
    static const char *const of_colons[] = {
        "mapping values are not allowed", "could not find expected ':'",
        "did not find expected <document start>", "did not find expected key"};
    static bool (*const slips[])(const char *, slip *) = {
        has_lookalike, begins_otherwise, lacks_blank, has_equals, lacks_colon};
    const bool in_key = parser->context != NULL &&
                        strstr(parser->context, "simple key") != NULL;
    const int lines[] = {in_key ? (int)parser->context_mark.line + 1 : line,
                         line, line_before(text, line)};
    size_t n = 2; /* only these are sure enough for other problems */

    for (size_t i = 0; i < BOSC_LEN(of_colons); ++i)
        if (strstr(parser->problem, of_colons[i]) != NULL)
            n = BOSC_LEN(slips);
    for (size_t i = 0; i < BOSC_LEN(lines); ++i)
        for (size_t k = 0; lines[i] > 0 && k < n; ++k)
            if (slips[k](bosc_yaml_line_at(text, lines[i]), out)) {
                out->line = lines[i];
                return true;
            }
    out->line = lines[0];
    snprintf(out->text, sizeof out->text,
             "this line is neither 'key: value' nor a value of the key above; "
             "add a colon, or indent it more");
    return in_key && strstr(parser->problem, "expected ':'") != NULL;
}

/* --- all the rest -------------------------------------------------------- */

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
        bool lines; /* mentions other lines */
    } known[] = {
        {"UTF-8", "save the file as UTF-8 text", true},
        {"control characters",
         "remove the control character; is this a text file?", false},
        {"mapping values are not allowed",
         "is ': ' missing on the line above, is this line indented unlike its "
         "neighbours, or are there two ': ' in it?",
         true},
        {"<document start>",
         "what stands above is whole by itself; write 'key: value' lines, "
         "indented alike",
         true},
        {"did not find expected key",
         "indent keys of one group by the same number of blanks", true},
        {"expected '-' indicator",
         "begin every entry of the list with '- ', and indent its other keys "
         "as the first",
         true},
        {"block sequence entries are not allowed",
         "put the list's '- ' on a line of its own", true},
        {"could not find expected ':'",
         "write 'key: value', or indent a value more than its key", true},
        {"expected alphabetic or numeric character",
         "put quotes around a value that begins with * or &: \"*.swc\"", false},
        {"',' or '",
         "add the comma or bracket that is missing, and put quotes around "
         "values with brackets: \"dend[3](0.5)\"",
         false},
        {"unexpected end of stream", "close the quotes", false},
        {"cannot start any token", "put the value into quotes", false},
    };

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (strstr(problem, known[i].part) != NULL && known[i].lines <= lines)
            return known[i].remedy;
    return lines ? "check indentation, brackets and quotes"
                 : "put quotes around the value, and others around all for the "
                   "shell: --set 'name=\"a: b\"'";
}

bosc_status bosc_yaml_complain(const yaml_parser_t *parser, const char *text,
                               const char *source, bool lines, bosc_error *err)
{
    if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL)
        return bosc_no_memory(err, source);
    const int line = parser->error == YAML_READER_ERROR
                         ? bosc_yaml_line_of(text, parser->problem_offset)
                         : (int)parser->problem_mark.line + 1;
    const bosc_yaml here = {.source = source, .line = lines ? line : 0};
    slip found;

    if (parser->error != YAML_READER_ERROR &&
        (find_open_quotes(text, line, &found) ||
         has_extra_bracket(parser, text, &found) ||
         (lines && find_slip(parser, text, line, &found)))) {
        const bosc_yaml there = {.source = source,
                                 .line = lines ? found.line : 0};

        return bosc_yaml_fail(err, &there, "not valid YAML: %s", found.text);
    }
    const char *remedy = indented_by_tab(text, line)
                             ? "indent with blanks, not with tabs"
                             : remedy_for(parser->problem, lines);

    /* "while parsing a block mapping", and where that began */
    if (lines && parser->context != NULL &&
        parser->error != YAML_READER_ERROR &&
        (int)parser->context_mark.line + 1 != line)
        return bosc_yaml_fail(err, &here,
                              "not valid YAML: %s (%s that began on line "
                              "%zu); %s",
                              parser->problem, parser->context,
                              parser->context_mark.line + 1, remedy);
    return bosc_yaml_fail(err, &here, "not valid YAML: %s; %s", parser->problem,
                          remedy);
}
