// SHA-256 sums of files and bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace mgnn {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void update(std::string_view bytes);
  std::string hex();  // 64 lower-case digits; ends the sum, call it once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_of(std::string_view bytes);
std::string sha256_of_file(const std::string& path);  // throws Error (data) if reading fails

}  // namespace mgnn
