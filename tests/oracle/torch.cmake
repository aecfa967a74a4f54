# Agreement with LibTorch, where it is installed. One file takes half a minute to compile, so it is
# a program of its own.
include(torch)
if(TARGET mgnn_torch)
  add_executable(torch_ops_tests oracle/torch_ops_test.cc)
  target_link_libraries(torch_ops_tests PRIVATE mgnn_test_support mgnn_torch)
  add_test(NAME oracle.torch COMMAND torch_ops_tests)
  set_tests_properties(oracle.torch PROPERTIES TIMEOUT 300)
else()
  add_test(NAME oracle.torch COMMAND ${CMAKE_COMMAND} -E echo
           "[  SKIPPED ] no LibTorch here (apt install libtorch-dev), or a sanitised build")
  set_tests_properties(oracle.torch PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endif()
set_property(TEST oracle.torch APPEND PROPERTY LABELS oracle)
