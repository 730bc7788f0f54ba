/* object.h - what a shared object with mechanisms gives to bosc.
 *
 * 'bosc mods build' makes such an object of mod files (src/mods/); it has one
 * symbol, BOSC_MECH_OBJECT.  Version and size stand first and stay there, so
 * that a bosc that knows another version can say so.
 */
#ifndef BOSC_KERNELS_MECH_OBJECT_H
#define BOSC_KERNELS_MECH_OBJECT_H

#include "kernels/mech/mech.h"

/* Counts the changes of what is below, of mech.h, and of what the text of a
 * mechanism has for GPUs (src/nmodl/emit/emit_cuda.c). */
enum { BOSC_MECH_ABI = 8 };

#define BOSC_MECH_OBJECT bosc_mech_object_of_mods
#define BOSC_MECH_OBJECT_NAME "bosc_mech_object_of_mods"

/* The text of NAME.mod.h as bosc_text_NAME, which the assembler looks for where
 * the compiler does. */
#define BOSC_MECH_EMBED(NAME)                                                  \
    __asm__(".section .rodata\n"                                               \
            ".global bosc_text_" #NAME "\n"                                    \
            ".hidden bosc_text_" #NAME "\n"                                    \
            "bosc_text_" #NAME ":\n"                                           \
            ".incbin \"" #NAME ".mod.h\"\n"                                    \
            ".byte 0\n"                                                        \
            ".previous\n");                                                    \
    extern __attribute__((visibility("hidden"))) const char bosc_text_##NAME[];

typedef struct bosc_mech_object {
    uint32_t abi;                 /* BOSC_MECH_ABI */
    uint32_t size;                /* of this struct */
    uint32_t mech_size;           /* of a bosc_mech */
    int32_t n;                    /* mechanisms */
    const bosc_mech *const *mech; /* [n] */
} bosc_mech_object;

#endif
