#!/bin/sh
# Installs a build into a temporary prefix, moves it, and builds and runs an outside program against
# it: once by find_package, once by pkg-config.
#   run.sh BUILD LIBDIR CXX
set -eu
source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
expected="3 nodes, 1 reciprocal pairs"

for file in bin/mgnn include/mgnn/graph/graph.h share/man/man1/mgnn.1 share/zsh/site-functions/_mgnn \
  share/bash-completion/completions/mgnn share/fish/vendor_completions.d/mgnn.fish; do
  [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

cmake -S "$source" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$3" >/dev/null
cmake --build "$work/build" >/dev/null
by_cmake=$("$work/build/outside")
[ "$by_cmake" = "$expected" ] || { echo "find_package: got $by_cmake"; exit 1; }

PKG_CONFIG_PATH=$prefix/$2/pkgconfig
export PKG_CONFIG_PATH
"$3" $(pkg-config --cflags mgnn) "$source/outside.cc" -o "$work/outside" $(pkg-config --libs mgnn)
by_pkg_config=$("$work/outside")
[ "$by_pkg_config" = "$expected" ] || { echo "pkg-config: got $by_pkg_config"; exit 1; }

"$prefix/bin/mgnn" --version | grep -q '^mgnn [0-9]'
echo "installed tree works"
