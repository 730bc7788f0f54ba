/* refuse.c - what NMODL has and bosc does not, each with a reason and a
 * remedy. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/nmodl/model/model.h"

/* ---- declarations ---- */

void bosc_nm_refuse_declared(bosc_nm_mechanism *m)
{
    const bosc_nm_file *file = m->file;

    if (file->kind == BOSC_NM_NO_KIND && !file->broken)
        bosc_nm_refuse(m->problems, file->name_place,
                       "is it the mod file of a mechanism?",
                       "no SUFFIX and no POINT_PROCESS");
    if (strcmp(file->name, "nothing") == 0)
        bosc_nm_refuse(m->problems, file->name_place,
                       "leave the file out of the folder",
                       "there is no mechanism in this file, only tools for "
                       "NEURON's interpreter");
    if (file->kind == BOSC_NM_ARTIFICIAL_CELL)
        bosc_nm_refuse(m->problems, file->name_place,
                       "use 'sources:' of the job",
                       "ARTIFICIAL_CELL is not supported");
    for (int i = 0; i < file->blocks.n; ++i) {
        const bosc_nm_block *block = file->blocks.item[i];

        if (block->kind == BOSC_NM_BLOCK_BEFORE)
            bosc_nm_refuse(m->problems, block->place,
                           "move its statements to BREAKPOINT",
                           "BEFORE and AFTER are not supported");
        if (block->kind == BOSC_NM_BLOCK_CONSTRUCTOR)
            bosc_nm_refuse(m->problems, block->place,
                           "move its statements to INITIAL",
                           "CONSTRUCTOR is not supported");
    }
    for (int i = 0; i < m->ions.n; ++i) {
        const bosc_nm_ion *ion = m->ions.item[i];

        if (ion->writes_e)
            bosc_nm_refuse(m->problems, file->name_place,
                           "write the ion's concentration instead",
                           "the reversal potential e%s is written", ion->name);
    }
}

void bosc_nm_refuse_block(bosc_nm_mechanism *m, const bosc_nm_block *block)
{
    if (block->kind == BOSC_NM_BLOCK_FUNCTION_TABLE)
        bosc_nm_refuse(m->problems, block->place,
                       "write the function as a formula",
                       "FUNCTION_TABLE is not supported");
    if (block->kind == BOSC_NM_BLOCK_DISCRETE)
        bosc_nm_refuse(m->problems, block->place,
                       "write it as a PROCEDURE, and SOLVE that",
                       "DISCRETE is not supported");
    if (block->kind == BOSC_NM_BLOCK_NONLINEAR)
        bosc_nm_refuse(m->problems, block->place,
                       "write the solution as a formula",
                       "NONLINEAR is not supported");
}

/* ---- statements ---- */

/* Copy the code without comments, directives and needless blanks; cut to
 * 'size'. */
static void squeeze(const char *code, char *out, size_t size)
{
    size_t n = 0;

    while (*code != '\0' && n + 1 < size) {
        if (strncmp(code, "//", 2) == 0 || *code == '#') {
            code += strcspn(code, "\r\n");
        } else if (strncmp(code, "/*", 2) == 0) {
            const char *end = strstr(code + 2, "*/");

            code = end == NULL ? code + strlen(code) : end + 2;
        } else if (isspace((unsigned char)*code)) {
            if (n > 0 && out[n - 1] != ' ' && out[n - 1] != ';')
                out[n++] = ' ';
            ++code;
        } else {
            if (*code == ';' && n > 0 && out[n - 1] == ' ')
                --n;
            out[n++] = *code++;
        }
    }
    while (n > 0 && out[n - 1] == ' ')
        --n;
    out[n] = '\0';
}

/* A statement of C that changes nothing where it stands: "return 0" as the last
 * one of a block, and "cai = _ion_cai", which is so anyway. */
static bool is_idle_statement(const char *text, size_t n, bool last)
{
    static const char *const returns[] = {"return",     "return 0", "return 0.",
                                          "return 0.0", "return 1", "return 1.",
                                          "return 1.0", "return(0)"};
    static const char ion[] = "_ion_";
    const char *equal = memchr(text, '=', n), *from, *end = text + n;
    size_t name;

    for (size_t i = 0; i < BOSC_LEN(returns); ++i)
        if (last && strlen(returns[i]) == n && memcmp(returns[i], text, n) == 0)
            return true;
    if (equal == NULL)
        return n == 0;
    name = strcspn(text, " =");
    from = equal + 1;
    from += *from == ' ';
    return (size_t)(end - from) == name + strlen(ion) &&
           memcmp(from, ion, strlen(ion)) == 0 &&
           memcmp(from + strlen(ion), text, name) == 0;
}

static bool is_idle(const char *code, bool last)
{
    char text[200];

    squeeze(code, text, sizeof text);
    if (strlen(text) == sizeof text - 1)
        return false; /* it is cut */
    for (const char *at = text; *at != '\0';) {
        const size_t n = strcspn(at, ";");

        if (!is_idle_statement(at, n, last))
            return false;
        at += n + (at[n] == ';');
        at += *at == ' ';
    }
    return true;
}

/* What the code seems to be for, from the functions that it calls. */
static const char *remedy_of(const char *code)
{
    static const struct {
        const char *word, *remedy;
    } known[] = {
        {"nrnran123", "random numbers are not supported yet; random events "
                      "come from 'sources:' of the job"},
        {"nrn_random", "random numbers are not supported yet; random events "
                       "come from 'sources:' of the job"},
        {"scop_random", "random numbers are not supported yet; random events "
                        "come from 'sources:' of the job"},
        {"hoc_", "bosc has no interpreter; give the values as parameters"},
        {"vector_", "bosc has no Vector; give the values as parameters"},
    };

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (strstr(code, known[i].word) != NULL)
            return known[i].remedy;
    return "write it in NMODL: bosc cannot run C of a mod file";
}

static void refuse_code(bosc_nm_mechanism *m, const bosc_nm_stmt *stmt,
                        bool last)
{
    int lines = 0;
    bool something = false;

    if (is_idle(stmt->name, last))
        return;
    for (const char *c = stmt->name; *c != '\0'; ++c) {
        something = something || !isspace((unsigned char)*c);
        if (*c == '\n' && something) {
            ++lines;
            something = false;
        }
    }
    bosc_nm_refuse(m->problems, stmt->place, remedy_of(stmt->name),
                   "VERBATIM with %d line%s of C", lines + something,
                   lines + something == 1 ? "" : "s");
}

static void refuse_method(bosc_nm_mechanism *m, const bosc_nm_stmt *stmt)
{
    static const char *const known[] = {"",      "cnexp",  "derivimplicit",
                                        "euler", "sparse", "after_cvode"};

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (strcmp(stmt->method, known[i]) == 0)
            return;
    bosc_nm_refuse(m->problems, stmt->place,
                   "use cnexp, derivimplicit or sparse",
                   "the method '%s' is not supported", stmt->method);
}

void bosc_nm_refuse_stmt(bosc_nm_mechanism *m, const bosc_nm_stmt *stmt,
                         bool last)
{
    static const struct {
        bosc_nm_stmt_kind kind;
        const char *what, *remedy;
    } rows[] = {
        {BOSC_NM_WHILE, "WHILE", "use FROM with constant bounds"},
        {BOSC_NM_DIFFUSION, "LONGITUDINAL_DIFFUSION",
         "let concentrations stay in their compartment"},
        {BOSC_NM_WATCH, "WATCH", "there is none yet"},
        {BOSC_NM_FOR_NETCONS, "FOR_NETCONS", "there is none yet"},
    };

    for (size_t i = 0; i < BOSC_LEN(rows); ++i)
        if (stmt->kind == rows[i].kind)
            bosc_nm_refuse(m->problems, stmt->place, rows[i].remedy,
                           "%s is not supported", rows[i].what);
    if (stmt->kind == BOSC_NM_OTHER)
        bosc_nm_refuse(m->problems, stmt->place, "leave it out",
                       "%s is not supported", stmt->name);
    if (stmt->kind == BOSC_NM_CODE)
        refuse_code(m, stmt, last);
    if (stmt->kind == BOSC_NM_SOLVE)
        refuse_method(m, stmt);
}
