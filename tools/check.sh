#!/bin/sh
# What to run before pushing: format, layers, build without warnings, tests.
set -eu
cd "$(dirname "$0")/.."
tools/lint
tools/run-tests build/lint -j "$(nproc)"
