// Folds waiting postings and small segments into new segment files.
#include <algorithm>
#include <filesystem>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "store/named_files.h"
#include "store/postings/merge.h"
#include "store/postings/postings.h"
#include "store/vectors/segments.h"

namespace fineprint::store {

namespace {

// Limits that bound the memory of one fold. Postings that are left wait for the next round.
constexpr std::int64_t kMostPendingBytes = std::int64_t{256} << 20;  // folded at a time
constexpr std::int64_t kLargestFoldBytes = std::int64_t{256}
                                           << 20;  // takes about four times in RAM

struct Field {
  std::int64_t id = 0;
  std::string name;
};

// An image that goes into a new file, and the row that the new file replaces.
struct Source {
  std::shared_ptr<const PostingsImage> image;
  std::vector<bool> live;
  std::int64_t pending = 0;  // a document's id, or 0
  std::int64_t segment = 0;  // a segment's id, or 0
  std::string name;
};

std::vector<Field> read_fields(Database& database) {
  std::vector<Field> out;
  Query rows = database.query("SELECT id, name FROM fields");
  while (rows.step()) out.push_back({rows.integer(0), rows.text(1)});
  return out;
}

void warn_left_out(const std::string& name, const std::string& reason) {
  log::warn("{} is left as it is: {}", name, reason);
}

// Stops once enough bytes are collected. The rest is folded in the next round.
std::vector<Source> pending_sources(Database& database, std::int64_t field, std::int64_t* bytes) {
  std::vector<Source> out;
  Query rows = database.query(
      "SELECT p.document, p.image, d.doc FROM pending_postings p JOIN documents d "
      "ON d.id = p.document WHERE p.field = ? ORDER BY p.document");
  rows.bind(field);
  while (*bytes < kMostPendingBytes && rows.step()) {
    const auto blob = rows.blob(1);
    const std::string name = "the keyword index of " + rows.text(2);
    try {
      auto image = std::make_shared<PostingsImage>(
          std::string(reinterpret_cast<const char*>(blob.data()), blob.size()));
      out.push_back({.image = image,
                     .live = std::vector<bool>(image->documents().size(), true),
                     .pending = rows.integer(0),
                     .segment = 0,
                     .name = name});
      *bytes += static_cast<std::int64_t>(blob.size());
    } catch (const BlobDamage& damage) {
      warn_left_out(name, damage.what());
    }
  }
  return out;
}

// A segment that cannot be opened is left out and stays as it is, so that verify() reports it.
void add_segments(Database& database, PostingsFiles& files, const std::vector<PostingsRow>& rows,
                  std::vector<Source>* out) {
  for (const PostingsRow& row : rows) {
    try {
      Source source{.image = files.image(row),
                    .live = {},
                    .pending = 0,
                    .segment = row.id,
                    .name = files.dir() + "/" + row.file};
      const auto live = live_documents(database, row.id);
      for (const auto& document : source.image->documents()) {
        source.live.push_back(live.contains(document.id));
      }
      out->push_back(std::move(source));
    } catch (const Error& error) {
      warn_left_out(row.file, error.what());
    }
  }
}

// Throws BlobDamage if a source is damaged.
std::string merge(const std::vector<Source>& sources) {
  std::vector<MergeInput> inputs;
  for (const Source& source : sources) inputs.push_back({source.image.get(), source.live});
  return merge_images(inputs);
}

void drop_damaged(std::vector<Source>* sources) {
  std::erase_if(*sources, [](const Source& source) {
    try {
      source.image->check();
      return false;
    } catch (const BlobDamage& damage) {
      warn_left_out(source.name, damage.what());
      return true;
    }
  });
}

// Merges without checking first, because a check would read every image twice. Damage is rare and
// makes the merge throw. Only then is every image checked.
std::string merge_sound(std::vector<Source>* sources) {
  try {
    return merge(*sources);
  } catch (const BlobDamage&) {
    drop_damaged(sources);
    return merge(*sources);
  }
}

// Writes and syncs a new file that nothing names yet. Its id is one that no segment ever had, so no
// reader can have a file of that name mapped.
PostingsRow write_file(Database& database, const std::string& dir, const Field& field,
                       const PostingsImage& image) {
  PostingsRow row;
  // The sequence never falls, unlike MAX(id): see AUTOINCREMENT in schema.cpp.
  row.id = database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'postings_segments'") + 1;
  row.field = field.id;
  row.file = fineprint::format("postings/{}/{:08}.postings", field.name, row.id);
  row.checksum = image.checksum();
  row.bytes = static_cast<std::int64_t>(image.bytes().size());
  row.units = static_cast<std::int64_t>(image.lengths().size());
  try {
    make_folders(dir + "/postings/" + field.name);
    write_file_atomic(dir + "/" + row.file, image.bytes());
  } catch (const std::exception& error) {
    throw Error(ErrorCode::store,
                fineprint::format("{}/{} cannot be written: {}", dir, row.file, error.what()));
  }
  return row;
}

// The checksum is computed in the same statement, so no row is ever without one.
void insert_segment_row(Database& database, const PostingsRow& row) {
  database
      .query(
          "INSERT INTO postings_segments(id, field, file, checksum, bytes, units, sum) "
          "VALUES(?1,?2,?3,?4,?5,?6, row_sum(?1,?2,?3,?4,?5,?6))")
      .bind(row.id)
      .bind(row.field)
      .bind(std::string_view(row.file))
      .bind(static_cast<std::int64_t>(row.checksum))
      .bind(row.bytes)
      .bind(row.units)
      .run();
}

// One transaction names the new segment and forgets the waiting rows and segments that went into
// it, so that at every moment each document is in exactly one place.
void name_segment(Database& database, const PostingsRow& row, const PostingsImage& image,
                  const std::vector<Source>& sources) {
  Transaction transaction(database);
  insert_segment_row(database, row);
  Query insert = database.query(
      "INSERT OR REPLACE INTO postings_documents(document, field, segment, units, sum) "
      "VALUES(?1,?2,?3,?4, row_sum(?1,?2,?3,?4))");
  for (const ImageDocument& document : image.documents()) {
    insert.bind(document.id).bind(row.field).bind(row.id).bind(std::int64_t{document.units}).run();
  }
  for (const Source& source : sources) {
    database.query("DELETE FROM pending_postings WHERE document = ? AND field = ?")
        .bind(source.pending)
        .bind(row.field)
        .run();
    database.query("DELETE FROM postings_segments WHERE id = ?").bind(source.segment).run();
  }
  transaction.commit();
}

// Returns true if there may be more to fold.
bool fold_some(Database& database, PostingsFiles& files, const Field& field) {
  std::int64_t bytes = 0;
  std::vector<Source> sources = pending_sources(database, field.id, &bytes);
  add_segments(database, files, postings_to_join(read_postings_rows(database, field.id), bytes),
               &sources);
  if (sources.empty()) return false;
  std::string merged = merge_sound(&sources);
  if (sources.empty()) return false;
  const PostingsImage image(std::move(merged));
  const PostingsRow row = write_file(database, files.dir(), field, image);
  FileUntilCommit file(files.dir() + "/" + row.file);
  name_segment(database, row, image, sources);
  file.keep();
  if (bytes >= kMostPendingBytes) return true;
  // A fold takes a bounded number of segments, so more may be left. Asks only if a segment was
  // joined, because damaged segments, which are left out, would be chosen again and again.
  const bool joined =
      std::ranges::any_of(sources, [](const auto& one) { return one.segment != 0; });
  return joined && !postings_to_join(read_postings_rows(database, field.id), 0).empty();
}

// A segment none of whose documents is live needs no fold: its row goes, and its file with the
// others.
void drop_dead_segments(Database& database) {
  Transaction transaction(database);
  database.execute(
      "DELETE FROM postings_segments WHERE id NOT IN (SELECT segment FROM postings_documents)");
  transaction.commit();
}

}  // namespace

std::vector<PostingsRow> postings_to_join(std::vector<PostingsRow> segments,
                                          std::int64_t pending_bytes) {
  std::vector<PostingsRow> out;
  std::int64_t bytes = pending_bytes;
  const auto wasteful = [](const PostingsRow& row) { return row.live_units * 2 < row.units; };
  for (const PostingsRow& row : segments) {
    if (!wasteful(row)) continue;
    const std::int64_t live = row.bytes / row.units * row.live_units;
    if (!out.empty() && bytes + live > kLargestFoldBytes) break;
    bytes += live;
    out.push_back(row);
  }
  std::erase_if(segments, wasteful);
  std::ranges::stable_sort(segments, {}, &PostingsRow::bytes);
  for (const PostingsRow& row : segments) {
    if (row.bytes > bytes || bytes + row.bytes > kLargestFoldBytes) break;
    bytes += row.bytes;
    out.push_back(row);
  }
  return out;
}

void fold_postings(Database& database, PostingsFiles& files) {
  drop_dead_segments(database);
  for (const Field& field : read_fields(database)) {
    while (fold_some(database, files, field)) {
    }
  }
  const auto rows = read_postings_rows(database, 0);
  // Deleting is safe: readers have mapped the files of their state already, or open a newer state.
  files.keep_only(rows);
  std::set<std::string> named;
  for (const PostingsRow& row : rows) named.insert(row.file);
  for (const std::string& path : unnamed_files(files.dir(), "postings", named)) delete_file(path);
}

}  // namespace fineprint::store
