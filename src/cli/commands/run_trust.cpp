// `fineprint trust`: records which settings files of folders may start programs, send data, hand
// over secrets or open this machine.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/settings/trust.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

namespace fs = std::filesystem;
using settings::FolderFile;
using settings::GuardedValue;
using settings::TrustedFile;

// The file itself may be named as well as its folder.
std::string folder_of(const std::string& named) {
  const fs::path path(named);
  if (path.filename() != fs::path(settings::kFolderFile)) return named;
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

FolderFile read_named(const std::string& named) {
  const std::string folder = folder_of(named);
  const std::string name = (fs::path(folder) / settings::kFolderFile).string();
  std::optional<FolderFile> file = settings::read_folder_file(folder, name, options());
  if (!file) {
    throw Error(ErrorCode::input, format("{}: there is no such file, so nothing to trust", name));
  }
  // A file with a wrong value could not be used, so trust in it would only hide the error.
  Settings(options()).lay_over(file->values, name);
  return std::move(*file);
}

void print_file(const TrustedFile& file, const std::string& state, bool json,
                const std::vector<GuardedValue>* guarded = nullptr) {
  if (!json) {
    print_line(format("{} {}", state, settings::visible(file.path)));
    if (guarded == nullptr) return;
    for (const GuardedValue& value : *guarded) print_line("  " + settings::described(value));
    return;
  }
  Json line{{"file", file.path}, {"sha256", file.sha256}, {"state", state}};
  if (guarded != nullptr) {
    line["values"] = Json::array();
    for (const GuardedValue& value : *guarded) {
      line["values"].push_back(
          {{"key", value.option->name}, {"value", value.text}, {"risk", value.risk}});
    }
  }
  print_line(dump_json(line));
}

// Whoever owns the file can change it, but not what was trusted.
void note_owner(const FolderFile& file) {
  struct stat status{};
  if (::stat(file.path.c_str(), &status) != 0 || status.st_uid == ::geteuid()) return;
  const passwd* owner = ::getpwuid(status.st_uid);
  log::note("{} belongs to {}; if they change it, it is not trusted any more", file.path,
            owner != nullptr ? std::string(owner->pw_name) : format("user {}", status.st_uid));
}

int trust_file(const std::string& named, bool json) {
  const FolderFile file = read_named(named);
  const auto guarded = settings::guarded_values(file.values, file.path, options());
  print_file(settings::record_trust(file), "trusted", json, &guarded);
  note_owner(file);
  if (guarded.empty()) {
    log::note(
        "{} was obeyed before, too: nothing in it starts programs, sends data, hands over "
        "secrets or opens this machine",
        file.path);
  }
  return 0;
}

std::string state_of(const TrustedFile& trusted) {
  std::error_code unknown;
  if (!fs::exists(trusted.path, unknown)) return "missing";
  try {
    const auto file = settings::read_folder_file(fs::path(trusted.path).parent_path().string(),
                                                 trusted.path, options());
    return file && settings::trust_in(*file) == settings::Trust::trusted ? "trusted" : "changed";
  } catch (const Error&) {
    return "changed";  // it was in order when it was trusted
  }
}

int list_files(bool json) {
  const std::vector<TrustedFile> files = settings::trusted_files();
  for (const TrustedFile& file : files) print_file(file, state_of(file), json);
  if (files.empty()) log::note("no file is trusted");
  return 0;
}

// The folder may be gone, so links are followed only as far as they exist.
int remove_files(const std::vector<std::string>& names, bool json) {
  const std::vector<TrustedFile> files = settings::trusted_files();
  std::vector<TrustedFile> removed;
  for (const std::string& name : names) {
    std::error_code unknown;
    const fs::path path =
        fs::weakly_canonical(fs::absolute(folder_of(name)), unknown) / settings::kFolderFile;
    const auto found = std::ranges::find(files, path.string(), &TrustedFile::path);
    if (unknown || found == files.end()) {
      throw Error(ErrorCode::input, format("--remove {}: no trusted file is in this folder; "
                                           "`fineprint trust --list` lists all",
                                           name));
    }
    removed.push_back(*found);
  }
  for (const TrustedFile& file : removed) {
    settings::forget_trust(file);
    print_file(file, "removed", json);
  }
  return 0;
}

}  // namespace

int run_trust(const Settings& settings) {
  const std::vector<std::string> removed = settings.list("untrust");
  const bool lists = settings.flag("list"), json = settings.flag("json");
  if ((lists ? 1 : 0) + (removed.empty() ? 0 : 1) + (settings.arguments.empty() ? 0 : 1) > 1) {
    throw Error(ErrorCode::usage, "give only one of FOLDER, --list and --remove FOLDER");
  }
  if (lists) return list_files(json);
  if (!removed.empty()) return remove_files(removed, json);
  allow_arguments(settings, 1);
  return trust_file(argument(settings, 0, "FOLDER"), json);
}

}  // namespace fineprint::cli
