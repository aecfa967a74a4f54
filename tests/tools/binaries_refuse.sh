#!/bin/sh
# The check of binaries must find what it is there to find.
set -eu
check=$(cd "$(dirname "$0")/../../tools" && pwd)/check-binaries
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/a.c" <<'END'
#include <stdio.h>
#include <string.h>
int f1(void) { return 1; }
int f2(void) { return 2; }
int f3(void) { return 3; }
int main(int n, char** words) {
  char copy[20];
  strcpy(copy, words[n - 1]);
  return puts(copy) < 0;
}
END
good="-O2 -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fPIE -pie -Wl,-z,relro,-z,now"
case $(uname -m) in x86_64) good="$good -fcf-protection" ;; esac
try() { ${CC:-cc} $good "$@" "$work/a.c" -o "$work/a" 2>/dev/null; "$check" "$work" >"$work/said"; }
expect() { # MESSAGE FLAG…: check-binaries fails with it
  message=$1
  shift
  if try "$@"; then echo "not refused: $message"; exit 1; fi
  grep -qF "$message" "$work/said" || { echo "expected: $message"; cat "$work/said"; exit 1; }
}
try || { cat "$work/said"; exit 1; }
expect 'has a RUNPATH: [/nowhere:]' -Wl,-rpath,/nowhere:
expect 'binds symbols lazily' -Wl,-z,lazy
expect 'has no RELRO' -Wl,-z,norelro
expect 'has an executable stack' -Wl,-z,execstack
expect 'is not position independent' -fno-pie -no-pie
expect 'has no stack protector' -fno-stack-protector
expect 'has no checked functions' -U_FORTIFY_SOURCE
case $(uname -m) in x86_64) expect 'has no branch tracking' -fcf-protection=none ;; esac
