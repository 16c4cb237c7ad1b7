// A QA model that points at what a test tells it to.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/models/qa_model.h"

namespace fineprint::testing {

// Sure of one operator, it points at the cells and the parts of texts that are `marks`, the first
// of a pair before the second, and finds relevant what holds one, almost surely.
class FakeQaModel : public models::QaModel {
 public:
  explicit FakeQaModel(std::vector<std::string> marks,
                       models::QaOperator operation = models::QaOperator::span)
      : marks_(std::move(marks)), operation_(operation) {}

  std::string name() const override { return "fake"; }
  std::string hash() const override { return "fake"; }

  std::vector<double> score(const std::string& /*question*/,
                            std::span<const std::string> passages) const override {
    return std::vector<double>(passages.size(), 0.5);
  }

  std::vector<models::PassageReading> read(
      const std::string& /*question*/, std::span<const models::QaPassage> passages) const override {
    passages_read += passages.size();
    std::vector<models::PassageReading> readings;
    for (const models::QaPassage& passage : passages) readings.push_back(read_one(passage));
    return readings;
  }

  mutable std::size_t passages_read = 0;
  double log_probability = -0.01;  // of what it points at

 private:
  models::PassageReading read_one(const models::QaPassage& passage) const {
    models::PassageReading reading;
    reading.operators.fill(-20);
    reading.operators[static_cast<std::size_t>(operation_)] = 0;
    reading.scales.fill(-20);
    reading.scales[0] = 0;
    bool found = false;
    for (std::size_t row = 0; row < passage.rows.size(); ++row) {
      for (std::size_t column = 0; column < passage.rows[row].size(); ++column) {
        models::QaUnit unit;
        unit.row = static_cast<int>(row);
        unit.column = static_cast<int>(column);
        unit.chosen = unit.single = unit.first = unit.second = -10;
        for (std::size_t i = 0; i < marks_.size(); ++i) {
          if (passage.rows[row][column] != marks_[i]) continue;
          found = true;
          unit.chosen = 10;
          unit.single = log_probability;
          (i == 0 ? unit.first : unit.second) = log_probability;
        }
        reading.units.push_back(unit);
      }
    }
    for (const std::string& mark : marks_) {
      const std::size_t at = passage.text.find(mark);
      if (at == std::string::npos) continue;
      found = true;
      reading.spans.push_back({static_cast<std::uint32_t>(at),
                               static_cast<std::uint32_t>(at + mark.size()), log_probability});
    }
    reading.relevance = found ? 6 : -6;
    return reading;
  }

  std::vector<std::string> marks_;
  models::QaOperator operation_;
};

}  // namespace fineprint::testing
