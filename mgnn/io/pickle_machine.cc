// A pickle is a program for a small stack machine. This one knows the 28 instructions and the six
// globals of Planetoid's files and makes plain values: numbers, strings (views into the file), and
// containers, which are numbers of entries of one table, so that sharing and cycles cost nothing.
// "Calling" a global makes a container of that kind, and "building" it stores its state there; what
// the state means is read only at the end, by functions that know the shape of data they want and
// so never go deep. Work and memory are linear in the file.

#include "mgnn/io/pickle_machine.h"

#include <algorithm>
#include <cstring>

#include "mgnn/io/memory.h"

namespace mgnn {
namespace {

enum Opcode : uint8_t {
  kAppend = 'a',
  kAppends = 'e',
  kBinget = 'h',
  kBinint = 'J',
  kBinint1 = 'K',
  kBinint2 = 'M',
  kBinput = 'q',
  kBinstring = 'T',
  kBuild = 'b',
  kEmptyDict = '}',
  kEmptyList = ']',
  kEmptyTuple = ')',
  kGlobal = 'c',
  kLongBinput = 'r',
  kMark = '(',
  kNewfalse = 0x89,
  kNewobj = 0x81,
  kNewtrue = 0x88,
  kNone = 'N',
  kProto = 0x80,
  kReduce = 'R',
  kSetitems = 'u',
  kShortBinstring = 'U',
  kStop = '.',
  kTuple = 't',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87
};

enum class Global { csr_matrix, reconstruct, ndarray, dtype, defaultdict, list };
constexpr std::string_view kGlobals[][2] = {  // module and name, in the order of Global
    {"scipy.sparse.csr", "csr_matrix"},
    {"numpy.core.multiarray", "_reconstruct"},
    {"numpy", "ndarray"},
    {"numpy", "dtype"},
    {"collections", "defaultdict"},
    {"__builtin__", "list"}};

bool is(PickleValue value, Global global) {
  return value.kind == PickleKind::global && value.number == int64_t(global);
}

}  // namespace

PickleValue PickleMachine::run() {
  if (!bytes_.starts_with("\x80\x02")) fail_data("{}: is not a Python pickle of protocol 2", path_);
  take(2);
  while (true) {
    here_ = next_;
    const auto opcode = uint8_t(take(1)[0]);
    if (opcode == kStop) break;
    if (!push_plain(opcode) && !push_composed(opcode) && !act(opcode))
      refuse("has the instruction {:#04x}, which is not allowed here", opcode);
    if (values_made_ > values_checked_) expect_values();
  }
  if (stack_.size() != 1) refuse("the pickle ends with {} values instead of one", stack_.size());
  if (next_ != bytes_.size()) refuse("there are {} bytes after the end", bytes_.size() - next_);
  return stack_[0];
}

// Makes sure that there is memory for another million values. One costs at most 128 bytes: on the
// stack, in a container, remembered, and twice while they grow.
void PickleMachine::expect_values() {
  constexpr int64_t kValues = 1 << 20;
  check_memory(kValues * 128, path_);
  values_checked_ += kValues;
}

std::string_view PickleMachine::take(size_t count) {
  if (count > bytes_.size() - next_)
    refuse("the pickle is cut short: {} more bytes are needed, {} are left", count,
           bytes_.size() - next_);
  next_ += count;
  return bytes_.substr(next_ - count, count);
}

uint32_t PickleMachine::take_number(size_t count) {
  uint32_t value = 0;
  std::memcpy(&value, take(count).data(), count);
  return value;
}

std::string_view PickleMachine::take_line() {
  const size_t end = bytes_.substr(next_, 200).find('\n');  // no name we know is longer
  if (end == std::string_view::npos) refuse("a global's name does not end");
  const std::string_view line = take(end);
  take(1);
  return line;
}

void PickleMachine::push(PickleValue value) {
  stack_.push_back(value);
  values_made_++;
}

PickleValue PickleMachine::pop() {
  if (stack_.empty() || stack_.back().kind == PickleKind::mark) refuse("a value is missing");
  const PickleValue value = stack_.back();
  stack_.pop_back();
  return value;
}

const PickleValue& PickleMachine::top(PickleKind kind) const {
  if (stack_.empty() || stack_.back().kind != kind) refuse("a value of another kind is needed");
  return stack_.back();
}

PickleValue PickleMachine::pop(PickleKind kind) {
  top(kind);
  return pop();
}

// Takes the values above the last mark, and the mark.
std::vector<PickleValue> PickleMachine::pop_to_mark() {
  if (marks_.empty()) refuse("a mark is missing");
  const auto mark = stack_.begin() + ptrdiff_t(marks_.back());
  std::vector<PickleValue> values(mark + 1, stack_.end());
  stack_.erase(mark, stack_.end());
  marks_.pop_back();
  return values;
}

void PickleMachine::push_container(PickleKind kind, std::vector<PickleValue> items) {
  push({kind, 0, int64_t(containers_.size())});
  containers_.push_back(std::move(items));
}

void PickleMachine::push_tuple(size_t size) {
  std::vector<PickleValue> items(size);
  for (size_t i = size; i-- > 0;) items[i] = pop();
  push_container(PickleKind::tuple, std::move(items));
}

void PickleMachine::push_string(uint32_t length) {
  take(length);
  push({PickleKind::string, length, int64_t(next_ - length)});
}

void PickleMachine::push_global() {
  const std::string_view module = take_line(), name = take_line();
  for (size_t i = 0; i < std::size(kGlobals); i++)
    if (kGlobals[i][0] == module && kGlobals[i][1] == name)
      return push({PickleKind::global, 0, int64_t(i)});
  refuse("asks for {}, which is not allowed here; nothing was run",
         in_quotes(fmt::format("{}.{}", module, name), 80));
}

// Each of these three does what `opcode` says, or is false if that is not among its instructions.
bool PickleMachine::push_plain(uint8_t opcode) {
  const auto push_number = [&](int64_t value) { push({PickleKind::number, 0, value}); };
  switch (opcode) {
    case kNone:
      return push({}), true;
    case kNewtrue:
    case kNewfalse:
      return push({PickleKind::boolean, 0, opcode == kNewtrue}), true;
    case kBinint1:
      return push_number(take_number(1)), true;
    case kBinint2:
      return push_number(take_number(2)), true;
    case kBinint:
      return push_number(int32_t(take_number(4))), true;
    case kShortBinstring:
      return push_string(take_number(1)), true;
    case kBinstring:
      return push_string(take_number(4)), true;
    case kBinget:
      return push(recall(take_number(1))), true;
    case kGlobal:
      return push_global(), true;
  }
  return false;
}

bool PickleMachine::push_composed(uint8_t opcode) {
  switch (opcode) {
    case kEmptyDict:
      return push_container(PickleKind::dict), true;
    case kEmptyList:
      return push_container(PickleKind::list), true;
    case kEmptyTuple:
      return push_tuple(0), true;
    case kTuple1:
    case kTuple2:
    case kTuple3:
      return push_tuple(size_t(opcode - kTuple1) + 1), true;
    case kTuple:
      return push_container(PickleKind::tuple, pop_to_mark()), true;
    case kReduce:
      return call(), true;
    case kNewobj:
      return make_object(), true;
  }
  return false;
}

bool PickleMachine::act(uint8_t opcode) {
  switch (opcode) {
    case kMark:
      marks_.push_back(stack_.size());
      return push({PickleKind::mark}), true;
    case kAppend:
      return append(PickleKind::list, {pop()}), true;
    case kAppends:
      return append(PickleKind::list, pop_to_mark()), true;
    case kSetitems:
      return append(PickleKind::dict, pop_to_mark()), true;
    case kBinput:
      return remember(take_number(1)), true;
    case kLongBinput:
      return remember(take_number(4)), true;
    case kBuild:
      return build(), true;
  }
  return false;
}

void PickleMachine::append(PickleKind kind, const std::vector<PickleValue>& values) {
  std::vector<PickleValue>& items = content(top(kind));
  if (kind == PickleKind::dict && values.size() % 2) refuse("a key has no value");
  items.insert(items.end(), values.begin(), values.end());
}

// Every pickler remembers values in order, from 0 or 1 on, so a number far beyond is a trap.
void PickleMachine::remember(uint32_t slot) {
  if (stack_.empty() || stack_.back().kind == PickleKind::mark) refuse("a value is missing");
  if (slot > memo_.size() + 1) refuse("value {} is remembered before those below it", slot);
  if (slot >= memo_.size()) memo_.resize(slot + 1, {PickleKind::mark});
  memo_[slot] = stack_.back();
  values_made_++;
}

PickleValue PickleMachine::recall(uint32_t slot) const {
  if (slot >= memo_.size() || memo_[slot].kind == PickleKind::mark)
    refuse("value {} is recalled, but was never remembered", slot);
  return memo_[slot];
}

// The three calls that occur: defaultdict(list), dtype("f4", …), _reconstruct(ndarray, …).
void PickleMachine::call() {
  const auto arguments = items(pop(PickleKind::tuple));
  const PickleValue callee = pop();
  if (is(callee, Global::defaultdict) && arguments.size() == 1 && is(arguments[0], Global::list))
    push_container(PickleKind::dict);
  else if (is(callee, Global::dtype) && arguments.size() == 3 &&
           arguments[0].kind == PickleKind::string)
    push_container(PickleKind::dtype, {arguments[0]});
  else if (is(callee, Global::reconstruct) && arguments.size() == 3 &&
           is(arguments[0], Global::ndarray))
    push_container(PickleKind::raw_array);
  else
    refuse("calls something that is not allowed here; nothing was run");
}

void PickleMachine::make_object() {
  const PickleValue arguments = pop(PickleKind::tuple);
  if (!is(pop(), Global::csr_matrix) || !items(arguments).empty())
    refuse("makes an object of a kind that is not allowed here; nothing was run");
  push_container(PickleKind::csr_matrix);
}

void PickleMachine::build() {
  const PickleValue state = pop();
  if (stack_.empty()) refuse("a value is missing");
  const PickleValue object = stack_.back();
  const bool takes_tuple = object.kind == PickleKind::raw_array || object.kind == PickleKind::dtype;
  const bool fits = (takes_tuple && state.kind == PickleKind::tuple) ||
                    (object.kind == PickleKind::csr_matrix && state.kind == PickleKind::dict);
  if (!fits || content(object).size() != (object.kind == PickleKind::dtype ? 1 : 0))
    refuse("sets the state of something in a way that is not allowed here");
  content(object).push_back(state);
}

}  // namespace mgnn
