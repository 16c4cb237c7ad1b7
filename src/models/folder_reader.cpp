// Reads the small files of a model folder, of an adapter over it, or the facts of a GGUF file.
#include "models/folder_reader.h"

#include <algorithm>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

#include "models/gguf/gguf_folder.h"

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

// Returns the facts of a GGUF file as files. Looks for its projector unless one is given.
std::map<std::string, Json> held_files(const std::string& gguf_path, FoundProjector* projector) {
  const tensorfile::GgufReader model(gguf_path);
  std::map<std::string, Json> files = folder_files(model);
  // A text encoder takes no images, so no projector is searched for.
  const bool encodes = files.contains("modules.json");
  if (projector->path.empty() && !encodes) *projector = find_projector(model);
  if (!projector->path.empty()) {
    add_projector(model, tensorfile::GgufReader(projector->path), &files);
  }
  return files;
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
    // The Hugging Face cache consists of links; a link without a target means an incomplete
    // download.
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

FolderReader::FolderReader(const GgufPair& pair)
    : dir_(pair.text),
      projector_{pair.projector, {}, false},
      held_(held_files(pair.text, &projector_)),
      config_(pair.text, held_.at("config.json")) {}

std::string FolderReader::locate(const std::string& name, std::string* why) {
  *why = "missing";
  if (is_gguf()) return {};
  // The adapter's files first: a training may have changed the tokenizer or the chat template.
  for (const std::string& place : {overlay_, dir_}) {
    if (place.empty()) continue;
    const std::string path = place + "/" + name;
    if (!is_plain_file(path, why)) continue;
    // The list decides what the model's hash covers.
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

bool FolderReader::holds(const std::string& name) const {
  return held_.contains(name) || is_plain_file(dir_ + "/" + name);
}

JsonFacts FolderReader::file(const std::string& name, const std::string& advice) {
  const auto held = held_.find(name);
  if (held != held_.end()) return JsonFacts(dir_, held->second);
  return JsonFacts(path(name, advice.empty() ? kIncomplete : advice));
}

std::string FolderReader::find_path(const std::string& name) {
  std::string why;
  const std::string found = locate(name, &why);
  // A file that exists but cannot be read must not count as absent.
  if (found.empty() && why != "missing") {
    throw Error(ErrorCode::model, format("{}/{}: {}", dir_, name, why));
  }
  return found;
}

std::optional<JsonFacts> FolderReader::find_file(const std::string& name) {
  const auto held = held_.find(name);
  if (held != held_.end()) return JsonFacts(dir_, held->second);
  const std::string found = find_path(name);
  return found.empty() ? std::nullopt : std::optional(JsonFacts(found));
}

std::optional<std::string> FolderReader::find_text(const std::string& name) {
  constexpr std::uintmax_t kMaxTextBytes = 1 << 20;
  const std::string found = find_path(name);
  if (found.empty()) return std::nullopt;
  std::error_code ignored;
  if (std::filesystem::file_size(found, ignored) > kMaxTextBytes) {
    throw Error(ErrorCode::model,
                format("{}: has more than {} bytes, too many for a file of this kind", found,
                       kMaxTextBytes));
  }
  return read_file(found);
}

std::string FolderReader::tokenizer() {
  if (is_gguf()) return dir_;
  return path("tokenizer.json",
              "tokenizers in other formats are not read: get the version of the model that has "
              "this file");
}

JsonFacts FolderReader::preprocessor() {
  if (const std::optional<JsonFacts> facts = find_file("preprocessor_config.json")) return *facts;
  // Newer writers have one file for all processors.
  if (const std::optional<JsonFacts> facts = find_file("processor_config.json")) {
    if (facts->has("image_processor")) return facts->object("image_processor");
  }
  return file("preprocessor_config.json", kIncomplete);
}

}  // namespace fineprint::models
