// Writes, maps and lists vector segments.
#include "store/segments.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

namespace fineprint::store {

namespace {

constexpr const char* kTensor = "vectors";
constexpr std::size_t kMostSegments = 16;
constexpr std::size_t kLargestJoinBytes = std::size_t{512} << 20;

std::span<const std::uint8_t> bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

// A scorer names a folder.
void check_scorer_name(const std::string& scorer) {
  const bool good = !scorer.empty() &&
                    scorer.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
  if (!good) {
    throw Error(ErrorCode::internal, fineprint::format("\"{}\" cannot name a scorer", scorer));
  }
}

}  // namespace

std::vector<SegmentRow> read_segments(Database& database, const std::string& scorer) {
  std::vector<SegmentRow> out;
  Query rows = database.query(
      "SELECT s.id, s.scorer, s.file, s.checksum, s.row_count, s.dim, "
      "(SELECT TOTAL(v.row_count) FROM vectors v WHERE v.segment = s.id) "
      "FROM segments s WHERE ?1 = '' OR s.scorer = ?1 ORDER BY s.id");
  rows.bind(std::string_view(scorer));
  while (rows.step()) {
    SegmentRow row;
    row.id = rows.integer(0);
    row.scorer = rows.text(1);
    row.file = rows.text(2);
    row.checksum = static_cast<std::uint64_t>(rows.integer(3));
    row.rows = static_cast<std::size_t>(rows.integer(4));
    row.dim = static_cast<std::size_t>(rows.integer(5));
    row.live_rows = static_cast<std::size_t>(rows.integer(6));
    out.push_back(std::move(row));
  }
  return out;
}

std::vector<VectorRow> read_vector_rows(Database& database, const std::string& scorer) {
  std::vector<VectorRow> out;
  Query rows = database.query(
      "SELECT document, segment, first_row, row_count FROM vectors WHERE scorer = ? "
      "ORDER BY document");
  rows.bind(std::string_view(scorer));
  while (rows.step()) {
    out.push_back({rows.integer(0), rows.integer(1), static_cast<std::size_t>(rows.integer(2)),
                   static_cast<std::size_t>(rows.integer(3))});
  }
  return out;
}

SegmentRow write_segment(const std::string& dir, std::int64_t id, const std::string& scorer,
                         const Matrix& vectors) {
  check_scorer_name(scorer);
  const std::string folder = "vectors/" + scorer;
  SegmentRow row{id, scorer, fineprint::format("{}/{:08}.safetensors", folder, id)};
  row.checksum = checksum(bytes_of(vectors.values));
  row.rows = vectors.rows;
  row.dim = vectors.cols;
  try {
    std::filesystem::create_directories(dir + "/" + folder);
    tensorfile::write(dir + "/" + row.file,
                      {{kTensor,
                        tensorfile::Dtype::f32,
                        {static_cast<std::int64_t>(row.rows), static_cast<std::int64_t>(row.dim)},
                        bytes_of(vectors.values)}});
  } catch (const std::exception& error) {
    throw Error(ErrorCode::store,
                fineprint::format("{}/{} cannot be written: {}", dir, row.file, error.what()));
  }
  return row;
}

std::int64_t next_segment_id(Database& database) {
  return database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'segments'") + 1;
}

void insert_segment(Database& database, const SegmentRow& segment) {
  database
      .query(
          "INSERT INTO segments(id, scorer, file, checksum, row_count, dim) "
          "VALUES(?,?,?,?,?,?)")
      .bind(segment.id)
      .bind(std::string_view(segment.scorer))
      .bind(std::string_view(segment.file))
      .bind(static_cast<std::int64_t>(segment.checksum))
      .bind(static_cast<std::int64_t>(segment.rows))
      .bind(static_cast<std::int64_t>(segment.dim))
      .run();
}

void insert_vector_row(Database& database, const std::string& scorer, const VectorRow& row) {
  database
      .query(
          "INSERT OR REPLACE INTO vectors(document, scorer, segment, first_row, row_count) "
          "VALUES(?,?,?,?,?)")
      .bind(row.document)
      .bind(std::string_view(scorer))
      .bind(row.segment)
      .bind(static_cast<std::int64_t>(row.first_row))
      .bind(static_cast<std::int64_t>(row.rows))
      .run();
}

std::span<const float> SegmentMaps::rows(const SegmentRow& segment) {
  try {
    auto& file = files_[segment.id];
    if (!file) file = std::make_unique<tensorfile::Reader>(dir_ + "/" + segment.file);
    const tensorfile::TensorView& view = file->at(kTensor);
    if (view.dtype != tensorfile::Dtype::f32 || view.shape.size() != 2 ||
        view.shape[0] != static_cast<std::int64_t>(segment.rows) ||
        view.shape[1] != static_cast<std::int64_t>(segment.dim)) {
      throw Error(ErrorCode::store, "its shape is not what the catalogue says");
    }
    return {reinterpret_cast<const float*>(view.bytes.data()), segment.rows * segment.dim};
  } catch (const Error& error) {
    throw Error(ErrorCode::store,
                fineprint::format("{}/{} cannot be used: {}; index the documents again", dir_,
                                  segment.file, error.what()));
  }
}

std::vector<SegmentRow> segments_to_join(std::vector<SegmentRow> segments) {
  std::vector<SegmentRow> wasteful;
  std::copy_if(segments.begin(), segments.end(), std::back_inserter(wasteful),
               [](const SegmentRow& s) { return s.live_rows * 2 < s.rows; });
  if (!wasteful.empty()) return wasteful;
  std::erase_if(segments, [](const SegmentRow& s) {
    return s.rows * s.dim * sizeof(float) >= kLargestJoinBytes;
  });
  if (segments.size() <= kMostSegments) return {};
  std::stable_sort(segments.begin(), segments.end(),
                   [](const SegmentRow& a, const SegmentRow& b) { return a.rows < b.rows; });
  std::size_t taken = 0, sum = 0;
  while (taken < segments.size() && (taken < 2 || segments[taken].rows <= sum)) {
    sum += segments[taken++].rows;
  }
  segments.resize(taken);
  return segments;
}

std::vector<std::string> orphan_files(Database& database, const std::string& dir) {
  std::set<std::string> named;
  for (const SegmentRow& segment : read_segments(database, "")) {
    named.insert(dir + "/" + segment.file);
  }
  std::vector<std::string> out;
  std::error_code missing;
  for (std::filesystem::recursive_directory_iterator at(dir + "/vectors", missing), end; at != end;
       at.increment(missing)) {
    if (at->is_regular_file() && !named.contains(at->path().string())) out.push_back(at->path());
  }
  return out;
}

}  // namespace fineprint::store
