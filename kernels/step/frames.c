#include "kernels/step/frames.h"

#include <stdlib.h>

#include "src/base/mem.h"

static bosc_status create_room(bosc_frame_room *room, int32_t n_sets,
                               bosc_error *err)
{
    room->n_sets = n_sets;
    return BOSC_ALLOC(err, "the frames of probes",
                      BOSC_ARRAY(room->capacity, n_sets),
                      BOSC_ARRAY(room->values, n_sets));
}

bosc_status bosc_frame_room_reserve(bosc_frame_room *room,
                                    const bosc_batch *batch, int64_t from,
                                    int64_t to, bosc_error *err)
{
    bosc_status st =
        room->values == NULL ? create_room(room, batch->n_sets, err) : BOSC_OK;

    for (int32_t s = 0; st == BOSC_OK && s < batch->n_sets; ++s) {
        const bosc_reading_set *set = &batch->sets[s];
        const int64_t n = bosc_frames_of(&set->at, from, to).n;

        if (!bosc_grow(&room->values[s], &room->capacity[s],
                       (size_t)n * (size_t)bosc_reading_given(set),
                       sizeof(double)))
            st = bosc_fail(err, BOSC_ENOMEM,
                           "out of memory for %lld frames of %td probes; "
                           "record fewer or less often",
                           (long long)n, set->n);
    }
    return st;
}

void bosc_frame_room_clear(bosc_frame_room *room)
{
    for (int32_t s = 0; room->values != NULL && s < room->n_sets; ++s)
        free(room->values[s]);
    free(room->values);
    free(room->capacity);
    free(room->spikes);
    *room = (bosc_frame_room){0};
}

double bosc_frame_room_bytes(double n_values)
{
    return n_values * sizeof(double);
}
