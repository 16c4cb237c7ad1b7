// Brings folders up to date before and after a question.
#include "fineprint/library/asked_folder.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"
#include "fineprint/ingest/soon.h"
#include "fineprint/library/joined_stores.h"
#include "fineprint/store/removal.h"
#include "fineprint/store/store.h"

namespace fineprint::library {
namespace {

// The work that is done before an answer in any case: about ten seconds of OCR, a second of
// embedding.
constexpr std::int64_t kFewPages = 24;
// The same if the question can be asked again: so little OCR that leaving it is not worth a note.
constexpr std::int64_t kHardlyAnyPages = 4;
constexpr std::int64_t kFewChunks = 256;
// The least confidence of an answer with which OCR is left for later. On hard questions about
// reports, where one answer in eight is right, a third of all answers have it.
constexpr double kSupported = 0.25;

// Returns the paths that exist. Returns all of them if none exists, or if one looks more like a
// word of a question without quotes; the caller then reports it as missing.
std::vector<std::string> paths_there(const std::vector<std::string>& paths) {
  std::vector<std::string> there;
  std::error_code unknown;
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path, unknown)) {
      there.push_back(path);
    } else if (path.find_first_of("/.") == std::string::npos) {
      return paths;
    }
  }
  return there.empty() ? paths : there;
}

// Reports missing paths without stopping, because the others can still be searched.
bool report_missing_paths(const std::vector<std::string>& paths) {
  const std::vector<std::string> there = paths_there(paths);
  for (const std::string& path : paths) {
    if (std::ranges::find(there, path) == there.end()) {
      log::error("{}: No such file or directory", path);
    }
  }
  return there.size() < paths.size();
}

AskedPlace place_of(const AskedOptions& options, const std::vector<std::string>& paths) {
  const std::optional<std::string>& store = options.store;
  if (!store) return asked_place(paths, options.alone);
  require_paths(paths);
  if (store_dirs(*store).size() > 1) {
    throw Error(ErrorCode::usage,
                "files and folders are indexed into one store: give one --store, or leave out the "
                "paths to search several stores");
  }
  return {.dir = *store, .roots = paths, .within = {}};
}

// Nobody named this store, so nobody loses it: it is rebuilt if this version cannot read it.
void remove_outdated(const std::string& dir) {
  if (!std::filesystem::exists(dir + "/catalog.sqlite")) return;
  try {
    const store::Store store(dir, store::Mode::read);
  } catch (const store::OtherFormat&) {
    log::note("the index is of another version of fineprint; building it again");
    store::remove_store(dir);
  } catch (const Error&) {  // reported by the code that opens it next
  }
}

}  // namespace

AskedFolder::AskedFolder(AskedOptions options, const std::vector<std::string>& paths)
    : options_(std::move(options)), place_(place_of(options_, paths_there(paths))) {
  has_failures_ = report_missing_paths(paths);
  if (options_.store) return;
  kept_.emplace(place_.dir);
  place_.dir = kept_->dir();
  remove_outdated(place_.dir);
}

// Pruning is on because the folder itself says which documents exist: nobody runs `index --prune`
// on a store that they did not name.
ingest::IngestOptions AskedFolder::ingest_options() const {
  ingest::IngestOptions options = options_.ingest(place_.dir);
  options.prune = true;
  options.within = place_.within;
  return options;
}

// Failures that an earlier run of the same call reported are not reported again.
ingest::IngestReport AskedFolder::run(const ingest::IngestOptions& options, store::Store& store) {
  ingest::IngestReport report = ingest::ingest(place_.roots, options, store);
  std::erase_if(report.failures, [&](const ingest::FailedFile& failure) {
    return !reported_.insert(failure.message).second;
  });
  if (options_.report) options_.report(report);
  has_failures_ = has_failures_ || ingest::has_new_failures(report);
  return report;
}

void AskedFolder::read_for(const std::string& question) {
  const std::unique_ptr<store::Store> store = open_unless_in_use(place_.dir);
  // Another process writes to the store. The answer then uses what it has so far.
  if (store == nullptr) return;
  if (kept_) note_use(place_);
  const bool left_before = ingest::rest_of(*store).any() && !options_.somebody_waits;
  unfinished_ = !question.empty() && !left_before && !read_soon(question, *store);
  if (!unfinished_) run(ingest_options(), *store);
}

// Returns whether the rest is to be done before the answer.
bool AskedFolder::read_soon(const std::string& question, store::Store& store) {
  ingest::IngestOptions options = ingest_options();
  // The first pass reads only text layers, which is fast. OCR is limited to the few documents that
  // the question most likely asks about.
  options.defer_ocr = options.texts_only = true;
  const ingest::IngestReport report = run(options, store);
  const std::int64_t waiting = ingest::rest_of(store).pages;
  const std::int64_t few = options_.asks_again ? kHardlyAnyPages : kFewPages;
  const bool little = waiting <= few && report.lacking_chunks <= kFewChunks;
  // A question makes only vectors of texts itself; other vectors must be made before it.
  if (little || report.lacking_others > 0) return true;
  ingest::LikelyDocuments likely =
      ingest::likely_documents(store, question, place_.within, kFewPages);
  if (options_.asks_again && !likely.are_meant && waiting > kHardlyAnyPages) {
    left_ = std::move(likely.paths);
  } else {
    read_pages_of(likely.paths, store);
  }
  return false;
}

// Reads by OCR the waiting pages of documents.
void AskedFolder::read_pages_of(const std::vector<std::string>& documents, store::Store& store) {
  if (documents.empty()) return;
  ingest::IngestOptions options = ingest_options();
  options.texts_only = true;
  options.prune = false;
  options.within = documents;
  run(options, store);
}

bool AskedFolder::read_more(const session::Session& session, const Answer& answer) {
  const bool is_weak = !answer.answerable || answer.confidence < kSupported;
  const std::vector<std::string> documents = std::exchange(left_, {});
  if (documents.empty() || !is_weak) return false;
  log::note(
      "the text layers give no answer that is likely right; now reading by OCR the scanned "
      "pages that fit the question best");
  try {
    store::Store store(place_.dir, store::Mode::write);
    ingest::keep_made_vectors(session, store);
    read_pages_of(documents, store);
    return true;
  } catch (const store::InUse&) {  // the process that writes to it reads these pages
    return false;
  } catch (const Error& error) {  // after Ctrl-C, the doubtful answer is better than none
    if (error.code() != ErrorCode::interrupted) throw;
    return false;
  }
}

void AskedFolder::limit(const session::Corpus& corpus, Question* question) const {
  if (place_.within.empty()) return;
  question->docs = place_.within;
  // Without a filter, the paths themselves select the documents. With one, both must hold, so the
  // documents are listed one by one.
  if (options_.filter.is_empty()) return;
  question->docs.clear();
  for (const DocumentId document : corpus.pool({})) {
    const store::DocumentRow& row = corpus.documents()[document.value].row;
    const bool asked = std::ranges::any_of(place_.within, [&](const std::string& place) {
      return session::names_document(place, row.doc, row.path);
    });
    if (asked) question->docs.push_back(row.path);
  }
  if (question->docs.empty()) {
    throw Error(ErrorCode::input,
                "--doc, --since and --kind exclude all documents at the given paths");
  }
}

void AskedFolder::go_on(const session::Session& session) {
  if (!unfinished_ || (kept_ && kept_->is_temporary())) return;
  try {
    store::Store store(place_.dir, store::Mode::write);
    ingest::keep_made_vectors(session, store);
    if (!options_.somebody_waits) {
      const ingest::Rest left = ingest::rest_of(store);
      log::note("the next call continues the index: {} pages wait for OCR, {} chunks for vectors",
                left.pages, left.chunks);
      return;
    }
    log::note("the answer is complete; now indexing the rest (Ctrl-C leaves it to the next call)");
    ingest::IngestOptions options = ingest_options();
    options.within = {};
    run(options, store);
  } catch (const store::InUse&) {  // the process that writes to it does the rest
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
  }
}

}  // namespace fineprint::library
