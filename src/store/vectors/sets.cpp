// Reads, writes and checks the rows of vector sets.
#include "store/vectors/sets.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/row_sums.h"

namespace fineprint::store {

namespace {

// The columns that set_row() reads, in its order.
constexpr const char* kColumns =
    "SELECT id, name, kind, unit, many_vectors, model, hash, input, spec, dim, format, "
    "pool_factor FROM vector_sets ";

// These numbers are stored, so they must never change.
constexpr std::int64_t number_of(VectorUnit unit) { return static_cast<std::int64_t>(unit); }
static_assert(number_of(VectorUnit::page) == 0 && number_of(VectorUnit::chunk) == 1 &&
              number_of(VectorUnit::element) == 2);

// A number that is none of these can only come from damage.
VectorUnit unit_of_number(const Database& database, const std::string& set, std::int64_t number) {
  for (const VectorUnit unit : {VectorUnit::page, VectorUnit::chunk, VectorUnit::element}) {
    if (number_of(unit) == number) return unit;
  }
  throw Error(ErrorCode::store,
              fineprint::format("{}: the vectors \"{}\" are of an unknown kind of unit; index the "
                                "documents again into a new folder",
                                database.path(), set));
}

SetRow set_row(const Database& database, const Query& row) {
  SetRow out;
  out.id = row.integer(0);
  VectorSet& set = out.set;
  set.name = row.text(1);
  set.kind = row.text(2);
  set.unit = unit_of_number(database, set.name, row.integer(3));
  set.many_vectors = row.integer(4) != 0;
  set.model = row.text(5);
  set.hash = row.text(6);
  set.input = row.text(7);
  set.spec = row.text(8);
  set.dim = static_cast<std::size_t>(row.integer(9));
  set.pool_factor = static_cast<int>(row.integer(11));
  const auto format = parse_vector_format(row.text(10));
  if (!format) {
    throw Error(ErrorCode::store,
                fineprint::format("{}: the vectors \"{}\" have the unknown format \"{}\"; index "
                                  "the documents again into a new folder",
                                  database.path(), set.name, row.text(10)));
  }
  set.format = *format;
  return out;
}

// Violations are faults of the caller, hence Error(internal).
void require_of_set(bool holds, const VectorSet& set, std::string_view what) {
  if (holds) return;
  throw Error(ErrorCode::internal,
              fineprint::format("\"{}\" cannot be a vector set: {}", set.name, what));
}

}  // namespace

const char* unit_name(VectorUnit unit) {
  switch (unit) {
    case VectorUnit::page:
      return "page";
    case VectorUnit::chunk:
      return "chunk";
    case VectorUnit::element:
      break;
  }
  return "element";
}

std::string elements_set(const std::string& set) { return set + "-elements"; }

// Multi-vector sets over chunks have the kind "late-text", so the kind is enough here.
bool is_of_chunk_texts(const VectorSet& set) {
  return set.kind == "text" && set.unit == VectorUnit::chunk;
}

bool is_sparse(const VectorSet& set) { return set.kind == "sparse"; }

// In decimal digits, so that the term does not depend on the tokenizer's spelling.
std::string sparse_term(std::uint32_t token) { return std::to_string(token); }

std::string to_string(const VectorFormat& format) {
  std::string out(score::vector_type_name(format.type));
  return format.keep_exact ? out + "+float32" : out;
}

// Tries all formats instead of parsing, so that names and parser cannot differ.
std::optional<VectorFormat> parse_vector_format(std::string_view name) {
  using score::VectorType;
  for (const VectorFormat& format : {VectorFormat{VectorType::f32}, VectorFormat{VectorType::f16},
                                     VectorFormat{VectorType::bf16}, VectorFormat{VectorType::i8},
                                     VectorFormat{VectorType::i8, true}}) {
    if (to_string(format) == name) return format;
  }
  return std::nullopt;
}

std::vector<SetRow> read_sets(Database& database) {
  std::vector<SetRow> out;
  Query rows = database.query(std::string(kColumns) + "ORDER BY name");
  while (rows.step()) out.push_back(set_row(database, rows));
  return out;
}

std::optional<SetRow> find_set(Database& database, const std::string& name) {
  Query row = database.query(std::string(kColumns) + "WHERE name = ?");
  row.bind(std::string_view(name));
  if (!row.step()) return std::nullopt;
  return set_row(database, row);
}

SetRow require_set(Database& database, const std::string& name) {
  if (auto found = find_set(database, name)) return *std::move(found);
  throw Error(ErrorCode::internal,
              fineprint::format("{}: no vector set \"{}\" is registered", database.path(), name));
}

void check_set(const VectorSet& set) {
  // The name is also the name of a folder, and an option value.
  require_of_set(
      !set.name.empty() && set.name.front() != '-' &&
          set.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos,
      set, "its name may contain only lower-case letters, digits and hyphens");
  require_of_set(!set.kind.empty(), set, "it has no kind");
  require_of_set(set.dim > 0, set, "its vectors have no dimension");
  require_of_set(set.pool_factor >= 1, set, "its pool factor is less than one");
  require_of_set(!set.format.keep_exact || set.format.type == score::VectorType::i8, set,
                 "only int8 vectors can keep their float32 originals");
}

// Inserts an empty row first, so that insert and update write the columns and the sum in one place.
void insert_set(Database& database, const VectorSet& set) {
  database
      .query(
          "INSERT INTO vector_sets(name, kind, unit, many_vectors, model, hash, input, spec, "
          "dim, format, pool_factor) VALUES(?,'',0,0,'','','','',0,'',1)")
      .bind(std::string_view(set.name))
      .run();
  update_set(database, {database.last_id(), set});
}

// The sum is made after the update, because it covers the new values.
void update_set(Database& database, const SetRow& row) {
  const VectorSet& set = row.set;
  const std::string format = to_string(set.format);
  database
      .query(
          "UPDATE vector_sets SET kind = ?, unit = ?, many_vectors = ?, model = ?, hash = ?, "
          "input = ?, spec = ?, dim = ?, format = ?, pool_factor = ? WHERE id = ?")
      .bind(std::string_view(set.kind))
      .bind(number_of(set.unit))
      .bind(std::int64_t{set.many_vectors})
      .bind(std::string_view(set.model))
      .bind(std::string_view(set.hash))
      .bind(std::string_view(set.input))
      .bind(std::string_view(set.spec))
      .bind(static_cast<std::int64_t>(set.dim))
      .bind(std::string_view(format))
      .bind(std::int64_t{set.pool_factor})
      .bind(row.id)
      .run();
  sum_rows(database, "vector_sets", "id = ?1", row.id);
}

// The order is part of the checksum of a segment, so it must not change.
std::vector<ArrayLayout> layout_of(const VectorSet& set) {
  using score::VectorType;
  using tensorfile::Dtype;
  switch (set.format.type) {
    case VectorType::f32:
      return {{"vectors", Dtype::f32, set.dim}};
    case VectorType::f16:
      return {{"vectors", Dtype::f16, set.dim}};
    case VectorType::bf16:
      return {{"vectors", Dtype::bf16, set.dim}};
    case VectorType::i8:
      break;
  }
  std::vector<ArrayLayout> out = {{"codes", Dtype::i8, set.dim}, {"scales", Dtype::f32, 0}};
  if (set.format.keep_exact) {
    out.push_back({"vectors", Dtype::f32, set.dim});
    out.push_back({"errors", Dtype::f32, 0});
  }
  return out;
}

// Used to bound how much a join copies.
std::size_t row_bytes(const VectorSet& set) {
  std::size_t bytes = 0;
  for (const ArrayLayout& array : layout_of(set)) bytes += array.row_bytes();
  return bytes;
}

}  // namespace fineprint::store
