// Compares the files on disk with the files that the store knows.
#include "ingest/plan.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/address.h"
#include "fineprint/documents/parsed_files.h"
#include "fineprint/session/source_file.h"

namespace fineprint::ingest {

namespace {

namespace fs = std::filesystem;
using store::DocumentRow;
using Known = std::map<std::string, const DocumentRow*>;

std::string absolute_path(const std::string& path) {
  std::string out = fs::absolute(path).lexically_normal().string();
  while (out.size() > 1 && out.back() == '/') out.pop_back();
  return out;
}

// Returns whether the document of the store is a different file that still exists.
bool is_another_file(const DocumentRow& before, const DocumentRow& now) {
  std::error_code ignored;
  return before.path != now.path && fs::exists(before.path, ignored) &&
         !fs::equivalent(before.path, now.path, ignored);
}

// Refuses two files of one name from different folders, because they would replace each other in
// the store at every run.
void refuse_namesake(const std::string& other_path, const DocumentRow& now) {
  throw Error(ErrorCode::usage,
              fineprint::format("{} would replace {}, because both are called \"{}\" in the "
                                "store; index a folder above both, or use two stores",
                                now.path, other_path, now.doc));
}

// A file that was found, and its name in the store.
struct NamedFile {
  const documents::FoundFile* file;
  std::string path;  // absolute
  std::string name;
  bool known = false;  // the store has it under this name
};

// Returns the name with one more folder of the path before it, or the name itself if there is none.
std::string with_folder(const NamedFile& file) {
  if (!file.path.ends_with("/" + file.name)) return file.name;
  const std::size_t slash = file.path.size() - file.name.size() - 1;
  if (slash == 0) return file.name;
  return file.path.substr(file.path.rfind('/', slash - 1) + 1);
}

// Returns the indices of files whose name is also that of a file with another path, except those
// that the store knows by it.
std::vector<std::size_t> ambiguous(const std::vector<NamedFile>& files) {
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < files.size(); ++i) by_name[files[i].name].push_back(i);
  std::vector<std::size_t> out;
  for (const auto& [name, namesakes] : by_name) {
    const bool one_file = std::ranges::all_of(
        namesakes, [&](std::size_t i) { return files[i].path == files[namesakes.front()].path; });
    if (one_file) continue;
    std::ranges::copy_if(namesakes, std::back_inserter(out),
                         [&](std::size_t i) { return !files[i].known; });
  }
  return out;
}

// Names the files as they were found, relative to the path that led to them. A file that the store
// knows by a longer name keeps that, and files of one name get as many of their folders as they
// need to differ: "a/2024/rules.txt" and "b/2024/rules.txt" for the folders `a` and `b`.
std::vector<NamedFile> name_files(const std::vector<documents::FoundFile>& found,
                                  const KnownFiles& known) {
  std::map<std::string, std::string> known_names;
  for (const DocumentRow& row : known.documents) known_names[row.path] = row.doc;
  for (const store::UnreadFile& row : known.unread) known_names[row.path] = row.doc;
  std::vector<NamedFile> files;
  for (const documents::FoundFile& file : found) {
    NamedFile named{&file, absolute_path(file.path), file.relative};
    const auto before = known_names.find(named.path);
    if (before != known_names.end()) {
      const std::string& name = before->second;
      named.known = name == named.name || name.ends_with("/" + named.name);
      if (named.known) named.name = name;
    }
    files.push_back(std::move(named));
  }
  // Each round lengthens a name; no path has more folders than that.
  constexpr int kMostRounds = 256;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<std::size_t> unclear = ambiguous(files);
    if (unclear.empty()) break;
    for (const std::size_t i : unclear) files[i].name = with_folder(files[i]);
  }
  return files;
}

// Adds a file to the list of the plan that it belongs to.
void plan_file(DocumentRow now, const DocumentRow* before, const ReadingSettings& settings,
               bool may_wait, Plan* plan) {
  const bool comparable = before != nullptr &&
                          settings.mean_the_same_as(before->settings, now.path) &&
                          (may_wait || before->waiting_pages == 0);
  if (comparable && before->stamp == now.stamp && before->path == now.path) {
    plan->unchanged.push_back(*before);
    return;
  }
  // An equal stamp saves reading the file. A file that was copied or touched is read once, to learn
  // that nothing else has to be done.
  now.hash = file_hash(now.path);
  const bool same_content = before != nullptr && before->hash == now.hash;
  if (before != nullptr && !same_content && is_another_file(*before, now)) {
    refuse_namesake(before->path, now);
  }
  if (comparable && same_content) {
    plan->unchanged.push_back(*before);
    plan->to_restamp.push_back(std::move(now));
  } else {
    plan->to_read.push_back(std::move(now));
  }
}

// Returns whether a path, or a folder above it, is one of `places`. All paths are absolute.
bool is_in_places(std::string path, const std::set<std::string>& places) {
  while (!path.empty()) {
    if (places.contains(path)) return true;
    const std::size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
  return places.contains("/");
}

// A PDF also changes when another program's output for it changes.
bool is_within(const std::string& path, const std::set<std::string>& places) {
  return is_in_places(path, places) || is_in_places(documents::parsed_beside(path), places);
}

std::set<std::string> absolute_paths(const std::vector<std::string>& paths) {
  std::set<std::string> out;
  for (const std::string& path : paths) out.insert(absolute_path(path));
  return out;
}

// Returns the names of known documents that were not found. A document in a folder that could not
// be looked into may still exist.
template <class Row>
std::vector<std::string> gone_from(const std::set<std::string>& places,
                                   const std::vector<Row>& known,
                                   const std::map<std::string, std::string>& found,
                                   const std::set<std::string>& unseen) {
  std::vector<std::string> out;
  for (const Row& row : known) {
    if (found.contains(row.doc) || is_in_places(row.path, unseen)) continue;
    if (is_in_places(row.path, places)) out.push_back(row.doc);
  }
  return out;
}

bool wants_a_password(ErrorCode code) {
  return code == ErrorCode::encrypted || code == ErrorCode::wrong_password;
}

// Adds a failure to the plan. A folder that cannot be looked into is reported by every run, because
// documents may be hidden in it.
void add_failure(store::UnreadFile file, bool unseen, const KnownFiles& known, Plan* plan) {
  const bool already_reported =
      std::ranges::any_of(known.unread, [&](const store::UnreadFile& before) {
        return before.doc == file.doc && before.path == file.path && before.message == file.message;
      });
  plan->failures.push_back({.file = file.doc,
                            .path = file.path,
                            .code = file.code,
                            .message = file.message,
                            .kept = false,
                            .known = already_reported && !unseen});
  if (!already_reported && !unseen) plan->to_remember.push_back(std::move(file));
}

// Returns the unread files that must not be tried again as long as they do not change, by name.
std::map<std::string, const store::UnreadFile*> left_alone(
    const std::vector<store::UnreadFile>& unread, const IngestOptions& options) {
  std::map<std::string, const store::UnreadFile*> out;
  const bool has_passwords = !options.read.passwords.empty() || !options.read.listed.empty();
  for (const store::UnreadFile& file : unread) {
    const bool again = options.retry_failed || (has_passwords && wants_a_password(file.code));
    if (!again) out[file.doc] = &file;
  }
  return out;
}

bool is_as_before(const store::UnreadFile& before, const DocumentRow& now,
                  const ReadingSettings& settings) {
  return before.path == now.path && before.stamp == now.stamp &&
         before.settings == settings.hash_for_failure(now.path);
}

FailedFile known_failure(const store::UnreadFile& file) {
  return {.file = file.doc,
          .path = file.path,
          .code = file.code,
          .message = file.message,
          .kept = false,
          .known = true};
}

}  // namespace

Plan make_plan(const std::vector<std::string>& paths, const KnownFiles& known,
               const ReadingSettings& settings, const IngestOptions& options) {
  const std::set<std::string> within = absolute_paths(options.within);
  Plan plan;
  Known by_name;
  for (const DocumentRow& row : known.documents) by_name[row.doc] = &row;
  const auto unread = left_alone(known.unread, options);
  std::map<std::string, std::string> found;  // name in the store -> absolute path
  std::set<std::string> unseen;              // folders that could not be looked into
  bool has_text = false;
  const documents::Found on_disk = documents::find_documents(paths);
  for (const auto& file : on_disk.skipped) {
    plan.skipped.push_back({file.relative, absolute_path(file.path)});
  }
  for (const NamedFile& named : name_files(on_disk.files, known)) {
    const documents::FoundFile& file = *named.file;
    throw_if_interrupted();
    DocumentRow now;
    now.doc = named.name;
    now.path = named.path;
    now.settings = settings.hash_for(now.path);
    const auto [place, is_new] = found.emplace(now.doc, now.path);
    if (!is_new && place->second == now.path) continue;  // named twice
    if (file.unseen) unseen.insert(now.path);
    if (!within.empty() && !is_within(now.path, within)) continue;
    if (options.wanted && !options.wanted(now.doc)) continue;
    ++plan.files;
    const FileFormat* format = format_of_name(now.path);
    has_text = has_text || (format != nullptr && format->is_encoded_text());
    try {
      if (!file.problem.empty()) {
        throw Error(ErrorCode::unreadable, now.path + ": " + file.problem);
      }
      // Checked before the stamp, so that the conflict is reported even if neither file changed.
      if (!is_new) refuse_namesake(place->second, now);
      now.stamp = session::stamp_of(now.path);
      const auto failed = unread.find(now.doc);
      if (failed != unread.end() && is_as_before(*failed->second, now, settings)) {
        plan.failures.push_back(known_failure(*failed->second));
        continue;
      }
      const auto before = by_name.find(now.doc);
      plan_file(std::move(now), before == by_name.end() ? nullptr : before->second, settings,
                options.defer_ocr, &plan);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      add_failure({.doc = named.name,
                   .path = named.path,
                   .settings = {},
                   .stamp = {},
                   .code = error.code(),
                   .message = documents::shown_message(error.what(), named.path)},
                  file.unseen, known, &plan);
    }
  }
  if (!options.read.encoding.empty() && !has_text) {
    log::warn("--encoding has no effect: none of these {} files is a text, CSV or HTML file",
              plan.files);
  }
  const std::set<std::string> places = within.empty() ? absolute_paths(paths) : within;
  plan.gone = gone_from(places, known.documents, found, unseen);
  plan.unread_gone = gone_from(places, known.unread, found, unseen);
  return plan;
}

}  // namespace fineprint::ingest
