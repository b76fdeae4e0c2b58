/* A forked child gets CLAWH5_E_FORK from every call, at once: never a hang. */
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>

static clawh5_id file, dataset, op;
static int32_t values[ROWS * COLUMNS];

static void refuses_all(void) {
    clawh5_id id;
    char buf[64];
    size_t len;
    int32_t i;
    uint64_t u, slab[6] = {0, 0, 1, 1, 1, 1};
    int64_t offset;
    clawh5_type_info info = {.struct_size = sizeof info};
    CHECK(clawh5_abi_version() == CLAWH5_ABI_VERSION);
    CHECK(strcmp(clawh5_version(), CLAWH5_VERSION) == 0);
    CHECK(clawh5_open_handles() == CLAWH5_E_FORK);
    CHECK(clawh5_read_slab(dataset, 2, slab, 1, values, 4, NULL) == CLAWH5_E_FORK);
    FAILS(CLAWH5_E_FORK, clawh5_read_slab(dataset, 2, slab, 1, values, 4, &err));
    FAILS(CLAWH5_E_FORK, clawh5_read(dataset, NULL, 1, values, sizeof values, &err));
    FAILS(CLAWH5_E_FORK, clawh5_read_start(dataset, NULL, 1, values, sizeof values, &id, &err));
    FAILS(CLAWH5_E_FORK, clawh5_open("/x", NULL, &id, &err));
    FAILS(CLAWH5_E_FORK, clawh5_open_start("/x", NULL, &id, &err));
    FAILS(CLAWH5_E_FORK, clawh5_open_memory("x", 1, NULL, &id, &err));
    FAILS(CLAWH5_E_FORK, clawh5_file_info(file, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_stats(file, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_object_open(file, "/", &id, &err));
    FAILS(CLAWH5_E_FORK, clawh5_object_open_address(file, 96, &id, &err));
    FAILS(CLAWH5_E_FORK, clawh5_describe(file, "/", 0, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_object_describe(file, "/", 0, &id, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_describe_start(file, "/", 0, &id, &err));
    FAILS(CLAWH5_E_FORK, clawh5_link(file, "x", buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_attribute(file, "x", buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_attribute_read(file, "x", 0, buf, sizeof buf, &err));
    FAILS(CLAWH5_E_FORK, clawh5_object_kind(file, &i, &err));
    FAILS(CLAWH5_E_FORK, clawh5_object_address(file, &u, &err));
    FAILS(CLAWH5_E_FORK, clawh5_group_count(file, &u, &err));
    FAILS(CLAWH5_E_FORK, clawh5_group_names(file, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_dataset_shape(dataset, &i, NULL, NULL, &err));
    FAILS(CLAWH5_E_FORK, clawh5_dataset_type(dataset, &info, &err));
    FAILS(CLAWH5_E_FORK, clawh5_plan(dataset, NULL, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_chunks(dataset, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_op_wait(op, UINT32_MAX, &i, &err));
    FAILS(CLAWH5_E_FORK, clawh5_op_progress(op, &u, &u, &err));
    FAILS(CLAWH5_E_FORK, clawh5_op_cancel(op, &err));
    FAILS(CLAWH5_E_FORK, clawh5_op_result(op, &id, &len, &err));
    FAILS(CLAWH5_E_FORK, clawh5_op_copy(op, buf, 0, &err));
    FAILS(CLAWH5_E_FORK, clawh5_op_offsets(op, &offset, 1, &err));
    FAILS(CLAWH5_E_FORK, clawh5_op_free(op, &err));
    FAILS(CLAWH5_E_FORK, clawh5_close(file, &err));
}

static void in_child(int depth) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(20); /* a hang is a death */
        refuses_all();
        if (depth > 0) in_child(depth - 1);
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int stop;

static void *reads(void *unused) {
    static int32_t other[ROWS * COLUMNS];
    clawh5_error err;
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST))
        OK(clawh5_read(dataset, NULL, CLAWH5_MEMORY_NATIVE, other, sizeof other, &err));
    return unused;
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    file = open_file(argv, "layouts_latest.h5");
    dataset = open_object(file, "deflate");
    OK(clawh5_read(dataset, NULL, CLAWH5_MEMORY_NATIVE, values, sizeof values, &err));
    OK(clawh5_read_start(dataset, NULL, CLAWH5_MEMORY_NATIVE, values, sizeof values, &op, &err));
    in_child(1);

    pthread_t reader;
    CHECK(pthread_create(&reader, NULL, reads, NULL) == 0);
    for (int i = 0; i < 8; i++) in_child(0);
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    CHECK(pthread_join(reader, NULL) == 0);

    memset(values, 0, sizeof values);
    OK(clawh5_read(dataset, NULL, CLAWH5_MEMORY_NATIVE, values, sizeof values, &err)); /* the parent goes on */
    for (int i = 0; i < ROWS * COLUMNS; i++) CHECK(values[i] == i);
    OK(clawh5_op_free(op, &err));
    close_handle(dataset);
    close_handle(file);
    return finish();
}
