// Reads the vectors of a document unit by unit, and writes them as JSON text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::exchange {

// Returns the shortest decimal number that reads back as this float32. JSON numbers are doubles,
// which would otherwise be written with up to 17 digits.
double plain_number(float value);

// The rows of one unit.
struct UnitRows {
  std::uint32_t unit = 0;
  score::VectorRows rows;  // the originals, if the store keeps them
};

// The vectors of a set by document. Units without rows are left out.
class VectorsOfSet {
 public:
  // Reads all blocks of the set from the store.
  VectorsOfSet(const store::Store& store, const store::VectorSet& set);

  const store::VectorSet& set() const { return set_; }
  // Returns the units of a document that have rows, in order.
  std::vector<UnitRows> of(std::int64_t document) const;

 private:
  store::VectorSet set_;
  std::map<std::int64_t, std::vector<store::VectorBlock>> blocks_;
};

// Return one row as "[1,0.5]", one column in the same form, or all rows as "[[1,0.5],[...]]".
std::string row_text(const score::VectorRows& rows, std::size_t row);
std::string column_text(const score::VectorRows& rows, std::size_t column);
std::string rows_text(const score::VectorRows& rows);

}  // namespace fineprint::exchange
