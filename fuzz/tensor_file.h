// How targets of safetensors files mutate: the header keeps a length that fits it, tensors keep their
// size. Checksums would stop nearly every input before its parts are looked at; so the names under
// which they stand are overwritten, which makes a file one of another program.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace mgnn::fuzz {

inline constexpr size_t kLengthBytes = 8;

inline std::string without_sums(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kName = "\"mgnn.sha256";
  for (size_t at = bytes.find(kName); at != std::string::npos; at = bytes.find(kName, at))
    bytes[at + 1] = 'x';
  return bytes;
}

// Where the tensors begin, or 0.
inline size_t data_begin(const uint8_t* data, size_t size) {
  uint64_t length = 0;
  if (size < kLengthBytes) return 0;
  std::memcpy(&length, data, kLengthBytes);
  return length < size - kLengthBytes ? kLengthBytes + size_t(length) : 0;
}

// The header with a length that fits it again.
inline size_t mutate_header(uint8_t* data, size_t size, size_t begin, size_t max_size) {
  const std::string tensors(reinterpret_cast<char*>(data) + begin, size - begin);
  const size_t room = max_size - kLengthBytes - tensors.size();
  const uint64_t length = LLVMFuzzerMutate(data + kLengthBytes, begin - kLengthBytes, room);
  std::memcpy(data, &length, kLengthBytes);
  std::memcpy(data + kLengthBytes + length, tensors.data(), tensors.size());
  return kLengthBytes + size_t(length) + tensors.size();
}

}  // namespace mgnn::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  using namespace mgnn::fuzz;
  const unsigned choice = std::minstd_rand(seed)() % 4;
  const size_t begin = data_begin(data, size);
  if (begin == 0 || choice == 0) return LLVMFuzzerMutate(data, size, max_size);
  if (choice == 1) return mutate_header(data, size, begin, max_size);
  LLVMFuzzerMutate(data + begin, size - begin, size - begin);  // of the same size, as it must be
  return size;
}
