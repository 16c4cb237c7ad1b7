# Compiles through ccache if it is installed. The user's own settings of ccache are overridden, because
# with unity units and precompiled headers it is only correct with these two exceptions.
# A folder that was configured without it goes on without it, because a change would compile everything
# again.
if(NOT DEFINED FINEPRINT_CCACHE)
  find_program(FINEPRINT_CCACHE ccache)
endif()
mark_as_advanced(FINEPRINT_CCACHE)
if(FINEPRINT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros "${FINEPRINT_CCACHE}")
endif()
