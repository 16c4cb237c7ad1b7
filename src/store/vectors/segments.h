// Vector segments: files of vectors that the catalogue names.
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
#include "store/vectors/sets.h"

namespace fineprint::store {

// What the catalogue records about a vector segment.
struct SegmentRow {
  std::int64_t id = 0;
  std::int64_t set = 0;
  std::string file;            // relative to the store's folder
  std::uint64_t checksum = 0;  // over the bytes of all its arrays
  std::size_t rows = 0;
};

// Returns the segments of one set, or of all sets, ordered by id.
std::vector<SegmentRow> read_segments(Database& database, std::optional<std::int64_t> set);
// Returns an id that no segment ever had, so that no reader can have a file of that name mapped.
std::int64_t next_segment_id(Database& database);
void insert_segment(Database& database, const SegmentRow& segment);

// The arrays of a segment to be written, in the order of layout_of(). Each array consists of pieces
// that are stored elsewhere, so that joining copies no rows.
class SegmentPieces {
 public:
  explicit SegmentPieces(std::size_t arrays) : arrays_(arrays) {}

  // Appends encoded rows: one piece for each array. A piece that directly follows the last one in
  // memory becomes one piece with it.
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

  // Appends float32 rows, encoded in the format of the set.
  void append_encoded(std::span<const float> values);

  std::size_t rows() const { return rows_; }
  // Returns pieces that stay valid until more is appended.
  SegmentPieces pieces() const;

 private:
  void append(const char* array, std::span<const std::uint8_t> bytes);

  VectorSet set_;
  std::vector<ArrayLayout> layout_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::size_t rows_ = 0;
};

// Returns a checksum over all arrays of a segment.
std::uint64_t checksum_of(const std::vector<std::span<const std::uint8_t>>& arrays);

// Writes and syncs a new segment file that nothing names yet. Throws Error(store) if it cannot.
SegmentRow write_segment(const std::string& dir, std::int64_t id, const SetRow& set,
                         const SegmentPieces& content);

// A mapped segment.
struct SegmentView {
  std::vector<std::span<const std::uint8_t>> arrays;  // in the order of layout_of()
  score::VectorRows rows;
  std::optional<score::VectorRows> exact;
  std::span<const float> errors;
};

// Segment files. Maps each once and keeps it, so that returned views stay valid.
class SegmentMaps {
 public:
  explicit SegmentMaps(std::string dir) : dir_(std::move(dir)) {}

  // Throws Error(store) if the file is missing or not as the catalogue says.
  const SegmentView& view(const SegmentRow& segment, const VectorSet& set);

 private:
  struct File {
    tensorfile::SafetensorsReader reader;
    SegmentView view;
  };
  std::string dir_;
  std::map<std::int64_t, File> files_;
};

}  // namespace fineprint::store
