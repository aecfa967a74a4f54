#!/bin/sh
# Runs the tests of the Python package; exits with 77 where pytest, hypothesis or NumPy are absent.
python=/usr/bin/python3
for module in numpy pytest hypothesis; do
  $python -c "import $module" 2>/dev/null || { echo "skipped: no python3-$module here"; exit 77; }
done
cd "$(dirname "$0")/../.." || exit 1
PYTHONDONTWRITEBYTECODE=1 exec $python -X dev -m pytest -q -rs -p no:cacheprovider tests/python "$@"
