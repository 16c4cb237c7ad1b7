// Opens a store and reads from it.
#include "fineprint/store/store.h"

#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

#include "store/catalog.h"
#include "store/schema.h"
#include "store/state.h"

namespace fineprint::store {

namespace {

using Guard = std::lock_guard<std::mutex>;

// Without this check, SQLite would only report that it cannot open a file.
void require_catalog(const std::string& dir, const std::string& path) {
  std::error_code reason;
  if (std::filesystem::exists(path, reason)) return;
  if (reason) {
    throw Error(ErrorCode::store,
                fineprint::format("cannot look into {}: {}", dir, reason.message()));
  }
  throw Error(ErrorCode::store,
              fineprint::format("{} holds no store; make one with: fineprint index FOLDER --store "
                                "{}",
                                dir, dir));
}

void make_folder(const std::string& dir) {
  try {
    make_folders(dir);
  } catch (const Error& error) {
    throw Error(ErrorCode::store,
                fineprint::format("cannot create the folder {}: {}", dir, error.what()));
  }
}

// Maps every file that can be mapped. Returns false if one is missing or damaged.
bool all_mapped(Database& database, SegmentMaps& maps, PostingsFiles& postings) {
  bool all = true;
  const auto map = [&all](const auto& open) {
    try {
      open();
    } catch (const Error&) {
      all = false;
    }
  };
  for (const SetRow& set : read_sets(database)) {
    for (const SegmentRow& segment : read_segments(database, set.id)) {
      map([&] { maps.view(segment, set.set); });
    }
  }
  for (const PostingsRow& row : read_postings_rows(database, 0)) map([&] { postings.image(row); });
  return all;
}

// A reader sees one state of the store for its whole life, so that ids which it has read stay valid
// while a writer goes on. The files of that state are mapped at once. If a writer joined them in
// between, a newer state is taken. If a file is really missing, the error is reported when its
// content is needed.
void take_snapshot(Database& database, SegmentMaps& maps, PostingsFiles& postings) {
  constexpr int kAttempts = 4;
  for (int attempt = 1;; ++attempt) {
    database.execute("BEGIN");
    if (all_mapped(database, maps, postings) || attempt == kAttempts) return;
    database.execute("COMMIT");
  }
}

// Files that vanish while the folder is listed are skipped, since a writer may be compacting.
std::int64_t folder_bytes(const std::string& dir) {
  std::int64_t bytes = 0;
  std::error_code ignored;
  for (std::filesystem::recursive_directory_iterator at(dir, ignored), end; at != end;
       at.increment(ignored)) {
    const auto size = at->is_regular_file(ignored) ? at->file_size(ignored) : 0;
    if (!ignored) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

}  // namespace

Store::State::State(const std::string& folder, Mode open_mode)
    : dir(folder), mode(open_mode), maps(folder), postings(folder) {
  const std::string path = dir + "/catalog.sqlite";
  if (mode == Mode::write) {
    // The lock comes before the catalogue. SQLite's own lock lets two writers take turns, and then
    // each would delete files that the other is about to name.
    make_folder(dir);
    lock.emplace(dir);
    database = open_for_writing(path);
  } else {
    require_catalog(dir, path);
    database = open_for_reading(path);
    take_snapshot(*database, maps, postings);
  }
}

void Store::State::require_writer() const {
  if (mode == Mode::write) return;
  throw Error(ErrorCode::internal, fineprint::format("the store {} is open only for reading", dir));
}

Store::Store(const std::string& dir, Mode mode) : state_(std::make_unique<State>(dir, mode)) {}

Store::~Store() = default;

const std::string& Store::dir() const { return state_->dir; }

std::string Store::id() const {
  const Guard guard(state_->mutex);
  Query row = state_->database->query("SELECT value FROM meta WHERE key = 'id'");
  return row.step() ? row.text(0) : std::string();
}

Totals Store::totals() const {
  Totals out;
  const Guard guard(state_->mutex);
  Query row = state_->database->query(
      "SELECT COUNT(*), TOTAL(page_count), TOTAL(chunk_count) FROM documents");
  row.step();
  out.documents = row.integer(0);
  out.pages = row.integer(1);
  out.chunks = row.integer(2);
  out.bytes = folder_bytes(state_->dir);
  return out;
}

std::vector<DocumentRow> Store::documents() const {
  const Guard guard(state_->mutex);
  return read_documents(*state_->database);
}

std::optional<DocumentRow> Store::find(const std::string& doc) const {
  const Guard guard(state_->mutex);
  return read_document(*state_->database, doc);
}

Page Store::page(std::int64_t document, int number) const {
  // Unpacks the page after the lock is released: decoding takes longer than reading the row.
  PackedPage packed;
  {
    const Guard guard(state_->mutex);
    packed = read_page(*state_->database, document, number);
  }
  return unpack(std::move(packed));
}

std::vector<std::string> Store::page_labels(std::int64_t document) const {
  const Guard guard(state_->mutex);
  return read_page_labels(*state_->database, document);
}

StoredChunk Store::chunk(std::int64_t document, std::uint32_t ordinal) const {
  const Guard guard(state_->mutex);
  auto found = read_chunks(*state_->database, document, ordinal);
  if (!found.empty()) return std::move(found.front());
  throw Error(ErrorCode::store,
              fineprint::format(
                  "{}: chunk {} of document {} is not in the store; run `fineprint index --repair`",
                  state_->database->path(), ordinal, document));
}

std::vector<StoredChunk> Store::chunks(std::int64_t document) const {
  const Guard guard(state_->mutex);
  return read_chunks(*state_->database, document, std::nullopt);
}

std::vector<OutlineEntry> Store::outline(std::int64_t document) const {
  const Guard guard(state_->mutex);
  return read_outline(*state_->database, document);
}

}  // namespace fineprint::store
