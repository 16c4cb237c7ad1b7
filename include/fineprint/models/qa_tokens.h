// Lays out a question and a passage as the tokens, features and relations that a QA model reads.
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
#include "fineprint/models/qa_model.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// The features of a token besides its word. Each is a row of its own table of embeddings; 0 means
// that the feature does not apply. Sources: Herzig et al., "TaPas" (2020), section 3, for rows,
// columns, ranks, and positions that restart in each cell; section A.1 of its follow-up,
// Eisenschlos et al. (2020), for relations to numbers of the question.
enum class QaFeature : std::uint8_t {
  row,           // 1 for the first
  column,        // 1 for the first
  kind,          // 1 text or context, 2 column head, 3 first column, 4 other cell
  rank,          // of a number in its column, 1 for the least; equal numbers share a rank
  inverse_rank,  // 1 for the largest
  relation,      // to numbers of the question: sum of 1 equal to one, 2 above one, 4 below one
  row_asked,     // how much of the head of the cell's row is in the question; see kAskedShares. Of
                 // [CLS]: how much of the question is in the passage
  column_asked,  // the same for the head of its column
  asked,         // 1: the question has this word piece too, and it is significant
  nearby,  // how many word pieces of the question are near: in the cell's row, or (of [CLS]) in the
           // passage
  shape,   // how the word is written, which an uncased tokenizer loses; see words.h
  sought,  // of a passage: what kind of answer the question asks for; see words.h
  match,   // where the question's words are in a table; see match.h
};
inline constexpr std::size_t kQaFeatures = 13;
inline constexpr std::array<std::string_view, kQaFeatures> kQaFeatureNames = {
    "rows",          "columns", "kinds",  "ranks",  "inverse_ranks", "relations", "rows_asked",
    "columns_asked", "asked",   "nearby", "shapes", "sought",        "matches"};
inline constexpr std::int64_t kQaHeadOfColumns = 2;  // QaFeature::kind
// Values of row_asked and column_asked: from 1 (the question has none of the head's word pieces) to
// 7 (all of them). 8 is added if no other head of the table has more of them. 0 for cells without a
// head.
inline constexpr int kAskedShares = 7;
// Rows of each table of embeddings. Larger values count as the last row.
inline constexpr std::array<int, kQaFeatures> kQaFeatureSizes = {128, 32, 5, 32, 32, 8, 16,
                                                                 16,  2,  8, 16, 16, 16};

// The relation of a token to another one of the same sequence. It adds a number to the attention
// score, for each layer and head separately. Texts have no relations. Source: Yang et al.,
// "TableFormer" (2022); unlike there, neighbouring rows and equal words are distinguished.
enum class QaRelation : std::uint8_t {
  other,
  same_cell,
  same_row,
  head_of_row,     // the other token is in the first column of the same row
  head_of_column,  // the other token is in the head of this column
  cell_above,      // in the same column, one row up
  cell_below,
  same_column,
  cell_of_column,  // this token is a head, the other one in a cell under it
  row_above,       // in another column, one row up
  row_below,
  question,       // from a cell to the question
  question_same,  // from a cell to the same word in the question
  cell_same,      // from the question to the same word in a cell
  head,           // from the question to a column head
  cell,           // from the question to another cell
};
inline constexpr int kQaRelations = 16;
// Factors of the embeddings of features and of the numbers of relations. They make up for the
// learning rate: a step of training moves a number by at most that rate, which suits weights that
// are already trained. These begin at nothing and have as far to go as word embeddings (0.04) and
// attention scores (1 and more).
inline constexpr double kQaFeatureFactor = 3;
inline constexpr double kQaRelationFactor = 64;

// The value of "architectures" in config.json of a QA model's folder.
inline constexpr std::string_view kQaArchitecture = "FineprintReader";
// Numbers that the model computes from a passage's first token: relevance, operators, scales.
inline constexpr int kQaPassageNumbers =
    1 + static_cast<int>(kQaOperators) + static_cast<int>(kQaScales);
// Numbers that it computes from each token: of spans, of several spans, and of units. A unit gets
// the mean over its tokens.
enum class QaTokenNumber : std::uint8_t { start, end, several, chosen, single, first, second };
inline constexpr int kQaTokenNumbers = 7;

// Returns the tensors of a QA model besides those of BERT: the part "reader", prefix "reader.".
PartTensors qa_tensors(const TextEncoder& encoder);

// The tokens of one sequence: [CLS] question [SEP] context passage [SEP].
struct QaTokens {
  // A cell, or a number in a text. Its tokens are [first, last).
  struct Unit {
    int row = -1, column = -1;
    std::uint32_t begin = 0, end = 0;  // bytes of the text
    std::size_t first = 0, last = 0;
  };

  std::vector<std::int64_t> ids, positions, types;              // [T]
  std::array<std::vector<std::int64_t>, kQaFeatures> features;  // [T] each
  std::size_t text_begin = 0, text_end = 0;                     // tokens of the text: [begin, end)
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bytes;  // byte range of each of these tokens
  std::vector<Unit> units;                                     // in order
  std::size_t rows_read = 0;
  bool text_cut = false;
};

// Returns relations [T, T], row by row, as numbers of QaRelation: element (i, j) is the
// relation of token i to token j. kQaRelations zeros follow. Returns an empty vector for a
// text.
std::vector<std::uint8_t> qa_relations(const QaTokens& tokens);

// Makes sequences for a QA model. Keeps a reference to the tokenizer. Thread-safe.
class QaLayout {
 public:
  // `most_tokens` is the limit of a sequence with a text; a table may take twice as many. Throws
  // Error(model) if the tokenizer has no [CLS] or [SEP].
  QaLayout(const tokenizer::Tokenizer& tokenizer, int most_tokens);

  // Returns the sequence of a question and a passage, cut at the limit.
  QaTokens lay_out(const std::string& question, const QaPassage& passage) const;

 private:
  const tokenizer::Tokenizer& tokenizer_;
  std::size_t most_tokens_;
  std::int64_t begin_, separator_;
  std::set<std::int64_t> silent_;  // word pieces that never match
};

}  // namespace fineprint::models
