#!/bin/sh
# The library shows what its header declares, all of it and nothing else, and needs neither librsvg nor
# XGBoost to start.
#   tests/c/exports.sh LIBRARY HEADER
set -eu
shown=$(nm -D --defined-only "$1" | awk '$2 ~ /^[TW]$/ { sub("@.*", "", $3); print $3 }' | sort)
declared=$(grep -o 'MGNN_API [a-z0-9_ ]*[ *]mgnn_[a-z_]*(' "$2" | grep -o 'mgnn_[a-z_]*($' | tr -d '(' | sort)
[ -n "$declared" ]
if [ "$shown" != "$declared" ]; then
  echo "shown and declared differ:"
  printf '%s\n' "$shown" > "${TMPDIR:-/tmp}/shown.$$"
  printf '%s\n' "$declared" | diff "${TMPDIR:-/tmp}/shown.$$" - || :
  rm -f "${TMPDIR:-/tmp}/shown.$$"
  exit 1
fi
if readelf -d "$1" | grep -E 'NEEDED.*(rsvg|glib|cairo|xgboost)'; then
  echo "$1: is to load these when they are used"
  exit 1
fi
