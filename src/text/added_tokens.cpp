// Finds added tokens in raw text.
#include "text/added_tokens.h"

#include <algorithm>

#include "fineprint/text/unicode.h"

namespace fineprint::text {
namespace {

bool is_word_character(char32_t c) { return is_letter(c) || is_digit(c) || c == '_'; }

// Start of the code point that ends before `at`.
std::size_t previous_start(std::string_view utf8, std::size_t at) {
  do --at;
  while (at > 0 && (static_cast<unsigned char>(utf8[at]) & 0xC0) == 0x80);
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
    std::size_t read = start;
    if (!is_space(next_code_point(utf8, &read))) break;
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

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const AddedToken& token) { return token.content.empty(); });
  std::stable_sort(tokens_.begin(), tokens_.end(), [](const AddedToken& a, const AddedToken& b) {
    return a.content.size() > b.content.size();
  });
  for (const AddedToken& token : tokens_) {
    starts_[static_cast<unsigned char>(token.content[0])] = true;
  }
}

const AddedToken* AddedTokens::match(std::string_view utf8, std::size_t at) const {
  if (!starts_[static_cast<unsigned char>(utf8[at])]) return nullptr;
  for (const AddedToken& token : tokens_) {
    if (utf8.substr(at, token.content.size()) == token.content) return &token;
  }
  return nullptr;
}

std::vector<Stretch> AddedTokens::split(std::string_view utf8) const {
  std::vector<Stretch> out;
  std::size_t done = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const AddedToken* token = match(utf8, at);
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    std::size_t end = at + token->content.size();
    at = end;
    if (token->single_word && (word_ends_at(utf8, begin) || word_starts_at(utf8, end))) continue;
    if (token->lstrip) begin = std::max(done, before_blanks(utf8, begin));
    if (token->rstrip) end = after_blanks(utf8, end);
    begin = std::max(begin, done);
    if (begin > done) out.push_back({done, begin, -1});
    out.push_back({begin, end, token->id});
    done = end;
    at = std::max(at, done);
  }
  if (done < utf8.size()) out.push_back({done, utf8.size(), -1});
  return out;
}

const AddedToken* AddedTokens::find(std::int32_t id) const {
  const auto found = std::find_if(tokens_.begin(), tokens_.end(),
                                  [id](const AddedToken& token) { return token.id == id; });
  return found == tokens_.end() ? nullptr : &*found;
}

}  // namespace fineprint::text
