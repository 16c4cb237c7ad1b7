// Vector sets as the catalogue knows them, and which arrays their segments hold.
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
// Throws Error(internal) when there is none.
SetRow require_set(Database& database, const std::string& name);

// Refuses what cannot be a set: a name that is no folder's, no dimension, ...
void check_set(const VectorSet& set);
void insert_set(Database& database, const VectorSet& set);
// Writes `set` over the row of the same name.
void update_set(Database& database, const SetRow& row);

// One array of a segment: a number a row, or `columns` of them.
struct ArrayLayout {
  const char* name = "";
  tensorfile::Dtype dtype = tensorfile::Dtype::f32;
  std::size_t columns = 0;  // 0: one number a row

  std::size_t row_bytes() const {
    return (columns == 0 ? 1 : columns) * tensorfile::dtype_bytes(dtype);
  }
};

// float types: "vectors". int8: "codes", "scales", and with keep_exact "vectors", "errors".
std::vector<ArrayLayout> layout_of(const VectorSet& set);
std::size_t row_bytes(const VectorSet& set);

}  // namespace fineprint::store
