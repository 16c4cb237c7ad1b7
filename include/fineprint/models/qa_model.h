// The interface of QA models, which read a question with passages and point at the answer. Does not
// use LibTorch.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/models/reranker.h"

namespace fineprint::models {

// A passage: some sentences, or one table.
struct QaPassage {
  std::string context;                         // headings, caption, note of units; may be empty
  std::string text;                            // UTF-8; empty for a table
  std::vector<std::vector<std::string>> rows;  // cells of a table as printed; empty for a text
  int header_rows = 1;                         // how many rows at the top name the columns
};

// How the answer is computed from what the model points at. The names also appear in files of
// training examples.
enum class QaOperator : std::uint8_t {
  span,        // a span of a text, or a cell
  spans,       // several
  count,       // number of chosen units
  sum,         // of the chosen units
  average,     // of the chosen units
  difference,  // first - second
  ratio,       // first / second
  change,      // (first - second) / second
  yes,
  no,
};
inline constexpr std::size_t kQaOperators = 10;
inline constexpr std::array<std::string_view, kQaOperators> kQaOperatorNames = {
    "span", "spans", "count", "sum", "average", "difference", "ratio", "change", "yes", "no"};

// The factor of the value, if the passage does not give it next to the number. For example, a table
// in thousands.
enum class QaScale : std::uint8_t { none, thousand, million, billion, percent };
inline constexpr std::size_t kQaScales = 5;
inline constexpr std::array<std::string_view, kQaScales> kQaScaleNames = {
    "none", "thousand", "million", "billion", "percent"};

// A cell of a table, or a number in a text: the operands of operators.
struct QaUnit {
  int row = -1, column = -1;         // of a cell, from 0
  std::uint32_t begin = 0, end = 0;  // bytes of a text
  double chosen = 0;                 // log-odds of belonging to the chosen set
  double single = 0;                 // log-probability of being the single answer, among all units
  double first = 0, second = 0;      // log-probabilities of being each operand of a pair
};

// A span of a text that may be the answer.
struct QaSpan {
  std::uint32_t begin = 0, end = 0;  // bytes of a text
  double log_probability = 0;  // among the spans of the passage; for `several`, the mean log-odds
};

// The model's reading of one passage.
struct PassageReading {
  // Log-odds that the passage holds the answer, against no passage holding it. Over the passages of
  // a question, P(passage i) = exp(r_i) / (1 + sum of exp(r_j)); 1 / (1 + sum) is the probability
  // that none holds it.
  double relevance = 0;
  std::array<double, kQaOperators> operators{};  // log-probabilities
  std::array<double, kQaScales> scales{};        // log-probabilities
  std::vector<QaSpan> spans;                     // of a text, best first, at most 10
  std::vector<QaSpan> several;  // of a text: all spans of an answer with several parts
  std::vector<QaUnit> units;    // in order, header cells included; none beyond the model's limit
  std::size_t rows_read = 0;    // of a table: rows within the model's limit
  bool text_cut = false;        // the end of the text was cut off
};

// A QA model. Thread-safe.
class QaModel : public Reranker {
 public:
  const QaModel* as_qa_model() const final { return this; }
  // Returns one reading for each passage, in order. The end of a passage over the model's limit is
  // cut off.
  virtual std::vector<PassageReading> read(const std::string& question,
                                           std::span<const QaPassage> passages) const = 0;
};

}  // namespace fineprint::models
