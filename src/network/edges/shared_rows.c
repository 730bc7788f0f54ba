#include "src/network/edges/shared_rows.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/path.h"

enum { ROWS = 1 << 15 /* of a block */ };

/* The columns that the file has, and a block of rows. */
typedef struct block {
    bosc_table *table; /* at rank 0 */
    bool has[BOSC_TABLE_MAX_COLUMNS], has_lines;
    int n_sent; /* columns that are sent */
    double *rows;
    uint64_t n;
    int64_t at; /* rows taken: of several that are wrong the first is told */
} block;

/* Open the file at rank 0: what has it? */
static bosc_status open_table(const bosc_shared_rows *r, block *b,
                              bosc_error *err)
{
    char *path = bosc_path_join(r->job->folder, r->path);
    bosc_status st = path == NULL ? bosc_no_memory(err, r->path)
                                  : bosc_table_open(r->job->files, path,
                                                    r->where, r->n_columns,
                                                    r->columns, &b->table, err);

    free(path);
    for (int c = 0; c < r->n_columns && st == BOSC_OK; ++c)
        b->has[c] = bosc_table_has(b->table, c);
    b->has_lines = st == BOSC_OK && bosc_table_line(b->table) > 0;
    return st;
}

/* The next rows at rank 0, in as many numbers as are sent; none at the end. */
static bosc_status next_block(const bosc_shared_rows *r, block *b,
                              bosc_error *err)
{
    const size_t n_columns = (size_t)r->n_columns;
    double *to = b->rows;
    size_t got = 0;
    const bosc_status st = bosc_table_next(b->table, ROWS, b->rows, &got, err);

    b->n = got;
    for (size_t i = 0; i < got && (size_t)b->n_sent < n_columns; ++i)
        for (size_t c = 0; c < n_columns; ++c)
            if (b->has[c])
                *to++ = b->rows[i * n_columns + c];
    return st;
}

static bosc_status take_block(const bosc_shared_rows *r, block *b,
                              bosc_error *err)
{
    double row[BOSC_TABLE_MAX_COLUMNS];
    const double *from = b->rows;
    bosc_status st = BOSC_OK;

    for (int c = 0; c < r->n_columns; ++c)
        row[c] = r->columns[c].standard;
    for (uint64_t i = 0; i < b->n && st == BOSC_OK; ++i) {
        for (int c = 0; c < r->n_columns; ++c)
            if (b->has[c])
                row[c] = *from++;
        st = r->take(r->what, row, err);
        b->at += st == BOSC_OK;
    }
    return st;
}

/* Every rank knows what the file has. */
static bosc_status begin(const bosc_comm *comm, const bosc_shared_rows *r,
                         block *b, bosc_error *err)
{
    bosc_status st = comm->rank == 0 ? open_table(r, b, err) : BOSC_OK;

    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        return st;
    bosc_bcast(comm, b->has, sizeof b->has, 0);
    bosc_bcast(comm, &b->has_lines, sizeof b->has_lines, 0);
    for (int c = 0; c < r->n_columns; ++c)
        b->n_sent += b->has[c];
    b->rows =
        bosc_alloc(ROWS * (size_t)(comm->rank == 0 ? r->n_columns : b->n_sent),
                   sizeof *b->rows);
    st = b->rows == NULL ? bosc_no_memory(err, r->path) : BOSC_OK;
    if (st == BOSC_OK && r->begin != NULL)
        st = r->begin(r->what, b->has, b->has_lines, err);
    return st;
}

bosc_status bosc_shared_rows_read(const bosc_comm *comm,
                                  const bosc_shared_rows *r, bosc_error *err)
{
    block b = {.n = 1};
    bosc_status st = begin(comm, r, &b, err);

    while ((st = bosc_agree_item(comm, b.at, st, err)) == BOSC_OK && b.n > 0) {
        if (comm->rank == 0)
            st = next_block(r, &b, err);
        if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
            break;
        bosc_bcast(comm, &b.n, sizeof b.n, 0);
        bosc_bcast(comm, b.rows, b.n * (size_t)b.n_sent * sizeof *b.rows, 0);
        st = take_block(r, &b, err);
    }
    bosc_table_close(b.table);
    free(b.rows);
    return st;
}
