// Reads a golden case's folder and finds its model.
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/sha256.h"
#include "fineprint/models/verify.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Returns true for a folder with weights or a GGUF file.
bool holds_weights(const fs::path& dir) {
  if (is_file(dir)) return tensorfile::is_gguf(dir.string());
  return is_file(dir / "model.safetensors") || is_file(dir / "model.safetensors.index.json") ||
         is_file(dir / "adapter_model.safetensors");
}

std::string text_or(const Json& json, const char* key, const std::string& absent) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : absent;
}

CaseKind kind_of(const Json& json) {
  if (text_or(json, "kind", "") == "tokenizer") return CaseKind::tokenizer;
  return json.contains("architecture") ? CaseKind::model : CaseKind::other;
}

// Returns true if the folder's weights are the ones that the case names. The size is compared
// first, because a hash reads the whole file.
bool holds_named_weights(const std::string& dir, const Json& weights) {
  const fs::path path = fs::path(dir) / "model.safetensors";
  if (!is_file(path)) return false;
  const auto bytes = weights.find("bytes");
  if (bytes != weights.end() && *bytes != fs::file_size(path)) return false;
  const std::string expected = text_or(weights, "sha256", "");
  // By the hash, because the tensors of other weights would differ from the first layer on.
  return !expected.empty() && sha256(MappedFile(path.string()).bytes()) == expected;
}

[[noreturn]] void fail_without_model(const std::string& dir, const Json& weights,
                                     const std::string& missing) {
  const std::string package = text_or(weights, "python_package", "");
  const std::string named =
      package.empty() ? ""
                      : format(" (the case names {} of the Python package {} {}, SHA-256 {})",
                               text_or(weights, "file_in_package", "a file"), package,
                               text_or(weights, "version", ""), text_or(weights, "sha256", "?"));
  throw Error(ErrorCode::model,
              format("{}: has no {} of its own{}; give a folder that has it with --model DIR", dir,
                     missing, named));
}

// Returns the case's own folder, the given one, or the default text encoder.
std::string model_dir(const CaseFacts& facts, const Json& json, const VerifyOptions& options) {
  const fs::path own = fs::path(facts.dir) / text_or(json, "model", "model");
  const bool tokenizer = facts.kind == CaseKind::tokenizer;
  if (tokenizer ? is_file(own / "tokenizer.json") : holds_weights(own)) return own.string();
  if (!options.model_dir.empty()) return options.model_dir;
  const auto found = json.find("weights");
  const Json weights = found != json.end() && found->is_object() ? *found : Json::object();
  try {
    const std::string dir = find_text_encoder({}, {});
    if (holds_named_weights(dir, weights)) return dir;
  } catch (const Error& error) {
    // There is no default encoder: the message below says what helps.
    if (error.code() != ErrorCode::model) throw;
  }
  fail_without_model(facts.dir, weights, tokenizer ? "tokenizer.json" : "weights");
}

}  // namespace

CaseFacts read_case(const std::string& case_dir, const VerifyOptions& options) {
  CaseFacts facts;
  facts.dir = case_dir;
  while (facts.dir.size() > 1 && facts.dir.back() == '/') facts.dir.pop_back();
  const std::string path = facts.dir + "/case.json";
  if (!is_file(path)) {
    throw Error(ErrorCode::input, format("{}: not a golden case (it has no case.json)", facts.dir));
  }
  const Json json = parse_json(read_file(path), path);
  if (!json.is_object()) throw Error(ErrorCode::input, format("{}: not an object", path));
  facts.name = text_or(json, "case", fs::path(facts.dir).filename().string());
  facts.kind = kind_of(json);
  if (facts.kind == CaseKind::other) {
    facts.skipped = "neither a model nor a tokenizer: case.json has no \"architecture\"";
  } else {
    facts.model_dir = model_dir(facts, json, options);
  }
  return facts;
}

bool CaseReport::passed() const {
  if (!skipped.empty()) return true;
  for (const TensorCheck& check : checks) {
    if (!check.passed) return false;
  }
  return !checks.empty();
}

}  // namespace fineprint::models
