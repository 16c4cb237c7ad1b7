// The rows of vector sets, and the arrays that their segments hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/store/store.h"
#include "fineprint/tensorfile/safetensors.h"

#include "store/sqlite.h"

namespace fineprint::store {

struct SetRow {
  std::int64_t id = 0;
  VectorSet set;
};

std::vector<SetRow> read_sets(Database& database);  // by name
std::optional<SetRow> find_set(Database& database, const std::string& name);
// Throws Error(internal) if there is none.
SetRow require_set(Database& database, const std::string& name);

// Throws Error(internal) if `set` cannot be a set: for example, if its name cannot be a folder name
// or it has no dimension.
void check_set(const VectorSet& set);
void insert_set(Database& database, const VectorSet& set);
// Replaces the values of the row with this id.
void update_set(Database& database, const SetRow& row);

// One array of a segment: one number for each row, or `columns` numbers.
struct ArrayLayout {
  const char* name = "";
  tensorfile::Dtype dtype = tensorfile::Dtype::f32;
  std::size_t columns = 0;  // 0: one number for each row

  std::size_t row_bytes() const {
    return (columns == 0 ? 1 : columns) * tensorfile::dtype_bytes(dtype);
  }
};

// Returns the arrays of a segment. Float types: "vectors". int8: "codes", "scales", and with
// keep_exact also "vectors", "errors".
std::vector<ArrayLayout> layout_of(const VectorSet& set);
// Returns the bytes that one row takes in all arrays together.
std::size_t row_bytes(const VectorSet& set);

}  // namespace fineprint::store
