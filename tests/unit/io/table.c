/* Tables of numbers: what texts and NetCDF files give, and what is refused. */
#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/io/netcdf_files.h"
#include "src/table/table.h"
#include "tests/lib/tap.h"

enum { TIME, SOURCE, WEIGHT, DELAY, N_COLUMNS };

static const bosc_table_column columns[N_COLUMNS] = {
    {"time_ms|time|spike_time", true, false, 0, INFINITY, 0, NULL},
    {"source|gid", true, true, 0, 0x1p53, 0, NULL},
    {"weight", false, false, -INFINITY, 2.5, 0.125, NULL},
    {"delay", false, false, 0.5, 10, 1.5, NULL}};

static char folder[] = "/tmp/bosc-table-XXXXXX";
static char path[64];

static bosc_table *open_table(bosc_error *err)
{
    bosc_table *table = NULL;

    err->text[0] = '\0';
    return bosc_table_open(&bosc_netcdf_files, path, "job.yaml:12", N_COLUMNS,
                           columns, &table, err) == BOSC_OK
               ? table
               : NULL;
}

static void write_bytes(const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        printf("Bail out! %s cannot be written\n", path);
}

/* All rows as "1.5 2 0.125 1.5 | ...", read 'max' at a time, or the message
 * without the folder. */
static char *read_all(size_t max)
{
    bosc_error err;
    bosc_table *table = open_table(&err);
    double *rows = bosc_alloc(max * N_COLUMNS, sizeof *rows);
    char *text = bosc_strdup("");
    bosc_status st = table != NULL ? BOSC_OK : BOSC_EFORMAT;

    for (size_t n = 1; st == BOSC_OK && n > 0;) {
        n = 0;
        st = bosc_table_next(table, max, rows, &n, &err);
        for (size_t i = 0; i < n; ++i) {
            char *longer = bosc_format(
                "%s%s%.17g %.17g %.17g %.17g", text, *text ? " | " : "",
                rows[4 * i], rows[4 * i + 1], rows[4 * i + 2], rows[4 * i + 3]);

            free(text);
            text = longer;
        }
    }
    if (st != BOSC_OK) {
        const char *at = strstr(err.text, folder);

        free(text);
        text = at != NULL ? bosc_format("%.*s%s", (int)(at - err.text),
                                        err.text, at + strlen(folder) + 1)
                          : bosc_strdup(err.text);
    }
    bosc_table_close(table);
    free(rows);
    return text;
}

static void expect(size_t max, const char *want, const char *name)
{
    char *got = read_all(max);

    if (!ok(strcmp(got, want) == 0, "%s", name))
        diag("got: %s\n# not: %s", got, want);
    free(got);
}

/* --- texts --------------------------------------------------------------- */

static const struct {
    const char *name, *text, *want;
} texts[] = {
    {"columns are apart by tabs or blanks",
     "0.5\t3\t0.25\t2\n2.385 4 -1  0.5\n 7 5 \t 1 \t 9\n",
     "0.5 3 0.25 2 | 2.3849999999999998 4 -1 0.5 | 7 5 1 9"},
    {"optional columns may be left out", "1 2\n3 4\n",
     "1 2 0.125 1.5 | 3 4 0.125 1.5"},
    {"one of two optional columns may be left out", "1 2 0.5\n", "1 2 0.5 1.5"},
    {"comments and empty lines do not count",
     "# time source\n\n \t \n1 2 # first\n#3 4\n  # x\n5 6\n",
     "1 2 0.125 1.5 | 5 6 0.125 1.5"},
    {"lines may end in CR LF, and blanks", "1 2\t\r\n\r\n3 4 \r\n",
     "1 2 0.125 1.5 | 3 4 0.125 1.5"},
    {"lines may end in CR", "1 2\r3 4\r", "1 2 0.125 1.5 | 3 4 0.125 1.5"},
    {"a comment ends at CR", "# x\r1 2\r#\r3 4",
     "1 2 0.125 1.5 | 3 4 0.125 1.5"},
    {"lines may end in CR CR LF", "time source\r\r\n1 2\r\r\n",
     "1 2 0.125 1.5"},
    {"the last line needs no end", "1 2\n3 4", "1 2 0.125 1.5 | 3 4 0.125 1.5"},
    {"a header gives the order", "delay\tsource\ttime_ms\n2.5\t3\t4\n",
     "4 3 0.125 2.5"},
    {"a header may use other names", "# made by x\ngid spike_time\n3 4\n",
     "4 3 0.125 1.5"},
    {"names may be in capitals", "Time_MS\tSOURCE\n1\t2\n", "1 2 0.125 1.5"},
    {"commas separate columns", "time,source,delay\n0.5,3,2\n1e1, 4 ,\t2.5\n",
     "0.5 3 0.125 2 | 10 4 0.125 2.5"},
    {"without names, too", "0.5, 3\n1,4\n", "0.5 3 0.125 1.5 | 1 4 0.125 1.5"},
    {"so do semicolons", "time;source\r\n0.5;3\r\n", "0.5 3 0.125 1.5"},
    {"fields may be in quotes", "\"source\",\"time\"\n\"3\",0.5\n4,\" 1 \"\n",
     "0.5 3 0.125 1.5 | 1 4 0.125 1.5"},
    {"in quotes between tabs, too", "\"source\"\t\"time\"\n\"3\"\t0.5\n",
     "0.5 3 0.125 1.5"},
    {"a byte order mark does not count", "\xef\xbb\xbftime source\n1 2\n",
     "1 2 0.125 1.5"},
    {"a file may be empty", "", ""},
    {"a file may have only comments", "# nothing\n", ""},
    {"a file may have only a header", "time source\n", ""},
    {"bounds are allowed themselves", "0 0 2.5 10\n0 0 2.5 0.5\n",
     "0 0 2.5 10 | 0 0 2.5 0.5"},
    {"whole numbers are exact to below 2^53", "1e300 9007199254740991\n",
     "1.0000000000000001e+300 9007199254740991 0.125 1.5"},
    {"whole numbers may be decimals", "1 3.0\n1 2e2\n",
     "1 3 0.125 1.5 | 1 200 0.125 1.5"},

    {"a word is refused", "1 2\n3 x\n",
     "t.tsv:2: source 'x' is not a number; correct it"},
    {"so is a hexadecimal number", "1 2\n0x1p3 2\n",
     "t.tsv:2: time_ms '0x1p3' is not a number; correct it"},
    {"what is not printed is shown as a question mark", "1 2\n3 \x01\v\n",
     "t.tsv:2: source '?\?' is not a number; correct it"},
    {"a decimal comma is refused", "1,5 2\n",
     "t.tsv:1: time_ms '1,5' is not a number; write decimals with a point"},
    {"between tabs, too", "1\t2\t0,5\n",
     "t.tsv:1: weight '0,5' is not a number; write decimals with a point"},
    {"and between semicolons", "time;source\n1,5;2\n",
     "t.tsv:2: time_ms '1,5' is not a number; write decimals with a point"},
    {"and in quotes", "time,source\n\"1,5\",2\n",
     "t.tsv:2: 3 columns, but line 1 has 2, separated by commas; make them "
     "equally many"},
    {"a column that is empty is refused", "1 2 1 4\n1\t2\t\t4\n",
     "t.tsv:2: weight '' is empty; write a number"},
    {"between commas, too", "1,2,1,4\n1,2,,4\n",
     "t.tsv:2: weight '' is empty; write a number"},
    {"and behind the last", "1,2,1\n1,2,\n",
     "t.tsv:2: weight '' is empty; write a number"},
    {"nan is refused", "nan 2\n",
     "t.tsv:1: time_ms 'nan' is not a finite number; correct it"},
    {"inf is refused even without a bound", "inf 2\n",
     "t.tsv:1: time_ms 'inf' is not a finite number; correct it"},
    {"what is too large for a double is refused", "1e999 2\n",
     "t.tsv:1: time_ms '1e999' is not a finite number; correct it"},
    {"a number under a lower bound is refused", "-1e-3 2\n",
     "t.tsv:1: time_ms '-1e-3' is out of range; allowed: at least 0"},
    {"a number over an upper bound is refused", "1 2 2.75\n",
     "t.tsv:1: weight '2.75' is out of range; allowed: at most 2.5"},
    {"a number outside of two bounds is refused", "1 2 2 0.25\n",
     "t.tsv:1: delay '0.25' is out of range; allowed: 0.5 to 10"},
    {"a fraction is refused where whole numbers are", "1 2.5\n",
     "t.tsv:1: source '2.5' is not a whole number below 2^53; correct it"},
    {"a whole number that a double cannot hold is refused",
     "1 9007199254740993\n",
     "t.tsv:1: source '9007199254740993' is not a whole number below 2^53; "
     "correct it"},
    {"lines have equally many columns", "\n1 2\n3 4 1\n",
     "t.tsv:3: 3 columns, but line 2 has 2, separated by tabs or blanks; make "
     "them equally many"},
    {"and are separated as the first", "1 2\n3,4\n",
     "t.tsv:2: 1 column, but line 1 has 2, separated by tabs or blanks; make "
     "them equally many"},
    {"lines have as many columns as the header", "time source weight\n1 2\n",
     "t.tsv:2: 2 columns, but line 1 has 3, separated by tabs or blanks; make "
     "them equally many"},
    {"a required column is missed", "1\n",
     "t.tsv: has no column 'source' (other names: gid); add it, or rename the "
     "one that is meant"},
    {"a required column is missed in a header", "source weight\n1 2\n",
     "t.tsv: has no column 'time_ms' (other names: time|spike_time); add it, "
     "or rename the one that is meant"},
    {"too many columns are refused", "1 2 1 1 5\n",
     "t.tsv:1: 5 columns; there may be 4: time_ms, source, weight, delay"},
    {"a misspelt name is refused", "time source wieght\n",
     "t.tsv:1: column 'wieght' is unknown (columns are separated by tabs, "
     "blanks, commas or semicolons); did you mean 'weight'?"},
    {"another separator is refused", "# x\ntime|source\n1|2\n",
     "t.tsv:2: column 'time|source' is unknown (columns are separated by tabs, "
     "blanks, commas or semicolons); allowed: time_ms, source, weight, delay"},
    {"a column without a name is refused", ",time,source\n0,1,2\n",
     "t.tsv:1: column 1 has no name; give it one, or remove the column "
     "(pandas: "
     "index=False)"},
    {"between tabs, too", "\ttime\tsource\n0\t1\t2\n",
     "t.tsv:1: column 1 has no name; give it one, or remove the column "
     "(pandas: "
     "index=False)"},
    {"a name may stand once", "time source gid\n",
     "t.tsv:1: columns 2 and 3 ('gid') mean the same; remove one"},
    {"in any case", "time,source,Time\n",
     "t.tsv:1: columns 1 and 3 ('Time') mean the same; remove one"},
    {"UTF-16 is refused by name",
     "\xff\xfe"
     "1",
     "t.tsv: this is text in UTF-16, not a table (text in UTF-8, or netCDF); "
     "save it as UTF-8"},
    {"so is what is compressed", "\x1f\x8b\b",
     "t.tsv: this is compressed, not a table (text in UTF-8, or netCDF); "
     "unpack "
     "it first"},
};

static void test_texts(void)
{
    for (size_t i = 0; i < BOSC_LEN(texts); ++i) {
        write_bytes(texts[i].text, strlen(texts[i].text));
        expect(7, texts[i].want, texts[i].name);
    }
}

static void test_no_texts(void)
{
    enum { LONG = 100000 };
    char *text = bosc_alloc(LONG, 1);

    memset(text, '7', LONG);
    memcpy(text, "1 2\n", 4);
    write_bytes(text, LONG);
    expect(7,
           "t.tsv:2: a line of over 65536 characters; is this a table of "
           "numbers?",
           "a line without end is refused");
    memset(text, ' ', LONG);
    memcpy(text, "1 2", 3);
    memcpy(text + 60000, "\n3 4", 4);
    write_bytes(text, LONG);
    expect(7, "1 2 0.125 1.5 | 3 4 0.125 1.5", "lines may be long");
    free(text);
    write_bytes("1 2\n3\0004\n5 6\n", 12);
    expect(7,
           "t.tsv:2: a NUL character; a table is plain text (ASCII or UTF-8), "
           "or NetCDF",
           "NUL characters are refused");
    write_bytes("1 2\n3 4\0001\n", 9);
    expect(7,
           "t.tsv:2: a NUL character; a table is plain text (ASCII or UTF-8), "
           "or NetCDF",
           "at the end of a text that ends without a line's, too");
}

/* --- pipes --------------------------------------------------------------- */

/* A pipe with these bytes as 'path', which a process writes; what is kept open
 * here shows that nobody reads it twice. */
static int open_pipe(const char *bytes, size_t n)
{
    int ends[2];

    if (pipe(ends) != 0)
        return -1;
    if (fork() == 0) {
        for (size_t at = 0; at < n;) {
            const ssize_t wrote = write(ends[1], bytes + at, n - at);

            if (wrote <= 0)
                _exit(1);
            at += (size_t)wrote;
        }
        _exit(0);
    }
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    return ends[0];
}

static void test_pipes(void)
{
    enum { BYTES = 20000, ROW = 4 };
    char *text = bosc_alloc(BYTES, 1), kept[sizeof path], *all;
    size_t rows = 0;

    memcpy(kept, path, sizeof path);
    for (size_t i = 0; i < BYTES; ++i)
        text[i] = "1 2\n"[i % ROW];

    int end = open_pipe(text, BYTES);

    all = read_all(1000);
    for (const char *p = all; (p = strchr(p, '1')) != NULL; p += 5)
        rows += strncmp(p, "1 2 0.125 1.5", 13) == 0;
    if (!ok(rows == BYTES / ROW, "a pipe is read from its first byte"))
        diag("%zu rows of %d, %.60s", rows, BYTES / ROW, all);
    free(all);
    all = read_all(7);
    ok(strstr(all, "the pipe is empty; if it was read before, write its "
                   "content to a file and name that") != NULL,
       "it cannot be read twice");
    free(all);
    close(end);
    end = open_pipe("\x89HDF\r\n\x1a\n", 8);
    all = read_all(7);
    ok(strstr(all, "NetCDF cannot be read from a pipe; write it to a file "
                   "first") != NULL,
       "NetCDF cannot come from one");
    free(all);
    close(end);
    while (wait(NULL) > 0)
        ;
    memcpy(path, kept, sizeof path);
    free(text);
}

/* A failure gives nothing of its block, and leaves *n alone. */
static void test_blocks(void)
{
    bosc_error err;
    double rows[2 * N_COLUMNS];
    size_t n[4] = {9, 9, 9, 9};

    write_bytes("1 1\n2 2\n#\n3 3\n4 4\n5 5\n", 22);
    expect(1,
           "1 1 0.125 1.5 | 2 2 0.125 1.5 | 3 3 0.125 1.5 | 4 4 0.125 1.5 | "
           "5 5 0.125 1.5",
           "rows can be read one by one");

    bosc_table *table = open_table(&err);
    bool fine = table != NULL;

    for (int k = 0; fine && k < 4; ++k)
        fine = bosc_table_next(table, 2, rows, &n[k], &err) == BOSC_OK;
    ok(fine && n[0] == 2 && n[1] == 2 && n[2] == 1 && n[3] == 0 && rows[0] == 5,
       "five rows are blocks of two, two, one and the end");
    bosc_table_close(table);

    write_bytes("1 1\n2 2\n3 3\n4 x\n", 16);
    table = open_table(&err);
    n[1] = 9;
    ok(table != NULL &&
           bosc_table_next(table, 2, rows, &n[0], &err) == BOSC_OK &&
           bosc_table_next(table, 2, rows, &n[1], &err) == BOSC_EFORMAT &&
           n[1] == 9,
       "the block with the slip in it fails");
    bosc_table_close(table);
}

/* Standard input may be one. */
static void test_socket(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    if (s < 0 || bind(s, (struct sockaddr *)&name, sizeof name) != 0)
        skip("there are no sockets");
    else
        expect(7,
               "job.yaml:12: t.tsv: No such device or address; name a file, or "
               "a pipe",
               "a socket is refused");
    close(s);
    unlink(path);
}

static void test_unopened(void)
{
    unlink(path);
    expect(7,
           "job.yaml:12: t.tsv: No such file or directory; paths begin at "
           "the folder of the file that names them",
           "a missing file is told where it was named");
    mkdir(path, 0777);
    expect(7, "job.yaml:12: t.tsv: Is a directory; name a file",
           "a folder is refused");
    rmdir(path);
    test_socket();
    write_bytes("\x89HDF\r\n\x1a\nbroken", 14);
    expect(7,
           "job.yaml:12: t.tsv: cannot be read as NetCDF; it is damaged, cut "
           "short, or another program is writing it",
           "a broken NetCDF file is refused");
}

/* --- NetCDF -------------------------------------------------------------- */

enum { LENGTH = 5 };

/* A variable of a file that a case needs. */
typedef struct variable {
    const char *name;
    nc_type type;
    int n_dimensions;
    int length;
    long long value[LENGTH];
} variable;

static const struct {
    const char *name, *want;
    int format;
    variable variables[3];
} files[] = {
    {"variables are columns, by any of their names",
     "1 4 0.125 1.5 | 2 5 0.125 1.5 | 3 6 0.125 1.5 | 4 7 0.125 1.5 | "
     "5 8 0.125 1.5",
     NC_NETCDF4,
     {{"gid", NC_INT64, 1, 5, {4, 5, 6, 7, 8}},
      {"spike_time", NC_DOUBLE, 1, 5, {1, 2, 3, 4, 5}},
      {"of no concern", NC_INT, 1, 2, {1, 2}}}},
    {"classic files are NetCDF too",
     "1 4 2 1.5 | 2 5 -8 1.5",
     NC_CLASSIC_MODEL,
     {{"gid", NC_INT, 1, 2, {4, 5}},
      {"time", NC_FLOAT, 1, 2, {1, 2}},
      {"weight", NC_SHORT, 1, 2, {2, -8}}}},
    {"64-bit data files are NetCDF too",
     "1 9007199254740991 0.125 1.5",
     NC_64BIT_DATA,
     {{"gid", NC_UINT64, 1, 1, {9007199254740991}},
      {"time", NC_FLOAT, 1, 1, {1}}}},
    {"variables may be empty",
     "",
     NC_NETCDF4,
     {{"gid", NC_INT, 1, 0, {0}}, {"time", NC_FLOAT, 1, 0, {0}}}},
    {"the first of two names is taken",
     "2 3 0.125 1.5",
     NC_NETCDF4,
     {{"gid", NC_INT, 1, 1, {3}},
      {"spike_time", NC_FLOAT, 1, 1, {1}},
      {"time", NC_FLOAT, 1, 1, {2}}}},
    {"a value out of range is named by its index",
     "t.tsv: spike_time[3]: -4 is out of range; allowed: at least 0",
     NC_NETCDF4,
     {{"gid", NC_INT64, 1, 5, {4, 5, 6, 7, 8}},
      {"spike_time", NC_DOUBLE, 1, 5, {1, 2, 3, -4, 5}}}},
    {"a number that a double cannot hold is refused in NetCDF",
     "t.tsv: gid[1]: 9007199254740992 is not a whole number below 2^53; "
     "correct it",
     NC_NETCDF4,
     {{"gid", NC_INT64, 1, 2, {1, 9007199254740993}},
      {"time", NC_DOUBLE, 1, 2, {1, 2}}}},
    {"variables of two lengths are refused",
     "t.tsv: variable 'gid' has 3 values, those before it 2; make them equally "
     "many",
     NC_NETCDF4,
     {{"gid", NC_INT, 1, 3, {1, 2, 3}}, {"time", NC_INT, 1, 2, {1, 2}}}},
    {"a variable with two dimensions is refused",
     "t.tsv: variable 'gid' is int (gid_0, gid_1); it must be numbers over one "
     "dimension",
     NC_NETCDF4,
     {{"gid", NC_INT, 2, 2, {1, 2, 3, 4}}, {"time", NC_INT, 1, 2, {1, 2}}}},
    {"a variable without dimension is refused",
     "t.tsv: variable 'time' is int (); it must be numbers over one dimension",
     NC_NETCDF4,
     {{"gid", NC_INT, 1, 1, {1}}, {"time", NC_INT, 0, 1, {1}}}},
    {"texts are refused as numbers",
     "t.tsv: variable 'time' is char (time_0); it must be numbers over one "
     "dimension",
     NC_NETCDF4,
     {{"gid", NC_INT, 1, 1, {1}}, {"time", NC_CHAR, 1, 1, {'1'}}}},
    {"a required variable is missed",
     "t.tsv: has no variable 'source' (other names: gid); add it, or rename "
     "the one that is meant",
     NC_NETCDF4,
     {{"time", NC_INT, 1, 1, {1}}}},
};

static bool write_variable(int nc, const variable *v)
{
    char name[32];
    int dimension[2], id;
    bool fine = true;

    for (int d = 0; d < v->n_dimensions; ++d) {
        snprintf(name, sizeof name, "%.20s_%d", v->name, d);
        fine = fine && nc_def_dim(nc, name, (size_t)v->length, &dimension[d]) ==
                           NC_NOERR;
    }
    fine = fine && nc_def_var(nc, v->name, v->type, v->n_dimensions, dimension,
                              &id) == NC_NOERR;
    fine = fine && nc_enddef(nc) == NC_NOERR;
    if (fine && v->length > 0)
        fine = v->type == NC_CHAR
                   ? nc_put_var_text(nc, id, "1") == NC_NOERR
                   : nc_put_var_longlong(nc, id, v->value) == NC_NOERR;
    return nc_redef(nc) == NC_NOERR && fine;
}

static void test_netcdf(void)
{
    for (size_t i = 0; i < BOSC_LEN(files); ++i) {
        int nc = -1;
        bool fine =
            nc_create(path, files[i].format | NC_CLOBBER, &nc) == NC_NOERR;

        for (int k = 0; fine && k < 3; ++k)
            fine = files[i].variables[k].name == NULL ||
                   write_variable(nc, &files[i].variables[k]);
        if (!fine || nc_close(nc) != NC_NOERR)
            printf("Bail out! %s cannot be written\n", path);
        expect(2, files[i].want, files[i].name);
    }
}

/* What stands for other numbers, or for none: the weights are shorts, 'first'
 * and one that is not written. */
static void test_meanings(void)
{
    static const struct {
        const char *name, *attribute, *want;
        nc_type type;
        short first, number;
    } cases[] = {
        {"a value that was never written is refused", NULL,
         "t.tsv: weight[1]: is missing (it is the fill value)", NC_DOUBLE, 1,
         0},
        {"so is one of a fill value of its own", "_FillValue",
         "t.tsv: weight[0]: is missing (it is the fill value)", NC_SHORT, -3,
         -3},
        {"packed numbers are refused", "scale_factor",
         "t.tsv: variable 'weight' is packed (it has 'scale_factor'); it must "
         "be the numbers themselves",
         NC_SHORT, 1, 3},
        {"and numbers with an offset", "add_offset",
         "t.tsv: variable 'weight' is packed (it has 'add_offset'); it must be "
         "the numbers themselves",
         NC_SHORT, 1, 3},
        {"a short that was never written is refused", NULL,
         "t.tsv: weight[1]: is missing (it is the fill value)", NC_SHORT, 1, 0},
        {"every byte is a number, and other attributes do not count",
         "valid_min", "1 1 1 1.5 | 2 2 -127 1.5", NC_BYTE, 1, 3},
    };
    static const variable others[] = {{"gid", NC_INT, 1, 2, {1, 2}},
                                      {"time", NC_INT, 1, 2, {1, 2}}};

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        const size_t start = 0;
        int nc = -1, dim, var;
        bool fine =
            nc_create(path, NC_NETCDF4 | NC_CLOBBER, &nc) == NC_NOERR &&
            write_variable(nc, &others[0]) && write_variable(nc, &others[1]) &&
            nc_inq_dimid(nc, "gid_0", &dim) == NC_NOERR &&
            nc_def_var(nc, "weight", cases[i].type, 1, &dim, &var) == NC_NOERR;

        if (fine && cases[i].attribute != NULL)
            fine = nc_put_att_short(nc, var, cases[i].attribute, NC_SHORT, 1,
                                    &cases[i].number) == NC_NOERR;
        fine = fine &&
               nc_put_var1_short(nc, var, &start, &cases[i].first) == NC_NOERR;
        if (!fine || nc_close(nc) != NC_NOERR)
            printf("Bail out! %s cannot be written\n", path);
        expect(2, cases[i].want, cases[i].name);
    }
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        printf("Bail out! no folder %s\n", folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/t.tsv", folder);
    test_texts();
    test_no_texts();
    test_pipes();
    test_blocks();
    test_netcdf();
    test_meanings();
    test_unopened();
    unlink(path);
    rmdir(folder);
    return done_testing();
}
