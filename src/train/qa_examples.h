// Reads the examples that QA models are trained on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/models/qa_model.h"

namespace fineprint::train {

// One way in which the passages answer the question.
struct QaAnswer {
  std::size_t passage = 0;
  models::QaOperator by = models::QaOperator::span;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;  // of a text: bytes [begin, end)
  std::vector<std::pair<int, int>> cells;                      // of a table: row, column
  std::optional<double> count;  // of `count`, if only the number is known
};

struct QaExample {
  std::string question;
  std::vector<models::QaPassage> passages;
  std::vector<QaAnswer> answers;  // each of them is right; empty: no passage answers
  std::optional<models::QaScale> scale;
};

// A file of JSON Lines; README.md describes its form. Each line is parsed again when it is needed,
// because there may be millions of cells.
class QaExamples {
 public:
  // Reads every line once. Throws Error(input) with the line if it is not an example, and if the
  // file has no examples.
  explicit QaExamples(const std::string& path);

  std::size_t size() const { return lines_.size(); }
  QaExample at(std::size_t i) const;

 private:
  struct Line {
    std::size_t begin = 0, length = 0, number = 0;
  };

  std::string path_, text_;
  std::vector<Line> lines_;
};

}  // namespace fineprint::train
