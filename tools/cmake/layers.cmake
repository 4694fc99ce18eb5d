# The layers of the library. A module may depend on what stands in its own line and on nothing else;
# tests/architecture reads this same list and holds every #include against it.
set(TALLY_LAYERS
  "base:"
  "json:base"
  "types:base"
  "crypto:types base"
  "x402:json crypto types base"
  "settlement:crypto types base"
  "observation:settlement x402 json crypto types base"
  "protocol:settlement crypto types base"
  "store:protocol settlement crypto types base"
  "store/memory:store settlement types base"
  "store/sqlite:store protocol settlement crypto types base"
  "service:store observation protocol settlement x402 json crypto types base"
  "client:protocol settlement types base"
)

# tally_module(FOLDER [LIBRARIES other targets])
# One folder under ledger/ is one static library. Its dependencies are read from the list above, so
# that a dependency the list does not allow can't be linked.
function(tally_module FOLDER)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" name ${FOLDER})
  set(found FALSE)
  foreach(line IN LISTS TALLY_LAYERS)
    if(line MATCHES "^${FOLDER}:(.*)$")
      set(found TRUE)
      string(REPLACE " " ";" dependencies "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "ledger/${FOLDER} has no line in tools/cmake/layers.cmake")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ledger/${FOLDER}/*.cc)
  add_library(tally_${name} STATIC ${sources})
  target_include_directories(tally_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(tally_${name} PRIVATE tally_warnings)
  foreach(dependency IN LISTS dependencies)
    string(REPLACE "/" "_" dependency ${dependency})
    target_link_libraries(tally_${name} PUBLIC tally_${dependency})
  endforeach()
  target_link_libraries(tally_${name} PUBLIC ${ARG_LIBRARIES})
endfunction()
