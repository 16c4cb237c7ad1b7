// Looks up tokens by text and by id.
#include "tokenizer/vocabulary.h"

#include <algorithm>

namespace fineprint::tokenizer {

Vocabulary::Vocabulary(Entries entries) : entries_(std::move(entries)) {
  ids_.reserve(entries_.size());
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    const auto& [token, id] = entries_[place];
    ids_.emplace(token, id);
    by_id_.resize(std::max(by_id_.size(), static_cast<std::size_t>(id) + 1), -1);
    // An id may be missing, so the table maps ids to places in entries_.
    by_id_[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(place);
  }
}

std::int32_t Vocabulary::id_of(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? -1 : found->second;
}

const std::string* Vocabulary::token_of(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= by_id_.size()) return nullptr;
  const std::int32_t place = by_id_[static_cast<std::size_t>(id)];
  return place < 0 ? nullptr : &entries_[static_cast<std::size_t>(place)].first;
}

}  // namespace fineprint::tokenizer
