# Agreement with LibTorch, where it is installed. One file takes half a minute to compile, so it is
# a program of its own.
include(torch)
if(TARGET mgnn_torch)
  foreach(what ops models)
    add_executable(torch_${what}_tests oracle/torch_${what}_test.cc)
    target_link_libraries(torch_${what}_tests PRIVATE mgnn_test_support mgnn_torch)
    add_test(NAME oracle.torch_${what} COMMAND torch_${what}_tests)
    set_tests_properties(oracle.torch_${what} PROPERTIES TIMEOUT 300 LABELS oracle)
  endforeach()
else()
  add_test(NAME oracle.torch COMMAND ${CMAKE_COMMAND} -E echo
           "[  SKIPPED ] no LibTorch here (apt install libtorch-dev), or a sanitised build")
  set_tests_properties(oracle.torch PROPERTIES LABELS oracle
                       SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endif()
