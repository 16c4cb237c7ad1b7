// Vector segments: files of rows that the catalogue names, and which document owns which rows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/store/store.h"
#include "fineprint/tensorfile/safetensors.h"

#include "store/sqlite.h"

namespace fineprint::store {

struct SegmentRow {
  std::int64_t id = 0;
  std::string scorer;
  std::string file;            // relative to the store's folder
  std::uint64_t checksum = 0;  // of the rows' bytes
  std::size_t rows = 0, dim = 0;
  std::size_t live_rows = 0;  // those that a document still owns
};

// Rows [first_row, first_row + rows) of a segment.
struct VectorRow {
  std::int64_t document = 0, segment = 0;
  std::size_t first_row = 0, rows = 0;
};

// Segments of one scorer, or of all when it is empty; by id.
std::vector<SegmentRow> read_segments(Database& database, const std::string& scorer);
// Rows of one scorer, by document.
std::vector<VectorRow> read_vector_rows(Database& database, const std::string& scorer);

// Writes and syncs a new segment file; nothing names it yet. The id is one that no segment ever
// had, so no reader can have a file of that name mapped.
SegmentRow write_segment(const std::string& dir, std::int64_t id, const std::string& scorer,
                         const Matrix& vectors);
std::int64_t next_segment_id(Database& database);
void insert_segment(Database& database, const SegmentRow& segment);
void insert_vector_row(Database& database, const std::string& scorer, const VectorRow& row);

// Segment files, each mapped once and kept: what was handed out stays valid.
class SegmentMaps {
 public:
  explicit SegmentMaps(std::string dir) : dir_(std::move(dir)) {}

  // The rows of a segment. Throws Error(store) when the file is missing or not what the catalogue
  // says.
  std::span<const float> rows(const SegmentRow& segment);

 private:
  std::string dir_;
  std::map<std::int64_t, std::unique_ptr<tensorfile::Reader>> files_;
};

// Which of `segments` to join into one: those of which more than half belongs to no document any
// more. Else none up to 16 of them; then the smallest ones, as long as
// the next is not larger than all before it together, so that a row is copied about log2(n) times.
std::vector<SegmentRow> segments_to_join(std::vector<SegmentRow> segments);

// Files under vectors/ that the catalogue does not name.
std::vector<std::string> orphan_files(Database& database, const std::string& dir);

}  // namespace fineprint::store
