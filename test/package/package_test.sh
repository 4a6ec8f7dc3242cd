#!/bin/bash
# package_test.sh BUILD CXX: installs BUILD into an empty prefix, builds examples/ against it, and runs them.
set -u
build=$1 cxx=$2
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$checks/../../examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" > installed 2>&1 || fail "cmake --install: $(tail -5 installed)"
library_folder=$(dirname "$(find "$prefix" -name edgemill.pc)")/..
export PKG_CONFIG_PATH=$library_folder/pkgconfig LD_LIBRARY_PATH=$library_folder
readelf -d "$library_folder/libedgemill.so" | grep -q 'SONAME.*libedgemill\.so\.[0-9]*\.[0-9]*\]' || fail "no SONAME"
for file in bin/edgemill share/man/man1/edgemill{,-run,-bench-io,-run-bfs}.1 share/zsh/site-functions/_edgemill \
            share/bash-completion/completions/edgemill share/fish/vendor_completions.d/edgemill.fish; do
  [ -s "$prefix/$file" ] || fail "no $file is installed"
done
# Commands and algorithms have a page each.
[ "$(find "$prefix/share/man/man1" -name '*.1' | wc -l)" -ge 30 ] || fail "too few pages: $(ls "$prefix/share/man/man1")"

# Headers lie below edgemill/, and their macros begin with EDGEMILL_. A user's own CHECK and common/status.h are
# others, and all warnings of the headers stay silent. Nothing of other libraries is included.
ls "$prefix/include" > roots
[ "$(cat roots)" = edgemill ] || fail "headers outside of include/edgemill: $(cat roots)"
find "$prefix/include" -name '*.h' -exec grep -hoE '^ *# *define +\w+' {} + | grep -vE ' (EDGEMILL|ARROW)_' > macros &&
  fail "macros without a prefix: $(cat macros)"
mkdir -p common
echo '#error a header of the package includes a header of the user' > common/status.h
cat > own_names.cc << 'END'
#define CHECK(x) of the user
#define RETURN_IF_ERROR(x) of the user
#define GUARDED_BY(x) of the user
#include <edgemill/algorithm.h>
#include <edgemill/edgemill.h>
#include <edgemill/program.h>
END
"$cxx" -std=c++20 -fsyntax-only -MD -MF own_names.d -Wall -Wextra -Wshadow -Wconversion -Werror -I. \
  -I"$prefix/include" own_names.cc 2> err || fail "headers: $(head -c 2000 err)"
grep -E 'cuda|rocksdb|liburing|zstd|hwy' own_names.d && fail "headers of other libraries are included"

# The examples, by find_package.
cmake -G Ninja -S "$examples/algorithms" -B algorithms -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror' -DEDGEMILL_CUDA=OFF > out 2>&1 &&
  cmake --build algorithms >> out 2>&1 || fail "examples/algorithms: $(tail -20 out)"
mine=algorithms/my_edgemill
for arguments in 'generate rmat g.mill --scale 10 --weights random:1:255:7' 'run widest g.mill -r 3 --verify -o widest.txt' \
                 'run sswp g.mill -r 3 --unreachable inf -o sswp.txt' 'run bonacich g.mill --verify' \
                 'bench run widest,bonacich g.mill -r 3 -n 1' 'help run bonacich'; do
  # shellcheck disable=SC2086 # words of a command line
  "$mine" $arguments --quiet > out 2>&1 || fail "my_edgemill $arguments: $(cat out)"
done
# The widths of both algorithms are the same, but for the source and vertices without a path.
grep -v '^3 ' widest.txt | sed 's/ -1$/ inf/' > widest
grep -v '^3 ' sswp.txt > sswp
[ "$(grep -vc inf sswp)" -gt 100 ] || fail "few vertices are reached: $(head -5 sswp)"
cmp widest sswp || fail "widest and sswp differ: $(diff widest sswp | head -5)"
"$mine" run bonacich g.mill --alpha 10 > out 2>&1 && fail "bonacich ends with values that grow without bound"
grep -q 'give a smaller --alpha' out || fail "bonacich says: $(cat out)"
edgemill=$prefix/bin/edgemill
"$edgemill" run bonacich g.mill > out 2>&1 && fail "edgemill itself has bonacich"

on_model='on the model +[0-9,]+ schedules on 40 graphs'
(cd algorithms && ctest -V) > out 2>&1 && [ "$(grep -cE "$on_model" out)" = 2 ] ||
  fail "edgemill_test_algorithm: $(tail -20 out)"

# On the model, a function that breaks a rule is named with it. One that breaks none passes, also from a plugin.
cmake -G Ninja -S "$checks/wrong" -B wrong -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror -O0 -DNDEBUG' -DEDGEMILL_CUDA=OFF > out 2>&1 &&
  cmake --build wrong >> out 2>&1 || fail "wrong: $(tail -20 out)"
(cd wrong && ctest -V) > out 2>&1 && grep -qE "$on_model" out || fail "levels: $(tail -20 out)"
memory=/dev/shm
[ -w $memory ] || memory=.
names() {  # ALGORITHM TEXT
  wrong/wrong_on_model test "$1" --seeds 1 --scratch "$memory" --quiet > out 2>&1
  [ $? = 70 ] && grep -qF -- "$2" out || fail "$1 says: $(cat out)"
}
names peeks 'ReadsNext: other: not a vertex of this call: read others by Anywhere<T> (on the model: '
names counts 'CountsCalls: a function changes a field of its own: the engine copies programs (on the model: '
names sends 'SendsItsTurn::Emit: says something else when it is called again for the same vertices (on the model: '
names means 'Mean::Combine: what is combined first matters: it must be associative (on the model: '
names eager 'AlwaysActive::Relax: is true though nothing changed (on the model: '
names reopens 'OpensAgain::Cond: was false at a vertex and is true again (on the model: '
names guesses 'the array number differs after call 1 of TakesAnySender (on the model: '

# The same algorithms as a plugin of the installed program.
plugin=algorithms/my_algorithms.so
"$mine" run bonacich g.mill --quiet -o bonacich.txt > out 2>&1 || fail "my_edgemill: $(cat out)"
"$edgemill" run bonacich g.mill --plugin $plugin --verify --quiet -o same.txt > out 2>&1 || fail "plugin: $(cat out)"
cmp bonacich.txt same.txt || fail "bonacich as a plugin has another answer"
"$edgemill" bench run widest,sswp g.mill -r 3 -n 1 --plugin=$plugin > out 2>&1 || fail "plugin: $(cat out)"
"$edgemill" help run widest --plugin $plugin > out 2>&1 && grep -q '^edgemill run widest' out || fail "plugin: $(cat out)"
"$edgemill" test widest --plugin $plugin --seeds 1 > out 2>&1 && grep -q 'all answers are the same' out &&
  ! grep -q 'on the model' out || fail "test widest: $(cat out)"
sed 's/edgemill plugin for version 0/edgemill plugin for version 9/' $plugin > later.so
"$edgemill" run bonacich g.mill --plugin later.so > out 2>&1
[ $? = 65 ] && grep -q 'later.so: built for Edgemill 9\.[0-9.]*, and this is 0\.[0-9.]*: build it again' out ||
  fail "a plugin of another version: $(cat out)"
echo 'void missing(); void calls() { missing(); }' > stub.cc
"$cxx" -shared -fPIC -x c++ stub.cc "$library_folder/cmake/edgemill/plugin.cc" -o needs.so
"$edgemill" run bonacich g.mill --plugin needs.so > out 2>&1
[ $? = 65 ] && grep -q 'cannot be loaded: .*undefined symbol' out || fail "a plugin without its functions: $(cat out)"
# A column of vertices by a function, in groups, where some vertices have no value.
cat > thirds.cc << 'END'
#include <edgemill/algorithm.h>
namespace edgemill {
namespace {
Status Divide(Engine&, RunState&, const RunContext&, Answer* answer) {
  answer->Fill("third", [](VertexId v) { return v % 3 == 2 ? kUnreachedInteger : uint64_t{v % 3}; });
  return OkStatus();
}
Status Verify(LoadedGraph&, RunState&, RunState&, const RunContext&) { return OkStatus(); }
}  // namespace
EDGEMILL_ALGORITHM(thirds) = {
    .name = "thirds",
    .summary = "stored vertices by their remainder",
    .results = {{.name = "third", .type = ResultType::kId, .top = TopKind::kGroups, .may_miss = true}},
    .driver = kDriver<Divide>,
    .verifier = kVerifier<Verify>,
};
}  // namespace edgemill
END
"$cxx" -std=c++20 -shared -fPIC -DNDEBUG -isystem "$prefix/include" thirds.cc \
  "$library_folder/cmake/edgemill/plugin.cc" -o thirds.so > out 2>&1 || fail "thirds.cc: $(head -c 2000 out)"
least=$("$edgemill" run thirds g.mill --plugin ./thirds.so --dry-run --output a.txt --quiet | grep -oE '[0-9]+MiB' | tail -1)
"$edgemill" run thirds g.mill --plugin ./thirds.so --memory "$least" --top 2 --verify --output thirds.txt > out 2>&1 ||
  fail "thirds within $least: $(cat out)"
[ "$(cut -d' ' -f2 thirds.txt | sort -u | wc -l)" = 3 ] && [ "$(grep -c ' inf$' thirds.txt)" = 341 ] ||
  fail "thirds: $(head -3 thirds.txt)"
head -c 5000 $plugin > half.so
"$edgemill" run bonacich g.mill --plugin half.so > out 2>&1
[ $? = 65 ] || fail "half a plugin: $(cat out)"

# The library, by find_package and by pkg-config.
cmake -G Ninja -S "$examples/library" -B library -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror' -DEDGEMILL_CUDA=OFF > out 2>&1 &&
  cmake --build library >> out 2>&1 || fail "examples/library: $(tail -20 out)"
# shellcheck disable=SC2046 # several words
"$cxx" -std=c++20 -Wall -Wextra -Werror "$examples/library/distances.cc" -o by_pkg_config \
  $(pkg-config --cflags --libs edgemill) > out 2>&1 || fail "pkg-config: $(tail -20 out)"
printf 'vertices 1000\ndistance from 995 to 7: 12\nrank of 0: 0.034\n' > want
for program in library/distances ./by_pkg_config; do
  "$program" "$work/$(basename "$program").mill" > out 2> err || fail "$program: $(cat err)"
  cmp -s out want || fail "$program says: $(cat out)"
  "$program" "$work/$(basename "$program").mill" > out 2> err && fail "$program makes a graph again"
  grep -q "is a graph already" err || fail "$program: $(cat err)"
done

# The C interface: a header for C11 and a program, which answers as the one above.
echo '#include <edgemill/c_api.h>' > header.c
"${CC:-cc}" -std=c11 -pedantic -fsyntax-only -Wall -Wextra -Wshadow -Wconversion -Werror -I"$prefix/include" header.c \
  2> err || fail "c_api.h: $(head -c 2000 err)"
# Arrow's structs are guarded as its specification says: another header may have declared them.
printf '%s\n' '#include <edgemill/c_api.h>' '#ifndef ARROW_C_STREAM_INTERFACE' '#error' '#endif' > guards.c
"${CC:-cc}" -std=c11 -fsyntax-only -I"$prefix/include" guards.c 2> err || fail "c_api.h has other guards: $(cat err)"
# shellcheck disable=SC2046 # several words
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$examples/c/distances.c" -o c_distances \
  $(pkg-config --cflags --libs edgemill) > out 2>&1 || fail "examples/c: $(tail -20 out)"
./c_distances "$work/c.mill" > out 2> err || fail "c_distances: $(cat err)"
cmp -s out <(head -2 want) || fail "c_distances says: $(cat out)"
./c_distances "$work/c.mill" > out 2> err && fail "c_distances makes a graph again"
grep -q "is a graph already" err || fail "c_distances: $(cat err)"

# Mistakes in edgemill_add_algorithm are one error each.
refused() {  # ARGUMENTS TEXT
  printf 'cmake_minimum_required(VERSION 3.25)\ninclude("%s")\nedgemill_add_algorithm(%s)\n' "$library_folder/cmake/edgemill/add_algorithm.cmake" "$1" > bad.cmake
  cmake -P bad.cmake > out 2>&1 && fail "edgemill_add_algorithm($1) is no error"
  tr -s '\n ' ' ' < out | grep -qF -- "$2" || fail "edgemill_add_algorithm($1) says: $(cat out)"
}
echo 'EDGEMILL_ALGORITHM(other) = {};' > wrong.cc
echo 'EDGEMILL_ALGORITHM(bfs) = {};' > bfs.cc
refused mine 'edgemill_add_algorithm(mine): name the source file of an algorithm'
refused 'mine absent.cc' "there is no file $work/absent.cc"
refused 'mine wrong.cc' "wrong.cc declares no algorithm by EDGEMILL_ALGORITHM(wrong): the word in brackets is"
refused 'mine bfs.cc' 'bfs.cc has the name of a file of Edgemill: rename it'
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(untested NONE)' \
  "include(\"$library_folder/cmake/edgemill/add_algorithm.cmake\")" 'edgemill_test_algorithm(absent bfs)' > bad.cmake
mkdir untested && mv bad.cmake untested/CMakeLists.txt
cmake -S untested -B untested/build > out 2>&1 && fail "edgemill_test_algorithm(absent bfs) is no error"
tr -s '\n ' ' ' < out | grep -qF 'edgemill_test_algorithm(absent bfs): absent is no target of' ||
  fail "edgemill_test_algorithm(absent bfs) says: $(cat out)"
mkdir later
printf 'cmake_minimum_required(VERSION 3.25)\nproject(later NONE)\nfind_package(edgemill 0.99 CONFIG REQUIRED)\n' \
  > later/CMakeLists.txt
cmake -G Ninja -S later -B later/build -DCMAKE_PREFIX_PATH="$prefix" > out 2>&1 && fail "version 0.99 is found"
grep -q 'requested version "0.99"' out || fail "version 0.99: $(cat out)"

[ "$failures" = 0 ] || { echo "$failures checks failed"; exit 1; }
echo "all checks passed"
