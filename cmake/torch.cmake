# The target mgnn_torch where LibTorch is installed: an opponent in tests and benches, never a part of
# the library. (Its own CMake package wants a dozen others.)
include_guard(GLOBAL)
find_path(TORCH_API torch/torch.h PATH_SUFFIXES torch/csrc/api/include)
find_path(TORCH_ROOT ATen/ATen.h)
find_library(TORCH_LIBRARY torch)
find_library(TORCH_CPU_LIBRARY torch_cpu)
find_library(C10_LIBRARY c10)
mark_as_advanced(TORCH_API TORCH_ROOT TORCH_LIBRARY TORCH_CPU_LIBRARY C10_LIBRARY)
if(TORCH_API AND TORCH_ROOT AND TORCH_LIBRARY AND TORCH_CPU_LIBRARY AND C10_LIBRARY
   AND NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")  # an uninstrumented library cannot be sanitised
  add_library(mgnn_torch INTERFACE)
  target_include_directories(mgnn_torch SYSTEM INTERFACE ${TORCH_API} ${TORCH_ROOT})
  target_link_libraries(mgnn_torch INTERFACE ${TORCH_LIBRARY} ${TORCH_CPU_LIBRARY} ${C10_LIBRARY})
  target_compile_definitions(mgnn_torch INTERFACE MGNN_TORCH)
endif()
