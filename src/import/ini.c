#include "src/import/ini.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "src/text/lines.h"
#include "src/text/number.h"

/* Values within values; a value refers to itself beyond that. */
enum { DEEPEST = 10, LONGEST = 4096 };

/* A copy of what stands from 'begin' to 'end' without blanks around it. */
static const char *trim(bosc_import *imp, const char *begin, const char *end)
{
    while (begin < end && strchr(" \t", *begin) != NULL)
        ++begin;
    while (end > begin && strchr(" \t", end[-1]) != NULL)
        --end;
    return bosc_import_print(imp, "%.*s", (int)(end - begin), begin);
}

void bosc_ini_read(bosc_import *imp, const char *path, bosc_ini *ini)
{
    const char *text = bosc_import_read(imp, path), *section = "";
    bosc_lines lines = bosc_lines_of(text, strlen(text));

    ini->file = path;
    bosc_import_add(imp, &imp->files, path);
    while (imp->st == BOSC_OK && bosc_lines_next(&lines)) {
        const char *p = lines.begin, *sign;

        while (p < lines.end && strchr(" \t", *p) != NULL)
            ++p;
        if (p == lines.end || *p == '#' || *p == ';')
            continue;
        if (*p == '[' && lines.end[-1] == ']') {
            section = trim(imp, p + 1, lines.end - 1);
            continue;
        }
        for (sign = p; sign < lines.end && *sign != '=' && *sign != ':';)
            ++sign;
        if (sign == lines.end || p > lines.begin)
            bosc_import_fail(imp, BOSC_EFORMAT,
                             "%s:%lld: is neither '[section]' nor 'key = "
                             "value'; write a value in one line",
                             path, (long long)lines.number);
        else if (bosc_import_grow(imp, &ini->entry, &ini->capacity, ini->n + 1,
                                  sizeof *ini->entry))
            ini->entry[ini->n++] = (bosc_ini_entry){
                section, trim(imp, p, sign), trim(imp, sign + 1, lines.end),
                (int)lines.number};
    }
}

const bosc_ini_entry *bosc_ini_find(const bosc_ini *ini, const char *section,
                                    const char *key)
{
    const bosc_ini_entry *standard = NULL;

    for (size_t i = 0; i < ini->n; ++i)
        if (strcasecmp(ini->entry[i].key, key) == 0) {
            if (strcmp(ini->entry[i].section, section) == 0)
                return &ini->entry[i];
            if (strcmp(ini->entry[i].section, "DEFAULT") == 0)
                standard = &ini->entry[i];
        }
    return standard;
}

/* The value with its "%(key)s" replaced. */
static const char *expand(bosc_import *imp, const bosc_ini *ini,
                          const char *section, const bosc_ini_entry *entry,
                          int depth)
{
    const char *text = entry->value, *out = "";

    while (imp->st == BOSC_OK) {
        const char *percent = strchr(text, '%'), *end, *key;
        const bosc_ini_entry *other;

        if (percent == NULL)
            return bosc_import_print(imp, "%s%s", out, text);
        out =
            bosc_import_print(imp, "%s%.*s", out, (int)(percent - text), text);
        if (percent[1] == '%') {
            out = bosc_import_print(imp, "%s%%", out);
            text = percent + 2;
            continue;
        }
        end = percent[1] == '(' ? strchr(percent, ')') : NULL;
        key = end == NULL ? "" : trim(imp, percent + 2, end);
        other = bosc_ini_find(ini, section, key);
        if (end == NULL || end[1] != 's' || other == NULL || depth == 0 ||
            strlen(out) > LONGEST) {
            bosc_import_fail(imp, BOSC_EFORMAT,
                             "%s:%d: %s.%s: in '%s', '%%(%s)s' is no value of "
                             "[%s]; correct it, or write '%%%%' for '%%'",
                             ini->file, entry->line, section, entry->key,
                             entry->value, key, section);
            return "";
        }
        out = bosc_import_print(imp, "%s%s", out,
                                expand(imp, ini, section, other, depth - 1));
        text = end + 2;
    }
    return "";
}

const char *bosc_ini_text(bosc_import *imp, const bosc_ini *ini,
                          const char *section, const char *key,
                          const char *standard)
{
    const bosc_ini_entry *entry = bosc_ini_find(ini, section, key);

    if (entry != NULL)
        return expand(imp, ini, section, entry, DEEPEST);
    if (standard == NULL)
        bosc_import_fail(imp, BOSC_EFORMAT,
                         "%s: '%s' is missing in [%s]; is it the configuration "
                         "of EModelRunner?",
                         ini->file, key, section);
    return standard == NULL ? "" : standard;
}

const char *bosc_ini_number(bosc_import *imp, const bosc_ini *ini,
                            const char *section, const char *key,
                            const char *standard)
{
    const bosc_ini_entry *entry = bosc_ini_find(ini, section, key);
    const char *text = bosc_ini_text(imp, ini, section, key, standard);
    const char *end = text + strlen(text);
    double value = 0;

    if (imp->st == BOSC_OK &&
        (text == end || bosc_number_parse(text, end, &value) != end ||
         !isfinite(value)))
        bosc_import_fail(imp, BOSC_EFORMAT,
                         "%s:%d: %s.%s: is '%s' where a number is expected",
                         ini->file, entry == NULL ? 0 : entry->line, section,
                         key, text);
    return text;
}
