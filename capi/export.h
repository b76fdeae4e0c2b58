/* Names for what cgo cannot spell: pointers to const. */
#ifndef CLAWH5_EXPORT_H
#define CLAWH5_EXPORT_H

#include "clawh5.h"

typedef const char clawh5_cchar;
typedef const unsigned char clawh5_cbyte;
typedef const uint64_t clawh5_cuint64;
typedef const clawh5_open_options clawh5_copen_options;
typedef const clawh5_selection clawh5_cselection;

#endif
