#!/bin/sh
# tools/measure runs commands, stores their figures, writes tables, and refuses what is not so.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "measure_runs: $*" >&2; exit 1; }

mkdir -p "$dir/tools" "$dir/docs/measured" "$dir/bin"
cp "$root/tools/measure" "$dir/tools"
printf '#!/bin/sh\n[ "$MODE" = x ] || exit 1\n' > "$dir/bin/mgnn"
printf 'echo '\''{"models": [{"model": "gcn", "test": {"mean": 0.75}}], "m": {"hits@1.5": 2}, "t": [{"method": "A", "x": "0.5 ± 0.25"}]}'\''\n' >> "$dir/bin/mgnn"
printf '#!/bin/sh\necho table of times; echo "ratio a_over_b 3.14159"; echo "figure a_ms 2"\n' > "$dir/bin/bench"
chmod +x "$dir/bin/mgnn" "$dir/bin/bench"
cat > "$dir/docs/measured/t.json" <<'END'
{"command": "mgnn x", "columns": ["what", "score"], "align": ["---", "---:"],
 "runs": {"a": {"command": "MODE=x mgnn x", "date": "2000-01-01", "figures": {"models.gcn.test.mean": 0.5}},
          "b": {"command": "bench 1", "date": "2000-01-02", "figures": {}}},
 "rows": [["gcn", "{a|models.gcn.test.mean|.3f} ({a|models.gcn.test.mean|+.2f|- 0.25}) {a|m.hits@1.5|.0f} {a|t.A.x.std|.2f}"],
          ["b", "{b|a_over_b|.2f} {b|a_ms|.1f}"]]}
END
printf '# Measurements\n<!-- measured t -->\nold\n<!-- end measured -->\nafter\n' > "$dir/docs/measurements.md"

if "$dir/tools/measure" check 2>/dev/null; then fail "an old table passes"; fi
"$dir/tools/measure" write >/dev/null
"$dir/tools/measure" check || fail "the table just written does not pass"
grep -qx '`mgnn x`, 2000-01-01 to 2000-01-02:' "$dir/docs/measurements.md" || fail "no dates"
grep -qx '| gcn | 0.500 (+0.25) - - |' "$dir/docs/measurements.md" || fail "other figures"
grep -qx after "$dir/docs/measurements.md" || fail "text behind a table is gone"

MGNN_BIN="$dir/bin" "$dir/tools/measure" run t 2>/dev/null
if "$dir/tools/measure" check 2>/dev/null; then fail "new figures, and the old table passes"; fi
"$dir/tools/measure" write >/dev/null
today=$(date +%Y-%m-%d)
grep -qx "\`mgnn x\`, $today:" "$dir/docs/measurements.md" || fail "the date is not today's"
grep -qx '| gcn | 0.750 (+0.50) 2 0.25 |' "$dir/docs/measurements.md" || fail "JSON is not read"
grep -qx '| b | 3.14 2.0 |' "$dir/docs/measurements.md" || fail "lines of a benchmark are not read"

printf '\n| by | hand |\n' >> "$dir/docs/measurements.md"
if "$dir/tools/measure" check 2>/dev/null; then fail "a table outside of markers passes"; fi
sed -i 's/a_over_b/b_over_a/' "$dir/docs/measured/t.json"
if MGNN_BIN="$dir/bin" "$dir/tools/measure" run t b 2>/dev/null; then fail "a figure that no output has passes"; fi
