// The header is C++ too, from the oldest standard that has its types.
#include "clawh5.h"

int main() {
    clawh5_open_options options = {};
    options.struct_size = sizeof options;
    clawh5_id file = 0;
    clawh5_error err;
    return clawh5_open("/no/such/file", &options, &file, &err) == CLAWH5_E_NOT_FOUND && err.status != CLAWH5_OK ? 0 : 1;
}
