/* Damaged mod files: no crash and no hang, whatever stands in a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/random.h"
#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "tests/lib/tap.h"

static const char *const names[] = {"hh.mod",     "ExpSyn.mod", "Exp2Syn.mod",
                                    "cad.mod",    "hold.mod",   "methods.mod",
                                    "schemes.mod"};

static char text[BOSC_NM_LONGEST_FILE + 100];

/* True if the text was read and either accepted or has a problem. */
static bool survives(size_t bytes)
{
    bosc_nm_result r;
    bosc_error err;
    bool good;

    if (bosc_nm_translate("x.mod", text, bytes, false, &r, &err) != BOSC_OK)
        return false;
    good = r.accepted == (r.problems.n_errors == 0);
    for (int i = 0; i < r.problems.all.n; ++i)
        good = good && strlen(bosc_nm_problem_text(r.arena,
                                                   r.problems.all.item[i])) > 5;
    if (r.accepted) {
        FILE *out = fopen("/dev/null", "w");

        bosc_nm_emit(out, r.program);
        fclose(out);
    }
    bosc_nm_result_clear(&r);
    return good;
}

static size_t load(const char *name)
{
    const char *source = getenv("BOSC_SRC");
    char path[4096];
    size_t n = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/tests/unit/nmodl/mods/%s",
             source == NULL ? "." : source, name);
    file = fopen(path, "rb");
    if (file != NULL) {
        n = fread(text, 1, sizeof text, file);
        fclose(file);
    }
    return n;
}

static void test_cut(const char *name)
{
    const size_t n = load(name);
    bool good = n > 0;

    for (size_t k = 0; k < n; ++k)
        good = good && survives(k);
    ok(good, "%s may end anywhere", name);
}

/* A few characters become others, which mean something to the lexer. */
static void test_changed(const char *name)
{
    static const char others[] = "{}()[]<>~=+-*/^'\":?,.0e_\n\r\t\0\xff aIvN";
    enum { TIMES = 1500, CHANGES = 4 };
    bool good = true;

    for (uint32_t k = 0; k < TIMES; ++k) {
        const size_t n = load(name);

        for (uint32_t c = 0; c < CHANGES; ++c) {
            uint32_t words[4];

            bosc_random(1, bosc_hash(name), k, c, words);
            text[words[0] % n] = others[words[1] % (sizeof others - 1)];
        }
        good = good && survives(n);
    }
    ok(good, "%s may have other characters", name);
}

/* A piece of the file stands somewhere else, too. */
static void test_spliced(const char *name)
{
    enum { TIMES = 500 };
    bool good = true;

    for (uint32_t k = 0; k < TIMES; ++k) {
        const size_t n = load(name);
        uint32_t words[4];

        bosc_random(2, bosc_hash(name), k, 0, words);

        const size_t from = words[0] % n, to = words[1] % n;
        const size_t left = n - (from > to ? from : to);

        memmove(text + to, text + from, words[2] % (left + 1));
        good = good && survives(n);
    }
    ok(good, "%s may repeat itself", name);
}

/* As many of a piece as fit into a file, after a beginning. */
static bool many(const char *head, const char *piece, const char *tail)
{
    size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
    const size_t one = strlen(piece);

    while (n + one + strlen(tail) < BOSC_NM_LONGEST_FILE) {
        memcpy(text + n, piece, one);
        n += one;
    }
    memcpy(text + n, tail, strlen(tail));
    return survives(n + strlen(tail));
}

#define HEAD "NEURON { SUFFIX x NONSPECIFIC_CURRENT i }\nBREAKPOINT { "

static const struct {
    const char *name, *head, *piece, *tail;
} floods[] = {
    {"brackets", HEAD "i = ", "(", ""},
    {"signs", HEAD "i = ", "-", "v }"},
    {"powers", HEAD "i = v", "^v", "}"},
    {"terms", HEAD "i = v", "+v", "}"},
    {"indices", HEAD "i = ", "v[", ""},
    {"calls", HEAD "i = ", "exp(", ""},
    {"arguments", HEAD "i = exp(v", ",v", ")}"},
    {"blocks", HEAD, "{", ""},
    {"conditions", HEAD, "IF (v) {", ""},
    {"a chain of conditions", HEAD "IF (v) {}", "ELSE IF (v) {}", "}"},
    {"statements", HEAD, "i = v\n", "}"},
    {"names that are not declared", HEAD "i = 0", " i = a", "}"},
    {"names", "STATE { ", "b c d ", "}"},
    {"locals", HEAD "LOCAL a", ",a", "}"},
    {"keywords", "", "STATE ", ""},
    {"lines", "", "\n", ""},
    {"NULs", "", "\1", ""},
    {"digits", HEAD "i = ", "9", "}"},
    {"quotes", "", "\"", ""},
    {"reactions", HEAD, "~ ", "}"},
    {"ions", "NEURON { ", "USEION a READ ia ", "}"},
    {"numbers of DEFINE", "", "DEFINE a 1\n", ""},
};

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(names); ++i) {
        test_cut(names[i]);
        test_changed(names[i]);
        test_spliced(names[i]);
    }
    for (size_t i = 0; i < BOSC_LEN(floods); ++i)
        ok(many(floods[i].head, floods[i].piece, floods[i].tail),
           "a flood of %s", floods[i].name);
    memset(text, 0, sizeof text);
    ok(survives(1000), "nothing but zeros");
    ok(survives(BOSC_NM_LONGEST_FILE + 1), "a file that is too large");
    ok(survives(0), "an empty file");
    return done_testing();
}
