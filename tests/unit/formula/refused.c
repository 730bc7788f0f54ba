/* What is no formula is refused, with its column. */
#include <stdlib.h>
#include <string.h>

#include "src/formula/formula.h"
#include "tests/lib/tap.h"

static const char *const names[] = {"distance", "value", "diam"};

static const struct {
    const char *text, *message;
} cases[] = {
    {"", "column 1: the formula ends where a number, a name or '(' is "
         "expected"},
    {"  ", "column 3: the formula ends where"},
    {"2 +", "column 4: the formula ends where a number, a name or '('"},
    {"2 + * 3", "column 5: '*' stands where a number, a name or '('"},
    {"2(3)", "column 2: '(' stands where an operator or the end"},
    {"2 3", "column 3: '3' stands where an operator or the end"},
    {"1.2.3", "column 4: '.3' stands where an operator"},
    {"0x10", "column 2: 'x10' stands where an operator"},
    {"1_000", "column 2: '_000' stands where an operator"},
    {"3e", "column 2: 'e' stands where an operator"},
    {"inf", "column 1: there is no name 'inf'; there are distance, value, "
            "diam"},
    {"1e999", "column 1: this number is too large"},
    {".", "column 1: '.' stands where a number"},
    {"distnce*2", "column 1: there is no name 'distnce'; did you mean "
                  "'distance'?"},
    {"2*Distance", "column 3: there is no name 'Distance'; did you mean "
                   "'distance'?"},
    {"1+foo", "column 3: there is no name 'foo'; there are distance, value, "
              "diam"},
    {"exp", "column 1: 'exp' is a function; write exp(...)"},
    {"1+distance(2)", "column 3: 'distance' is no function; is a '*' "
                      "missing?"},
    {"expp(1)", "column 1: there is no function 'expp'; did you mean 'exp'?"},
    {"system(1)", "column 1: there is no function 'system'; there are exp"},
    {"math.sqr(1)", "column 6: there is no function 'sqr'; did you mean "
                    "'sqrt'?"},
    {"math.distance", "column 6: 'distance' stands where the name of a "
                      "function"},
    {"np.", "column 4: the formula ends where the name of a function"},
    {"os.exp(1)", "column 1: there is no name 'os'"},
    {"exp()", "column 1: 'exp' takes 1 argument, not 0"},
    {"exp(1, 2)", "column 1: 'exp' takes 1 argument, not over 1"},
    {"1+pow(2)", "column 3: 'pow' takes 2 arguments, not 1"},
    {"pow(1,2,3)", "column 1: 'pow' takes 2 arguments, not over 2"},
    {"min(1)", "column 1: 'min' takes 2 or more arguments, not 1"},
    {"if(1, 2)", "column 1: 'if' takes 3 arguments, not 2"},
    {"if(1, 2, 3, 4)", "column 1: 'if' takes 3 arguments, not over 3"},
    {"pow(1,)", "column 7: ')' stands where a number"},
    {"exp(,)", "column 5: ',' stands where a number"},
    {"(1 + (2)", "column 1: this bracket is not closed"},
    {"1 + exp(2", "column 8: this bracket is not closed"},
    {"(1 2)", "column 4: '2' stands where an operator or ')'"},
    {"1)", "column 2: ')' stands where an operator or the end"},
    {"{value", "column 1: this bracket is not closed"},
    {"{value:.3f}", "column 7: ':' stands where '}' is expected"},
    {"{}", "column 2: '}' stands where a name"},
    {"{pi}", "column 2: there is no name 'pi'"},
    {"{vlaue}", "column 2: there is no name 'vlaue'; did you mean 'value'?"},
    {"1 < 2 < 3", "column 7: a third value is compared; write a < b and b < "
                  "c"},
    {"1 == 2 != 3", "column 8: a third value is compared"},
    {"1 = 2", "column 3: '=' stands where an operator or the end is expected; "
              "'==' compares"},
    {"1 & 2", "column 3: '&' stands where an operator or the end is expected; "
              "write 'and'"},
    {"1 | 2", "column 3: '|' stands where an operator or the end is expected; "
              "write 'or'"},
    {"1 ? 2 : 3", "column 3: '?' stands where an operator or the end is "
                  "expected; write if(condition, a, b)"},
    {"3 % 2", "column 3: '%' stands where an operator or the end"},
    {"3 // 2", "column 4: '/' stands where a number"},
    {"1 \xe2\x88\x92 2", "column 3: '\xe2\x88\x92' stands where an operator "
                         "or the end is expected; write '-'"},
    {"\xff", "column 1: byte 0xff stands where"},
    {"\xe2\x88", "column 1: '\xe2\x88' stands where"},
    {"1\x01", "column 2: byte 0x01 stands where"},
    {"1 if 2", "column 7: the formula ends where an operator or 'else'"},
    {"1 if 2 3", "column 8: '3' stands where an operator or 'else'"},
    {"1 else 2", "column 3: 'else' stands where an operator or the end"},
    {"else", "column 1: 'else' stands where a number"},
    {"3 + not 1", "column 5: 'not' stands where a number"},
    {"3 andvalue", "column 3: 'andvalue' stands where an operator"},
    {"value; 2", "column 6: ';' stands where an operator"},
    {"value # x", "column 7: '#' stands where an operator"},
    {"\"a\"", "column 1: '\"' stands where a number"},
    {"lambda: 1", "column 1: there is no name 'lambda'"},
};

static bosc_status parse(const char *text, bosc_error *err)
{
    bosc_formula *f = NULL;
    const bosc_status st =
        bosc_formula_parse(text, BOSC_LEN(names), names, &f, err);

    if (st != BOSC_OK && f != NULL)
        return BOSC_EINTERNAL;
    bosc_formula_destroy(f);
    return st;
}

/* 'open' n times, "1", 'close' n times. */
static bosc_status parse_nested(int n, const char *open, const char *close,
                                bosc_error *err)
{
    static char text[BOSC_FORMULA_LONGEST + 1];

    text[0] = '\0';
    for (int i = 0; i < n; ++i)
        strcat(text, open);
    strcat(text, "1");
    for (int i = 0; i < n; ++i)
        strcat(text, close);
    return parse(text, err);
}

static void test_depth(void)
{
    static const char *const kinds[][2] = {
        {"(", ")"},       {"exp(", ")"},        {"if(1,2,", ")"},
        {"2^", ""},       {"1 if 0 else ", ""}, {"1 or 1 and 1<1+1*1^(", ")"},
        {"min(1,1,", ")"}};
    bosc_error err = {""};

    for (size_t i = 0; i < BOSC_LEN(kinds); ++i) {
        const char *open = kinds[i][0], *close = kinds[i][1];

        ok(parse_nested(BOSC_FORMULA_DEEPEST / 2 - 1, open, close, &err) ==
               BOSC_OK,
           "31 of '%s' within one another are taken", open);
        ok(parse_nested(BOSC_FORMULA_DEEPEST, open, close, &err) ==
                   BOSC_EFORMAT &&
               strstr(err.text, ": more than 64 levels of brackets") != NULL,
           "64 more are refused");
    }
    ok(parse_nested(BOSC_FORMULA_DEEPEST - 1, "(", ")", &err) == BOSC_OK,
       "63 brackets are taken");
}

/* n characters of which each is a copy of 'with'. */
static bosc_status parse_long(size_t n, const char *with, const char *last,
                              bosc_error *err)
{
    char *text = calloc(n + 10, 1);
    bosc_status st;

    if (text == NULL)
        return BOSC_ENOMEM;
    while (strlen(text) + strlen(with) + strlen(last) <= n)
        strcat(text, with);
    strcat(text, last);
    st = parse(text, err);
    free(text);
    return st;
}

static void test_length(void)
{
    bosc_error err = {""};

    ok(parse_long(BOSC_FORMULA_LONGEST, "1+", "1", &err) == BOSC_OK,
       "4096 characters are taken");
    ok(parse_long(BOSC_FORMULA_LONGEST, "-", "1", &err) == BOSC_OK &&
           parse_long(BOSC_FORMULA_LONGEST, "not ", "1", &err) == BOSC_OK,
       "as many signs, too");
    ok(parse_long(BOSC_FORMULA_LONGEST + 1, " ", "1", &err) == BOSC_EFORMAT &&
           strcmp(err.text, "column 4097: a formula has at most 4096 "
                            "characters, not 4097") == 0,
       "more are refused");
    ok(parse_long(100000, "(", "1", &err) == BOSC_EFORMAT &&
           parse_long(4000, "(", "1", &err) == BOSC_EFORMAT &&
           parse_long(4000, "2^", "1", &err) == BOSC_EFORMAT,
       "brackets by the thousand are refused");
    ok(parse_long(700, "1", "", &err) == BOSC_EFORMAT &&
           strcmp(err.text, "column 1: this number is too long") == 0,
       "a number of 700 digits is refused");
    ok(parse_long(3000, "a", "", &err) == BOSC_EFORMAT &&
           strlen(err.text) < 200,
       "a name of 3000 letters is shortened in the message");
}

int main(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_error err = {""};

        if (!ok(parse(cases[i].text, &err) == BOSC_EFORMAT &&
                    strncmp(err.text, cases[i].message,
                            strlen(cases[i].message)) == 0,
                "case %zu: %s", i, cases[i].message))
            diag("%s", err.text);
    }
    test_depth();
    test_length();
    return done_testing();
}
