# tally_embed_migrations(TARGET FOLDER)
# Compiles the migrations of FOLDER into TARGET, so that a binary carries its own schema.
function(tally_embed_migrations TARGET FOLDER)
  file(GLOB files CONFIGURE_DEPENDS ${FOLDER}/*.sql)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(file IN LISTS files)  # a glob is sorted by name
    get_filename_component(name ${file} NAME_WE)
    if(NOT name MATCHES "^([0-9][0-9][0-9][0-9])_[a-z0-9_]+$")
      message(FATAL_ERROR "${file} is not named NNNN_words.sql")
    endif()
    string(REGEX REPLACE "^0+" "" version ${CMAKE_MATCH_1})
    file(READ ${file} text)
    string(APPEND entries "      {${version}, \"${name}\", R\"sql(${text})sql\"},\n")
  endforeach()
  string(CONCAT source
    "#include \"ledger/store/sqlite/schema.h\"\n\n"
    "namespace tally::store::sqlite {\n\n"
    "const std::vector<Migration>& Migrations() {\n"
    "  static const std::vector<Migration> migrations = {\n${entries}  };\n"
    "  return migrations;\n}\n\n"
    "}  // namespace tally::store::sqlite\n")
  set(out ${CMAKE_BINARY_DIR}/generated/migrations/${TARGET}.cc)
  file(CONFIGURE OUTPUT ${out} CONTENT "${source}" @ONLY)
  target_sources(${TARGET} PRIVATE ${out})
endfunction()
