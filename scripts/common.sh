# Shared by the scripts beside it; sourced, not run. Leaves the shell in the repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# ensure_packages [LIST...]: installs what is missing of scripts/packages.txt, packages-app.txt and
# the lists named, or names it and stops.
ensure_packages() {
  local wanted missing=() package
  mapfile -t wanted < <(cat scripts/packages.txt scripts/packages-app.txt "$@")
  for package in "${wanted[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then
      as_root=(sudo)
    else
      echo "These Debian packages are missing: ${missing[*]}" >&2
      echo "Install them with: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
  fi
  echo "Installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# ensure_npm_packages LIST: puts into node_modules/ what tests run exported files with. Without npm
# those tests are skipped; that a package can't be had is an error in CI and a warning elsewhere.
ensure_npm_packages() {
  local wanted missing=() package
  command -v npm >/dev/null || { echo "npm is not installed: some tests are skipped" >&2; return 0; }
  mapfile -t wanted <"$1"
  for package in "${wanted[@]}"; do
    [ -f "node_modules/${package%@*}/package.json" ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "Installing ${#missing[@]} npm packages: ${missing[*]}" >&2
  npm install --prefix . --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
    "${wanted[@]}" >&2 || {
    [ "${CI:-}" != true ] || return 1
    echo "npm has not brought ${missing[*]}: some tests are skipped" >&2
  }
}

# build PRESET [TARGET...]: configures once, then builds. A compiler cache that holds nothing is not
# asked for a file by its preprocessed text, which takes a seventh of the compiler's time.
build() {
  local preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset"
  fi
  if ccache --print-stats 2>/dev/null | grep -qP '^files_in_cache\t0$'; then
    export CCACHE_DEPEND=1
  fi
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
