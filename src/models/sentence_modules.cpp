// Reads modules.json.
#include "models/sentence_modules.h"

#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

std::string text_of(const JsonFacts& modules, const Json& module, const char* key) {
  if (!module.is_object() || !module.contains(key) || !module[key].is_string()) {
    modules.fail(key, "is missing in an entry, or is not a string");
  }
  return module[key].get<std::string>();
}

}  // namespace

Module module_of(const JsonFacts& facts, const std::string& type, const std::string& path) {
  Module module{type, type.substr(type.rfind('.') + 1), path};
  // The path comes from a file and must not lead to files outside of the model.
  const std::filesystem::path relative = std::filesystem::path(path).lexically_normal();
  if (relative.is_absolute() || (!relative.empty() && *relative.begin() == "..")) {
    facts.fail("path", format("of the {} module leads out of the folder", module.kind));
  }
  return module;
}

std::vector<Module> read_modules(const JsonFacts& modules) {
  if (!modules.json().is_array()) {
    throw Error(ErrorCode::model, format("{}: not a JSON array", modules.path()));
  }
  std::vector<Module> all;
  for (const Json& entry : modules.json()) {
    all.push_back(
        module_of(modules, text_of(modules, entry, "type"), text_of(modules, entry, "path")));
  }
  return all;
}

}  // namespace fineprint::models
