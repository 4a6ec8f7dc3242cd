#!/bin/bash
# public_headers.sh SOURCE OUT DEPFILE ROOT...: writes the headers that the headers ROOT need, as users include them,
# below OUT: those of SOURCE/edgemill as edgemill/NAME, all others as edgemill/internal/FOLDER/NAME. DEPFILE becomes a
# rule of make with all that was read.
#
# The source tree includes "common/status.h" and has macros such as CHECK. Both would meet a user's own. So here all
# paths begin with edgemill/, and all macros with EDGEMILL_, but for those of Arrow's C interface, which others test.
set -euo pipefail
source_tree=$1 out=$2 depfile=$3
shift 3
folders='common|storage|loaders|kernels|engine|bench|cli'

# Any path of a header in quotes counts, since macros name headers too.
cd "$source_tree"
headers=("$@") next=("$@")
while [ ${#next[@]} -gt 0 ]; do
  mapfile -t named < <(grep -ohE "\"($folders|edgemill)/[a-z0-9_/]+\.(h|cuh)\"" "${next[@]}" | tr -d '"' | sort -u)
  mapfile -t next < <(printf '%s\n' "${headers[@]}" | sort | comm -13 - <(printf '%s\n' "${named[@]}") | grep .)
  headers+=("${next[@]}")
done
# for_gpu.cuh also defines names of functions (Emit), for sources that the build writes.
names=$(sed -nE 's/^ *# *define ([A-Z][A-Z0-9_]+).*/\1/p' "${headers[@]}" | grep -vE "^(EDGEMILL|ARROW)_" | sort -u | paste -sd '|')

rm -rf "$out/edgemill"
mkdir -p "$out/edgemill/internal"
cp --parents "${headers[@]}" "$out/edgemill/internal"
mv "$out"/edgemill/internal/edgemill/* "$out/edgemill"
rmdir "$out/edgemill/internal/edgemill"
cd "$out"
# A user's warnings are about the user's code.
find edgemill -type f -exec sed -i -E -e "s#\"(($folders)/[a-z0-9_/]+\.(h|cuh))\"#\"edgemill/internal/\1\"#g" \
  -e "s/\b(EM_)?($names)\b/EDGEMILL_\2/g" -e 's/\bEDGEMILL_EM_/EDGEMILL_/g' \
  -e 's/^#pragma once$/&\n#pragma GCC system_header/' {} +
echo "$out/edgemill/algorithm.h: $(printf "$source_tree/%s " "${headers[@]}")" > "$depfile"
