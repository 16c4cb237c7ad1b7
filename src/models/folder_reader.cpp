// The small files of one model folder, and of the adapter laid over it.
#include "models/folder_reader.h"

#include <algorithm>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

constexpr const char* kIncomplete = "the model folder is incomplete: download it again";

std::string config_path(const std::string& dir) {
  const std::string path = dir + "/config.json";
  std::string why;
  if (!is_plain_file(path, &why)) {
    throw Error(ErrorCode::model, format("{}: {}; {}", path, why, kIncomplete));
  }
  return path;
}

}  // namespace

bool is_plain_file(const std::string& path, std::string* why) {
  std::error_code trouble;
  const std::filesystem::file_status status = std::filesystem::status(path, trouble);
  if (std::filesystem::is_regular_file(status)) return true;
  if (why != nullptr) {
    const bool there = std::filesystem::exists(status);
    const bool missing = status.type() == std::filesystem::file_type::not_found;
    const bool dangling = missing && std::filesystem::is_symlink(path, trouble);
    if (dangling) {
      *why = "a link to nothing";
    } else {
      *why = there ? "not a plain file" : missing ? "missing" : trouble.message();
    }
  }
  return false;
}

FolderReader::FolderReader(const std::string& dir, const std::string& overlay)
    : dir_(dir), overlay_(overlay), files_read_{config_path(dir)}, config_(files_read_.front()) {}

std::string FolderReader::locate(const std::string& name, std::string* why) {
  for (const std::string& place : {overlay_, dir_}) {
    if (place.empty()) continue;
    const std::string path = place + "/" + name;
    if (!is_plain_file(path, why)) continue;
    if (std::ranges::find(files_read_, path) == files_read_.end()) files_read_.push_back(path);
    return path;
  }
  return {};
}

std::string FolderReader::path(const std::string& name, const std::string& advice) {
  std::string why;
  const std::string found = locate(name, &why);
  if (found.empty()) {
    throw Error(ErrorCode::model, format("{}/{}: {}; {}", dir_, name, why, advice));
  }
  return found;
}

JsonFacts FolderReader::file(const std::string& name, const std::string& advice) {
  return JsonFacts(path(name, advice.empty() ? kIncomplete : advice));
}

std::optional<JsonFacts> FolderReader::find_file(const std::string& name) {
  std::string why;
  const std::string found = locate(name, &why);
  if (found.empty()) {
    // A file that is there and cannot be read is not the same as none.
    if (why != "missing") throw Error(ErrorCode::model, format("{}/{}: {}", dir_, name, why));
    return std::nullopt;
  }
  return JsonFacts(found);
}

std::string FolderReader::tokenizer() {
  return path("tokenizer.json",
              "tokenizers in other formats are not read: get the version of the model that has "
              "this file");
}

JsonFacts FolderReader::preprocessor() {
  if (const std::optional<JsonFacts> facts = find_file("preprocessor_config.json")) return *facts;
  if (const std::optional<JsonFacts> facts = find_file("processor_config.json")) {
    if (facts->has("image_processor")) return facts->object("image_processor");
  }
  return file("preprocessor_config.json", kIncomplete);
}

}  // namespace fineprint::models
