/* 16 threads read random slices through one handle, while others come and go. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 16, READS = 300 };

static clawh5_id file, datasets[2];

static uint64_t random_below(uint64_t *state, uint64_t n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % n;
}

static void *reads(void *seed) {
    uint64_t state = (uint64_t)(uintptr_t)seed;
    clawh5_error err;
    for (int i = 0; i < READS; i++) {
        uint64_t slab[6];
        const uint64_t dims[2] = {ROWS, COLUMNS};
        size_t n = 1;
        for (int d = 0; d < 2; d++) {
            slab[d] = random_below(&state, dims[d]);
            slab[2 + d] = 1 + random_below(&state, 3);
            slab[4 + d] = 1 + random_below(&state, (dims[d] - slab[d] - 1) / slab[2 + d] + 1);
            n *= slab[4 + d];
        }
        int32_t got[ROWS * COLUMNS];
        OK(clawh5_read_slab(datasets[i % 2], 2, slab, CLAWH5_MEMORY_INT32, got, n * sizeof *got, &err));
        for (uint64_t r = 0; r < slab[4]; r++)
            for (uint64_t c = 0; c < slab[5]; c++)
                CHECK(got[r * slab[5] + c] ==
                      (int32_t)((slab[0] + r * slab[2]) * COLUMNS + slab[1] + c * slab[3]));
    }
    return NULL;
}

static void *opens_and_closes(void *unused) {
    clawh5_error err;
    for (int i = 0; i < READS; i++) {
        clawh5_id d = 0, op = 0;
        int32_t got[ROWS * COLUMNS];
        OK(clawh5_object_open(file, "chunked", &d, &err));
        OK(clawh5_read_start(d, NULL, CLAWH5_MEMORY_NATIVE, got, sizeof got, &op, &err));
        OK(clawh5_close(d, &err));
        CHECK(clawh5_close(d, NULL) == CLAWH5_E_HANDLE);
        OK(clawh5_op_free(op, &err));
    }
    return unused;
}

/* One handle is closed by all threads at once: one of them succeeds. */
static clawh5_id contended;
static int closed;

static void *closes(void *unused) {
    if (clawh5_close(contended, NULL) == CLAWH5_OK) __atomic_add_fetch(&closed, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void run(void *(*f)(void *), int n) {
    pthread_t threads[THREADS];
    for (int i = 0; i < n; i++) CHECK(pthread_create(&threads[i], NULL, f, (void *)(uintptr_t)(i + 1)) == 0);
    for (int i = 0; i < n; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    file = open_file(argv, "layouts_earliest.h5");
    datasets[0] = open_object(file, "shuffled");
    datasets[1] = open_object(file, "contiguous");
    pthread_t other;
    CHECK(pthread_create(&other, NULL, opens_and_closes, NULL) == 0);
    run(reads, THREADS);
    CHECK(pthread_join(other, NULL) == 0);
    for (int i = 0; i < 50; i++) {
        contended = open_object(file, "lzf");
        closed = 0;
        run(closes, 4);
        CHECK(closed == 1);
    }
    close_handle(datasets[0]);
    close_handle(datasets[1]);
    close_handle(file);
    return finish();
}
