// Reads the vectors of a document unit by unit, and writes them as JSON text.
#include "exchange/vector_text.h"

#include <array>
#include <charconv>
#include <utility>

namespace fineprint::exchange {
namespace {

// Long enough for any float.
using Digits = std::array<char, 32>;

std::string_view shortest(float value, Digits& digits) {
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

std::string list_text(const std::vector<float>& values) {
  Digits digits;
  std::string text = "[";
  for (const float value : values) {
    if (text.size() > 1) text += ',';
    text += shortest(value, digits);
  }
  return text + "]";
}

}  // namespace

double plain_number(float value) {
  Digits digits;
  const std::string_view text = shortest(value, digits);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

VectorsOfSet::VectorsOfSet(const store::Store& store, const store::VectorSet& set) : set_(set) {
  for (store::VectorBlock& block : store.vectors(set.name)) {
    blocks_[block.document].push_back(std::move(block));
  }
}

std::vector<UnitRows> VectorsOfSet::of(std::int64_t document) const {
  std::vector<UnitRows> out;
  const auto found = blocks_.find(document);
  if (found == blocks_.end()) return out;
  for (const store::VectorBlock& block : found->second) {
    // The float32 originals, if the store keeps them next to i8 codes.
    const score::VectorRows& rows = block.exact ? *block.exact : block.rows;
    for (std::uint32_t i = 0; i < block.units; ++i) {
      const std::uint32_t first = block.first_row[i], end = block.first_row[i + 1];
      // Units without vectors have no rows.
      if (end > first) out.push_back({block.first_unit + i, rows.slice(first, end - first)});
    }
  }
  return out;
}

std::string row_text(const score::VectorRows& rows, std::size_t row) {
  std::vector<float> values(rows.dim);
  score::decode_row(rows, row, values.data());
  return list_text(values);
}

std::string column_text(const score::VectorRows& rows, std::size_t column) {
  std::vector<float> row(rows.dim), values;
  for (std::size_t r = 0; r < rows.count; ++r) {
    score::decode_row(rows, r, row.data());
    values.push_back(row[column]);
  }
  return list_text(values);
}

std::string rows_text(const score::VectorRows& rows) {
  std::string text = "[";
  for (std::size_t row = 0; row < rows.count; ++row) {
    if (row > 0) text += ',';
    text += row_text(rows, row);
  }
  return text + "]";
}

}  // namespace fineprint::exchange
