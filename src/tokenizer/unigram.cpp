// Finds the best split with Viterbi's algorithm over the positions between characters.
#include "tokenizer/unigram.h"

#include <algorithm>
#include <limits>

namespace fineprint::tokenizer {
namespace {

// SentencePiece's constant.
constexpr double kUnknownPenalty = 10;

// The best path to a position in the text.
struct Step {
  double score = -std::numeric_limits<double>::infinity();
  std::uint32_t from = 0;
  std::int32_t id = -1;
};

bool continues_character(char c) { return (c & 0xC0) == 0x80; }

}  // namespace

Unigram::Unigram(Vocabulary vocabulary, std::vector<double> scores, std::int32_t unknown)
    : vocabulary_(std::move(vocabulary)), scores_(std::move(scores)), unknown_(unknown) {
  double least = std::numeric_limits<double>::infinity();
  ids_.reserve(vocabulary_.entries().size());
  for (const auto& [token, id] : vocabulary_.entries()) {
    least = std::min(least, scores_[static_cast<std::size_t>(id)]);
    // The unknown token's text may occur in the input, but must not match there.
    if (token.empty() || id == unknown) continue;
    ids_.emplace(token, id);
    longest_ = std::max(longest_, token.size());
  }
  unknown_score_ = least - kUnknownPenalty;
}

void Unigram::cut(std::string_view text, Range piece, std::vector<ModelToken>* out) const {
  const std::string_view word = text.substr(piece.begin, piece.end - piece.begin);
  std::vector<Step> steps(word.size() + 1);
  steps[0].score = 0;
  // Keeps the better of two paths to `to`. Of equals, the first one found wins.
  const auto offer = [&](std::size_t from, std::size_t to, double score, std::int32_t id) {
    score += steps[from].score;
    if (score > steps[to].score) steps[to] = {score, static_cast<std::uint32_t>(from), id};
  };
  for (std::size_t at = 0; at < word.size();) {
    std::size_t next = at + 1;
    while (next < word.size() && continues_character(word[next])) ++next;
    bool has_character = false;
    for (std::size_t end = next; end <= std::min(word.size(), at + longest_);) {
      const auto found = ids_.find(word.substr(at, end - at));
      if (found != ids_.end()) {
        offer(at, end, scores_[static_cast<std::size_t>(found->second)], found->second);
        has_character = has_character || end == next;
      }
      ++end;
      while (end < word.size() && continues_character(word[end])) ++end;
    }
    // Every position must be reachable, so a character without a piece becomes unknown.
    if (!has_character) offer(at, next, unknown_score_, unknown_);
    at = next;
  }
  // Follows the best path back from the end. Neighbouring unknown characters become one token.
  const std::size_t before = out->size();
  for (std::size_t at = word.size(); at > 0; at = steps[at].from) {
    const Range range{piece.begin + steps[at].from, piece.begin + static_cast<std::uint32_t>(at)};
    const bool joins = steps[at].id == unknown_ && out->size() > before &&
                       out->back().id == unknown_ && out->back().range.begin == range.end;
    if (joins) {
      out->back().range.begin = range.begin;
    } else {
      out->push_back({steps[at].id, range});
    }
  }
  std::reverse(out->begin() + static_cast<std::ptrdiff_t>(before), out->end());
}

void Unigram::tokenize(std::string_view text, const std::vector<Range>& pieces,
                       std::vector<ModelToken>* out) const {
  for (const Range piece : pieces) cut(text, piece, out);
}

}  // namespace fineprint::tokenizer
