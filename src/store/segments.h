// Vector segments: files of rows that the catalogue names.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fineprint/store/store.h"
#include "fineprint/tensorfile/safetensors.h"

#include "store/sqlite.h"
#include "store/vector_sets.h"

namespace fineprint::store {

struct SegmentRow {
  std::int64_t id = 0;
  std::int64_t set = 0;
  std::string file;            // relative to the store's folder
  std::uint64_t checksum = 0;  // of the bytes of all its arrays
  std::size_t rows = 0;
};

// Of one set, or of all; by id.
std::vector<SegmentRow> read_segments(Database& database, std::optional<std::int64_t> set);
// An id that no segment ever had, so that no reader can have a file of that name mapped.
std::int64_t next_segment_id(Database& database);
void insert_segment(Database& database, const SegmentRow& segment);

// The arrays of a segment to be written, in the order of layout_of(): each in pieces that lie
// elsewhere.
class SegmentPieces {
 public:
  explicit SegmentPieces(std::size_t arrays) : arrays_(arrays) {}

  // Rows that are encoded already: one piece for each array. What lies behind the last piece in
  // memory becomes one with it.
  void append(const std::vector<std::span<const std::uint8_t>>& pieces, std::size_t rows);

  const std::vector<std::vector<std::span<const std::uint8_t>>>& arrays() const { return arrays_; }
  std::size_t rows() const { return rows_; }

 private:
  std::vector<std::vector<std::span<const std::uint8_t>>> arrays_;
  std::size_t rows_ = 0;
};

// Encodes the rows of a new segment.
class SegmentContent {
 public:
  explicit SegmentContent(VectorSet set);

  // float32 rows, encoded in the set's format.
  void append_encoded(std::span<const float> values);

  std::size_t rows() const { return rows_; }
  // Valid until more is appended.
  SegmentPieces pieces() const;

 private:
  void append(const char* array, std::span<const std::uint8_t> bytes);

  VectorSet set_;
  std::vector<ArrayLayout> layout_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::size_t rows_ = 0;
};

std::uint64_t checksum_of(const std::vector<std::span<const std::uint8_t>>& arrays);

// Writes and syncs a new segment file; nothing names it yet.
SegmentRow write_segment(const std::string& dir, std::int64_t id, const SetRow& set,
                         const SegmentPieces& content);

// A mapped segment.
struct SegmentView {
  std::vector<std::span<const std::uint8_t>> arrays;  // in the order of layout_of()
  score::VectorRows rows;
  std::optional<score::VectorRows> exact;
  std::span<const float> errors;
};

// Segment files, each mapped once and kept: what was handed out stays valid.
class SegmentMaps {
 public:
  explicit SegmentMaps(std::string dir) : dir_(std::move(dir)) {}

  // Throws Error(store) when the file is missing or not what the catalogue says.
  const SegmentView& view(const SegmentRow& segment, const VectorSet& set);

 private:
  struct File {
    tensorfile::Reader reader;
    SegmentView view;
  };
  std::string dir_;
  std::map<std::int64_t, File> files_;
};

}  // namespace fineprint::store
