#!/bin/sh
# Makes what the tests of 'clawh5 ls --h5ls' and 'clawh5 dump --xml' expect, with
# the h5ls and h5dump of HDF5 1.10.8 (Debian's hdf5-tools) on the PATH.
set -eu
cd "$(dirname "$0")/../files"
export TZ=UTC
expected=../../cmd/clawh5/h5ls/testdata/expected
xml=../../cmd/clawh5/dump/testdata/xml
mkdir -p "$expected" "$xml"

list() { # file options: the options name the output
	name=$(basename "$1" .h5)$(echo "$2" | tr -d ' ')
	(cd "$(dirname "$1")" && h5ls $2 "$(basename "$1")") >"$expected/$name.ls"
}

list core/attributes_earliest.h5 -rv
list core/attributes_earliest.h5 -rvdS
list core/small_groups_latest.h5 -rv
list core/small_groups_latest.h5 -rd
list core/small_groups_latest.h5 -f
list core/layouts_earliest.h5 -rv
list core/layouts_earliest.h5 "-dl -w0"
list rare/variable_fill_values_earliest.h5 -rvdS
list rare/variable_fill_values_earliest.h5 "-rvdl -w40"
list rare/masks_earliest.h5 -vds
list structures/cache_image.h5 -rv

for f in core/attributes_earliest core/small_groups_latest rare/masks_earliest rare/variable_fill_values_earliest; do
	(cd "$(dirname $f)" && h5dump --xml "$(basename $f).h5") >"$xml/$(basename $f).xml"
done
