#include "src/io/result_input.h"

#include <errno.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/mem.h"
#include "src/table/table_form.h"

static const char *reason(int code)
{
    if (code == NC_ENOTNC)
        return "is no NetCDF file";
    if (code == NC_EHDFERR)
        return "cannot be read as NetCDF; it is damaged, cut short, or another "
               "program is writing it";
    return nc_strerror(code);
}

const char *bosc_input_open(const char *path, bosc_input *in)
{
    struct stat s;

    *in = (bosc_input){path, -1};
    if (stat(path, &s) != 0)
        return strerror(errno);
    if (!S_ISREG(s.st_mode)) /* netCDF would wait for a pipe */
        return S_ISDIR(s.st_mode) ? strerror(EISDIR) : "is no regular file";

    const int code = nc_open(path, NC_NOWRITE, &in->nc);

    if (code == NC_NOERR)
        return NULL;
    in->nc = -1;
    return reason(code);
}

void bosc_input_close(bosc_input *in)
{
    if (in->nc >= 0)
        nc_close(in->nc); /* only read: nothing can be lost */
    in->nc = -1;
}

/* Any call of netCDF whose failure is the file's. */
static bosc_status check(const bosc_input *in, int code, const char *what,
                         bosc_error *err)
{
    if (code == NC_NOERR)
        return BOSC_OK;
    if (code == NC_ENOMEM)
        return bosc_no_memory(err, in->path);
    return bosc_fail(err, BOSC_EFORMAT, "%s: %s: %s", in->path, what,
                     reason(code));
}

bosc_status bosc_input_dimension(const bosc_input *in, const char *name,
                                 size_t most, size_t *length, bosc_error *err)
{
    int dim = -1;
    size_t n = 0;

    if (nc_inq_dimid(in->nc, name, &dim) != NC_NOERR)
        return bosc_fail(err, BOSC_EFORMAT, "%s: has no dimension '%s'",
                         in->path, name);

    const bosc_status st = check(in, nc_inq_dimlen(in->nc, dim, &n), name, err);

    if (st != BOSC_OK)
        return st;
    if (n < 1 || n > most)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: dimension '%s' is %zu long; it must be 1 to %zu",
                         in->path, name, n, most);
    *length = n;
    return BOSC_OK;
}

/* --- what a variable is -------------------------------------------------- */

typedef struct found {
    int id, n_dims;
    nc_type type;
    int dims[NC_MAX_VAR_DIMS];
} found;

static bosc_status find(const bosc_input *in, const char *name, found *v,
                        bosc_error *err)
{
    *v = (found){.id = -1, .type = NC_NAT};
    if (nc_inq_varid(in->nc, name, &v->id) != NC_NOERR)
        return bosc_fail(err, BOSC_EFORMAT, "%s: has no variable '%s'",
                         in->path, name);
    return check(
        in,
        nc_inq_var(in->nc, v->id, NULL, &v->type, &v->n_dims, v->dims, NULL),
        name, err);
}

/* Append as much as there is room for. */
static void append(char *text, size_t size, const char *more)
{
    const size_t n = strlen(text);

    snprintf(text + n, size - n, "%s", more);
}

/* "double (rank, phase)", as ncdump would show it. */
static void describe(const bosc_input *in, const found *v, char *text,
                     size_t size)
{
    char name[NC_MAX_NAME + 1] = "?";

    nc_inq_type(in->nc, v->type, name, NULL);
    snprintf(text, size, "%s (", name);
    for (int i = 0; i < v->n_dims; ++i) {
        strcpy(name, "?");
        nc_inq_dimname(in->nc, v->dims[i], name);
        append(text, size, i > 0 ? ", " : "");
        append(text, size, name);
    }
    append(text, size, ")");
}

static bosc_status refuse(const bosc_input *in, const char *name,
                          const found *v, const char *kind, int n_dims,
                          const char *const *dims, bosc_error *err)
{
    char is[300], must[200];

    describe(in, v, is, sizeof is);
    snprintf(must, sizeof must, "%s ", kind);
    if (dims == NULL)
        append(must, sizeof must,
               n_dims == 1 ? "over one dimension" : "over two dimensions");
    for (int i = 0; dims != NULL && i < n_dims; ++i) {
        append(must, sizeof must, i > 0 ? ", " : "(");
        append(must, sizeof must, dims[i]);
        append(must, sizeof must, i + 1 == n_dims ? ")" : "");
    }
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: variable '%s' is %s; it must be %s", in->path, name,
                     is, must);
}

/* Are those its dimensions? */
static bool is_over(const bosc_input *in, const found *v, int n_dims,
                    const char *const *dims)
{
    if (v->n_dims != n_dims)
        return false;
    for (int i = 0; dims != NULL && i < n_dims; ++i) {
        int dim = -1;

        if (nc_inq_dimid(in->nc, dims[i], &dim) != NC_NOERR ||
            dim != v->dims[i])
            return false;
    }
    return true;
}

static bool is_number(nc_type type)
{
    return type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR;
}

/* --- numbers ------------------------------------------------------------- */

/* An attribute of one number; false: there is none. */
static bool has_number(const bosc_input *in, int var, const char *name,
                       double *value)
{
    nc_type type = NC_NAT;
    size_t n = 0;

    return nc_inq_att(in->nc, var, name, &type, &n) == NC_NOERR && n == 1 &&
           is_number(type) &&
           nc_get_att_double(in->nc, var, name, value) == NC_NOERR;
}

/* What netCDF reads where nothing was written; NaN for bytes and unsigned
 * numbers, which have no value to spare. */
static double fill_value(nc_type type)
{
    static const struct {
        nc_type type;
        double value;
    } fills[] = {{NC_SHORT, NC_FILL_SHORT},
                 {NC_INT, NC_FILL_INT},
                 {NC_INT64, (double)NC_FILL_INT64},
                 {NC_FLOAT, NC_FILL_FLOAT},
                 {NC_DOUBLE, NC_FILL_DOUBLE}};

    for (size_t i = 0; i < BOSC_LEN(fills); ++i)
        if (fills[i].type == type)
            return fills[i].value;
    return NAN;
}

bosc_status bosc_input_numbers(const bosc_input *in, const char *name,
                               int n_dims, const char *const *dims,
                               bosc_input_variable *out, bosc_error *err)
{
    static const char *const packing[] = {"scale_factor", "add_offset"};
    bosc_input_variable variable = {.n_dims = n_dims};
    found v;
    bosc_status st = find(in, name, &v, err);

    if (st != BOSC_OK)
        return st;
    if (!is_number(v.type) || !is_over(in, &v, n_dims, dims))
        return refuse(in, name, &v, "numbers", n_dims, dims, err);
    for (size_t i = 0; i < BOSC_LEN(packing); ++i)
        if (nc_inq_attid(in->nc, v.id, packing[i], NULL) == NC_NOERR)
            return bosc_fail(err, BOSC_EFORMAT,
                             "%s: variable '%s' is packed (it has '%s'); it "
                             "must be the numbers themselves",
                             in->path, name, packing[i]);
    for (int i = 0; st == BOSC_OK && i < n_dims; ++i)
        st = check(in, nc_inq_dimlen(in->nc, v.dims[i], &variable.length[i]),
                   name, err);
    if (st != BOSC_OK)
        return st;
    variable.id = v.id;
    if (!has_number(in, v.id, "_FillValue", &variable.missing))
        variable.missing = fill_value(v.type);
    *out = variable;
    return BOSC_OK;
}

bosc_status bosc_input_values(const bosc_input *in,
                              const bosc_input_variable *variable,
                              const bosc_table_column *range,
                              const size_t *start, const size_t *count,
                              double *values, bosc_error *err)
{
    char name[NC_MAX_NAME + 1] = "?";
    size_t n = 1;

    nc_inq_varname(in->nc, variable->id, name);
    for (int i = 0; i < variable->n_dims; ++i)
        n *= count[i];
    if (n == 0)
        return BOSC_OK;

    const bosc_status st = check(
        in, nc_get_vara_double(in->nc, variable->id, start, count, values),
        name, err);

    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        char text[BOSC_TABLE_WRONG + 40] = "is missing (it is the fill value)",
                                     wrong[BOSC_TABLE_WRONG], at[60];

        if (values[i] != variable->missing) {
            if (bosc_table_wrong(range, values[i], wrong)[0] == '\0')
                continue;
            snprintf(text, sizeof text, "%.17g %s", values[i], wrong);
        }
        if (variable->n_dims == 2)
            snprintf(at, sizeof at, "%zu, %zu", start[0] + i / count[1],
                     start[1] + i % count[1]);
        else
            snprintf(at, sizeof at, "%zu", start[0] + i);
        return bosc_fail(err, BOSC_EFORMAT, "%s: %s[%s]: %s", in->path, name,
                         at, text);
    }
    return st;
}

bosc_status bosc_input_attribute(const bosc_input *in,
                                 const bosc_table_column *range, double *value,
                                 bosc_error *err)
{
    char wrong[BOSC_TABLE_WRONG];
    double v;

    if (!has_number(in, NC_GLOBAL, range->name, &v))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: has no attribute '%s' of one number", in->path,
                         range->name);
    if (bosc_table_wrong(range, v, wrong)[0] != '\0')
        return bosc_fail(err, BOSC_EFORMAT, "%s: attribute '%s': %.17g %s",
                         in->path, range->name, v, wrong);
    *value = v;
    return BOSC_OK;
}

/* --- strings ------------------------------------------------------------- */

bosc_status bosc_input_strings(const bosc_input *in, const char *name,
                               const char *dim, char ***out, size_t *n,
                               bosc_error *err)
{
    size_t length = 0;
    found v;
    bosc_status st = find(in, name, &v, err);

    if (st != BOSC_OK)
        return st;
    if (v.type != NC_STRING || !is_over(in, &v, 1, &dim))
        return refuse(in, name, &v, "strings", 1, &dim, err);
    st = check(in, nc_inq_dimlen(in->nc, v.dims[0], &length), name, err);
    if (st != BOSC_OK)
        return st;

    char **strings = bosc_alloc(length, sizeof *strings);

    if (strings == NULL)
        return bosc_no_memory(err, in->path);
    if (length > 0)
        st = check(in, nc_get_var_string(in->nc, v.id, strings), name, err);
    for (size_t i = 0; st == BOSC_OK && i < length; ++i)
        if (strings[i] == NULL)
            st = bosc_fail(err, BOSC_EFORMAT, "%s: %s[%zu]: is missing",
                           in->path, name, i);
    if (st != BOSC_OK) {
        bosc_input_free(strings, length);
        return st;
    }
    *out = strings;
    *n = length;
    return BOSC_OK;
}

void bosc_input_free(char **strings, size_t n)
{
    if (strings != NULL)
        nc_free_string(n, strings);
    free(strings);
}
