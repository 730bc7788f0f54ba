/* YAML itself: lines, and what is refused wherever a text is YAML. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/job/yaml/yaml_tree.h"
#include "tests/lib/job.h"
#include "tests/lib/tap.h"

/* What ends a line, for libyaml and so for messages. */
static const struct {
    const char *name, *text;
} breaks[] = {
    {"LF", "\n"},        {"CR LF", "\r\n"},      {"CR", "\r"},
    {"NEL", "\xc2\x85"}, {"LS", "\xe2\x80\xa8"}, {"PS", "\xe2\x80\xa9"},
};

static void test_lines(void)
{
    for (size_t i = 0; i < BOSC_LEN(breaks); ++i) {
        const char *end = breaks[i].text;
        char *text = bosc_format("a%s%sb\xc3\xa9%sc", end, end, end);
        const char *second = bosc_yaml_line_at(text, 2),
                   *third = bosc_yaml_line_at(text, 3),
                   *fourth = bosc_yaml_line_at(text, 4);

        ok(bosc_yaml_break(text) == 0 &&
               bosc_yaml_break(text + 1) == strlen(end) &&
               bosc_yaml_rest(text) == 1 && bosc_yaml_rest(second) == 0 &&
               strncmp(third, "b\xc3\xa9", 3) == 0 &&
               bosc_yaml_rest(third) == 3 && strcmp(fourth, "c") == 0 &&
               bosc_yaml_line_at(text, 9)[0] == '\0',
           "%s ends a line", breaks[i].name);
        ok(bosc_yaml_line_of(text, 0) == 1 &&
               bosc_yaml_line_of(text, (size_t)(third - text)) == 3 &&
               bosc_yaml_line_of(text, (size_t)(fourth - text) - 1) == 3 &&
               bosc_yaml_line_of(text, strlen(text)) == 4 &&
               bosc_yaml_line_of(text, strlen(text) + 5) == 4,
           "and places in a text with %s know their line", breaks[i].name);
        free(text);
    }
    ok(bosc_yaml_line_of("", 0) == 1 && bosc_yaml_next_line("")[0] == '\0',
       "an empty text is one line");
}

/* 'text' with another line end. */
static char *with_ends(const char *text, const char *end)
{
    char *all = bosc_strdup("");

    for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
        char *more =
            bosc_format("%s%.*s%s", all, (int)strcspn(text, "\n"), text, end);

        free(all);
        all = more;
    }
    return all;
}

/* The message is the same whatever ends the lines. */
static void test_line_ends(void)
{
    static const struct {
        const char *from, *to, *message;
    } slips[] = {
        {"count: 20", "count 20",
         "my job.yaml:5: not valid YAML: a colon is missing: 'count: 20'"},
        {"tstop: 10", "tstop 10\n\n \n# dt",
         "my job.yaml:1: not valid YAML: a colon is missing: 'tstop: 10'"},
        {"at: soma", "at: \"soma",
         "my job.yaml:13: not valid YAML: found unexpected end of stream in "
         "column 1 (while scanning a quoted scalar that began on line 10)"},
        {"    count: 20", "\tcount: 20",
         "my job.yaml:5: not valid YAML: found character that cannot start any "
         "token in column 1; indent with blanks, not with tabs"},
        {"count: 20", "count: \001",
         "my job.yaml:5: not valid YAML: control characters are not allowed"},
        {"count: 20", "count: -1", "my job.yaml:5: count: '-1' is out of"},
    };

    for (size_t b = 0; b < BOSC_LEN(slips); ++b) {
        char *plain = changed(slips[b].from, slips[b].to);

        for (size_t i = 0; i < BOSC_LEN(breaks); ++i) {
            char *text = with_ends(plain, breaks[i].text);
            bosc_error err;
            bosc_job *job = parse(text, 0, NULL, &err);

            if (!ok(job == NULL && strstr(err.text, slips[b].message) != NULL,
                    "slip %zu is found in its line, %s behind it", b,
                    breaks[i].name))
                diag("%s", job != NULL ? "a job" : err.text);
            bosc_job_destroy(job);
            free(text);
        }
        free(plain);
    }
}

/* Line ends in '--set', and in the text that the result keeps. */
static void test_set(void)
{
    for (size_t i = 0; i < BOSC_LEN(breaks); ++i) {
        const char *end = breaks[i].text;
        char *bad = bosc_format("name=a%s%sb: c%s", end, end, end),
             *good = bosc_format("output.file=%s%so.nc", end, end);
        const char *const set[] = {good, bad};
        bosc_error err;
        bosc_job *job = parse(base, 1, set + 1, &err);

        ok(job == NULL && strstr(err.text, "not valid YAML") != NULL &&
               strchr(err.text, '\n') == NULL && strchr(err.text, '\r') == NULL,
           "%s in a --set that is not YAML is refused in one line",
           breaks[i].name);
        bosc_job_destroy(job);
        job = parse(base, 1, set, &err);

        bosc_job *again = job != NULL ? parse(job->text, 0, NULL, &err) : NULL;

        ok(again != NULL && strcmp(job->output.file, "o.nc") == 0 &&
               strcmp(again->output.file, "my job.nc") == 0,
           "%s in a --set does not end the comment that tells it",
           breaks[i].name);
        bosc_job_destroy(again);
        bosc_job_destroy(job);
        free(good);
        free(bad);
    }
}

/* 'n' times 'text', and what follows. */
static char *repeated(const char *text, int n, const char *rest)
{
    char *all = bosc_alloc((size_t)n * strlen(text) + strlen(rest) + 1, 1);

    for (int i = 0; i < n; ++i)
        memcpy(all + (size_t)i * strlen(text), text, strlen(text));
    strcpy(all + (size_t)n * strlen(text), rest);
    return all;
}

static bool is_read(const char *text, bosc_error *err)
{
    bosc_yaml *tree = NULL;
    const bool done = bosc_yaml_parse(text, "f", true, &tree, err) == BOSC_OK;

    bosc_yaml_destroy(tree);
    return done;
}

/* 32 of each in each other are read, one more is refused where it begins. */
static void test_depth(void)
{
    static const struct {
        const char *name, *text, *where;
    } kinds[] = {
        {"brackets", "[\n", "f:33:"},
        {"brackets behind a value", "[a,\n", "f:33:"},
        {"braces", "{a:\n", "f:33:"},
        {"entries of lists", "- ", "f:1:"},
    };

    for (size_t i = 0; i < BOSC_LEN(kinds); ++i) {
        char *deep = repeated(kinds[i].text, 33, "");
        bosc_error err = {""};

        ok(!is_read(deep, &err) &&
               strncmp(err.text, kinds[i].where, strlen(kinds[i].where)) == 0 &&
               strstr(err.text, "more than 32 groups and lists") != NULL,
           "33 %s in each other are refused where the last is", kinds[i].name);
        free(deep);
    }

    char *brackets = repeated("[", 32, "1"), *most = repeated("]", 32, ""),
         *all = bosc_format("%s%s", brackets, most);
    bosc_error err = {""};

    if (!ok(is_read(all, &err), "32 lists in each other are read"))
        diag("%s", err.text);
    free(all);
    free(most);
    free(brackets);
}

/* Time and memory go by what is written; a list in one anchor, 'n' aliases of
 * it. */
static void test_many(void)
{
    enum { CLAMPS = 100000, VALUES = 5000 };
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    bosc_error err = {""};

    fputs("at: &at [soma, 1, 2, 3]\nclamps:\n", out);
    for (int i = 0; i < CLAMPS; ++i)
        fprintf(out, "- {at: *at, delay: %d, duration: 1, amplitude: 1}\n", i);
    fclose(out);
    ok(is_read(text, &err), "100,000 clamps are a job: %s", err.text);
    free(text);
    out = open_memstream(&text, &bytes);
    fputs("a: &a [1", out);
    for (int i = 1; i < VALUES; ++i)
        fputs(", 1", out);
    fputs("]\nb:\n", out);
    for (int i = 0; i < VALUES; ++i)
        fputs("- *a\n", out);
    fclose(out);
    ok(!is_read(text, &err) &&
           strstr(err.text, "aliases (*name) repeat more than") != NULL,
       "25 million values by 5,000 aliases are not");
    free(text);
}

/* Each alias repeats what the line above it has, twice. */
static void test_aliases(void)
{
    char *text = bosc_strdup("a0: &a0 [1, 2]\n");
    bosc_yaml *tree = NULL;
    bosc_error err = {""};

    for (int i = 1; i < 31; ++i) {
        char *more =
            bosc_format("%sa%d: &a%d [*a%d, *a%d]\n", text, i, i, i - 1, i - 1);

        free(text);
        text = more;
    }
    ok(!is_read(text, &err) &&
           strstr(err.text, "f:16: aliases (*name) repeat more than 200000 "
                            "values, and 10 for each of the 19 that are "
                            "written so far") != NULL,
       "aliases that ask for 2^31 values are refused");
    free(text);
    test_many();
    text = bosc_strdup("");
    for (int i = 0; i < 1001; ++i) {
        char *more = bosc_format("%s- &a%d 1\n", text, i);

        free(text);
        text = more;
    }
    ok(!is_read(text, &err) &&
           strstr(err.text, "f:1001: '&a1000' is one of more than 1000") !=
               NULL,
       "a thousand anchors are enough");
    free(text);

    if (!ok(bosc_yaml_parse("a: &x {b: [1, \"2\"]}\nc:\n  - *x\n  - *x\n", "f",
                            true, &tree, &err) == BOSC_OK,
            "an alias is read")) {
        diag("%s", err.text);
        return;
    }
    const bosc_yaml *second = bosc_yaml_get(tree, "c")->child[1],
                    *list = bosc_yaml_get(second, "b");

    ok(second->line == 4 && list->line == 1 && list->n == 2 &&
           strcmp(list->child[1]->text, "2") == 0 && list->child[1]->quoted &&
           !list->child[0]->quoted,
       "it is a copy of what its anchor names, in its own place");
    bosc_yaml_destroy(tree);
}

/* "<<" brings the keys of other groups, as YAML's merge type has it. */
static void test_merge(void)
{
    static const char text[] = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\n"
                               "c: {<<: *a, y: 5}\nd: {z: 6, <<: [*a, *b]}\n";
    bosc_yaml *tree = NULL;
    bosc_error err = {""};

    if (!ok(bosc_yaml_parse(text, "f", true, &tree, &err) == BOSC_OK,
            "merge keys are read")) {
        diag("%s", err.text);
        return;
    }
    const bosc_yaml *c = bosc_yaml_get(tree, "c"),
                    *d = bosc_yaml_get(tree, "d");

    ok(c->n == 2 && strcmp(bosc_yaml_get(c, "x")->text, "1") == 0 &&
           strcmp(bosc_yaml_get(c, "y")->text, "5") == 0,
       "a group's own keys go over those that it merges");
    ok(d->n == 3 && strcmp(bosc_yaml_get(d, "y")->text, "2") == 0 &&
           strcmp(bosc_yaml_get(d, "z")->text, "6") == 0,
       "of several groups the first counts");
    bosc_yaml_destroy(tree);
}

static const broken_job broken[] = {
    {"a key without its colon", "tstop: 10", "tstop 10",
     "my job.yaml:1: not valid YAML: a colon is missing: 'tstop: 10'"},
    {"a key without its colon, and a comment", "tstop: 10", "tstop 10  # ms\n",
     "my job.yaml:1: not valid YAML: a colon is missing: "
     "'tstop: 10'"},
    {"a key without its colon in an entry", "count: 20", "count 20",
     "my job.yaml:5: not valid YAML: a colon is missing: 'count: 20'"},
    {"a group without its colon", "populations:", "populations",
     "my job.yaml:2: not valid YAML: a colon is missing: 'populations:'"},
    {"a tab as indentation", "    count: 20", "\tcount: 20",
     "my job.yaml:5: not valid YAML: found character that cannot start any "
     "token in column 1; indent with blanks, not with tabs"},
    {"a bracket that is not closed", "soma: {hh: {}}", "soma: {hh: {}",
     "my job.yaml:9: not valid YAML: did not find expected ',' or '}' in "
     "column 1 (while parsing a flow mapping that began on line 8)"},
    {"a place in brackets without quotes", "at: soma", "at: dend[3](0.5)",
     "my job.yaml:10: not valid YAML: did not find expected ',' or '}' in "
     "column 14; add the comma or bracket that is missing, and put quotes "
     "around values with brackets: \"dend[3](0.5)\""},
    {"a bracket too many", "amplitude: 0.5}", "amplitude: 0.5}}",
     "my job.yaml:10: not valid YAML: did not find expected '-' indicator in "
     "column 44; check colons, indentation, brackets and quotes"},
    {"keys of an entry at its dash", "    synthetic", "  synthetic",
     "my job.yaml:4: not valid YAML: did not find expected '-' indicator in "
     "column 3 (while parsing a block collection that began on line 3); check "
     "colons, indentation"},
    {"a value below its key", "count: 20", "count:\n    20",
     "my job.yaml:7: not valid YAML: could not find expected ':' in column 5 "
     "(while scanning a simple key that began on line 6)"},
    {"quotes that are not closed", "tstop: 10", "name: \"a\ntstop: 10",
     "my job.yaml:14: not valid YAML: found unexpected end of stream in column "
     "1 (while scanning a quoted scalar that began on line 1); close the "
     "quotes"},
    {"single quotes that never close", "- name: cells", "- name: 'cells",
     "(while scanning a quoted scalar that began on line 3); close the quotes"},
    {"an alias without anchor", "tstop: 10", "tstop: *t",
     "my job.yaml:1: there is no anchor '&t' before its alias '*t'; define it "
     "first, or put quotes around a value that begins with *"},
    {"an anchor behind its alias", "tstop: 10", "tstop: *t\ndt: &t 0.1",
     "my job.yaml:1: there is no anchor '&t' before its alias '*t'"},
    {"an anchor given twice", "tstop: 10", "tstop: &t 10\n\ndt: &t 0.1",
     "my job.yaml:3: anchor '&t' is given twice, first on line 1; rename one"},
    {"a star without quotes", "tstop: 10", "name: *.swc",
     "my job.yaml:1: not valid YAML: did not find expected alphabetic or "
     "numeric character in column 8; put quotes around a value that begins "
     "with * or &: \"*.swc\""},
    {"no blank after a colon", "tstop: 10", "tstop:10",
     "my job.yaml:1: not valid YAML: a blank behind the colon is missing: "
     "'tstop: 10'"},
    {"an anchor inside itself", "tstop: 10", "tstop: 10\nname: &x [*x]",
     "my job.yaml:2: alias '*x' is inside its own anchor, '&x'"},
    {"a second document", "tstop: 10", "tstop: 10\n---\ndt: 1",
     "my job.yaml:2: a second YAML document begins"},
    {"a key that is a list", "tstop: 10", "? [a, b]\n: 10",
     "my job.yaml:1: a list, group or alias stands where a key should"},
    {"a key that is an alias", "tstop: 10", "name: &n dt\n*n : 10",
     "my job.yaml:2: a list, group or alias stands where a key should"},
    {"a key with a NUL", "tstop: 10", "\"a\\0b\": 1",
     "my job.yaml:1: a key holds a NUL character; remove it"},
    {"a word above the job", "tstop: 10", "{}\ntstop: 10",
     "my job.yaml:2: not valid YAML: did not find expected <document start> "
     "in column 1"},
    {"a key given twice", "tstop: 10", "tstop: 10\ndt: 0.1\ntstop: 20",
     "my job.yaml:3: 'tstop' is given twice, first on line 1; keep one"},
    {"a key given twice in a population", "    count: 20",
     "    count: 20\n    count: 30",
     "my job.yaml:6: 'count' is given twice, first on line 5"},
    {"text that is not UTF-8", "tstop: 10", "tstop: 10\nname: caf\xe9",
     "my job.yaml:2: not valid YAML: invalid"},
    {"a control character", "tstop: 10", "tstop: 10\nname: a\001b",
     "my job.yaml:2: not valid YAML: control characters are not allowed"},
    {"a line break in a name", "tstop: 10", "tstop: 10\nname: \"a\\nb\"",
     "my job.yaml:2: name: a line break, tab or other control character"},
    {"a NUL in a value", "tstop: 10", "tstop: 10\nname: \"a\\0b\"",
     "my job.yaml:2: a value holds a NUL character; remove it"},
    /* characters */
    {"a no-break space as indentation", "    count: 20",
     "\u00a0\u00a0\u00a0\u00a0count: 20",
     "my job.yaml:5: not valid YAML: a no-break space (U+00A0) is there; write "
     "a plain blank"},
    {"a no-break space behind a colon", "count: 20", "count:\u00a020",
     "my job.yaml:5: not valid YAML: a no-break space (U+00A0) is there"},
    {"a no-break space in a key", "tstop: 10", "\u00a0tstop: 10",
     "my job.yaml:1: unknown key '\u00a0tstop'; did you mean 'tstop'?"},
    {"a line break in a value", "count: 20", "count: \"x\\n\\ey\"",
     "my job.yaml:5: count: 'x??y' is not a number"},
};

int main(void)
{
    refuses_all(base, BOSC_LEN(broken), broken);
    test_depth();
    test_aliases();
    test_merge();
    test_lines();
    test_line_ends();
    test_set();
    return done_testing();
}
