#!/bin/bash
# Builds a Debian package of the program, its library, headers, the Python package, pages for man and completions:
# package.sh [FOLDER].
# FOLDER is a configured build, by default build/program, which the script makes. The package is
# FOLDER/packages/edgemill_VERSION_ARCHITECTURE.deb; `apt install ./edgemill_*.deb` installs it and what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/program}
for tool in cpack dpkg-shlibdeps; do
  command -v $tool > /dev/null || { echo "package: there is no $tool: install cmake and dpkg-dev" >&2; exit 69; }
done
[ -n "${1:-}" ] || cmake --preset program > /dev/null
[ -e "$build/CPackConfig.cmake" ] || { echo "package: $build is no build of a package: configure it first" >&2; exit 66; }
cmake --build "$build" --target edgemill_package
cpack --config "$build/CPackConfig.cmake" -B "$build/packages" > "$build/package.log" 2>&1 ||
  { echo "package: cpack failed:" >&2; tail -20 "$build/package.log" >&2; exit 70; }
ls "$build"/packages/*.deb
