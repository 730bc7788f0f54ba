#include "src/morphology/read/type_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "src/morphology/swc.h"

static const struct {
    const char *word;
    int32_t type;
} words[] = {
    {"apic", BOSC_SWC_APICAL},    {"axon", BOSC_SWC_AXON},
    {"soma", BOSC_SWC_SOMA},      {"dend", BOSC_SWC_DENDRITE},
    {"basal", BOSC_SWC_DENDRITE},
};

static bool has_word(const char *name, const char *word)
{
    const size_t n = strlen(word);

    for (; *name != '\0'; ++name) {
        size_t k = 0;

        while (k < n && tolower((unsigned char)name[k]) == word[k])
            ++k;
        if (k == n)
            return true;
    }
    return false;
}

int32_t bosc_type_of_name(const char *name)
{
    int32_t type = BOSC_SWC_UNDEFINED;

    for (size_t i = 0; i < BOSC_LEN(words); ++i) {
        if (!has_word(name, words[i].word))
            continue;
        if (type == BOSC_SWC_UNDEFINED)
            type = words[i].type;
        else if (type != words[i].type && !(type == BOSC_SWC_APICAL &&
                                            words[i].type == BOSC_SWC_DENDRITE))
            return BOSC_SWC_UNDEFINED;
    }
    return type;
}
