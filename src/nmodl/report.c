#include "src/nmodl/report.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include "src/text/wrap.h"

static const char *kind_of(const bosc_nm_mechanism *m)
{
    static const char *const names[] = {"-", "SUFFIX", "POINT_PROCESS",
                                        "ARTIFICIAL_CELL"};

    return m == NULL ? "-" : names[m->file->kind];
}

/* Is it a row of the table of that kind? */
static bool is_of(const bosc_nm_symbol *s, bosc_nm_symbol_kind kind)
{
    return s->kind == kind && s->declared != NULL;
}

static void print_parameters(FILE *out, const bosc_nm_mechanism *m)
{
    bool any = false;

    for (int i = 0; i < m->symbols.n; ++i) {
        const bosc_nm_symbol *s = m->symbols.item[i];
        char name[64];

        if (!is_of(s, BOSC_NM_PARAMETER))
            continue;
        if (!any)
            fprintf(out, "  %-20s %12s  %-12s %s\n", "parameter", "default",
                    "unit", "");
        any = true;
        if (s->size > 0)
            snprintf(name, sizeof name, "%.40s[%d]", s->name, s->size);
        else
            snprintf(name, sizeof name, "%.60s", s->name);
        fprintf(out, "  %-20s %12.6g  %-12s %s\n", name, s->value,
                s->unit[0] == '\0' ? "1" : s->unit,
                s->range ? "RANGE" : "GLOBAL");
    }
}

static void print_states(FILE *out, const bosc_nm_mechanism *m)
{
    bosc_wrap w = bosc_wrap_begin(out, 10, "  states");
    int n = 0;

    for (int i = 0; i < m->symbols.n; ++i) {
        const bosc_nm_symbol *s = m->symbols.item[i];

        if (!is_of(s, BOSC_NM_STATE))
            continue;
        bosc_wrap_add(&w, n++ > 0 ? ", %s" : "%s", s->name);
        if (s->size > 0)
            bosc_wrap_add(&w, "[%d]", s->size);
        if (s->unit[0] != '\0' && strcmp(s->unit, "1") != 0)
            bosc_wrap_add(&w, " (%s)", s->unit);
    }
    if (n == 0)
        bosc_wrap_add(&w, "none");
    bosc_wrap_end(&w);
}

static void print_pointers(FILE *out, const bosc_nm_mechanism *m)
{
    bosc_wrap w = bosc_wrap_begin(out, 12, "  pointers");
    int n = 0;

    for (int i = 0; i < m->symbols.n; ++i) {
        const bosc_nm_symbol *s = m->symbols.item[i];

        if (!s->pointer || !s->used)
            continue;
        bosc_wrap_add(&w, n++ > 0 ? ", %s" : "%s", s->name);
        if (s->unit[0] != '\0' && strcmp(s->unit, "1") != 0)
            bosc_wrap_add(&w, " (%s)", s->unit);
        if (s->written)
            bosc_wrap_add(&w, ", which it assigns to");
    }
    if (n > 0)
        bosc_wrap_add(&w, "; a job says with 'pointers' what they stand for");
    if (n > 0)
        bosc_wrap_end(&w);
}

/* Which key of a job places it. */
static const char *key_of(const bosc_nm_mechanism *m)
{
    return m->artificial               ? "populations[].artificial.type"
           : m->kind == BOSC_NM_SUFFIX ? "populations[].regions"
           : m->receive != NULL        ? "synapses[].type"
                                       : "point_processes[].type";
}

static void add_variables(bosc_wrap *w, const bosc_nm_ion *ion, bool write)
{
    const struct {
        const bosc_nm_symbol *symbol;
        bool reads, writes;
    } all[] = {{ion->e, ion->reads_e, ion->writes_e},
               {ion->inside, ion->reads_inside, ion->writes_inside},
               {ion->outside, ion->reads_outside, ion->writes_outside},
               {ion->i, ion->reads_i, ion->writes_i}};
    int n = 0;

    for (size_t i = 0; i < BOSC_LEN(all); ++i)
        if (all[i].symbol != NULL && (write ? all[i].writes : all[i].reads))
            bosc_wrap_add(w, "%s%s",
                          n++ > 0 ? ", "
                          : write ? " writes "
                                  : " reads ",
                          all[i].symbol->name);
}

static void print_ions(FILE *out, const bosc_nm_mechanism *m)
{
    for (int i = 0; i < m->ions.n; ++i) {
        const bosc_nm_ion *ion = m->ions.item[i];
        bosc_wrap w = bosc_wrap_begin(out, 10, "  %s", i == 0 ? "ions" : "");

        bosc_wrap_add(&w, "%s:", ion->name);
        add_variables(&w, ion, false);
        add_variables(&w, ion, true);
        if (!isnan(ion->valence))
            bosc_wrap_add(&w, ", valence %g", ion->valence);
        bosc_wrap_end(&w);
    }
}

static void print_problems(FILE *out, const bosc_nm_problems *problems)
{
    if (setjmp(*bosc_nm_arena_end(problems->arena)) != 0)
        return; /* no memory for a message */
    for (int i = 0; i < problems->all.n; ++i) {
        const bosc_nm_problem *problem = problems->all.item[i];
        bosc_wrap w =
            bosc_wrap_begin(out, 4, problem->warning ? "  warning:" : " ");

        bosc_wrap_add(&w, "%s", bosc_nm_problem_text(problems->arena, problem));
        bosc_wrap_end(&w);
    }
}

static void report_tsv(FILE *out, const char *path,
                       const bosc_nm_problems *problems,
                       const bosc_nm_mechanism *m)
{
    const bosc_nm_problem *first = NULL;

    for (int i = 0; i < problems->all.n && first == NULL; ++i) {
        const bosc_nm_problem *problem = problems->all.item[i];

        if (!problem->warning)
            first = problem;
    }
    fprintf(out, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", path,
            problems->n_errors == 0 ? "yes" : "no",
            m == NULL || m->name[0] == '\0' ? "-" : m->name, kind_of(m),
            problems->n_errors, first == NULL ? 0 : first->place.line,
            first == NULL ? "" : first->what);
}

void bosc_nm_report_head(FILE *out, bosc_nm_report_form form)
{
    if (form == BOSC_NM_TSV)
        fputs("file\taccepted\tname\tkind\tproblems\tline\tfirst_problem\n",
              out);
}

void bosc_nm_report(FILE *out, const char *path,
                    const bosc_nm_problems *problems,
                    const bosc_nm_mechanism *m, bosc_nm_report_form form)
{
    const bool accepted = problems->n_errors == 0 && m != NULL;

    if (form == BOSC_NM_TSV) {
        report_tsv(out, path, problems, m);
        return;
    }
    if (accepted)
        fprintf(out, "%s: accepted: %s, %s\n", path, m->name, kind_of(m));
    else
        fprintf(out, "%s: refused\n", path);
    print_problems(out, problems);
    if (accepted && form == BOSC_NM_TABLES) {
        fprintf(out, "  in a job  %s\n", key_of(m));
        print_parameters(out, m);
        print_states(out, m);
        print_ions(out, m);
        print_pointers(out, m);
        fputc('\n', out);
    }
}
