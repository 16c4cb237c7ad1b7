// Moves a file into the store's folder of documents and indexes it.
#include "server/uploads.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/documents/file_state.h"
#include "fineprint/store/store.h"

#include "server/refusal.h"

namespace fineprint::server {
namespace {

namespace fs = std::filesystem;

// Removes a file when the object ends, unless it was moved.
class Removed {
 public:
  explicit Removed(std::string file) : file_(std::move(file)) {}
  ~Removed() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  Removed(const Removed&) = delete;
  Removed& operator=(const Removed&) = delete;

 private:
  const std::string file_;
};

store::FileStamp stamp_of(const std::string& file) {
  const documents::FileState state = documents::state_of(file);
  return {.size = state.size, .mtime_ns = state.modified_ns};
}

}  // namespace

// Puts a file in the place of an earlier one. The earlier one comes back unless keep() is called.
class Uploads::Replacing {
 public:
  Replacing(const std::string& file, std::string place)
      : place_(std::move(place)), earlier_(place_ + ".earlier") {
    if (fs::exists(place_)) fs::rename(place_, earlier_);
    fs::rename(file, place_);
  }
  ~Replacing() {
    std::error_code ignored;
    if (kept_) {
      fs::remove(earlier_, ignored);
    } else if (fs::exists(earlier_, ignored)) {
      fs::rename(earlier_, place_, ignored);
    } else {
      fs::remove(place_, ignored);
    }
  }
  Replacing(const Replacing&) = delete;
  Replacing& operator=(const Replacing&) = delete;
  void keep() { kept_ = true; }

 private:
  const std::string place_, earlier_;
  bool kept_ = false;
};

namespace {

// A store in use is a conflict that passes, so the refusal says when to try again.
std::unique_ptr<store::Store> open_for_writing(const std::string& dir) {
  try {
    return std::make_unique<store::Store>(dir, store::Mode::write);
  } catch (const store::InUse&) {
    throw Refusal(409, "another process is writing to the store; try again later", 30,
                  ErrorCode::store);
  }
}

// Returns the message without the folder, because clients must not learn about the machine's
// folders.
std::string without_folder(std::string message, const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (std::size_t at = 0; (at = message.find(folder, at)) != std::string::npos;) {
    message.erase(at, folder.size());
  }
  return message;
}

// Returns the problems with pages of the file. Throws if nothing of it could be read.
std::vector<std::string> problems_of(const ingest::IngestReport& report, const std::string& path) {
  std::vector<std::string> problems;
  for (const ingest::FailedFile& failure : report.failures) {
    if (failure.path != path) continue;
    const std::string message = without_folder(failure.message, path);
    if (!failure.kept) throw Error(failure.code, message);
    problems.push_back(message);
  }
  return problems;
}

}  // namespace

Uploads::Uploads(std::string store, ingest::IngestOptions options)
    : store_(std::move(store)),
      folder_((fs::absolute(store_) / "uploads").lexically_normal().string()),
      options_(std::move(options)) {}

// A document that was indexed from a folder is never replaced by an upload, because its file
// belongs to somebody else.
void Uploads::require_free(const store::Store& store, const std::string& name, bool replace) const {
  const std::optional<store::DocumentRow> row = store.find(name);
  if (!row) return;
  const bool is_ours = fs::path(row->path).parent_path() == folder_;
  if (is_ours && replace) return;
  throw Refusal(409, is_ours ? format("the store already has a document {}; send replace=true to "
                                      "replace it",
                                      name)
                             : format("the store already has a document {} that was indexed from a "
                                      "folder; give this one another name",
                                      name));
}

// An interrupted run may have stored the document already. In that case its file is kept.
ingest::IngestReport Uploads::read(const std::string& place, store::Store& store,
                                   Replacing* replacing) const {
  ingest::IngestOptions options = options_;
  options.retry_failed = true;
  try {
    return ingest::ingest({place}, options, store);
  } catch (...) {
    const std::optional<store::DocumentRow> row = store.find(fs::path(place).filename().string());
    if (row && row->stamp == stamp_of(place)) replacing->keep();
    throw;
  }
}

Added Uploads::add(const std::string& file, const std::string& name, bool replace) {
  // Declared first, so that the file is removed last, whatever fails below.
  const Removed removed(file);
  const std::lock_guard guard(adding_);
  const std::unique_ptr<store::Store> store = open_for_writing(store_);
  require_free(*store, name, replace);
  make_folders(folder_);
  const std::string place = folder_ + "/" + name;
  Replacing replacing(file, place);
  const ingest::IngestReport report = read(place, *store, &replacing);
  Added added{.doc = name, .problems = problems_of(report, place)};
  replacing.keep();
  if (const std::optional<store::DocumentRow> row = store->find(name)) {
    added.pages = row->page_count;
    added.ocr_pages = row->ocr_pages;
  }
  return added;
}

}  // namespace fineprint::server
