/* The header stands alone, in strict C99. */
#include "clawh5.h"

int main(void) { return clawh5_abi_version() == CLAWH5_ABI_VERSION ? 0 : 1; }
