/* Morphology lists: rows, globs, gids, messages, the packed form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/model/gid_table.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

/* Jobs of one population, and of two that may share a list. */
#define PAS "    regions: {all: {pas: {}}}\n"
#define ONE(morphologies, more)                                                \
    "tstop: 1\npopulations:\n  - name: a\n    morphologies: \"" morphologies   \
    "\"\n" more PAS
#define TWO(first, second)                                                     \
    ONE(first, "")                                                             \
    "  - name: b\n    morphologies: \"" second "\"\n" PAS

static char *folder; /* of the test's files; removed at the end */

static char *in_folder(const char *name)
{
    return bosc_format("%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
    char *path = in_folder(name);
    FILE *file = fopen(path, "wb");

    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
    free(path);
}

static const char *const names[] = {
    "cells/b.swc", "cells/a.swc",    "cells/c d.swc",
    "cells/B.swc", "cells/x[1].swc", "cells/none.txt",
    "list.tsv",    "other/e.swc",    "we [i] rd/*/f.swc"};
static const char *const folders[] = {"cells", "cells/z.swc", "other",
                                      "we [i] rd", "we [i] rd/*"};

static void make_files(void)
{
    for (size_t i = 0; i < BOSC_LEN(folders); ++i) {
        char *path = in_folder(folders[i]);

        mkdir(path, 0777);
        free(path);
    }
    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        write_file(names[i], "");
}

static void remove_files(void)
{
    for (size_t i = 0; i < BOSC_LEN(names); ++i) {
        char *path = in_folder(names[i]);

        unlink(path);
        free(path);
    }
    for (size_t i = BOSC_LEN(folders); i-- > 0;) {
        char *path = in_folder(folders[i]);

        rmdir(path);
        free(path);
    }
    rmdir(folder);
}

/* The gid table of a job and a list, or NULL with the reason. */
static bosc_gid_table *make(const char *text, const char *list, bosc_job **job,
                            bosc_error *err)
{
    char *path = in_folder("job.yaml");
    bosc_gid_table *gid_table = NULL;

    *job = NULL;
    write_file("list.tsv", list);
    if (bosc_job_parse(test_mechs(), path, text, 0, NULL, job, err) == BOSC_OK)
        bosc_gid_table_create(*job, &gid_table, err);
    free(path);
    return gid_table;
}

/* "a:2*cells/a.swc b:1*- ": population, count, file of each gid range, without
 * the folder; checks that gids follow each other. */
static char *describe(const bosc_job *job, const bosc_gid_table *gid_table)
{
    char *text = bosc_strdup("");
    int64_t gid = 0;

    for (int32_t c = 0; c < gid_table->n_gid_ranges; ++c) {
        const bosc_gid_range *gid_range = &gid_table->gid_ranges[c];
        const char *file =
            gid_range->file >= 0 ? gid_table->files[gid_range->file] : "-";
        const size_t skip =
            strncmp(file, folder, strlen(folder)) == 0 ? strlen(folder) + 1 : 0;
        char *longer =
            bosc_format("%s%s%s:%lld*%s", text, c > 0 ? " | " : "",
                        job->populations[gid_range->population].name,
                        (long long)gid_range->count,
                        gid_range->gid == gid ? file + skip : "wrong gid");

        gid += gid_range->count;
        free(text);
        text = longer;
    }
    return text;
}

static const struct {
    const char *what, *job, *list, *want;
} good[] = {
    {"one file is one neuron", ONE("cells/a.swc", ""), "", "a:1*cells/a.swc"},
    {"a count multiplies it", ONE("cells/a.swc", "    count: 7\n"), "",
     "a:7*cells/a.swc"},
    {"a glob is sorted by name, without folders",
     ONE("cells/*.swc", "    count: 2\n"), "",
     "a:2*cells/B.swc | a:2*cells/a.swc | a:2*cells/b.swc | a:2*cells/c d.swc "
     "| a:2*cells/x[1].swc"},
    {"a file whose name looks like a glob is itself", ONE("cells/x[1].swc", ""),
     "", "a:1*cells/x[1].swc"},
    {"a list gives path and count", ONE("list.tsv", ""),
     "cells/b.swc\t3\ncells/a.swc\t2\n", "a:3*cells/b.swc | a:2*cells/a.swc"},
    {"comments, empty lines and a header are skipped", ONE("list.tsv", ""),
     "# cells\n\npath\tcount\tpopulation\n  # more\n\t\t\ncells/b.swc\t3\n",
     "a:3*cells/b.swc"},
    {"CRLF, blanks around columns and a last line without end",
     ONE("list.tsv", ""), " cells/b.swc \t 3 \r\ncells/a.swc\t2\t\r",
     "a:3*cells/b.swc | a:2*cells/a.swc"},
    {"lines that end in CR", ONE("list.tsv", ""),
     "# cells\rcells/b.swc\t3\rcells/a.swc\t2\ta\r\r",
     "a:3*cells/b.swc | a:2*cells/a.swc"},
    {"a header in capitals", ONE("list.tsv", ""),
     "Path\tCount\r\r\ncells/b.swc\t3\r\r\n", "a:3*cells/b.swc"},
    {"a byte order mark", ONE("list.tsv", ""),
     "\xef\xbb\xbf"
     "cells/b.swc\t3\n",
     "a:3*cells/b.swc"},
    {"blanks in a path", ONE("list.tsv", ""), "cells/c d.swc\t1\n",
     "a:1*cells/c d.swc"},
    {"a path alone is one neuron", ONE("list.tsv", ""), "cells/a.swc\n",
     "a:1*cells/a.swc"},
    {"a glob in a list", ONE("list.tsv", ""), "cells/[ab].swc\t4\n",
     "a:4*cells/a.swc | a:4*cells/b.swc"},
    {"a count of 0 leaves a row out", ONE("list.tsv", ""),
     "cells/a.swc\t0\ncells/b.swc\t1\n", "a:1*cells/b.swc"},
    {"a list may serve several populations", TWO("list.tsv", "list.tsv"),
     "cells/a.swc\t1\ta\ncells/b.swc\t2\tb\nother/e.swc\t3\n",
     "a:1*cells/a.swc | a:3*other/e.swc | b:2*cells/b.swc | b:3*other/e.swc"},
    {"rows for others need no file", TWO("list.tsv", "other/e.swc"),
     "gone.swc\t1\tb\ncells/b.swc\t2\ta\n",
     "a:2*cells/b.swc | b:1*other/e.swc"},
    {"synthetic neurons have no file",
     "tstop: 1\npopulations:\n  - name: a\n    count: 5\n"
     "    synthetic: {compartments: 9, sections: 3}\n" PAS
     "  - name: b\n    morphologies: cells/a.swc\n" PAS,
     "", "a:5*- | b:1*cells/a.swc"},
    {"./ in front of a path is nothing", TWO("./cells/a.swc", "cells/a.swc"),
     "", "a:1*cells/a.swc | b:1*cells/a.swc"},
};

static void test_good(void)
{
    for (size_t i = 0; i < BOSC_LEN(good); ++i) {
        bosc_job *job;
        bosc_error err;
        bosc_gid_table *gid_table = make(good[i].job, good[i].list, &job, &err);
        char *got = gid_table != NULL ? describe(job, gid_table)
                                      : bosc_strdup(err.text);

        if (!ok(strcmp(got, good[i].want) == 0, "%s", good[i].what)) {
            diag("wanted: %s", good[i].want);
            diag("got:    %s", got);
        }
        free(got);
        bosc_gid_table_destroy(gid_table);
        bosc_job_destroy(job);
    }
}

static const struct {
    const char *what, *job, *list, *message;
} bad[] = {
    {"a file that is not there", ONE("cells/q.swc", ""), "", "/job.yaml:4: "},
    {"and it is named", ONE("cells/q.swc", ""), "",
     "/cells/q.swc: No such file or directory; paths begin at the folder"},
    {"a list that is not there", ONE("none.tsv", ""), "",
     "/none.tsv: No such file or directory"},
    {"a glob without a match", ONE("cells/q*.swc", ""), "",
     "/job.yaml:4: no file matches 'cells/q*.swc' in folder '"},
    {"a glob below a folder that is not there", ONE("cels/*/x.swc", ""), "",
     "/job.yaml:4: 'cels/*/x.swc': folder 'cels' does not exist; paths begin"},
    {"one from the root", ONE("/nowhere/at/all/[ab].swc", ""), "",
     "'/nowhere/at/all/[ab].swc': folder '/nowhere/at/all' does not exist"},
    {"a glob that matches folders only", ONE("cells/z*", ""), "",
     "no file matches 'cells/z*' in folder '"},
    {"a folder", ONE("cells", ""), "",
     "/cells: is a folder; write 'cells/*.swc' for its files"},
    {"a missing file in lines that end in CR", ONE("list.tsv", ""),
     "# first\rcells/a.swc\t1\r\rcells/q.swc\t1\r", "/list.tsv:4: "},
    {"a missing file in a list", ONE("list.tsv", ""),
     "# first\ncells/a.swc\t1\ncells/q.swc\t1\n", "/list.tsv:3: "},
    {"a glob without a match in a list", ONE("list.tsv", ""), "cells/q*\t1\n",
     "/list.tsv:1: no file matches 'cells/q*' in folder '"},
    {"blanks instead of a tab", ONE("list.tsv", ""), "cells/a.swc 10\n",
     "/list.tsv:1: no tab in 'cells/a.swc 10'; write path, tab, count"},
    {"blanks instead of two tabs", TWO("list.tsv", "cells/a.swc"),
     "cells/a.swc 10 a\n",
     "/list.tsv:1: no tab in 'cells/a.swc 10 a'; write path, tab, count"},
    {"a comma instead of a tab", ONE("list.tsv", ""), "cells/a.swc,10\n",
     "/list.tsv:1: no tab in 'cells/a.swc,10'; write path, tab, count"},
    {"commas instead of two tabs", TWO("list.tsv", "cells/a.swc"),
     "cells/a.swc,10,a\n",
     "/list.tsv:1: no tab in 'cells/a.swc,10,a'; write path, tab, count"},
    {"semicolons in a header", ONE("list.tsv", ""), "path;count;population\n",
     "/list.tsv:1: no tab in 'path;count;population'; write path, tab, count"},
    {"a word for a count", ONE("list.tsv", ""), "cells/a.swc\tten\n",
     "/list.tsv:1: count 'ten' is not a whole number; the columns are path"},
    {"columns in another order", ONE("list.tsv", ""), "cells/a.swc\ta\t10\n",
     "/list.tsv:1: count 'a' is not a whole number"},
    {"half a neuron", ONE("list.tsv", ""), "cells/a.swc\t1.5\n",
     "/list.tsv:1: count '1.5' is not a whole number"},
    {"a negative count", ONE("list.tsv", ""), "cells/a.swc\t-1\n",
     "/list.tsv:1: count -1 is out of range; allowed: 0 to 1000000000000"},
    {"a count beyond all machines", ONE("list.tsv", ""), "cells/a.swc\t1e13\n",
     "/list.tsv:1: count 1e13 is out of range"},
    {"counts whose sum is beyond all machines", ONE("list.tsv", ""),
     "cells/a.swc\t1e12\ncells/b.swc\t1\n",
     "/list.tsv:2: over 1000000000000 neurons in all"},
    {"a fourth column", ONE("list.tsv", ""), "cells/a.swc\t1\ta\tx\n",
     "/list.tsv:1: 4 columns; there are three: path, count, population"},
    {"no path", ONE("list.tsv", ""), "\t1\n",
     "/list.tsv:1: the first column, the path, is empty"},
    {"a mistyped population", TWO("list.tsv", "cells/a.swc"),
     "cells/a.swc\t1\tpyr\n",
     "/list.tsv:1: the job has no population 'pyr'; it has: a, b"},
    {"an empty list", ONE("list.tsv", ""), "# nothing yet\n",
     "/job.yaml:4: population 'a' is empty: list.tsv has no row for it with a "
     "count over 0"},
    {"a list for others only", TWO("list.tsv", "cells/a.swc"),
     "cells/a.swc\t1\tb\n", "/job.yaml:4: population 'a' is empty"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < BOSC_LEN(bad); ++i) {
        bosc_job *job;
        bosc_error err = {""};
        bosc_gid_table *gid_table = make(bad[i].job, bad[i].list, &job, &err);

        if (!ok(job != NULL && gid_table == NULL &&
                    strstr(err.text, bad[i].message) != NULL,
                "%s is refused", bad[i].what)) {
            diag("wanted: %s", bad[i].message);
            diag("got:    %s", gid_table != NULL ? "a roster" : err.text);
        }
        bosc_gid_table_destroy(gid_table);
        bosc_job_destroy(job);
    }
}

static bool same(const bosc_gid_table *a, const bosc_gid_table *b,
                 int n_populations)
{
    bool equal = a->n_neurons == b->n_neurons && a->n_files == b->n_files &&
                 a->n_gid_ranges == b->n_gid_ranges;

    for (int32_t i = 0; equal && i < a->n_files; ++i)
        equal = strcmp(a->files[i], b->files[i]) == 0;
    for (int32_t i = 0; equal && i < a->n_gid_ranges; ++i)
        equal = a->gid_ranges[i].gid == b->gid_ranges[i].gid &&
                a->gid_ranges[i].count == b->gid_ranges[i].count &&
                a->gid_ranges[i].population == b->gid_ranges[i].population &&
                a->gid_ranges[i].file == b->gid_ranges[i].file;
    for (int i = 0; equal && i <= n_populations; ++i)
        equal = a->first_gid[i] == b->first_gid[i];
    return equal;
}

static void test_pack(const bosc_job *job, const bosc_gid_table *gid_table)
{
    bosc_gid_table *copy = NULL;
    bosc_error err;
    void *bytes = NULL;
    size_t size = 0;

    ok(bosc_gid_table_pack(gid_table, job->n_populations, &bytes, &size,
                           &err) == BOSC_OK &&
           bosc_gid_table_unpack(bytes, &copy, &err) == BOSC_OK &&
           same(gid_table, copy, job->n_populations),
       "a roster is the same after packing and unpacking");
    free(bytes);
    bosc_gid_table_destroy(copy);
}

static void test_numbers(void)
{
    bosc_job *job;
    bosc_error err;
    bosc_gid_table *r = make(
        TWO("list.tsv", "list.tsv"),
        "cells/a.swc\t2\nother/e.swc\t3\tb\ncells/a.swc\t1\tb\n", &job, &err);

    if (!ok(r != NULL, "two populations share a list")) {
        diag("%s", err.text);
        bosc_job_destroy(job);
        return;
    }
    ok(r->n_neurons == 8 && r->first_gid[0] == 0 && r->first_gid[1] == 2 &&
           r->first_gid[2] == 8,
       "each population has a run of gids");
    ok(r->n_files == 2 && r->gid_ranges[0].file == 0 &&
           r->gid_ranges[1].file == 0 && r->gid_ranges[2].file == 1 &&
           r->gid_ranges[3].file == 0,
       "each path is kept once, in order of mention");
    bool right =
        bosc_gid_table_find(r, -1) == NULL && bosc_gid_table_find(r, 8) == NULL;

    for (int64_t gid = 0; gid < r->n_neurons; ++gid) {
        const bosc_gid_range *gid_range = bosc_gid_table_find(r, gid);

        right = right && gid_range != NULL && gid_range->gid <= gid &&
                gid < gid_range->gid + gid_range->count;
    }
    ok(right, "every gid finds its cohort, others find none");
    test_pack(job, r);
    bosc_gid_table_destroy(r);
    bosc_job_destroy(job);
}

/* A folder's name is no pattern, even if it looks like one. */
static void test_weird_folder(void)
{
    char *path = in_folder("we [i] rd/*/job.yaml");
    bosc_job *job = NULL;
    bosc_gid_table *gid_table = NULL;
    bosc_error err;

    bosc_job_parse(test_mechs(), path, ONE("*.swc", ""), 0, NULL, &job, &err);
    ok(job != NULL && bosc_gid_table_create(job, &gid_table, &err) == BOSC_OK &&
           gid_table->n_files == 1,
       "a glob works in a folder with brackets and stars in its name");
    bosc_gid_table_destroy(gid_table);
    bosc_job_destroy(job);
    free(path);
}

/* Paths of the working folder carry no folder. */
static void test_here(void)
{
    bosc_job *job = NULL;
    bosc_gid_table *gid_table = NULL;
    bosc_error err;

    if (chdir(folder) == 0)
        bosc_job_parse(test_mechs(), "job.yaml", ONE("cells/a.swc", ""), 0,
                       NULL, &job, &err);
    ok(job != NULL && bosc_gid_table_create(job, &gid_table, &err) == BOSC_OK &&
           strcmp(gid_table->files[0], "cells/a.swc") == 0,
       "a job in the working folder finds its files there");
    bosc_gid_table_destroy(gid_table);
    bosc_job_destroy(job);
    if (chdir("/") != 0)
        diag("no root folder");
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");

    folder =
        bosc_format("%s/bosc-population-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (!ok(mkdtemp(folder) != NULL, "there is a folder for the test"))
        return done_testing();
    make_files();
    test_good();
    test_bad();
    test_numbers();
    test_weird_folder();
    test_here();
    remove_files();
    ok(access(folder, F_OK) != 0, "nothing is left behind");
    free(folder);
    return done_testing();
}
