/* Datatypes: from files, made by calls, changed, asked, as text. */
#include "check.h"

static uint64_t get(clawh5_id type, int32_t property) {
    uint64_t value = 0;
    OK(clawh5_datatype_get(type, property, &value, &err));
    return value;
}

static clawh5_id predefined(const char *name) {
    clawh5_id type = 0;
    OK(clawh5_datatype_predefined(name, &type, &err));
    return type;
}

static clawh5_id derived(clawh5_id base, int32_t how) {
    clawh5_id type = 0;
    OK(clawh5_datatype_derive(base, how, &type, &err));
    return type;
}

static int equal(clawh5_id a, clawh5_id b) {
    int32_t result = -1;
    OK(clawh5_datatype_equal(a, b, &result, &err));
    return result;
}

static const char *text_of(clawh5_id type) {
    static char text[1024];
    OK(clawh5_dtype_to_text(type, text, sizeof text, NULL, &err));
    return text;
}

static void ask_numbers(void) {
    clawh5_id t = predefined("H5T_IEEE_F64BE");
    static const uint64_t want[] = {CLAWH5_CLASS_FLOAT, 8, 1, 64, 0, 0, 0};
    for (int32_t p = 0; p < 7; p++) CHECK(get(t, p) == want[p]);
    CHECK(get(t, CLAWH5_TYPE_SPOS) == 63 && get(t, CLAWH5_TYPE_EPOS) == 52 && get(t, CLAWH5_TYPE_ESIZE) == 11);
    CHECK(get(t, CLAWH5_TYPE_MPOS) == 0 && get(t, CLAWH5_TYPE_MSIZE) == 52 && get(t, CLAWH5_TYPE_EBIAS) == 1023);
    CHECK(get(t, CLAWH5_TYPE_NORM) == 0 && get(t, CLAWH5_TYPE_INPAD) == 0 && !get(t, CLAWH5_TYPE_COMMITTED));
    uint64_t value;
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_get(t, CLAWH5_TYPE_SIGN, &value, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_get(t, CLAWH5_TYPE_CSET, &value, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_get(t, CLAWH5_TYPE_ADDRESS, &value, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_get(t, 25, &value, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_get(t, -1, &value, &err));
    char name[32];
    OK(clawh5_datatype_name(t, name, sizeof name, NULL, &err));
    CHECK(!strcmp(name, "H5T_IEEE_F64BE"));

    /* a float of 24 bits, as the reference manual of H5Tset_fields makes one */
    OK(clawh5_datatype_set_fields(t, 23, 15, 8, 0, 15, &err));
    OK(clawh5_datatype_set(t, CLAWH5_TYPE_PRECISION, 24, &err));
    OK(clawh5_datatype_set(t, CLAWH5_TYPE_SIZE, 3, &err));
    OK(clawh5_datatype_set(t, CLAWH5_TYPE_EBIAS, 127, &err));
    CHECK(get(t, CLAWH5_TYPE_SIZE) == 3 && get(t, CLAWH5_TYPE_SPOS) == 23);
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_set(t, CLAWH5_TYPE_SIZE, 2, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_set_fields(t, 23, 15, 9, 0, 15, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_set(t, CLAWH5_TYPE_SIGN, 1, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_set(t, CLAWH5_TYPE_CLASS, 1, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_datatype_name(t, name, sizeof name, NULL, &err));
    close_handle(t);
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_get(t, CLAWH5_TYPE_SIZE, &value, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_datatype_predefined("H5T_STD_I7LE", &t, &err));

    t = predefined("H5T_STD_I32LE");
    clawh5_id copy = derived(t, CLAWH5_TYPE_COPY);
    OK(clawh5_datatype_set(copy, CLAWH5_TYPE_PRECISION, 12, &err));
    OK(clawh5_datatype_set(copy, CLAWH5_TYPE_OFFSET, 4, &err));
    OK(clawh5_datatype_set(copy, CLAWH5_TYPE_MSB_PAD, 1, &err));
    OK(clawh5_datatype_set(copy, CLAWH5_TYPE_SIGN, 0, &err));
    OK(clawh5_datatype_set(copy, CLAWH5_TYPE_ORDER, 1, &err));
    CHECK(get(copy, CLAWH5_TYPE_MSB_PAD) == 1 && get(copy, CLAWH5_TYPE_LSB_PAD) == 0 && get(copy, CLAWH5_TYPE_OFFSET) == 4);
    CHECK(get(t, CLAWH5_TYPE_PRECISION) == 32 && !equal(t, copy) && equal(t, t));
    clawh5_id native = derived(copy, CLAWH5_TYPE_NATIVE), want_native = predefined("H5T_NATIVE_USHORT");
    CHECK(equal(native, want_native));
    close_handle(native), close_handle(want_native), close_handle(copy), close_handle(t);
}

static void convert(void) {
    clawh5_id from = predefined("H5T_STD_I16BE"), to = predefined("H5T_STD_U8LE"), text = predefined("H5T_C_S1");
    const unsigned char src[8] = {0, 7, 1, 0, 0xff, 0xff, 0, 255};
    unsigned char dst[4];
    OK(clawh5_datatype_convert(from, to, 4, src, sizeof src, dst, sizeof dst, &err));
    CHECK(dst[0] == 7 && dst[1] == 255 && dst[2] == 0 && dst[3] == 255);
    FAILS(CLAWH5_E_SPACE, clawh5_datatype_convert(from, to, 5, src, sizeof src, dst, sizeof dst, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_datatype_convert(from, to, UINT64_MAX, src, sizeof src, dst, sizeof dst, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_convert(from, text, 1, src, sizeof src, dst, sizeof dst, &err));
    close_handle(from), close_handle(to), close_handle(text);
}

static void make_strings_and_opaque(void) {
    clawh5_id t = 0;
    char text[64];
    size_t len = 0;
    OK(clawh5_datatype_create(CLAWH5_CLASS_STRING, CLAWH5_VARIABLE, &t, &err));
    OK(clawh5_datatype_set(t, CLAWH5_TYPE_CSET, 1, &err));
    OK(clawh5_datatype_set(t, CLAWH5_TYPE_STRPAD, 2, &err));
    CHECK(get(t, CLAWH5_TYPE_CLASS) == CLAWH5_CLASS_STRING && get(t, CLAWH5_TYPE_IS_VARIABLE_STR) == 1);
    CHECK(get(t, CLAWH5_TYPE_CSET) == 1 && get(t, CLAWH5_TYPE_STRPAD) == 2 && get(t, CLAWH5_TYPE_SIZE) == 16);
    clawh5_id library = derived(t, CLAWH5_TYPE_LIBRARY);
    CHECK(get(library, CLAWH5_TYPE_SIZE) == 8);
    close_handle(library), close_handle(t);

    OK(clawh5_datatype_create(CLAWH5_CLASS_OPAQUE, 5, &t, &err));
    OK(clawh5_datatype_set_tag(t, "a tag", &err));
    OK(clawh5_datatype_tag(t, text, sizeof text, &len, &err));
    CHECK(len == 5 && !strcmp(text, "a tag"));
    FAILS(CLAWH5_E_SPACE, clawh5_datatype_tag(t, text, 5, &len, &err));
    close_handle(t);
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_create(CLAWH5_CLASS_INTEGER, 4, &t, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_create(CLAWH5_CLASS_COMPOUND, 0, &t, &err));
}

static void make_enums(void) {
    clawh5_id base = predefined("H5T_STD_I16BE"), t = derived(base, CLAWH5_TYPE_ENUM);
    const unsigned char red[2] = {0, 7}, blue[2] = {0xff, 0xfe};
    OK(clawh5_datatype_enum_insert(t, "RED", red, 2, &err));
    OK(clawh5_datatype_enum_insert(t, "BLUE", blue, 2, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_enum_insert(t, "RED", "ab", 2, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_enum_insert(t, "GREEN", red, 2, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_enum_insert(t, "GREEN", "a", 1, &err));
    CHECK(get(t, CLAWH5_TYPE_NMEMBERS) == 2 && get(t, CLAWH5_TYPE_ORDER) == 1 && get(t, CLAWH5_TYPE_SIGN) == 1);
    char name[16];
    unsigned char value[2];
    uint32_t index = 9;
    OK(clawh5_datatype_nameof(t, blue, 2, name, sizeof name, NULL, &err));
    CHECK(!strcmp(name, "BLUE"));
    OK(clawh5_datatype_valueof(t, "RED", value, 2, &err));
    CHECK(!memcmp(value, red, 2));
    OK(clawh5_datatype_member_value(t, 1, value, 2, &err));
    CHECK(!memcmp(value, blue, 2));
    OK(clawh5_datatype_member_name(t, 0, name, sizeof name, NULL, &err));
    CHECK(!strcmp(name, "RED"));
    OK(clawh5_datatype_member_index(t, "BLUE", &index, &err));
    CHECK(index == 1);
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_datatype_nameof(t, "ab", 2, name, sizeof name, NULL, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_datatype_valueof(t, "GREEN", value, 2, &err));
    FAILS(CLAWH5_E_SPACE, clawh5_datatype_member_value(t, 1, value, 1, &err));
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_datatype_member_value(t, 2, value, 2, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_member(t, 0, NULL, NULL, &err));
    clawh5_id super = derived(t, CLAWH5_TYPE_SUPER);
    CHECK(equal(super, base));
    CHECK(!strcmp(text_of(t), "H5T_ENUM {\n      H5T_STD_I16BE;\n      \"RED\"              7;\n      \"BLUE\"             -2;\n   }"));
    char json[256];
    OK(clawh5_datatype_describe(super, json, sizeof json, NULL, &err));
    CHECK(!strcmp(json, "{\"class\":\"integer\",\"size\":2,\"order\":\"be\",\"signed\":true,\"precision\":16,\"bit_offset\":0,"
                        "\"low_pad\":0,\"high_pad\":0}"));
    close_handle(super), close_handle(base), close_handle(t);
}

static void make_compounds(void) {
    clawh5_id t = 0, a = predefined("H5T_STD_I8LE"), b = predefined("H5T_IEEE_F64LE"), c = 0;
    const uint64_t dims[2] = {2, 3};
    uint64_t got[CLAWH5_MAX_RANK], offset = 0;
    int32_t rank = 0, found = -1;
    uint32_t index;
    OK(clawh5_datatype_array_create(b, 2, dims, &c, &err));
    OK(clawh5_datatype_array_dims(c, &rank, got, &err));
    CHECK(rank == 2 && got[0] == 2 && got[1] == 3 && get(c, CLAWH5_TYPE_SIZE) == 48 && get(c, CLAWH5_TYPE_NDIMS) == 2);
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_array_dims(a, &rank, got, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_array_create(b, 33, dims, &t, &err));

    OK(clawh5_datatype_create(CLAWH5_CLASS_COMPOUND, 64, &t, &err));
    OK(clawh5_datatype_insert(t, "a", 0, a, &err));
    OK(clawh5_datatype_insert(t, "c", 8, c, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_insert(t, "b", 0, b, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_insert(t, "b", 57, b, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_insert(t, "a", 56, a, &err));
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_insert(a, "a", 0, a, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_insert(t, NULL, 0, a, &err));
    OK(clawh5_datatype_member_index(t, "c", &index, &err));
    clawh5_id member = 0;
    OK(clawh5_datatype_member(t, index, &offset, &member, &err));
    CHECK(index == 1 && offset == 8 && equal(member, c));
    close_handle(member);
    OK(clawh5_datatype_detect_class(t, CLAWH5_CLASS_ARRAY, &found, &err));
    CHECK(found == 1);
    OK(clawh5_datatype_detect_class(t, CLAWH5_CLASS_VLEN, &found, &err));
    CHECK(found == 0);
    FAILS(CLAWH5_E_HANDLE, clawh5_datatype_detect_class(t, 12, &found, &err));

    clawh5_id packed = derived(t, CLAWH5_TYPE_PACKED), native = derived(t, CLAWH5_TYPE_NATIVE);
    CHECK(get(packed, CLAWH5_TYPE_SIZE) == 49 && get(native, CLAWH5_TYPE_SIZE) == 56);
    close_handle(native);

    unsigned char encoded[512];
    size_t len = 0;
    FAILS(CLAWH5_E_SPACE, clawh5_datatype_encode(packed, NULL, 0, &len, &err));
    CHECK(len > 40);
    OK(clawh5_datatype_encode(packed, encoded, sizeof encoded, NULL, &err));
    clawh5_id again = 0;
    OK(clawh5_datatype_decode(encoded, len, &again, &err));
    CHECK(equal(again, packed) && !equal(again, t));
    close_handle(again);
    FAILS(CLAWH5_E_CORRUPT, clawh5_datatype_decode(encoded, len - 1, &again, &err));

    OK(clawh5_text_to_dtype(text_of(t), &again, &err));
    CHECK(equal(again, t));
    close_handle(again);
    FAILS(CLAWH5_E_TYPE, clawh5_text_to_dtype("H5T_VLEN {\n H5T_STD_I8 }", &again, &err));
    CHECK(strstr(err.message, "line 2, column 2"));
    FAILS(CLAWH5_E_HANDLE, clawh5_text_to_dtype(NULL, &again, &err));
    close_handle(packed), close_handle(t), close_handle(a), close_handle(b), close_handle(c);
}

static void read_from_files(char **argv) {
    clawh5_id file = open_file(argv, "datatypes_latest.h5"), t = 0;
    clawh5_id d = open_object(file, "compound");
    OK(clawh5_dataset_datatype(d, &t, &err));
    close_handle(d);
    CHECK(get(t, CLAWH5_TYPE_CLASS) == CLAWH5_CLASS_COMPOUND && get(t, CLAWH5_TYPE_NMEMBERS) > 1);
    FAILS(CLAWH5_E_HANDLE, clawh5_object_open(t, "x", &d, &err));
    FAILS(CLAWH5_E_HANDLE, clawh5_dtype_to_text(file, NULL, 0, NULL, &err));
    close_handle(t), close_handle(file);

    file = open_file(argv, "attributes_latest.h5");
    OK(clawh5_attribute_datatype(d = open_object(file, "few"), "numbers", &t, &err));
    clawh5_id want = predefined("H5T_STD_I16BE");
    CHECK(equal(t, want));
    close_handle(want), close_handle(t);
    FAILS(CLAWH5_E_NOT_FOUND, clawh5_attribute_datatype(d, "none", &t, &err));
    close_handle(d);
    OK(clawh5_datatype_open(file, "/committed", &t, &err));
    CHECK(get(t, CLAWH5_TYPE_COMMITTED) == 1 && get(t, CLAWH5_TYPE_ADDRESS) > 0);
    OK(clawh5_datatype_set(t, CLAWH5_TYPE_ORDER, 1, &err));
    CHECK(get(t, CLAWH5_TYPE_COMMITTED) == 0);
    close_handle(t);
    FAILS(CLAWH5_E_TYPE, clawh5_datatype_open(file, "/", &t, &err));
    close_handle(file);
}

int main(int argc, char **argv) {
    (void)argc;
    ask_numbers();
    convert();
    make_strings_and_opaque();
    make_enums();
    make_compounds();
    read_from_files(argv);
    return finish();
}
