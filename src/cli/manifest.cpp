// Writes manifests, and reads them when a run continues a file.
#include "cli/manifest.h"

#include <filesystem>
#include <map>

#include "fineprint/core/dates.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "build_info.h"
#include "cli/commands.h"

namespace fineprint::cli {

std::string now_utc() { return utc_text(std::chrono::system_clock::now()); }

std::string manifest_path(const std::string& out) { return out + ".manifest.json"; }

namespace {

// Returns one hash of the names and bytes of a folder's files.
std::string folder_hash(const std::string& folder) {
  std::map<std::string, std::string> hashes;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), folder).generic_string();
    hashes[name] = file_hash(entry.path().string());
  }
  return content_hash(dump_json(hashes));
}

// Returns the value, or the hash of the file or folder that it names, so that a moved file is the
// same setting and a changed file is not.
Json hashed_if_file(const Option& option, Json value) {
  if (!value.is_string() || value.get<std::string>().empty()) return value;
  if (option.facts.value == "DIR") return folder_hash(value.get<std::string>());
  if (option.facts.value == "FILE") return file_hash(value.get<std::string>());
  return value;
}

}  // namespace

// Options that cannot change an answer (same_answers) are left out, so that a run may continue with
// other ones, for example with more workers.
Json answer_settings(const Settings& settings, const store::Store& store) {
  const Json all = Json::parse(settings.to_json());
  Json kept = Json::object();
  for (const settings::ProgramOption& option : settings.options().all()) {
    if (option.facts.same_answers || !(option.commands & settings::kBatch)) continue;
    kept[option.name] = hashed_if_file(option, all.at(option.name));
  }
  kept["store_id"] = store.id();
  return kept;
}

// Files without a manifest, or from before it recorded settings, cannot be checked and are
// accepted.
void refuse_other_settings(const std::string& out, const Json& mine,
                           const settings::OptionSet& options) {
  if (!std::filesystem::exists(out) || !std::filesystem::exists(manifest_path(out))) return;
  const Json manifest = parse_json(read_file(manifest_path(out)), manifest_path(out));
  if (!manifest.contains("answer_settings")) return;
  // If the manifest lacks a setting, the setting did not exist then, and the run behaved as its
  // present default.
  const Json defaults = Json::parse(Settings(options).to_json());
  for (const auto& [key, value] : mine.items()) {
    // Manifests from before pipelines' settings had prefixes use the bare name. A name that several
    // pipelines share is younger than that, so it is not looked up.
    const Json& known = manifest.at("answer_settings");
    const std::string bare(settings::bare_name(key));
    const Json unset = defaults.value(key, Json());
    const Json before =
        known.value(key, options.names_one(bare) ? known.value(bare, unset) : unset);
    if (before != value) {
      throw Error(ErrorCode::usage,
                  format("{} was begun with {} = {}, but now it is {}; give another --out, or "
                         "--force to continue the file anyway",
                         out, key, dump_json(before), dump_json(value)));
    }
  }
}

std::vector<remote::SentPage> pages_sent_before(const std::string& out) {
  const std::string path = manifest_path(out);
  if (!std::filesystem::exists(out) || !std::filesystem::exists(path)) return {};
  const Json manifest = parse_json(read_file(path), path);
  std::vector<remote::SentPage> pages;
  try {
    for (const Json& page : manifest.value("pages_sent", Json::array())) {
      pages.push_back({page.at("page").get<std::string>(), page.at("host").get<std::string>(),
                       page.at("count").get<std::int64_t>()});
    }
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::input, format("{}: not a manifest of answers: {}", path, error.what()));
  }
  return pages;
}

namespace {

// Returns the counts as the manifest records them, one object for each page and host.
Json pages_sent(const remote::SentPages& sent) {
  Json pages = Json::array();
  for (const remote::SentPage& page : sent.list()) {
    pages.push_back({{"page", page.page}, {"host", page.host}, {"count", page.count}});
  }
  return pages;
}

}  // namespace

// Written at the start as well, so that an interrupted run can be identified and continued.
void write_manifest(const std::string& out, const Settings& settings, const Run& run) {
  const store::Store& store = run.session.corpus().store();
  Json models = Json::object();
  for (const store::VectorSet& set : store.vector_sets()) {
    models[set.name] = {{"name", set.model}, {"hash", set.hash}};
  }
  for (const auto& [agent, generator] : run.session.models().loaded_generators()) {
    const Json facts = {{"name", generator->name()}, {"hash", generator->hash()}};
    (agent.empty() ? models["generator"] : models["agents"][agent]) = facts;
  }
  const store::Totals totals = store.totals();
  Json manifest = {
      {"schema", "fineprint.manifest/1"},
      {"program", program_version()},
      {"compiler", kCompiler},
      {"build", kBuildType},
      {"settings", Json::parse(settings.to_json())},
      {"answer_settings", answer_settings(settings, store)},
      {"models", models},
      {"store", {{"id", store.id()}, {"documents", totals.documents}, {"pages", totals.pages}}},
      {"seed", settings.integer("seed")},
      {"started", run.started},
      {"pages_sent", pages_sent(run.sent)}};
  if (const auto& report = run.report) {
    manifest["finished"] = now_utc();
    manifest["seconds"] = report->seconds;
    manifest["counts"] = {{"questions", report->questions},
                          {"answered", report->answered},
                          {"skipped", report->skipped},
                          {"failed", report->failed}};
  }
  write_file_atomic(manifest_path(out), manifest.dump(2) + "\n");
}

}  // namespace fineprint::cli
