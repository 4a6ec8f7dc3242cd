#!/bin/bash
# Breaks each of tidy's rules in a small tree, and checks that tidy reports it: finds_faults.sh TIDY.
set -euo pipefail
tidy=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect WHAT FILE TEXT [FILE TEXT ...]: tidy must report WHAT for files that hold these texts. If WHAT is empty, tidy
# must report nothing.
expect() {
  local what=$1
  rm -rf "${tree:?}"/*
  shift
  while [ $# -gt 0 ]; do
    mkdir -p "$tree/$(dirname "$1")"
    printf '%b' "$2" > "$tree/$1"
    shift 2
  done
  if [ -z "$what" ]; then
    if ! "$tidy" "$tree" > "$tree/out"; then
      echo "clean text was faulted: $(cat "$tree/out")"
      failures=$((failures + 1))
    fi
  elif "$tidy" "$tree" > "$tree/out" || ! grep -qF -- "$what" "$tree/out"; then
    echo "not found: $what; tidy said: $(cat "$tree/out")"
    failures=$((failures + 1))
  fi
}

body=$(printf '  f();\\n%.0s' $(seq 70))
short=$(printf '  f();\\n%.0s' $(seq 60))
expect '' common/a.cc "// new, delete, atoi(1)\nvoid F() {\n${short}}\nint x = 1'000;\nconst char* s = \"rand() { \\\\\" new\";\n"
expect '' kernels/a-inl.h "int x;\n"
expect 'F has 72 lines' common/a.cc "namespace x {\nvoid F() {\n${body}}\n}\n"
expect 'C::C has 72 lines' common/a.cc "C::C(int a) : a_(a), b_{3} {\n${body}}\n"
expect 'has 72 lines' test/a_test.cc "TEST(A, B) {\n${body}}\n"
expect 'columns' common/a.cc "// $(printf 'x%.0s' $(seq 100))\n"
expect 'may not include "storage/a.h"' common/a.cc '#include "storage/a.h"\n'
expect 'may not include "storage/catalog/catalog.h"' kernels/a.cc '#include "storage/catalog/catalog.h"\n'
expect '' kernels/a.cc '#include "storage/format/group_codec.h"\n'
expect 'may not include "cli/a.h"' engine/graph/a.cc '#include "cli/a.h"\n'
expect 'may not include <rocksdb/db.h>' engine/graph/a.cc '#include <rocksdb/db.h>\n'
expect 'may not include <nlohmann/json.hpp>' cli/a.h '#pragma once\n#include <nlohmann/json.hpp>\n'
expect 'may not include <iostream>' storage/read/a.cc '#include <iostream>\n'
expect 'atoi is banned' loaders/read/a.cc 'int x = atoi(s);\n'
expect 'strtod is banned' loaders/read/a.cc 'double x = std::strtod(s, 0);\n'
expect 'exit is banned' cli/a.cc 'void F() { exit(1); }\n'
expect 'std::endl' test/a_test.cc 'void F() { out << std::endl; }\n'
expect 'new belongs' engine/graph/a.cc 'int* x = new int;\n'
expect '' engine/graph/a.cc 'std::unique_ptr<X> x(new X);\nX(const X&) = delete;\n'
expect 'delete is banned' engine/graph/a.cc 'void F() { delete x; }\n'
expect 'TODO' engine/graph/a.cc '// TODO: later\n'
expect 'pragma once' engine/graph/a.h 'int x;\n'
expect 'named after' engine/graph/edge_utils.cc 'int x;\n'
expect 'a tab' engine/graph/a.cc '\tint x;\n'
expect 'limit is 800' engine/graph/a.cc "$(printf '\\n%.0s' $(seq 801))"
expect 'the file has 401 lines: say why' engine/graph/a.cc "$(printf '\\n%.0s' $(seq 401))"
expect '' engine/graph/a.cc "// Above 400 lines: a table.$(printf '\\n%.0s' $(seq 401))"
expect '' engine/graph/a.cc "$(printf '\\n%.0s' $(seq 400))"
expect '' bench/a.cc "$(printf '\\n%.0s' $(seq 401))"
expect '' test/a.cc "$(printf '\\n%.0s' $(seq 801))"

# A folder of a library has at most 20 sources and headers, without subfolders. Other files do not count.
crowd() {  # FOLDER FILES
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/$1"
  for i in $(seq "$2"); do echo 'int x;' > "$tree/$1/a$i.cc"; done
  touch "$tree/$1/CMakeLists.txt"
  "$tidy" "$tree" > "$tree/out"
}
crowd engine/graph 20 || { echo "20 files were faulted: $(cat "$tree/out")"; failures=$((failures + 1)); }
crowd engine/algorithms 21 || { echo "algorithms were faulted: $(cat "$tree/out")"; failures=$((failures + 1)); }
if crowd storage/io 21 || ! grep -qF 'storage/io: 21 sources and headers side by side' "$tree/out"; then
  echo "a crowded folder was not found: $(cat "$tree/out")"
  failures=$((failures + 1))
fi

crowd bench 25 || { echo "25 files were faulted: $(cat "$tree/out")"; failures=$((failures + 1)); }
if crowd cli 26 || ! grep -qF 'cli: 26 sources and headers side by side, the limit is 25' "$tree/out"; then
  echo "a crowded folder was not found: $(cat "$tree/out")"
  failures=$((failures + 1))
fi

# Classes have at most 20 public methods and 12 data members, functions 5 parameters.
methods=$(for i in $(seq 20); do printf '  int m%d() const { return g(1, 2); }\\n' "$i"; done)
members=$(for i in $(seq 12); do printf '  std::map<int, char> a%d_ = {};\\n' "$i"; done)
class() { printf '#pragma once\\nnamespace x {\\nclass C final : public B {\\n public:\\n%s\\n};\\n}  // namespace x\\n' "$1"; }
other="  C();\n  explicit C(int a) : B(a), a_{1} {}\n  ~C();\n  C(const C&) = delete;\n  C& operator=(const C&) = delete;\n\
  int m1(int a);\n  using D = int;\n  static constexpr int kA = 1;\n  struct E {\n    int a, b;\n    int f();\n  };\n\
  enum F { kB, kC };\n\n private:\n  int g(int, int);\n  friend class G;\n"
expect '' cli/a.h "$(class "$methods$other$members")"
expect 'cli/a.h:3: C has 21 methods, the limit is 20' cli/a.h "$(class "  static int Make();\n$methods$other$members")"
expect 'cli/a.h:3: C has 13 members, the limit is 12' cli/a.h "$(class "$methods$other$members  int b_ GUARDED_BY(a_) = 0;\n")"
expect 'C has 14 members' cli/a.h "$(class "$members  int b_ = 0, c_{f(1, 2)};\n")"
expect 'C has 13 members' cli/a.h "$(class "$members  void (*b_)(int a, int b);\n")"
expect 'cli/a.h:5: E has 13 members' cli/a.h "$(class "struct E {\n$members  int b;\n};\n")"
expect 'cli/a.h:2: C has 21 methods' cli/a.h "#pragma once\nstruct EM_THREAD_ANNOTATION(f(\"a\")) C {\n$methods  int b();\n};\n"
expect '' test/a.h "$(class "$methods  int b();\n$members  int b_;\n")"
expect '' cli/a.cc 'void F(int a, std::map<int, char> b, int c = g(1, 2), int d = {},\n       int (*e)(int a, int b)) {\n  G(1, 2, 3, 4, 5, 6);\n}\n'
expect 'cli/a.cc:2: F has 6 parameters, the limit is 5' cli/a.cc '\nvoid C<P>::F(int a, int b, int c,\n             int d, int e, int f) const {\n}\n'
expect 'kernels/a.cu:1: F has 6 parameters' kernels/a.cu 'template <typename A, typename B>\n__global__ void __launch_bounds__(256) F(int a, int b, int c, int d, int e, int f) {\n}\n'
expect 'F has 6 parameters' cli/a.cc '[[nodiscard]] int F(int a, int b, int c, int d, int e, const std::function<int(int, int)>& f);\n'
expect 'C has 6 parameters' cli/a.cc 'C::C(int a, int b, int c, int d, int e, int f) : a_(a), b_{b} {}\n'
expect 'f has 6 parameters' cli/a.cc 'struct A {\n  void (*f)(int, int, int, int, int, int) = nullptr;\n};\n'
six='void F(int a, int b, int c, int d, int e, int f);\n'
allowed=test/tidy/exceptions.txt
expect '' "$allowed" '# Why.\n\nparameters cli/a F: a reason\n' cli/a.cc "$six" cli/a.h "#pragma once\n$six"
expect '' "$allowed" 'members cli/a A: a reason\n' cli/a.cc "struct A {\n$members  int b;\n};\n"
expect 'F has 6 parameters' "$allowed" 'parameters cli/b F: a reason\n' cli/a.cc "$six"
expect 'exceptions.txt:1: parameters cli/a G is within the limit: remove the line' "$allowed" 'parameters cli/a G: a reason\n'
expect 'exceptions.txt:2: not KIND PLACE NAME: REASON' "$allowed" '\nparameters cli/a F:\n' cli/a.cc "$six"
expect 'exceptions.txt:2: a line says so already' "$allowed" 'files cli: a\nfiles cli: b\n'

# Folders of a room do not include each other in a circle.
up='#include "engine/cpu/a.h"\n'
down='#pragma once\n#include "engine/cpu/push/b.h"\n'
expect '' engine/cpu/a.h "$down" engine/cpu/push/b.cc '#include "engine/cpu/pull/c.h"\n'
expect 'engine/cpu/push/b.cc:1: engine/cpu/push includes headers of engine/cpu, from which a circle' \
  engine/cpu/a.h "$down" engine/cpu/push/b.cc "$up"
expect 'engine/cpu/pull/c.cc:1: engine/cpu/pull includes headers of engine/cpu, from which a circle' \
  engine/cpu/a.h "$down" engine/cpu/push/b.cc '#include "engine/cpu/pull/c.h"\n' engine/cpu/pull/c.cc "$up"
expect 'cli/run/a.h:1: cli/run includes headers of cli, from which a circle' \
  cli/a.h '#pragma once\n#include "cli/run/a.h"\n' cli/run/a.h '#pragma once\n#include "cli/a.h"\n'
expect '' "$allowed" 'circle engine/cpu: a reason\n' engine/cpu/a.h "$down" engine/cpu/push/b.cc "$up"

# Markdown: columns, sentences, links.
words=$(printf 'w %.0s' $(seq 29))
long=$(printf 'x%.0s' $(seq 130))
wide="$(printf 'wide. %.0s' $(seq 20))end"
expect 'docs/a.md:3: the line has 123 columns, the limit is 120' docs/a.md "# A\n\n$wide\n"
expect 'README.md:1: the line has 123 columns' README.md "$wide\n"
expect 'test/data/a/README.md:2: the line has 123 columns' test/data/a/README.md "# A\n$wide\n"
expect 'the line has 125 columns' docs/a.md "* $wide\n"
expect 'the line has 125 columns' docs/a.md "# $wide\n"
expect 'the line has 145 columns' docs/a.md "at [$long](http://x)\n"
expect '' docs/a.md "\`\`\`\n$wide\n\n$words $words\n\`\`\`\n| $wide |\nhttp://$long\n* [$long](http://$long).\n"
expect 'a.md:1: the sentence "w w w w ..." has 31 words, the limit is 30' docs/a.md "${words% }\nw end.\n"
expect 'a.md:4: the sentence "w w w w ..." has 31 words' docs/a.md "One.\n\n* Two:\n  ${words% }\n  w end\n* x\n"
expect 'has 31 words' docs/a.md "1. ${words% }\n\`x\` [end](http://a)\n"
expect 'has 31 words' docs/a.md "${words% }\n\`x; x\`\n"
expect '' docs/a.md "${words% }\nend.\n${words% }\n[end](http://a)\n\n${words% }\n* ${words% }\n= **end.** ${words% }\n"
expect '' docs/a.md "# ${words% }\n| ${words% } | ${words% } |\n${words% }\n| end |\n"
expect 'a.md:2: the link b.md leads to no file' docs/a.md "[a](a.md)\n[b](b.md)\n"
expect 'a.md:1: the link ../../a.md leads to no file' docs/a.md "[a](../../a.md)\n"
expect 'a.md:2: the link #one leads to no heading of docs/a.md' docs/a.md "# Two\n| [a](#one) |\n"
expect 'the link ../docs/a.md#one-2 leads to no heading' docs/a.md "# One\n# One\n[a](../docs/a.md#one-2)\n"
expect 'leads to no heading' docs/a.md "\`\`\`\n# One\n\`\`\`\n[a](#one)\n"
expect '' docs/a.md "# One, \`a_b\`-c!\n[a](#one-a_b-c) ![a](a.md) \`[b](b.md)\` <http://x> [c](http://c#d)\n"

# Comments: sentences, and words for which there is a better word. Code and literals are not checked. Items of a list
# are separate sentences.
expect 'a.cc:1: the sentence "w w w w w ..." has 31 words, the limit is 30' common/a.cc "// ${words% }\n/// w end.\nint x;\n"
expect 'a.cc:3: the sentence "w w w w w ..." has 31 words' common/a.cc "// One.\n//\n//   ${words% } w\n// end\n"
expect 'a.cc:2: the sentence "w w w w w ..." has 31 words' common/a.cc "// One: two\n// three; ${words% }\n// (w end.) Four.\n"
expect '' common/a.cc "// ${words% }\n// end. ${words% }\n\n// ${words% }\n//\n// ${words% }\n// * ${words% }\n// | ${words% } |\n"
expect '' common/a.cc "// ${words% }\nint x;\n// ${words% } -- end\nint y;  // ${words% } w end\n"
for word in who Who whom Whoever Nobody anybody everybody somebody; do
  expect "a.cc:2: \"$word\" in a comment: write which" common/a.cc "int x;\nint y;  // one $word sees.\n"
done
expect 'a.h:2: "has the test be" in a comment: write a verb' test/a.h '#pragma once\n/// What has the test be one.\n'
expect '"Has all of the six long words be" in a comment' common/a.cc '// Has all of the six long words be one.\n'
expect '"sweep" in a comment: write pass' common/a.cc '// One sweep.\n'
expect '"sweeps" in a comment: write pass' common/a.cc '// Two sweeps.\n'
expect '"card" in a comment: write GPU' common/a.cc '// One card.\n'
expect '"Cards" in a comment: write GPU' kernels/a.cu '// Cards.\n'
expect '' common/a.cc '// Whose whole wildcard is sweeping, has been; may be discards.\nint who = card("sweep");\n'

# Messages of errors: tidy --messages lists them and checks their words.
list=$(mktemp)
trap 'rm -rf "$tree" "$list"' EXIT
# messages WHAT LIST FILE TEXT: tidy must report WHAT, and list the messages LIST. If WHAT is empty, it must only list.
messages() {
  local code=0 what=$1 listed=$2
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/$(dirname "$3")"
  printf '%b' "$4" > "$tree/$3"
  "$tidy" --messages "$list" "$tree" > "$tree/out" || code=$?
  if [ -z "$what" ]; then
    [ "$code" = 0 ] && [ "$(cat "$list")" = "$(printf '%b' "$listed")" ] && return
  else
    [ "$code" = 1 ] && grep -qF -- "$what" "$tree/out" && return
  fi
  echo "messages $what: tidy said: $(cat "$tree/out"), and listed: $(cat "$list")"
  failures=$((failures + 1))
}
messages '' 'b "c" {n}: d{e|{f}} g\tcli/a.cc:2\tusage' cli/a.cc \
  '// UsageError("x")\nStatus A() { return UsageError(StrCat("b \\"c\\" ", n, ": d",\n  ok ? "e" : f, " g")); }\n'
messages '' 'a{b}\tcli/a.cc:1\tIo\nc d\tcli/a.cc:1\tIo\nz {x}\tcli/a.cc:2\tIo' cli/a.cc \
  'Status F() { return Status(Code::kIo, StrCat("a", b), 5) + Status(Code::kIo, "c d"); }\nStatus G() { auto m = StrCat("z ", x); return Status(Code::kIo, m); }\n'
messages '' 'no {what}\tcli/a.cc:1\tinternal\nway\tcli/a.cc:2\tinternal' cli/a.cc \
  'Status F(int a, std::string_view what) { return InternalError(StrCat("no ", what)); }\nStatus G() { return F(1, "way"); }\n'
messages '' 'little room\tcli/a.cc:1\t\n{R()}: bad\tcli/a.cc:2\tbudget' cli/a.cc \
  'std::string R() { return "little room"; }\nStatus G() { return BudgetError(StrCat(R(), ": bad")); }\n'
messages '' 'slow disk\tcli/a.cc:1\twarning' cli/a.cc 'void F() { warnings_.push_back("slow" " disk"); }\n'
messages '' 'x: %d\\n\tcli/a.cc:1\t' cli/a.cc 'void F() { fprintf(stderr, "x: %d\\n", 1); fprintf(out, "y"); }\n'
messages '' 'GPU 0 failed\tcli/a.cc:1\tgpu' cli/a.cc 'auto a = GpuError("GPU 0 failed");\n'
refused() { messages "cli/a.cc:1: the message \"$1\" $2" '' cli/a.cc "auto a = UsageError(\"$1\");\n"; }
refused 'Graph is bad' 'starts with a capital'
refused 'graph is bad.' 'ends with a full stop'
refused 'graph  is bad' 'has two blanks in a row'
refused 'graph : bad' 'has a blank before a sign'
refused 'a is no graph' 'denies a noun: write "is not a": "is no graph"'
refused 'it has not a graph' 'lacks an auxiliary'
refused 'it does not do graphs' 'is vague: write "does not support"'
refused 'leave --ids away' 'has no English verb: write "leave out"'
refused 'give more --memory' 'is no English: write "give a larger"'
refused 'mind the name' 'is no plain word: write "check"'
refused 'take another name' 'has no plain verb: write "choose"'
refused 'as it was begun with' 'has no plain verb: write "began with"'
refused 'nobody reads it' 'speaks of persons'
refused 'the card is full' 'has a word that the glossary replaces'
refused 'fatal fault' 'has a word that helps no reader'
refused "${words% } w w" 'has over 30 words without a colon'
messages '' "$words{b}: $words\tcli/a.cc:1\tusage" cli/a.cc "auto a = UsageError(StrCat(\"$words\", b, \": $words\"));\n"
messages '' 'there is no graph, which is no longer new and has not ended\tcli/a.cc:1\tio' cli/a.cc \
  'auto a = IoError("there is no graph, which is no longer new and has not ended");\n'

mkdir -p "$tree/storage/read" && printf '#include <zstd.h>\n' | tee "$tree/storage/read/a.cc" > "$tree/storage/read/b.cc"
{ "$tidy" "$tree" || true; } | grep -q 'included by storage/read/a.cc already' || failures=$((failures + 1))
rm -rf "${tree:?}"/*
mkdir -p "$tree/common" "$tree/storage/read"
twice='namespace edgemill {\nstruct A {\n};\nclass B;\nnamespace {\nstruct C {\n};\n}  // namespace\n}  // namespace edgemill\n'
printf '%b' "$twice" | tee "$tree/common/a.cc" > "$tree/storage/read/b.cc"
{ "$tidy" "$tree" || true; } | grep ' is defined by ' > "$tree/out"
[ "$(cat "$tree/out")" = 'storage/read/b.cc:2: A is defined by common/a.cc too: the linker takes one for both' ] || {
  echo "two classes of one name: tidy said: $(cat "$tree/out")"
  failures=$((failures + 1))
}
[ "$failures" = 0 ]
