// The tokens of a model and their ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fineprint::tokenizer {

// Immutable and thread-safe.
class Vocabulary {
 public:
  using Entries = std::vector<std::pair<std::string, std::int32_t>>;

  // Texts and ids must be unique, and ids must not be negative.
  explicit Vocabulary(Entries entries);
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  std::int32_t id_of(std::string_view token) const;    // -1 if unknown
  const std::string* token_of(std::int32_t id) const;  // nullptr if unknown
  std::size_t size() const { return by_id_.size(); }   // the largest id + 1
  const Entries& entries() const { return entries_; }

 private:
  Entries entries_;
  std::unordered_map<std::string_view, std::int32_t> ids_;  // the keys point into entries_
  // For each id, its place in entries_; -1 if none.
  std::vector<std::int32_t> by_id_;
};

}  // namespace fineprint::tokenizer
