#include "src/nmodl/syntax/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_STATEMENT = 60 };

static bool ends_line(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

/* The line of the file that holds the place, without blanks around it. */
static const char *statement_at(bosc_nm_arena *arena, bosc_nm_place place)
{
    if (place.line == 0 || place.source == NULL)
        return "";

    const char *text = place.source->text;
    const char *stop = text + place.source->bytes;
    const char *begin = text + place.at, *end = begin;

    while (begin > text && !ends_line(begin[-1]))
        --begin;
    while (begin < stop && (*begin == ' ' || *begin == '\t'))
        ++begin;
    while (end < stop && !ends_line(*end))
        ++end;
    if (end < begin)
        end = begin;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        --end;
    if (end - begin <= LONGEST_STATEMENT)
        return bosc_nm_copy(arena, begin, (size_t)(end - begin));
    return bosc_nm_text(arena, "%.*s...", LONGEST_STATEMENT - 3, begin);
}

static bool same_line(bosc_nm_place a, bosc_nm_place b)
{
    return a.line == b.line && a.source == b.source;
}

static void note(bosc_nm_problems *problems, const bosc_nm_problem *problem)
{
    if (problems->all.n >= BOSC_NM_MOST_PROBLEMS) {
        problems->n_errors += !problem->warning;
        return;
    }
    for (int i = 0; i < problems->all.n; ++i) {
        const bosc_nm_problem *known = problems->all.item[i];

        if (same_line(known->place, problem->place) &&
            strcmp(known->what, problem->what) == 0)
            return;
    }

    bosc_nm_problem *kept = bosc_nm_new(problems->arena, 1, sizeof *kept);

    *kept = *problem;
    kept->statement = statement_at(problems->arena, problem->place);
    bosc_nm_push(problems->arena, &problems->all, kept);
    problems->n_errors += !problem->warning;
}

static void note_words(bosc_nm_problems *problems, bosc_nm_problem problem,
                       const char *format, va_list args)
{
    char what[512];

    vsnprintf(what, sizeof what, format, args);
    problem.what = bosc_nm_copy(problems->arena, what, strlen(what));
    note(problems, &problem);
}

void bosc_nm_refuse(bosc_nm_problems *problems, bosc_nm_place place,
                    const char *remedy, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    note_words(problems, (bosc_nm_problem){.place = place, .remedy = remedy},
               format, args);
    va_end(args);
}

void bosc_nm_warn(bosc_nm_problems *problems, bosc_nm_place place,
                  const char *remedy, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    note_words(
        problems,
        (bosc_nm_problem){.place = place, .warning = true, .remedy = remedy},
        format, args);
    va_end(args);
}

const char *bosc_nm_problem_text(bosc_nm_arena *arena,
                                 const bosc_nm_problem *problem)
{
    const char *name =
        problem->place.source == NULL ? "" : problem->place.source->name;
    const char *gap = problem->remedy[0] == '\0' ? "" : "; ";

    if (problem->place.line == 0)
        return bosc_nm_text(arena, "%s: %s%s%s", name, problem->what, gap,
                            problem->remedy);
    return bosc_nm_text(arena, "%s:%d: '%s': %s%s%s", name, problem->place.line,
                        problem->statement, problem->what, gap,
                        problem->remedy);
}
