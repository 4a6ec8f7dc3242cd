# Fails unless FILE holds one JSON object: cmake -DFILE=... -P check_json.cmake
file(READ "${FILE}" text)
string(JSON kind ERROR_VARIABLE problem TYPE "${text}")
if(NOT kind STREQUAL "OBJECT")
  message(FATAL_ERROR "${problem}")
endif()
