#!/bin/bash
# documents.sh PROGRAM OUT: writes what PROGRAM says of itself, where man and shells look for it below OUT: a page for
# each command and algorithm, and completions of bash, zsh and fish.
set -euo pipefail
program=$1 out=$2
rm -rf "$out"
mkdir -p "$out"/{man/man1,bash-completion/completions,zsh/{site-functions,vendor-completions},fish/vendor_completions.d}

# pages_of WORD...: the page of a command, and the pages that it names below "See also".
pages_of() {
  local page
  page=$out/man/man1/edgemill$(printf -- '-%s' "$@").1
  [ $# -gt 0 ] || page=$out/man/man1/edgemill.1
  [ ! -e "$page" ] || return 0
  "$program" help --man "$@" > "$page"
  local other
  for other in $(sed -n 's/^\.BR edgemill-\([a-z0-9-]*\) (1)$/\1/p' "$page"); do
    # shellcheck disable=SC2086 # words of a command
    pages_of ${other//-/ }
  done
}
pages_of
"$program" completion bash > "$out/bash-completion/completions/edgemill"
# Debian's zsh looks in the first place below /usr/local, and in the second below /usr.
for folder in site-functions vendor-completions; do
  "$program" completion zsh > "$out/zsh/$folder/_edgemill"
done
"$program" completion fish > "$out/fish/vendor_completions.d/edgemill.fish"
