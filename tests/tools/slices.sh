#!/bin/sh
# A library of the core slice needs the C++ runtime, OpenMP's and fmt, and nothing else.
#   tests/tools/slices.sh LIBRARY
set -eu
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ]
others=$(printf '%s\n' "$needed" |
  grep -vE '^(libfmt|libgomp|libomp|libstdc\+\+|libm|libgcc_s|libc|ld-linux[a-z0-9-]*)\.so' || :)
if [ -n "$others" ]; then
  echo "the core slice needs $others"
  exit 1
fi
