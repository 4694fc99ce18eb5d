# One place for how everything is compiled: strict warnings as errors, ccache and mold where present.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

set(TALLY_SANITIZE "" CACHE STRING "Sanitizers for the whole tree, such as address,undefined or thread")
if(TALLY_SANITIZE)
  add_compile_options(-fsanitize=${TALLY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TALLY_SANITIZE})
endif()

# Generated code is included as SYSTEM and does not link this target.
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion -Wformat=2
  -Wimplicit-fallthrough -Wswitch-enum -Werror)
# GCC 12's flow warnings see ghosts in std::variant and std::string once a sanitizer instruments the
# code, or -O3 unrolls it; the dev build keeps them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (TALLY_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Release"))
  list(APPEND warnings -Wno-null-dereference -Wno-maybe-uninitialized -Wno-free-nonheap-object
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
add_library(tally_warnings INTERFACE)
target_compile_options(tally_warnings INTERFACE ${warnings})

# tally_link_jemalloc(TARGET)
# For what serves calls: measured, allocation costs them less. The sanitizers bring their own.
find_library(JEMALLOC_LIBRARY jemalloc)
function(tally_link_jemalloc TARGET)
  if(JEMALLOC_LIBRARY AND NOT TALLY_SANITIZE)
    target_link_libraries(${TARGET} PRIVATE -Wl,--no-as-needed ${JEMALLOC_LIBRARY} -Wl,--as-needed)
  endif()
endfunction()

# tally_includes_foreign_templates(TARGET)
# GCC 12 inlines templates of gRPC, CLI11 and GoogleTest into our code and then sees null pointers in them there.
function(tally_includes_foreign_templates TARGET)
  get_target_property(sources ${TARGET} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -Wno-null-dereference)
endfunction()
