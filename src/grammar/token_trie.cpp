// Sorts a vocabulary by what its tokens do to JSON strings.
#include "grammar/token_trie.h"

#include <algorithm>

#include "fineprint/grammar/json_constraint.h"

namespace fineprint::grammar {
namespace {

// Longer tokens are never allowed, because a walk keeps one list of positions for each byte of the
// longest token.
constexpr std::size_t kMaxTokenBytes = 512;

}  // namespace

TokenTrie::TokenTrie(const tokenizer::Tokenizer& tokenizer, std::size_t vocabulary,
                     std::span<const std::int64_t> end_tokens)
    : vocabulary_(vocabulary) {
  for (const std::int64_t id : end_tokens) {
    if (id >= 0 && static_cast<std::size_t>(id) < vocabulary) end_tokens_.push_back(id);
  }
  const std::vector<TrieEntry> entries = read_tokens(tokenizer);
  tokens_ = ByteTrie(entries);
  find_costs();
  for (std::size_t point = 0; point < kOpenPoints; ++point) {
    find_string_tokens(static_cast<StringPoint>(point), entries);
  }
  make_masks();
}

bool TokenTrie::is_end(std::int64_t id) const {
  return std::ranges::find(end_tokens_, id) != end_tokens_.end();
}

std::string_view TokenTrie::bytes_of(std::int64_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= vocabulary_) return {};
  const auto index = static_cast<std::size_t>(id);
  return std::string_view(bytes_).substr(offsets_[index], offsets_[index + 1] - offsets_[index]);
}

// Returns the bytes of all tokens that may be allowed. The views point into bytes_, which is
// complete before the first view is taken.
std::vector<TrieEntry> TokenTrie::read_tokens(const tokenizer::Tokenizer& tokenizer) {
  const std::size_t known = std::min(vocabulary_, tokenizer.vocab_size());
  offsets_.assign(1, 0);
  for (std::size_t index = 0; index < vocabulary_; ++index) {
    const auto id = static_cast<std::int32_t>(index);
    if (index < known && !tokenizer.is_special(id) && !is_end(id)) {
      const std::string bytes = tokenizer.token_bytes(id);
      // Tokens without bytes keep an empty range of their own, so that offsets_ can be indexed by
      // id.
      if (bytes.size() <= kMaxTokenBytes) bytes_ += bytes;
    }
    offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }
  std::vector<TrieEntry> entries;
  for (std::size_t index = 0; index < known; ++index) {
    const auto id = static_cast<std::int32_t>(index);
    const std::string_view bytes = bytes_of(id);
    if (bytes.empty()) continue;
    longest_ = std::max(longest_, bytes.size());
    if (bytes.size() == 1) single_[static_cast<std::uint8_t>(bytes[0])] = true;
    entries.push_back({bytes, {id, 0}});
  }
  return entries;
}

// Finds the cost of each point by relaxation. Four rounds suffice, because every point is at most
// four bytes away from `inside`. Only single-byte tokens count: they make the bound valid whatever
// larger tokens exist.
void TokenTrie::find_costs() {
  cost_.fill(kNever);
  cost_[static_cast<std::size_t>(StringPoint::inside)] = 0;
  for (int round = 0; round < 4; ++round) {
    for (std::size_t point = 0; point < kOpenPoints; ++point) {
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const StringPoint next = kPointTable[point][byte];
        if (!single_[byte] || next >= StringPoint::closed) continue;
        cost_[point] = std::min(cost_[point], cost_of(next) + 1);
      }
    }
  }
}

// Runs each token through the automaton from `start` and sorts it by where it ends.
void TokenTrie::find_string_tokens(StringPoint start, std::span<const TrieEntry> entries) {
  StringTokens& found = at_[static_cast<std::size_t>(start)];
  std::vector<TrieEntry> closing;
  for (const TrieEntry& entry : entries) {
    StringPoint point = start;
    std::uint16_t code_points = 0;
    std::size_t at = 0;
    while (at < entry.bytes.size() && point < StringPoint::closed) {
      const StringPoint next = next_point(point, static_cast<std::uint8_t>(entry.bytes[at++]));
      if (begins_character(point, next)) ++code_points;
      point = next;
    }
    if (point == StringPoint::closed) {
      closing.push_back({entry.bytes.substr(at), {entry.token.id, code_points}});
    } else if (point != StringPoint::dead && cost_of(point) < kNever) {
      found.inner.push_back(
          {entry.token.id, code_points, static_cast<std::uint8_t>(cost_of(point))});
    }
  }
  std::ranges::stable_sort(found.inner, {}, &StringTokens::Inner::code_points);
  found.inner.shrink_to_fit();
  found.closing = ByteTrie(std::move(closing));
}

// Row n of the masks flags the tokens that stay inside a string and begin at most n characters; the
// last row flags them all.
void TokenTrie::make_masks() {
  masks_.assign((kManyCodePoints + 1) * vocabulary_, 0);
  for (const StringTokens::Inner& token : tokens_at(StringPoint::inside).inner) {
    const std::size_t first = std::min<std::size_t>(token.code_points, kManyCodePoints);
    for (std::size_t row = first; row <= kManyCodePoints; ++row) {
      masks_[row * vocabulary_ + static_cast<std::size_t>(token.id)] = 1;
    }
    if (token.cost > 0) unfinished_.push_back(token);
  }
}

std::span<const std::uint8_t> TokenTrie::inside(std::size_t code_points) const {
  const std::size_t row = std::min(code_points, kManyCodePoints);
  return std::span(masks_).subspan(row * vocabulary_, vocabulary_);
}

std::size_t TokenTrie::memory() const {
  std::size_t bytes = bytes_.capacity() + offsets_.capacity() * sizeof(std::uint32_t) +
                      tokens_.memory() + masks_.capacity() +
                      unfinished_.capacity() * sizeof(StringTokens::Inner);
  for (const StringTokens& tokens : at_) {
    bytes += tokens.inner.capacity() * sizeof(StringTokens::Inner) + tokens.closing.memory();
  }
  return bytes;
}

std::shared_ptr<const TokenTrie> make_token_trie(const tokenizer::Tokenizer& tokenizer,
                                                 std::size_t vocabulary,
                                                 std::span<const std::int64_t> end_tokens) {
  return std::make_shared<const TokenTrie>(tokenizer, vocabulary, end_tokens);
}

}  // namespace fineprint::grammar
