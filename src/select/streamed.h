/* streamed.h - neurons that are not computed as their method is called, in
 * words.
 *
 * Serial code: no MPI, no files.
 */
#ifndef BOSC_SRC_SELECT_STREAMED_H
#define BOSC_SRC_SELECT_STREAMED_H

#include "kernels/step/limits.h"

enum { BOSC_STREAMED_TEXT = 120 };

/* "all neurons streamed (mod files)", "12 of 4,096 neurons streamed (too
 * large)", "": none is; into the buffer, which is returned. */
const char *bosc_streamed_say(const bosc_streamed *streamed,
                              char text[BOSC_STREAMED_TEXT]);

/* All neurons, for this of their job; "" without. */
const char *bosc_streamed_say_all(const bosc_limit *limit,
                                  char text[BOSC_STREAMED_TEXT]);

#endif
