# tactelier_embed(TARGET FILES...): puts data files into TARGET, found again by
# tactelier::resource("schemas/session.schema.json"); paths are relative to data/.
function(tactelier_embed target)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/embedded_resources.cpp)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DROOT=${PROJECT_SOURCE_DIR}/data
            -DOUTPUT=${generated} -P ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${generated})
endfunction()
