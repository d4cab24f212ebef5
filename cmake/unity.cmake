# With CMAKE_UNITY_BUILD (presets fresh, asan, tsan) the sources of a target are compiled several at
# once: the headers and their templates, most of the work, are then done once for all of them. Which
# go together says unity_groups.py: none in which a name would be defined twice.
function(tactelier_unity target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "^${CMAKE_BINARY_DIR}/")
  list(JOIN sources "\n" lines)
  file(WRITE "${CMAKE_BINARY_DIR}/unity/${target}.txt" "${lines}")
  execute_process(COMMAND python3 "${PROJECT_SOURCE_DIR}/cmake/unity_groups.py"
                  INPUT_FILE "${CMAKE_BINARY_DIR}/unity/${target}.txt"
                  OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" groups "${groups}")
  foreach(line IN LISTS groups)
    string(REGEX MATCH "^([0-9]+) (.*)$" _ "${line}")
    set_source_files_properties("${CMAKE_MATCH_2}" TARGET_DIRECTORY ${target}
                                PROPERTIES UNITY_GROUP "${target}_${CMAKE_MATCH_1}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
