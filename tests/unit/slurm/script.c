/* script.c - the header of a batch script. */
#include "src/slurm/script.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/status.h"
#include "tests/lib/tap.h"

static char *header_of(const bosc_script_header *header, const bosc_site *site)
{
    size_t bytes;
    char *text = NULL;
    FILE *file = open_memstream(&text, &bytes);

    bosc_script_print_header(file, header, site);
    fclose(file);
    return text;
}

static void has(const char *text, const char *line)
{
    ok(strstr(text, line) != NULL, "%.*s", (int)strlen(line) - 1, line);
}

int main(void)
{
    const bosc_site site = {.sbatch = "--exclusive\n--comment=a \"b\"\n"
                                      "--qos='x y'\n"};
    const bosc_script_header all = {.name = "my job",
                                    .log = "r/100%%-%j.log",
                                    .array = "0-5%2",
                                    .dependency = "afterok:7",
                                    .nodes = 2,
                                    .ranks = 8,
                                    .per_node = 4,
                                    .threads = 3,
                                    .gpus = 4,
                                    .rank_memory = 3e9,
                                    .seconds = 7200,
                                    .warning = 60};
    const bosc_script_header least = {
        .name = "j", .log = "j.log", .ranks = 1, .threads = 1, .seconds = 300};
    char *text = header_of(&all, &site);

    has(text, "#SBATCH --job-name=\"my job\"\n");
    has(text, "#SBATCH --output=r/100%%-%j.log\n");
    has(text, "#SBATCH --array=0-5%2\n");
    has(text, "#SBATCH --dependency=afterok:7\n");
    has(text, "#SBATCH --kill-on-invalid-dep=yes\n");
    has(text, "#SBATCH --nodes=2\n");
    has(text, "#SBATCH --ntasks=8\n");
    has(text, "#SBATCH --ntasks-per-node=4\n");
    has(text, "#SBATCH --cpus-per-task=3\n");
    has(text, "#SBATCH --gpus-per-node=4\n");
    has(text, "#SBATCH --mem-per-cpu=954M\n");
    has(text, "#SBATCH --time=02:00:00\n");
    has(text, "#SBATCH --signal=B:USR1@60\n#SBATCH --requeue\n");
    has(text, "#SBATCH --exclusive\n");
    has(text, "#SBATCH --comment=\"a \\\"b\\\"\"\n");
    has(text, "#SBATCH --qos='x y'\n");
    free(text);
    text = header_of(&least, &(bosc_site){0});
    ok(strcmp(text, "#SBATCH --job-name=j\n#SBATCH --output=j.log\n"
                    "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n"
                    "#SBATCH --time=00:05:00\n") == 0,
       "what is not said is left out");
    free(text);
    return done_testing();
}
