// Brings folders up to date around a question.
#include "cli/asked_folder.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/ingest/soon.h"
#include "fineprint/store/removal.h"
#include "fineprint/store/store.h"

#include "cli/joined_stores.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// What may be done before an answer all the same: some ten seconds of OCR, a second of embedding.
constexpr std::int64_t kFewPages = 24;
constexpr std::int64_t kFewChunks = 256;

bool somebody_waits() { return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1; }

ingest::IngestOptions options_of(const Settings& settings, const AskedPlace& place) {
  ingest::IngestOptions options = ingest_options(settings, place.dir);
  options.prune = true;
  options.within = place.within;
  return options;
}

// The paths that exist; all of them when none does, or when one is rather a word of a question
// without quotes, to be refused by name.
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

// One that is missing must not stop the others.
bool tells_missing_paths(const std::vector<std::string>& paths) {
  const std::vector<std::string> there = paths_there(paths);
  for (const std::string& path : paths) {
    if (std::ranges::find(there, path) == there.end()) {
      log::error("{}: No such file or directory", path);
    }
  }
  return there.size() < paths.size();
}

AskedPlace place_of(const Settings& settings, const std::vector<std::string>& paths) {
  // A store that is configured for other commands is not what these paths are to be kept in.
  if (settings.origin("store") == settings::kFlagsOrigin) {
    require_paths(paths);
    if (store_dirs(store_dir(settings)).size() > 1) {
      throw Error(ErrorCode::usage,
                  "files and folders are indexed into one --store: leave the others out, or the "
                  "paths");
    }
    return {.dir = store_dir(settings), .roots = paths, .within = {}};
  }
  return asked_place(paths);
}

// A store that nobody named is nobody's loss: it is made anew where this program can't read it.
void remove_outdated(const std::string& dir) {
  if (!std::filesystem::exists(dir + "/catalog.sqlite")) return;
  try {
    const store::Store store(dir, store::Mode::read);
  } catch (const store::OtherFormat&) {
    log::note("the index of another version of fineprint is made anew");
    store::remove_store(dir);
  } catch (const Error&) {  // told by who uses it
  }
}

}  // namespace

AskedFolder::AskedFolder(const Settings& settings, const std::vector<std::string>& paths)
    : settings_(settings), place_(place_of(settings, paths_there(paths))) {
  has_failures_ = tells_missing_paths(paths);
  if (settings.origin("store") == settings::kFlagsOrigin) return;
  kept_.emplace(place_.dir);
  place_.dir = kept_->dir();
  remove_outdated(place_.dir);
}

// What was told once is not told again by a later run of the same call.
ingest::IngestReport AskedFolder::run(const ingest::IngestOptions& options, store::Store& store) {
  ingest::IngestReport report = ingest::ingest(place_.roots, options, store);
  std::erase_if(report.failures, [&](const ingest::FailedFile& failure) {
    return !told_.insert(failure.message).second;
  });
  print_report(report, false);
  if (report.indexed > 0 && !std::exchange(told_skipped_, true)) note_skipped(report);
  has_failures_ = has_failures_ || ingest::has_new_failures(report);
  return report;
}

void AskedFolder::read_for(const std::string& question) {
  const std::unique_ptr<store::Store> store = open_unless_in_use(place_.dir);
  if (store == nullptr) return;
  if (kept_) note_use(place_);
  const bool left_before = ingest::rest_of(*store).any() && !somebody_waits();
  unfinished_ = !question.empty() && !left_before && !read_soon(question, *store);
  if (!unfinished_) run(options_of(settings_, place_), *store);
}

// Whether the rest is to be done before the answer.
bool AskedFolder::read_soon(const std::string& question, store::Store& store) {
  ingest::IngestOptions options = options_of(settings_, place_);
  options.defer_ocr = options.texts_only = true;
  const ingest::IngestReport report = run(options, store);
  const std::int64_t waiting = ingest::rest_of(store).pages;
  const bool little = waiting <= kFewPages && report.lacking_chunks <= kFewChunks;
  // Only vectors of texts are made for a question.
  if (little || report.lacking_others > 0) return true;
  options.within = ingest::likely_documents(store, question, place_.within, kFewPages);
  options.defer_ocr = options.prune = false;
  if (!options.within.empty()) run(options, store);
  return false;
}

void AskedFolder::limit(const session::Corpus& corpus, Question* question) const {
  if (place_.within.empty()) return;
  question->docs = place_.within;
  if (document_filter(settings_, settings_.list("doc")).is_empty()) return;
  question->docs.clear();
  for (const std::uint32_t document : corpus.pool({})) {
    const store::DocumentRow& row = corpus.documents()[document].row;
    const bool asked = std::ranges::any_of(place_.within, [&](const std::string& place) {
      return session::names_document(place, row.doc, row.path);
    });
    if (asked) question->docs.push_back(row.path);
  }
  if (question->docs.empty()) {
    throw Error(ErrorCode::input,
                "no document at the given paths is one that --doc, --since and --kind leave");
  }
}

void AskedFolder::go_on(const session::Session& session) {
  if (!unfinished_ || (kept_ && kept_->is_temporary())) return;
  try {
    store::Store store(place_.dir, store::Mode::write);
    ingest::keep_made_vectors(session, store);
    if (!somebody_waits()) {
      const ingest::Rest left = ingest::rest_of(store);
      log::note(
          "the next call goes on with the index: {} pages wait for OCR, {} chunks for vectors",
          left.pages, left.chunks);
      return;
    }
    log::note(
        "the answer is given; the rest of the index follows (Ctrl-C leaves it to the next "
        "call)");
    ingest::IngestOptions options = options_of(settings_, place_);
    options.within = {};
    run(options, store);
  } catch (const store::InUse&) {  // who writes to it goes on
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
  }
}

}  // namespace fineprint::cli
