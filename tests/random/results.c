/* results.c - look at results of bosc: where two differ, and what is in one.
 *
 * usage: results <REQUESTS
 *
 * Each line of standard input has one of these, with tabs between its words;
 * a line of standard output answers it:
 *
 *   same A B    "same", or where the first differing variable differs
 *   dump A TO   "dumped": TO has the variables of A, each a line of text, "NAME
 *               TYPE SIZE...", and then its values as the machine has them;
 *               TYPE is d (double), f (float), i (32 bits), q (64 bits), or c:
 *               texts, filled up with zeros to the last of the sizes
 *   told A -    its warnings, with tabs between them
 *
 * Numbers that are no numbers are equal, whatever their bits.  Not compared,
 * nor dumped, are tables of ranks, which hold measured times.
 */
#include <math.h>
#include <netcdf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = 4 };

typedef struct variable {
    int file, id, n_dims;
    nc_type type;
    char name[NC_MAX_NAME + 1];
    char dim[MAX_DIMS][NC_MAX_NAME + 1];
    size_t size[MAX_DIMS], n, bytes; /* n values of so many bytes */
    char *data;                      /* [n * bytes] */
} variable;

static bool look(int file, int id, variable *v)
{
    int dims[NC_MAX_VAR_DIMS];

    *v = (variable){.file = file, .id = id, .n = 1};
    if (nc_inq_var(file, id, v->name, &v->type, &v->n_dims, dims, NULL) ||
        v->n_dims > MAX_DIMS || nc_inq_type(file, v->type, NULL, &v->bytes))
        return false;
    for (int d = 0; d < v->n_dims; ++d) {
        if (nc_inq_dim(file, dims[d], v->dim[d], &v->size[d]))
            return false;
        v->n *= v->size[d];
    }
    return true;
}

static bool is_measured(const variable *v)
{
    for (int d = 0; d < v->n_dims; ++d)
        if (strcmp(v->dim[d], "rank") == 0 || strcmp(v->dim[d], "phase") == 0)
            return true;
    return false;
}

static bool load(variable *v)
{
    v->data = calloc(v->n + 1, v->bytes);
    return v->data != NULL && nc_get_var(v->file, v->id, v->data) == NC_NOERR;
}

static void drop(variable *v)
{
    if (v->data != NULL && v->type == NC_STRING)
        nc_free_string(v->n, (char **)v->data);
    free(v->data);
    v->data = NULL;
}

static bool is_not_finite(const variable *v, const char *x)
{
    return (v->type == NC_DOUBLE && !isfinite(*(const double *)x)) ||
           (v->type == NC_FLOAT && !isfinite(*(const float *)x));
}

/* What is not finite is so in both: where numbers overflow follows from when a
 * sweep brings them near 1 (kernels/hines/pivot.h). */
static bool same_value(const variable *a, const variable *b, size_t i)
{
    const char *x = a->data + i * a->bytes, *y = b->data + i * b->bytes;

    if (a->type != NC_STRING)
        return memcmp(x, y, a->bytes) == 0 ||
               (is_not_finite(a, x) && is_not_finite(b, y));

    const char *s = *(char *const *)x, *t = *(char *const *)y;

    return s == t || (s != NULL && t != NULL && strcmp(s, t) == 0);
}

static void print_value(const variable *v, size_t i)
{
    const char *x = v->data + i * v->bytes;

    if (v->type == NC_DOUBLE)
        printf("%.17g", *(const double *)x);
    else if (v->type == NC_FLOAT)
        printf("%.9g", (double)*(const float *)x);
    else if (v->type == NC_INT)
        printf("%d", *(const int *)x);
    else if (v->type == NC_INT64)
        printf("%lld", *(const long long *)x);
    else if (v->type == NC_STRING)
        printf("%s", *(char *const *)x);
    else
        printf("(type %d)", (int)v->type);
}

/* "every_v[12,3]: 1 against 2", and how many values differ. */
static void print_difference(const variable *a, const variable *b, size_t at)
{
    size_t rest = at, index[MAX_DIMS], n = 0;

    for (int d = a->n_dims; d-- > 0;) {
        index[d] = rest % a->size[d];
        rest /= a->size[d];
    }
    printf("%s[", a->name);
    for (int d = 0; d < a->n_dims; ++d)
        printf("%s%s %zu", d > 0 ? ", " : "", a->dim[d], index[d]);
    printf("]: ");
    print_value(a, at);
    printf(" against ");
    print_value(b, at);
    for (size_t i = at; i < a->n; ++i)
        n += !same_value(a, b, i);
    printf("; %zu of %zu values differ\n", n, a->n);
}

/* True: the same; else it is told. */
static bool same_variable(variable *a, variable *b)
{
    if (a->type != b->type || a->n_dims != b->n_dims) {
        printf("%s: other type or dimensions\n", a->name);
        return false;
    }
    for (int d = 0; d < a->n_dims; ++d)
        if (a->size[d] != b->size[d]) {
            printf("%s: %zu against %zu (%s)\n", a->name, a->size[d],
                   b->size[d], a->dim[d]);
            return false;
        }
    if (!load(a) || !load(b)) {
        printf("%s: cannot be read\n", a->name);
        return false;
    }
    for (size_t i = 0; i < a->n; ++i)
        if (!same_value(a, b, i)) {
            print_difference(a, b, i);
            return false;
        }
    return true;
}

static void compare(int file, int other)
{
    int n = 0, m = 0, id;
    bool same = true;

    nc_inq_nvars(file, &n);
    nc_inq_nvars(other, &m);
    if (n != m) {
        printf("%d variables against %d\n", n, m);
        return;
    }
    for (int i = 0; same && i < n; ++i) {
        variable a, b = {.data = NULL};

        if (!look(file, i, &a)) {
            printf("variable %d cannot be read\n", i);
            return;
        }
        if (is_measured(&a))
            continue;
        if (nc_inq_varid(other, a.name, &id) || !look(other, id, &b)) {
            printf("%s is in one of them only\n", a.name);
            return;
        }
        same = same_variable(&a, &b);
        drop(&a);
        drop(&b);
    }
    if (same)
        printf("same\n");
}

static char letter_of(nc_type type)
{
    static const struct {
        nc_type type;
        char letter;
    } letters[] = {{NC_DOUBLE, 'd'},
                   {NC_FLOAT, 'f'},
                   {NC_INT, 'i'},
                   {NC_INT64, 'q'},
                   {NC_STRING, 'c'}};

    for (size_t k = 0; k < sizeof letters / sizeof letters[0]; ++k)
        if (letters[k].type == type)
            return letters[k].letter;
    return 0;
}

static void put_texts(FILE *out, char *const *text, size_t n)
{
    size_t width = 1;

    for (size_t i = 0; i < n; ++i)
        if (text[i] != NULL && strlen(text[i]) > width)
            width = strlen(text[i]);
    fprintf(out, " %zu\n", width);
    for (size_t i = 0; i < n; ++i) {
        const size_t own = text[i] != NULL ? strlen(text[i]) : 0;

        fwrite(text[i], 1, own, out);
        for (size_t k = own; k < width; ++k)
            fputc('\0', out);
    }
}

static void put_variable(FILE *out, const variable *v)
{
    fprintf(out, "%s %c", v->name, letter_of(v->type));
    for (int d = 0; d < v->n_dims; ++d)
        fprintf(out, " %zu", v->size[d]);
    if (v->type == NC_STRING) {
        put_texts(out, (char *const *)v->data, v->n);
    } else {
        fprintf(out, "\n");
        fwrite(v->data, v->bytes, v->n, out);
    }
}

static void dump(int file, const char *to)
{
    FILE *out = fopen(to, "wb");
    int n = 0;

    if (out == NULL) {
        printf("%s: cannot be written\n", to);
        return;
    }
    nc_inq_nvars(file, &n);
    for (int i = 0; i < n; ++i) {
        variable v;

        if (!look(file, i, &v) || is_measured(&v) || letter_of(v.type) == 0)
            continue;
        if (!load(&v)) {
            printf("%s: cannot be read\n", v.name);
            drop(&v);
            fclose(out);
            return;
        }
        put_variable(out, &v);
        drop(&v);
    }
    printf(fclose(out) == 0 ? "dumped\n" : "not written\n");
}

/* The warnings of a run are one text, with a line for each. */
static void tell(int file)
{
    size_t n = 0;
    char *text = nc_inq_attlen(file, NC_GLOBAL, "warnings", &n) == NC_NOERR
                     ? calloc(n + 1, 1)
                     : NULL;

    if (text == NULL || nc_get_att_text(file, NC_GLOBAL, "warnings", text)) {
        printf("no warnings are in it\n");
    } else {
        for (char *c = text; *c != '\0'; ++c)
            putchar(*c == '\n' ? '\t' : *c);
        printf("\n");
    }
    free(text);
}

/* Answer one line. */
static void answer(char *line)
{
    char *rest = line, *word[3] = {NULL};
    int file, other;

    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < 3; ++i)
        if ((word[i] = strsep(&rest, "\t")) == NULL) {
            printf("not a request\n");
            return;
        }
    if (nc_open(word[1], NC_NOWRITE, &file)) {
        printf("%s cannot be opened\n", word[1]);
        return;
    }
    if (strcmp(word[0], "dump") == 0) {
        dump(file, word[2]);
    } else if (strcmp(word[0], "told") == 0) {
        tell(file);
    } else if (nc_open(word[2], NC_NOWRITE, &other)) {
        printf("%s cannot be opened\n", word[2]);
    } else {
        compare(file, other);
        nc_close(other);
    }
    nc_close(file);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, stdin) > 0) {
        answer(line);
        fflush(stdout);
    }
    free(line);
    return 0;
}
