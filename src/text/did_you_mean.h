/* did_you_mean.h - "did you mean": the word that a mistyped one is closest to.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_TEXT_DID_YOU_MEAN_H
#define BOSC_SRC_TEXT_DID_YOU_MEAN_H

#include <stdbool.h>
#include <stddef.h>

/* True if 'word' is one of names[n]. */
bool bosc_is_among(const char *word, size_t n, const char *const *names);

/* The one of names[n] with the fewest letters inserted, left out, changed or
 * swapped against 'word' (case does not count), if it is close enough to be
 * meant: at most one in three letters, and in a word of up to three not the
 * first one, which distinguishes conductances from voltages (gna, ena).  Ties
 * go to the earlier name.  NULL: none. */
const char *bosc_suggest(const char *word, size_t n, const char *const *names);

/* 'intro' and the names, "there are a, b"; cut with "..." where the buffer is
 * too small.  Returns the buffer. */
const char *bosc_join_names(const char *intro, size_t n,
                            const char *const *names, char *buffer,
                            size_t size);

/* "did you mean 'dt'?", or, where nothing is close, 'intro' and the names;
 * written into the buffer, which is returned. */
const char *bosc_did_you_mean(const char *word, size_t n,
                              const char *const *names, const char *intro,
                              char *buffer, size_t size);

#endif
