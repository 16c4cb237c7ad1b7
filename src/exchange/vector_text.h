// Vectors of a document, unit by unit, and as texts of JSON.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::exchange {

// The shortest decimal number that reads back as this float32: for JSON, whose numbers are doubles
// and are written with up to 17 digits otherwise.
double plain_number(float value);

// Where the rows of one unit lie.
struct UnitRows {
  std::uint32_t unit = 0;
  score::VectorRows rows;  // the originals, where these are kept
};

// The vectors of a set by document, each by unit. Units without rows are left out.
class VectorsOfSet {
 public:
  VectorsOfSet(const store::Store& store, const store::VectorSet& set);

  const store::VectorSet& set() const { return set_; }
  std::vector<UnitRows> of(std::int64_t document) const;

 private:
  store::VectorSet set_;
  std::map<std::int64_t, std::vector<store::VectorBlock>> blocks_;
};

// "[1,0.5]" of one row; "[[1,0.5],[...]]" of all.
std::string row_text(const score::VectorRows& rows, std::size_t row);
std::string rows_text(const score::VectorRows& rows);

}  // namespace fineprint::exchange
