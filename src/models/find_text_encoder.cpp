// Looks for the folder of a text encoder.
#include <filesystem>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/models/folder.h"

#include "build_info.h"

namespace fineprint::models {
namespace {

bool holds_model(const std::filesystem::path& dir) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(dir / "config.json", ignored);
}

std::vector<std::filesystem::path> default_places() {
  const std::filesystem::path program_dir = std::filesystem::path(program_path()).parent_path();
  std::vector<std::filesystem::path> places;
  if (*kDefaultTextEncoder != '\0') places.emplace_back(kDefaultTextEncoder);
  places.push_back(program_dir / "models/all-MiniLM-L6-v2");
  places.push_back(program_dir.parent_path() / "share/fineprint/models/all-MiniLM-L6-v2");
  return places;
}

}  // namespace

std::string find_text_encoder(const std::string& spec) {
  if (!spec.empty()) {
    if (holds_model(spec)) return spec;
    throw Error(ErrorCode::model,
                format("{}: not a model folder (no config.json in it); give the folder of a "
                       "sentence encoder, or none for the default one",
                       spec));
  }
  std::string looked_in;
  for (const std::filesystem::path& place : default_places()) {
    if (holds_model(place)) return place.string();
    looked_in += (looked_in.empty() ? "" : ", ") + place.string();
  }
  throw Error(ErrorCode::model,
              format("no text encoder found (looked in {}); run scripts/fineprint once, which "
                     "installs it, or give a folder with --retriever",
                     looked_in));
}

}  // namespace fineprint::models
