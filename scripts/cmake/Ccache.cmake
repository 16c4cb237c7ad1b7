# Compiles through ccache where it is installed, whatever the user's configuration of it says: with
# units of several sources and precompiled headers it is right only with these two allowances.
find_program(FINEPRINT_CCACHE ccache)
mark_as_advanced(FINEPRINT_CCACHE)
if(FINEPRINT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros "${FINEPRINT_CCACHE}")
endif()
