/* refuse.c - what NMODL has and bosc does not, each with a reason and a
 * remedy. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/status.h"
#include "src/nmodl/model/model.h"

/* ---- declarations ---- */

/* Valences of ions that NEURON has, too; that of cl is bosc's. */
static void check_valence(bosc_nm_mechanism *m, const bosc_nm_ion *ion)
{
    static const struct {
        const char *name;
        double valence;
        bool fixed;
    } known[] = {
        {"na", 1, true}, {"k", 1, true}, {"ca", 2, true}, {"cl", -1, false}};
    const bosc_nm_place place = m->file->name_place;

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (strcmp(known[i].name, ion->name) == 0) {
            if (known[i].fixed && !isnan(ion->valence) &&
                ion->valence != known[i].valence)
                bosc_nm_refuse(m->problems, place, "leave VALENCE out",
                               "ion '%s' has the valence %g, not %g", ion->name,
                               known[i].valence, ion->valence);
            return;
        }
    if (isnan(ion->valence))
        bosc_nm_warn(m->problems, place, "",
                     "ion '%s' has no VALENCE here: a job needs another mod "
                     "file that gives it",
                     ion->name);
}

static bool is_all_code(const bosc_nm_block *block)
{
    for (int i = 0; i < block->body.n; ++i)
        if (((const bosc_nm_stmt *)block->body.item[i])->kind != BOSC_NM_CODE)
            return false;
    return true;
}

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
    for (int i = 0; i < file->blocks.n; ++i) {
        const bosc_nm_block *block = file->blocks.item[i];

        if (block->kind == BOSC_NM_BLOCK_CONSTRUCTOR && is_all_code(block))
            bosc_nm_warn(m->problems, block->place, "",
                         "CONSTRUCTOR is left out: what it sets comes from "
                         "NEURON's interpreter");
        else if (block->kind == BOSC_NM_BLOCK_CONSTRUCTOR)
            bosc_nm_refuse(m->problems, block->place,
                           "move its statements to INITIAL",
                           "CONSTRUCTOR is not supported");
    }
    for (int i = 0; i < m->ions.n; ++i) {
        const bosc_nm_ion *ion = m->ions.item[i];

        check_valence(m, ion);
        if (file->kind == BOSC_NM_POINT_PROCESS &&
            (ion->writes_e || ion->writes_inside || ion->writes_outside))
            bosc_nm_refuse(m->problems, file->name_place,
                           "write it in a SUFFIX",
                           "a point process writes a concentration or the "
                           "potential of %s, and several may be at one place",
                           ion->name);
    }
}

void bosc_nm_refuse_block(bosc_nm_mechanism *m, const bosc_nm_block *block)
{
    if (block->kind == BOSC_NM_BLOCK_FUNCTION_TABLE)
        bosc_nm_refuse(m->problems, block->place, "write it as a FUNCTION",
                       "FUNCTION_TABLE is not supported: its values come from "
                       "NEURON's interpreter");
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

#define RANDOM_REMEDY                                                          \
    "draw random numbers in a FUNCTION of their own, without arguments"

/* What the code seems to be for, from the functions that it calls. */
static const char *remedy_of(const char *code)
{
    static const struct {
        const char *word, *remedy;
    } known[] = {
        {"nrnran123", RANDOM_REMEDY},
        {"nrn_random", RANDOM_REMEDY},
        {"scop_random", RANDOM_REMEDY},
        {"nrnpy_", "bosc calls no Python; write what it does in each step in "
                   "NMODL, or leave the file out"},
        {"hoc_", "bosc has no interpreter; give the values as parameters"},
        {"vector_", "bosc has no Vector; give the values as parameters"},
    };

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (strstr(code, known[i].word) != NULL)
            return known[i].remedy;
    return "write it in NMODL: bosc cannot run C of a mod file";
}

static void refuse_code(bosc_nm_mechanism *m, const bosc_nm_stmt *stmt)
{
    int lines = 0;
    bool something = false;

    for (const char *c = stmt->name; *c != '\0'; ++c) {
        something = something || !isspace((unsigned char)*c);
        if (*c == '\n' && something) {
            ++lines;
            something = false;
        }
    }
    bosc_nm_refuse(m->problems, stmt->place, remedy_of(stmt->name),
                   "VERBATIM with %d line%s of C, of which '%.60s' is not "
                   "understood",
                   lines + something, lines + something == 1 ? "" : "s",
                   stmt->method);
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

void bosc_nm_refuse_stmt(bosc_nm_mechanism *m, const bosc_nm_stmt *stmt)
{
    static const struct {
        bosc_nm_stmt_kind kind;
        const char *what, *remedy;
    } rows[] = {
        {BOSC_NM_DIFFUSION, "LONGITUDINAL_DIFFUSION",
         "let concentrations stay in their compartment"},
    };

    for (size_t i = 0; i < BOSC_LEN(rows); ++i)
        if (stmt->kind == rows[i].kind)
            bosc_nm_refuse(m->problems, stmt->place, rows[i].remedy,
                           "%s is not supported", rows[i].what);
    if (stmt->kind == BOSC_NM_OTHER)
        bosc_nm_refuse(m->problems, stmt->place, "leave it out",
                       "%s is not supported", stmt->name);
    if (stmt->kind == BOSC_NM_CODE)
        refuse_code(m, stmt);
    if (stmt->kind == BOSC_NM_SOLVE)
        refuse_method(m, stmt);
}
