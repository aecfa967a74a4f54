# What `make install` puts where: library, headers, CMake package, pkg-config file, and with the
# command line tool its manual page and completion scripts.
include(CMakePackageConfigHelpers)

install(TARGETS mgnn EXPORT mgnn
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The public headers are those that mgnn/mgnn.h includes.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS mgnn/mgnn.h)
file(STRINGS mgnn/mgnn.h mgnn_public_headers REGEX "^#include")
list(TRANSFORM mgnn_public_headers REPLACE "#include \"([^\"]+)\"" "\\1")
foreach(header IN LISTS mgnn_public_headers ITEMS mgnn/mgnn.h)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

set(mgnn_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mgnn)
install(EXPORT mgnn NAMESPACE mgnn:: FILE mgnn-targets.cmake DESTINATION ${mgnn_package_dir})
configure_package_config_file(cmake/mgnn-config.cmake.in ${PROJECT_BINARY_DIR}/mgnn-config.cmake
                              INSTALL_DESTINATION ${mgnn_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mgnn-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mgnn-config.cmake
              ${PROJECT_BINARY_DIR}/mgnn-config-version.cmake
        DESTINATION ${mgnn_package_dir})

# pkg-config: the prefix is where the .pc file lies, so that the tree may be moved.
file(RELATIVE_PATH mgnn_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(mgnn_hdf5_flags "")
foreach(library IN LISTS HDF5_LIBRARIES)
  if(IS_ABSOLUTE ${library} OR library MATCHES "^-")
    string(APPEND mgnn_hdf5_flags " ${library}")
  else()
    string(APPEND mgnn_hdf5_flags " -l${library}")
  endif()
endforeach()
configure_file(cmake/mgnn.pc.in ${PROJECT_BINARY_DIR}/mgnn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mgnn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET mgnn_c)
  install(TARGETS mgnn_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES c/mgnn_c.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET mgnn_mpi)
  install(TARGETS mgnn_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/mgnn)
endif()
if(TARGET mgnn_cli)
  install(TARGETS mgnn_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(MGNN_DEBUG_FILE)
    install(FILES ${MGNN_DEBUG_FILE} DESTINATION ${CMAKE_INSTALL_BINDIR}/.debug)
  endif()
  # The tool writes its own manual page and completion, so they cannot fall behind it.
  if(NOT CMAKE_CROSSCOMPILING)
    set(share ${PROJECT_BINARY_DIR}/share)
    file(MAKE_DIRECTORY ${share})
    add_custom_command(
      OUTPUT ${share}/mgnn.1 ${share}/mgnn.bash ${share}/_mgnn ${share}/mgnn.fish
      COMMAND mgnn_cli help --man > ${share}/mgnn.1
      COMMAND mgnn_cli completion bash > ${share}/mgnn.bash
      COMMAND mgnn_cli completion zsh > ${share}/_mgnn
      COMMAND mgnn_cli completion fish > ${share}/mgnn.fish
      DEPENDS mgnn_cli COMMENT "Writing manual page and completion" VERBATIM)
    add_custom_target(mgnn_share ALL DEPENDS ${share}/mgnn.1)
    install(FILES ${share}/mgnn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${share}/mgnn.bash RENAME mgnn
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${share}/_mgnn DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${share}/mgnn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
