// Passages and what a QA model may have said of them.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/models/qa_model.h"
#include "fineprint/text/numbers.h"

namespace fineprint::evidence {

inline models::QaPassage table(std::vector<std::vector<std::string>> rows,
                               const std::string& context = "") {
  models::QaPassage passage;
  passage.context = context;
  passage.rows = std::move(rows);
  return passage;
}

inline models::QaPassage sentences(const std::string& text) {
  models::QaPassage passage;
  passage.text = text;
  return passage;
}

// A reading that is almost sure of `operation` and of the scale "none", and points at nothing yet.
// Its units are all cells, or all numbers of the text.
inline models::PassageReading reading_of(const models::QaPassage& passage,
                                         models::QaOperator operation, double relevance = 5) {
  models::PassageReading reading;
  reading.relevance = relevance;
  reading.operators.fill(std::log(0.01));
  reading.operators[static_cast<std::size_t>(operation)] = std::log(0.9);
  reading.scales.fill(std::log(0.01));
  reading.scales[0] = std::log(0.9);
  models::QaUnit unit;
  unit.chosen = unit.single = unit.first = unit.second = -8;
  for (std::size_t row = 0; row < passage.rows.size(); ++row) {
    for (std::size_t column = 0; column < passage.rows[row].size(); ++column) {
      unit.row = static_cast<int>(row);
      unit.column = static_cast<int>(column);
      reading.units.push_back(unit);
    }
  }
  for (const text::PrintedNumber& number : text::numbers_in(passage.text)) {
    unit.begin = number.begin;
    unit.end = number.end;
    reading.units.push_back(unit);
  }
  reading.rows_read = passage.rows.size();
  return reading;
}

inline models::QaUnit& cell(models::PassageReading* reading, int row, int column) {
  for (models::QaUnit& unit : reading->units) {
    if (unit.row == row && unit.column == column) return unit;
  }
  throw std::out_of_range("no such cell");
}

}  // namespace fineprint::evidence
