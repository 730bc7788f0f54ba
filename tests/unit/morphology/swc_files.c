/* The SWC reader on published files: counts made by another program, and
 * bad-morphologies.tsv, which says what becomes of malformed or odd files in
 * tolerant mode: read, with how many repairs and the line of the first, or
 * refused, at which line, and why. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/swc.h"
#include "tests/lib/cable_file.h"
#include "tests/lib/shared.h"
#include "tests/lib/tap.h"
#include "tests/lib/tsv.h"

static bosc_status read_from(const char *folder, const char *file, bool strict,
                             bosc_swc **swc, bosc_error *err)
{
    char *path = bosc_format("%s/%s", folder, file);
    const bosc_status st =
        path == NULL ? BOSC_ENOMEM : swc_file_read(path, strict, swc, err);

    free(path);
    return st;
}

/* The counts as a row of the index has them, to its last digit. */
static bool agrees(const tsv *index, size_t i, const bosc_swc_counts *c)
{
    static const char *const names[] = {"samples", "roots", "branch_points",
                                        "tips"};
    const int64_t counts[] = {c->samples, c->roots, c->branch_points, c->tips};
    char text[32];
    bool same = true;

    for (size_t k = 0; k < BOSC_LEN(names); ++k) {
        snprintf(text, sizeof text, "%" PRId64, counts[k]);
        same = same && strcmp(text, tsv_text(index, i,
                                             tsv_column(index, names[k]))) == 0;
    }
    snprintf(text, sizeof text, "%.1f", c->length);
    return same && strcmp(text, tsv_text(index, i,
                                         tsv_column(index, "length_um"))) == 0;
}

static void test_real(const char *folder)
{
    tsv index;
    int wrong = 0;

    if (!tsv_read(folder, "INDEX.tsv", &index)) {
        skip("published morphologies are not at hand");
        return;
    }
    for (size_t i = 0; i < index.n; ++i) {
        const char *file = tsv_text(&index, i, 0);
        bosc_swc *swc = NULL;
        bosc_error err = {"other counts"};

        if (read_from(folder, file, false, &swc, &err) != BOSC_OK ||
            !agrees(&index, i, &swc->file)) {
            diag("%s: %s", file, err.text);
            ++wrong;
        }
        bosc_swc_destroy(swc);
    }
    ok(index.n > 0 && wrong == 0,
       "%zu published morphologies are read, and count as in their index",
       index.n);
    tsv_clear(&index);
}

/* The line number in "folder/file:line: ...", 0 if there is none. */
static long line_in(const char *message, const char *file)
{
    const char *at = strstr(message, file);

    at = at == NULL ? NULL : at + strlen(file);
    return at != NULL && *at == ':' ? strtol(at + 1, NULL, 10) : 0;
}

typedef struct expected {
    const char *file;
    bool read;
    int repairs;
    long line; /* 0: nothing is repaired */
} expected;

static expected get_expected(const tsv *table, size_t i)
{
    return (expected){
        .file = tsv_text(table, i, 0),
        .read = strcmp(tsv_text(table, i, 1), "read") == 0,
        .repairs = (int)tsv_number(table, i, 2),
        .line = (long)tsv_number(table, i, 3),
    };
}

static bool as_expected(const expected *e, bosc_status st, const bosc_swc *swc,
                        const char *refusal)
{
    if (!e->read)
        return st == BOSC_EFORMAT && line_in(refusal, e->file) == e->line;
    if (st != BOSC_OK || swc->repairs.n != e->repairs)
        return false;
    return e->repairs == 0 || line_in(swc->repairs.text[0], e->file) == e->line;
}

static bool refused_if_strict(const char *folder, const expected *e)
{
    bosc_swc *swc = NULL;
    const bosc_status st = read_from(folder, e->file, true, &swc, NULL);

    bosc_swc_destroy(swc);
    return st == (e->read && e->repairs == 0 ? BOSC_OK : BOSC_EFORMAT);
}

static void test_bad(const char *folder)
{
    const char *src = getenv("BOSC_SRC");
    char *tests =
        bosc_format("%s/tests/unit/morphology", src != NULL ? src : ".");
    tsv table = {0}, index = {0};
    int counts = 0, strict = 0;

    if (!tsv_read(folder, "INDEX.tsv", &index)) {
        skip("malformed morphologies are not at hand");
        free(tests);
        return;
    }
    ok(tests != NULL && tsv_read(tests, "bad-morphologies.tsv", &table) &&
           table.n == index.n,
       "the table of malformed files says what becomes of each");
    for (size_t i = 0; i < table.n; ++i) {
        const expected e = get_expected(&table, i);
        bosc_swc *swc = NULL;
        bosc_error err = {""};
        const bosc_status st = read_from(folder, e.file, false, &swc, &err);

        if (!ok(as_expected(&e, st, swc, err.text), "%s is %s: %s", e.file,
                tsv_text(&table, i, 1), tsv_text(&table, i, 4)))
            diag("%d repairs, %s", swc != NULL ? swc->repairs.n : 0, err.text);
        strict += refused_if_strict(folder, &e);
        counts += swc == NULL || (i < index.n && agrees(&index, i, &swc->file));
        bosc_swc_destroy(swc);
    }
    ok((size_t)counts == index.n, "what is read counts as in the index");
    ok((size_t)strict == index.n, "strict mode refuses what is repaired");
    tsv_clear(&table);
    tsv_clear(&index);
    free(tests);
}

int main(void)
{
    char *real = shared_folder("morphologies-real");
    char *bad = shared_folder("morphologies-bad");

    if (real != NULL && bad != NULL) {
        test_real(real);
        test_bad(bad);
    }
    free(real);
    free(bad);
    return done_testing();
}
