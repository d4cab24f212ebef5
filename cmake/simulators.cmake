# What tests press and read exported pads with, each an optional component of Debian whose tests are
# skipped without it: libsdformat-dev (SDFormat's own strict reader), libode-dev and libbullet-dev
# (the engines whose formulas the exports use). Targets PkgConfig::SDFORMAT, ::ODE and ::BULLET.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(SDFORMAT QUIET IMPORTED_TARGET sdformat12)
  pkg_check_modules(ODE QUIET IMPORTED_TARGET ode)
  pkg_check_modules(BULLET QUIET IMPORTED_TARGET bullet)
endif()

# Links what is there to a target and says so by TACTELIER_NAME.
function(tactelier_simulators target)
  foreach(name SDFORMAT ODE BULLET)
    if(TARGET PkgConfig::${name})
      target_link_libraries(${target} PRIVATE PkgConfig::${name})
      target_compile_definitions(${target} PRIVATE TACTELIER_${name})
    endif()
  endforeach()
endfunction()
