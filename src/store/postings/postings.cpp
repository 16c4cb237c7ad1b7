// Writes and reads the rows of the keyword index.
#include "store/postings/postings.h"

#include <algorithm>
#include <numeric>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/postings/merge.h"
#include "store/row_sums.h"
#include "store/state.h"

namespace fineprint::store {

namespace {

// Returns 0 if there is no such field.
std::int64_t field_id(Database& database, const std::string& field) {
  Query row = database.query("SELECT id FROM fields WHERE name = ?");
  row.bind(std::string_view(field));
  return row.step() ? row.integer(0) : 0;
}

std::int64_t field_id_or_new(Database& database, const std::string& field) {
  if (const std::int64_t id = field_id(database, field); id != 0) return id;
  database.query("INSERT INTO fields(name) VALUES(?)").bind(std::string_view(field)).run();
  const std::int64_t id = database.last_id();
  sum_rows(database, "fields", "id = ?1", id);
  return id;
}

// Returns the waiting images, of one document each.
std::vector<std::unique_ptr<PostingsImage>> pending_images(Database& database, std::int64_t field) {
  std::vector<std::unique_ptr<PostingsImage>> out;
  Query rows = database.query(
      "SELECT p.image, d.doc FROM pending_postings p JOIN documents d ON d.id = p.document "
      "WHERE p.field = ? ORDER BY p.document");
  rows.bind(field);
  while (rows.step()) {
    const auto blob = rows.blob(0);
    try {
      out.push_back(std::make_unique<PostingsImage>(
          std::string(reinterpret_cast<const char*>(blob.data()), blob.size())));
    } catch (const BlobDamage& damage) {
      throw Error(ErrorCode::store,
                  fineprint::format(
                      "{}: the keyword index of {} is damaged: {}; run `fineprint index --repair`",
                      database.path(), rows.text(1), damage.what()));
    }
  }
  return out;
}

// Returns all waiting images as one, or nullptr if nothing waits.
std::shared_ptr<const PostingsImage> join_pending(Database& database, std::int64_t field) {
  const auto images = pending_images(database, field);
  if (images.empty()) return nullptr;
  std::vector<MergeInput> inputs;
  for (const auto& image : images) {
    inputs.push_back({image.get(), std::vector<bool>(image->documents().size(), true)});
  }
  try {
    return std::make_shared<const PostingsImage>(merge_images(inputs));
  } catch (const BlobDamage& damage) {
    throw Error(
        ErrorCode::store,
        fineprint::format("{}: the keyword index is damaged: {}; run `fineprint index --repair`",
                          database.path(), damage.what()));
  }
}

// An image together with the catalogue's knowledge of its documents.
class Segment : public PostingsSegment {
 public:
  Segment(std::shared_ptr<const PostingsImage> image, std::string name)
      : image_(std::move(image)), name_(std::move(name)) {
    for (const auto& [id, first, units] : image_->documents()) {
      documents_.push_back({.document = id, .first_unit = first, .units = units, .live = true});
    }
  }

  // The image may hold documents that were replaced since: only those in `live` count.
  void keep_live_only(const std::set<std::int64_t>& live) {
    for (SegmentDocument& document : documents_) document.live = live.contains(document.document);
  }

  std::span<const SegmentDocument> documents() const override { return documents_; }
  std::span<const std::uint32_t> lengths() const override { return image_->lengths(); }

  std::vector<std::string> terms() const override {
    std::vector<std::string> terms;
    for (std::size_t i = 0; i < image_->term_count(); ++i) terms.emplace_back(image_->term(i));
    return terms;
  }

  void append(std::string_view term, std::vector<score::Posting>* out) const override {
    with_list(term, [&](std::size_t index) { image_->append(index, out); });
  }

  std::size_t count(std::string_view term) const override {
    std::size_t count = 0;
    with_list(term, [&](std::size_t index) { count = image_->list_size(index); });
    return count;
  }

 private:
  // Calls `use` with the index of a term, unless the segment does not contain it.
  template <class Use>
  void with_list(std::string_view term, const Use& use) const {
    try {
      const std::size_t index = image_->find(term);
      if (index < image_->term_count()) use(index);
    } catch (const BlobDamage& damage) {
      throw Error(ErrorCode::store,
                  fineprint::format("{} is damaged: {}; run `fineprint index --repair`", name_,
                                    damage.what()));
    }
  }

  std::shared_ptr<const PostingsImage> image_;
  std::string name_;
  std::vector<SegmentDocument> documents_;
};

}  // namespace

// Sorts the terms by their bytes, as find() expects them.
std::string image_of(std::int64_t document, const FieldIndex& index) {
  std::vector<std::size_t> order(index.terms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return index.terms[a] < index.terms[b]; });
  PostingsImageWriter writer;
  writer.add_document(document, index.lengths);
  for (const std::size_t i : order) writer.add_term(index.terms[i], index.postings[i]);
  return writer.finish();
}

// Runs in the transaction of the document, so that a search finds the document by its words as soon
// as it exists. The image goes into a row, because one file for each document would mean thousands
// of files.
void insert_field(Database& database, std::int64_t document, const FieldIndex& index) {
  const std::string image = image_of(document, index);
  database.query("INSERT INTO pending_postings(document, field, image) VALUES(?,?,?)")
      .bind(document)
      .bind(field_id_or_new(database, index.field))
      .bind_blob(image)
      .run();
}

// Segments never change. A document without rows here has dead postings, and the next segment that
// is made from these segments leaves them out.
void remove_fields(Database& database, std::int64_t document) {
  database.query("DELETE FROM pending_postings WHERE document = ?").bind(document).run();
  database.query("DELETE FROM postings_documents WHERE document = ?").bind(document).run();
}

std::vector<PostingsRow> read_postings_rows(Database& database, std::int64_t field) {
  std::vector<PostingsRow> out;
  Query rows = database.query(
      "SELECT s.id, s.field, s.file, s.checksum, s.bytes, s.units, "
      "(SELECT TOTAL(d.units) FROM postings_documents d WHERE d.segment = s.id) "
      "FROM postings_segments s WHERE ?1 = 0 OR s.field = ?1 ORDER BY s.id");
  rows.bind(field);
  while (rows.step()) {
    out.push_back({.id = rows.integer(0),
                   .field = rows.integer(1),
                   .file = rows.text(2),
                   .checksum = static_cast<std::uint64_t>(rows.integer(3)),
                   .bytes = rows.integer(4),
                   .units = rows.integer(5),
                   .live_units = rows.integer(6)});
  }
  return out;
}

std::set<std::int64_t> live_documents(Database& database, std::int64_t segment) {
  std::set<std::int64_t> out;
  Query rows = database.query("SELECT document FROM postings_documents WHERE segment = ?");
  rows.bind(segment);
  while (rows.step()) out.insert(out.end(), rows.integer(0));
  return out;
}

std::shared_ptr<const PostingsImage> PostingsFiles::image(const PostingsRow& row) {
  auto& image = images_[row.id];
  if (image) return image;
  const std::string path = dir_ + "/" + row.file;
  std::string reason;
  try {
    auto opened = std::make_shared<const PostingsImage>(MappedFile(path));
    if (opened->checksum() == row.checksum) return image = opened;
    reason = "it is not the file that the catalogue names";
  } catch (const BlobDamage& damage) {
    reason = damage.what();
  } catch (const Error& error) {
    reason = error.what();
  }
  throw Error(ErrorCode::store, fineprint::format("{} cannot be used: {}", path, reason));
}

void PostingsFiles::keep_only(const std::vector<PostingsRow>& rows) {
  std::erase_if(images_, [&](const auto& entry) {
    return std::ranges::none_of(rows, [&](const auto& row) { return row.id == entry.first; });
  });
}

std::vector<std::shared_ptr<const PostingsSegment>> read_postings(Database& database,
                                                                  PostingsFiles& files,
                                                                  const std::string& field) {
  std::vector<std::shared_ptr<const PostingsSegment>> out;
  const std::int64_t id = field_id(database, field);
  if (id == 0) return out;
  for (const PostingsRow& row : read_postings_rows(database, id)) {
    auto segment = std::make_shared<Segment>(files.image(row), files.dir() + "/" + row.file);
    segment->keep_live_only(live_documents(database, row.id));
    out.push_back(std::move(segment));
  }
  // Waiting postings become one segment in memory, because readers know only segments. So a run
  // that was killed before it folded them loses nothing.
  if (auto pending = join_pending(database, id)) {
    out.push_back(std::make_shared<Segment>(std::move(pending), database.path()));
  }
  return out;
}

std::vector<std::shared_ptr<const PostingsSegment>> Store::postings(
    const std::string& field) const {
  const std::lock_guard guard(state_->mutex);
  return read_postings(*state_->database, state_->postings, field);
}

}  // namespace fineprint::store
