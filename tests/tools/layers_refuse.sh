#!/bin/sh
# The layer check must find what it is there to find.
set -eu
check=$(cd "$(dirname "$0")/../../tools" && pwd)/check-layers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { # MESSAGE: check-layers fails with it
  if "$check" "$work" >"$work/said"; then echo "not refused: $1"; exit 1; fi
  grep -qF "$1" "$work/said" || { echo "expected: $1"; cat "$work/said"; exit 1; }
}
mkdir -p "$work/mgnn/graph" "$work/mgnn/io"
echo '#include "mgnn/base/error.h"' >"$work/mgnn/graph/a.h"
"$check" "$work"
echo '  #  include "mgnn/io/numpy.h"' >"$work/mgnn/graph/b.cc"
expect 'mgnn/graph/b.cc:1: graph may not include io (mgnn/io/numpy.h)'
echo '#include "a.h"' >"$work/mgnn/graph/b.cc"
expect 'mgnn/graph/b.cc:1: include "a.h" by its path from the root'
rm "$work/mgnn/graph/b.cc"
mkdir -p "$work/mgnn/kitchen"
echo >"$work/mgnn/kitchen/a.cc"
expect 'mgnn/kitchen is not a room of the table'
rm -r "$work/mgnn/kitchen"
echo '#include "mgnn/graph/a.h"' >"$work/mgnn/mgnn.h"
expect 'mgnn/graph/a.h:1: a public header includes mgnn/base/error.h, which is not in mgnn/mgnn.h'
