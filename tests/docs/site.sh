#!/bin/sh
# The documentation builds without a warning (links lead somewhere, every page is in the table of contents),
# has what the reference is made of, can be searched, and asks no server for anything.
#   site.sh TOOL LIBRARY
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
/usr/bin/python3 -c 'import sphinx, myst_parser, furo, numpy' 2>/dev/null || {
  echo "skipped: no Sphinx with myst-parser and furo (tools/install-deps --with-docs)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }
MGNN_TOOL=$1 MGNN_LIBRARY=$2 /usr/bin/python3 -m sphinx -q -W -b html -d "$work/cache" "$root/docs" "$work/site"
cd "$work/site"
for verb in census train rank; do
  grep -q "<h2>mgnn $verb<" reference/tool.html || fail "the tool's reference lacks $verb"
done
grep -q 'mgnn_graph_from_arcs\|mgnn_census' reference/c.html || fail "the C reference is empty"
grep -q 'motif_matrices' reference/cpp.html || fail "the C++ reference is empty"
for name in motif_matrices NodeClassifier MotifConv triadic_census; do
  grep -q "$name" reference/python.html || fail "the reference of Python lacks $name"
done
[ -s searchindex.js ] || fail "there is no index to search"
if grep -rEl '(src|href)="https?://[^"]+\.(js|css|woff2?)"' --include='*.html' .; then
  fail "these pages load something from elsewhere"
fi
