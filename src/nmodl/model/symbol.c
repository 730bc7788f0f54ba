/* symbol.c - the symbols of a mechanism. */
#include <string.h>

#include "src/nmodl/model/model.h"

bosc_nm_symbol *bosc_nm_symbol_create(bosc_nm_arena *arena,
                                      bosc_nm_symbol_kind kind,
                                      const char *name)
{
    bosc_nm_symbol *s = bosc_nm_new(arena, 1, sizeof *s);

    s->kind = kind;
    s->number = bosc_nm_arena_count(arena);
    s->name = name;
    s->unit = "";
    return s;
}

bosc_nm_symbol *bosc_nm_find(const bosc_nm_mechanism *mechanism,
                             const char *name)
{
    for (int i = 0; i < mechanism->symbols.n; ++i) {
        bosc_nm_symbol *s = mechanism->symbols.item[i];

        if (strcmp(s->name, name) == 0)
            return s;
    }
    return NULL;
}
