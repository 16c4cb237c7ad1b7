// Models that read a question and passages together and point at the answer, as the rest of the
// program sees them: free of LibTorch.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/models/reranker.h"

namespace fineprint::models {

// Sentences, or a table.
struct ReaderPassage {
  std::string context;                         // headings, caption, note of units; may be empty
  std::string text;                            // UTF-8; empty for a table
  std::vector<std::vector<std::string>> rows;  // of a table, cells as they stand; empty for a text
  int header_rows = 1;                         // the first ones, which name columns
};

// How the answer comes of what is pointed at. The names are those of examples' files.
enum class ReaderOperator : std::uint8_t {
  span,        // a span of a text, or a cell
  spans,       // several
  count,       // how many were chosen
  sum,         // of those that were chosen
  average,     // of those that were chosen
  difference,  // first - second
  ratio,       // first / second
  change,      // (first - second) / second
  yes,
  no,
};
inline constexpr std::size_t kReaderOperators = 10;
inline constexpr std::array<std::string_view, kReaderOperators> kReaderOperatorNames = {
    "span", "spans", "count", "sum", "average", "difference", "ratio", "change", "yes", "no"};

// What the value is multiplied by to be whole, where the passage does not say it.
enum class ReaderScale : std::uint8_t { none, thousand, million, billion, percent };
inline constexpr std::size_t kReaderScales = 5;
inline constexpr std::array<std::string_view, kReaderScales> kReaderScaleNames = {
    "none", "thousand", "million", "billion", "percent"};

// A cell of a table, or a number in a text: what operators work on.
struct ReaderUnit {
  int row = -1, column = -1;         // of a cell
  std::uint32_t begin = 0, end = 0;  // bytes of a text
  double chosen = 0;                 // log-odds of being one of a set
  double single = 0;                 // log-probability, among the units, of being the one answer
  double first = 0, second = 0;      // log-probabilities of each place of a pair
};

struct ReaderSpan {
  std::uint32_t begin = 0, end = 0;  // bytes of a text
  double log_probability = 0;        // among the passage's spans; of several ones the mean log-odds
};

// What was read in one passage.
struct PassageReading {
  // Log-odds of holding the answer against its standing nowhere: over several passages of a
  // question, P(passage i) = exp(r_i) / (1 + sum of exp(r_j)), and 1 / (1 + sum) that none has it.
  double relevance = 0;
  std::array<double, kReaderOperators> operators{};  // log-probabilities
  std::array<double, kReaderScales> scales{};        // log-probabilities
  std::vector<ReaderSpan> spans;                     // of a text, best first, 10 at most
  std::vector<ReaderSpan> several;                   // of a text: all that belong to one answer
  std::vector<ReaderUnit> units;  // in order; header cells too; what the limit cut off is not there
  std::size_t rows_read = 0;      // of a table: rows before the model's limit
  bool text_cut = false;          // the end of the text was not read
};

class Reader : public Reranker {
 public:
  // In order. A passage over the model's limit loses its end.
  virtual std::vector<PassageReading> read(const std::string& question,
                                           std::span<const ReaderPassage> passages) const = 0;
};

}  // namespace fineprint::models
