#include "config.h" /* first: it asks for extensions */

#include "src/mods/compile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/mods/hash.h"
#include "src/mods/headers.h"
#include "src/mods/own_file.h"
#include "src/mods/process.h"

/* The flags of kernels/local.mk: the same bits from all instruction sets. */
static const char *const flags[] = {
    "-std=gnu11",
    "-fPIC",
    "-fopenmp-simd",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-w",
};

/* Bytes of formulas for which the compiler would take minutes with -O2. */
enum { LARGE = 100000 };

static const struct {
    const char *name, *march; /* NULL: none */
} isas[] = {
    {"base", NULL},
#ifdef HAVE_V3
    {"v3", "-march=x86-64-v3"},
#endif
#ifdef HAVE_V4
    {"v4", "-march=x86-64-v4"},
#endif
};

/* What isa.h asks of the configuration. */
static const char config[] = ""
#ifdef HAVE_V3
                             "#define HAVE_V3 1\n"
#endif
#ifdef HAVE_V4
                             "#define HAVE_V4 1\n"
#endif
    ;

const char *bosc_mods_compiler(void)
{
    const char *own = getenv("BOSC_CC");

    return own != NULL && own[0] != '\0' ? own : MODS_CC;
}

const char *bosc_mods_compile_flags(bosc_mods_flags all)
{
    size_t n = (size_t)snprintf(all, sizeof(bosc_mods_flags), "%s %s %d",
                                __VERSION__, config, (int)LARGE);

    for (size_t i = 0; i < BOSC_LEN(flags); ++i)
        n += (size_t)snprintf(all + n, sizeof(bosc_mods_flags) - n, " %s",
                              flags[i]);
    return all;
}

/* --- the folder ----------------------------------------------------------- */

static bosc_status write_file(const char *folder, const char *name,
                              const char *text, size_t bytes, bosc_error *err)
{
    char *path = bosc_format("%s/%s", folder, name);
    FILE *file;
    bool good;

    if (path == NULL)
        return bosc_no_memory(err, name);
    for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')) != NULL;
         ++p) {
        *p = '\0';
        mkdir(path, 0700); /* there, or fopen() says so */
        *p = '/';
    }
    errno = 0;
    file = fopen(path, "w");
    good = file != NULL && fwrite(text, 1, bytes, file) == bytes;
    if (file != NULL)
        good = fclose(file) == 0 && good;

    const bosc_status st =
        good ? BOSC_OK
             : bosc_fail(err, BOSC_EIO, "%s: %s; TMPDIR names another folder",
                         path, strerror(errno));

    free(path);
    return st;
}

/* Write a text that is formatted. */
static bosc_status write_text(const char *folder, const char *name, char *text,
                              bosc_error *err)
{
    const bosc_status st =
        text == NULL ? bosc_no_memory(err, name)
                     : write_file(folder, name, text, strlen(text), err);

    free(text);
    return st;
}

/* A text without its comments: these name lines of the mod file. */
static void hash_code(bosc_mods_hash *hash, const char *text)
{
    const char *from = text, *c = text;
    bool quoted = false;

    while (*c != '\0') {
        quoted ^= *c == '"';
        if (quoted || strncmp(c, "/*", 2) != 0) {
            ++c;
            continue;
        }
        bosc_mods_hash_add(hash, from, (size_t)(c - from));
        from = strstr(c + 2, "*/");
        from = c = from != NULL ? from + 2 : c + strlen(c);
    }
    bosc_mods_hash_text(hash, from);
}

/* What a mechanism is known by. */
static const char *made_of(const bosc_mods_text *text,
                           char digits[BOSC_MODS_DIGITS])
{
    bosc_mods_hash hash = bosc_mods_hash_begin();

    /* the first line names the file */
    hash_code(&hash, strchr(text->text, '\n'));
    return bosc_mods_hash_print(hash, digits);
}

/* The table of all mechanisms. */
static char *index_text(const bosc_mods_texts *texts)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    char digits[BOSC_MODS_DIGITS];

    if (out == NULL)
        return NULL;
    fputs("#include \"kernels/mech/object.h\"\n", out);
    for (int i = 0; i < texts->n; ++i)
        fprintf(out,
                "BOSC_MECH_EMBED(%s)\n"
                "#undef BOSC_MECH_TEXT\n"
                "#define BOSC_MECH_TEXT bosc_text_%s\n"
                "#undef BOSC_MECH_MADE\n"
                "#define BOSC_MECH_MADE \"%s\"\n"
                "#include \"%s.mod.h\"\n",
                texts->text[i].name, texts->text[i].name,
                made_of(&texts->text[i], digits), texts->text[i].name);
    fputs("static const bosc_mech *const all[] = {", out);
    for (int i = 0; i < texts->n; ++i)
        fprintf(out, "&bosc_%s, ", texts->text[i].name);
    fputs("};\n"
          "const bosc_mech_object BOSC_MECH_OBJECT = {\n"
          "    BOSC_MECH_ABI, sizeof(bosc_mech_object), sizeof(bosc_mech),\n"
          "    sizeof all / sizeof all[0], all};\n",
          out);
    return fclose(out) == 0 ? text : NULL;
}

static bosc_status write_all(const bosc_mods_texts *texts, const char *folder,
                             bosc_error *err)
{
    int n;
    const bosc_mods_header *headers = bosc_mods_headers(&n);
    bosc_status st =
        write_file(folder, "config.h", config, strlen(config), err);

    for (int i = 0; i < n && st == BOSC_OK; ++i)
        st = write_file(folder, headers[i].path, headers[i].text,
                        (size_t)(headers[i].end - headers[i].text), err);
    for (int i = 0; i < texts->n && st == BOSC_OK; ++i) {
        const bosc_mods_text *t = &texts->text[i];
        char *name = bosc_format("%s.mod.h", t->name);

        st = name == NULL ? bosc_no_memory(err, t->file)
                          : write_file(folder, name, t->text, t->bytes, err);
        free(name);
        name = bosc_format("%s.mod.c", t->name);
        if (st == BOSC_OK && name == NULL)
            st = bosc_no_memory(err, t->file);
        if (st == BOSC_OK)
            st = write_text(folder, name,
                            bosc_format("#define BOSC_MECH_LOOPS\n"
                                        "#include \"%s.mod.h\"\n",
                                        t->name),
                            err);
        free(name);
    }
    return st == BOSC_OK ? write_text(folder, "index.c", index_text(texts), err)
                         : st;
}

static void remove_all(const char *folder)
{
    DIR *dir = opendir(folder);

    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name;
        char *path = strcmp(name, ".") == 0 || strcmp(name, "..") == 0
                         ? NULL
                         : bosc_format("%s/%s", folder, name);

        if (path != NULL && unlink(path) != 0)
            remove_all(path);
        free(path);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(folder);
}

/* --- the compiler --------------------------------------------------------- */

/* What the compiler says about one file, or all. */
static bosc_status explain(const char *what, const bosc_process_result *result,
                           bosc_error *err)
{
    const char *compiler = bosc_mods_compiler();

    if (result->missing != 0)
        return bosc_fail(err, BOSC_ENOSUP,
                         "mechanisms must be built, and the C compiler '%s' "
                         "cannot be run here: %s; run 'bosc mods build' where "
                         "there is one, a login node, and name its result in "
                         "the job: 'mechanisms: [NAME.bmod]'; or BOSC_CC names "
                         "another compiler",
                         compiler, strerror(result->missing));
    return bosc_fail(err, BOSC_EIO, "%s: the C compiler '%s' fails: %s", what,
                     compiler, result->said[0] != '\0' ? result->said : "?");
}

/* The arguments of one call: the compiler's words, then these up to NULL. */
enum { MOST_WORDS = 64 };

typedef struct command {
    char *words; /* the compiler, with NULs between its words */
    const char *argv[MOST_WORDS];
    int n;
} command;

static bool command_begin(command *c)
{
    char *rest;

    c->n = 0;
    c->words = bosc_strdup(bosc_mods_compiler());
    if (c->words == NULL)
        return false;
    for (char *word = strtok_r(c->words, " ", &rest);
         word != NULL && c->n < MOST_WORDS / 2;
         word = strtok_r(NULL, " ", &rest))
        c->argv[c->n++] = word;
    return true;
}

static void add(command *c, const char *word)
{
    c->argv[c->n++] = word;
    c->argv[c->n] = NULL;
}

/* Start compiling a file for an instruction set. */
static bosc_status start(bosc_processes *all, const char *file, int isa,
                         size_t bytes, bosc_error *err)
{
    char *object = bosc_format("%s.%s.o", file, isas[isa].name);
    char *define = bosc_format("-DBOSC_ISA=%s", isas[isa].name);
    command c;
    bosc_status st = object == NULL || define == NULL || !command_begin(&c)
                         ? bosc_no_memory(err, file)
                         : BOSC_OK;

    if (st == BOSC_OK) {
        for (size_t i = 0; i < BOSC_LEN(flags); ++i)
            add(&c, flags[i]);
        add(&c, bytes > LARGE ? "-O1" : "-O2");
        if (isas[isa].march != NULL)
            add(&c, isas[isa].march);
        add(&c, strcmp(file, "index.c") == 0 ? "-DBOSC_INDEX" : define);
        add(&c, "-I.");
        add(&c, "-c");
        add(&c, file);
        add(&c, "-o");
        add(&c, object);
        st = bosc_processes_start(all, c.argv, err);
        free(c.words);
    }
    free(object);
    free(define);
    return st;
}

/* Bytes of the text before its loops. */
static size_t formula_bytes(const bosc_mods_text *text)
{
    const char *loops = strstr(text->text, "#if defined(BOSC_MECH_LOOPS)");

    return loops == NULL ? text->bytes : (size_t)(loops - text->text);
}

static bosc_status compile_all(const bosc_mods_texts *texts, const char *folder,
                               bosc_error *err)
{
    bosc_processes *all = bosc_processes_create(folder, err);
    bosc_process_result result;
    bosc_status st =
        all == NULL ? BOSC_ENOMEM : start(all, "index.c", 0, 0, err);

    for (int i = 0; i < texts->n && st == BOSC_OK; ++i) {
        char *file = bosc_format("%s.mod.c", texts->text[i].name);

        if (file == NULL)
            st = bosc_no_memory(err, texts->text[i].file);
        for (int isa = 0; texts->text[i].form != BOSC_NM_STATIC &&
                          st == BOSC_OK && isa < (int)BOSC_LEN(isas);
             ++isa)
            st = start(all, file, isa, formula_bytes(&texts->text[i]), err);
        free(file);
    }
    if (all != NULL && !bosc_processes_end(all, &result) && st == BOSC_OK)
        st = explain("mechanisms", &result, err);
    return st;
}

static bosc_status link_all(const char *folder, bosc_error *err)
{
    bosc_processes *all = bosc_processes_create(folder, err);
    bosc_process_result result;
    bosc_status st = BOSC_OK;
    command c;

    if (all == NULL)
        return BOSC_ENOMEM;
    /* a shell: the objects are many */
    if (!command_begin(&c))
        st = bosc_no_memory(err, "the linker");
    if (st == BOSC_OK) {
        char *line = bosc_format("%s -shared -o all.so *.o -Wl,--as-needed -lm",
                                 bosc_mods_compiler());

        c.n = 0;
        add(&c, "/bin/sh");
        add(&c, "-c");
        add(&c, line);
        st = line == NULL ? bosc_no_memory(err, "the linker")
                          : bosc_processes_start(all, c.argv, err);
        free(line);
        free(c.words);
    }
    if (!bosc_processes_end(all, &result) && st == BOSC_OK)
        st = explain("mechanisms", &result, err);
    return st;
}

static bosc_status read_object(const char *folder, unsigned char **bytes,
                               size_t *size, bosc_error *err)
{
    char *path = bosc_format("%s/all.so", folder);
    bosc_status st;

    if (path == NULL)
        return bosc_no_memory(err, folder);
    chmod(path,
          0600); /* whatever the umask: the folder is of this user alone */
    st = bosc_own_file_read(path, bytes, size, err);
    free(path);
    return st == BOSC_ENOINPUT ? BOSC_EIO : st;
}

bosc_status bosc_mods_compile(const bosc_mods_texts *texts,
                              unsigned char **bytes, size_t *size,
                              bosc_error *err)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = bosc_format(
        "%s/bosc-mods.XXXXXX",
        temporary != NULL && temporary[0] == '/' ? temporary : "/tmp");
    bosc_status st;

    if (folder == NULL)
        return bosc_no_memory(err, "a folder");
    if (mkdtemp(folder) == NULL) {
        st = bosc_fail(err, BOSC_EIO,
                       "%s: no folder for building mechanisms: %s; TMPDIR "
                       "names another place",
                       folder, strerror(errno));
    } else {
        st = write_all(texts, folder, err);
        if (st == BOSC_OK)
            st = compile_all(texts, folder, err);
        if (st == BOSC_OK)
            st = link_all(folder, err);
        if (st == BOSC_OK)
            st = read_object(folder, bytes, size, err);
        remove_all(folder);
    }
    free(folder);
    return st;
}
