// Writes, maps and lists vector segments.
#include "store/vectors/segments.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/score/dense.h"
#include "fineprint/score/vector_rows.h"

namespace fineprint::store {

namespace {

template <class T>
std::span<const std::uint8_t> raw_bytes(std::span<const T> values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

// Scales and errors have one number for each row, and so one dimension.
std::vector<std::int64_t> shape_of(const ArrayLayout& array, std::size_t rows) {
  std::vector<std::int64_t> shape = {static_cast<std::int64_t>(rows)};
  if (array.columns > 0) shape.push_back(static_cast<std::int64_t>(array.columns));
  return shape;
}

// Returns the arrays of a file. Throws Error(store) if they do not have the format of the set.
SegmentView view_of(const tensorfile::SafetensorsReader& reader, const VectorSet& set,
                    std::size_t rows) {
  const auto layout = layout_of(set);
  SegmentView view;
  view.rows = {
      .type = set.format.type, .values = nullptr, .scales = nullptr, .count = rows, .dim = set.dim};
  for (const ArrayLayout& array : layout) {
    const tensorfile::TensorView& tensor = reader.at(array.name);
    if (tensor.dtype != array.dtype || tensor.shape != shape_of(array, rows)) {
      throw Error(ErrorCode::store,
                  fineprint::format("its \"{}\" are not as the catalogue says", array.name));
    }
    // The safetensors format allows any offset. This program writes aligned arrays and reads them
    // in place.
    const auto address = reinterpret_cast<std::uintptr_t>(tensor.bytes.data());
    if (address % tensorfile::dtype_bytes(array.dtype) != 0) {
      throw Error(ErrorCode::store, fineprint::format("its \"{}\" are not aligned", array.name));
    }
    view.arrays.push_back(tensor.bytes);
  }
  // The order of layout_of(): vectors; or codes, scales and, if originals are kept, vectors,
  // errors.
  view.rows.values = view.arrays[0].data();
  if (layout.size() > 1) {
    view.rows.scales = reinterpret_cast<const float*>(view.arrays[1].data());
  }
  if (layout.size() > 2) {
    view.exact = {.type = score::VectorType::f32,
                  .values = view.arrays[2].data(),
                  .scales = nullptr,
                  .count = rows,
                  .dim = set.dim};
    view.errors = {reinterpret_cast<const float*>(view.arrays[3].data()), rows};
  }
  return view;
}

// A single array keeps its own sum, because segments of the first version have only that one.
std::uint64_t sum_of_sums(const std::vector<std::uint64_t>& sums) {
  return sums.size() == 1 ? sums[0] : checksum(raw_bytes(std::span<const std::uint64_t>(sums)));
}

// The arrays of a new segment may consist of many pieces, but the sum is that of the joined bytes.
std::uint64_t checksum_of_content(const SegmentPieces& content) {
  std::vector<std::uint64_t> sums;
  for (const auto& pieces : content.arrays()) sums.push_back(checksum_of_pieces(pieces));
  return sum_of_sums(sums);
}

// Passes the pieces on as they are, so that joining many segments never needs them in memory at
// once.
std::vector<tensorfile::TensorToWrite> tensors_of(const SegmentPieces& content,
                                                  const VectorSet& set) {
  std::vector<tensorfile::TensorToWrite> out;
  const auto layout = layout_of(set);
  for (std::size_t i = 0; i < layout.size(); ++i) {
    out.push_back({.name = layout[i].name,
                   .dtype = layout[i].dtype,
                   .shape = shape_of(layout[i], content.rows()),
                   .bytes = {},
                   .more = content.arrays()[i]});
  }
  return out;
}

}  // namespace

std::vector<SegmentRow> read_segments(Database& database, std::optional<std::int64_t> set) {
  std::vector<SegmentRow> out;
  Query rows = database.query(
      "SELECT id, vector_set, file, checksum, row_count FROM segments "
      "WHERE ?1 = 0 OR vector_set = ?1 ORDER BY id");
  rows.bind(set.value_or(0));
  while (rows.step()) {
    out.push_back({.id = rows.integer(0),
                   .set = rows.integer(1),
                   .file = rows.text(2),
                   .checksum = static_cast<std::uint64_t>(rows.integer(3)),
                   .rows = static_cast<std::size_t>(rows.integer(4))});
  }
  return out;
}

// Takes SQLite's sequence and not MAX(id), which would give the id of a deleted segment again.
std::int64_t next_segment_id(Database& database) {
  return database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'segments'") + 1;
}

void insert_segment(Database& database, const SegmentRow& segment) {
  database
      .query(
          "INSERT INTO segments(id, vector_set, file, checksum, row_count, sum) "
          "VALUES(?1,?2,?3,?4,?5, row_sum(?1,?2,?3,?4,?5))")
      .bind(segment.id)
      .bind(segment.set)
      .bind(std::string_view(segment.file))
      .bind(static_cast<std::int64_t>(segment.checksum))
      .bind(static_cast<std::int64_t>(segment.rows))
      .run();
}

// Joins adjacent pieces: so a long run of rows is checksummed and written as one piece.
void SegmentPieces::append(const std::vector<std::span<const std::uint8_t>>& pieces,
                           std::size_t rows) {
  rows_ += rows;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    auto& array = arrays_[i];
    if (!array.empty() && array.back().data() + array.back().size() == pieces[i].data()) {
      array.back() = {array.back().data(), array.back().size() + pieces[i].size()};
    } else {
      array.push_back(pieces[i]);
    }
  }
}

SegmentContent::SegmentContent(VectorSet set)
    : set_(std::move(set)), layout_(layout_of(set_)), bytes_(layout_.size()) {}

void SegmentContent::append(const char* array, std::span<const std::uint8_t> bytes) {
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (std::strcmp(layout_[i].name, array) == 0) {
      bytes_[i].insert(bytes_[i].end(), bytes.begin(), bytes.end());
    }
  }
}

// Arrays are found by name. The float32 originals and the errors exist only next to codes.
void SegmentContent::append_encoded(std::span<const float> values) {
  using score::VectorType;
  const std::size_t rows = values.size() / set_.dim;
  rows_ += rows;
  if (set_.format.type == VectorType::f32) return append("vectors", raw_bytes(values));
  const auto encoded = score::encode_rows(values, rows, set_.dim, set_.format.type);
  if (set_.format.type != VectorType::i8) return append("vectors", encoded.values);
  append("codes", encoded.values);
  append("scales", raw_bytes(std::span<const float>(encoded.scales)));
  if (!set_.format.keep_exact) return;
  append("vectors", raw_bytes(values));
  // The errors are measured once, here, because rescoring needs them for every question.
  const score::VectorRows exact{.type = VectorType::f32,
                                .values = values.data(),
                                .scales = nullptr,
                                .count = rows,
                                .dim = set_.dim};
  const std::vector<float> errors = score::code_errors(encoded.view(), exact);
  append("errors", raw_bytes(std::span<const float>(errors)));
}

SegmentPieces SegmentContent::pieces() const {
  SegmentPieces out(bytes_.size());
  out.append({bytes_.begin(), bytes_.end()}, rows_);
  return out;
}

std::uint64_t checksum_of(const std::vector<std::span<const std::uint8_t>>& arrays) {
  std::vector<std::uint64_t> sums;
  for (const auto& array : arrays) sums.push_back(checksum(array));
  return sum_of_sums(sums);
}

SegmentRow write_segment(const std::string& dir, std::int64_t id, const SetRow& set,
                         const SegmentPieces& content) {
  const std::string folder = "vectors/" + set.set.name;
  SegmentRow row{id, set.id, fineprint::format("{}/{:08}.safetensors", folder, id),
                 checksum_of_content(content), content.rows()};
  try {
    make_folders(dir + "/" + folder);
    tensorfile::write(dir + "/" + row.file, tensors_of(content, set.set));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::store,
                fineprint::format("{}/{} cannot be written: {}", dir, row.file, error.what()));
  }
  return row;
}

// Adds the path to the reason, because view_of() does not know it.
const SegmentView& SegmentMaps::view(const SegmentRow& segment, const VectorSet& set) {
  if (const auto known = files_.find(segment.id); known != files_.end()) return known->second.view;
  try {
    tensorfile::SafetensorsReader reader(dir_ + "/" + segment.file);
    SegmentView view = view_of(reader, set, segment.rows);
    return files_.emplace(segment.id, File{std::move(reader), std::move(view)}).first->second.view;
  } catch (const Error& error) {
    throw Error(ErrorCode::store,
                fineprint::format("{}/{} cannot be used: {}", dir_, segment.file, error.what()));
  }
}

}  // namespace fineprint::store
