/* Tables of values: what is read, found, and refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/value_table.h"
#include "src/morphology/spec.h"
#include "tests/lib/tap.h"

static bosc_value_table *parse(const char *text, int n,
                               const char *const *columns)
{
    bosc_value_table *table = NULL;
    bosc_error err = {""};

    if (bosc_value_table_parse(text, "v.tsv", n, columns, &table, &err) !=
        BOSC_OK)
        diag("%s", err.text);
    return table;
}

/* --- what is found -------------------------------------------------------- */

static const char *const g[] = {"g"};

static const struct {
    const char *what, *text;
    bosc_value_place place;
    double value;
} found[] = {
    {"values of neurons", "neuron g\n1 0.5\n0 2.25\n", {.neuron = 1}, 0.5},
    {"the section does not count then",
     "neuron g\n1 0.5\n0 2.25\n",
     {0, BOSC_DENDRITE, 7, 3, 5, 0},
     2.25},
    {"values of sections",
     "section\tg\nsoma\t1\ndend[12]\t2\ndend[2]\t3\napic[0]\t4\n",
     {.neuron = 9, .region = BOSC_DENDRITE, .number = 2},
     3},
    {"soma is soma[0]", "section g\nsoma 1\ndend[0] 2\n", {0}, 1},
    {"the names that NEURON prints",
     "section g\nCell[0].soma[0] 1\nCell[0].apic[3] 2\n",
     {.region = BOSC_APICAL, .number = 3},
     2},
    {"myelin by its name",
     "section g\ncustom[3] 1\nmyelin[0] 2\nmyelin[1] 3\n",
     {.region = BOSC_CUSTOM, .number = 5, .myelin = 2},
     3},
    {"myelin as a section of region custom",
     "section g\ncustom[3] 1\nmyelin[0] 2\n",
     {.region = BOSC_CUSTOM, .number = 3, .myelin = 2},
     1},
    {"values of sections of neurons, in any order",
     "g,section,neuron\n1,axon[0],5\n2,axon[0],4\n3,axon[1],4\n",
     {.neuron = 4, .region = BOSC_AXON, .number = 1},
     3},
    {"values of compartments",
     "section x g\ndend[0] 0.5 2\ndend[0] 0.1 1\ndend[0] 0.9 3\n",
     {0, BOSC_DENDRITE, 0, 2, 3, 0},
     3},
    {"compartments of which x is not the middle",
     "section x g\ndend[0] 0 1\ndend[0] 0.34 2\ndend[0] 1 3\n",
     {0, BOSC_DENDRITE, 0, 1, 3, 0},
     2},
    {"x = 1 is in the last one",
     "section x g\ndend[0] 0 1\ndend[0] 0.34 2\ndend[0] 1 3\n",
     {0, BOSC_DENDRITE, 0, 2, 3, 0},
     3},
    {"x without sections is another column",
     "neuron x g\n0 17 1\n",
     {.neuron = 0},
     1},
    {"comments, empty lines, ends of lines, quotes",
     "# of a fit\r\n\r\n\"neuron\",\"g\"\r\n0,\"7\" # best\r\n",
     {.neuron = 0},
     7},
    {"names of keys in any case",
     "Neuron;Section;g\n0;soma;-1e-3\n",
     {0},
     -1e-3},
    {"columns that nobody asks for may have text",
     "neuron g name\n0 1 first\n1 2 -\n",
     {.neuron = 1},
     2},
    {"a unit", "neuron\tg (S / cm2)\th\n0\t3\t4\n", {0}, 3},
    {"a unit between blanks", "neuron f (mV) g [S/cm2]\n0 3 4\n", {0}, 4},
    {"a unit between commas", "neuron, f (mV), g (S/cm2)\n0, 3, 4\n", {0}, 4},
};

static void test_found(void)
{
    for (size_t i = 0; i < BOSC_LEN(found); ++i) {
        bosc_value_table *table = parse(found[i].text, 1, g);
        bosc_error err = {""};
        double value = 0;

        if (!ok(table != NULL &&
                    bosc_value_table_find(table, 0, &found[i].place, &value,
                                          &err) == BOSC_OK &&
                    value == found[i].value,
                "found: %s", found[i].what))
            diag("%g %s", value, err.text);
        bosc_value_table_destroy(table);
    }
}

/* --- what is not there ---------------------------------------------------- */

static const struct {
    const char *text;
    bosc_value_place place;
    const char *message;
} missing[] = {
    {"neuron g\n0 1\n2 3\n",
     {.neuron = 1},
     "v.tsv: has no row for neuron 1; add it"},
    {"neuron g\n0 1\n2 3\n",
     {.neuron = 3},
     "v.tsv: has no row for neuron 3; add it"},
    {"section g\nsoma 1\n",
     {.neuron = 1, .region = BOSC_APICAL, .number = 36},
     "v.tsv: has no row for apic[36]; add it"},
    {"neuron section g\n0 soma 1\n1 dend[1] 1\n",
     {.neuron = 1},
     "v.tsv: has no row for neuron 1, soma[0]; add it"},
    {"section g\ncustom[3] 1\nmyelin[0] 2\n",
     {.region = BOSC_CUSTOM, .number = 4, .myelin = 2},
     "v.tsv: has no row for myelin[1]; add it"},
    {"section g\ncustom[3] 1\nmyelin[0] 2\n",
     {.region = BOSC_CUSTOM, .number = 3, .myelin = 1},
     "v.tsv:3: myelin[0] is the section that line 2 calls custom[3]; remove "
     "one"},
    {"section x g\ndend[0] 0.1 1\ndend[0] 0.9 1\n",
     {0, BOSC_DENDRITE, 0, 1, 3, 0},
     "v.tsv: has no row for dend[0] between x = 0.333333 and 0.666667; add "
     "it"},
    {"section x g\ndend[0] 0.1 1\ndend[0] 0.9 1\ndend[0] 0.7 1\n",
     {0, BOSC_DENDRITE, 0, 2, 3, 0},
     "v.tsv:3: dend[0] between x = 0.666667 and 1 is one compartment, for "
     "which line 4 has a row, too; remove one"},
};

static void test_missing(void)
{
    for (size_t i = 0; i < BOSC_LEN(missing); ++i) {
        bosc_value_table *table = parse(missing[i].text, 1, g);
        bosc_error err = {""};
        double value = 17;

        if (!ok(table != NULL &&
                    bosc_value_table_find(table, 0, &missing[i].place, &value,
                                          &err) == BOSC_EVALUE &&
                    value == 17 && strcmp(err.text, missing[i].message) == 0,
                "not found: %s", missing[i].message))
            diag("%s", err.text);
        bosc_value_table_destroy(table);
    }
}

/* --- what is no table ----------------------------------------------------- */

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "v.tsv: has no line; the first one names the columns"},
    {"# neuron g\n", "v.tsv: has no line; the first one names the columns"},
    {"neuron g\n", "v.tsv: has no rows below the names of columns"},
    {"0 1\n", "v.tsv:1: the first line names the columns; it has neither "
              "'neuron' nor 'section'"},
    {"gid g\n0 1\n", "v.tsv:1: the first line names the columns; it has "
                     "neither"},
    {"\nneuron gg f\n0 1 2\n",
     "v.tsv:2: there is no column 'g'; did you mean 'gg'?"},
    {"neuron f\n0 1\n", "v.tsv:1: there is no column 'g'; there are neuron, f"},
    {"neuron G\n0 1\n", "v.tsv:1: there is no column 'g'; "},
    {"neuron g g\n0 1 2\n", "v.tsv:1: columns 2 and 3 are both called 'g'"},
    {"neuron g(mV) g\n0 1 2\n", "v.tsv:1: columns 2 and 3 are both called 'g'"},
    {"neuron Neuron g\n0 1 2\n", "v.tsv:1: columns 1 and 2 are both called "
                                 "'neuron'"},
    {"neuron g(mV\n0 1\n", "v.tsv:1: column 'g(mV' has a unit whose bracket is "
                           "not closed"},
    {"neuron g(mV)x\n0 1\n", "v.tsv:1: column 'g(mV)x' has a unit whose "},
    {"neuron g\n0\n", "v.tsv:2: 1 column, but line 1 has 2, separated by tabs "
                      "or blanks; make them equally many"},
    {"neuron,g\n0,1,2\n", "v.tsv:2: 3 columns, but line 1 has 2, separated by "
                          "commas"},
    {"neuron g\n0 1\n1 x\n", "v.tsv:3: g 'x' is not a finite number"},
    {"neuron\tg\n0\t1\n1\t\t\n", "v.tsv:3: "},
    {"neuron,g\n0,\n", "v.tsv:2: g '' is not a finite number"},
    {"neuron g\n0 nan\n", "v.tsv:2: g 'nan' is not a finite number"},
    {"neuron g\n0 1e999\n", "v.tsv:2: g '1e999' is not a finite number"},
    {"neuron g\n0 1S\n", "v.tsv:2: g '1S' is not a finite number"},
    {"neuron g\n-1 1\n", "v.tsv:2: neuron '-1' is not the number of a neuron, "
                         "from 0"},
    {"neuron g\n0.5 1\n", "v.tsv:2: neuron '0.5' is not the number"},
    {"neuron,g\n,1\n", "v.tsv:2: neuron '' is not the number"},
    {"neuron g\nx 1\n", "v.tsv:2: neuron 'x' is not the number"},
    {"section g\ndend 1\n", "v.tsv:2: section 'dend' is none; write soma, "
                            "dend[12]"},
    {"section g\ndend[] 1\n", "v.tsv:2: section 'dend[]' is none"},
    {"section g\ndend[1 1\n", "v.tsv:2: section 'dend[1' is none"},
    {"section g\ndend[-1] 1\n", "v.tsv:2: section 'dend[-1]' is none"},
    {"section g\ndend[1e1] 1\n", "v.tsv:2: section 'dend[1e1]' is none"},
    {"section g\ndend[2147483648] 1\n", "v.tsv:2: section 'dend[2147483648]' "
                                        "is none"},
    {"section g\ndendrite[0] 1\n", "v.tsv:2: section 'dendrite[0]' is none"},
    {"section g\ndend[0](0.5) 1\n", "v.tsv:2: section 'dend[0](0.5)' is none"},
    {"section,g\n,1\n", "v.tsv:2: section '' is none"},
    {"section x g\nsoma 1.5 1\n", "v.tsv:2: x '1.5' is not a number from 0 to "
                                  "1"},
    {"section x g\nsoma a 1\n", "v.tsv:2: x 'a' is not a number from 0 to 1"},
    {"neuron g\n3 1\n1 1\n\n3 2\n", "v.tsv:5: a second row for neuron 3, after "
                                    "line 2; remove one"},
    {"section g\nsoma 1\nA[1].soma[0] 1\n", "v.tsv:3: a second row for "
                                            "soma[0], after line 2"},
    {"neuron section x g\n7 apic[1] 0.5 1\n7 apic[1] .5 1\n",
     "v.tsv:3: a second row for neuron 7, apic[1], x = 0.5, after line 2"},
};

static void test_refused(void)
{
    for (size_t i = 0; i < BOSC_LEN(refused); ++i) {
        bosc_value_table *table = NULL;
        bosc_error err = {""};

        if (!ok(bosc_value_table_parse(refused[i].text, "v.tsv", 1, g, &table,
                                       &err) == BOSC_EFORMAT &&
                    table == NULL &&
                    strncmp(err.text, refused[i].message,
                            strlen(refused[i].message)) == 0,
                "case %zu: %s", i, refused[i].message))
            diag("%s", err.text);
        bosc_value_table_destroy(table);
    }
}

/* --- the rest ------------------------------------------------------------- */

static void test_columns(void)
{
    static const char *const three[] = {"b", "a", "b"};
    static const char *const near[] = {"gIhba"};
    bosc_value_table *table =
        parse("section a(mV) b [S/cm2]\nsoma 1 2\ndend[0] 3 4\n", 3, three);
    bosc_value_table *none = NULL;
    const bosc_value_place place = {.region = BOSC_DENDRITE};
    double v[3] = {0};
    bosc_error err = {""};

    for (int c = 0; c < 3 && table != NULL; ++c)
        bosc_value_table_find(table, c, &place, &v[c], NULL);
    ok(v[0] == 4 && v[1] == 3 && v[2] == 4, "several columns of one file");
    ok(table != NULL && strcmp(bosc_value_table_unit(table, 0), "S/cm2") == 0 &&
           strcmp(bosc_value_table_unit(table, 1), "mV") == 0,
       "each has its unit");

    const bosc_value_keys keys = bosc_value_table_keys(table);

    ok(!keys.neuron && keys.section && !keys.x, "a table says what it is of");
    ok(bosc_value_table_parse("neuron gIhbar(S/cm2)\n0 1\n", "v.tsv", 1, near,
                              &none, &err) == BOSC_EFORMAT &&
           strcmp(err.text, "v.tsv:1: there is no column 'gIhba'; did you "
                            "mean 'gIhbar'?") == 0,
       "the name that was probably meant is in the message");
    bosc_value_table_destroy(table);
    bosc_value_table_destroy(NULL);
}

/* Rows in reverse order. */
static void test_many(void)
{
    enum { N = 20000 };
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    bosc_value_table *table = NULL;
    bosc_error err = {""};
    int wrong = 0;

    if (file == NULL) {
        skip("no memory for a text");
        return;
    }
    fprintf(file, "neuron\tsection\tg\n");
    for (int i = N; i-- > 0;)
        fprintf(file, "%d\tdend[%d]\t%d\n", i / 10, i % 10, i);
    fclose(file);
    ok(bosc_value_table_parse(text, "v.tsv", 1, g, &table, &err) == BOSC_OK,
       "a long table is parsed");
    for (int i = 0; i < N && table != NULL; ++i) {
        const bosc_value_place place = {i / 10, BOSC_DENDRITE, i % 10, 0, 1, 0};
        double value = -1;

        wrong +=
            bosc_value_table_find(table, 0, &place, &value, &err) != BOSC_OK ||
            value != i;
    }
    ok(wrong == 0, "each of its 20000 rows is found");
    bosc_value_table_destroy(table);
    free(text);
}

static void test_bounds(void)
{
    enum { LONG = 70000 };
    char *text = calloc(LONG + 100, 1);
    bosc_value_table *table = NULL;
    bosc_error err = {""};

    if (text == NULL)
        return;
    strcpy(text, "neuron");
    for (size_t n = strlen(text); n < 5000; n += 2)
        strcpy(text + n, " a");
    strcat(text, "\n");
    ok(bosc_value_table_parse(text, "v.tsv", 1, g, &table, &err) ==
               BOSC_EFORMAT &&
           strstr(err.text, "columns; there may be 1024") != NULL,
       "over a thousand columns are refused");
    memset(text, 'x', LONG);
    ok(bosc_value_table_parse(text, "v.tsv", 1, g, &table, &err) ==
               BOSC_EFORMAT &&
           strstr(err.text, "v.tsv:1: a line of over 65536") != NULL,
       "so is a line that does not end");
    free(text);
}

int main(void)
{
    test_found();
    test_missing();
    test_refused();
    test_columns();
    test_many();
    test_bounds();
    return done_testing();
}
