// NumPy and SciPy as judges, where they are installed.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/util.h"

namespace mgnn::testing {

// What `script` prints under Debian's python3, errors included.
inline std::string python_output(const std::string& script) {
  const TempDir dir;
  const std::string command =
      "PYTHONIOENCODING=utf-8 /usr/bin/python3 " + dir.file("script.py", script) + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> block;
  while (const size_t got = std::fread(block.data(), 1, block.size(), pipe))
    output.append(block.data(), got);
  pclose(pipe);
  return output;
}

#define MGNN_NEEDS_PYTHON(module)                                     \
  if (!::mgnn::testing::python_output("import " module "\n").empty()) \
  GTEST_SKIP() << "no python3 with " module " here: install python3-" module

}  // namespace mgnn::testing
