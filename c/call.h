// What every function of the C interface does around its work: errors become codes, and threads,
// progress and interruption are those of its call.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string>

#include "c/mgnn_c.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"
#include "mgnn/base/threads.h"

struct mgnn_cancel {
  mgnn::CancelToken token;
};

namespace mgnn::c {

// Keeps the exception that is being handled for mgnn_error, and gives its code.
int keep_error() noexcept;

template <class Body>
int guarded(Body&& body) noexcept {
  try {
    body();
    return MGNN_OK;
  } catch (...) {
    return keep_error();
  }
}

// ---- structs of the caller, which may be of an older or newer version

[[noreturn]] void fail_struct(const char* name, int64_t size);

// A copy of the struct with zeros for what the caller does not know. Throws Error (usage) if the caller
// sets what this library does not know.
template <class Struct>
Struct given(const Struct* from, const char* name) {
  Struct to{};
  if (!from) return to;
  const auto size = size_t(from->size), most = sizeof(Struct);
  const auto* bytes = reinterpret_cast<const char*>(from);
  if (size < sizeof(int64_t) || size > (size_t(1) << 16)) fail_struct(name, from->size);
  if (size > most && std::any_of(bytes + most, bytes + size, [](char c) { return c != 0; }))
    fail_usage("{}: says something that this version of the library does not know", name);
  std::memcpy(static_cast<void*>(&to), bytes, std::min(size, most));
  return to;
}

template <class Struct>
void give(const Struct& from, Struct* to, const char* name) {
  check(to != nullptr, "{} is NULL", name);
  const int64_t size = to->size;
  if (size < int64_t(sizeof(int64_t))) fail_struct(name, size);
  std::memcpy(static_cast<void*>(to), &from, std::min(size_t(size), sizeof(Struct)));
  to->size = size;
}

// ---- arguments

template <class T>
T& needed(T* pointer, const char* name) {
  check(pointer != nullptr, "{} is NULL", name);
  return *pointer;
}
inline void need(const void* pointer, const char* name) {
  check(pointer != nullptr, "{} is NULL", name);
}
inline const char* text_of(const char* text, const char* otherwise = "") {
  return text ? text : otherwise;
}

// ---- one call

class CallScope {
 public:
  explicit CallScope(const mgnn_call* call);

 private:
  explicit CallScope(const mgnn_call& call, int);
  ThreadScope threads_;
  InterruptScope interrupts_;
  ProgressScope progress_;
};

template <class Body>
int in_call(const mgnn_call* call, Body&& body) noexcept {
  return guarded([&] {
    const CallScope scope(call);
    body();
  });
}

}  // namespace mgnn::c
