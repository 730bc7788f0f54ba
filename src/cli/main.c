#include <stdio.h>
#include <string.h>

#include "config.h"
#include "src/cli/commands.h"
#include "src/cli/program.h"
#include "src/job/job.h"
#include "src/text/did_you_mean.h"

static const struct {
    const char *name, *what;
    bosc_command *run;
} commands[] = {
#define COMMAND(name, what) {#name, what, bosc_cmd_##name},
    BOSC_COMMANDS(COMMAND)
#undef COMMAND
};

/* Commands of earlier versions, which no help lists. */
static const char *const former[] = {"bench", "tune"};

static void print_help(FILE *file)
{
    fputs("usage: bosc COMMAND [ARGUMENT]... [OPTION]...\n\n"
          "Simulate the membrane voltage of many branched neurons.\n\n",
          file);
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].what);
    fputs("\n'bosc help COMMAND' shows the options of a command, 'bosc help "
          "WORD' the\nkeys of a job that have the word in their path, such as "
          "'sweep' or\n'amplitude'; the manual is bosc(1).\n\n"
          "Report problems to " BOSC_REPORTS "\n",
          file);
}

static bosc_command *find(const char *name)
{
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run;
    for (size_t i = 0; i < BOSC_LEN(former); ++i)
        if (strcmp(name, former[i]) == 0)
            return bosc_cmd_former;
    return NULL;
}

/* What was meant by a word that is none of the commands. */
static const char *guess(const char *word, char *buffer, size_t size)
{
    static const struct {
        const char *ending, *command;
    } files[] = {{".yaml", "run"},
                 {".yml", "run"},
                 {".swc", "inspect"},
                 {".asc", "inspect"},
                 {".nml", "inspect"}};
    static const char *const options[] = {"help", "version"};
    const char *names[BOSC_LEN(commands)];
    const char *bare = word + strspn(word, "-"), *ending = strrchr(word, '.');
    const char *option = bosc_suggest(bare, BOSC_LEN(options), options);

    for (size_t i = 0; ending != NULL && i < BOSC_LEN(files); ++i)
        if (strcmp(ending, files[i].ending) == 0) {
            snprintf(buffer, size, "did you mean 'bosc %s %s'?",
                     files[i].command, word);
            return buffer;
        }
    if (option != NULL) {
        snprintf(buffer, size, "did you mean '--%s'?", option);
        return buffer;
    }
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        names[i] = commands[i].name;
    return bosc_did_you_mean(bare, BOSC_LEN(names), names, "the commands are",
                             buffer, size);
}

/* 'bosc help sweep': the keys of a job whose path has the word. */
static bool print_key_help(const char *word)
{
    bosc_mechs *mechs = NULL;
    bosc_error ignored;
    bool found = false;

    if (bosc_mechs_create(&mechs, &ignored) == BOSC_OK)
        found = bosc_job_print_keys(mechs, word, stdout);
    bosc_mechs_destroy(mechs);
    return found;
}

int main(int argc, char **argv)
{
    const bool asks_help = argc == 3 && strcmp(argv[1], "help") == 0;
    bosc_error err = {""};

    bosc_program_begin();
    bosc_program_turn_help(argc, argv);

    const char *name = argc > 1 ? argv[1] : "--help";
    bosc_command *run = find(name);

    /* the key 'tune' is meant before the former command */
    if (asks_help && (run == NULL || run == bosc_cmd_former) &&
        print_key_help(name))
        return bosc_program_end("bosc", NULL, BOSC_OK, &err);
    if (run != NULL)
        return bosc_program_end("bosc", name, run(argc - 1, argv + 1, &err),
                                &err);
    if (strcmp(name, "--version") == 0) {
        puts(PACKAGE_STRING);
        return bosc_program_end("bosc", NULL, BOSC_OK, &err);
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 ||
        strcmp(name, "-h") == 0) {
        print_help(argc > 1 ? stdout : stderr);
        return bosc_program_end("bosc", NULL, argc > 1 ? BOSC_OK : BOSC_EUSAGE,
                                &err);
    }
    fprintf(stderr, "bosc: '%s' is %s; %s\n", name,
            asks_help ? "neither a command nor in a key of a job ('bosc run "
                        "--help-keys' lists these)"
                      : "not a command",
            guess(name, (char[300]){0}, 300));
    return 2;
}
