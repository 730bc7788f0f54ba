#include "src/table/fields.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bosc_field trim(const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin))
        ++begin;
    while (begin < end && is_blank(end[-1]))
        --end;
    return (bosc_field){begin, end};
}

static bosc_field unquote(bosc_field f)
{
    if (f.end - f.begin < 2 || *f.begin != '"' || f.end[-1] != '"')
        return f;
    return trim(f.begin + 1, f.end - 1);
}

/* Whether the line has a 'c', and blanks only beside one: so commas separate in
 * "1, 2", and not in "0,5 2". */
static bool separates(char c, bosc_field line)
{
    char last = ' '; /* that is no blank */
    bool blank = false, found = false;

    for (const char *p = line.begin; p < line.end; ++p) {
        if (!is_blank(*p)) {
            if (blank && last != c && *p != c)
                return false;
            found = found || *p == c;
            last = *p;
        }
        blank = is_blank(*p);
    }
    return found;
}

char bosc_fields_separator(bosc_field line)
{
    return separates(';', line) ? ';' : separates(',', line) ? ',' : ' ';
}

const char *bosc_fields_separator_name(char separator)
{
    return separator == ' '   ? "tabs or blanks"
           : separator == ',' ? "commas"
                              : "semicolons";
}

int bosc_fields_split(bosc_field line, char separator, int most,
                      bosc_field *fields)
{
    const char *p = line.begin;
    const bool blanks = separator == ' ';
    int n = 0;

    for (;; ++n) {
        const char *begin = p;

        while (p < line.end && (blanks ? !is_blank(*p) : *p != separator))
            ++p;
        if (n < most)
            fields[n] = unquote(trim(begin, p));
        while (p < line.end && *p == ' ')
            ++p;
        if (p == line.end)
            break;
        p += *p == (blanks ? '\t' : separator);
        while (p < line.end && *p == ' ')
            ++p;
    }
    return n + 1;
}

bosc_field bosc_fields_line(const bosc_lines *lines)
{
    const char *begin = lines->begin, *end = lines->end;
    const char *comment = memchr(begin, '#', (size_t)(end - begin));

    end = comment != NULL ? comment : end;
    while (end > begin && is_blank(end[-1]))
        --end;
    while (begin < end && *begin == ' ')
        ++begin;
    return (bosc_field){begin, end};
}

bosc_field bosc_fields_join_units(bosc_field line, char *room)
{
    char *to = room;
    bool inside = false;

    for (const char *p = line.begin; p < line.end; ++p) {
        if (*p == '(' || *p == '[')
            for (inside = true; to > room && to[-1] == ' ';)
                --to;
        inside = inside && *p != ')' && *p != ']';
        if (!inside || *p != ' ')
            *to++ = *p;
    }
    return (bosc_field){room, to};
}

const char *bosc_fields_unit(bosc_field name)
{
    const char *p = name.begin;

    while (p < name.end && *p != '(' && *p != '[')
        ++p;
    return p;
}

bool bosc_fields_take_unit(bosc_field name, size_t size, char *text)
{
    const char *begin = bosc_fields_unit(name);
    const size_t n = (size_t)(name.end - begin);

    text[0] = '\0';
    if (n == 0)
        return true;
    if (n < 2 || n - 1 > size || name.end[-1] != (*begin == '(' ? ')' : ']'))
        return false;
    memcpy(text, begin + 1, n - 2);
    text[n - 2] = '\0';
    return true;
}

const char *bosc_field_show(bosc_field field, char text[BOSC_FIELD_SHOWN + 1])
{
    int n = 0;

    for (; n < BOSC_FIELD_SHOWN && field.begin + n < field.end; ++n)
        text[n] = (unsigned char)field.begin[n] < ' ' ? '?' : field.begin[n];
    text[n] = '\0';
    return text;
}
