/* Lines of texts: where they end, and that a file's are those of memory. */
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/status.h"
#include "src/text/lines.h"
#include "tests/lib/tap.h"

static const struct {
    const char *name, *text, *want; /* "number:line " for each */
} cases[] = {
    {"LF ends a line", "a\nbc\n", "1:a 2:bc "},
    {"so does CR", "a\rbc\r", "1:a 2:bc "},
    {"CR LF ends one line", "a\r\nbc\r\n", "1:a 2:bc "},
    {"so does CR CR LF", "a\r\r\nbc\r\r\r\nd", "1:a 2:bc 3:d "},
    {"ends may differ", "a\rb\nc\r\nd", "1:a 2:b 3:c 4:d "},
    {"LF CR are two ends", "a\n\rb", "1:a 3:b "},
    {"CR CR are two ends where no LF follows", "a\r\rb", "1:a 3:b "},
    {"empty lines count, and are not given", "\n\r\n\ra\n\n\nb\n\n",
     "4:a 7:b "},
    {"blanks are a line", " \n\t\n", "1:  2:\t "},
    {"the last line needs no end", "a", "1:a "},
    {"a text may be empty", "", ""},
    {"a byte order mark is left out",
     "\xef\xbb\xbf"
     "a\n",
     "1:a "},
    {"only at the beginning", "a\n\xef\xbb\xbf", "1:a 2:\xef\xbb\xbf "},
    {"half of one is kept", "\xef\xbb", "1:\xef\xbb "},
};

/* The lines as "number:line " each, and the number of the line where the text
 * ends. */
static char *describe(bosc_lines *lines, int64_t *last)
{
    size_t room = 0, n = 0;
    char *text = NULL;

    while (bosc_lines_next(lines)) {
        const size_t length = (size_t)(lines->end - lines->begin);

        if (!bosc_grow(&text, &room, n + length + 30, 1))
            exit(1);
        n += (size_t)sprintf(text + n, "%lld:", (long long)lines->number);
        memcpy(text + n, lines->begin, length);
        n += length;
        text[n++] = ' ';
        text[n] = '\0';
    }
    *last = lines->number;
    return n > 0 ? text : bosc_strdup("");
}

/* The same of a file with these bytes. */
static char *describe_file(const char *bytes, size_t n, int64_t *last)
{
    FILE *file = tmpfile();
    bosc_lines lines;
    char *text;

    if (file == NULL || fwrite(bytes, 1, n, file) != n) {
        printf("Bail out! no temporary file\n");
        exit(1);
    }
    rewind(file);
    if (!bosc_lines_open(file, &lines))
        exit(1);
    text = describe(&lines, last);
    bosc_lines_close(&lines);
    fclose(file);
    return text;
}

static void test_cases(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        const size_t n = strlen(cases[i].text);
        bosc_lines lines = bosc_lines_of(cases[i].text, n);
        int64_t last[2];
        char *memory = describe(&lines, &last[0]),
             *file = describe_file(cases[i].text, n, &last[1]);

        if (!ok(strcmp(memory, cases[i].want) == 0, "%s", cases[i].name))
            diag("got: %s", memory);
        ok(strcmp(file, memory) == 0 && last[0] == last[1],
           "%s: in a file, too", cases[i].name);
        free(memory);
        free(file);
    }
}

/* Ends and lines of every length across the pieces of a file. */
static void test_pieces(void)
{
    enum { BYTES = 5 * BOSC_LONGEST_LINE };
    static const char letters[] = "\r\n\r\n\r\nabcd";
    char *text = bosc_alloc(BYTES, 1);
    uint32_t state = 7;
    int64_t last[2];

    for (size_t i = 0; i < BYTES; ++i) {
        state = state * 1664525 + 1013904223;
        text[i] = letters[(state >> 16) % (sizeof letters - 1)];
        if (i % 5000 < 2000)
            text[i] = i % 10000 < 2000 ? 'x' : '\r';
    }

    bosc_lines lines = bosc_lines_of(text, BYTES);
    char *memory = describe(&lines, &last[0]);
    char *file = describe_file(text, BYTES, &last[1]);

    ok(strcmp(file, memory) == 0 && last[0] == last[1] && last[0] > 100000,
       "a file read in pieces has the lines of one in memory");
    free(text);
    free(memory);
    free(file);
}

static void test_long_lines(void)
{
    enum { LONG = 3 * BOSC_LONGEST_LINE };
    char *text = bosc_alloc(LONG, 1);
    FILE *file = tmpfile();
    bosc_lines lines = bosc_lines_of(text, LONG);

    memset(text, '7', LONG);
    memcpy(text, "1\n2\n", 4);
    if (file == NULL || fwrite(text, 1, LONG, file) != LONG)
        exit(1);
    rewind(file);
    ok(bosc_lines_next(&lines) && bosc_lines_next(&lines) &&
           bosc_lines_next(&lines) && lines.end - lines.begin == LONG - 4 &&
           lines.last && !lines.too_long,
       "a line in memory may have any length");
    if (!bosc_lines_open(file, &lines))
        exit(1);
    ok(bosc_lines_next(&lines) && bosc_lines_next(&lines) && !lines.too_long &&
           !lines.last && !bosc_lines_next(&lines) && lines.too_long &&
           lines.number == 3,
       "one in a file is told when it is too long");
    bosc_lines_close(&lines);
    fclose(file);
    free(text);
}

/* Is a line of so many bytes of a file given?  'end' comes after it. */
static bool is_given(size_t bytes, const char *end)
{
    char *text = bosc_alloc(bytes, 1);
    FILE *file = tmpfile();
    bosc_lines lines;
    bool given;

    memset(text, '7', bytes);
    if (file == NULL || fwrite(text, 1, bytes, file) != bytes ||
        fputs(end, file) < 0)
        exit(1);
    rewind(file);
    if (!bosc_lines_open(file, &lines))
        exit(1);
    given = bosc_lines_next(&lines) && !lines.too_long &&
            lines.end - lines.begin == (ptrdiff_t)bytes && lines.number == 1 &&
            lines.last == (end[0] == '\0') &&
            bosc_lines_next(&lines) == (strchr(end, '1') != NULL);
    bosc_lines_close(&lines);
    fclose(file);
    free(text);
    return given;
}

static void test_longest_line(void)
{
    static const char *const ends[] = {"", "\n", "\r\n", "\n1\n"};

    for (size_t i = 0; i < BOSC_LEN(ends); ++i) {
        ok(is_given(BOSC_LONGEST_LINE - 1, ends[i]) &&
               is_given(BOSC_LONGEST_LINE, ends[i]),
           "a line of a file may have as many bytes as that");
        ok(!is_given(BOSC_LONGEST_LINE + 1, ends[i]), "and no more");
    }
}

static void test_failing_file(void)
{
    FILE *file = fopen("/", "rb"); /* opens, and cannot be read */
    bosc_lines lines;

    if (file == NULL || !bosc_lines_open(file, &lines))
        exit(1);
    ok(!bosc_lines_next(&lines) && ferror(file),
       "a file that cannot be read has no lines");
    bosc_lines_close(&lines);
    fclose(file);
}

int main(void)
{
    test_cases();
    test_pieces();
    test_long_lines();
    test_longest_line();
    test_failing_file();
    return done_testing();
}
