// Finds added tokens in texts.
#include "tokenizer/added_tokens.h"

#include <algorithm>

#include "fineprint/core/unicode.h"

#include "tokenizer/unicode_classes.h"

namespace fineprint::tokenizer {
namespace {

// Returns the start of the code point that ends before `at`.
std::size_t previous_start(std::string_view utf8, std::size_t at) {
  do --at;
  while (at > 0 && (utf8[at] & 0xC0) == 0x80);
  return at;
}

bool word_ends_at(std::string_view utf8, std::size_t at) {
  if (at == 0) return false;
  std::size_t start = previous_start(utf8, at);
  return is_word_character(next_code_point(utf8, &start));
}

bool word_starts_at(std::string_view utf8, std::size_t at) {
  return at < utf8.size() && is_word_character(next_code_point(utf8, &at));
}

std::size_t before_blanks(std::string_view utf8, std::size_t at) {
  while (at > 0) {
    const std::size_t start = previous_start(utf8, at);
    std::size_t next = start;
    if (!is_space(next_code_point(utf8, &next))) break;
    at = start;
  }
  return at;
}

std::size_t after_blanks(std::string_view utf8, std::size_t at) {
  while (at < utf8.size()) {
    std::size_t next = at;
    if (!is_space(next_code_point(utf8, &next))) break;
    at = next;
  }
  return at;
}

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

}  // namespace

TokenFinder::TokenFinder(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const AddedToken& token) { return token.pattern.empty(); });
  // The sort is stable, so that of equal patterns the first one stays first and wins.
  std::stable_sort(tokens_.begin(), tokens_.end(),
                   [](const AddedToken& a, const AddedToken& b) { return a.pattern < b.pattern; });
  // Most positions of a text start no added token; one look-up by the first byte rules them out.
  starts_.resize(257);
  for (std::size_t byte = 0, at = 0; byte <= 256; ++byte) {
    while (at < tokens_.size() && byte_at(tokens_[at].pattern, 0) < byte) ++at;
    starts_[byte] = at;
  }
}

// Narrows the sorted patterns, byte by byte, to the ones that the text continues to match. The cost
// does not depend on the number of tokens, of which some models have thousands.
const AddedToken* TokenFinder::match(std::string_view utf8, std::size_t at) const {
  std::size_t first = starts_[byte_at(utf8, at)];
  std::size_t last = starts_[byte_at(utf8, at) + 1u];
  const AddedToken* best = nullptr;
  for (std::size_t depth = 1; first < last; ++depth) {
    if (tokens_[first].pattern.size() == depth) {
      best = &tokens_[first];
      while (first < last && tokens_[first].pattern.size() == depth) ++first;
    }
    if (at + depth >= utf8.size()) break;
    const auto begin = tokens_.begin();
    const auto from = begin + static_cast<std::ptrdiff_t>(first);
    const auto to = begin + static_cast<std::ptrdiff_t>(last);
    const unsigned char wanted = byte_at(utf8, at + depth);
    const auto low = std::partition_point(
        from, to, [&](const AddedToken& token) { return byte_at(token.pattern, depth) < wanted; });
    const auto high = std::partition_point(
        low, to, [&](const AddedToken& token) { return byte_at(token.pattern, depth) == wanted; });
    first = static_cast<std::size_t>(low - begin);
    last = static_cast<std::size_t>(high - begin);
  }
  return best;
}

std::vector<TextPart> TokenFinder::split(std::string_view utf8) const {
  std::vector<TextPart> out;
  std::size_t done = 0;
  for (std::size_t at = 0; !tokens_.empty() && at < utf8.size();) {
    const AddedToken* found = match(utf8, at);
    if (found == nullptr) {
      ++at;
      continue;
    }
    const AddedToken& token = *found;
    std::size_t begin = at;
    std::size_t end = at + token.pattern.size();
    // Continues after the token even if it is rejected next, as the reference library does.
    at = end;
    // "single_word": no word character directly before or after the match.
    if (token.single_word && (word_ends_at(utf8, begin) || word_starts_at(utf8, end))) continue;
    // Blanks that the token before has included stay with it.
    if (token.lstrip) begin = std::clamp(before_blanks(utf8, begin), std::min(done, end), end);
    if (token.rstrip) end = after_blanks(utf8, end);
    if (begin > done) out.push_back({done, begin, -1});
    out.push_back({begin, end, token.id});
    done = end;
  }
  if (done < utf8.size()) out.push_back({done, utf8.size(), -1});
  return out;
}

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens) {
  for (const AddedToken& token : tokens) {
    by_id_.emplace(token.id, token);
    ids_.emplace(token.content, token.id);
    if (token.special) special_.insert(token.content);
    size_ = std::max(size_, static_cast<std::size_t>(token.id) + 1);
  }
}

const AddedToken* AddedTokens::find(std::int32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

std::int32_t AddedTokens::id_of(std::string_view content) const {
  const auto found = ids_.find(std::string(content));
  return found == ids_.end() ? -1 : found->second;
}

}  // namespace fineprint::tokenizer
