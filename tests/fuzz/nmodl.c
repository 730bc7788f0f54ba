/* nmodl.c - fuzzing: any text as a mod file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "tests/fuzz/fuzz.h"

static void emit(const bosc_nm_program *program)
{
    size_t length = 0;
    char *text = NULL;
    FILE *out = open_memstream(&text, &length);

    must(out != NULL);
    bosc_nm_emit(out, program);
    fclose(out);
    must(length > 100 && strcmp(text + length - 7, "#endif\n") == 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    bosc_nm_result r;
    bosc_error err = {""};
    int errors = 0;

    if (n < 1 || n > FUZZ_LONGEST)
        return -1;

    const bosc_status st =
        bosc_nm_translate("input", (const char *)bytes, n, false, &r, &err);

    fuzz_must_explain(st, &err);
    if (st != BOSC_OK)
        return 0;
    for (int i = 0; i < r.problems.all.n; ++i) {
        const bosc_nm_problem *problem = r.problems.all.item[i];

        errors += !problem->warning;
        must(problem->what[0] != '\0');
        must(strlen(bosc_nm_problem_text(r.arena, problem)) > 5);
    }
    must((errors == 0) == (r.problems.n_errors == 0));
    must(r.accepted == (errors == 0));
    must(!r.accepted || r.mechanism->name[0] != '\0');
    if (r.accepted)
        emit(r.program);
    bosc_nm_result_clear(&r);
    return 0;
}
