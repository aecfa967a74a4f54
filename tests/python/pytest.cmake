# The Python package, by Debian's python3, which has its NumPy and pytest; skipped where they are not.
if(TARGET mgnn_c AND TARGET mgnn_cli AND EXISTS /usr/bin/python3
   AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_test(NAME python COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/python/run_pytest.sh)
  set_tests_properties(python PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
    ENVIRONMENT "MGNN_LIBRARY=$<TARGET_FILE:mgnn_c>;MGNN_TOOL=$<TARGET_FILE:mgnn_cli>")
endif()
