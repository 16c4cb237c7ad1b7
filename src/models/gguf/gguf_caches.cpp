// Finds GGUF files that other programs have downloaded, by the names that these programs use.
#include "fineprint/models/gguf_caches.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/core/text.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/tensorfile/gguf.h"

#include "models/gguf/projector.h"

namespace fineprint::models {
namespace {

namespace fs = std::filesystem;

// Limits of a search, because these folders belong to other programs and may hold anything.
constexpr int kMostDeep = 8;
constexpr std::size_t kMostFiles = 10000;  // entries visited in such a folder
constexpr std::uintmax_t kMaxManifestBytes = 1 << 20;
constexpr std::string_view kHubPrefix = "models--";

// Returns the plain files below a folder, links to files included; skips what cannot be opened.
std::vector<fs::path> files_below(const std::string& dir) {
  std::vector<fs::path> files;
  std::error_code trouble;
  fs::recursive_directory_iterator at(dir, fs::directory_options::skip_permission_denied, trouble);
  std::size_t looked_at = 0;
  for (; !trouble && at != fs::recursive_directory_iterator(); at.increment(trouble)) {
    if (++looked_at > kMostFiles) break;
    if (at.depth() > kMostDeep) at.disable_recursion_pending();
    std::error_code ignored;
    if (fs::is_regular_file(at->path(), ignored)) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

void add_files(const std::string& program, const std::string& dir, std::vector<CachedGguf>* found) {
  if (dir.empty()) return;
  for (const fs::path& file : files_below(dir)) {
    const std::string name = tensorfile::gguf_name(file.string());
    // A projector is not a model that can be run alone.
    const bool is_model =
        lower_case(file.extension().string()) == ".gguf" && !is_projector_name(name);
    if (is_model && tensorfile::is_gguf(file.string()) &&
        tensorfile::is_first_gguf(file.string())) {
      found->push_back({program, name, file.string()});
    }
  }
}

// Returns the digest of the layer with the model; "" if the manifest has none.
std::string model_digest(const std::string& manifest) {
  try {
    const Json json = parse_json(manifest, "manifest", {.max_depth = 8});
    for (const Json& layer : json.at("layers")) {
      if (layer.at("mediaType") == "application/vnd.ollama.image.model") {
        return layer.at("digest").get<std::string>();
      }
    }
  } catch (const Error&) {
    return {};  // another program's file in an unknown format
  } catch (const Json::exception&) {
    return {};
  }
  return {};
}

// Turns "sha256:" and 64 digits into the name of a blob file; returns "" for anything else, which
// could lead to another folder.
std::string blob_name(const std::string& digest) {
  constexpr std::string_view kKind = "sha256:";
  if (!digest.starts_with(kKind) || digest.size() != kKind.size() + 64) return {};
  const std::string digits = digest.substr(kKind.size());
  const bool plain = std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c); });
  return plain ? "sha256-" + digits : std::string();
}

// Paths are manifests/HOST/OWNER/NAME/TAG. Ollama's own models have the owner "library", which
// their names omit.
void add_ollama(const std::string& dir, std::vector<CachedGguf>* found) {
  if (dir.empty()) return;
  const fs::path manifests = fs::path(dir) / "manifests";
  for (const fs::path& file : files_below(manifests.string())) {
    std::vector<std::string> parts;
    for (const fs::path& part : file.lexically_relative(manifests)) parts.push_back(part.string());
    std::error_code ignored;
    // Manifests are small; a large file is something else.
    if (parts.size() != 4 || fs::file_size(file, ignored) > kMaxManifestBytes) continue;
    const std::string blob = blob_name(model_digest(read_file(file.string())));
    const std::string path = (fs::path(dir) / "blobs" / blob).string();
    if (blob.empty() || !tensorfile::is_gguf(path)) continue;
    const std::string owner = parts[1] == "library" ? "" : parts[1] + "/";
    found->push_back({"Ollama", owner + parts[2] + ":" + parts[3], path});
  }
}

void add_hub(const std::string& dir, std::vector<CachedGguf>* found) {
  if (dir.empty()) return;
  std::error_code ignored;
  std::vector<fs::path> repositories;
  for (fs::directory_iterator at(dir, ignored), end; !ignored && at != end; at.increment(ignored)) {
    if (at->path().filename().string().starts_with(kHubPrefix)) repositories.push_back(at->path());
  }
  std::ranges::sort(repositories);
  for (const fs::path& repository : repositories) {
    add_files("Hugging Face", (repository / "snapshots").string(), found);
  }
}

bool has_name(const CachedGguf& file, const std::string& wanted) {
  const std::string name = lower_case(file.name);
  return name == wanted || name == wanted + ":latest";
}

std::string list_of_files(const std::vector<CachedGguf>& files) {
  return join_texts(files, "; ", [](const CachedGguf& file) {
    return format("{} ({}, {})", file.name, file.program, file.path);
  });
}

}  // namespace

std::vector<CachedGguf> cached_ggufs(const GgufPlaces& places) {
  std::vector<CachedGguf> found;
  add_files("llama.cpp", places.llama_cpp, &found);
  add_ollama(places.ollama, &found);
  add_files("LM Studio", places.lm_studio, &found);
  add_hub(places.hub, &found);
  return found;
}

std::vector<std::string> cached_repositories(const std::string& hub_cache) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (fs::directory_iterator at(hub_cache, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    std::string name = at->path().filename().string();
    if (!name.starts_with(kHubPrefix)) continue;
    name.erase(0, kHubPrefix.size());
    const std::size_t border = name.find("--");
    if (border != std::string::npos) names.push_back(name.replace(border, 2, "/"));
  }
  std::ranges::sort(names);
  return names;
}

std::string find_generator(const std::string& spec, const std::string& hub_cache,
                           const GgufPlaces& places) {
  try {
    return find_model(spec, hub_cache);
  } catch (const Error& error) {
    std::error_code ignored;
    // An existing path is meant as a path: its own error is more helpful than a list of other
    // files.
    if (error.code() != ErrorCode::model || spec.empty() || fs::exists(spec, ignored)) throw;
    const std::vector<CachedGguf> all = cached_ggufs(places);
    std::vector<CachedGguf> named;
    std::ranges::copy_if(all, std::back_inserter(named),
                         [&](const CachedGguf& file) { return has_name(file, lower_case(spec)); });
    if (named.size() == 1) return named.front().path;
    if (named.size() > 1) {
      throw Error(ErrorCode::model, format("{}: several files have this name; give one of them: {}",
                                           spec, list_of_files(named)));
    }
    if (all.empty()) throw;
    throw Error(ErrorCode::model, format("{}. GGUF files of other programs on this machine: {}",
                                         error.what(), list_of_files(all)));
  }
}

}  // namespace fineprint::models
