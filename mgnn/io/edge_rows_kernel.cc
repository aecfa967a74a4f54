// Numbers are read eight digits at a time within one 64-bit word: the first byte that is no digit
// is found by bit tricks, what follows it is shifted out, and three multiplications add the digits
// up in pairs, fours and eights (D. Lemire, "Quickly parsing eight digits", 2018). Thus the length
// of a number costs no mispredicted branch.

#include "mgnn/io/edge_rows_kernel.h"

#include <bit>
#include <cstring>

namespace mgnn::MGNN_KERNEL {
namespace {

static_assert(std::endian::native == std::endian::little);

// Reads the digits at `p`. Their number is `end - p`; more than 18 are left to slower code, which
// finds a digit at `end`.
inline const char* parse_digits(const char* p, uint64_t& value) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  word ^= 0x3030303030303030;  // digits become 0..9
  const uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  if (others & 0x80) return p;
  const int length = others ? std::countr_zero(others) >> 3 : 8;
  word <<= 64 - 8 * length;
  word = (word * 10) + (word >> 8);
  word = (((word & 0x000000FF000000FF) * 0x000F424000000064) +
          (((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001)) >>
         32;
  value = word;
  p += length;
  if (length == 8) [[unlikely]] {
    for (int digits = 8; digits < 18 && *p >= '0' && *p <= '9'; digits++)
      value = value * 10 + uint64_t(*p++ - '0');
  }
  return p;
}

template <bool kBlanks>
inline const char* skip_blanks(const char* p) {
  while (*p == ' ' || (kBlanks && *p == '\t')) p++;
  return p;
}

// From behind the first number to the second one, or null.
template <bool kBlanks>
inline const char* to_second(const char* p, char separator) {
  if (kBlanks) return *p == ' ' || *p == '\t' ? skip_blanks<true>(p + 1) : nullptr;
  p = skip_blanks<false>(p);
  return *p == separator ? skip_blanks<false>(p + 1) : nullptr;
}

// From behind the second number to the next line, or null.
template <bool kBlanks>
inline const char* to_next_line(const char* p, const char* end, char separator) {
  if (*p == '\n') return p + 1;
  if (*p == '\r' && p[1] == '\n') return p + 2;
  const char* const rest = skip_blanks<kBlanks>(p);
  const bool ends = *rest == '\n' || (*rest == '\r' && rest[1] == '\n');
  if (!ends && !(kBlanks ? rest > p : *rest == separator)) return nullptr;
  return static_cast<const char*>(std::memchr(rest, '\n', size_t(end - rest))) + 1;
}

template <bool kBlanks, class Pair>
const char* pairs(const char* p, const char* end, char separator, Pair*& out, uint64_t& bits) {
  uint64_t seen = 0;
  Pair* to = out;
  while (p < end) {
    uint64_t a, b;
    const char* const first = skip_blanks<kBlanks>(p);
    const char* q = parse_digits(first, a);
    if (q == first || !(q = to_second<kBlanks>(q, separator))) break;
    const char* const second = q;
    q = parse_digits(second, b);
    if (q == second || !(q = to_next_line<kBlanks>(q, end, separator))) break;
    p = q;
    seen |= a | b;
    *to++ = {decltype(to->from)(a), decltype(to->to)(b)};
  }
  out = to;
  bits |= seen;
  return p;
}

}  // namespace

int64_t count_newlines(const char* p, const char* end) {
  int64_t count = 0;
  while (p < end) {  // byte counters in blocks that cannot overflow them
    const char* const stop = end - p > 4096 ? p + 4096 : end;
    int here = 0;
    for (; p < stop; p++) here += *p == '\n';
    count += here;
  }
  return count;
}

const char* parse_pairs(const char* p, const char* end, char separator, Edge*& out,
                        uint64_t& bits) {
  return separator == ' ' ? pairs<true>(p, end, separator, out, bits)
                          : pairs<false>(p, end, separator, out, bits);
}

const char* parse_pairs(const char* p, const char* end, char separator, WideEdge*& out,
                        uint64_t& bits) {
  return separator == ' ' ? pairs<true>(p, end, separator, out, bits)
                          : pairs<false>(p, end, separator, out, bits);
}

}  // namespace mgnn::MGNN_KERNEL
