#include "src/mods/headers.h"

#include "kernels/base/circular.h"
#include "kernels/base/elementary.h"
#include "kernels/base/random.h"
#include "kernels/mech/emitted.h"
#include "kernels/mech/object.h"
#include "kernels/mech/relax.h"
#include "src/base/status.h"

/* Included above, or by those, or named in local.mk, so that make knows that
 * they are used here; the assembler looks for files where the compiler does. */
#define HEADER(name, path)                                                     \
    __asm__(".section .rodata\n"                                               \
            ".global bosc_mods_text_" #name "\n"                               \
            "bosc_mods_text_" #name ":\n"                                      \
            ".incbin \"" path "\"\n"                                           \
            ".global bosc_mods_end_" #name "\n"                                \
            "bosc_mods_end_" #name ":\n"                                       \
            ".byte 0\n"                                                        \
            ".previous\n");                                                    \
    extern const char bosc_mods_text_##name[], bosc_mods_end_##name[];

#include "src/mods/header_list.h"
#undef HEADER

const bosc_mods_header *bosc_mods_headers(int *n)
{
#define HEADER(name, path) {path, bosc_mods_text_##name, bosc_mods_end_##name},
    static const bosc_mods_header all[] = {
#include "src/mods/header_list.h"
    };
#undef HEADER

    *n = (int)BOSC_LEN(all);
    return all;
}
