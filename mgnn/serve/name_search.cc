#include <algorithm>

#include "mgnn/serve/served_model.h"

namespace mgnn {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return lower;
}

// Whether a word of `name` other than the first begins with `prefix`.
bool has_word(const std::string& name, const std::string& prefix) {
  for (size_t at = name.find(prefix); at != name.npos; at = name.find(prefix, at + 1))
    if (at > 0 && std::string_view(" :_-/.|").find(name[at - 1]) != std::string_view::npos)
      return true;
  return false;
}

}  // namespace

NameSearch::NameSearch(std::vector<std::string> names) : names_(std::move(names)) {
  for (size_t i = 0; i < names_.size(); i++)
    by_name_.emplace_back(lower_case(names_[i]), NodeId(i));
  std::sort(by_name_.begin(), by_name_.end());
}

std::vector<NodeId> NameSearch::with_prefix(std::string_view prefix, size_t limit) const {
  const std::string wanted = lower_case(prefix);
  std::vector<NodeId> items;
  auto at = std::lower_bound(by_name_.begin(), by_name_.end(), std::pair(wanted, NodeId(-1)));
  for (; at != by_name_.end() && at->first.starts_with(wanted) && items.size() < limit; ++at)
    items.push_back(at->second);
  if (wanted.empty()) return items;
  for (auto it = by_name_.begin(); it != by_name_.end() && items.size() < limit; ++it)
    if (!it->first.starts_with(wanted) && has_word(it->first, wanted)) items.push_back(it->second);
  return items;
}

std::vector<std::string> NameSearch::similar(std::string_view word, size_t limit) const {
  const std::string wanted = lower_case(word.substr(0, 100));
  const int farthest = 1 + int(wanted.size()) / 3;
  std::vector<std::pair<int, NodeId>> near;
  for (const auto& [name, item] : by_name_) {
    if (std::abs(int(name.size()) - int(wanted.size())) > farthest) continue;
    const int distance = edit_distance(wanted, name);
    if (distance <= farthest) near.emplace_back(distance, item);
  }
  const size_t count = std::min(limit, near.size());
  std::partial_sort(near.begin(), near.begin() + std::ptrdiff_t(count), near.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < count; i++) names.push_back(names_[near[i].second]);
  return names;
}

}  // namespace mgnn
