#!/bin/sh
# Installs a build into a temporary prefix, moves it, and uses it as an outsider does: the examples by
# find_package, run one after the other; all public headers together, twice, by pkg-config alone.
#   run.sh BUILD LIBDIR CXX [hardened]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
fail() { echo "$*"; exit 1; }

for file in bin/mgnn include/mgnn/mgnn.h share/man/man1/mgnn.1 share/zsh/site-functions/_mgnn \
  share/bash-completion/completions/mgnn share/fish/vendor_completions.d/mgnn.fish; do
  [ -s "$prefix/$file" ] || fail "not installed: $file"
done
"$prefix/bin/mgnn" --version | grep -q '^mgnn [0-9]'
if [ "${4-}" = hardened ]; then "$root/tools/check-binaries" "$prefix/bin" "$prefix/$2"; fi

# Every installed header is public: mgnn.h includes it. Alone, each compiles; together, twice.
cd "$prefix/include"
headers=$(find mgnn -name '*.h' ! -path mgnn/mgnn.h | sort)
for header in $headers; do
  grep -qF "#include \"$header\"" mgnn/mgnn.h || fail "$header is installed but not in mgnn.h"
done
{ for header in $headers $headers; do echo "#include <$header>"; done; echo '#include <mgnn/mgnn.h>'; } \
  >"$work/headers.inc"
for unit in one two; do
  { cat "$work/headers.inc"; echo "int $unit() { return mgnn::kNumMotifs + mgnn::num_threads(); }"; } \
    >"$work/$unit.cc"
done
echo 'int one(); int two(); int main() { return one() == two() ? 0 : 1; }' >"$work/main.cc"
PKG_CONFIG_PATH=$prefix/$2/pkgconfig
export PKG_CONFIG_PATH
"$3" $(pkg-config --cflags mgnn) -Wall -Wextra -Werror "$work/one.cc" "$work/two.cc" "$work/main.cc" \
  -o "$work/twice" $(pkg-config --libs mgnn)
"$work/twice" || fail "headers by pkg-config: the program failed"

examples=$work/examples
cmake -S "$root/examples" -B "$examples" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$3" \
  >/dev/null
cmake --build "$examples" -j 2 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cd "$work"
run() { # EXPECTED PROGRAM ARGUMENTS…: the output of the example has a line like this
  expected=$1 program=$2
  shift 2
  "$examples/$program" "$@" >"$work/out" || fail "$program: exit $?"
  grep -qE "$expected" "$work/out" || { cat "$work/out"; fail "$program: expected $expected"; }
}
run '^M4 .* 45$' census  # triangles of the karate club
run '^node 1 is in 18 instances of M4$' census
run '^mgnn of club-edges: accuracy 0\.[0-9]+ ± [0-9.]+ on test nodes, 3 seeds$' \
  own_data "$root/examples/club-edges.tsv" "$root/examples/club-nodes.csv" club.safetensors
run '^member 1	(Mr\. Hi|Officer)	[01]\.[0-9]+$' predict club.safetensors
run '^member 1	(Mr\. Hi|Officer)	[01]\.[0-9]+$' predict club.safetensors "$root/examples/club-edges.tsv"
run '^sgc   accuracy [01]\.[0-9]+' network
run '^1	.+	.+	[01]\.[0-9]+$' ranking toykg links.safetensors
# What goes wrong is one sentence and an exit code of its own.
if "$examples/census" nothing-there 2>"$work/err"; then fail "census: a missing graph was accepted"; fi
[ "$(wc -l <"$work/err")" = 1 ] || { cat "$work/err"; fail "census: expected one sentence"; }
echo "installed tree works"
