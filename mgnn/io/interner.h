// Names to numbers, by first appearance.
#pragma once

#include <functional>
#include <string_view>

#include "mgnn/base/types.h"

namespace mgnn {

// A hash table with open addresses. It keeps views: the names must outlive it.
class Interner {
 public:
  // The number of `name`; `is_new` tells whether it had none before.
  int32_t number(std::string_view name, bool& is_new) {
    if (names_.size() * 2 >= slots_.size()) grow();
    const auto hash = uint32_t(std::hash<std::string_view>()(name));
    size_t place = hash & (slots_.size() - 1);
    for (; slots_[place].index >= 0; place = (place + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[place];
      is_new = false;
      if (slot.hash == hash && names_[slot.index] == name) return slot.index;
    }
    is_new = true;
    slots_[place] = {hash, int32_t(names_.size())};
    names_.push_back(name);
    return slots_[place].index;
  }

  int32_t find(std::string_view name) const {  // -1: it has no number
    if (slots_.empty()) return -1;
    const auto hash = uint32_t(std::hash<std::string_view>()(name));
    for (size_t place = hash & (slots_.size() - 1); slots_[place].index >= 0;
         place = (place + 1) & (slots_.size() - 1))
      if (slots_[place].hash == hash && names_[slots_[place].index] == name)
        return slots_[place].index;
    return -1;
  }

  const Array<std::string_view>& names() const { return names_; }

 private:
  struct Slot {
    uint32_t hash;
    int32_t index;  // -1: free
  };

  void grow() {
    Array<Slot> old(std::max<size_t>(16, slots_.size() * 2), Slot{0, -1});
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index < 0) continue;
      size_t place = slot.hash & (slots_.size() - 1);
      while (slots_[place].index >= 0) place = (place + 1) & (slots_.size() - 1);
      slots_[place] = slot;
    }
  }

  Array<std::string_view> names_;
  Array<Slot> slots_;
};

}  // namespace mgnn
