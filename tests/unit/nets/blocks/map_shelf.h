// A shelf of page states in memory, which tests can look into.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nets/generation/generator.h"

namespace fineprint::nets {

class MapShelf : public serving::PrefixShelf {
 public:
  std::optional<serving::ShelfItem> find(const std::string& key) const override {
    const std::scoped_lock lock(mutex);
    const auto found = items.find(key);
    if (found == items.end()) return std::nullopt;
    return serving::ShelfItem{found->second, nullptr};
  }
  void put(const std::string& key, std::span<const std::span<const std::uint8_t>> parts) override {
    const std::scoped_lock lock(mutex);
    std::vector<std::uint8_t>& bytes = items[key];
    bytes.clear();
    for (const auto& part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
  }

  mutable std::mutex mutex;
  std::map<std::string, std::vector<std::uint8_t>> items;
};

}  // namespace fineprint::nets
