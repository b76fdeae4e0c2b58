/* Wrong arguments give errors, never a crash. */
#include "check.h"

static void statuses(void) {
    for (clawh5_status s = CLAWH5_E_INTERNAL; s <= CLAWH5_OK; s++)
        CHECK(strcmp(clawh5_status_text(s), "unknown status") != 0);
    CHECK(strcmp(clawh5_status_text(CLAWH5_E_INTERNAL - 1), "unknown status") == 0);
    CHECK(strcmp(clawh5_status_text(1), "unknown status") == 0);
    CHECK(strcmp(clawh5_status_text(INT32_MIN), "unknown status") == 0);
}

static void opening(char **argv) {
    clawh5_id file = 77;
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_open("/no/such/file.h5", NULL, &file, &err));
    CHECK(err.offset == -1 && err.http_status == 0);
    FAILS(CLAWH5_E_UNSUPPORTED, clawh5_open("gopher://host/file.h5", NULL, &file, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_open(NULL, NULL, &file, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_open_start(NULL, NULL, &file, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_open_memory(NULL, 10, NULL, &file, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_open_memory("", SIZE_MAX, NULL, &file, &err));
    CHECK(clawh5_open("/no/such/file.h5", NULL, &file, NULL) == CLAWH5_E_NOT_FOUND);
    CHECK(file == 77);

    const char *path = file_path(argv, "layouts_latest.h5");
    FAILS(CLAWH5_E_HANDLE, clawh5_open(path, NULL, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_open_start(path, NULL, NULL, &err));
    clawh5_open_options o = {.struct_size = 0};
    FAILS(CLAWH5_E_HANDLE, clawh5_open(path, &o, &file, &err));
    o.struct_size = SIZE_MAX;
    FAILS(CLAWH5_E_HANDLE, clawh5_open(path, &o, &file, &err));
    o = (clawh5_open_options){.struct_size = sizeof o, .flags = 1u << 31};
    FAILS(CLAWH5_E_HANDLE, clawh5_open(path, &o, &file, &err));
    const char *const headers[] = {"no colon", NULL};
    o = (clawh5_open_options){.struct_size = sizeof o, .headers = headers};
    FAILS(CLAWH5_E_HANDLE, clawh5_open(path, &o, &file, &err));
    o = (clawh5_open_options){.struct_size = sizeof o, .expect_identity = "another"};
    FAILS(CLAWH5_E_CHANGED, clawh5_open(path, &o, &file, &err));
    CHECK(file == 77);

    /* a later version of the struct: its new members must be unset */
    struct { clawh5_open_options o; uint64_t later; } newer = {.o = {.struct_size = sizeof newer}, .later = 1};
    FAILS(CLAWH5_E_HANDLE, clawh5_open(path, &newer.o, &file, &err));
    newer.later = 0;
    OK(clawh5_open(path, &newer.o, &file, &err));
    close_handle(file);

    /* an earlier one: what follows its last member is not looked at */
    o = (clawh5_open_options){.struct_size = offsetof(clawh5_open_options, virtual_printf_gap),
                              .flags = CLAWH5_OPEN_EXTERNAL_LINKS, .virtual_view = 99, .driver = "none"};
    OK(clawh5_open(path, &o, &file, &err));
    close_handle(file);
}

/* Every function refuses a handle that is no handle of its kind. */
static void every_call_refuses(clawh5_id id, int object_too) {
    clawh5_id out = 0;
    char buf[64];
    size_t len;
    int32_t i;
    uint64_t u = 0, slab[3] = {0, 1, 1};
    int64_t offset;
    clawh5_type_info info = {.struct_size = sizeof info};
    FAILS(CLAWH5_E_HANDLE, clawh5_file_info(id, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_stats(id, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_open_address(id, 0, &out, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_wait(id, 0, &i, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_progress(id, &u, &u, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_cancel(id, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_result(id, &out, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_copy(id, buf, 0, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_offsets(id, &offset, 1, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_op_free(id, &err));
    if (!object_too) return;
    FAILS(CLAWH5_E_HANDLE, clawh5_close(id, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_open(id, "/", &out, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_describe(id, "/", 0, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_describe(id, "/", 0, &out, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_describe_start(id, "/", 0, &out, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_link(id, "x", buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_region(id, "123456789012", 12, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_reference(id, "12345678", 8, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_reference_open(id, "12345678", 8, &out, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_attribute(id, "x", buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_attribute_read(id, "x", 0, buf, sizeof buf, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_kind(id, &i, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_address(id, &u, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_group_count(id, &u, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_group_names(id, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_dataset_shape(id, &i, NULL, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_dataset_type(id, &info, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read(id, NULL, 0, buf, sizeof buf, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_slab(id, 1, slab, 0, buf, sizeof buf, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_start(id, NULL, 0, buf, sizeof buf, &out, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_plan(id, NULL, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_chunks(id, buf, sizeof buf, &len, &err));
}

static void stale_handles(clawh5_id file) {
    clawh5_id old = open_object(file, "chunked");
    every_call_refuses(old, 0);
    close_handle(old);
    every_call_refuses(old, 1);
    clawh5_id next = open_object(file, "chunked"); /* may take the slot, never the number */
    CHECK(next != old);
    every_call_refuses(old, 1);
    close_handle(next);
    const clawh5_id wrong[] = {0, -1, 1, 2, 255, 256, 1 << 20, INT64_MAX, INT64_MIN, file + 1, file ^ ((int64_t)1 << 32)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) every_call_refuses(wrong[i], 1);
}

static void null_arguments(clawh5_id file, clawh5_id d) {
    char buf[64];
    size_t len;
    clawh5_id out;
    FAILS(CLAWH5_E_HANDLE, clawh5_object_open(file, NULL, &out, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_open(file, "chunked", NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_describe(file, NULL, 0, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_describe(file, "/", 0, NULL, 1 << 20, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_describe(file, "/", 0, NULL, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_describe_start(file, NULL, 0, &out, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_describe_start(file, "/", 0, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_link(file, NULL, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_attribute(d, NULL, buf, sizeof buf, &len, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_attribute_read(d, NULL, 0, buf, sizeof buf, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_kind(d, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_object_address(d, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_group_count(file, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_dataset_shape(d, NULL, NULL, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_dataset_type(d, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, NULL, 0, NULL, ROWS * COLUMNS * 4, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_slab(d, 2, NULL, 0, buf, 4, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_start(d, NULL, 0, buf, sizeof buf, NULL, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_start(d, NULL, 0, NULL, 1, &out, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_object_open(file, "chunked/below", &out, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_object_open(file, "nowhere", &out, &err));
}

static void sizes_and_ranks(clawh5_id d) {
    int32_t value[4];
    const uint64_t slab[6] = {0, 0, 1, 1, 2, 2};
    FAILS(CLAWH5_E_SPACE, clawh5_read_slab(d, 2, slab, 1, value, 15, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_read_slab(d, 2, slab, 1, value, 0, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_read_slab(d, 2, slab, 1, value, SIZE_MAX, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_read(d, NULL, 1, value, sizeof value, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_read(d, NULL, 1, value, SIZE_MAX - 1, &err));
    FAILS(CLAWH5_E_SELECTION, clawh5_read_slab(d, 1, slab, 1, value, 4, &err));
    FAILS(CLAWH5_E_SELECTION, clawh5_read_slab(d, 0, NULL, 1, value, 4, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_slab(d, -1, slab, 1, value, 4, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_slab(d, CLAWH5_MAX_RANK + 1, slab, 1, value, 4, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_slab(d, INT32_MAX, slab, 1, value, 4, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_slab(d, 2, slab, 99, value, 16, &err));
    const uint64_t far[6] = {ROWS, 0, 1, 1, 1, 1}, huge[6] = {1, 0, UINT64_MAX, 1, UINT64_MAX, 1};
    FAILS(CLAWH5_E_SELECTION, clawh5_read_slab(d, 2, far, 1, value, 4, &err));
    FAILS(CLAWH5_E_SELECTION, clawh5_read_slab(d, 2, huge, 1, value, 4, &err));
}

static void selections(clawh5_id d) {
    int32_t value[4];
    const uint64_t zeros[2] = {0, 0}, many[2] = {UINT64_MAX, UINT64_MAX};
    const uint64_t *const lists[2] = {zeros, NULL};
    clawh5_selection s = {.struct_size = 4};
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s = (clawh5_selection){.struct_size = sizeof s, .kind = 5, .rank = 2};
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s = (clawh5_selection){.struct_size = sizeof s, .kind = CLAWH5_SELECT_HYPERSLAB, .rank = 2};
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s.rank = -2;
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s.rank = CLAWH5_MAX_RANK + 1;
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s.rank = 1, s.start = zeros, s.count = zeros;
    FAILS(CLAWH5_E_SELECTION, clawh5_read(d, &s, 1, value, 4, &err));

    s = (clawh5_selection){.struct_size = sizeof s, .kind = CLAWH5_SELECT_POINTS, .rank = 2, .npoints = 1};
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s.points = zeros, s.npoints = UINT64_MAX;
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s.points = many, s.npoints = 1;
    FAILS(CLAWH5_E_SELECTION, clawh5_read(d, &s, 1, value, 4, &err));
    s.rank = 0;
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));

    s = (clawh5_selection){.struct_size = sizeof s, .kind = CLAWH5_SELECT_ORTHOGONAL, .rank = 2, .nindex = many};
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    s.index = lists;
    FAILS(CLAWH5_E_HANDLE, clawh5_read(d, &s, 1, value, 4, &err));
    const uint64_t two[2] = {2, 0}, one[2] = {1, 1};
    s.nindex = two, s.start = zeros, s.count = one; /* positions 0, 0 do not increase */
    FAILS(CLAWH5_E_SELECTION, clawh5_read(d, &s, 1, value, 8, &err));
}

/* Texts that do not fit an error are cut, between characters. */
static void long_texts(clawh5_id file) {
    static char path[5000];
    clawh5_id out;
    memset(path, 'x', sizeof path - 1);
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_object_open(file, path, &out, &err));
    for (size_t i = 0; i + 2 < sizeof path; i += 2) memcpy(path + i, "\xc3\xa4", 2);
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_object_open(file, path, &out, &err));
    CHECK((unsigned char)err.path[strlen(err.path) - 1] != 0xc3);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    statuses();
    opening(argv);
    clawh5_id file = open_file(argv, "layouts_latest.h5"), d = open_object(file, "chunked");
    stale_handles(file);
    null_arguments(file, d);
    sizes_and_ranks(d);
    selections(d);
    long_texts(file);
    close_handle(d);
    close_handle(file);
    return finish();
}
