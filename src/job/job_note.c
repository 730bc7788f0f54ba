/* job_note.c - where the entries of a job stand, and notes about them. */
#include "src/job/job_keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const bosc_yaml *bosc_entry_node(const bosc_yaml *root, const char *list, int i,
                                 const char *key)
{
    const bosc_yaml *all = bosc_yaml_get(root, list);

    /* kinds of artificial cells are no entries of the text */
    if (all == NULL || (size_t)i >= all->n)
        return all != NULL ? all : root;

    const bosc_yaml *entry = all->child[i];
    const bosc_yaml *own = key != NULL ? bosc_yaml_get(entry, key) : NULL;

    return own != NULL ? own : entry;
}

bosc_status bosc_job_note(bosc_job *job, const bosc_yaml *node, bosc_error *err,
                          const char *format, ...)
{
    bosc_error note;
    va_list args;

    va_start(args, format);
    vsnprintf(note.text, sizeof note.text, format, args);
    va_end(args);

    char *where = bosc_yaml_where(node);
    const bosc_status st =
        where != NULL ? bosc_warn(&job->notes, err, "%s: %s", where, note.text)
                      : bosc_no_memory(err, "the notes");

    free(where);
    return st;
}
