# What is installed, and the Debian package of it: `cpack -G DEB` in a build folder
# (scripts/package). Schemas, sensors, rigs, protocols and the scripts that press an exported pad in
# its simulator are part of the program; what is here is what a desktop and a shell look for.

include(GNUInstallDirs)
set(package_folder ${PROJECT_SOURCE_DIR}/app/package)
set(LICENSE_ID Apache-2.0)

# Man pages and completion, from the program's own --help.
install(CODE "execute_process(COMMAND /usr/bin/python3 ${package_folder}/pages_from_help.py
  \"$<TARGET_FILE:tactelier>\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)")

if(TARGET tactelier-app)
  set(id org.tactelier.Tactelier)
  configure_file(${package_folder}/${id}.metainfo.xml ${id}.metainfo.xml @ONLY)
  install(FILES ${package_folder}/${id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${id}.metainfo.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES ${PROJECT_SOURCE_DIR}/app/gui/icons/tactelier.svg RENAME ${id}.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
install(FILES ${package_folder}/60-tactelier.rules DESTINATION lib/udev/rules.d)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${package_folder}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY data/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/tactelier)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tactelier)
set(CPACK_PACKAGE_CONTACT "Tactelier <tactelier@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "calibration of tactile arrays")
string(CONCAT CPACK_PACKAGE_DESCRIPTION
  "A rig presses every tactel of an array with a known force; Tactelier turns\n"
  "the recording into a model of the sensor, each number with an uncertainty or\n"
  "with the reason why the recording does not determine it, and into the files\n"
  "that simulators read.\n\n"
  "Contains the command line, the desktop app, their manual and examples.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Presses an exported pad in its simulator, reads a session's arrays: scripts of their own.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, fonts-dejavu-core")
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_THREADS 0)
include(CPack)
