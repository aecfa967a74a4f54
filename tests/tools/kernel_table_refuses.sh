#!/bin/sh
# The check of the table of kernels must find what it is there to find.
set -eu
check=$(cd "$(dirname "$0")/../../tools" && pwd)/kernel-table
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/mgnn/tensor" "$work/docs"
printf 'a\nb\n' >"$work/mgnn/tensor/x_kernel.cc"
printf 'a\n' >"$work/mgnn/tensor/x_kernel.h"
page() { # ROWS: the section has these
  { echo '# Decisions'; echo; echo '## What kernels earn'; echo; echo '| file | lines | run | plain | generic |'
    printf '%s\n' "$1"; echo; printf '%s\n' "${2-}"; echo '## Then'; } >"$work/docs/decisions.md"
}
expect() { # MESSAGE: the check fails with it
  if "$check" check "$work" 2>"$work/said"; then echo "not refused: $1"; exit 1; fi
  grep -qF "$1" "$work/said" || { echo "expected: $1"; cat "$work/said"; exit 1; }
}
row='| `tensor/x_kernel` | 3 | `train Cora` | 1.2 | 1.6 |'
page "$row"
"$check" check "$work"
page '| `tensor/x_kernel` | 4 | `train Cora` | 1.2 | 1.6 |'
expect '`tensor/x_kernel` have 3 lines, not 4'
"$check" write "$work"
"$check" check "$work"
grep -qxF "$row" "$work/docs/decisions.md"
grep -qx '## Then' "$work/docs/decisions.md"
page '| `tensor/x_kernel` | 3 | `train Cora` | 1.2, 1.4 | - |'
expect 'gain less than 1.5'
page '| `tensor/x_kernel` | 3 | `train Cora` | 1.2, 1.4 | - |' 'Without `x_kernel` epochs are slower.'
"$check" check "$work"
page "$row
| \`tensor/y*\` | 0 | \`train Cora\` | 2 | 2 |"
expect '`tensor/y*` is no file of mgnn/'
echo >"$work/mgnn/tensor/z_kernel.cc"
page "$row"
expect 'mgnn/tensor/z_kernel.cc is in no row of the table'
