/* The SWC reader: what it understands, repairs and refuses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/morphology.h"
#include "src/morphology/swc.h"
#include "tests/lib/tap.h"

/* Three samples that nothing is wrong with, the beginning of most cases. */
#define GOOD "1 1 0 0 0 5.5 -1\n2 3 0 0 7.25 0.6 1\n3 3 1 2 9.5 0.45 2\n"

static const struct {
    const char *name, *text;
    int n, repairs;   /* n == 0: refused */
    const char *says; /* the first repair, or the refusal, holds this */
} cases[] = {
    {"a clean file is read as it is", GOOD, 3, 0, NULL},
    {"a soma alone is a neuron", "1 1 0 0 0 5.5 -1", 1, 0, NULL},
    {"CR LF ends a line", "1 1 0 0 0 5 -1\r\n2 3 1 0 0 1 1\r\n", 2, 0, NULL},
    {"CR CR LF ends one line", "1 1 0 0 0 5 -1\r\r\n2 3 1 0 0 1 1\r\r\nx\r\r\n",
     2, 1, "t:3: only 1 of 7 columns, line dropped"},
    {"CR alone ends a line", "1 1 0 0 0 5 -1\r2 3 1 0 0 1 1\rx", 2, 1,
     "t:3: only 1"},
    {"tabs and blanks separate columns, wherever they are",
     "\t1\t1 0\t \t0 0 5 -1 \t\n  2 3 1 0 0 1 1\n", 2, 0, NULL},
    {"comments stand on lines of their own or behind a sample",
     "# head\n\n1 1 0 0 0 5 -1# soma\n # \xE9\xE8\n2 3 1 0 0 1 1 # 8 9\n", 2, 0,
     NULL},
    {"a UTF-8 byte order mark is skipped", "\xEF\xBB\xBF" GOOD, 3, 0, NULL},
    {"whole numbers may be written as decimals",
     "1.0 1.0e0 0 0 0 5 -1.000\n2.0 3 1 0 0 1 1e0\n", 2, 0, NULL},
    {"numbers may be written in any form",
     "+1 1 +.5 -0. 1E-3 5.e+0 -1\n2 3 0 -0 0012.5 .25 1\n", 2, 0, NULL},
    {"ids may have gaps, and be large",
     "7 1 0 0 0 5 -1\n9000000000000 3 1 0 0 1 7\n"
     "40 3 2 0 0 1 9000000000000\n",
     3, 0, NULL},
    {"id 0 is an id", "0 1 0 0 0 5 -1\n1 3 1 0 0 1 0\n", 2, 0, NULL},
    {"type codes beyond 7 are kept", "1 1 0 0 0 5 -1\n2 274 1 0 0 1 1\n", 2, 0,
     NULL},
    {"several roots are kept",
     "1 1 0 0 0 5 -1\n2 3 1 0 0 1 -1\n3 3 2 0 0 1 -7\n", 3, 0, NULL},
    {"samples may stand on their parent",
     "1 1 0 0 0 5 -1\n2 3 0 0 0 1 1\n3 3 0 0 0 1 2\n", 3, 0, NULL},

    {"a negative type is repaired", GOOD "4 -2 0 0 11 0.4 3\n", 4, 1,
     "t:4: type -2 is no type code, taken as 0 (undefined)"},
    {"a type beyond 32 bits is repaired", GOOD "4 5000000000 0 0 1 0.4 3\n", 4,
     1, "t:4: type 5000000000 is no type code"},
    {"samples before their parent are sorted, with one line about it",
     "3 3 1 2 9.5 0.45 2\n2 3 0 0 7.25 0.6 1\n1 1 0 0 0 5.5 -1\n", 3, 1,
     "t:1: samples before their parent (2 in this file), parents moved"},
    {"a parent that does not exist makes a root", GOOD "4 3 0 0 11 0.4 12\n", 4,
     1, "t:4: parent 12 of sample 4 does not exist, taken as a root"},
    {"a sample that is its own parent is a root", GOOD "4 3 0 0 11 0.4 4\n", 4,
     1, "t:4: sample 4 is its own parent, taken as a root"},
    {"a repeated line is dropped", GOOD "3 3 1 2 9.5 0.45 2\n4 3 1 2 11 1 3\n",
     4, 1, "t:4: sample 3 is the same as on line 3, repeat dropped"},
    {"samples of one id are kept if none hangs on them",
     GOOD "3 3 5 5 5 0.45 2\n", 4, 1,
     "t:4: id 3 is also on line 3 with other values, both kept"},
    {"samples of one id are refused if one hangs on them",
     GOOD "3 3 5 5 5 0.45 2\n4 3 1 2 11 1 3\n", 0, 0,
     "t:4: id 3 is also on line 3 with other values, and is a parent; "
     "renumber"},
    {"a second sample of one id may not hang on it",
     "1 1 0 0 0 5 -1\n1 3 1 1 1 2 1\n", 0, 0, "t:2: id 1 is also on line 1"},
    {"a negative radius loses its sign", GOOD "4 3 1 2 11 -0.275 3\n", 4, 1,
     "t:4: radius is -0.275, sign ignored"},
    {"a zero radius is taken from the parent", GOOD "4 3 1 2 11 0 3\n", 4, 1,
     "t:4: radius is 0, taken as 0.45 um like line 3"},
    {"a radius that is no number is taken from the parent",
     GOOD "4 3 1 2 11 nan 3\n", 4, 1,
     "t:4: radius is nan, taken as 0.45 um like line 3"},
    {"a radius too thin to compute with is as good as none",
     GOOD "4 3 1 2 11 6e-05 3\n", 4, 1,
     "t:4: radius is 6e-05, taken as 0.45 um like line 3"},
    {"a zero radius at the soma is taken from below, not from the soma",
     "1 1 0 0 0 5.5 -1\n2 3 0 0 7 0 1\n3 3 0 0 8 0 2\n4 3 0 0 9 0.35 3\n", 4, 2,
     "t:2: radius is 0, taken as 0.35 um like line 4"},
    {"a zero radius at a fork is taken from the first branch",
     "1 3 0 0 0 0 -1\n2 3 0 0 7 0 1\n3 3 0 0 8 0.35 2\n4 3 1 0 0 0.75 1\n", 4,
     2, "t:1: radius is 0, taken as 0.35 um like line 3"},
    {"a soma without any radius is as thick as its stem",
     "1 1 0 0 0 0 -1\n2 1 0 0 7 0 1\n3 3 0 0 8 0.35 2\n4 3 1 0 0 0.75 1\n", 4,
     2, "t:1: radius is 0, taken as 0.75 um like line 4"},
    {"a soma prefers the radius of another soma sample",
     "1 1 0 0 0 0 -1\n2 3 0 0 7 0.35 1\n3 1 0 0 8 6.5 1\n", 3, 1,
     "t:1: radius is 0, taken as 6.5 um like line 3"},
    {"a branch without any radius gets 0.5 um",
     "1 1 0 0 0 5.5 -1\n2 3 0 0 7 0 1\n3 3 0 0 8 0 2\n", 3, 2,
     "t:2: radius is 0, taken as 0.5 um"},
    {"columns beyond the seventh are ignored, with one line about it",
     "1 1 0 0 0 5 -1 13\n2 3 1 0 0 1 1 x y\n", 2, 1,
     "t:1: more than 7 columns (2 such lines), the rest ignored"},
    {"a file cut off in its last line loses only that", GOOD "4 3 1 2 1", 3, 1,
     "t:4: only 5 of 7 columns, dropped as the file ends here"},
    {"so does one cut off in the last number", GOOD "4 3 1 2 1 0.5 -", 3, 1,
     "t:4: parent '-' is not a whole number, dropped as the file ends here"},
    {"garbage behind the samples is dropped", GOOD "\x01\xFF??? !\n", 3, 1,
     "t:4: only 2 of 7 columns, line dropped"},
    {"a line of words is dropped", "id type x y z radius parent\n" GOOD, 3, 1,
     "t:1: id 'id' is not a whole number from 0 on, line dropped"},
    {"bytes that are no text are shown as question marks",
     GOOD "\xC2\xB5\x07m a b c d e f\n", 3, 1, "t:4: id '???m' is not"},
    {"long values are cut in messages",
     GOOD "abcdefghijklmnopqrstuvwxyz b c d e f g\n", 3, 1,
     "t:4: id 'abcdefghijklmnopqrstuvwx...' is not a whole number"},

    {"a line of too few columns is refused", GOOD "4 3 1 2\n", 0, 0,
     "t:4: only 4 of 7 columns; correct or delete the line"},
    {"a word where a number should be is refused", GOOD "4 3 1 2 wide 1 3\n", 0,
     0, "t:4: z 'wide' is not a number; correct or delete the line"},
    {"a word where a number should be is refused in the last line, too",
     GOOD "4 3 1 2 wide 1 3", 0, 0, "t:4: z 'wide' is not a number; correct"},
    {"an id that is not whole is refused", GOOD "6.14 3 1 2 3 1 3\n", 0, 0,
     "t:4: id '6.14' is not a whole number from 0 on; correct"},
    {"a negative id is refused", GOOD "-4 3 1 2 3 1 3\n", 0, 0,
     "t:4: id '-4' is not a whole number from 0 on; correct"},
    {"an id beyond all whole numbers is refused",
     GOOD "99999999999999999999 3 1 2 3 1 3\n", 0, 0,
     "t:4: id '99999999999999999999' is not"},
    {"a parent that is not whole is refused", GOOD "4 3 1 2 3 1 10.4\n", 0, 0,
     "t:4: parent '10.4' is not a whole number; correct"},
    {"a hexadecimal number is none", GOOD "4 3 0x10 2 3 1 3\n", 0, 0,
     "t:4: x '0x10' is not a number; correct"},
    {"a parent on a line that is cut off is no repair",
     "1 1 0 0 0 5 -1\n3 3 2 0 0 1 2\n2 3 1 0", 0, 0,
     "t:2: parent 2 of sample 3 does not exist, and the file is cut off in "
     "line 3; restore it"},
    {"a ring is refused", GOOD "5 3 1 2 3 1 7\n6 3 1 2 3 1 5\n7 3 1 2 3 1 6\n",
     0, 0, "t:4: sample 5 is its own ancestor, in a ring of 3 samples; give"},
    {"a ring of two is refused, also with a tail",
     "9 3 0 0 0 1 4\n4 3 0 0 1 1 5\n5 3 0 0 2 1 4\n", 0, 0,
     "t:2: sample 4 is its own ancestor, in a ring of 2 samples"},
    {"an infinite position is refused", GOOD "4 3 1 -inf 3 1 3\n", 0, 0,
     "t:4: y '-inf' is no position"},
    {"a position that is not a number is refused", GOOD "4 3 NaN 2 3 1 3\n", 0,
     0, "t:4: x 'NaN' is no position"},
    {"a position of astronomical size is refused", GOOD "4 3 1 2 3e300 1 3\n",
     0, 0, "t:4: z '3e300' is no position (beyond 1e+09 um); correct it"},
    {"a position too large for a double is refused", GOOD "4 3 1 2 1e999 1 3\n",
     0, 0, "t:4: z '1e999' is no position"},
    {"a radius of astronomical size is refused", GOOD "4 3 1 2 3 -2e9 3\n", 0,
     0, "t:4: radius '-2e9' is beyond 1e+09 um; correct it"},
    {"decimal commas are refused", "1 1 0 0 0 5 -1\n2 3 1,5 0 0 1 1\n", 0, 0,
     "t:2: comma in '1,5'; write numbers with a decimal point and blanks"},
    {"commas between columns are refused", "1,1,0,0,0,5,-1\n", 0, 0,
     "t:1: comma in '1,1,0,0,0,5,-1'; write"},
    {"an empty file is refused", "", 0, 0, "t:1: no sample in this file;"},
    {"a file of comments is refused", "# nothing\n\n#\n", 0, 0,
     "no sample in this file; lines of an SWC file read 'id type x y z"},
    {"a text without samples is refused", "\nDear all,\nhello\n", 0, 0,
     "t:2: not a sample, nor are the other lines; lines of an SWC file"},
};

static bosc_status parse(const char *text, size_t bytes, bool strict,
                         bosc_swc **swc, bosc_error *err)
{
    /* An exact copy, so that memory checkers see a read beyond the end. */
    char *copy = malloc(bytes + (bytes == 0));

    if (copy == NULL)
        return BOSC_ENOMEM;
    memcpy(copy, text, bytes);
    const bosc_status st = bosc_swc_parse(copy, bytes, "t", strict, swc, err);
    free(copy);
    return st;
}

static int count_drops(const bosc_swc *swc)
{
    int drops = 0;

    for (int i = 0; i < swc->repairs.n; ++i)
        drops += strstr(swc->repairs.text[i], "repeat dropped") != NULL;
    return drops;
}

/* What every forest promises. */
static bool is_sound(const bosc_swc *swc)
{
    if (swc->n < 1 || swc->n + count_drops(swc) != swc->file.samples ||
        !isfinite(swc->file.length))
        return false;
    for (int32_t i = 0; i < swc->n; ++i) {
        const double *x = swc->xyz + 3 * (ptrdiff_t)i;

        if (swc->parent[i] < -1 || swc->parent[i] >= i || swc->type[i] < 0 ||
            !(swc->radius[i] > 0 && isfinite(swc->radius[i])) ||
            !isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]) ||
            swc->line[i] < 1)
            return false;
    }
    return true;
}

static void test_case(size_t k)
{
    const char *text = cases[k].text, *says = cases[k].says;
    bosc_error err = {""};
    bosc_swc *swc = NULL;
    const bosc_status st = parse(text, strlen(text), false, &swc, &err);
    bool passed = st == (cases[k].n > 0 ? BOSC_OK : BOSC_EFORMAT);
    const char *said = err.text;

    if (passed && swc != NULL) {
        passed = swc->n == cases[k].n && is_sound(swc) &&
                 swc->repairs.n == cases[k].repairs;
        said = swc->repairs.n > 0 ? swc->repairs.text[0] : "";
    }
    passed = passed && (says == NULL || strstr(said, says) != NULL);
    if (!ok(passed, "%s", cases[k].name))
        diag("status %d, %d samples, %s", (int)st, swc ? (int)swc->n : 0, said);
    bosc_swc_destroy(swc);
}

/* Strict mode takes exactly what needs no repair, and says what to do. */
static void test_strict(void)
{
    int wrong = 0;

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        const char *text = cases[k].text;
        const bool clean = cases[k].n > 0 && cases[k].repairs == 0;
        bosc_error err = {"t: ;"};
        bosc_swc *swc = NULL;
        const bosc_status st = parse(text, strlen(text), true, &swc, &err);

        if (st != (clean ? BOSC_OK : BOSC_EFORMAT) || (swc != NULL) != clean ||
            strncmp(err.text, "t:", 2) != 0 || strchr(err.text, ';') == NULL) {
            diag("%s: status %d, %s", cases[k].name, (int)st, err.text);
            ++wrong;
        }
        bosc_swc_destroy(swc);
    }
    ok(wrong == 0, "strict mode refuses what would be repaired, "
                   "with line and remedy, and nothing else");
}

static void test_forest(void)
{
    static const char text[] = "5 3 4 0 0 0.4 4\n" /* before its parent */
                               "4 3 3 0 0 0.3 1\n"
                               "1 1 0 0 0 5.5 -1\n"
                               "8 274 0 3 4 0.8 1 # last\n";
    static const double x[] = {0, 3, 4, 0}, radius[] = {5.5, 0.3, 0.4, 0.8};
    static const int parent[] = {-1, 0, 1, 0}, type[] = {1, 3, 3, 274},
                     line[] = {3, 2, 1, 4};
    bosc_swc *swc = NULL;
    bosc_error err = {""};

    if (!ok(parse(text, strlen(text), false, &swc, &err) == BOSC_OK &&
                swc->n == 4,
            "a file in disorder is read")) {
        diag("%s", err.text);
        return;
    }
    for (int i = 0; i < 4; ++i)
        ok(swc->xyz[3 * i] == x[i] && swc->radius[i] == radius[i] &&
               swc->parent[i] == parent[i] && swc->type[i] == type[i] &&
               swc->line[i] == line[i],
           "sample %d has its own position, radius, parent, type and line", i);
    ok(strcmp(swc->path, "t") == 0, "the forest knows its file");
    bosc_swc_destroy(swc);
}

static void test_counts(void)
{
    static const char text[] = "1 1 0 0 0 5 -1\n2 1 0 5 0 5 1\n"
                               "3 3 3 4 0 1 1\n4 3 3 4 2.5 1 3\n"
                               "5 3 3 4 -1.5 0 3\n6 2 9 9 9 1 77\n"
                               "4 3 3 4 2.5 1 3\n";
    bosc_swc *swc = NULL;

    if (parse(text, strlen(text), false, &swc, NULL) != BOSC_OK) {
        ok(false, "a file with counts to check is read");
        return;
    }
    const bosc_swc_counts *c = &swc->file;

    ok(c->samples == 7 && swc->n == 6,
       "repeats are counted in the file and not in the forest");
    ok(c->roots == 2, "a missing parent is counted as a root");
    ok(c->branch_points == 2, "branch points have two children or more");
    ok(c->tips == 5, "tips have no children, in the file as it stands");
    ok(c->length == 5 + 2.5 + 1.5 + 2.5,
       "the length leaves out soma-soma edges and counts repeats");
    bosc_swc_destroy(swc);
}

static void test_zero_bytes(void)
{
    static const char returns[] = "# x\r\r1 1 0 0 0 5 -1\0";
    static const char binary[] = GOOD "4 3 1\0 2 3 1 3\n", wide[] = "\xFF\xFE"
                                                                    "1\0 \0";
    bosc_swc *swc = NULL;
    bosc_error err = {""};

    ok(parse(binary, sizeof binary - 1, false, &swc, &err) == BOSC_EFORMAT &&
           strncmp(err.text, "t:4: a zero byte;", 17) == 0,
       "a zero byte is refused, with its line");
    ok(parse(returns, sizeof returns - 1, false, &swc, &err) == BOSC_EFORMAT &&
           strncmp(err.text, "t:3: a zero byte;", 17) == 0,
       "where lines end in CR, too");
    ok(parse(wide, sizeof wide - 1, false, &swc, &err) == BOSC_EFORMAT &&
           strncmp(err.text, "t: this is text in UTF-16,", 26) == 0,
       "UTF-16 is refused by name");
    ok(swc == NULL, "a refusal leaves the result untouched");
}

/* 'head', then 'n' times 'body', then 'tail'. */
static char *repeat(const char *head, const char *body, size_t n,
                    const char *tail)
{
    const size_t h = strlen(head), b = strlen(body);
    char *text = malloc(h + n * b + strlen(tail) + 1);

    if (text == NULL)
        return NULL;
    memcpy(text, head, h);
    for (size_t i = 0; i < n; ++i)
        memcpy(text + h + i * b, body, b);
    strcpy(text + h + n * b, tail);
    return text;
}

static void test_long_texts(void)
{
    static const struct {
        const char *name, *head, *body, *tail;
        size_t n;
        int want; /* samples, 0: refused */
    } longs[] = {
        {"a comment of a megabyte is a comment", "#", "x", "\n" GOOD, 1 << 20,
         3},
        {"blanks by the megabyte are blanks", "1 1 0 0 0", " ", "5 -1\n",
         1 << 20, 1},
        {"a line of 100,000 columns is read", "1 1 0 0 0 5 -1", " 8", "\n",
         100000, 1},
        {"a number of 400 digits is read", "1 1 0.", "3", " 0 0 5 -1\n", 400,
         1},
        {"a number of a megabyte is none", GOOD "4 3 1 2 0.", "3", " 1 3\n",
         1 << 20, 0},
        {"100,000 empty lines are no samples", "", "\n", GOOD, 100000, 3},
        {"100,000 repeats of a line are dropped", "1 1 0 0 0 5 -1\n",
         "2 3 0 0 0 1 -1\n", "", 100000, 2},
        {"a long text that is no table is refused early", "1 1 0 0 0 5 -1\n",
         "Lorem ipsum dolor\n", "", 100000, 0},
    };

    for (size_t k = 0; k < BOSC_LEN(longs); ++k) {
        char *text =
            repeat(longs[k].head, longs[k].body, longs[k].n, longs[k].tail);
        bosc_swc *swc = NULL;
        bosc_error err = {""};
        const bosc_status st =
            text == NULL ? BOSC_ENOMEM
                         : parse(text, strlen(text), false, &swc, &err);

        ok(longs[k].want == 0
               ? st == BOSC_EFORMAT
               : st == BOSC_OK && swc->n == longs[k].want && is_sound(swc),
           "%s", longs[k].name);
        if (longs[k].want > 0 && st != BOSC_OK)
            diag("%s", err.text);
        bosc_swc_destroy(swc);
        free(text);
    }
}

/* A chain of n samples, the last line first; its root hangs on 'parent'. */
static void test_chain(const char *name, int n, int parent, bosc_status want)
{
    enum { LINE = 40 };
    char *text = malloc((size_t)n * LINE + 1);
    size_t bytes = 0;
    bosc_swc *swc = NULL;

    for (int id = n; text != NULL && id > 0; --id)
        bytes += (size_t)snprintf(text + bytes, LINE, "%d 3 0 0 %d 1 %d\n", id,
                                  id, id > 1 ? id - 1 : parent);
    ok(text != NULL && parse(text, bytes, false, &swc, NULL) == want &&
           (want != BOSC_OK || (swc->n == n && is_sound(swc))),
       "%s", name);
    bosc_swc_destroy(swc);
    free(text);
}

static void test_files(void)
{
    static const struct {
        const char *name, *path, *says;
    } files[] = {
        {"a file that is not there is refused by the system's words",
         "no/such.swc", "no/such.swc: cannot be opened: No such file"},
        {"a folder is no morphology", "/", "/: cannot be read: Is a directory"},
        {"a failing read is an error", "/proc/self/mem",
         "/proc/self/mem: cannot be read: Input/output error"},
    };

    for (size_t k = 0; k < BOSC_LEN(files); ++k) {
        bosc_morphology *read = NULL;
        bosc_error err = {""};

        if (!ok(bosc_morphology_read(files[k].path, false, &read, &err) ==
                        BOSC_ENOINPUT &&
                    strstr(err.text, files[k].says) != NULL && read == NULL,
                "%s", files[k].name))
            diag("%s", err.text);
    }
    bosc_morphology *read = NULL;
    ok(bosc_morphology_read("/dev/zero", false, &read, NULL) == BOSC_EFORMAT,
       "an endless device is refused");
}

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Change a few bytes of text, at random places, to what hurts most. */
static void mutate(char *text, size_t bytes, uint32_t *state)
{
    static const char nasty[] = "0123456789-+.eE# \t\r\n,nxi\xFF\x80";

    for (uint32_t i = next(state) % 6; i < 6; ++i) {
        const size_t at = next(state) % bytes;

        switch (next(state) % 3) {
        case 0:
            text[at] = nasty[next(state) % (sizeof nasty - 1)];
            break;
        case 1: /* copy a piece over another */
            memmove(text + at, text + next(state) % (bytes - bytes / 4),
                    (bytes - at) / 4);
            break;
        default:
            text[at] = (char)next(state);
        }
    }
}

static void test_mutations(void)
{
    enum { TRIES = 20000 };
    static const char seed[] =
        "# x\n1 1 0 0 0 5 -1\r\n2 3 1.5 2 3 0.5 1\n3 3 2e1 2 3 0.5 2\n"
        "5 2 3 2 3 0 3\n4 3 0 -1 .25 0.75 5\n6 4 0 1 2 -1 4\n\n7 3 1 1 1 1 3";
    uint32_t state = 20240607;
    int wrong = 0, read = 0;

    for (int t = 0; t < TRIES; ++t) {
        char text[sizeof seed];
        bosc_swc *swc = NULL, *strict = NULL;
        bosc_error err = {""};

        memcpy(text, seed, sizeof seed);
        mutate(text, sizeof seed - 1, &state);
        const size_t bytes = sizeof seed - 1 - next(&state) % 20;
        const bosc_status st = parse(text, bytes, false, &swc, &err);
        const bosc_status hard = parse(text, bytes, true, &strict, NULL);

        read += st == BOSC_OK;
        if (st == BOSC_OK ? !is_sound(swc) : st != BOSC_EFORMAT)
            ++wrong;
        if ((hard == BOSC_OK) != (st == BOSC_OK && swc->repairs.n == 0))
            ++wrong;
        bosc_swc_destroy(swc);
        bosc_swc_destroy(strict);
    }
    ok(wrong == 0, "%d damaged texts are read soundly or refused", TRIES);
    ok(read > TRIES / 20 && read < TRIES,
       "the damage is neither harmless nor always fatal");
}

static void test_repairs(void)
{
    bosc_warnings repairs = {0};

    ok(bosc_warn(&repairs, NULL, "%s:%d: one", "a", 3) == BOSC_OK &&
           bosc_warn(&repairs, NULL, "two") == BOSC_OK && repairs.n == 2 &&
           strcmp(repairs.text[0], "a:3: one") == 0,
       "repairs are kept in their order");
    bosc_warnings_clear(&repairs);
    ok(repairs.n == 0 && repairs.text == NULL, "repairs can be cleared");
    bosc_swc_destroy(NULL);
    ok(true, "no forest can be destroyed");
}

int main(void)
{
    for (size_t k = 0; k < BOSC_LEN(cases); ++k)
        test_case(k);
    test_strict();
    test_forest();
    test_counts();
    test_zero_bytes();
    test_long_texts();
    test_chain("a chain of 200,000 samples in reverse is read", 200000, -1,
               BOSC_OK);
    test_chain("a ring of 200,000 samples is refused", 200000, 200000,
               BOSC_EFORMAT);
    test_files();
    test_mutations();
    test_repairs();
    return done_testing();
}
