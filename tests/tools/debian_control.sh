#!/bin/sh
# debian/ and the rest of the project agree: the version, what a build needs, the name of the C library's package.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
bad=0
say() { echo "$*"; bad=1; }
version=$(sed -n 's/^project(mgnn VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
packaged=$(sed -n '1s/^mgnn (\(.*\)) .*/\1/p' debian/changelog)
[ "$version" = "$packaged" ] || say "CMakeLists.txt says $version, debian/changelog $packaged"
soversion=$(sed -n 's/.*SOVERSION \([0-9]*\) UNITY.*/\1/p' CMakeLists.txt)
grep -q "^Package: libmgnn-c$soversion\$" debian/control || say "no package libmgnn-c$soversion in debian/control"
needed=$(tools/install-deps --list | grep -vx 'g++\|ca-certificates')
stated=$(sed -n '/^Build-Depends:/,/^[A-Z][a-z-]*: *[0-9]/p' debian/control | grep -o '[a-z0-9+.-]*[a-z0-9+]')
for package in $needed; do
  echo "$stated" | grep -qx -- "$package" || say "debian/control does not build-depend on $package"
done
exit $bad
