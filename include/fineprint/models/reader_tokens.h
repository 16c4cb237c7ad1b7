// How a question and a passage become the tokens that a reader sees.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/models/model_spec.h"
#include "fineprint/models/reader.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// What a token is known by besides its word: rows of as many tables of embeddings. 0 says that
// there is nothing to say. Sources: Herzig et al., "TaPas" (2020), section 3, for rows, columns,
// ranks, and positions that begin anew in each cell; section A.1 of its follow-up, Eisenschlos et
// al. (2020), for relations to the question's numbers.
enum class ReaderFeature : std::uint8_t {
  row,           // 1 for the first
  column,        // 1 for the first
  kind,          // 1 text or context, 2 head of columns, 3 first column, 4 other cell
  rank,          // of a number among those of its column, 1 for the least; equal ones have the same
  inverse_rank,  // 1 for the largest
  relation,      // to the question's numbers: 1 equal to one, 2 above one, 4 below one, added up
  row_asked,     // how much of the cell's row's head the question says; see kAskedShares. Of [CLS]
                 // how much of what is asked for stands in the passage
  column_asked,  // the same of its column's head
  asked,         // 1: the question has this word piece, too, and it says something
  nearby,  // how many word pieces that are asked for stand near, in the cell's row, or ([CLS])
           // in the passage
  shape,   // how the word is written, which an uncased tokenizer loses; see reader_words.h
  sought,  // of a passage: what the question wants; see there
  match,   // where the question's words stand together in a table; see reader_match.h
};
inline constexpr std::size_t kReaderFeatures = 13;
inline constexpr std::array<std::string_view, kReaderFeatures> kReaderFeatureNames = {
    "rows",          "columns", "kinds",  "ranks",  "inverse_ranks", "relations", "rows_asked",
    "columns_asked", "asked",   "nearby", "shapes", "sought",        "matches"};
inline constexpr std::int64_t kReaderHeadOfColumns = 2;  // ReaderFeature::kind
// 1 for none of the head's word pieces to 7 for all, and as much again and one for those of which
// no other head of the table has more; 0 for cells without a head.
inline constexpr int kAskedShares = 7;
// Rows of each table; what is beyond the last one counts as the last one.
inline constexpr std::array<int, kReaderFeatures> kReaderFeatureSizes = {128, 32, 5, 32, 32, 8, 16,
                                                                         16,  2,  8, 16, 16, 16};

// How a token stands to another one of the same sequence, which adds a number of each layer's and
// head's own to its attention. Texts have no relations. Source: Yang et al., "TableFormer" (2022),
// from which these differ in telling neighbouring rows and equal words.
enum class ReaderRelation : std::uint8_t {
  other,
  same_cell,
  same_row,
  head_of_row,     // the other one stands in the first column of the same row
  head_of_column,  // the other one is a head over this cell
  cell_above,      // in the same column, one row up
  cell_below,
  same_column,
  cell_of_column,  // this one is a head, the other one a cell under it
  row_above,       // in another column, one row up
  row_below,
  question,       // of a cell to the question
  question_same,  // ... to the same word there
  cell_same,      // of the question to the same word in a cell
  head,           // ... to a head of columns
  cell,           // ... to another cell
};
inline constexpr int kReaderRelations = 16;
// What the embeddings of features and the numbers of relations are multiplied by. A step of
// training moves a number by no more than its rate, which is that of weights that know much
// already; these begin with nothing, and have as far to go as the words' embeddings (0.04) and
// attention's scores (1 and more).
inline constexpr double kReaderFeatureFactor = 3;
inline constexpr double kReaderRelationFactor = 64;

// What config.json of a reader's folder says under "architectures".
inline constexpr std::string_view kReaderArchitecture = "FineprintReader";
// Numbers that are read off a passage's first token: relevance, then operators, then scales.
inline constexpr int kReaderPassageNumbers =
    1 + static_cast<int>(kReaderOperators) + static_cast<int>(kReaderScales);
// And off each token: those of spans and several spans, then those of a unit, which has the mean
// over its tokens.
enum class ReaderTokenNumber : std::uint8_t { start, end, several, chosen, single, first, second };
inline constexpr int kReaderTokenNumbers = 7;

// What a reader has besides BERT's: the part "reader", below the prefix "reader.".
PartTensors reader_tensors(const TextEncoder& encoder);

// One sequence: [CLS] question [SEP] context passage [SEP].
struct ReaderTokens {
  // A unit's tokens are [first, last).
  struct Unit {
    int row = -1, column = -1;
    std::uint32_t begin = 0, end = 0;  // bytes of the text
    std::size_t first = 0, last = 0;
  };

  std::vector<std::int64_t> ids, positions, types;                  // [T]
  std::array<std::vector<std::int64_t>, kReaderFeatures> features;  // [T] each
  std::size_t text_begin = 0, text_end = 0;                         // tokens of the text
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bytes;       // of each of these
  std::vector<Unit> units;                                          // in order
  std::size_t rows_read = 0;
  bool text_cut = false;
};

// [T, T], row by row: how the row's token stands to the column's, as ReaderRelation's numbers, and
// kReaderRelations zeros behind them. Empty for a text.
std::vector<std::uint8_t> reader_relations(const ReaderTokens& tokens);

// The tokenizer outlives it. Safe to use from several threads.
class ReaderLayout {
 public:
  // `most_tokens` of a sequence with a text; one with a table may have twice as many. Throws
  // Error(model) when the tokenizer lacks [CLS] or [SEP].
  ReaderLayout(const tokenizer::Tokenizer& tokenizer, int most_tokens);

  ReaderTokens lay_out(const std::string& question, const ReaderPassage& passage) const;

 private:
  const tokenizer::Tokenizer& tokenizer_;
  std::size_t most_tokens_;
  std::int64_t begin_, separator_;
  std::set<std::int64_t> silent_;  // word pieces that never match
};

}  // namespace fineprint::models
