# Writes OUT, a source file that holds the commit of the tree SOURCE; leaves it alone when it is the same:
#   cmake -DSOURCE=... -DOUT=... -P commit.cmake
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT [[
#include "bench/record/result_file.h"

namespace edgemill::bench {

std::string_view BuildCommit() { return "@commit@"; }

}  // namespace edgemill::bench
]])
