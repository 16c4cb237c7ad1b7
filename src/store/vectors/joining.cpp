// Chooses vector segments to join, and copies their live rows into a new segment.
#include "store/vectors/joining.h"

#include <algorithm>
#include <map>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"

#include "store/named_files.h"
#include "store/vectors/parts.h"

namespace fineprint::store {

namespace {

// Every search scans every segment, and `index` writes a new one every few seconds, so their number
// must be bounded.
constexpr std::size_t kMostSegments = 16;
// Bounds how much one join reads and writes, and so how long the writer holds its lock.
constexpr std::size_t kLargestJoinBytes = std::size_t{128} << 20;

// Counts live rows from the catalogue, so that no file must be opened to choose.
std::vector<SegmentUse> uses_of(Database& database, const SetRow& set) {
  std::map<std::int64_t, std::size_t> live;
  {
    Query rows = database.query(
        "SELECT segment, SUM(row_count) FROM vectors WHERE vector_set = ? GROUP BY segment");
    rows.bind(set.id);
    while (rows.step()) live[rows.integer(0)] = static_cast<std::size_t>(rows.integer(1));
  }
  std::vector<SegmentUse> out;
  for (SegmentRow& row : read_segments(database, set.id)) {
    const std::size_t rows = live[row.id];
    out.push_back({std::move(row), rows, row_bytes(set.set)});
  }
  return out;
}

// The rows of `segments` that documents still own. They stay in the mapped files.
struct Joined {
  SegmentPieces content;
  std::vector<VectorPart> parts;
};

Joined gather(Database& database, SegmentMaps& maps, const SetRow& set,
              const std::vector<SegmentUse>& segments) {
  std::map<std::int64_t, const SegmentRow*> chosen;
  for (const SegmentUse& use : segments) chosen[use.segment.id] = &use.segment;
  const auto layout = layout_of(set.set);
  Joined out{.content = SegmentPieces(layout.size()), .parts = {}};
  for (VectorPart& part : read_parts(database, set.id)) {
    const auto found = chosen.find(part.segment);
    if (found == chosen.end()) continue;
    const SegmentRow& segment = *found->second;
    // Skips a damaged part. Its units then count as missing, and the next `index` makes their
    // vectors.
    if (!first_rows(part) || !lies_in(part, segment.rows)) continue;
    const SegmentView& view = maps.view(segment, set.set);
    std::vector<std::span<const std::uint8_t>> pieces;
    for (std::size_t i = 0; i < layout.size(); ++i) {
      const std::size_t bytes = layout[i].row_bytes();
      pieces.push_back(view.arrays[i].subspan(part.first_row * bytes, part.rows * bytes));
    }
    part.segment = 0;
    part.first_row = out.content.rows();
    out.content.append(pieces, part.rows);
    out.parts.push_back(std::move(part));
  }
  out.parts = merged(out.parts);
  return out;
}

// Rows of the old segments go in the transaction that names the new one, so that no reader sees a
// vector twice or not at all.
void join(Database& database, const std::string& dir, SegmentMaps& maps, const SetRow& set,
          const std::vector<SegmentUse>& segments) {
  const Joined joined = gather(database, maps, set, segments);
  const SegmentRow segment = write_segment(dir, next_segment_id(database), set, joined.content);
  FileUntilCommit file(dir + "/" + segment.file);
  Transaction transaction(database);
  insert_segment(database, segment);
  for (const SegmentUse& old : segments) {
    database.query("DELETE FROM vectors WHERE segment = ?").bind(old.segment.id).run();
    database.query("DELETE FROM segments WHERE id = ?").bind(old.segment.id).run();
  }
  for (VectorPart part : joined.parts) {
    part.segment = segment.id;
    insert_part(database, set.id, part);
  }
  transaction.commit();
  file.keep();
}

// Compares the checksum first, because a new checksum over damaged rows would hide the damage.
// Joining reads every byte anyway.
bool intact(SegmentMaps& maps, const SetRow& set, const SegmentRow& segment) {
  try {
    if (checksum_of(maps.view(segment, set.set).arrays) == segment.checksum) return true;
    log::warn("{} is damaged; run `fineprint index --repair`", segment.file);
  } catch (const Error& error) {
    log::warn("{}", error.what());
  }
  return false;
}

// Returns false if there is nothing (more) to join.
bool join_once(Database& database, const std::string& dir, const SetRow& set,
               std::set<std::int64_t>* damaged) {
  auto uses = uses_of(database, set);
  std::erase_if(uses, [&](const SegmentUse& use) { return damaged->contains(use.segment.id); });
  const auto chosen = segments_to_join(std::move(uses));
  if (chosen.empty()) return false;
  SegmentMaps maps(dir);  // released at the end; otherwise many small files would stay mapped
  const std::size_t known = damaged->size();
  for (const SegmentUse& use : chosen) {
    if (!intact(maps, set, use.segment)) damaged->insert(use.segment.id);
  }
  if (damaged->size() == known) join(database, dir, maps, set, chosen);
  return true;
}

}  // namespace

std::vector<SegmentUse> segments_to_join(std::vector<SegmentUse> segments) {
  const auto by_rows = [](const SegmentUse& a, const SegmentUse& b) {
    return a.live_rows < b.live_rows;
  };
  const auto bytes = [](const SegmentUse& use) { return use.live_rows * use.row_bytes; };
  std::vector<SegmentUse> chosen;
  std::size_t rows = 0, sum = 0;
  // Segments that are mostly dead come first, even if there are few segments: they waste the disk.
  std::stable_sort(segments.begin(), segments.end(), by_rows);
  for (const SegmentUse& use : segments) {
    if (use.live_rows * 2 >= use.segment.rows) continue;
    if (!chosen.empty() && sum + bytes(use) > kLargestJoinBytes) break;
    sum += bytes(use);
    chosen.push_back(use);
  }
  if (!chosen.empty()) return chosen;
  std::erase_if(segments, [&](const SegmentUse& use) { return bytes(use) >= kLargestJoinBytes; });
  if (segments.size() <= kMostSegments) return {};
  // Takes the smallest ones, as long as the next is not larger than all taken so far together. So a
  // row is copied about log2(n) times in its life and not at every join.
  for (const SegmentUse& use : segments) {
    const bool enough = use.live_rows > rows || sum + bytes(use) > 2 * kLargestJoinBytes;
    if (chosen.size() >= 2 && enough) break;
    rows += use.live_rows;
    sum += bytes(use);
    chosen.push_back(use);
  }
  return chosen;
}

void join_vector_segments(Database& database, const std::string& dir) {
  {
    Transaction transaction(database);
    database.execute("DELETE FROM segments WHERE id NOT IN (SELECT segment FROM vectors)");
    transaction.commit();
  }
  for (const SetRow& set : read_sets(database)) {
    std::set<std::int64_t> damaged;
    while (join_once(database, dir, set, &damaged)) {
    }
  }
}

}  // namespace fineprint::store
