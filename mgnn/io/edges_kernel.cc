// A window of text is first searched for all bytes that are not digits, 64 at a time; their places
// say where numbers begin and end without looking at the text again, so that the processor works
// on several lines at once (the two stages of simdjson; Langdale, Lemire 2019). A number is read
// within one 64-bit word: what follows its digits is shifted out, and a few multiplications add
// them up in pairs, fours and eights. Its length costs no mispredicted branch.
//
// Lines of the form `digits separator digits end` go this way; others with two numbers in front
// (more blanks, more columns, longer numbers) are read one by one.

#include "mgnn/io/edges_kernel.h"

#include <immintrin.h>

#include <bit>
#include <cstring>

namespace mgnn::MGNN_KERNEL {
namespace {

static_assert(std::endian::native == std::endian::little);

// The number in the first `length` bytes of `p`. REQUIRES: these are digits, 0 < length <= 8.
inline uint64_t number_at(const char* p, uint64_t length) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  word = (word ^ 0x3030303030303030) << (64 - 8 * length);
  word = word * 10 + (word >> 8);
  return (((word & 0x000000FF000000FF) * 0x000F424000000064) +
          (((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001)) >>
         32;
}

// Two such numbers; gives their bits, of an Edge those of `to` in the upper half.
inline uint64_t write_pair(const char* a, uint64_t a_length, const char* b, uint64_t b_length,
                           WideEdge* out) {
  *out = {int64_t(number_at(a, a_length)), int64_t(number_at(b, b_length))};
  return uint64_t(out->from | out->to);
}
inline uint64_t write_pair(const char* a, uint64_t a_length, const char* b, uint64_t b_length,
                           Edge* out) {
#ifdef __AVX2__
  uint64_t words[2];
  std::memcpy(&words[0], a, 8);
  std::memcpy(&words[1], b, 8);
  const __m128i shift = _mm_set_epi64x(int64_t(64 - 8 * b_length), int64_t(64 - 8 * a_length));
  __m128i x =
      _mm_xor_si128(_mm_set_epi64x(int64_t(words[1]), int64_t(words[0])), _mm_set1_epi8('0'));
  x = _mm_maddubs_epi16(_mm_sllv_epi64(x, shift), _mm_set1_epi16(0x010A));  // tens and ones
  x = _mm_madd_epi16(x, _mm_set1_epi32(0x00010064));                        // hundreds
  x = _mm_madd_epi16(_mm_packus_epi32(x, x), _mm_set1_epi32(0x00012710));   // ten thousands
  const auto both = uint64_t(_mm_cvtsi128_si64(x));
#else
  const uint64_t both = number_at(a, a_length) | number_at(b, b_length) << 32;
#endif
  std::memcpy(out, &both, sizeof both);
  return both;
}

// 007, which may be a name: left to slower code.
inline bool leads_with_zero(const char* p, uint64_t length) { return (*p == '0') & (length > 1); }

// Reads up to 18 digits at `p`; gives the place behind them. More are left to slower code, which
// finds a digit there.
inline const char* parse_digits(const char* p, uint64_t& value) {
  value = 0;
  for (int digits = 0; digits < 18 && *p >= '0' && *p <= '9'; digits++)
    value = value * 10 + uint64_t(*p++ - '0');
  return p;
}

template <bool kBlanks>
inline const char* skip_spaces(const char* p) {
  while (*p == ' ' || (kBlanks && *p == '\t')) p++;
  return p;
}

// From behind the first number to the second one, or null.
template <bool kBlanks>
inline const char* to_second(const char* p, char separator) {
  if (kBlanks) return *p == ' ' || *p == '\t' ? skip_spaces<true>(p + 1) : nullptr;
  p = skip_spaces<false>(p);
  return *p == separator ? skip_spaces<false>(p + 1) : nullptr;
}

// From behind the second number to the next line, or null. Further columns are passed over, if there may
// be `more`.
template <bool kBlanks>
inline const char* to_next_line(const char* p, const char* end, char separator, bool more) {
  if (*p == '\n') return p + 1;
  if (*p == '\r' && p[1] == '\n') return p + 2;
  const char* const rest = skip_spaces<kBlanks>(p);
  const bool ends = *rest == '\n' || (*rest == '\r' && rest[1] == '\n');
  if (!ends && !(more && (kBlanks ? rest > p : *rest == separator))) return nullptr;
  return static_cast<const char*>(std::memchr(rest, '\n', size_t(end - rest))) + 1;
}

// One line of any allowed form; gives the next line, or null.
template <bool kBlanks, class Pair>
inline const char* parse_line(const char* p, const char* end, char separator, bool more, Pair*& out,
                              uint64_t& bits) {
  uint64_t a, b;
  const char* const first = skip_spaces<kBlanks>(p);
  p = parse_digits(first, a);
  if (p == first || leads_with_zero(first, uint64_t(p - first))) return nullptr;
  if (!(p = to_second<kBlanks>(p, separator))) return nullptr;
  const char* const second = p;
  p = parse_digits(second, b);
  if (p == second || leads_with_zero(second, uint64_t(p - second))) return nullptr;
  if (!(p = to_next_line<kBlanks>(p, end, separator, more))) return nullptr;
  bits |= a | b;
  *out++ = {decltype(out->from)(a), decltype(out->to)(b)};
  return p;
}

// A bit for each of 64 bytes that is not a digit.
inline uint64_t no_digits(const char* p) {
  uint64_t mask = 0;
  for (int i = 0; i < 4; i++) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
    const __m128i value = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i is_other = _mm_cmpeq_epi8(_mm_max_epu8(value, _mm_set1_epi8(10)), value);
    mask |= uint64_t(uint32_t(_mm_movemask_epi8(is_other))) << (16 * i);
  }
  return mask;
}

constexpr int kWindow = 2048;

// Places of the bytes in [p, end) that are not digits; gives their number. Writes up to 8 more: a
// fixed number of steps is faster than the right one.
inline int find_others(const char* p, const char* end, uint16_t* place) {
  int count = 0;
  for (int base = 0; base < end - p; base += 64) {
    uint64_t mask = no_digits(p + base);
    if (end - p - base < 64) mask &= ~(~uint64_t(0) << (end - p - base));
    const int stop = count + std::popcount(mask);
    do {
      for (int i = 0; i < 8; i++, mask &= mask - 1)
        place[count + i] = uint16_t(base + std::countr_zero(mask));
      count += 8;
    } while (count < stop);
    count = stop;
  }
  return count;
}

// A window, and how far it is read.
struct Window {
  const char* text;
  const uint16_t* place;  // (count) of the bytes that are not digits
  int count;
  int k = 0;          // the first such place in `line`
  uint64_t line = 0;  // where the next line begins
};

// Reads lines of the common form up to the first other one, or the end of the window. Small on
// purpose: all it needs stays in registers.
template <class Pair>
inline Pair* common_lines(Window& window, char separator, Pair* out, uint64_t& bits) {
  const char* const text = window.text;
  uint64_t line = window.line, seen = 0;
  int k = window.k;
  while (k + 1 < window.count) {
    const uint64_t middle = window.place[k], stop = window.place[k + 1];
    const uint64_t a_length = middle - line, b_length = stop - middle - 1;
    if (text[middle] != separator || a_length - 1 >= 8 || b_length - 1 >= 8) break;
    if (int(leads_with_zero(text + line, a_length)) |
        int(leads_with_zero(text + middle + 1, b_length)))
      break;
    uint64_t next = stop + 1;
    if (text[stop] != '\n') {
      if (text[stop] != '\r' || text[next] != '\n') break;
      next++;
      k++;
    }
    seen |= write_pair(text + line, a_length, text + middle + 1, b_length, out++);
    line = next;
    k += 2;
  }
  window.line = line;
  window.k = k;
  bits |= sizeof(Pair) == sizeof seen ? uint32_t(seen | seen >> 32) : seen;
  return out;
}

template <bool kBlanks, class Pair>
const char* read_pairs(const char* p, const char* end, char separator, bool more, Pair*& out,
                       uint64_t& bits) {
  uint16_t place[kWindow + 8];
  while (p < end) {
    Window window{p, place, find_others(p, end - p > kWindow ? p + kWindow : end, place)};
    do {
      out = common_lines(window, separator, out, bits);
      if (window.k + 1 >= window.count && window.line > 0) break;
      const char* const next =
          parse_line<kBlanks>(window.text + window.line, end, separator, more, out, bits);
      if (!next) return window.text + window.line;
      window.line = uint64_t(next - window.text);
      while (window.k < window.count && place[window.k] < window.line) window.k++;
    } while (window.k + 1 < window.count);
    p = window.text + window.line;
  }
  return p;
}

inline NodeId rank_of(const RankWord* ranks, uint32_t id) {
  const RankWord& word = ranks[id >> 6];
  const uint64_t smaller = word.bits & ((uint64_t(1) << (id & 63)) - 1);
  return NodeId(word.before + uint64_t(std::popcount(smaller)));
}

}  // namespace

int64_t count_newlines(const char* p, const char* end) {
  int64_t count = 0;
  const __m128i newline = _mm_set1_epi8('\n'), zero = _mm_setzero_si128();
  while (end - p >= 16) {
    __m128i lanes = zero;  // minus the count of each of 16 columns, in a byte
    for (int row = 0; row < 255 && end - p >= 16; row++, p += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      lanes = _mm_add_epi8(lanes, _mm_cmpeq_epi8(bytes, newline));
    }
    const __m128i sums = _mm_sad_epu8(_mm_sub_epi8(zero, lanes), zero);
    count += _mm_cvtsi128_si64(sums) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums));
  }
  for (; p < end; p++) count += *p == '\n';
  return count;
}

const char* parse_pairs(const char* p, const char* end, char separator, bool more, Edge*& out,
                        uint64_t& bits) {
  return separator == ' ' ? read_pairs<true>(p, end, separator, more, out, bits)
                          : read_pairs<false>(p, end, separator, more, out, bits);
}

const char* parse_pairs(const char* p, const char* end, char separator, bool more, WideEdge*& out,
                        uint64_t& bits) {
  return separator == ' ' ? read_pairs<true>(p, end, separator, more, out, bits)
                          : read_pairs<false>(p, end, separator, more, out, bits);
}

void replace_by_ranks(Edge* begin, Edge* end, const RankWord* ranks) {
  for (Edge* e = begin; e < end; e++)
    *e = {rank_of(ranks, uint32_t(e->from)), rank_of(ranks, uint32_t(e->to))};
}

}  // namespace mgnn::MGNN_KERNEL
