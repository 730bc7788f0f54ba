/* Read a neuron of cylinders without coordinates: a table with tabs.
 *
 *     # units: nm                     (um without this line)
 *     section  length  diameter  parent  parent_x  nseg  type
 *     soma     20      15        -
 *     dend[0]  50      2         soma    0.5       1     3
 *
 * The first line that is no comment names the columns, in any order; parent_x
 * (default 1), nseg and type may be missing, or empty.  A parent stands above
 * its branches; the one root has none ("", "-" or "-1").  The type is an SWC
 * code; default: what the name tells (type_name.h).  nseg is the number of
 * compartments, if the job has no 'discretisation' or the policy 'per_sample',
 * for which it is 1 where it is missing.
 *
 * A section hangs on its parent and adds no point there: areas and lengths are
 * those of the table, in double precision.  Coordinates are made up: along x
 * where the parent ends, against it where the parent begins, else along y.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/read/draft.h"
#include "src/morphology/read/format.h"
#include "src/morphology/read/type_name.h"
#include "src/morphology/read/units.h"
#include "src/text/lines.h"
#include "src/text/number.h"

enum { SECTION, LENGTH, DIAMETER, PARENT, PARENT_X, NSEG, TYPE, N_COLUMNS };
enum { N_NEEDED = PARENT + 1, MOST_FIELDS = 64 };

static const char *const columns[N_COLUMNS] = {
    "section", "length", "diameter", "parent", "parent_x", "nseg", "type"};

typedef struct field {
    const char *p;
    size_t n;
} field;

/* A row that was read. */
typedef struct row {
    field name;
    double length, diam; /* um */
    int32_t nseg;        /* 0: not given */
    int32_t next;        /* row of the same slot, -1: none */
} row;

typedef struct reader {
    const bosc_mending *m;
    bosc_morphology *out;
    bosc_drafts drafts;
    row *row; /* [drafts.n] */
    size_t room;
    int32_t *slot; /* [slots] first row whose name has this hash, -1: none */
    size_t slots;
    double scale;           /* to um */
    int64_t line;           /* being read */
    int place[N_COLUMNS];   /* which field of a line; -1: no such column */
    field value[N_COLUMNS]; /* of the line being read */
} reader;

static bosc_status refuse(const reader *r, const char *what, const field *f)
{
    return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, r->line,
                        "%s '%.*s'", what, f->n < 40 ? (int)f->n : 40, f->p);
}

static bool is(const field *f, const char *word)
{
    return f->n == strlen(word) && memcmp(f->p, word, f->n) == 0;
}

/* The fields of a line, without the blanks around them. */
static int split(const bosc_lines *line, field *to)
{
    const char *p = line->begin;
    int n = 0;

    while (n < MOST_FIELDS) {
        const char *tab = memchr(p, '\t', (size_t)(line->end - p));
        const char *end = tab != NULL ? tab : line->end;

        to[n] = (field){p, (size_t)(end - p)};
        for (; to[n].n > 0 && to[n].p[0] == ' '; --to[n].n)
            ++to[n].p;
        while (to[n].n > 0 && to[n].p[to[n].n - 1] == ' ')
            --to[n].n;
        ++n;
        if (tab == NULL)
            break;
        p = tab + 1;
    }
    return n;
}

static bosc_status read_header(reader *r, const bosc_lines *line)
{
    field name[MOST_FIELDS];
    const int n = split(line, name);

    for (int k = 0; k < N_COLUMNS; ++k)
        r->place[k] = -1;
    for (int i = 0; i < n; ++i) {
        int k = 0;

        while (k < N_COLUMNS && !is(&name[i], columns[k]))
            ++k;
        if (k == N_COLUMNS || r->place[k] >= 0)
            return refuse(
                r, k == N_COLUMNS ? "no column is called" : "a second column",
                &name[i]);
        r->place[k] = i;
    }
    for (int k = 0; k < N_NEEDED; ++k)
        if (r->place[k] < 0)
            return bosc_fail_at(
                r->m->err, BOSC_EFORMAT, r->m->name, r->line,
                "no column '%s'; the first line names the columns, with tabs "
                "between: section, length, diameter, parent",
                columns[k]);
    return BOSC_OK;
}

/* ---- names ---- */

static size_t hash(const field *f)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */

    for (size_t i = 0; i < f->n; ++i)
        h = (h ^ (unsigned char)f->p[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static int32_t find(const reader *r, const field *name)
{
    int32_t i = r->slot[hash(name) % r->slots];

    while (i >= 0 && (r->row[i].name.n != name->n ||
                      memcmp(r->row[i].name.p, name->p, name->n) != 0))
        i = r->row[i].next;
    return i;
}

/* ---- rows ---- */

static bosc_status read_number(const reader *r, int k, double least,
                               double most, double *value)
{
    const field *f = &r->value[k];
    const char *end =
        f->n > 0 ? bosc_number_parse(f->p, f->p + f->n, value) : NULL;

    if (end != f->p + f->n || !(*value >= least && *value <= most))
        return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, r->line,
                            "%s is '%.*s'; it is a number from %g to %g",
                            columns[k], f->n < 40 ? (int)f->n : 40, f->p, least,
                            most);
    return BOSC_OK;
}

static bosc_status read_whole(const reader *r, int k, int32_t least,
                              int32_t *value)
{
    double number = *value; /* where the field is empty */
    bosc_status st = BOSC_OK;

    if (r->value[k].n > 0)
        st = read_number(r, k, least, 1e6, &number);
    if (st == BOSC_OK && floor(number) != number)
        st = refuse(r, "no whole number:", &r->value[k]);
    *value = (int32_t)number;
    return st;
}

static bosc_status read_parent(const reader *r, int32_t *parent, double *x)
{
    const field *f = &r->value[PARENT];
    const bool root = f->n == 0 || is(f, "-") || is(f, "-1");

    *parent = root ? -1 : find(r, f);
    *x = root ? 0 : 1;
    if (root && r->drafts.n > 0)
        return refuse(r,
                      "a second section without a parent:", &r->value[SECTION]);
    if (!root && *parent < 0)
        return refuse(r, "no section above is called", f);
    return root || r->value[PARENT_X].n == 0
               ? BOSC_OK
               : read_number(r, PARENT_X, 0, 1, x);
}

static int32_t type_of_name(const field *f)
{
    char name[64] = "";

    memcpy(name, f->p, f->n < sizeof name - 1 ? f->n : sizeof name - 1);
    return bosc_type_of_name(name);
}

/* Both ends of section s: where it hangs, and in its direction. */
static bosc_status add_points(reader *r, int32_t parent, double x,
                              double length, double diam)
{
    bosc_draft_point p = {.diam = diam, .line = r->line};
    const int axis = parent < 0 || x <= 0 || x >= 1 ? 0 : 1;

    if (parent >= 0) {
        const bosc_draft_point *up =
            &r->drafts.point[r->drafts.draft[parent].first];

        for (int k = 0; k < 3; ++k)
            p.xyz[k] = up[0].xyz[k] + x * (up[1].xyz[k] - up[0].xyz[k]);
    }
    bosc_status st = bosc_drafts_add(&r->drafts, &p, r->m);

    p.xyz[axis] += parent >= 0 && x <= 0 ? -length : length;
    return st == BOSC_OK ? bosc_drafts_add(&r->drafts, &p, r->m) : st;
}

static bosc_status add_row(reader *r)
{
    row new = {.name = r->value[SECTION], .nseg = 0};
    int32_t parent, type = type_of_name(&new.name);
    double x;
    bosc_status st;

    if (new.name.n == 0 || find(r, &new.name) >= 0)
        return refuse(r, "a section needs a name of its own, not", &new.name);
    if ((st = read_number(r, LENGTH, 1e-3 / r->scale, 1e9, &new.length)) !=
            BOSC_OK ||
        (st = read_number(r, DIAMETER, 1e-3 / r->scale, 1e9, &new.diam)) !=
            BOSC_OK ||
        (st = read_parent(r, &parent, &x)) != BOSC_OK ||
        (st = read_whole(r, NSEG, 1, &new.nseg)) != BOSC_OK ||
        (st = read_whole(r, TYPE, 0, &type)) != BOSC_OK)
        return st;
    new.length *= r->scale;
    new.diam *= r->scale;

    const int32_t s = bosc_drafts_begin(&r->drafts, parent, x, type, r->line);
    const size_t at = hash(&new.name) % r->slots;

    if (s < 0 || !bosc_grow(&r->row, &r->room, (size_t)s + 1, sizeof new))
        return bosc_mend_no_memory(r->m);
    new.next = r->slot[at];
    r->row[s] = new;
    r->slot[at] = s;
    return add_points(r, parent, x, new.length, new.diam);
}

static bosc_status read_row(reader *r, const bosc_lines *line)
{
    field all[MOST_FIELDS];
    const int n = split(line, all);

    for (int k = 0; k < N_COLUMNS; ++k)
        r->value[k] = r->place[k] >= 0 && r->place[k] < n ? all[r->place[k]]
                                                          : (field){"", 0};
    return add_row(r);
}

static bosc_status read_rows(reader *r, const char *text, size_t bytes)
{
    bosc_lines lines = bosc_lines_of(text, bytes);
    bool header = false;
    bosc_status st = BOSC_OK;

    while (st == BOSC_OK && bosc_lines_next(&lines)) {
        r->line = lines.number;
        if (*lines.begin == '#') {
            if (bosc_units_of(lines.begin, lines.end, &r->scale) && header)
                st = bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, r->line,
                                  "units stand before the first row");
        } else if (!header) {
            st = read_header(r, &lines);
            header = true;
        } else {
            st = read_row(r, &lines);
        }
    }
    if (st == BOSC_OK && r->drafts.n == 0)
        st = bosc_fail(r->m->err, BOSC_EFORMAT, "%s: no section", r->m->name);
    return st;
}

/* Lengths and diameters as they are in the table: those of points are
 * rounded. */
static void set_sizes(const reader *r, bosc_sections *all)
{
    for (int32_t s = 0; s < all->n; ++s) {
        bosc_section *sec = &all->section[s];

        sec->n_compartments = 1;
        sec->file_count = r->row[s].nseg;
        sec->length = r->row[s].length;
        all->arc[sec->first_point + 1] = sec->length;
        all->diam[sec->first_point] = r->row[s].diam;
        all->diam[sec->first_point + 1] = r->row[s].diam;
    }
}

bosc_status bosc_cylinders_read(const char *text, size_t bytes,
                                const char *name, bool strict,
                                bosc_morphology *out, bosc_error *err)
{
    const bosc_mending m = {name, strict, err, &out->repairs};
    reader r = {.m = &m, .out = out, .scale = 1, .slots = bytes / 16 + 1};
    bosc_status st = BOSC_OK;

    if ((r.slot = bosc_alloc(r.slots, sizeof *r.slot)) == NULL)
        st = bosc_mend_no_memory(&m);
    for (size_t i = 0; st == BOSC_OK && i < r.slots; ++i)
        r.slot[i] = -1;
    if (st == BOSC_OK)
        st = read_rows(&r, text, bytes);
    out->file.samples = r.drafts.n;
    if (st == BOSC_OK)
        st = bosc_drafts_finish(&r.drafts, &m, out);
    if (st == BOSC_OK)
        set_sizes(&r, out->sections);
    bosc_drafts_clear(&r.drafts);
    free(r.row);
    free(r.slot);
    return st;
}
