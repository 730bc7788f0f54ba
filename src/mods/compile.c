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
#include "src/base/progress.h"
#include "src/mods/hash.h"
#include "src/mods/headers.h"
#include "src/mods/own_file.h"
#include "src/mods/process.h"
#include "src/text/path.h"
#include "src/text/pool.h"
#include "src/text/print.h"

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

/* How a file with loops begins.  It keeps gcc from what makes rounds of
 * Newton's method a third slower: a branch for whether lanes are done in the
 * place of a choice, and calls of memcpy for 16 doubles, whose stores vectors
 * then wait for.  Other compilers know no such flags. */
static const char gcc_options[] =
    "#if defined(__GNUC__) && !defined(__clang__)\n"
    "#pragma GCC optimize(\"no-thread-jumps\")\n"
    "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n"
    "#endif\n";

/* The loops for vectors, some hundred instructions that wait for each other:
 * gcc orders them before it chooses registers, too, as it does by itself for
 * other processors.  BOSC_CC may name a compiler that does not know this. */
static const char *const schedule[] = {
#ifdef HAVE_SCHEDULE
    "-fschedule-insns",
    "-fsched-pressure",
    "--param=sched-pressure-algorithm=2",
#endif
    NULL,
};

/* What objects are linked with. */
static const char *const libraries[] = {"-Wl,--as-needed", "-lm"};

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

static const char *own_compiler(void)
{
    const char *own = getenv("BOSC_CC");

    return own != NULL && own[0] != '\0' ? own : NULL;
}

const char *bosc_mods_compiler(void)
{
    const char *own = own_compiler();

    return own != NULL ? own : MODS_CC;
}

const char *bosc_mods_compile_flags(bosc_mods_flags all)
{
    size_t n = (size_t)snprintf(all, sizeof(bosc_mods_flags), "%s %s %s %d",
                                __VERSION__, config, gcc_options, (int)LARGE);

    for (size_t i = 0; i < BOSC_LEN(flags); ++i)
        n += (size_t)snprintf(all + n, sizeof(bosc_mods_flags) - n, " %s",
                              flags[i]);
    for (size_t i = 0; own_compiler() == NULL && schedule[i] != NULL; ++i)
        n += (size_t)snprintf(all + n, sizeof(bosc_mods_flags) - n, " %s",
                              schedule[i]);
    return all;
}

/* --- the folder ----------------------------------------------------------- */

/* Mechanisms that go into one object, with a table of them: files of the
 * temporary folder that begin with the number. */
typedef struct unit {
    int number; /* of its first text */
    int n;
    const bosc_mods_text *text; /* [n] */
    int only; /* it is one mechanism with loops of this instruction set alone,
                 and one file: a call of the compiler makes its object; -1:
                 several files */
} unit;

/* What is built, and where. */
typedef struct build {
    const char *folder;
    const bosc_mods_how *how;
    int n;
    unit *units;    /* [n] */
    bosc_pool pool; /* of names and texts: it is asked in the end */
    bosc_error *err;
} build;

static bosc_status write_file(build *b, const char *name, const char *text,
                              size_t bytes)
{
    const char *path = bosc_pool_text(&b->pool, "%s/%s", b->folder, name);
    FILE *file;
    bool good;

    bosc_path_make_folders(path, 0700);
    errno = 0;
    file = fopen(path, "w");
    good = file != NULL && fwrite(text, 1, bytes, file) == bytes;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    return good ? BOSC_OK
                : bosc_fail(b->err, BOSC_EIO,
                            "%s: %s; TMPDIR names another folder", path,
                            strerror(errno));
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

/* The file of the table; of a unit that is one file that of its loops, too. */
static const char *index_name(build *b, const unit *u)
{
    return u->only >= 0 ? bosc_pool_text(&b->pool, "%s.mod.c", u->text[0].name)
                        : bosc_pool_text(&b->pool, "%d.index.c", u->number);
}

static char *index_text(const unit *u)
{
    bosc_print text;
    FILE *out = bosc_print_begin(&text);
    char digits[BOSC_MODS_DIGITS];

    if (out == NULL)
        return NULL;
    if (u->only >= 0)
        fprintf(out, "%s#define BOSC_MECH_LOOPS\n", gcc_options);
    fputs("#include \"kernels/mech/object.h\"\n", out);
    for (int i = 0; i < u->n; ++i) {
        const char *name = u->text[i].name;

        fprintf(out,
                "BOSC_MECH_EMBED(%s)\n"
                "#undef BOSC_MECH_TEXT\n"
                "#define BOSC_MECH_TEXT bosc_text_%s\n"
                "#undef BOSC_MECH_MADE\n"
                "#define BOSC_MECH_MADE \"%s\"\n",
                name, name, made_of(&u->text[i], digits));
        /* NULL for instruction sets that it is not compiled for */
        for (size_t k = 0; k < BOSC_LEN(isas); ++k)
            fprintf(out,
                    "extern const bosc_mech_loops bosc_%s_loops_%s\n"
                    "    __attribute__((weak, visibility(\"hidden\")));\n",
                    name, isas[k].name);
        fprintf(out, "#include \"%s.mod.h\"\n", name);
    }
    fputs("static const bosc_mech *const all[] = {", out);
    for (int i = 0; i < u->n; ++i)
        fprintf(out, "&bosc_%s, ", u->text[i].name);
    fputs("};\n"
          "const bosc_mech_object BOSC_MECH_OBJECT = {\n"
          "    BOSC_MECH_ABI, sizeof(bosc_mech_object), sizeof(bosc_mech),\n"
          "    sizeof all / sizeof all[0], all};\n",
          out);
    return bosc_print_end(&text);
}

static bosc_status write_index(build *b, const unit *u)
{
    const char *name = index_name(b, u),
               *text = bosc_pool_own(&b->pool, index_text(u));

    return text == NULL ? bosc_no_memory(b->err, name)
                        : write_file(b, name, text, strlen(text));
}

static bosc_status write_mechanism(build *b, const bosc_mods_text *t)
{
    const char *name = bosc_pool_text(&b->pool, "%s.mod.h", t->name),
               *loops = bosc_pool_text(&b->pool,
                                       "%s#define BOSC_MECH_LOOPS\n"
                                       "#include \"%s\"\n",
                                       gcc_options, name);
    const bosc_status st = write_file(b, name, t->text, t->bytes);

    name = bosc_pool_text(&b->pool, "%s.mod.c", t->name);
    return st == BOSC_OK ? write_file(b, name, loops, strlen(loops)) : st;
}

static bosc_status write_all(build *b, const bosc_mods_texts *texts)
{
    int n;
    const bosc_mods_header *headers = bosc_mods_headers(&n);
    bosc_status st = write_file(b, "config.h", config, strlen(config));

    for (int i = 0; i < n && st == BOSC_OK; ++i)
        st = write_file(b, headers[i].path, headers[i].text,
                        (size_t)(headers[i].end - headers[i].text));
    for (int i = 0; i < texts->n && st == BOSC_OK; ++i)
        st = write_mechanism(b, &texts->text[i]);
    for (int i = 0; i < b->n && st == BOSC_OK; ++i)
        st = write_index(b, &b->units[i]);
    return st;
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
    const char *argv[MOST_WORDS];
    int n;
} command;

static void add(command *c, const char *word)
{
    c->argv[c->n++] = word;
    c->argv[c->n] = NULL;
}

static void add_compiler(command *c, bosc_pool *pool)
{
    char *words = bosc_pool_own(pool, bosc_strdup(bosc_mods_compiler())), *rest;

    if (words == NULL)
        return;
    for (char *word = strtok_r(words, " ", &rest);
         word != NULL && c->n < MOST_WORDS / 2;
         word = strtok_r(NULL, " ", &rest))
        add(c, word);
}

/* A file that is compiled, for a unit. */
typedef struct source {
    const char *file;
    int number;   /* of the text, for who counts */
    int isa;      /* -1: it is the table */
    size_t bytes; /* of formulas */
} source;

static bosc_status start(bosc_processes *all, build *b, const unit *u,
                         const source *from)
{
    const int isa = from->isa;
    const char *set = isa < 0 ? "index" : isas[isa].name;
    command c = {.n = 0};

    add_compiler(&c, &b->pool);
    for (size_t i = 0; i < BOSC_LEN(flags); ++i)
        add(&c, flags[i]);
    add(&c, from->bytes > LARGE ? "-O1" : "-O2");
    if (isa >= 0 && isas[isa].march != NULL) {
        add(&c, isas[isa].march);
        for (size_t i = 0; own_compiler() == NULL && schedule[i] != NULL; ++i)
            add(&c, schedule[i]);
    }
    add(&c, isa < 0 ? "-DBOSC_INDEX"
                    : bosc_pool_text(&b->pool, "-DBOSC_ISA=%s", set));
    add(&c, "-I.");
    add(&c, u->only >= 0 ? "-shared" : "-c");
    add(&c, from->file);
    add(&c, "-o");
    add(&c, u->only >= 0 ? bosc_pool_text(&b->pool, "%d.so", u->number)
                         : bosc_pool_text(&b->pool, "%d.%s.%s.o", u->number,
                                          from->file, set));
    for (size_t i = 0; u->only >= 0 && i < BOSC_LEN(libraries); ++i)
        add(&c, libraries[i]);
    return b->pool.failed
               ? bosc_no_memory(b->err, from->file)
               : bosc_processes_start(all, from->number, c.argv, b->err);
}

/* Bytes of the text before its loops. */
static size_t formula_bytes(const bosc_mods_text *text)
{
    const char *loops = strstr(text->text, "#if defined(BOSC_MECH_LOOPS)");

    return loops == NULL ? text->bytes : (size_t)(loops - text->text);
}

static bool is_wanted(const bosc_mods_how *how, size_t isa)
{
    return how->isas == 0 || (how->isas >> isa & 1u) != 0;
}

/* How far it is. */
typedef struct progress {
    int n, n_done; /* mechanisms */
    int *left;     /* files of each; the table is of a unit's first one */
    bool shown, terminal;
    double drawn; /* s, when that was last shown */
} progress;

static void show(progress *p)
{
    enum { SILENCE = 10 }; /* s, in a log */
    const double now = bosc_now();

    if (!p->shown || (!p->terminal && now - p->drawn < SILENCE))
        return;
    p->drawn = now;
    fprintf(stderr, "%sbuilding %d mechanism%s, %d of %d%s",
            p->terminal ? "\r" : "", p->n, p->n == 1 ? "" : "s", p->n_done,
            p->n, p->terminal ? "\033[K" : "\n");
    fflush(stderr);
}

static void count_file(void *what, int number)
{
    progress *p = what;

    if (--p->left[number] > 0)
        return;
    ++p->n_done;
    show(p);
}

static void count_files(progress *p, const unit *u, const bosc_mods_how *how)
{
    ++p->left[u->number];
    p->n += u->n;
    for (int i = 0; u->only < 0 && i < u->n; ++i)
        for (size_t isa = 0; isa < BOSC_LEN(isas); ++isa)
            p->left[u->number + i] +=
                u->text[i].form != BOSC_NM_STATIC && is_wanted(how, isa);
    for (int i = 1; i < u->n; ++i) /* nothing but its part of the table */
        p->n_done += p->left[u->number + i] == 0;
}

static bosc_status start_unit(bosc_processes *all, build *b, const unit *u)
{
    const char *index = index_name(b, u);
    bosc_status st =
        start(all, b, u,
              &(source){index, u->number, u->only,
                        u->only < 0 ? 0 : formula_bytes(&u->text[0])});

    for (int i = 0; u->only < 0 && i < u->n && st == BOSC_OK; ++i) {
        const char *file =
            bosc_pool_text(&b->pool, "%s.mod.c", u->text[i].name);

        for (size_t isa = 0; u->text[i].form != BOSC_NM_STATIC &&
                             st == BOSC_OK && isa < BOSC_LEN(isas);
             ++isa)
            if (is_wanted(b->how, isa))
                st = start(all, b, u,
                           &(source){file, u->number + i, (int)isa,
                                     formula_bytes(&u->text[i])});
    }
    return st;
}

static bosc_status compile_all(build *b)
{
    const unit *last = &b->units[b->n - 1];
    progress p = {.left = bosc_pool_own(
                      &b->pool, bosc_alloc((size_t)(last->number + last->n),
                                           sizeof *p.left)),
                  .shown = b->how->shown,
                  .terminal = isatty(STDERR_FILENO) != 0};
    bosc_processes *all =
        p.left == NULL
            ? NULL
            : bosc_processes_create(
                  b->folder, (bosc_process_watch){count_file, &p}, b->err);
    bosc_process_result result;
    bosc_status st = BOSC_OK;

    if (all == NULL)
        return bosc_no_memory(b->err, "mechanisms");
    for (int i = 0; i < b->n; ++i)
        count_files(&p, &b->units[i], b->how);
    show(&p);
    for (int i = 0; i < b->n && st == BOSC_OK; ++i)
        st = start_unit(all, b, &b->units[i]);
    if (!bosc_processes_end(all, &result) && st == BOSC_OK)
        st = explain("mechanisms", &result, b->err);
    if (p.shown && p.terminal)
        fputs("\r\033[K", stderr);
    return st;
}

/* Link the units, by a shell: the objects are many. */
static bosc_status link_all(build *b)
{
    bosc_processes *all = bosc_processes_create(
        b->folder, (bosc_process_watch){NULL, NULL}, b->err);
    bosc_process_result result;
    bosc_status st = all == NULL ? BOSC_ENOMEM : BOSC_OK;

    for (int i = 0; i < b->n && st == BOSC_OK; ++i) {
        const int number = b->units[i].number;
        const char *line = bosc_pool_text(
            &b->pool, "%s -shared -o %d.so %d.*.o %s %s", bosc_mods_compiler(),
            number, number, libraries[0], libraries[1]);

        if (b->units[i].only >= 0)
            continue;
        st = bosc_processes_start(
            all, 0, (const char *const[]){"/bin/sh", "-c", line, NULL}, b->err);
    }
    if (all != NULL && !bosc_processes_end(all, &result) && st == BOSC_OK)
        st = explain("mechanisms", &result, b->err);
    return st;
}

static bosc_status read_object(build *b, int number, bosc_mods_object *out)
{
    const char *path = bosc_pool_text(&b->pool, "%s/%d.so", b->folder, number);
    bosc_status st;

    /* whatever the umask: the folder is of this user alone */
    chmod(path, 0600);
    st = bosc_own_file_read(path, &out->bytes, &out->size, b->err);
    return st == BOSC_ENOINPUT ? BOSC_EIO : st;
}

/* The n mechanisms from one on, which has a number. */
static unit unit_of(const build *b, const bosc_mods_text *from, int number,
                    int n)
{
    unit u = {number, n, from, -1};
    int sets = 0;

    for (size_t isa = 0; isa < BOSC_LEN(isas); ++isa)
        if (is_wanted(b->how, isa)) {
            u.only = (int)isa;
            ++sets;
        }
    if (n > 1 || sets != 1 || from->form == BOSC_NM_STATIC)
        u.only = -1;
    return u;
}

static bosc_status build_all(build *b, const bosc_mods_texts *texts, bool apart,
                             bosc_mods_object *out)
{
    bosc_status st = BOSC_OK;

    b->n = apart ? texts->n : 1;
    b->units =
        bosc_pool_own(&b->pool, bosc_alloc((size_t)b->n, sizeof *b->units));
    if (b->units == NULL)
        return bosc_no_memory(b->err, "mechanisms");
    for (int i = 0; i < b->n; ++i)
        b->units[i] = unit_of(b, &texts->text[i], i, apart ? 1 : texts->n);
    st = write_all(b, texts);
    if (st == BOSC_OK)
        st = compile_all(b);
    if (st == BOSC_OK)
        st = link_all(b);
    for (int i = 0; i < b->n && st == BOSC_OK; ++i)
        st = read_object(b, i, &out[i]);
    return b->pool.failed ? bosc_no_memory(b->err, "mechanisms") : st;
}

bosc_status bosc_mods_compile(const bosc_mods_texts *texts, bool apart,
                              const bosc_mods_how *how, bosc_mods_object *out,
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
        build b = {.folder = folder, .how = how, .err = err};

        st = build_all(&b, texts, apart, out);
        remove_all(folder);
        bosc_pool_clear(&b.pool);
    }
    free(folder);
    return st;
}
