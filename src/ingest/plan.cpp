// Compares the files that are there with those that the store knows.
#include "ingest/plan.h"

#include <filesystem>
#include <map>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/threads.h"
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

bool is_another_file(const DocumentRow& before, const DocumentRow& now) {
  std::error_code ignored;
  return before.path != now.path && fs::exists(before.path, ignored) &&
         !fs::equivalent(before.path, now.path, ignored);
}

// Files of one name from two folders would take each other's place in the store at every run.
void refuse_namesake(const std::string& other_path, const DocumentRow& now) {
  throw Error(ErrorCode::usage,
              fineprint::format("{} would take the place of {}, both being called \"{}\" in the "
                                "store; index a folder above both, or use two stores",
                                now.path, other_path, now.doc));
}

// Puts the file on the list that it belongs to.
void plan_file(DocumentRow now, const DocumentRow* before, const ReadingSettings& settings,
               Plan* plan) {
  const bool comparable =
      before != nullptr && settings.mean_the_same_as(before->settings, now.path);
  if (comparable && before->stamp == now.stamp && before->path == now.path) {
    ++plan->unchanged;
    return;
  }
  // The stamp spares reading the file. One that was copied or touched is read once, to learn that
  // nothing else need be done.
  now.hash = file_hash(now.path);
  const bool same_content = before != nullptr && before->hash == now.hash;
  if (before != nullptr && !same_content && is_another_file(*before, now)) {
    refuse_namesake(before->path, now);
  }
  if (comparable && same_content) {
    ++plan->unchanged;
    plan->to_restamp.push_back(std::move(now));
  } else {
    plan->to_read.push_back(std::move(now));
  }
}

// Whether a path, or a folder above it, is one of `places`. All are absolute.
bool lies_in(std::string path, const std::set<std::string>& places) {
  while (!path.empty()) {
    if (places.contains(path)) return true;
    const std::size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
  return places.contains("/");
}

// What lies in `unseen` may be there all the same.
std::vector<std::string> gone_from(const std::vector<std::string>& paths,
                                   const std::vector<DocumentRow>& known,
                                   const std::map<std::string, std::string>& found,
                                   const std::set<std::string>& unseen) {
  std::set<std::string> places;
  for (const std::string& path : paths) places.insert(absolute_path(path));
  std::vector<std::string> out;
  for (const DocumentRow& row : known) {
    if (found.contains(row.doc) || lies_in(row.path, unseen)) continue;
    if (lies_in(row.path, places)) out.push_back(row.doc);
  }
  return out;
}

}  // namespace

Plan make_plan(const std::vector<std::string>& paths, const std::vector<DocumentRow>& known,
               const ReadingSettings& settings) {
  Plan plan;
  Known by_name;
  for (const DocumentRow& row : known) by_name[row.doc] = &row;
  std::map<std::string, std::string> found;  // name in the store -> absolute path
  std::set<std::string> unseen;              // what could not be looked into
  for (const auto& file : documents::find_documents(paths)) {
    throw_if_interrupted();
    DocumentRow now;
    now.doc = file.relative;
    now.path = absolute_path(file.path);
    now.settings = settings.hash_for(now.path);
    const auto [place, is_new] = found.emplace(now.doc, now.path);
    if (!is_new && place->second == now.path) continue;  // given twice
    ++plan.files;
    try {
      if (file.unseen) unseen.insert(now.path);
      if (!file.problem.empty()) {
        throw Error(ErrorCode::unreadable, now.path + ": " + file.problem);
      }
      if (!is_new) refuse_namesake(place->second, now);
      now.stamp = session::stamp_of(now.path);
      const auto before = by_name.find(now.doc);
      plan_file(std::move(now), before == by_name.end() ? nullptr : before->second, settings,
                &plan);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      plan.failures.push_back({file.relative, error.code(), error.what()});
    }
  }
  plan.gone = gone_from(paths, known, found, unseen);
  return plan;
}

}  // namespace fineprint::ingest
