/* The limit of a whole chunked read on this machine: pread, libdeflate and an
 * SSE2 unshuffle, straight into a destination touched before, on all threads.
 *
 *   limit FILE TABLE ELEMENT_SIZE CHUNK_BYTES THREADS
 *
 * TABLE has a line "offset stored_size unshuffle" for each chunk; chunk i
 * belongs at i * CHUNK_BYTES (a partial last chunk counts as a whole one).
 * Prints "ready"; then every line read from stdin is answered with the
 * seconds of one reading.
 */
#include <emmintrin.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct chunk { off_t offset; size_t stored; int shuffled; };

static struct chunk *chunks;
static long count;
static size_t element, chunk_bytes, largest;
static unsigned char *destination;
static int file;
static atomic_long next_chunk;

static void give_up(const char *what)
{
    fprintf(stderr, "limit: %s\n", what);
    exit(1);
}

static __m128i load(const unsigned char *from) { return _mm_loadu_si128((const __m128i *)from); }
static void store(unsigned char *to, __m128i v) { _mm_storeu_si128((__m128i *)to, v); }

static void unshuffle2(const unsigned char *in, unsigned char *out, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i low = load(in + i), high = load(in + n + i);
        store(out + 2 * i, _mm_unpacklo_epi8(low, high));
        store(out + 2 * i + 16, _mm_unpackhi_epi8(low, high));
    }
    for (; i < n; i++)
        for (size_t b = 0; b < 2; b++)
            out[2 * i + b] = in[b * n + i];
}

static void unshuffle4(const unsigned char *in, unsigned char *out, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i b0 = load(in + i), b1 = load(in + n + i), b2 = load(in + 2 * n + i), b3 = load(in + 3 * n + i);
        __m128i a = _mm_unpacklo_epi8(b0, b1), b = _mm_unpackhi_epi8(b0, b1);
        __m128i c = _mm_unpacklo_epi8(b2, b3), d = _mm_unpackhi_epi8(b2, b3);
        store(out + 4 * i, _mm_unpacklo_epi16(a, c));
        store(out + 4 * i + 16, _mm_unpackhi_epi16(a, c));
        store(out + 4 * i + 32, _mm_unpacklo_epi16(b, d));
        store(out + 4 * i + 48, _mm_unpackhi_epi16(b, d));
    }
    for (; i < n; i++)
        for (size_t b = 0; b < 4; b++)
            out[4 * i + b] = in[b * n + i];
}

static void *work(void *unused)
{
    static __thread unsigned char *stored, *decoded;
    static __thread struct libdeflate_decompressor *inflater;
    stored = malloc(largest);
    decoded = malloc(chunk_bytes);
    inflater = libdeflate_alloc_decompressor();
    for (long i; (i = atomic_fetch_add(&next_chunk, 1)) < count;) {
        struct chunk *c = &chunks[i];
        unsigned char *to = destination + (size_t)i * chunk_bytes;
        size_t got;
        if (pread(file, stored, c->stored, c->offset) != (ssize_t)c->stored)
            give_up("short read");
        if (libdeflate_zlib_decompress(inflater, stored, c->stored, c->shuffled ? decoded : to, chunk_bytes, &got)
            || got != chunk_bytes)
            give_up("inflate");
        if (c->shuffled && element == 4)
            unshuffle4(decoded, to, chunk_bytes / 4);
        else if (c->shuffled)
            unshuffle2(decoded, to, chunk_bytes / 2);
    }
    libdeflate_free_decompressor(inflater);
    free(stored);
    free(decoded);
    return unused;
}

static void read_table(const char *path)
{
    FILE *table = fopen(path, "r");
    long long offset, stored;
    int shuffled;
    if (!table)
        give_up("no table");
    while (fscanf(table, "%lld %lld %d", &offset, &stored, &shuffled) == 3) {
        chunks = realloc(chunks, (count + 1) * sizeof *chunks);
        chunks[count++] = (struct chunk){offset, stored, shuffled};
        if ((size_t)stored > largest)
            largest = stored;
    }
    fclose(table);
}

static double read_all(int threads)
{
    struct timespec before, after;
    pthread_t thread[256];
    clock_gettime(CLOCK_MONOTONIC, &before);
    next_chunk = 0;
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (after.tv_sec - before.tv_sec) + 1e-9 * (after.tv_nsec - before.tv_nsec);
}

int main(int argc, char **argv)
{
    if (argc != 6)
        give_up("usage: limit FILE TABLE ELEMENT_SIZE CHUNK_BYTES THREADS");
    file = open(argv[1], O_RDONLY);
    read_table(argv[2]);
    element = atol(argv[3]);
    chunk_bytes = atol(argv[4]);
    int threads = atoi(argv[5]);
    if (file < 0 || !count || (element != 2 && element != 4) || threads < 1 || threads > 256)
        give_up("arguments");
    destination = malloc(count * chunk_bytes);
    memset(destination, 1, count * chunk_bytes);
    read_all(threads);
    puts("ready");
    fflush(stdout);
    for (int c; (c = getchar()) != EOF;)
        if (c == '\n') {
            printf("%.9f\n", read_all(threads));
            fflush(stdout);
        }
}
