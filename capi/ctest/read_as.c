/* Reads into memory datatypes of the caller's choice. */
#include "check.h"

enum { FOREVER = UINT32_MAX };

static clawh5_id type_of(const char *text) {
    clawh5_id type = 0;
    OK(clawh5_text_to_dtype(text, &type, &err));
    return type;
}

/* Element i of "record" has id i - 2 and x i * 1.25 - 700. */
struct part {
    int64_t none;
    float x;
    int16_t id;
    char tail[2];
};

static const char *part_text = "H5T_COMPOUND { H5T_STD_I64LE \"none\" : 0; H5T_IEEE_F32LE \"x\" : 8; H5T_STD_I16LE \"id\" : 12; }";

static clawh5_id part_type(void) {
    clawh5_id type = type_of(part_text);
    OK(clawh5_datatype_set(type, CLAWH5_TYPE_SIZE, sizeof(struct part), &err));
    return type;
}

static void check_parts(const struct part *got, int n, int first) {
    for (int i = 0; i < n; i++) {
        CHECK(got[i].id == first + i - 2 && got[i].x == (float)((first + i) * 1.25 - 700));
        const unsigned char *kept = (const unsigned char *)&got[i].none;
        for (int k = 0; k < 8; k++) CHECK(kept[k] == 0xee);
        CHECK((unsigned char)got[i].tail[1] == 0xee);
    }
}

static void compounds(clawh5_id file) {
    clawh5_id d = open_object(file, "record_chunked"), type = part_type(), op = 0;
    struct part got[20];
    memset(got, 0xee, sizeof got);
    OK(clawh5_read_as(d, NULL, type, got, sizeof got, &err));
    check_parts(got, 20, 0);

    uint64_t start[1] = {5}, count[1] = {7};
    clawh5_selection s = {.struct_size = sizeof s, .kind = CLAWH5_SELECT_HYPERSLAB, .rank = 1};
    s.start = start, s.count = count;
    memset(got, 0xee, sizeof got);
    OK(clawh5_read_as_start(d, &s, type, got, 7 * sizeof *got, &op, &err));
    int32_t done = 0;
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    OK(clawh5_op_free(op, &err));
    check_parts(got, 7, 5);

    memset(got, 0xee, sizeof got);
    OK(clawh5_attribute_read_as(file, "record", type, got, 3 * sizeof *got, &err));
    check_parts(got, 3, 0);

    FAILS(CLAWH5_E_SPACE, clawh5_read_as(d, NULL, type, got, sizeof got - 1, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_as(d, NULL, d, got, sizeof got, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_read_as(type, NULL, type, got, sizeof got, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_attribute_read_as(file, NULL, type, got, sizeof got, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_attribute_read_as(file, "nothing", type, got, sizeof got, &err));
    close_handle(type);
    type = type_of("H5T_STD_I32LE");
    FAILS(CLAWH5_E_TYPE, clawh5_read_as(d, NULL, type, got, sizeof got, &err));
    close_handle(type);
    close_handle(d);
}

/* Element i of "sequences" is 0, 70000, 140000, ... of 3 i numbers. */
static void sequences(clawh5_id file) {
    clawh5_id d = open_object(file, "sequences"), type = type_of("H5T_VLEN { H5T_STD_I16LE }"), op = 0;
    uint64_t slots[4][2];
    int32_t done = 0;
    FAILS(CLAWH5_E_TYPE, clawh5_read_as(d, NULL, type, slots, sizeof slots, &err));
    OK(clawh5_read_as_start(d, NULL, type, slots, sizeof slots, &op, &err));
    close_handle(type); /* not needed any more */
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    int16_t heap[9];
    int64_t offsets[5];
    size_t size = 0;
    OK(clawh5_op_result(op, NULL, &size, &err));
    CHECK(size == sizeof heap);
    OK(clawh5_op_copy(op, heap, sizeof heap, &err));
    OK(clawh5_op_offsets(op, offsets, 5, &err));
    CHECK(offsets[0] == 0 && offsets[1] == 0 && offsets[2] == 6 && offsets[3] == 18 && offsets[4] == 18);
    for (int i = 0; i < 9; i++) CHECK(heap[i] == (i == 0 || i == 3 ? 0 : 32767));
    OK(clawh5_op_free(op, &err));
    close_handle(d);

    type = type_of("H5T_VLEN { H5T_IEEE_F64LE }");
    OK(clawh5_attribute_read_as_start(file, "sequence", type, slots, sizeof slots[0], &op, &err));
    OK(clawh5_op_wait(op, (uint32_t)FOREVER, &done, &err));
    double numbers[3];
    OK(clawh5_op_copy(op, numbers, sizeof numbers, &err));
    CHECK(slots[0][1] == 3 && numbers[0] == 0 && numbers[1] == 1 && numbers[2] == 2);
    OK(clawh5_op_free(op, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_attribute_read_as(file, "sequence", type, slots, sizeof slots[0], &err));
    close_handle(type);
}

int main(int argc, char **argv) {
    CHECK(argc > 1);
    clawh5_id file = open_file(argv, "../read_as/types.h5");
    compounds(file);
    sequences(file);
    close_handle(file);
    return finish();
}
