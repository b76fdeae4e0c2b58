/* Opening, listing, describing and reading. */
#include "check.h"

#include <math.h>

static const char *const layouts[] = {"contiguous", "compact", "chunked", "deflate", "shuffled", "lzf", "grown"};

static void read_layout(clawh5_id file, const char *name) {
    int32_t rank = 0, all[ROWS * COLUMNS], some[2 * 3];
    uint64_t dims[CLAWH5_MAX_RANK], max_dims[CLAWH5_MAX_RANK];
    clawh5_id d = open_object(file, name);
    int32_t kind = 0;
    OK(clawh5_object_kind(d, &kind, &err));
    CHECK(kind == CLAWH5_DATASET);
    OK(clawh5_dataset_shape(d, &rank, dims, max_dims, &err));
    CHECK(rank == 2 && dims[0] == ROWS && dims[1] == COLUMNS);
    CHECK(max_dims[0] == (strcmp(name, "grown") ? ROWS : CLAWH5_UNLIMITED) && max_dims[1] == COLUMNS);
    OK(clawh5_dataset_shape(d, &rank, NULL, NULL, &err));

    clawh5_type_info info = {.struct_size = sizeof info};
    OK(clawh5_dataset_type(d, &info, &err));
    CHECK(info.struct_size == sizeof info && info.type_class == CLAWH5_CLASS_INTEGER && info.is_signed);
    CHECK(!info.big_endian && !info.variable && info.size == 4 && info.file_size == 4);

    OK(clawh5_read(d, NULL, CLAWH5_MEMORY_NATIVE, all, sizeof all, &err));
    for (int i = 0; i < ROWS * COLUMNS; i++) CHECK(all[i] == i);

    const uint64_t slab[6] = {1, 2, /* stride */ 3, 4, /* count */ 2, 3};
    OK(clawh5_read_slab(d, 2, slab, CLAWH5_MEMORY_INT32, some, sizeof some, &err));
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++) CHECK(some[r * 3 + c] == (1 + 3 * r) * COLUMNS + 2 + 4 * c);
    double wide[2 * 3];
    OK(clawh5_read_slab(d, 2, slab, CLAWH5_MEMORY_FLOAT64, wide, sizeof wide, &err));
    for (int i = 0; i < 6; i++) CHECK(fabs(wide[i] - some[i]) == 0);
    close_handle(d);
}

static void read_selections(clawh5_id file) {
    clawh5_id d = open_object(file, "/deflate");
    int32_t got[64];
    clawh5_selection s = {.struct_size = sizeof s, .kind = CLAWH5_SELECT_ALL};
    int32_t all[ROWS * COLUMNS];
    OK(clawh5_read(d, &s, CLAWH5_MEMORY_NATIVE, all, sizeof all, &err));
    CHECK(all[ROWS * COLUMNS - 1] == ROWS * COLUMNS - 1);

    s.kind = CLAWH5_SELECT_NONE;
    OK(clawh5_read(d, &s, CLAWH5_MEMORY_NATIVE, NULL, 0, &err));

    const uint64_t start[2] = {1, 0}, stride[2] = {4, 5}, count[2] = {2, 2}, block[2] = {2, 3};
    s.kind = CLAWH5_SELECT_HYPERSLAB, s.rank = 2;
    s.start = start, s.stride = stride, s.count = count, s.block = block;
    OK(clawh5_read(d, &s, CLAWH5_MEMORY_NATIVE, got, 4 * 6 * sizeof *got, &err));
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 6; c++) CHECK(got[r * 6 + c] == (1 + r / 2 * 4 + r % 2) * COLUMNS + c / 3 * 5 + c % 3);

    const uint64_t points[] = {6, 10, 0, 0, 3, 4, 0, 0};
    s = (clawh5_selection){.struct_size = sizeof s, .kind = CLAWH5_SELECT_POINTS, .rank = 2, .npoints = 4};
    s.points = points;
    OK(clawh5_read(d, &s, CLAWH5_MEMORY_NATIVE, got, 4 * sizeof *got, &err));
    CHECK(got[0] == 76 && got[1] == 0 && got[2] == 37 && got[3] == 0);

    const uint64_t columns[] = {0, 7, 8}, lengths[] = {0, 3};
    const uint64_t *const lists[] = {NULL, columns};
    s = (clawh5_selection){.struct_size = sizeof s, .kind = CLAWH5_SELECT_ORTHOGONAL, .rank = 2};
    s.start = start, s.count = count, s.nindex = lengths, s.index = lists;
    OK(clawh5_read(d, &s, CLAWH5_MEMORY_NATIVE, got, 6 * sizeof *got, &err));
    for (int i = 0; i < 6; i++) CHECK(got[i] == (1 + i / 3) * COLUMNS + (int)columns[i % 3]);
    close_handle(d);
}

/* A struct from before a member existed is taken without it. */
static void read_with_old_struct(clawh5_id file) {
    clawh5_id d = open_object(file, "compact");
    int32_t row[COLUMNS];
    const uint64_t start[2] = {2, 0}, count[2] = {1, COLUMNS};
    clawh5_selection s;
    memset(&s, 0xff, sizeof s);
    s.struct_size = offsetof(clawh5_selection, npoints);
    s.kind = CLAWH5_SELECT_HYPERSLAB, s.rank = 2;
    s.start = start, s.stride = NULL, s.count = count, s.block = NULL;
    OK(clawh5_read(d, &s, CLAWH5_MEMORY_NATIVE, row, sizeof row, &err));
    CHECK(row[0] == 2 * COLUMNS && row[COLUMNS - 1] == 3 * COLUMNS - 1);

    clawh5_type_info info = {.struct_size = offsetof(clawh5_type_info, size), .size = 77, .file_size = 78};
    OK(clawh5_dataset_type(d, &info, &err));
    CHECK(info.type_class == CLAWH5_CLASS_INTEGER && info.size == 77 && info.file_size == 78);
    close_handle(d);
}

/* describe in a buffer of exactly the size that the first try told. */
static char *description(clawh5_id loc, const char *path, uint32_t flags) {
    size_t len = 0;
    FAILS(CLAWH5_E_SPACE, clawh5_describe(loc, path, flags, NULL, 0, &len, &err));
    CHECK(len > 0);
    char *text = malloc(len + 1);
    FAILS(CLAWH5_E_SPACE, clawh5_describe(loc, path, flags, text, len, NULL, &err));
    memset(text, 'x', len + 1);
    OK(clawh5_describe(loc, path, flags, text, len + 1, &len, &err));
    CHECK(strlen(text) == len && text[0] == '{' && text[len - 1] == '}');
    return text;
}

static void describe(clawh5_id file) {
    char *group = description(file, "/", CLAWH5_DESCRIBE_LINKS);
    CHECK(strstr(group, "\"deflate\"") && strstr(group, "\"group\""));
    free(group);
    char *dataset = description(file, "deflate", 0);
    CHECK(strstr(dataset, "\"chunked\"") && strstr(dataset, "[7,11]") && strstr(dataset, "[3,4]"));
    free(dataset);

    char small[8], large[4096];
    size_t len = 0;
    clawh5_id d = 0;
    uint64_t address = 0;
    FAILS(CLAWH5_E_SPACE, clawh5_object_describe(file, "lzf", 0, &d, small, sizeof small, &len, &err));
    CHECK(d != 0 && len > sizeof small);
    OK(clawh5_describe(file, "lzf", 0, large, sizeof large, &len, &err));
    CHECK(strlen(large) == len && strstr(large, "lzf"));
    OK(clawh5_object_address(d, &address, &err));
    clawh5_id same = 0;
    OK(clawh5_object_open_address(file, address, &same, &err));
    OK(clawh5_describe(same, ".", 0, large, sizeof large, &len, &err));
    CHECK(strstr(large, "lzf"));
    close_handle(same);

    OK(clawh5_link(file, "lzf", large, sizeof large, &len, &err));
    CHECK(strstr(large, "\"hard\""));
    OK(clawh5_plan(d, NULL, large, sizeof large, &len, &err));
    CHECK(strstr(large, "\"elements\":77"));
    OK(clawh5_chunks(d, large, sizeof large, &len, &err));
    CHECK(strstr(large, "\"chunks\""));
    close_handle(d);
    OK(clawh5_file_info(file, large, sizeof large, &len, &err));
    CHECK(strstr(large, "\"superblock\""));
    OK(clawh5_stats(file, large, sizeof large, &len, &err));
    CHECK(strstr(large, "\"requests\""));
}

static void groups_and_attributes(char **argv) {
    clawh5_id file = open_file(argv, "attributes_latest.h5");
    uint64_t count = 0;
    size_t len = 0;
    char names[64];
    OK(clawh5_group_count(file, &count, &err));
    CHECK(count == 5);
    OK(clawh5_group_names(file, names, sizeof names, &len, &err));
    static const char expected[] = "committed\0dense\0few\0large\0typed";
    CHECK(len == sizeof expected && memcmp(names, expected, len) == 0 && names[len] == 0);
    FAILS(CLAWH5_E_SPACE, clawh5_group_names(file, names, len, &len, &err));

    clawh5_id few = open_object(file, "few");
    int16_t numbers[6];
    OK(clawh5_attribute_read(few, "numbers", CLAWH5_MEMORY_NATIVE, numbers, sizeof numbers, &err));
    for (int i = 0; i < 6; i++) CHECK(numbers[i] == i);
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_attribute_read(few, "none", CLAWH5_MEMORY_NATIVE, numbers, 12, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_attribute_read(few, "numbers", CLAWH5_MEMORY_NATIVE, numbers, 11, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_attribute_read(few, "text", CLAWH5_MEMORY_NATIVE, numbers, 12, &err));
    char text[1024];
    OK(clawh5_attribute(few, "numbers", text, sizeof text, &len, &err));
    CHECK(strstr(text, "\"attribute\"") && strstr(text, "\"numbers\""));
    FAILS(CLAWH5_E_TYPE, clawh5_dataset_shape(few, &(int32_t){0}, NULL, NULL, &err));
    close_handle(few);

    int32_t kind = 0;
    clawh5_id type = open_object(file, "/committed");
    OK(clawh5_object_kind(type, &kind, &err));
    CHECK(kind == CLAWH5_DATATYPE);
    FAILS(CLAWH5_E_TYPE, clawh5_group_count(type, &count, &err));
    close_handle(type);
    close_handle(file);
}

static void read_scalars(char **argv) {
    clawh5_id file = open_file(argv, "datatypes_earliest.h5");
    clawh5_id scalar = open_object(file, "scalar"), empty = open_object(file, "empty");
    close_handle(file); /* the objects keep it open */
    int32_t rank = 5;
    double value = 0;
    OK(clawh5_dataset_shape(scalar, &rank, NULL, NULL, &err));
    CHECK(rank == 0);
    OK(clawh5_read_slab(scalar, 0, NULL, CLAWH5_MEMORY_NATIVE, &value, sizeof value, &err));
    CHECK(fabs(value - 3.25) == 0);
    OK(clawh5_read(scalar, NULL, CLAWH5_MEMORY_NATIVE, &value, sizeof value, &err));
    OK(clawh5_dataset_shape(empty, &rank, NULL, NULL, &err));
    CHECK(rank == -1);
    OK(clawh5_read(empty, NULL, CLAWH5_MEMORY_NATIVE, NULL, 0, &err));
    close_handle(scalar);
    close_handle(empty);
}

/* An image in memory is copied: the caller's bytes may go at once. */
static void open_memory(char **argv) {
    static unsigned char image[1 << 20];
    FILE *in = fopen(file_path(argv, "layouts_latest.h5"), "rb");
    CHECK(in != NULL);
    size_t size = fread(image, 1, sizeof image, in);
    fclose(in);
    clawh5_id file = 0;
    OK(clawh5_open_memory(image, size, NULL, &file, &err));
    memset(image, 0, sizeof image);
    read_layout(file, "shuffled");
    close_handle(file);
    FAILS(CLAWH5_E_NOT_HDF5, clawh5_open_memory(image, sizeof image, NULL, &file, &err));
    FAILS(CLAWH5_E_NOT_HDF5, clawh5_open_memory(NULL, 0, NULL, &file, &err));
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    CHECK(clawh5_abi_version() == CLAWH5_ABI_VERSION);
    CHECK(strcmp(clawh5_version(), CLAWH5_VERSION) == 0);
    const char *const files[] = {"layouts_earliest.h5", "layouts_latest.h5"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        clawh5_id file = open_file(argv, files[f]);
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) read_layout(file, layouts[i]);
        read_selections(file);
        read_with_old_struct(file);
        describe(file);
        close_handle(file);
    }
    groups_and_attributes(argv);
    read_scalars(argv);
    open_memory(argv);
    return finish();
}
