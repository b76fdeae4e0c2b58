/* Started calls: wait, progress, cancel, results, free. */
#include "check.h"

enum { FOREVER = UINT32_MAX };

static clawh5_id opened(clawh5_id op) {
    int32_t done = 0;
    clawh5_id id = 0, again = 0;
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    CHECK(done == 1);
    OK(clawh5_op_result(op, &id, NULL, &err));
    OK(clawh5_op_result(op, &again, NULL, &err));
    CHECK(id != 0 && again == id);
    OK(clawh5_op_free(op, &err));
    return id;
}

static void open_and_describe(char **argv) {
    clawh5_id op = 0;
    int32_t done = 0;
    OK(clawh5_open_start(file_path(argv, "small_groups_latest.h5"), NULL, &op, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_wait(op, 0, NULL, &err));
    clawh5_id file = opened(op);
    FAILS(CLAWH5_E_HANDLE, clawh5_op_wait(op, 0, &done, &err));

    OK(clawh5_describe_start(file, "many", CLAWH5_DESCRIBE_LINKS, &op, &err));
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    size_t size = 0;
    clawh5_id group = 0;
    OK(clawh5_op_result(op, &group, &size, &err));
    char *text = malloc(size);
    FAILS(CLAWH5_E_SPACE, clawh5_op_copy(op, text, size - 1, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_copy(op, NULL, size, &err));
    OK(clawh5_op_copy(op, text, size, &err));
    CHECK(text[0] == '{' && text[size - 1] == '}');
    free(text);
    int64_t offset;
    FAILS(CLAWH5_E_TYPE, clawh5_op_offsets(op, &offset, 1, &err));
    OK(clawh5_op_free(op, &err));
    uint64_t count = 0;
    OK(clawh5_group_count(group, &count, &err));
    CHECK(count == 40);
    close_handle(group);

    /* results that nobody takes go with their operation */
    OK(clawh5_describe_start(file, "/", 0, &op, &err));
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_close(op, &err));
    OK(clawh5_op_free(op, &err));
    OK(clawh5_open_start(file_path(argv, "small_groups_latest.h5"), NULL, &op, &err));
    OK(clawh5_op_free(op, &err));

    OK(clawh5_describe_start(file, "nothing", 0, &op, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    CHECK(done == 1);
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_op_result(op, &group, &size, &err));
    OK(clawh5_op_free(op, &err));
    close_handle(file);
}

static void read_numbers(char **argv) {
    clawh5_id file = open_file(argv, "layouts_latest.h5"), d = open_object(file, "shuffled"), op = 0;
    int32_t got[ROWS * COLUMNS], done = 0;
    uint64_t now = 0, total = 0;
    uint64_t start[2] = {0, 0}, count[2] = {ROWS, COLUMNS};
    clawh5_selection s = {.struct_size = sizeof s, .kind = CLAWH5_SELECT_HYPERSLAB, .rank = 2};
    s.start = start, s.count = count;
    OK(clawh5_read_start(d, &s, CLAWH5_MEMORY_NATIVE, got, sizeof got, &op, &err));
    start[0] = count[0] = 99; /* the selection is not kept */
    close_handle(d);          /* neither handle is needed any more */
    close_handle(file);
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    for (int i = 0; i < ROWS * COLUMNS; i++) CHECK(got[i] == i);
    OK(clawh5_op_progress(op, &now, &total, &err));
    CHECK(now == sizeof got && total == sizeof got);
    OK(clawh5_op_progress(op, NULL, NULL, &err));
    size_t size = 77;
    OK(clawh5_op_result(op, NULL, &size, &err));
    CHECK(size == 0);
    OK(clawh5_op_free(op, &err));
}

/* After clawh5_op_free nothing is written to the destination. */
static void free_while_reading(char **argv) {
    clawh5_id file = open_file(argv, "layouts_earliest.h5"), d = open_object(file, "deflate"), op = 0;
    for (int i = 0; i < 200; i++) {
        unsigned char got[ROWS * COLUMNS * 4];
        OK(clawh5_read_start(d, NULL, CLAWH5_MEMORY_NATIVE, got, sizeof got, &op, &err));
        OK(clawh5_op_free(op, &err));
        memset(got, 0xee, sizeof got);
        if (i % 20 == 0) usleep(2000);
        for (size_t k = 0; k < sizeof got; k++) CHECK(got[k] == 0xee);
    }
    close_handle(d);
    close_handle(file);
}

static void read_strings(char **argv) {
    static const char *const texts[] = {"", "one", "zwei", "\u4e09 \u00fc"};
    clawh5_id file = open_file(argv, "datatypes_latest.h5"), d = open_object(file, "strings"), op = 0;
    uint64_t slots[5][2];
    int64_t offsets[6];
    int32_t done = 0;
    size_t size = 0;
    clawh5_type_info info = {.struct_size = sizeof info};
    OK(clawh5_dataset_type(d, &info, &err));
    CHECK(info.type_class == CLAWH5_CLASS_STRING && info.variable && info.size == 16);
    FAILS(CLAWH5_E_TYPE, clawh5_read(d, NULL, CLAWH5_MEMORY_NATIVE, slots, sizeof slots, &err));
    OK(clawh5_read_start(d, NULL, CLAWH5_MEMORY_NATIVE, slots, sizeof slots, &op, &err));
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    OK(clawh5_op_result(op, NULL, &size, &err));
    char *heap = malloc(size);
    OK(clawh5_op_copy(op, heap, size, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_op_offsets(op, offsets, 5, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_offsets(op, NULL, 6, &err));
    OK(clawh5_op_offsets(op, offsets, 6, &err));
    CHECK(offsets[5] == (int64_t)size && slots[4][1] == 5000);
    for (int i = 0; i < 4; i++) {
        const size_t length = strlen(texts[i]);
        CHECK(slots[i][1] == length && memcmp(heap + slots[i][0], texts[i], length) == 0);
        CHECK(offsets[i + 1] - offsets[i] == (int64_t)length && memcmp(heap + offsets[i], texts[i], length) == 0);
    }
    free(heap);
    OK(clawh5_op_free(op, &err));
    close_handle(d);

    d = open_object(file, "sequences"); /* i has the int32 0, 1, ... 3 i - 1; the last was never written */
    OK(clawh5_read_start(d, NULL, CLAWH5_MEMORY_NATIVE, slots, 4 * sizeof *slots, &op, &err));
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    OK(clawh5_op_result(op, NULL, &size, &err));
    CHECK(size == (0 + 3 + 6) * sizeof(int32_t));
    int32_t numbers[9];
    OK(clawh5_op_copy(op, numbers, sizeof numbers, &err));
    OK(clawh5_op_offsets(op, offsets, 5, &err));
    for (int i = 0; i < 4; i++) {
        CHECK(slots[i][1] == (uint64_t)(i < 3 ? 3 * i : 0));
        CHECK(offsets[i + 1] - offsets[i] == (int64_t)(slots[i][1] * sizeof(int32_t)));
        for (uint64_t k = 0; k < slots[i][1]; k++) CHECK(numbers[offsets[i] / 4 + (int64_t)k] == (int32_t)k);
    }
    OK(clawh5_op_free(op, &err));
    close_handle(d);
    close_handle(file);
}

/* A server that does not answer, argv[2]. */
static void cancel(char **argv) {
    clawh5_id op = 0;
    int32_t done = 1;
    OK(clawh5_open_start(argv[2], NULL, &op, &err));
    OK(clawh5_op_wait(op, 50, &done, &err));
    CHECK(done == 0);
    OK(clawh5_op_wait(op, 0, &done, &err));
    CHECK(done == 0);
    FAILS(CLAWH5_E_HANDLE, clawh5_op_result(op, NULL, NULL, &err));
    OK(clawh5_op_cancel(op, &err));
    OK(clawh5_op_cancel(op, &err));
    FAILS(CLAWH5_E_CANCELLED, clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    CHECK(done == 1);
    OK(clawh5_op_cancel(op, &err));
    OK(clawh5_op_free(op, &err));
    OK(clawh5_open_start(argv[2], NULL, &op, &err));
    OK(clawh5_op_free(op, &err)); /* cancels */
    FAILS(CLAWH5_E_HANDLE, clawh5_op_free(op, &err));
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    open_and_describe(argv);
    read_numbers(argv);
    free_while_reading(argv);
    read_strings(argv);
    cancel(argv);
    return finish();
}
