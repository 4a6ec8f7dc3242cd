#!/bin/bash
# Builds in other environments: without apt-get, with a distribution's flags, with an old CUDA toolkit, in another
# project.
source "$(dirname "$0")/lib.sh"
source_tree=$(realpath "$checks/../..")

# Without apt-get, setup.sh lists the packages that are needed.
mkdir bin
for tool in bash id env; do ln -s "$(command -v $tool)" bin/; done
PATH=$work/bin bash "$source_tree/scripts/setup.sh" > out 2> err
[ $? = 69 ] || fail "setup.sh without apt-get: $(cat out err)"
says 'there is no apt-get'
says 'librocksdb-dev liburing-dev'

# package.sh says what is missing.
ln -s "$(command -v dirname)" bin/
PATH=$work/bin bash "$source_tree/scripts/package.sh" > out 2> err
[ $? = 69 ] || fail "package.sh without cpack: $(cat out err)"
bash "$source_tree/scripts/package.sh" "$work" > out 2> err
[ $? = 66 ] || fail "package.sh of a folder without a build: $(cat out err)"
says 'is no build of a package: configure it first'

# configure FOLDER ARGUMENT...: makes build files of the program, without its tests.
configure() {
  cmake -G Ninja -B "$@" -DEDGEMILL_TESTS=OFF > out 2> err || fail "cmake $*: $(tail -5 out err)"
}
# strings_of FOLDER: compiles one source.
strings_of() {
  cmake --build "$1" --target "common/CMakeFiles/edgemill_common.dir/strings.cc.o" > out 2>&1 || fail "$1: $(tail -5 out)"
}

# The build keeps a distribution's level of _FORTIFY_SOURCE, and otherwise sets its own. Warnings are errors only on
# request.
CXXFLAGS='-O2 -Wp,-D_FORTIFY_SOURCE=3' configure distribution -S "$source_tree" -DEDGEMILL_CUDA=OFF -DEDGEMILL_WERROR=ON
grep -q FORTIFY_SOURCE=2 distribution/compile_commands.json && fail "two levels of _FORTIFY_SOURCE"
grep -q Werror distribution/compile_commands.json || fail "EDGEMILL_WERROR=ON says nothing"
strings_of distribution

# An error says that a CUDA toolkit is too old.
mkdir -p cuda/bin cuda/include cuda/lib64
touch cuda/include/cuda_runtime.h cuda/lib64/libcudart.so
cat > cuda/bin/nvcc << END
#!/bin/sh
case "\$*" in
  *__cmake_determine_cuda*) echo '#\$ TOP=$work/cuda' ;;
  *) echo 'Cuda compilation tools, release 11.8, V11.8.89' ;;
esac
END
chmod +x cuda/bin/nvcc
configure old_cuda -S "$source_tree" -DCUDAToolkit_ROOT="$work/cuda"
tr '\n' ' ' < err | tr -s ' ' > words
grep -q 'is 11.8.89, which is too old: 12.0 or later is needed' words || fail "no word on CUDA 11.8: $(cat out err)"
grep -q FORTIFY_SOURCE old_cuda/compile_commands.json || fail "no level of _FORTIFY_SOURCE"
grep -q Werror old_cuda/compile_commands.json && fail "warnings are errors though nobody asked for it"

# The program, and one with algorithms of a user's own, build as parts of another project: by add_subdirectory, and by
# FetchContent, which takes a checkout that is there.
for way in "add_subdirectory($source_tree edgemill)" \
           'include(FetchContent)\nFetchContent_Declare(edgemill URL none)\nFetchContent_MakeAvailable(edgemill)'; do
  rm -rf parent within
  mkdir parent
  printf "cmake_minimum_required(VERSION 3.25)\nproject(parent CXX)\nset(EDGEMILL_CUDA OFF)\n$way\n" > parent/CMakeLists.txt
  echo "edgemill_add_algorithm(mine $source_tree/examples/algorithms/bonacich.cc)" >> parent/CMakeLists.txt
  cmake -G Ninja -S parent -B within -DFETCHCONTENT_SOURCE_DIR_EDGEMILL="$source_tree" > out 2> err ||
    fail "$way: $(tail -5 out err)"
  main=$(ninja -C within -t targets all | grep -o '^CMakeFiles/mine.dir/.*main.cc.o')
  cmake --build within --target "$main" > out 2>&1 || fail "$way: $(tail -5 out)"
  ninja -C within -t query mine | grep -q 'package/libedgemill.a' || fail "$way: mine is not linked with Edgemill"
done
cmake --build within --target _deps/edgemill-build/common/CMakeFiles/edgemill_common.dir/strings.cc.o > out 2>&1 ||
  fail "FetchContent: $(tail -5 out)"

finish
