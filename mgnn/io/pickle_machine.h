// The stack machine inside mgnn/io/pickle.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/error.h"

namespace mgnn {

enum class PickleKind : uint8_t {
  none,
  boolean,
  number,
  string,
  global,
  mark,
  // Containers. The last three hold their state once it is set; a dtype its code before it.
  tuple,
  list,
  dict,  // keys and values in turn
  raw_array,
  dtype,
  csr_matrix
};

struct PickleValue {
  PickleKind kind = PickleKind::none;
  uint32_t length = 0;  // of a string
  int64_t number = 0;   // its value, the place of a string in the file, or which container
};

// Runs one pickle. `bytes` and `path` must outlive it.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  // Runs to STOP and gives the value left on the stack.
  PickleValue run();

  // REQUIRES: a container.
  std::span<const PickleValue> items(PickleValue container) const {
    return containers_[container.number];
  }
  // REQUIRES: a string.
  std::string_view text(PickleValue string) const {
    return bytes_.substr(size_t(string.number), string.length);
  }
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail_data("{}: byte {}: {}", path_, here_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void expect_values();
  std::string_view take(size_t count);
  uint32_t take_number(size_t count);
  std::string_view take_line();

  void push(PickleValue value);
  PickleValue pop();
  PickleValue pop(PickleKind kind);
  const PickleValue& top(PickleKind kind) const;
  std::vector<PickleValue> pop_to_mark();
  std::vector<PickleValue>& content(PickleValue container) { return containers_[container.number]; }
  void push_container(PickleKind kind, std::vector<PickleValue> items = {});
  void push_tuple(size_t size);
  void push_string(uint32_t length);
  void push_global();

  bool push_plain(uint8_t opcode);
  bool push_composed(uint8_t opcode);
  bool act(uint8_t opcode);
  void append(PickleKind kind, const std::vector<PickleValue>& values);
  void remember(uint32_t slot);
  PickleValue recall(uint32_t slot) const;
  void call();
  void make_object();
  void build();

  std::string_view bytes_;
  const std::string& path_;
  size_t next_ = 0, here_ = 0;  // the next byte, and the instruction at hand
  int64_t values_made_ = 0, values_checked_ = 1 << 20;
  std::vector<PickleValue> stack_, memo_;
  std::vector<size_t> marks_;  // where the marks are on the stack
  std::vector<std::vector<PickleValue>> containers_;
};

}  // namespace mgnn
