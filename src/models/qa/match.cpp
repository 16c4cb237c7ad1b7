// Finds the rows that share most words with a question.
#include "models/qa/match.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::models {
namespace {

using Pieces = std::set<std::int64_t>;

constexpr std::string_view kMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr std::array<std::string_view, 50> kSilentWords = {
    "a",    "an",   "the",  "of",   "in",   "on",   "at",    "to",    "by",    "as",
    "is",   "be",   "are",  "was",  "were", "been", "it",    "its",   "or",    "and",
    "for",  "from", "with", "that", "this", "than", "there", "they",  "their", "his",
    "her",  "he",   "she",  "who",  "what", "how",  "when",  "where", "which", "do",
    "does", "did",  "has",  "had",  "have", "s",    "many",  "much",  "whose", "if"};

// Where the question's words occur.
struct Standing {
  std::map<int, Pieces> rows;  // word pieces by row of the body
  Pieces outside;              // word pieces in heads, the context or a text
};

Standing standing_of(const Pieces& asked, const QaTokens& tokens) {
  const auto& kinds = tokens.features[static_cast<std::size_t>(QaFeature::kind)];
  std::vector<int> row_of(tokens.ids.size(), -1);
  for (const QaTokens::Unit& unit : tokens.units) {
    for (std::size_t i = unit.first; i < unit.last; ++i) {
      // Heads belong to all rows, so they do not count as a row of their own.
      if (unit.row >= 0 && kinds[i] != kQaHeadOfColumns) row_of[i] = unit.row;
    }
  }
  Standing standing;
  for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
    // BERT's type 0 is the question, whose words would match themselves.
    if (tokens.types[i] == 0 || !asked.contains(tokens.ids[i])) continue;
    (row_of[i] < 0 ? standing.outside : standing.rows[row_of[i]]).insert(tokens.ids[i]);
  }
  return standing;
}

// The best rows and the word pieces that they contain.
struct Best {
  std::set<int> rows;
  Pieces held;
};

Best best_of(const std::map<int, Pieces>& rows) {
  std::map<std::int64_t, int> often;
  for (const auto& [row, pieces] : rows) {
    for (const std::int64_t piece : pieces) ++often[piece];
  }
  std::map<int, double> sums;
  double most = 0;
  for (const auto& [row, pieces] : rows) {
    // A piece that many rows contain says little about which row is meant.
    for (const std::int64_t piece : pieces) sums[row] += 1.0 / often[piece];
    most = std::max(most, sums[row]);
  }
  constexpr double kHair = 1e-9;  // equal sums may differ if they are added in another order
  Best best;
  for (const auto& [row, pieces] : rows) {
    if (sums[row] < most - kHair) continue;
    best.rows.insert(row);
    best.held.insert(pieces.begin(), pieces.end());
  }
  return best;
}

Pieces all_of(const std::map<int, Pieces>& rows) {
  Pieces all;
  for (const auto& [row, pieces] : rows) all.insert(pieces.begin(), pieces.end());
  return all;
}

Match match_of(std::int64_t piece, const Standing& standing, const Best& best,
               const Pieces& in_rows, bool is_text) {
  if (best.held.contains(piece)) return Match::best_row;
  if (in_rows.contains(piece)) return Match::other_row;
  if (!standing.outside.contains(piece)) return Match::nowhere;
  // A text has no rows, so all of it counts as one.
  return is_text ? Match::best_row : Match::beside;
}

Match of_elsewhere(std::size_t pieces) {
  constexpr std::size_t kMore = 3;
  return static_cast<Match>(static_cast<std::size_t>(Match::all_in_one) + std::min(pieces, kMore));
}

}  // namespace

Pieces silent_pieces(const tokenizer::Tokenizer& tokenizer) {
  Pieces silent;
  for (const char mark : kMarks) silent.insert(tokenizer.id_of(std::string(1, mark)));
  for (const std::string_view word : kSilentWords) {
    silent.insert(tokenizer.id_of(std::string(word)));
  }
  return silent;
}

void tell_matches(const Pieces& silent, std::size_t question_end, QaTokens* tokens) {
  Pieces asked;
  for (std::size_t i = 1; i < question_end; ++i) {
    // Marks and function words are in every row and would make all rows alike.
    if (!silent.contains(tokens->ids[i])) asked.insert(tokens->ids[i]);
  }
  const Standing standing = standing_of(asked, *tokens);
  const Best best = best_of(standing.rows);
  const Pieces in_rows = all_of(standing.rows);
  const bool is_text = tokens->rows_read == 0;
  auto& matches = tokens->features[static_cast<std::size_t>(QaFeature::match)];
  const auto set = [&](std::size_t token, Match match) {
    matches[token] = static_cast<std::int64_t>(match);
  };
  for (std::size_t i = 1; i < question_end; ++i) {
    if (!asked.contains(tokens->ids[i])) continue;
    set(i, match_of(tokens->ids[i], standing, best, in_rows, is_text));
  }
  if (in_rows.empty()) return;
  // [CLS] gets the number of word pieces that only rows other than the best ones contain.
  set(0, of_elsewhere(in_rows.size() - best.held.size()));
  const auto& kinds = tokens->features[static_cast<std::size_t>(QaFeature::kind)];
  for (const QaTokens::Unit& unit : tokens->units) {
    const Match row = best.rows.contains(unit.row) ? Match::of_best_row : Match::of_other_row;
    for (std::size_t i = unit.first; i < unit.last; ++i) {
      if (kinds[i] != kQaHeadOfColumns) set(i, row);
    }
  }
}

}  // namespace fineprint::models
