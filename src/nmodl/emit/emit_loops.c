/* emit_loops.c - the loops over instances for CPUs.
 *
 * Arrays of an instance's values stand in functions of their own, because one
 * that is declared in a loop marked 'omp simd' keeps gcc from vectorising it,
 * and one in a function inlined there does not.  Names that end in
 *
 *     _one    are of one instance, whose p[] and k[] are at hand
 *     _at     of instance i of columns
 *     _same   a loop where all instances have equal parameters
 *     _each   one over columns, of which any may be one number for all
 *
 * Plain mechanisms have _same and _each; others always take columns.
 */
#include <string.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/passes/solve.h"

/* A form of 'advance': the only one, or those of kernels/mech/relax.h.  Near
 * and wide give 0 where they hold; rest is the far one where neither did. */
typedef enum form { ONLY, NEAR, WIDE, REST } form;

static const struct {
    const char *name, *type, *formula, *more, *extra;
} forms[] = {
    [ONLY] = {"advance", "void", "advance", "", ""},
    [NEAR] = {"near", "double", "advance_near",
              ",\n    double (*old)[BOSC_MECH_CHUNK]", ", old"},
    [WIDE] = {"wide", "double", "advance_wide",
              ",\n    double (*old)[BOSC_MECH_CHUNK]", ", old"},
    [REST] = {"rest", "void", "advance_far",
              ",\n    double (*old)[BOSC_MECH_CHUNK], double far",
              ", old, far[i]"},
};

static bool is_plain(const bosc_nm_program *p)
{
    return p->form == BOSC_NM_PLAIN;
}

static const char *stream_of(const bosc_nm_program *p)
{
    return p->m->drawn != NULL ? ", stream" : "";
}

/* --- pieces of text ------------------------------------------------------- */

/* "WHAT{E(0), E(1), ...};", E being a format of the element's number; {0} where
 * there is none. */
static void put_array(FILE *out, const char *what, int n, const char *element)
{
    int column = fprintf(out, "    %s{", what);

    for (int j = 0; j < n; ++j) {
        char text[80];
        const int width = snprintf(text, sizeof text, element, j);

        if (j > 0 && column + 2 + width > 77)
            column = fprintf(out, ",\n        ") - 2;
        else if (j > 0)
            column += fprintf(out, ", ");
        column += fprintf(out, "%s", text);
    }
    fputs(n == 0 ? "0};\n" : "};\n", out);
}

/* The values of instance i, NAME[], of n columns that FROM points to. */
static void put_values(FILE *out, const char *name, int n, const char *from)
{
    char what[80], element[80];

    snprintf(what, sizeof what, "%s[] = ", name);
    snprintf(element, sizeof element, "%s[%%d][i]", from);
    put_array(out, what, n, element);
    if (n == 0)
        fprintf(out, "    (void)%s;\n", from);
}

/* A line for each of n states. */
static void put_each(FILE *out, int n, const char *line)
{
    for (int j = 0; j < n; ++j)
        fprintf(out, line, j, j, j);
}

static void keep_states(FILE *out, const bosc_nm_program *p)
{
    put_each(out, p->states.n, "    state[%d][i] = s[%d];\n");
}

static void keep_ions(FILE *out, const bosc_nm_program *p,
                      bosc_nm_entry_kind entry)
{
    for (int j = 0; j < p->ions.n; ++j)
        if (bosc_nm_set_has(&p->entry[entry].written, p->ions.item[j]))
            fprintf(out, "    ion[%d][i] = x[%d];\n", j, j);
}

/* What formulas of one that is not plain read besides p[], k[] and s[]. */
static void put_shared(FILE *out, const bosc_nm_program *p)
{
    const bosc_nm_uses uses = bosc_nm_uses_of(p);

    fputs("    double x[] = {", out);
    for (int j = 0; j < p->ions.n; ++j)
        fprintf(out, (uses.reads >> j & 1u) != 0 ? "%sion[%d][i]" : "%s0",
                j > 0 ? ", " : "", j);
    fprintf(out, "%s};\n    const double here[] = {c->v[i], c->t, %s};\n",
            p->ions.n == 0 ? "0" : "",
            uses.geometry ? "c->diam[i], c->area[i]" : "0, 0");
    if (p->m->drawn != NULL)
        fputs("    const uint32_t *stream = c->stream + 4 * (ptrdiff_t)i;\n",
              out);
}

/* The arguments of an _at function. */
static void put_columns(FILE *out, const bosc_nm_program *p)
{
    fprintf(out,
            "%sconst double *const *column,\n"
            "    const double *const *constant, double *const *state,\n"
            "    %s",
            is_plain(p) ? "" : "const bosc_mech_chunk *c, ",
            is_plain(p)     ? "ptrdiff_t i, double v"
            : p->ions.n > 0 ? "double *const *ion, ptrdiff_t i"
                            : "ptrdiff_t i");
}

/* What a loop hands on to an _one or _at function. */
static const char *arguments_of(const bosc_nm_program *p, bool same)
{
    if (is_plain(p))
        return same ? "p, k, state, i, v[i]"
                    : "column, constant, state, i, v[i]";
    return p->ions.n > 0 ? "&own, column, constant, state, ion, i"
                         : "&own, column, constant, state, i";
}

/* The pointers and numbers that a loop takes to registers. */
static void put_pointers(FILE *out, const bosc_nm_program *p, bool same)
{
    if (same) {
        put_array(out, "const double p[] = ", p->params.n, "block->p.all[%d]");
        put_array(out, "const double k[] = ", p->n_slots, "block->k.all[%d]");
    } else {
        put_array(out, "const double *const column[] = ", p->params.n,
                  "bosc_mech_column(&block->p, %d, c->from)");
        put_array(out, "const double *const constant[] = ", p->n_slots,
                  "bosc_mech_column(&block->k, %d, c->from)");
    }
    put_array(out, "double *const state[] = ", p->states.n,
              "block->state[%d] + c->from");
    if (is_plain(p)) {
        fputs("    const double *v = c->v;\n", out);
    } else {
        if (p->ions.n > 0)
            put_array(out, "double *const ion[] = ", p->ions.n, "c->ion[%d]");
        fputs("    const bosc_mech_chunk own = *c;\n", out);
    }
}

/* The beginning of a loop, "static TYPE NAME_same_...(". */
static void put_loop(FILE *out, const bosc_nm_program *p, const char *type,
                     const char *name, bool same, const char *more)
{
    fprintf(out,
            "BOSC_MECH_LOOP %s %s_%s_%s(const bosc_mech_block *block,\n"
            "    const bosc_mech_chunk *c%s)\n{\n",
            type, name, same ? "same" : "each", p->m->name, more);
    put_pointers(out, p, same);
}

/* --- current -------------------------------------------------------------- */

static void put_current_plain(FILE *out, const bosc_nm_program *p)
{
    const bool keeps = bosc_nm_uses_of(p).current_states;
    const char *name = p->m->name;

    fprintf(
        out,
        "static inline bosc_mech_sum current_one_%s(const double *p,\n"
        "    const double *k, double *const *state, ptrdiff_t i, double v)\n"
        "{\n",
        name);
    put_values(out, keeps ? "double s" : "const double s", p->states.n,
               "state");
    fprintf(out,
            "    bosc_mech_sum sum;\n\n    (void)k;\n"
            "    bosc_%s_current(p, s, v, &sum.g, &sum.ge);\n",
            name);
    if (keeps)
        keep_states(out, p);
    fprintf(out,
            "    return sum;\n}\n\n"
            "static inline bosc_mech_sum current_at_%s(",
            name);
    put_columns(out, p);
    fputs(")\n{\n", out);
    put_values(out, "const double p", p->params.n, "column");
    fprintf(out,
            "\n    (void)constant;\n"
            "    return current_one_%s(p, NULL, state, i, v);\n}\n\n",
            name);
}

static void put_current_shared(FILE *out, const bosc_nm_program *p)
{
    fprintf(out, "static inline bosc_mech_sum current_at_%s(", p->m->name);
    put_columns(out, p);
    fputs(")\n{\n", out);
    put_values(out, "const double p", p->params.n, "column");
    put_values(out, "const double k", p->n_slots, "constant");
    put_values(out, "double s", p->states.n, "state");
    put_shared(out, p);
    fprintf(out,
            "    bosc_mech_sum sum;\n\n"
            "    bosc_%s_current(p, k, here, x, s, &sum.g, &sum.ge%s);\n",
            p->m->name, stream_of(p));
    keep_ions(out, p, BOSC_NM_CURRENT);
    if (bosc_nm_uses_of(p).current_states)
        keep_states(out, p);
    fputs("    return sum;\n}\n\n", out);
}

/* Several instances at a slot leave what each gives. */
static void put_current_loop(FILE *out, const bosc_nm_program *p, bool same)
{
    const bool own = !is_plain(p) && p->m->kind == BOSC_NM_POINT_PROCESS;

    put_loop(out, p, "void", "current", same, "");
    fprintf(out,
            "%s    double *d = c->d, *b = c->b;\n"
            "    const int n = c->n;\n\n"
            "#pragma omp simd\n"
            "    for (int i = 0; i < n; ++i) {\n"
            "        const bosc_mech_sum sum = current_%s_%s(%s);\n\n%s    }\n"
            "}\n\n",
            own ? "" : "    const double *scale = block->scale + c->from;\n",
            same ? "one" : "at", p->m->name, arguments_of(p, same),
            own ? "        d[i] = sum.g;\n        b[i] = sum.ge;\n"
                : "        d[i] = fma(scale[i], sum.g, d[i]);\n"
                  "        b[i] = fma(scale[i], sum.ge, b[i]);\n");
}

/* --- advance -------------------------------------------------------------- */

/* A form of one instance, with its values in p[], k[] and what is shared. */
static void put_step(FILE *out, const bosc_nm_program *p, form f)
{
    const bool tells = f == NEAR || f == WIDE;

    if (tells)
        fputs("    bosc_far far = {0, 0, 0, false, false};\n\n", out);
    if (tells)
        put_each(out, p->states.n, "    old[%d][i] = s[%d];\n");
    else
        fputs("\n", out);
    fprintf(out, "    bosc_%s_%s(%s, s%s%s);\n", p->m->name, forms[f].formula,
            is_plain(p) ? "p, k, v" : "p, k, here, x",
            is_plain(p) ? "" : stream_of(p), tells ? ", &far" : "");
    if (!is_plain(p) && f == ONLY)
        keep_ions(out, p, BOSC_NM_ADVANCE);
    if (f == REST)
        put_each(out, p->states.n,
                 "    state[%d][i] = far == 0 ? state[%d][i] : s[%d];\n");
    else
        keep_states(out, p);
    if (tells)
        fprintf(out, "    return %s(&far);\n",
                f == NEAR ? "bosc_is_far" : "bosc_is_outside");
    fputs("}\n\n", out);
}

static void put_form(FILE *out, const bosc_nm_program *p, form f)
{
    const char *from = f == REST ? "old" : "state";

    if (is_plain(p)) {
        fprintf(out,
                "static inline %s %s_one_%s(const double *p, const double *k,\n"
                "    double *const *state, ptrdiff_t i, double v%s)\n{\n",
                forms[f].type, forms[f].name, p->m->name, forms[f].more);
        put_values(out, "double s", p->states.n, from);
        put_step(out, p, f);
    }
    fprintf(out, "static inline %s %s_at_%s(", forms[f].type, forms[f].name,
            p->m->name);
    put_columns(out, p);
    fprintf(out, "%s)\n{\n", forms[f].more);
    put_values(out, "const double p", p->params.n, "column");
    put_values(out, "const double k", p->n_slots, "constant");
    if (is_plain(p)) {
        fprintf(out, "\n    %s%s_one_%s(p, k, state, i, v%s);\n}\n\n",
                f == NEAR || f == WIDE ? "return " : "", forms[f].name,
                p->m->name, f == REST ? ", old, far" : forms[f].extra);
        return;
    }
    put_values(out, "double s", p->states.n, from);
    put_shared(out, p);
    put_step(out, p, f);
}

static void put_call(FILE *out, const bosc_nm_program *p, form f, bool same)
{
    fprintf(out, "%s_%s_%s(%s%s);\n", forms[f].name, same ? "one" : "at",
            p->m->name, arguments_of(p, same), forms[f].extra);
}

/* All instances by the only form. */
static void put_advance_loop(FILE *out, const bosc_nm_program *p, bool same)
{
    put_loop(out, p, "void", "advance", same, "");
    fputs("    const int n = c->n;\n\n"
          "#pragma omp simd\n"
          "    for (int i = 0; i < n; ++i)\n        ",
          out);
    put_call(out, p, ONLY, same);
    fputs("}\n\n", out);
}

/* Instances begin..end - 1 by the near form; nothing where it does not hold for
 * all of them. */
static void put_near_loop(FILE *out, const bosc_nm_program *p, bool same)
{
    put_loop(out, p, "bool", "near", same, ",\n    int begin, int end");
    fprintf(out,
            "    double old[%d][BOSC_MECH_CHUNK], all = 0;\n\n"
            "#pragma omp simd reduction(+ : all)\n"
            "    for (int i = begin; i < end; ++i)\n        all += ",
            p->states.n);
    put_call(out, p, NEAR, same);
    fprintf(out,
            "    for (int j = 0; all != 0 && j < %d; ++j)\n"
            "        memcpy(state[j] + begin, old[j] + begin,\n"
            "               (size_t)(end - begin) * sizeof **old);\n"
            "    return all == 0;\n}\n\n",
            p->states.n);
}

/* Those from 'begin' on by the wide form, and by the far one where it does not
 * hold. */
static void put_wide_loop(FILE *out, const bosc_nm_program *p, bool same)
{
    put_loop(out, p, "void", "wide", same, ",\n    int begin");
    fprintf(out,
            "    const int n = c->n;\n"
            "    double old[%d][BOSC_MECH_CHUNK], far[BOSC_MECH_CHUNK];\n"
            "    double all = 0;\n\n"
            "#pragma omp simd reduction(+ : all)\n"
            "    for (int i = begin; i < n; ++i) {\n        far[i] = ",
            p->states.n);
    put_call(out, p, WIDE, same);
    fputs("        all += far[i];\n    }\n"
          "    if (all == 0)\n        return;\n"
          "#pragma omp simd\n"
          "    for (int i = begin; i < n; ++i)\n        ",
          out);
    put_call(out, p, REST, same);
    fputs("}\n\n", out);
}

/* The first instances tell which form the others begin with. */
static void put_near_or_wide(FILE *out, const bosc_nm_program *p,
                             const char *which)
{
    fprintf(out,
            "static void advance_%s_%s(const bosc_mech_block *block,\n"
            "    const bosc_mech_chunk *c)\n{\n"
            "    const int tried = c->n < BOSC_MECH_TRIED ? c->n : "
            "BOSC_MECH_TRIED;\n\n"
            "    if (!near_%s_%s(block, c, 0, tried))\n"
            "        wide_%s_%s(block, c, 0);\n"
            "    else if (tried < c->n && !near_%s_%s(block, c, tried, c->n))\n"
            "        wide_%s_%s(block, c, tried);\n}\n\n",
            which, p->m->name, which, p->m->name, which, p->m->name, which,
            p->m->name, which, p->m->name);
}

/* --- advance in parts ----------------------------------------------------- */

/* Rounds of Newton's method are no loop within one over instances, which no
 * compiler makes vectors of, but around one: over as many instances as fit the
 * nearest cache with what parts pass on. */

static bool is_round(const bosc_nm_program *p, int k)
{
    return ((const bosc_nm_part *)p->parts.item[k])->moved != NULL;
}

/* A part of one instance, of parameters at hand or of columns. */
static void put_part_at(FILE *out, const bosc_nm_program *p, int k, bool same)
{
    const bool round = is_round(p, k), last = k == p->parts.n - 1;

    fprintf(out, "static inline %s part%d_%s_%s(", round ? "double" : "void", k,
            same ? "one" : "at", p->m->name);
    if (same)
        fputs("const double *p, const double *k,\n"
              "    double *const *state, ptrdiff_t i, double v",
              out);
    else
        put_columns(out, p);
    fprintf(out, ",\n    double (*kept)[BOSC_MECH_LANES], int j%s)\n{\n",
            round ? ", double go" : "");
    if (!same) {
        put_values(out, "const double p", p->params.n, "column");
        put_values(out, "const double k", p->n_slots, "constant");
    }
    put_values(out, "double s", p->states.n, "state");
    if (!is_plain(p))
        put_shared(out, p);
    fprintf(out, "\n    %spart%d_of_%s(%s, s, kept, j%s);\n",
            round ? "return " : "", k, p->m->name,
            is_plain(p) ? "p, k, v" : "p, k, here, x", round ? ", go" : "");
    if (last && !is_plain(p))
        keep_ions(out, p, BOSC_NM_ADVANCE);
    if (last)
        keep_states(out, p);
    fputs("}\n\n", out);
}

static void put_part(FILE *out, const bosc_nm_program *p, int k)
{
    const bool round = is_round(p, k);

    fprintf(out,
            "static inline %s part%d_of_%s(const double *p, const double *k,\n"
            "    %s double *s,\n"
            "    double (*kept)[BOSC_MECH_LANES], int j%s)\n{\n",
            round ? "double" : "void", k, p->m->name,
            is_plain(p) ? "double v," : "const double *here, double *ion,",
            round ? ", double go" : "");
    bosc_nm_emit_part(out, p, k);
    fputs("}\n\n", out);
    for (int same = is_plain(p); same >= 0; --same)
        put_part_at(out, p, k, same != 0);
}

/* A loop over the instances from + j, with numbers i. */
static void put_part_loop(FILE *out, const bosc_nm_program *p, int k, bool same)
{
    const char *of = same ? "one" : "at", *all = arguments_of(p, same);

    if (!is_round(p, k)) {
        fprintf(out,
                "#pragma omp simd\n"
                "        for (int j = 0; j < n; ++j) {\n"
                "            const ptrdiff_t i = from + j;\n\n"
                "            part%d_%s_%s(%s, kept, j);\n        }\n",
                k, of, p->m->name, all);
        return;
    }
    fprintf(out,
            "        for (int j = 0; j < n; ++j)\n"
            "            go[j] = 1;\n"
            "        for (int round = 0; round < %d; ++round) {\n"
            "            double any = 0;\n\n"
            "#pragma omp simd reduction(+ : any)\n"
            "            for (int j = 0; j < n; ++j) {\n"
            "                const ptrdiff_t i = from + j;\n\n"
            "                go[j] = part%d_%s_%s(%s, kept, j, go[j]);\n"
            "                any += go[j];\n            }\n"
            "            if (any == 0)\n                break;\n        }\n",
            BOSC_NM_ROUNDS, k, of, p->m->name, all);
}

static void put_parts_loop(FILE *out, const bosc_nm_program *p, bool same)
{
    put_loop(out, p, "void", "advance", same, "");
    fprintf(out,
            "    double kept[%d][BOSC_MECH_LANES], go[BOSC_MECH_LANES];\n\n"
            "    for (int from = 0; from < c->n; from += BOSC_MECH_LANES) {\n"
            "        const int n = c->n - from < BOSC_MECH_LANES\n"
            "                          ? c->n - from\n"
            "                          : BOSC_MECH_LANES;\n\n",
            p->passed.n);
    for (int k = 0; k < p->parts.n; ++k)
        put_part_loop(out, p, k, same);
    fputs("    }\n}\n\n", out);
}

static void put_advance(FILE *out, const bosc_nm_program *p)
{
    for (int k = 0; k < p->parts.n; ++k)
        put_part(out, p, k);
    for (int f = p->has_near ? NEAR : ONLY;
         p->parts.n == 0 && f <= (p->has_near ? REST : ONLY); ++f)
        put_form(out, p, (form)f);
    for (int same = is_plain(p); same >= 0; --same) {
        if (p->parts.n > 0 || !p->has_near) {
            (p->parts.n > 0 ? put_parts_loop : put_advance_loop)(out, p,
                                                                 same != 0);
            continue;
        }
        put_near_loop(out, p, same != 0);
        put_wide_loop(out, p, same != 0);
        put_near_or_wide(out, p, same != 0 ? "same" : "each");
    }
}

/* --- the table ------------------------------------------------------------ */

/* A loop that finds out whether parameters are equal. */
static void put_choice(FILE *out, const bosc_nm_program *p, const char *what)
{
    fprintf(out,
            "static void %s_%s(const bosc_mech_block *block,\n"
            "    const bosc_mech_chunk *c)\n{\n"
            "    (block->p.column == NULL ? %s_same_%s : %s_each_%s)(block, "
            "c);\n}\n\n",
            what, p->m->name, what, p->m->name, what, p->m->name);
}

void bosc_nm_emit_loops(FILE *out, const bosc_nm_program *p)
{
    const char *name = p->m->name, *each = is_plain(p) ? "" : "_each";
    fputs("#if defined(BOSC_MECH_LOOPS)\n\n", out);
    if (is_plain(p)) {
        put_current_plain(out, p);
        put_current_loop(out, p, true);
    } else {
        put_current_shared(out, p);
    }
    put_current_loop(out, p, false);
    put_advance(out, p);
    if (is_plain(p)) {
        put_choice(out, p, "current");
        put_choice(out, p, "advance");
    }
    fprintf(
        out,
        "const bosc_mech_loops BOSC_MECH_JOIN(bosc_%s_loops, BOSC_ISA) = {\n"
        "    current%s_%s, advance%s_%s};\n\n"
        "#endif\n\n",
        name, each, name, each, name);
}
