#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/model/c_parse.h"

/* ---- text ---- */

char *bosc_nm_c_squeeze(bosc_nm_arena *arena, const char *code)
{
    char *out = bosc_nm_new(arena, strlen(code) + 1, 1);
    size_t n = 0;

    while (*code != '\0') {
        if (strncmp(code, "//", 2) == 0 || *code == '#') {
            code += strcspn(code, "\r\n");
        } else if (strncmp(code, "/*", 2) == 0) {
            const char *end = strstr(code + 2, "*/");

            code = end == NULL ? code + strlen(code) : end + 2;
        } else if (isspace((unsigned char)*code)) {
            if (n > 0 && out[n - 1] != ' ' && out[n - 1] != ';')
                out[n++] = ' ';
            ++code;
        } else {
            if (*code == ';' && n > 0 && out[n - 1] == ' ')
                --n;
            out[n++] = *code++;
        }
    }
    while (n > 0 && out[n - 1] == ' ')
        --n;
    out[n] = '\0';
    return out;
}

const char *bosc_nm_c_skip_blank(const char *text)
{
    return text + strspn(text, " ");
}

/* Behind a bracket that opens at the text: behind its end, or the end. */
const char *bosc_nm_c_behind_bracket(const char *text)
{
    int depth = 0;

    for (; *text != '\0'; ++text) {
        depth += *text == '(' || *text == '{';
        depth -= *text == ')' || *text == '}';
        if (depth == 0)
            return text + 1;
    }
    return text;
}

const char *bosc_nm_c_behind(const char *text)
{
    if (strncmp(text, "if", 2) == 0 && strchr("( ", text[2]) != NULL &&
        text[2] != '\0') {
        text = bosc_nm_c_skip_blank(
            bosc_nm_c_behind_bracket(bosc_nm_c_skip_blank(text + 2)));
        text =
            bosc_nm_c_skip_blank(*text == '{' ? bosc_nm_c_behind_bracket(text)
                                              : bosc_nm_c_behind(text));
        if (strncmp(text, "else", 4) == 0)
            text = bosc_nm_c_behind(bosc_nm_c_skip_blank(text + 4));
        return text;
    }
    if (*text == '{')
        return bosc_nm_c_behind_bracket(text);
    while (*text != '\0' && *text != ';')
        text = *text == '(' || *text == '{' ? bosc_nm_c_behind_bracket(text)
                                            : text + 1;
    return text + (*text == ';');
}

bool bosc_nm_c_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t bosc_nm_c_word_length(const char *text)
{
    size_t n = 0;

    while (bosc_nm_c_is_word(text[n]))
        ++n;
    return isdigit((unsigned char)text[0]) ? 0 : n;
}

/* ---- tokens ---- */

bool bosc_nm_c_fail(bosc_nm_c *c)
{
    if (c->unknown == NULL)
        c->unknown = c->text;
    return false;
}

/* Is this what comes next?  A word ends with it. */
bool bosc_nm_c_sees(bosc_nm_c *c, const char *token)
{
    const size_t n = strlen(token);

    c->text = bosc_nm_c_skip_blank(c->text);
    return strncmp(c->text, token, n) == 0 &&
           !(bosc_nm_c_is_word(token[n - 1]) && bosc_nm_c_is_word(c->text[n]));
}

bool bosc_nm_c_take(bosc_nm_c *c, const char *token)
{
    if (!bosc_nm_c_sees(c, token))
        return false;
    c->text += strlen(token);
    return true;
}

bool bosc_nm_c_expect(bosc_nm_c *c, const char *token)
{
    return bosc_nm_c_take(c, token) || bosc_nm_c_fail(c);
}

/* The next word, or NULL. */
const char *bosc_nm_c_take_word(bosc_nm_c *c)
{
    const char *text = c->text = bosc_nm_c_skip_blank(c->text);
    const size_t n = bosc_nm_c_word_length(text);

    c->text += n;
    return n == 0 ? NULL : bosc_nm_copy(c->arena, text, n);
}

/* Words of a type that stand next; false: none does. */
bool bosc_nm_c_take_type(bosc_nm_c *c, bosc_nm_c_type *type, bool *constant,
                         bool *outside)
{
    static const struct {
        const char *word;
        bosc_nm_c_type type;
    } types[] = {{"double", BOSC_NM_C_DOUBLE}, {"int", BOSC_NM_C_INT},
                 {"unsigned", BOSC_NM_C_INT},  {"long", BOSC_NM_C_INT},
                 {"float", BOSC_NM_C_DOUBLE},  {"uint32_t", BOSC_NM_C_INT},
                 {"void", BOSC_NM_C_POINTER},  {"char", BOSC_NM_C_POINTER}};
    bool found = false, more = true;

    *constant = *outside = false;
    while (more) {
        more = false;
        if (bosc_nm_c_take(c, "static") || bosc_nm_c_take(c, "const"))
            more = *constant = true;
        if (bosc_nm_c_take(c, "extern"))
            more = *outside = true;
        for (size_t i = 0; i < BOSC_LEN(types); ++i)
            if (bosc_nm_c_take(c, types[i].word)) {
                more = found = true;
                *type = types[i].type;
            }
    }
    return found;
}

/* ---- C of the file ---- */

/* The next use of a name as a word, or NULL. */
static const char *find_word(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; ++at)
        if ((at == text || !bosc_nm_c_is_word(at[-1])) &&
            !bosc_nm_c_is_word(at[n]))
            return at;
    return NULL;
}

const char *bosc_nm_c_function(bosc_nm_arena *arena, const char *text,
                               const char *name, bosc_nm_list *arguments,
                               bool *value)
{
    bosc_nm_c c = {.arena = arena};
    const char *at = text, *body = NULL, *cuts = "", *start;
    bool constant, outside;
    bosc_nm_c_type type;

    while (body == NULL && (at = find_word(at, name)) != NULL) {
        c.text = at + strlen(name);
        if (bosc_nm_c_sees(&c, "(")) {
            body = bosc_nm_c_skip_blank(bosc_nm_c_behind_bracket(c.text));
            body = *body == '{' ? body : NULL;
        }
        at += strlen(name);
    }
    if (body == NULL)
        return NULL;
    bosc_nm_c_take(&c, "(");
    while (!bosc_nm_c_take(&c, ")")) {
        bosc_nm_item *item = bosc_nm_new(arena, 1, sizeof *item);

        if (!bosc_nm_c_take_type(&c, &type, &constant, &outside) ||
            type == BOSC_NM_C_POINTER)
            return NULL;
        item->name = bosc_nm_c_take_word(&c);
        item->unit = "";
        if (item->name == NULL ||
            (!bosc_nm_c_take(&c, ",") && !bosc_nm_c_sees(&c, ")")))
            return NULL;
        if (type == BOSC_NM_C_INT)
            cuts = bosc_nm_text(arena, "%s%s = (int)%s;", cuts, item->name,
                                item->name);
        bosc_nm_push(arena, arguments, item);
    }
    /* the type stands before the name */
    start = at - strlen(name);
    while (start > text && strchr(";}", start[-1]) == NULL)
        --start;
    c.text = start;
    if (!bosc_nm_c_take_type(&c, &type, &constant, &outside) ||
        type == BOSC_NM_C_INT)
        return NULL;
    *value = type == BOSC_NM_C_DOUBLE;
    return bosc_nm_text(arena, "%s%.*s", cuts,
                        (int)(bosc_nm_c_behind_bracket(body) - body), body);
}

bool bosc_nm_c_define(const char *code, const char *name, double *value)
{
    const char *at = code;
    char *end;

    while ((at = strstr(at, "#define")) != NULL) {
        at += strlen("#define");
        at += strspn(at, " \t");
        if (bosc_nm_c_word_length(at) != strlen(name) ||
            strncmp(at, name, strlen(name)) != 0)
            continue;
        at += strlen(name);
        at += strspn(at, " \t(");
        *value = strtod(at, &end);
        return end != at && strchr(" \t\r\n)", *end) != NULL;
    }
    return false;
}
