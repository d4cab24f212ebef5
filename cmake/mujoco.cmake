# MuJoCo, an optional component: libmujoco-dev of Debian. Its own CMake files name a folder that the
# package hasn't, so that header and library are looked for here. Target tactelier_mujoco where both
# are; without it verify-export says what to install, and tests of the exported pad are skipped.
find_path(MUJOCO_INCLUDE_FOLDER mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
if(MUJOCO_INCLUDE_FOLDER AND MUJOCO_LIBRARY)
  add_library(tactelier_mujoco INTERFACE)
  target_include_directories(tactelier_mujoco SYSTEM INTERFACE ${MUJOCO_INCLUDE_FOLDER})
  target_link_libraries(tactelier_mujoco INTERFACE ${MUJOCO_LIBRARY})
  target_compile_definitions(tactelier_mujoco INTERFACE TACTELIER_MUJOCO)
endif()
