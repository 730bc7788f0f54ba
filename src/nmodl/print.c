/* print.c - print the C text of a mod file: a small program that is used while
 * bosc is built, and not installed. */
#include <stdio.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "src/nmodl/report.h"

int main(int argc, char **argv)
{
    bosc_nm_result result;
    bosc_error err;
    bool accepted;

    if (argc != 2) {
        fputs("usage: print FILE.mod\n", stderr);
        return 2;
    }
    if (bosc_nm_translate_file(argv[1], &result, &err) != BOSC_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    accepted = result.accepted;
    if (accepted)
        bosc_nm_emit(stdout, result.program);
    else
        bosc_nm_report(stderr, argv[1], &result.problems, result.mechanism,
                       BOSC_NM_BRIEF);
    bosc_nm_result_clear(&result);
    return accepted && fflush(stdout) == 0 ? 0 : 1;
}
