/*
 * slice - print a part of a dataset of numbers, from a disk or a server.
 *
 *   cc slice.c -o slice $(pkg-config --cflags --libs clawh5)
 *   ./slice FILE_OR_URL                             the names in the root group
 *   ./slice FILE_OR_URL /group/dataset 10:5 0:3     start:count of each dimension
 */
#include <clawh5.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static clawh5_error err;

/* check ends the program when a call has failed: err says what, where and why. */
static void check(clawh5_status status) {
    if (status != CLAWH5_OK) {
        fprintf(stderr, "slice: %s\n", err.message);
        exit(1);
    }
}

/* Texts go into a buffer of ours: ask for the length first. */
static void print_names(clawh5_id group) {
    size_t length = 0;
    clawh5_status status = clawh5_group_names(group, NULL, 0, &length, &err);
    if (status != CLAWH5_E_SPACE) check(status);
    char *names = malloc(length + 1);
    if (names == NULL) abort();
    check(clawh5_group_names(group, names, length + 1, &length, &err));
    for (char *name = names; name < names + length; name += strlen(name) + 1) printf("%s\n", name);
    free(names);
}

/* slab reads "start:count" of every dimension, or takes all of those that are not given. */
static size_t slab(int32_t rank, const uint64_t *dims, char **parts, int n, uint64_t *start_stride_count) {
    size_t elements = 1;
    for (int32_t d = 0; d < rank; d++) {
        uint64_t *start = &start_stride_count[d], *count = &start_stride_count[2 * rank + d];
        *start = 0, *count = dims[d];
        start_stride_count[rank + d] = 1;
        if (d < n && sscanf(parts[d], "%" SCNu64 ":%" SCNu64, start, count) != 2) {
            fprintf(stderr, "slice: %s is not start:count\n", parts[d]);
            exit(2);
        }
        elements *= *count;
    }
    return elements;
}

static void print_slice(clawh5_id dataset, char **parts, int n) {
    int32_t rank = 0;
    uint64_t dims[CLAWH5_MAX_RANK], start_stride_count[3 * CLAWH5_MAX_RANK];
    check(clawh5_dataset_shape(dataset, &rank, dims, NULL, &err));
    if (rank < 0) rank = 0; /* a null dataspace: there is nothing to read, and the library will say so */

    /* Whatever numbers the file has, they come as doubles. */
    size_t elements = slab(rank, dims, parts, n, start_stride_count);
    double *values = calloc(elements ? elements : 1, sizeof *values);
    if (values == NULL) abort();
    check(clawh5_read_slab(dataset, rank, start_stride_count, CLAWH5_MEMORY_FLOAT64, values,
                           elements * sizeof *values, &err));
    const size_t row = rank > 0 ? (size_t)start_stride_count[3 * rank - 1] : 1;
    for (size_t i = 0; i < elements; i++) printf("%g%c", values[i], (i + 1) % row ? ' ' : '\n');
    free(values);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: slice FILE_OR_URL [DATASET [START:COUNT ...]]\n");
        return 2;
    }
    clawh5_id file, dataset;
    check(clawh5_open(argv[1], NULL, &file, &err));
    if (argc == 2) {
        print_names(file);
    } else {
        check(clawh5_object_open(file, argv[2], &dataset, &err));
        print_slice(dataset, argv + 3, argc - 3);
        check(clawh5_close(dataset, &err));
    }
    char statistics[1024];
    check(clawh5_stats(file, statistics, sizeof statistics, NULL, &err));
    fprintf(stderr, "%s\n", statistics);
    check(clawh5_close(file, &err));
    return 0;
}
