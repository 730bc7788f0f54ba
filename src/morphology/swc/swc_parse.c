/* The first phase of the SWC reader: lines to samples.
 *
 * '#' starts a comment wherever it stands.  Text that is no sample is dropped,
 * but a sample is never lost: a line of numbers that is none is refused, unless
 * the file is cut off in it and (swc_link.c) nothing hangs on it.
 */
#include "src/morphology/swc/swc_reader.h"
#include "src/morphology/read/units.h"

#include <math.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/lines.h"
#include "src/text/number.h"

enum {
    COLUMNS = 7,
    SHOWN = 24,       /* characters of a bad value in a message */
    NOT_A_TABLE = 100 /* unreadable lines beyond the number of samples */
};

enum { ID, TYPE, X, Y, Z, RADIUS, PARENT };

static const struct {
    const char *name, *form;
} columns[COLUMNS] = {
    {"id", "whole number from 0 on"},
    {"type", "whole number"},
    {"x", "number"},
    {"y", "number"},
    {"z", "number"},
    {"radius", "number"},
    {"parent", "whole number"},
};

static const double farthest = 1e9; /* um; a neuron of a kilometre is none */

typedef struct token {
    const char *p, *end;
} token;

typedef struct line {
    int64_t number;
    int n;     /* tokens, COLUMNS at most */
    bool more; /* something follows them */
    bool cut;  /* the file ends in this line */
    token token[COLUMNS];
} line;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        ++p;
    return p;
}

/* Split a line into tokens. */
static void split(const bosc_lines *at, line *ln)
{
    const char *p = at->begin, *const end = at->end;

    *ln = (line){.number = at->number, .cut = at->last};
    while ((p = skip_blanks(p, end)) < end && *p != '#') {
        if (ln->n == COLUMNS) {
            ln->more = true;
            break;
        }
        token *t = &ln->token[ln->n++];

        t->p = p;
        while (p < end && !is_blank(*p) && *p != '#')
            ++p;
        t->end = p;
    }
}

/* The token as a message can show it. */
static const char *show(token t, char text[SHOWN + 4])
{
    int n = 0;

    for (; n < SHOWN && t.p + n < t.end; ++n)
        text[n] = t.p[n] > ' ' && t.p[n] <= '~' ? t.p[n] : '?';
    strcpy(text + n, t.p + n < t.end ? "..." : "");
    return text;
}

/* "0,5" or "1,": a comma right behind a digit. */
static const token *find_comma(const line *ln)
{
    for (int i = 0; i < ln->n; ++i) {
        const token *t = &ln->token[i];

        for (const char *p = t->p + 1; p < t->end; ++p)
            if (*p == ',' && p[-1] >= '0' && p[-1] <= '9')
                return t;
    }
    return NULL;
}

static bosc_status not_a_table(bosc_swc_reader *r)
{
    return bosc_fail_at(
        r->mending.err, BOSC_EFORMAT, r->mending.name, r->unreadable_line,
        "not a sample, %s; lines of an SWC file read "
        "'id type x y z radius parent'",
        r->n == 0 ? "nor are the other lines" : "like most lines");
}

/* More numbers than words: it was meant as a sample. */
static bool is_damaged_sample(const line *ln)
{
    int numbers = 0;
    double value;

    for (int i = 0; i < ln->n; ++i)
        numbers += bosc_number_parse(ln->token[i].p, ln->token[i].end,
                                     &value) == ln->token[i].end;
    return 2 * numbers > ln->n;
}

/* The line is no sample, because of 'column' (COLUMNS: there are too few). */
static bosc_status unreadable(bosc_swc_reader *r, const line *ln, int column)
{
    static const char remedy[] = "correct or delete the line";
    char text[SHOWN + 4], what[128];
    const token *comma = find_comma(ln);
    const bool cut = ln->cut && column >= PARENT; /* all before is fine */

    if (comma != NULL)
        return bosc_fail_at(r->mending.err, BOSC_EFORMAT, r->mending.name,
                            ln->number,
                            "comma in '%s'; write numbers with a decimal "
                            "point and blanks between them",
                            show(*comma, text));
    if (column == COLUMNS)
        snprintf(what, sizeof what, "only %d of %d columns", ln->n, COLUMNS);
    else
        snprintf(what, sizeof what, "%s '%s' is not a %s", columns[column].name,
                 show(ln->token[column], text), columns[column].form);
    if (!cut && is_damaged_sample(ln))
        return bosc_fail(r->mending.err, BOSC_EFORMAT, "%s:%lld: %s; %s",
                         r->mending.name, (long long)ln->number, what, remedy);
    if (r->unreadable++ == 0)
        r->unreadable_line = ln->number;
    if (r->unreadable > r->n + NOT_A_TABLE)
        return not_a_table(r);
    r->cut_line = cut ? ln->number : 0;
    return bosc_mend(&r->mending, ln->number,
                     cut ? "dropped as the file ends here" : "line dropped",
                     remedy, "%s", what);
}

/* The first column that cannot be read, or COLUMNS. */
static int convert(const line *ln, bosc_swc_sample *s, int64_t *type)
{
    double *const number[COLUMNS] = {
        [X] = &s->xyz[0], &s->xyz[1], &s->xyz[2], &s->radius};
    int64_t *const whole[COLUMNS] = {
        [ID] = &s->id, [TYPE] = type, [PARENT] = &s->parent_id};

    for (int i = 0; i < COLUMNS; ++i) {
        const token t = ln->token[i];
        const bool read =
            number[i] != NULL
                ? bosc_number_parse(t.p, t.end, number[i]) == t.end
                : bosc_number_whole(t.p, t.end, whole[i]);

        if (!read || (i == ID && s->id < 0))
            return i;
    }
    return COLUMNS;
}

/* Values that are numbers and yet make no sense. */
static bosc_status check_values(bosc_swc_reader *r, const line *ln,
                                bosc_swc_sample *s, int64_t type)
{
    char text[SHOWN + 4];

    for (int i = X; i <= Z; ++i)
        if (!(fabs(s->xyz[i - X]) <= farthest))
            return bosc_fail_at(
                r->mending.err, BOSC_EFORMAT, r->mending.name, ln->number,
                "%s '%s' is no position (beyond %g um); correct it",
                columns[i].name, show(ln->token[i], text), farthest);
    if (s->radius > farthest || s->radius < -farthest)
        return bosc_fail_at(r->mending.err, BOSC_EFORMAT, r->mending.name,
                            ln->number,
                            "radius '%s' is beyond %g um; correct it",
                            show(ln->token[RADIUS], text), farthest);
    s->type = (int32_t)type;
    if (type >= 0 && type <= INT32_MAX)
        return BOSC_OK;
    s->type = BOSC_SWC_UNDEFINED;
    return bosc_mend(&r->mending, ln->number, "taken as 0 (undefined)",
                     "use a code from 0 on", "type %lld is no type code",
                     (long long)type);
}

static bosc_status parse_line(bosc_swc_reader *r, const line *ln)
{
    bosc_swc_sample s = {.line = ln->number};
    int64_t type;
    bosc_status st;

    if (ln->n < COLUMNS)
        return unreadable(r, ln, COLUMNS);
    const int bad = convert(ln, &s, &type);
    if (bad < COLUMNS)
        return unreadable(r, ln, bad);
    if ((st = check_values(r, ln, &s, type)) != BOSC_OK)
        return st;
    if (!bosc_grow(&r->sample, &r->capacity, (size_t)r->n + 1, sizeof s))
        return bosc_mend_no_memory(&r->mending);
    r->sample[r->n++] = s; /* fits: see most_bytes in swc_read.c */
    return BOSC_OK;
}

/* One line for all that is ignored behind the seventh column. */
static bosc_status mend_columns(bosc_swc_reader *r, int64_t first,
                                int64_t lines)
{
    if (lines == 0)
        return BOSC_OK;
    return bosc_mend(&r->mending, first, "the rest ignored",
                     "delete them or put '#' before them",
                     "more than %d columns (%lld such lines)", COLUMNS,
                     (long long)lines);
}

static void scale_samples(bosc_swc_reader *r, double scale)
{
    for (int32_t i = 0; i < r->n && scale != 1; ++i) {
        for (int k = 0; k < 3; ++k)
            r->sample[i].xyz[k] *= scale;
        r->sample[i].radius *= scale;
    }
}

bosc_status bosc_swc_parse_lines(bosc_swc_reader *r, const char *text,
                                 size_t bytes)
{
    bosc_lines lines = bosc_lines_of(text, bytes);
    int64_t wide = 0, first_wide = 0;
    double scale = 1;
    line ln;

    while (bosc_lines_next(&lines)) {
        if (r->n == 0 && *lines.begin == '#')
            bosc_units_of(lines.begin, lines.end, &scale);
        split(&lines, &ln);
        const bosc_status st = ln.n > 0 ? parse_line(r, &ln) : BOSC_OK;

        if (st != BOSC_OK)
            return st;
        if (ln.more && wide++ == 0)
            first_wide = ln.number;
    }
    if (r->n == 0 && r->unreadable > 0)
        return not_a_table(r);
    if (r->n == 0)
        return bosc_fail_at(r->mending.err, BOSC_EFORMAT, r->mending.name,
                            lines.number,
                            "no sample in this file; lines of an SWC "
                            "file read 'id type x y z radius parent'");
    scale_samples(r, scale);
    return mend_columns(r, first_wide, wide);
}
