#!/bin/sh
# tools/check-abi finds changed and missing functions, and takes new ones.
#   tests/c/abi_refuses.sh ROOT
set -eu
command -v abidiff >/dev/null || { echo "skipped, there is no abidiff"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
header=$1/c/mgnn_c.h
root=$1
refused() { # EXPRESSION of sed
  sed "$1" "$header" >"$work/mgnn_c.h"
  if cmp -s "$header" "$work/mgnn_c.h"; then echo "nothing is changed by $1"; exit 1; fi
  if "$root/tools/check-abi" "$work/mgnn_c.h" >/dev/null; then echo "taken: $1"; exit 1; fi
}
refused 's/int64_t repetition,/int32_t repetition,/'
refused '/mgnn_cancel_free/d'
refused 's/  int32_t undirected; .*//'
sed 's/^MGNN_API void mgnn_cancel_free/MGNN_API void mgnn_more(void);\n&/' "$header" >"$work/mgnn_c.h"
"$root/tools/check-abi" "$work/mgnn_c.h" >/dev/null
