/* YAML itself: lines, and what is refused wherever a text is YAML. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/yaml_line.h"
#include "src/yaml_tree.h"
#include "tests/job.h"
#include "tests/tap.h"

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
    } broken[] = {
        {"count: 20", "count 20",
         "my job.yaml:5: not valid YAML: a colon is missing: 'count: 20'"},
        {"tstop: 10", "tstop 10\n\n \n# dt",
         "my job.yaml:1: not valid YAML: a colon is missing: 'tstop: 10'"},
        {"at: soma", "at: \"soma",
         "my job.yaml:10: not valid YAML: the quoted text that begins here "
         "never ends"},
        {"at: soma", "at: \"soma # x\n 'a \n \" # it's \"",
         "my job.yaml:10: not valid YAML: the quoted text that begins here "
         "ends only on line 12"},
        {"    count: 20", "\tcount: 20",
         "my job.yaml:5: not valid YAML: found character that cannot start any "
         "token; indent with blanks, not with tabs"},
        {"count: 20", "count: \001",
         "my job.yaml:5: not valid YAML: control characters are not allowed"},
        {"count: 20", "count: -1", "my job.yaml:5: count: '-1' is out of"},
    };

    for (size_t b = 0; b < BOSC_LEN(broken); ++b) {
        char *plain = changed(broken[b].from, broken[b].to);

        for (size_t i = 0; i < BOSC_LEN(breaks); ++i) {
            char *text = with_ends(plain, breaks[i].text);
            bosc_error err;
            bosc_job *job = parse(text, 0, NULL, &err);

            if (!ok(job == NULL && strstr(err.text, broken[b].message) != NULL,
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

        ok(again != NULL && strcmp(job->output, "o.nc") == 0 &&
               strcmp(again->output, "my job.nc") == 0,
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
           strstr(err.text, "f:16: more than 200000") != NULL,
       "aliases that ask for 2^31 values are refused");
    free(text);
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

int main(void)
{
    test_depth();
    test_aliases();
    test_lines();
    test_line_ends();
    test_set();
    return done_testing();
}
