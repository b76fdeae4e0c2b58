/* What the test programs share. A program ends with finish(), and prints
 * nothing but failures. */
#ifndef CHECK_H
#define CHECK_H

#include "clawh5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static clawh5_error err;

#define DIE(...)                                                                                                     \
    do {                                                                                                             \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                              \
        fprintf(stderr, __VA_ARGS__);                                                                                \
        fprintf(stderr, "\n");                                                                                       \
        exit(1);                                                                                                     \
    } while (0)

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) DIE("not true: %s", #condition);                                                           \
    } while (0)

/* The call, which passes &err, succeeds. */
#define OK(call)                                                                                                     \
    do {                                                                                                             \
        if ((call) != CLAWH5_OK) DIE("%s: %s", #call, err.message);                                                  \
    } while (0)

/* The call, which passes &err, fails with a status, and err says so. */
#define FAILS(expected, call)                                                                                        \
    do {                                                                                                             \
        memset(&err, 0x55, sizeof err);                                                                              \
        clawh5_status got_ = (call);                                                                                 \
        if (got_ != (expected)) DIE("%s: status %d, not %s", #call, (int)got_, #expected);                           \
        if (got_ != err.status || err.message[0] == 0) DIE("%s: the error is not filled in", #call);                 \
        if (!memchr(err.message, 0, sizeof err.message) || !memchr(err.path, 0, sizeof err.path) ||                  \
            !memchr(err.structure, 0, sizeof err.structure))                                                         \
            DIE("%s: a text of the error has no end", #call);                                                        \
    } while (0)

/* The files of testdata/files/core, and what they hold. */
enum { ROWS = 7, COLUMNS = 11 }; /* of the datasets of layouts_*.h5: int32, 0, 1, 2, ... */

static inline const char *file_path(char **argv, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", argv[1], name);
    return path;
}

static inline clawh5_id open_file(char **argv, const char *name) {
    clawh5_id file = 0;
    OK(clawh5_open(file_path(argv, name), NULL, &file, &err));
    return file;
}

static inline clawh5_id open_object(clawh5_id loc, const char *path) {
    clawh5_id object = 0;
    OK(clawh5_object_open(loc, path, &object, &err));
    return object;
}

static inline void close_handle(clawh5_id id) { OK(clawh5_close(id, &err)); }

static inline int finish(void) {
    CHECK(clawh5_open_handles() == 0);
    return 0;
}

#endif
