// The manifest of a file of answers. It records how the file was made, and so whether another run
// may continue it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/remote/sent_pages.h"
#include "fineprint/runs/batch.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"
#include "fineprint/store/store.h"

namespace fineprint::cli {

using settings::Settings;

// Returns the present time, for example "2024-05-16T09:30:00Z".
std::string now_utc();

std::string manifest_path(const std::string& out);

// Returns the settings that change answers. Two runs must share them to write into one file. Files
// and folders are represented by a hash of their contents.
Json answer_settings(const Settings& settings, const store::Store& store);

// Throws Error(usage) if `out` was begun with settings that give other answers.
void refuse_other_settings(const std::string& out, const Json& mine,
                           const settings::OptionSet& options);

// What the manifest records about a run besides its settings.
struct Run {
  const session::Session& session;
  std::string started;
  const remote::SentPages& sent;
  std::optional<runs::BatchReport> report = {};  // absent while the run is going on
};

// Returns what the manifest of an earlier run into `out` records. Empty if there is no such
// manifest.
std::vector<remote::SentPage> pages_sent_before(const std::string& out);

void write_manifest(const std::string& out, const Settings& settings, const Run& run);

}  // namespace fineprint::cli
